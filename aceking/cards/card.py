"""A card is a small whole number, written as rank and suit: `As`, `Td`, `9c`.

Other spellings are read as well: `A♠`, `10d`, `as`, `AS`.
"""

import re
from collections.abc import Iterable
from typing import NewType

CardId = NewType("CardId", int)

RANKS = "23456789TJQKA"
SUITS = "cdhs"
RANK_WORDS = (
    *("two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)

ACE = RANKS.index("A")
FIVE = RANKS.index("5")

_NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARDS = {name: CardId(number) for number, name in enumerate(_NAMES)}
#: Each suit by its letters and signs. Some systems add a variation selector to ask for a picture (`_PICTURE`).
_SUIT_SIGNS = {"c": "cC♣♧", "d": "dD♦♢", "h": "hH♥♡", "s": "sS♠♤"}
_PICTURE = "\ufe0f"
_RANK_SIGNS = {rank: (rank, rank.lower()) for rank in RANKS} | {"T": ("T", "t", "10")}
_SPELLINGS = {
    rank + suit: one for name, one in _CARDS.items() for rank in _RANK_SIGNS[name[0]] for suit in _SUIT_SIGNS[name[1]]
}
_WRITTEN = f"(?:10|[{RANKS}{RANKS.lower()}])[{''.join(_SUIT_SIGNS.values())}]"


class CardError(ValueError):
    """The text does not name cards of one deck."""


def card(text: str) -> CardId:
    """Return the card of that name: `card("As")`, `card("A♠")`, `card("10h")`. Raises CardError."""
    try:
        return _SPELLINGS[text.replace(_PICTURE, "")]
    except KeyError:
        meant = f"; did you mean {text[::-1]}?" if text[::-1] in _SPELLINGS else ""
        raise CardError(
            f"there is no card {text!r}; a card is a rank of {RANKS} and a suit of {SUITS}, as in As or Td{meant}"
        ) from None


def cards(text: str) -> tuple[CardId, ...]:
    """Return the cards in a text, with or without blanks or commas: `cards("As Td 9c")`. Raises CardError."""
    try:
        return tuple([_CARDS[name] for name in text.split()])
    except KeyError:
        return tuple(one for word in text.replace(",", " ").split() for one in _run_together(word))


def _run_together(word: str) -> list[CardId]:
    """Return the cards of one word, such as `AsKs`; `card` refuses a word that has anything else."""
    plain = word.replace(_PICTURE, "")
    spelled = re.findall(_WRITTEN, plain)
    return [_SPELLINGS[one] for one in spelled] if spelled and "".join(spelled) == plain else [card(word)]


def name(number: CardId) -> str:
    """Return `As` for the ace of spades."""
    return _NAMES[number]


def named(numbers: Iterable[int]) -> tuple[str, ...]:
    """Return the names of these cards."""
    return tuple([_NAMES[number] for number in numbers])


def names(numbers: tuple[CardId, ...]) -> str:
    """Return `As Td 9c`: the reverse of `cards`."""
    return " ".join([_NAMES[number] for number in numbers])


def rank_of(number: CardId) -> int:
    """Return 0 for a two up to 12 for an ace."""
    return number >> 2


def suit_of(number: CardId) -> int:
    """Return 0 to 3; no suit is worth more than another."""
    return number & 3
