"""Side wagers that are paid, or come back, from a hand within a row on: every figure equal to a plain enumeration."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from aceking.cards.array import strengths
from aceking.cards.card import RANKS, CardId
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, weakest
from aceking.exact.games import value
from aceking.exact.side_bets.best_of_six import HANDS, by_hand
from aceking.exact.side_bets.side_wagers import NamedEdge, named_edge, named_figures
from aceking.exact.stud.rows import DEALER_HANDS, STATES
from aceking.exact.stud.states import states
from aceking.rules.book import Book
from aceking.rules.odds import PayTableRow
from aceking.settlement.judge import judge
from tests.exact.every_six import every_six
from tests.named_sides import LANTERN, PAIRS_UP, with_side
from tests.rules.test_inheritance import heir

#: From a pair on, as a house does that pays jacks or better.
PAIRS = (
    '{ royal_flush = "100 to 1", straight_flush = "50 to 1", four_of_a_kind = "20 to 1", full_house = "8 to 1",'
    ' flush = "6 to 1", straight = "5 to 1", three_of_a_kind = "3 to 1", two_pair = "2 to 1", pair = "1 to 1" }'
)
HIGH = PAIRS.replace("{", '{ high_card = "1 to 10",')
#: What is written, and by which strengths of five cards it is paid and comes back.
WRITTEN = {
    "jacks or better": (PAIRS, "J J 4 3 2", None),
    "jacks or better, sixes come back": (PAIRS, "J J 4 3 2", "6 6 4 3 2"),
    "jacks or better, ace-king comes back": (PAIRS, "J J 4 3 2", "A K 4 3 2"),
    "a pair of tens with an ace": (PAIRS, "T T A 3 2", None),
    "ace high or better": (HIGH, "A 6 4 3 2", None),
    "ace-king or better, queen high comes back": (HIGH, "A K 4 3 2", "Q 6 4 3 2"),
    "pairs or better, king high comes back": (PAIRS, None, "K 6 4 3 2"),
}


def rules(case: str, cards: str = "own", folded: str = "stands", more: str = "") -> str:
    pays, paid, back = WRITTEN[case]
    said = f'stake = "5"\ncards = "{cards}"\nfolded = "{folded}"\npays = {pays}\n{more}\n'
    said += "" if paid is None else f'pays_from = "{paid}"\n'
    return said + ("" if back is None else f'returned_from = "{back}"\n')


def borders(case: str) -> tuple[int, int]:
    """The strengths from which on five cards are paid, and from which on below it they come back."""
    pays, paid, back = WRITTEN[case]
    ranks = ranker(ace_low=True).ranks
    lowest = "7 5 4 3 2" if pays == HIGH else "2 2 5 4 3"
    first = ranks.index(weakest(lowest if paid is None else paid))
    return first, first if back is None else ranks.index(weakest(back))


@cache
def every_five() -> NDArray[np.int64]:
    """How many of all hands of five have each strength."""
    hands = np.array(list(combinations(range(52), 5)), np.uint8)
    return np.bincount(strengths(hands, ace_low=True), minlength=len(ranker(ace_low=True).ranks))


def same(book: Book, found: NamedEdge, number: NDArray[np.int64], whole: int, case: str) -> None:
    """Check the figures against the number of deals of each strength, out of `whole` deals."""
    first, back = borders(case)
    table, categories = book.sides["extra"].pays, ranker(ace_low=True).categories
    nets: Counter[Fraction] = Counter({Fraction(-1): whole - int(number.sum())})
    rows: Counter[PayTableRow] = Counter()
    for strength, (category, deals) in enumerate(zip(categories, number.tolist(), strict=True)):
        if strength >= first:
            nets[table[category]] += deals
            rows[category] += deals
        else:
            nets[Fraction(0 if strength >= back else -1)] += deals
    assert found.nets == {net: Fraction(deals, whole) for net, deals in nets.items() if deals}
    assert found.rows == {row: Fraction(rows[row], whole) for row in table}
    assert found.back == Fraction(int(number[back:first].sum()), whole)


@pytest.mark.parametrize("case", WRITTEN)
def test_one_s_own_cards_are_all_hands_of_five(case: str, tmp_path: Path) -> None:
    book = heir(tmp_path, with_side(rules(case)))
    same(book, named_edge(book, "extra"), every_five(), comb(52, 5), case)


@pytest.mark.parametrize("case", WRITTEN)
def test_the_dealer_s_are_too(case: str, tmp_path: Path) -> None:
    book = heir(tmp_path, with_side(rules(case, "dealer")))
    same(book, named_edge(book, "extra"), every_five(), comb(52, 5), case)


@pytest.mark.parametrize("needs", ["dealer-qualifies", "dealer-does-not-qualify"])
def test_of_the_dealer_s_those_count_that_qualify_or_those_that_do_not(needs: str, tmp_path: Path) -> None:
    case = "ace-king or better, queen high comes back"
    book = heir(tmp_path, with_side(rules(case, "dealer", more=f'needs = "{needs}"')))
    plays = np.frombuffer(judge(book).qualifies, np.bool_)
    number = np.where(plays == (needs == "dealer-qualifies"), every_five(), 0)
    same(book, named_edge(book, "extra"), number, comb(52, 5), case)


@pytest.mark.parametrize("case", WRITTEN)
def test_with_the_up_card_they_are_the_best_of_all_hands_of_six(case: str, tmp_path: Path) -> None:
    book = heir(tmp_path, with_side(rules(case, "own-and-up-card")))
    same(book, named_edge(book, "extra"), every_six(), HANDS, case)


def test_every_best_five_of_six_is_counted_as_often_as_it_comes() -> None:
    ranks = ranker(ace_low=True).ranks
    assert by_hand(ace_low=True) == {
        rank: deals for rank, deals in zip(ranks, every_six().tolist(), strict=True) if deals
    }


@pytest.mark.parametrize("needs", ["nothing", "dealer-qualifies", "dealer-does-not-qualify"])
@pytest.mark.parametrize("folded", ["stands", "lost", "returned"])
@pytest.mark.parametrize("case", ["jacks or better, sixes come back", "ace-king or better, queen high comes back"])
def test_hands_that_are_bet_are_those_of_all_states(case: str, folded: str, needs: str, tmp_path: Path) -> None:
    """Every state of the game, with its best play, as strategies list them."""
    book = heir(tmp_path, with_side(rules(case, folded=folded, more=f'needs = "{needs}"')))
    table, found = states(book), named_edge(book, "extra")
    each = np.full(len(table.number), DEALER_HANDS)
    if needs != "nothing":
        unqualified = table.unqualified.astype(np.int64)
        each = unqualified if needs == "dealer-does-not-qualify" else DEALER_HANDS - unqualified
    kept = np.full(len(each), fill_value=True) if folded == "stands" else table.best
    number = np.zeros(len(ranker(ace_low=True).ranks), np.int64)
    np.add.at(number, table.strengths[kept], (table.number * each)[kept])
    folds = int(table.number[~kept].sum()) * DEALER_HANDS
    if folded == "returned":
        gone = Fraction(folds, STATES * DEALER_HANDS)
        nets = {
            **found.nets,
            Fraction(0): found.nets[Fraction(0)] - gone,
            Fraction(-1): found.nets.get(Fraction(-1), 0) + gone,
        }
        found = NamedEdge(found.rows, found.back, {net: chance for net, chance in nets.items() if chance}, None)
    same(book, found, number, STATES * DEALER_HANDS, case)


THREE: dict[str, tuple[str, str | None, str | None, Callable[[list[int]], int]]] = {
    "jacks or better": (PAIRS_UP, "J J 2", None, lambda three: _pair(three, RANKS.index("J"), 99)),
    "jacks or better, fours come back": (
        PAIRS_UP,
        "J J 2",
        "4 4 2",
        lambda three: _pair(three, RANKS.index("J"), RANKS.index("4")),
    ),
    "jacks or better, all pairs come back": (
        PAIRS_UP,
        "J J 2",
        "pair",
        lambda three: _pair(three, RANKS.index("J"), 0),
    ),
    "ace high or better": (
        PAIRS_UP.replace("{", '{ high_card = "1 to 20",'),
        "A 4 2",
        None,
        lambda three: 1 if max(three) == RANKS.index("A") else -1,
    ),
}


def _pair(three: list[int], paid: int, back: int) -> int:
    """Of a hand without a straight or a flush: 1 where its pair is paid, 0 where it comes back, else -1."""
    rank = next((one for one in three if three.count(one) == 2), -1)
    return 1 if rank >= paid else 0 if rank >= back else -1


@pytest.mark.parametrize("case", THREE)
def test_three_cards_one_hand_after_the_other(case: str, tmp_path: Path) -> None:
    pays, paid, back, judged = THREE[case]
    said = f'stake = "5"\ncards = "own"\nfolded = "stands"\npays = {pays}\npays_from = "{paid}"\n'
    said += "" if back is None else f'returned_from = "{back}"\n'
    book = heir(tmp_path, with_side(said, "colorado-required"))
    table = book.sides["extra"].pays
    nets: Counter[Fraction] = Counter()
    for hand in combinations(range(52), 3):
        ranks, suited = sorted(one // 4 for one in hand), len({one % 4 for one in hand}) == 1
        straight = (ranks[2] - ranks[0] == 2 and len(set(ranks)) == 3) or ranks == [0, 1, 12]
        if len(set(ranks)) == 1:
            row = Category.THREE_OF_A_KIND
        elif straight and suited:
            row = Category.ROYAL_FLUSH if ranks == [10, 11, 12] else Category.STRAIGHT_FLUSH
        elif straight or suited:
            row = Category.STRAIGHT if straight else Category.FLUSH
        else:
            row = Category.PAIR if len(set(ranks)) == 2 else Category.HIGH_CARD
            lowest = Category.HIGH_CARD in table and row is Category.PAIR
            won = 1 if lowest else judged(ranks)
            nets[table[row] if won == 1 else Fraction(won)] += 1
            continue
        nets[table[row]] += 1
    assert named_edge(book, "extra").nets == {net: Fraction(number, comb(52, 3)) for net, number in nets.items()}


@pytest.mark.parametrize("case", ["jacks or better, sixes come back", "pairs or better, king high comes back"])
@pytest.mark.proof
def test_cards_with_the_community_are_all_deals_of_three_and_two(case: str, tmp_path: Path) -> None:
    """Every hand of five, parted in ten ways; which three are bet, and which fold, is asked for one hand at a time."""
    text = (LANTERN.parent / "trio.toml").read_text(encoding="utf-8")
    (tmp_path / "trio.toml").write_text(text, encoding="utf-8")
    book = heir(tmp_path, with_side(rules(case, "own-and-community", "lost"), "trio.toml"))
    found = named_edge(book, "extra")
    fives = np.array(list(combinations(range(52), 5)), np.uint8)
    strength = strengths(fives, ace_low=True)
    gone = np.zeros((52, 52, 52), np.bool_)
    for three, ways in _classes_of_three().items():
        best = value(book, tuple(CardId(one) for one in three), None).best
        for each in ways:
            gone[each] = best in ("fold", "declare")
    number = np.zeros(len(ranker(ace_low=True).ranks), np.int64)
    for own in combinations(range(5), 3):
        kept = ~gone[tuple(fives[:, place] for place in own)]
        number += np.bincount(strength[kept], minlength=len(number))
    same(book, found, number, 10 * comb(52, 5), case)


def _classes_of_three() -> dict[tuple[int, ...], list[tuple[int, ...]]]:
    """Hands of three that differ in the names of their suits only, by one of them."""
    found: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    first: dict[tuple[tuple[int, int], ...], tuple[int, ...]] = {}
    for hand in combinations(range(52), 3):
        names: dict[int, int] = {}
        key = tuple((one // 4, names.setdefault(one % 4, len(names))) for one in hand)
        found.setdefault(first.setdefault(key, hand), []).append(hand)
    return found


def test_figures_are_told_by_the_words_of_the_threshold(tmp_path: Path) -> None:
    told = named_figures(heir(tmp_path, with_side(rules("jacks or better, sixes come back"))), "extra")
    assert list(told["rows"])[-2:] == ["two pair", "pair of jacks or better"]
    assert Fraction(told["rows"]["pair of jacks or better"]) == Fraction(1_098_240 * 4, 13 * comb(52, 5))
    assert Fraction(told["stake_back"]) == Fraction(1_098_240 * 5, 13 * comb(52, 5))
    assert "stake_back" not in named_figures(heir(tmp_path, with_side(rules("jacks or better")), "b.toml"), "extra")


def test_whole_rows_between_come_back_too(tmp_path: Path) -> None:
    """From three of a kind on it is paid; pairs and two pair come back."""
    said = rules("jacks or better").replace('pays_from = "J J 4 3 2"', 'returned_from = "pair"')
    said = said.replace(', two_pair = "2 to 1", pair = "1 to 1"', "")
    found = named_edge(heir(tmp_path, with_side(said)), "extra")
    assert found.back == Fraction(1_098_240 + 123_552, comb(52, 5))
    assert found.nets[Fraction(-1)] == Fraction(1_302_540, comb(52, 5))
