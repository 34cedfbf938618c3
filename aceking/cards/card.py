"""A card is a small whole number, written as rank and suit: `As`, `Td`, `9c`."""

from typing import NewType

Card = NewType("Card", int)

RANKS = "23456789TJQKA"
SUITS = "cdhs"
RANK_WORDS = (
    *("two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)

ACE = RANKS.index("A")
FIVE = RANKS.index("5")

_NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARDS = {name: Card(number) for number, name in enumerate(_NAMES)}


class CardError(ValueError):
    """The text does not name cards of one deck."""


def card(text: str) -> Card:
    """The card of that name: `card("As")`."""
    try:
        return _CARDS[text]
    except KeyError:
        raise CardError(
            f"there is no card {text!r}; a card is a rank of {RANKS} and a suit of {SUITS}, as in As or Td"
        ) from None


def cards(text: str) -> tuple[Card, ...]:
    """The cards named in the text, parted by blanks: `cards("As Td 9c")`."""
    try:
        return tuple([_CARDS[name] for name in text.split()])
    except KeyError as unknown:
        card(unknown.args[0])
        raise


def name(one: Card) -> str:
    """`As` for the ace of spades."""
    return _NAMES[one]


def names(many: tuple[Card, ...]) -> str:
    """`As Td 9c`: the reverse of `cards`."""
    return " ".join([_NAMES[one] for one in many])


def rank_of(one: Card) -> int:
    """0 for a two up to 12 for an ace."""
    return one >> 2


def suit_of(one: Card) -> int:
    """0 to 3; no suit is worth more than another."""
    return one & 3
