"""Hands of every shape against a table of pays: the counts of boards, the nets and the figures, each another way."""

import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from aceking.cards.array import ColumnRanker
from aceking.cards.card import CardError, CardId, cards, names
from aceking.cards.deck import DECK
from aceking.cards.fast import ranker
from aceking.cards.hand import weakest
from aceking.exact import games
from aceking.exact.community import boards, edge, play
from aceking.exact.community.boards import Shape
from aceking.exact.community.counts import counts, kept_states
from aceking.exact.community.hands import class_of, hands
from aceking.exact.community.kinds import CommunityKinds
from aceking.exact.community.subsets import classes, place, renamed, subsets
from aceking.exact.strategy import chart, strategy
from aceking.exact.unpriced import UnpricedError
from aceking.rules.book import Book
from aceking.rules.decisions import Choice
from aceking.rules.odds import Amount
from aceking.rules.reading.load import load_book
from aceking.settlement.lines import Settlement
from aceking.settlement.scenario import Scenario, Seat, discards
from aceking.settlement.settle import settle
from aceking.simulation.chance import deals
from aceking.simulation.plan import plan
from tests.cards.every_hand import all_hands
from tests.exact.heirs import same_at_the_table
from tests.exact.shapes import SHAPES, shaped

KINDS = CommunityKinds.of([weakest("T T 4 3 2"), weakest("7 7 4 3 2")], ace_low=True)
ANTE = 1000
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "books"
MAY_STAY = "colorado-permissible"


def kinds_of(kept: Sequence[CardId], gone: Sequence[CardId], board: int) -> list[int]:
    """How often the kept cards become each kind, board after board."""
    judge = ranker(ace_low=True)
    left = [one for one in DECK if one not in kept and one not in gone]
    by_strength = Counter(judge.strength((*kept, *shared)) for shared in combinations(left, board))
    found = [0] * len(KINDS.starts)
    for strength, number in by_strength.items():
        found[bisect_right(KINDS.starts, judge.ranks[strength]) - 1] += number
    return found


def settled(
    book: Book, hand: Sequence[CardId], did: Choice, aside: Sequence[CardId], board: Sequence[CardId]
) -> Fraction:
    """What ante and bet net, in antes, as `settle` has it."""
    seat = Seat(
        number=1,
        cards=tuple(hand),
        ante=Amount(ANTE),
        play=did,
        bet=None,
        side=Amount(0),
        claims=True,
        swap=None,
        discard=discards(aside),
        player=None,
    )
    found = settle(book, Scenario(seats=(seat,), community=tuple(board)))
    assert isinstance(found, Settlement), found
    return Fraction(sum(line.net for line in found.lines), ANTE)


# Sets of cards


def test_sets_lie_in_a_row_and_have_their_place_in_it() -> None:
    assert [tuple(one) for one in subsets(3)[:5].tolist()] == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3), (0, 1, 4)]
    for size in range(5):
        assert len(subsets(size)) == comb(52, size)
        assert (place(subsets(size)) == np.arange(comb(52, size))).all()


@pytest.mark.parametrize(("size", "number"), [(2, 169), (3, 1_755), (4, 16_432), (5, 134_459)])
def test_hands_that_differ_in_names_of_suits_only_are_one_class(size: int, number: int) -> None:
    cards_of, ways = classes(size)
    assert (len(cards_of), int(ways.sum())) == (number, comb(52, size))
    chance = random.Random(size)
    for row in chance.sample(range(number), 40):
        hand = [CardId(one) for one in cards_of[row].tolist()]
        alike = {tuple(sorted(one & ~3 | suits[one & 3] for one in hand)) for suits in permutations(range(4))}
        assert len(alike) == ways[row]
        other, came = renamed(np.array([chance.sample(one, size) for one in alike], np.uint8))
        assert (other == cards_of[row]).all()
        assert (np.sort(came, axis=1) == np.arange(size)).all()


def test_the_classes_of_three_cards_are_those_that_were_counted_before() -> None:
    old, new = (
        {class_of([CardId(int(one)) for one in row]) for row in every} for every in (hands().cards, classes(3)[0])
    )
    assert old == new


# Counts


def test_the_shapes_that_load_are_those_that_are_counted() -> None:
    assert all(number - aside + board == 5 for number, board, aside in SHAPES)
    assert [Shape(*one).aside for one in SHAPES[:3]] == [((),), ((),), ((0,), (1,), (2,))]


@pytest.mark.parametrize("shape", SHAPES)
def test_counts_are_those_of_every_board_laid_out(shape: tuple[int, int, int]) -> None:
    chance = random.Random(str(shape))
    one = Shape(*shape)
    hand = sorted(chance.sample(DECK, one.cards))
    rows = boards.rows(KINDS, one, np.array([hand]))[0]
    assert (rows.sum(axis=1) == one.boards).all()
    for way in chance.sample(range(len(one.aside)), min(len(one.aside), 1 if one.boards > 100_000 else 2)):
        gone = [hand[at] for at in one.aside[way]]
        kept = [card for card in hand if card not in gone]
        assert rows[way].tolist() == kinds_of(kept, gone, one.community)


@pytest.mark.parametrize("text", ["As Ks 4s 3s", "9c 9d 9h 9s", "Ac 2c 3d 4h"])
def test_cards_laid_aside_are_missed_where_they_would_have_helped(text: str) -> None:
    """Of one suit, of one rank, in a row: the two laid aside cannot come."""
    hand = sorted(cards(text))
    rows = boards.rows(KINDS, Shape(4, 2, 1), np.array([hand]))[0]
    for way, (gone,) in enumerate(Shape(4, 2, 1).aside):
        kept = [card for card in hand if card != hand[gone]]
        assert rows[way].tolist() == kinds_of(kept, [hand[gone]], 2)


def test_two_cards_of_three_are_counted_alike_by_both_kernels() -> None:
    every = hands().cards
    assert (boards.rows(KINDS, play.TWO_OF_THREE, every) == counts(KINDS).table[kept_states(every)]).all()


# Values and figures


@pytest.mark.parametrize("base", ["colorado-required", MAY_STAY])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_nets_are_what_settle_pays(tmp_path: Path, shape: tuple[int, int, int], base: str) -> None:
    book = shaped(tmp_path, shape, base=base)
    judge, chance = ranker(ace_low=True), random.Random(str(shape))
    nets = edge.main_nets(book, KINDS)
    assert nets.declare == {}
    for _ in range(60):
        dealt = chance.sample(DECK, shape[0] + shape[1])
        hand, board = dealt[: shape[0]], dealt[shape[0] :]
        aside = chance.sample(hand, shape[2])
        rank = judge.ranks[judge.strength((*(one for one in hand if one not in aside), *board))]
        kind = bisect_right(KINDS.starts, rank) - 1
        assert settled(book, hand, "bet", aside, board) == nets.bet[kind]
        if nets.stay is not None:
            assert settled(book, hand, "stay", aside, board) == nets.stay[kind]
    if nets.fold is not None:
        assert settled(book, hand, "fold", (), ()) == nets.fold == -1


@pytest.mark.parametrize(("shape", "text"), [((3, 2, 0), "Ks 9s 9d"), ((4, 2, 1), "Ah Kh Qd 2c")])
def test_a_value_is_that_of_every_board_settled(tmp_path: Path, shape: tuple[int, int, int], text: str) -> None:
    book, hand = shaped(tmp_path, shape, base=MAY_STAY), cards(text)
    found = games.value(book, hand, None)
    lay = list(combinations(sorted(hand), shape[2]))
    assert len(found.decisions) == 2 * len(lay)
    every = list(combinations([one for one in DECK if one not in hand], shape[1]))
    for did in ("bet", "stay"):
        for aside in lay:
            total = sum((settled(book, hand, did, aside, board) for board in every), Fraction(0))
            name = f"{did} discard {names(aside)}" if aside else did
            assert found.decisions[name] == total / len(every)


@pytest.mark.parametrize(("shape", "net"), [((2, 3, 0), "-489803/812175"), ((3, 2, 0), "-40073/76440")])
def test_an_edge_without_discards_by_brute_force(tmp_path: Path, shape: tuple[int, int, int], net: str) -> None:
    """All 2,598,960 hands of five, each parted in all ten ways into a hand and a board."""
    book = shaped(tmp_path, shape)
    assert book.paytable is not None
    every = all_hands()
    strength = ColumnRanker(len(every), ace_low=True)(list(np.ascontiguousarray(every.T)))
    judge = ranker(ace_low=True)
    halves = [-4 if rank < book.paytable.pushes_with else 0 for rank in judge.ranks]
    for number, rank in enumerate(judge.ranks):
        if rank >= book.paytable.wins_with:
            halves[number] = int(4 * book.bet.pays[rank.category])  # ante and bet, in halves of an ante
    nets, size, boards_of = np.array(halves)[strength], shape[0], comb(52 - shape[0], shape[1])
    bets = np.zeros(52**size, np.int64)
    for held in combinations(range(5), size):
        at = sum(every[:, one].astype(np.int64) * 52**power for power, one in enumerate(held))
        bets += np.bincount(at, weights=nets, minlength=52**size).astype(np.int64)
    dealt = bets[[sum(card * 52**power for power, card in enumerate(hand)) for hand in combinations(range(52), size)]]
    folds, figures = -2 * boards_of, games.edge(book)
    assert figures.net_per_ante == Fraction(net)
    assert figures.net_per_ante == Fraction(int(np.maximum(dealt, folds).sum()), 2 * comb(52, size) * boards_of)
    assert figures.decisions["fold"] == Fraction(int((dealt <= folds).sum()), comb(52, size))


GOLDEN = {
    ((3, 4, 2), "colorado-required"): Fraction(-32523923, 83615350),
    ((4, 2, 1), MAY_STAY): Fraction(10104053, 50896300),
    ((4, 3, 2), MAY_STAY): Fraction(78816783, 234122980),
}


@pytest.mark.parametrize(("shape", "base"), GOLDEN)
def test_figures_of_other_shapes(tmp_path: Path, shape: tuple[int, int, int], base: str) -> None:
    """Each is the sum of what every class of hands makes of its best decision, counted by its boards."""
    book = shaped(tmp_path, shape, base=base)
    figures = games.edge(book)
    assert figures.deals == comb(52, shape[0]) * comb(52 - shape[0], shape[1]) == sum(figures.outcomes.values())
    assert figures.net_per_ante == GOLDEN[shape, base]


def test_the_best_of_a_sampled_hand_is_what_the_edge_counts(tmp_path: Path) -> None:
    """The values of single hands, weighed by their classes, stand in the table that the edge adds up."""
    book = shaped(tmp_path, (4, 3, 2), base=MAY_STAY)
    deals_ = play.game(book)
    nets = edge.main_nets(book, deals_.kinds)
    table = play.worth(deals_, nets, play.scale(nets))
    for row in random.Random(4).sample(range(16_432), 20):
        hand = [CardId(int(one)) for one in deals_.hands.cards[row]]
        suits = random.Random(row).sample(range(4), 4)
        other = [CardId(one & ~3 | suits[one & 3]) for one in hand]
        found = games.value(book, other, None)
        best = Fraction(int(table[row][2:].max()), play.scale(nets) * deals_.shape.boards)
        assert found.decisions[found.best] == best


def test_pays_too_fine_for_machine_words_are_counted_with_whole_numbers_of_any_size(tmp_path: Path) -> None:
    book = shaped(tmp_path, (3, 2, 0))
    deals_ = play.game(book)
    nets = edge.main_nets(book, deals_.kinds)
    unit = play.scale(nets)
    wide = play.worth(deals_, nets, unit * 2**50)
    assert wide.dtype == object
    assert (wide == play.worth(deals_, nets, unit).astype(object) * 2**50).all()


# What is refused, and what is simulated


def test_a_hand_of_another_size_is_refused(tmp_path: Path) -> None:
    book = shaped(tmp_path, (4, 3, 2))
    with pytest.raises(CardError, match="is 3 cards; a hand of required-4-3-2 is 4"):
        games.value(book, cards("As Ks Qs"), None)


def test_strategies_and_charts_are_for_two_cards_of_three(tmp_path: Path) -> None:
    book = shaped(tmp_path, (4, 2, 1))
    says = "required-4-2-1: SHAPE-1: hands.cards: a .* for two cards kept of three"
    with pytest.raises(UnpricedError, match=says):
        strategy(book)
    with pytest.raises(UnpricedError, match=says):
        chart(book, most=10)
    with pytest.raises(UnpricedError, match=says):
        plan(book, rounds=10, strategy="mine.json")
    with pytest.raises(ValueError, match="no strategy 'points'; there are optimal"):
        plan(book, rounds=10, strategy="points")


@pytest.mark.parametrize(
    ("shape", "base", "method"),
    [
        ((2, 3, 0), "colorado-required", "manual-shoe"),
        ((3, 2, 0), MAY_STAY, "automated-shoe"),
        ((3, 4, 2), "colorado-required", "manual-shoe"),
        ((4, 2, 1), "colorado-required", "automated-shoe"),
        ((4, 3, 2), MAY_STAY, "manual-shoe"),
    ],
)
def test_the_table_plays_what_is_simulated(tmp_path: Path, shape: tuple[int, int, int], base: str, method: str) -> None:
    assert same_at_the_table(shaped(tmp_path, shape, base=base, method=method), rounds=15, seats=3)


def test_what_is_simulated_is_the_best_decision_of_each_hand(tmp_path: Path) -> None:
    book = shaped(tmp_path, (4, 3, 2))
    game = plan(book, rounds=10, seats=2).game
    dealt = deals(3, 0, cards=game.cards, rounds=20)
    codes, given = game.play(dealt).codes, game.given(dealt)
    for seat in range(2):
        for number in range(20):
            hand = [CardId(int(one)) for one in dealt[4 * seat : 4 * seat + 4, number]]
            found = games.value(book, hand, None)
            aside = sorted(CardId(int(one)) for one in given[seat, number])
            did = game.outcomes[int(codes[seat, number])].decision
            said = did if did == "fold" else f"{did} discard {names(tuple(aside))}"
            assert found.decisions[said] == found.decisions[found.best]


def test_instant_winners_are_known_in_every_shape_of_three_cards() -> None:
    book = load_book(str(EXAMPLES / "trio.toml"))
    deals_ = play.game(book)
    assert deals_.shape == (3, 2, 0)
    assert len(deals_.instants) == len(play.game(load_book(MAY_STAY)).instants)
    found = games.value(book, cards("9c 9d 9h"), None)
    assert set(found.decisions) == {"declare", "stay", "bet"}
    assert found.decisions["declare"] == settled(book, cards("9c 9d 9h"), "declare", (), ())
