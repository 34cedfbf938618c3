"""Cards and hands as objects."""

from collections.abc import Iterator, Sequence
from functools import total_ordering
from html import escape
from operator import index
from typing import Any

from aceking.api.arguments import cards_of
from aceking.cards import card as spelling
from aceking.cards.hand import Category, HandRank, rank, words

_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class Card(int):
    """A card, made from its usual notation. It is also an integer from 0 (`2c`) to 51 (`As`).

    >>> Card("A♠"), Card("10h"), Card("qD")
    (Card('As'), Card('Th'), Card('Qd'))
    >>> Card("As").rank, Card("As").suit, int(Card("As"))
    ('A', 's', 51)
    """

    __slots__ = ()

    def __new__(cls, of: "str | int") -> "Card":
        """Return the card with this name or number. Raises CardError if there is none."""
        try:
            number = spelling.card(of) if isinstance(of, str) else index(of)
        except TypeError:
            raise TypeError(f"a card is a name or a number, not {of!r}") from None
        if not 0 <= number < 52:
            raise spelling.CardError(f"there is no card {of!r}; the cards are numbered from 0 to 51")
        return super().__new__(cls, number)

    @property
    def rank(self) -> str:
        """The rank: one of 2 3 4 5 6 7 8 9 T J Q K A."""
        return str(self)[0]

    @property
    def suit(self) -> str:
        """The suit: one of c d h s."""
        return str(self)[1]

    def __str__(self) -> str:
        return spelling.name(spelling.CardId(int(self)))

    def __repr__(self) -> str:
        return f"Card('{self}')"

    def _repr_html_(self) -> str:
        colour = "#b00020" if self.suit in "dh" else "#000"
        return f'<span style="color:{colour}">{self.rank.replace("T", "10")}{_SIGNS[self.suit]}</span>'


@total_ordering
class Hand(Sequence[Card]):
    """Five cards that compare by rank; hands of equal rank are equal. Raises CardError for anything but five cards.

    >>> Hand("8♠ 8♥ 8♦ 3♣ 3♥")
    Hand('8s 8h 8d 3c 3h', 'full house, eights over threes')
    >>> Hand("As Ks Qs Js Ts") > Hand("9h 9d 9c 9s 2c")
    True
    >>> Hand("5h 4c 3d 2s Ah").words
    'straight, five high'
    >>> Hand("5h 4c 3d 2s Ah", ace_low=False).words
    'ace five high'
    """

    __slots__ = ("cards", "ranked")

    def __init__(self, cards: "str | Sequence[int | str]", *, ace_low: bool = True) -> None:
        self.cards: tuple[Card, ...] = tuple(Card(one) for one in cards_of("cards", cards))
        if len(self.cards) != 5 or len(set(self.cards)) != 5:
            raise spelling.CardError(f"a hand is five different cards, not {' '.join(map(str, self.cards)) or 'none'}")
        self.ranked: HandRank = rank([spelling.CardId(one) for one in self.cards], ace_low=ace_low)

    @property
    def category(self) -> Category:
        """The class of the hand, e.g. Category.FLUSH."""
        return self.ranked.category

    @property
    def words(self) -> str:
        """The hand in words, e.g. `pair of jacks`."""
        return words(self.ranked)

    def __len__(self) -> int:
        return len(self.cards)

    def __getitem__(self, place: Any) -> Any:
        return self.cards[place]

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and self.ranked == other.ranked

    def __lt__(self, other: object) -> bool:
        return self.ranked < other.ranked if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.ranked)

    def __str__(self) -> str:
        return " ".join(map(str, self.cards))

    def __repr__(self) -> str:
        return f"Hand('{self}', '{self.words}')"

    def _repr_html_(self) -> str:
        return f"{' '.join(one._repr_html_() for one in self.cards)} &nbsp; {escape(self.words)}"
