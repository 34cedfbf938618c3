"""A card is a small whole number, written as rank and suit: `As`, `Td`, `9c`.

It is read as people write it, too: `A♠`, `10d`, `as`, `AS`.
"""

import re
from collections.abc import Iterable
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
#: A suit by its letters and its signs, black and white; some systems add a mark that asks for a picture.
_SUIT_SIGNS = {"c": "cC♣♧", "d": "dD♦♢", "h": "hH♥♡", "s": "sS♠♤"}
_PICTURE = "\ufe0f"
_RANK_SIGNS = {rank: (rank, rank.lower()) for rank in RANKS} | {"T": ("T", "t", "10")}
_SPELLINGS = {
    rank + suit: one for name, one in _CARDS.items() for rank in _RANK_SIGNS[name[0]] for suit in _SUIT_SIGNS[name[1]]
}
_WRITTEN = f"(?:10|[{RANKS}{RANKS.lower()}])[{''.join(_SUIT_SIGNS.values())}]"


class CardError(ValueError):
    """The text does not name cards of one deck."""


def card(text: str) -> Card:
    """The card of that name: `card("As")`, `card("A♠")`, `card("10h")`."""
    try:
        return _SPELLINGS[text.replace(_PICTURE, "")]
    except KeyError:
        meant = f"; did you mean {text[::-1]}?" if text[::-1] in _SPELLINGS else ""
        raise CardError(
            f"there is no card {text!r}; a card is a rank of {RANKS} and a suit of {SUITS}, as in As or Td{meant}"
        ) from None


def cards(text: str) -> tuple[Card, ...]:
    """The cards named in the text, parted by blanks or commas or by nothing: `cards("As Td 9c")`, `cards("A♠ 10♦")`."""
    try:
        return tuple([_CARDS[name] for name in text.split()])
    except KeyError:
        return tuple(one for word in text.replace(",", " ").split() for one in _run_together(word))


def _run_together(word: str) -> list[Card]:
    """The cards of one word, such as `AsKs`; where it holds anything else it is read, and refused, as one card."""
    plain = word.replace(_PICTURE, "")
    found = re.findall(_WRITTEN, plain)
    return [_SPELLINGS[one] for one in found] if found and "".join(found) == plain else [card(word)]


def name(one: Card) -> str:
    """`As` for the ace of spades."""
    return _NAMES[one]


def named(many: Iterable[int]) -> tuple[str, ...]:
    """The names of cards that are given by their numbers."""
    return tuple([_NAMES[one] for one in many])


def names(many: tuple[Card, ...]) -> str:
    """`As Td 9c`: the reverse of `cards`."""
    return " ".join([_NAMES[one] for one in many])


def rank_of(one: Card) -> int:
    """0 for a two up to 12 for an ace."""
    return one >> 2


def suit_of(one: Card) -> int:
    """0 to 3; no suit is worth more than another."""
    return one & 3
