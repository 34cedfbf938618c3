"""The mathematics of stud pays what the table pays: every pair of kinds of hands, every decision."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations

import pytest

from aceking.cards.card import SUITS, CardId, cards, name
from aceking.cards.deck import DECK
from aceking.cards.hand import Category, HandRank, rank
from aceking.exact.games import changed
from aceking.exact.stud.money import StudNets, nets
from aceking.rules.book import Book
from aceking.rules.decisions import Choice
from aceking.rules.odds import Amount
from aceking.rules.reading.load import book_ids, load_book
from aceking.settlement.lines import Settlement
from aceking.settlement.scenario import Scenario, Seat, Swap
from aceking.settlement.settle import settle

ANTE = 1000
STUD = [book for book in map(load_book, book_ids()) if book.dealer is not None]

#: Two hands of each kind, the weaker first, so that below, equal and above are met inside every category; and both
#: sides of the qualifier.
KINDS = {
    "below ace-king": ("7c 5d 4h 3s 2c", "Ac Qd Jh Ts 9c"),
    "ace-king": ("Ac Kd 4h 3s 2c", "Ac Kd Qh Js 9c"),
    "pair": ("2c 2d 5h 4s 3c", "Ac Ad Kh Qs Jc"),
    "two pair": ("3c 3d 2h 2s 4c", "Ac Ad Kh Ks Qc"),
    "three of a kind": ("2c 2d 2h 4s 3c", "Ac Ad Ah Ks Qc"),
    "straight": ("5c 4d 3h 2s Ac", "Ac Kd Qh Js Tc"),
    "flush": ("7c 5c 4c 3c 2c", "Ac Kc Qc Jc 9c"),
    "full house": ("2c 2d 2h 3s 3c", "Ac Ad Ah Ks Kc"),
    "four of a kind": ("2c 2d 2h 2s 3c", "Ac Ad Ah As Kc"),
    "straight flush": ("5c 4c 3c 2c Ac", "Kc Qc Jc Tc 9c"),
    "royal flush": ("Ac Kc Qc Jc Tc",),
}
HANDS = [cards(text) for texts in KINDS.values() for text in texts]


def apart(mine: Sequence[CardId], theirs: Sequence[CardId]) -> Iterator[tuple[tuple[CardId, ...], tuple[CardId, ...]]]:
    """Both hands from one deck, the other one with its suits renamed; nothing where no names keep them apart."""
    for names in permutations(range(len(SUITS))):
        other = tuple(CardId(one - one % 4 + names[one % 4]) for one in theirs)
        if not set(other) & set(mine):
            yield tuple(mine), other
            return


PAIRS = [pair for mine in HANDS for theirs in HANDS for pair in apart(mine, theirs)]


def settled(book: Book, hand: Sequence[CardId], dealer: Sequence[CardId], play: Choice, swap: Swap | None) -> Fraction:
    """What the table nets, in antes, exchange fee included."""
    seat = Seat(
        number=1,
        cards=tuple(hand),
        ante=Amount(ANTE),
        play=play,
        bet=None,
        side=Amount(0),
        claims=True,
        swap=swap,
        discard=None,
        player=None,
    )
    found = settle(book, Scenario(seats=(seat,), dealer=tuple(dealer)))
    assert isinstance(found, Settlement), found
    return Fraction(sum(line.net for line in found.lines), ANTE)


def expected(book: Book, money: StudNets, mine: HandRank, theirs: HandRank) -> Fraction:
    """What the mathematics nets for a bet."""
    assert book.dealer is not None
    if theirs < book.dealer.qualifies_with:
        return money.unqualified
    if mine == theirs:
        return money.tie
    return money.win[mine.category] if mine > theirs else money.lose


def swaps(hand: Sequence[CardId], dealer: Sequence[CardId]) -> Iterator[tuple[tuple[CardId, ...], Swap]]:
    """Each card of the hand as the one drawn, for the lowest free card that was given up: the hand as first dealt."""
    free = next(one for one in DECK if one not in hand and one not in dealer)
    for drawn in hand:
        first = tuple(free if one == drawn else one for one in hand)
        yield first, Swap(give=(free,), take=(drawn,))


def test_the_pairs_meet_in_every_way() -> None:
    met = {(rank(mine).category, rank(theirs).category) for mine, theirs in PAIRS}
    assert len(met) == len(Category) ** 2
    # Three cards of one rank leave too few for an equal hand.
    never_tie = (Category.THREE_OF_A_KIND, Category.FULL_HOUSE, Category.FOUR_OF_A_KIND)
    for category in Category:
        inside = [(rank(a), rank(b)) for a, b in PAIRS if rank(a).category == rank(b).category == category]
        assert any(a == b for a, b in inside) == (category not in never_tie)
        if category is not Category.ROYAL_FLUSH:
            assert any(a < b for a, b in inside)
            assert any(a > b for a, b in inside)


@pytest.mark.parametrize("book", STUD, ids=lambda book: book.id)
def test_every_pair_of_hands_nets_at_the_table_what_it_nets_in_the_mathematics(book: Book) -> None:
    money = nets(book)
    for mine, theirs in PAIRS:
        ranked = rank(mine, ace_low=book.hands.ace_low), rank(theirs, ace_low=book.hands.ace_low)
        assert settled(book, mine, theirs, "bet", None) == expected(book, money, *ranked), (mine, theirs)
        assert settled(book, mine, theirs, "fold", None) == money.fold


@pytest.mark.parametrize("book", [book for book in STUD if book.exchange is not None], ids=lambda book: book.id)
def test_every_pair_after_an_exchange_nets_at_the_table_what_it_nets_in_the_mathematics(book: Book) -> None:
    money = nets(book, exchanged=True)
    for mine, theirs in PAIRS:
        ranked = rank(mine, ace_low=book.hands.ace_low), rank(theirs, ace_low=book.hands.ace_low)
        for first, swap in swaps(mine, theirs):
            told = f"{name(swap.give[0])} for {name(swap.take[0])}"
            assert settled(book, first, theirs, "bet", swap) == expected(book, money, *ranked), (mine, theirs, told)
            assert settled(book, first, theirs, "fold", swap) == money.fold


@pytest.mark.parametrize("book", STUD, ids=lambda book: book.id)
def test_other_pays_and_another_qualifier_are_settled_alike(book: Book) -> None:
    pays = {category.key: 3 + 2 * category for category in Category}
    other, warnings = changed(book, pays=pays, qualifies_with="2 2 5 4 3")
    assert warnings
    money = nets(other)
    for mine, theirs in PAIRS:
        assert settled(other, mine, theirs, "bet", None) == expected(other, money, rank(mine), rank(theirs))


def test_without_the_low_ace_both_sides_change_together() -> None:
    book = next(one for one in STUD if "ace-low-straight" in one.options)
    other, _ = changed(book, options={"ace-low-straight": "not-allowed"})
    wheel, theirs = cards("5c 4d 3h 2s Ac"), cards("As Kd 9h 8s 2c")
    assert settled(other, wheel, theirs, "bet", None) == nets(other).lose
    assert settled(book, wheel, theirs, "bet", None) == nets(book).win[Category.STRAIGHT]
