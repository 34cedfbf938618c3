"""Colorado a second way: all 2,598,960 hands of five cards, each seen from each of its ten pairs of kept cards.

Nothing of the first way is used: no classes of suits, no parting of rank from suit, no table of states. Every real hand
of three cards chooses for itself, in whole numbers.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from aceking.cards.deck import DECK
from aceking.cards.fast import ranker
from aceking.cards.hand import HandRank
from aceking.cards.three import instant
from aceking.exact.community import edge as community
from aceking.exact.community import play as community_play
from aceking.exact.community.counts import states
from aceking.exact.figures import Edge
from aceking.exact.side_bets import bonus
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book

Whole = NDArray[np.int64]
COLORADO = ["colorado-required", "colorado-permissible"]


@dataclass(frozen=True)
class Five:
    """All hands of five cards with their strengths."""

    cards: Whole
    strengths: Whole

    def counts(self, parts: Whole, size: int) -> Whole:
        """By kept pair and discard (as cards): how many communities make a hand of each part."""
        part = parts[self.strengths]
        among = np.zeros((52 * 52, size), np.int64)
        holding = np.zeros((52 * 52 * 52, size), np.int64)
        for kept in combinations(range(5), 2):
            pair = self.cards[:, kept[0]] * 52 + self.cards[:, kept[1]]
            among += _tally(pair, part, size, 52 * 52)
            for other in set(range(5)) - set(kept):
                holding += _tally(pair * 52 + self.cards[:, other], part, size, 52**3)
        # Of the communities of a kept pair those that hold the discard cannot come.
        return np.repeat(among, 52, axis=0) - holding


def _tally(place: Whole, part: Whole, size: int, places: int) -> Whole:
    return np.bincount(place * size + part, minlength=places * size).reshape(places, size)


@pytest.fixture(scope="module")
def five() -> Five:
    """Ranked by the table ranker, which is proved equal to the obvious one on every hand."""
    strength = ranker(ace_low=True).strength
    strengths = np.fromiter(map(strength, combinations(DECK, 5)), np.int64, 2_598_960)
    cards = np.fromiter(chain.from_iterable(combinations(DECK, 5)), np.int64, 5 * 2_598_960)
    return Five(cards.reshape(-1, 5), strengths)


@dataclass(frozen=True)
class Wager:
    """A settled wager in hundredths of an ante: what each final hand nets, a fold, and a declared instant winner."""

    bet: Mapping[HandRank, int]
    stay: Mapping[HandRank, int]
    fold: int
    declare: int


def main_wager(book: Book) -> Wager:
    """Ante and bet, written down again from the book."""
    assert book.paytable is not None
    assert book.instant is not None
    nets = {}
    for hand in ranker(ace_low=True).ranks:
        if hand >= book.paytable.wins_with:
            nets[hand] = int(book.bet.pays[hand.category] * 100)
        else:
            nets[hand] = 0 if hand >= book.paytable.pushes_with else -100
    return Wager({hand: 2 * net for hand, net in nets.items()}, nets, -100, 500)


def bonus_wager(book: Book, hundredths: int) -> Wager:
    """Return the bonus at a stake in hundredths of an ante."""
    assert book.bonus is not None
    nets = {}
    for hand in ranker(ace_low=True).ranks:
        if hand.category in book.bonus.pays and hand >= book.bonus.pushes_with:
            nets[hand] = int(book.bonus.pays[hand.category]) * hundredths
        else:
            nets[hand] = 0 if hand >= book.bonus.pushes_with else -hundredths
    return Wager(nets, nets, -hundredths, 5 * hundredths)


def together(first: Wager, second: Wager) -> Wager:
    """Return the sum of two wagers on one hand."""
    return Wager(
        {hand: net + second.bet[hand] for hand, net in first.bet.items()},
        {hand: net + second.stay[hand] for hand, net in first.stay.items()},
        first.fold + second.fold,
        first.declare + second.declare,
    )


@dataclass(frozen=True)
class Played:
    """What the best play leads to."""

    outcomes: Mapping[Fraction, int]
    decisions: Mapping[str, int]


def played(book: Book, five: Five, aim: Wager, shown: Wager) -> Played:
    """All 22,100 hands played for the aim; the outcomes of the wager that is shown. Equals are taken in the order
    declare, fold, stay, bet, and the lower card is laid aside first."""
    parts = sorted({(aim.bet[hand], aim.stay[hand], shown.bet[hand], shown.stay[hand]) for hand in aim.bet})
    place = [
        parts.index((aim.bet[hand], aim.stay[hand], shown.bet[hand], shown.stay[hand]))
        for hand in ranker(ace_low=True).ranks
    ]
    counts = five.counts(np.array(place), len(parts))
    columns = np.array(parts).T
    outcomes: Counter[int] = Counter()
    decisions: Counter[str] = Counter()
    bets, stays = counts @ columns[0], counts @ columns[1]
    sums = {"bet": np.zeros(len(parts), np.int64), "stay": np.zeros(len(parts), np.int64)}
    for three in combinations(DECK, 3):
        low, middle, high = three
        rows = [(middle * 52 + high) * 52 + low, (low * 52 + high) * 52 + middle, (low * 52 + middle) * 52 + high]
        choices: list[tuple[int, str, int]] = []
        if instant(three, ace_low=True):
            choices.append((aim.declare * 18_424, "declare", 0))
        if "fold" in book.decide.choices:
            choices.append((aim.fold * 18_424, "fold", 0))
        if not book.bet.required:
            choices += [(int(stays[row]), "stay", row) for row in rows]
        choices += [(int(bets[row]), "bet", row) for row in rows]
        _, decision, row = max(choices, key=lambda one: one[0])
        decisions[decision] += 1
        if decision in sums:
            sums[decision] += counts[row]
    outcomes[shown.declare] += decisions["declare"] * 18_424
    outcomes[shown.fold] += decisions["fold"] * 18_424
    for decision, column in (("bet", columns[2]), ("stay", columns[3])):
        for net, number in zip(column, sums[decision], strict=True):
            outcomes[int(net)] += int(number)
    found = {Fraction(net, 100): number for net, number in outcomes.items() if number}
    return Played(found, {decision: number for decision, number in decisions.items() if number})


def frequencies(edge: Edge) -> Mapping[str, Fraction]:
    return {decision: share * 22_100 for decision, share in edge.decisions.items()}


@pytest.mark.parametrize("name", COLORADO)
@pytest.mark.proof
def test_all_66300_ways_to_keep_two_of_three_cards_are_counted_right(name: str, five: Five) -> None:
    table = community_play.game(load_book(name)).counts
    kinds = [bisect_right(table.kinds.starts, hand) - 1 for hand in ranker(ace_low=True).ranks]
    plain = five.counts(np.array(kinds), len(table.kinds.starts))
    first, second, discard = np.array(
        [(*kept, other) for kept in combinations(range(52), 2) for other in range(52) if other not in kept]
    ).T
    assert len(first) == 66_300
    assert (table.table[states(first, second, discard)] == plain[(first * 52 + second) * 52 + discard]).all()


@pytest.mark.parametrize("name", COLORADO)
def test_the_edge_is_that_of_every_hand_playing_for_itself(name: str, five: Five) -> None:
    book = load_book(name)
    wager = main_wager(book)
    found = played(book, five, wager, wager)
    edge = community.edge(book)
    assert edge.outcomes == found.outcomes
    assert frequencies(edge) == found.decisions


@pytest.mark.parametrize(("name", "hundredths"), [(COLORADO[0], 10), (COLORADO[1], 100)])
@pytest.mark.proof
def test_the_joint_play_is_that_of_every_hand_playing_for_all_its_wagers(
    name: str, hundredths: int, five: Five
) -> None:
    book = load_book(name)
    main, side = main_wager(book), bonus_wager(book, hundredths)
    both = together(main, side)
    joint = bonus.joint(book, ratio=Fraction(hundredths, 100))
    found = played(book, five, both, both)
    assert joint.together.outcomes == found.outcomes
    assert frequencies(joint.together) == found.decisions
    assert joint.main.outcomes == played(book, five, both, main).outcomes


@pytest.mark.parametrize("name", COLORADO)
@pytest.mark.proof
def test_the_bonus_alone_is_that_of_every_hand_playing_for_the_one_wager_or_the_other(name: str, five: Five) -> None:
    book = load_book(name)
    main, side = main_wager(book), bonus_wager(book, 100)
    assert bonus.for_main(book, ratio=Fraction(1)).bonus.outcomes == played(book, five, main, side).outcomes
    # A stake of a million antes is played for the bonus, and for ante and bet where the bonus leaves a choice.
    great = together(main, bonus_wager(book, 10**8))
    assert bonus.for_bonus(book, ratio=Fraction(1)).bonus.outcomes == played(book, five, great, side).outcomes
