"""What the named side wagers cost: counts equal to plain enumeration, chances equal to what settlement pays."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from aceking.cards.array import strengths
from aceking.cards.card import CardId
from aceking.cards.deck import DECK
from aceking.cards.fast import ranker
from aceking.cards.hand import Category
from aceking.exact.choices import choices, forfeits
from aceking.exact.games import changed, edge, value
from aceking.exact.side_bets.best_of_six import HANDS, best_of_six
from aceking.exact.side_bets.prices import side_bets
from aceking.exact.side_bets.progressive import frequencies
from aceking.exact.side_bets.side_wagers import NamedEdge, named_edge, named_figures
from aceking.rules.book import Book
from aceking.rules.odds import Amount
from aceking.rules.options import OptionError
from aceking.rules.reading.load import load_book
from aceking.settlement.lines import Settlement
from aceking.settlement.scenario import Scenario, Seat
from aceking.settlement.settle import settle
from aceking.table import commands as c
from aceking.table.dealer.driver import Driver, new_table
from tests.exact.every_six import every_six
from tests.named_sides import LANTERN, PAIRS_UP, TRIPS_UP, lantern, with_side
from tests.rules.test_inheritance import complaints, heir

#: Published for the best five of six cards.
SIX = (6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_656, 188)


def rules(cards: str = "own", folded: str = "stands", more: str = "") -> str:
    return f'stake = "5"\ncards = "{cards}"\nfolded = "{folded}"\npays = {TRIPS_UP}\n{more}'


def test_six_cards_are_counted_as_published() -> None:
    assert tuple(best_of_six(ace_low=True).values()) == SIX
    assert sum(SIX) == HANDS == comb(52, 6)
    assert sum(best_of_six(ace_low=False).values()) == HANDS


def test_every_hand_of_six_by_brute_force() -> None:
    found = dict.fromkeys(Category, 0)
    for category, number in zip(ranker(ace_low=True).categories, every_six().tolist(), strict=True):
        found[category] += number
    assert found == best_of_six(ace_low=True)


def test_an_ace_that_is_never_low_costs_the_straights_that_hold_it() -> None:
    """By the ranker on every six cards of the ranks that make the lowest straight, and a six."""
    deck = [one for one in DECK if one // 4 in (0, 1, 2, 3, 12)]
    by = {ace_low: ranker(ace_low=ace_low) for ace_low in (True, False)}
    for six in random.Random(5).sample(list(combinations(deck, 6)), 2_000):
        held = Counter(one // 4 for one in six)
        for ace_low, ranks in by.items():
            best = ranks.categories[max(ranks.strength(five) for five in combinations(six, 5))]
            wheel = len(held) == 5
            assert (best in (Category.STRAIGHT, Category.STRAIGHT_FLUSH)) == (wheel and ace_low)
    lost = best_of_six(ace_low=True)[Category.STRAIGHT] - best_of_six(ace_low=False)[Category.STRAIGHT]
    assert lost == _wheels_without_a_flush()


def _wheels_without_a_flush() -> int:
    """Six cards with a wheel, without a six and without five of a suit: a straight where the ace may be low alone."""
    suits = 4**5
    paired = 5 * 6 * 4**4 - 4 * 3 * 5  # one of the five ranks twice; of one suit: the five, and another of the pair's
    other = 7 * (suits * 4 - _five_of_a_suit())  # a seven to a king; a six would make a higher straight
    return paired + other


def _five_of_a_suit() -> int:
    """Six different ranks with five or six cards of one suit."""
    return 4 + 6 * 4 * 3


def test_the_wagers_of_the_example_cost_what_its_rows_say() -> None:
    book = lantern()
    five = named_edge(book, "five-plus-one")
    pays = {Category.THREE_OF_A_KIND: 7, Category.STRAIGHT: 10, Category.FLUSH: 15, Category.FULL_HOUSE: 20}
    pays |= {Category.FOUR_OF_A_KIND: 100, Category.STRAIGHT_FLUSH: 200, Category.ROYAL_FLUSH: 1000}
    won = sum(SIX[row] * (odds + 1) for row, odds in pays.items())
    assert five.house_edge == 1 - Fraction(won, HANDS)
    assert f"{float(five.house_edge):.4f}" == "0.0856"  # as published for these pays
    assert five.envy is None
    side, own = book.sides["lantern"], named_edge(book, "lantern")
    counts = frequencies(ace_low=True)
    paid = sum(counts[row] * prize for row, prize in side.awards.items())
    assert own.house_edge == 1 - Fraction(paid, 500 * comb(52, 5))
    assert own.envy == Fraction(sum(counts[row] * prize for row, prize in side.envy.items()), comb(52, 5))


def _seat(book: Book, number: int, cards: tuple[int, ...], play: str = "bet") -> Seat:
    side = book.sides["extra"].stake
    assert side is not None
    return Seat(
        number=number,
        cards=cards,  # type: ignore[arg-type]
        ante=Amount(1_000),
        play=play,  # type: ignore[arg-type]
        bet=None,
        side=Amount(0),
        claims=True,
        swap=None,
        discard=None,
        player=None,
        sides=(("extra", side),),
    )


@pytest.mark.parametrize(
    ("cards", "more"),
    [
        ("own", ""),
        ("own-and-up-card", ""),
        ("dealer", ""),
        ("own", 'needs = "dealer-qualifies"'),
        ("own", 'needs = "dealer-does-not-qualify"'),
        ("dealer", 'needs = "dealer-qualifies"'),
        ("dealer", 'needs = "dealer-does-not-qualify"'),
    ],
)
def test_settlement_pays_as_often_as_is_counted(cards: str, more: str, tmp_path: Path) -> None:
    """Deals settled: each nets what is counted, and wins are within four deviations of as often as is counted."""
    said = rules(cards, more=more).replace("pays = {", 'pays = { pair = "1 to 1", two_pair = "2 to 1",')
    book = heir(tmp_path, with_side(said))
    figures = named_edge(book, "extra")
    counted = sum(figures.rows.values())
    rng, deals, wins = random.Random(7), 4_000, 0
    for _ in range(deals):
        ten = tuple(rng.sample(DECK, 10))
        found = settle(book, Scenario(seats=(_seat(book, 1, ten[:5]),), dealer=ten[5:]))
        assert isinstance(found, Settlement)
        line = found.lines[-1]
        assert Fraction(line.net, line.stake) in figures.nets
        wins += line.outcome == "win"
    assert abs(wins - deals * counted) < 4 * float(deals * counted * (1 - counted)) ** 0.5 + 1


def test_needs_part_the_deals_in_two(tmp_path: Path) -> None:
    plays, not_, both = (
        named_edge(heir(tmp_path, with_side(rules(more=f'needs = "{needs}"')), f"{needs}.toml"), "extra").rows
        for needs in ("dealer-qualifies", "dealer-does-not-qualify", "nothing")
    )
    assert all(plays[row] + not_[row] == both[row] for row in both)
    assert all(0 < not_[row] < plays[row] for row in both)


def test_a_royal_against_a_dealer_who_qualifies_by_brute_force(tmp_path: Path) -> None:
    """All 1,533,939 dealer's hands against one royal flush; the four royals are alike."""
    book = heir(tmp_path, with_side(rules(more='needs = "dealer-qualifies"')))
    royal = [4 * rank for rank in range(8, 13)]
    rest = np.array([one for one in range(52) if one not in royal], np.uint8)
    hands = rest[np.array(list(combinations(range(47), 5)), np.uint8)]
    from aceking.settlement.judge import judge

    plays = np.frombuffer(judge(book).qualifies, np.uint8)[strengths(hands, ace_low=True)]
    chance = Fraction(4 * int(plays.sum()), comb(52, 5) * comb(47, 5))
    assert named_edge(book, "extra").rows[Category.ROYAL_FLUSH] == chance


@pytest.mark.parametrize("older", ["section10", "rws"])
def test_a_folded_wager_is_lost_or_returned_with_the_hands_that_are_folded(older: str, tmp_path: Path) -> None:
    stands, lost, returned = (
        named_edge(heir(tmp_path, with_side(rules(folded=folded), older), f"{folded}.toml"), "extra")
        for folded in ("stands", "lost", "returned")
    )
    # From three of a kind on no hand is folded; what is folded has no row.
    assert stands.rows == lost.rows == returned.rows
    assert stands.house_edge == lost.house_edge
    folds = edge(lantern() if older == "section10" else heir(tmp_path, with_side(rules(), older), "f.toml")).decisions
    assert returned.nets[Fraction(0)] == folds["fold"]
    assert returned.house_edge == lost.house_edge - folds["fold"]


def test_hands_without_a_pair_are_folded_and_lose_what_they_would_have_won(tmp_path: Path) -> None:
    every = rules(folded="lost").replace(
        "pays = {", 'pays = { high_card = "1 to 10", pair = "1 to 1", two_pair = "2 to 1",'
    )
    book = heir(tmp_path, with_side(every))
    rows = named_edge(book, "extra").rows
    assert sum(rows.values()) == edge(book).decisions["bet"]
    assert rows[Category.HIGH_CARD] < Fraction(frequencies(ace_low=True)[Category.HIGH_CARD], comb(52, 5))


OPEN = {
    "the dealer's and returned": (rules("dealer", "returned"), "section10", "folded: by the dealer's hand it is"),
    "envy and lost": (
        rules(folded="lost", more='envy = { royal_flush = "5" }'),
        "rws",
        "folded: envy is counted where",
    ),
}


@pytest.mark.parametrize("case", OPEN)
def test_what_is_not_counted_is_said_in_one_sentence(case: str, tmp_path: Path) -> None:
    said, older, says = OPEN[case]
    found = named_figures(heir(tmp_path, with_side(said, older)), "extra")
    assert set(found) == {"open"}
    assert found["open"].startswith(f"X-1: sides.extra.{says}")


@pytest.mark.parametrize("older", ["section10", "rws"])
def test_with_the_up_card_hands_that_are_bet_and_dealers_that_play_are_counted(older: str, tmp_path: Path) -> None:
    """Of every state one hand stands for its row: summed up they are all hands of six, and with needs they part."""
    said = {
        name: named_edge(
            heir(tmp_path, with_side(rules("own-and-up-card", folded, more), older), f"{name}.toml"), "extra"
        )
        for name, folded, more in (
            ("stands", "stands", ""),
            ("lost", "lost", ""),
            ("returned", "returned", ""),
            ("plays", "stands", 'needs = "dealer-qualifies"'),
            ("not", "stands", 'needs = "dealer-does-not-qualify"'),
        )
    }
    stands = said["stands"].rows
    assert all(said["plays"].rows[row] + said["not"].rows[row] == stands[row] for row in stands)
    assert stands == {row: Fraction(SIX[row], HANDS) for row in stands}
    folds = edge(load_book(older)).decisions["fold"]
    assert said["returned"].nets[Fraction(0)] == folds
    assert said["lost"].house_edge - said["returned"].house_edge == folds
    # A pair on the up-card is no hand of one's own: some of what six cards make is folded.
    assert said["lost"].rows == said["returned"].rows
    assert all(said["lost"].rows[row] <= stands[row] for row in stands)
    assert said["lost"].rows[Category.THREE_OF_A_KIND] == stands[Category.THREE_OF_A_KIND]
    assert said["lost"].rows[Category.STRAIGHT] < stands[Category.STRAIGHT]


@pytest.mark.proof
def test_hands_of_six_whose_five_are_bet_by_settled_deals(tmp_path: Path) -> None:
    """Deals whose player does what is best: the wager wins as often as is counted, within four deviations."""
    said = rules("own-and-up-card", "lost", 'needs = "dealer-qualifies"').replace(
        "pays = {", 'pays = { pair = "1 to 1", two_pair = "2 to 1",'
    )
    book = heir(tmp_path, with_side(said))
    counted = sum(named_edge(book, "extra").rows.values())
    rng, deals, wins = random.Random(11), 1_500, 0
    for _ in range(deals):
        ten = tuple(rng.sample(DECK, 10))
        play = value(book, ten[:5], ten[5]).best
        found = settle(book, Scenario(seats=(_seat(book, 1, ten[:5], play),), dealer=ten[5:]))
        assert isinstance(found, Settlement)
        wins += found.lines[-1].outcome == "win"
    assert abs(wins - deals * counted) < 4 * float(deals * counted * (1 - counted)) ** 0.5


def three(folded: str) -> str:
    return f'stake = "5"\ncards = "own"\nfolded = "{folded}"\npays = {PAIRS_UP}'


def test_three_cards_are_priced(tmp_path: Path) -> None:
    older = "colorado-required"
    stands, lost, returned = (
        named_edge(heir(tmp_path, with_side(three(folded), older), f"{folded}.toml"), "extra")
        for folded in ("stands", "lost", "returned")
    )
    won = 3_744 * 2 + 1_096 * 4 + 720 * 7 + 52 * 31 + 44 * 41 + 4 * 51
    assert stands.house_edge == 1 - Fraction(won, 22_100)
    assert lost.house_edge >= stands.house_edge
    assert returned.house_edge < lost.house_edge


def test_a_hand_with_the_community_is_priced_beside_the_best_play(tmp_path: Path) -> None:
    lost, returned = (
        heir(tmp_path, with_side(rules("own-and-community", folded), "colorado-required"), f"{folded}.toml")
        for folded in ("lost", "returned")
    )
    figures = edge(lost)
    gone = figures.decisions.get("fold", Fraction(0)) + figures.decisions.get("declare", Fraction(0))
    assert gone > 0
    assert named_edge(returned, "extra").nets[Fraction(0)] == gone
    assert named_edge(lost, "extra").house_edge - named_edge(returned, "extra").house_edge == gone


def test_other_shapes_are_priced_as_they_are_played(tmp_path: Path) -> None:
    """Four cards of which two are laid aside; of their own cards nobody has rows."""
    text = (LANTERN.parent / "quartet.toml").read_text(encoding="utf-8")
    (tmp_path / "quartet.toml").write_text(text, encoding="utf-8")
    book = heir(tmp_path, with_side(rules("own-and-community", "returned"), "quartet.toml"), "priced.toml")
    found = named_edge(book, "extra")
    assert found.nets[Fraction(0)] == edge(book).decisions["fold"]
    assert sum(found.nets.values()) == 1
    (told,) = complaints(tmp_path, with_side(rules(), "quartet.toml").replace('"heir"', '"other"'))
    assert "sides.extra.cards: a hand of 4 cards has no rows of its own" in told


def test_side_bets_tell_each_by_name_beside_the_progressive() -> None:
    book = lantern()
    found = side_bets(book, edge(book))
    assert list(found) == ["progressive", "five-plus-one", "lantern"]
    assert found["five-plus-one"]["stake"] == "1 to 100"
    assert found["lantern"]["stake"] == "5"
    assert Fraction(found["lantern"]["envy"]["for_each_other_box"]) * 100 == named_edge(book, "lantern").envy
    assert Fraction(found["lantern"]["envy"]["of_least_stake"]) * 500 == named_edge(book, "lantern").envy
    assert set(found["lantern"]["rows"]) == {row.title for row in book.sides["lantern"].awards}


def test_a_row_may_be_moved() -> None:
    book, told = changed(lantern(), pays={"five-plus-one.flush": "16", "lantern.flush": "175.50"})
    assert book.sides["five-plus-one"].pays[Category.FLUSH] == 16
    assert book.sides["lantern"].awards[Category.FLUSH] == 17_550
    assert len(told) == 2
    before, after = (named_edge(one, "five-plus-one").house_edge for one in (lantern(), book))
    assert before - after == Fraction(SIX[Category.FLUSH], HANDS)
    with pytest.raises(OptionError, match=r"lantern has no pay row 'lantern\.pair'"):
        changed(lantern(), pays={"lantern.pair": "1"})
    with pytest.raises(OptionError, match="is not an amount"):
        changed(lantern(), pays={"lantern.flush": "3 to 2"})


def test_the_chance_of_everything_is_one() -> None:
    book = lantern()
    found: list[NamedEdge] = [named_edge(book, name) for name in book.sides]
    assert all(sum(one.nets.values()) == 1 for one in found)


@pytest.mark.parametrize("older", ["section10", "colorado-required"])
def test_the_coach_counts_what_a_fold_takes_along(tmp_path: Path, older: str) -> None:
    """With a pair the wager pays five for a stake of five; folded it is lost, and what it would win is said."""
    rows = (
        PAIRS_UP if older == "colorado-required" else TRIPS_UP.replace(" }", ', two_pair = "2 to 1", pair = "1 to 1" }')
    )
    book = heir(tmp_path, with_side(f'stake = "5"\ncards = "own"\nfolded = "lost"\npays = {rows}', older))
    driver = Driver(book, new_table(book))
    driver.open_table()
    met = set()
    for number in range(8):
        driver.open_bets(random.Random(number).sample(range(52), 52))
        driver.must(c.Ante(box=1, player="Ann", amount=10_00))
        driver.must(c.SideBet(box=1, player="Ann", wager="extra", amount=5_00))
        driver.close_bets()
        driver.deal()
        driver.must(c.Look(box=1))
        current = driver.table.round
        assert current is not None
        hand = tuple(CardId(one) for one in current.boxes[1].cards)
        plain = value(book, hand, None if current.up is None else CardId(current.up))
        told = choices(book, driver.table, 1)
        assert told is not None
        paid = {told.decisions[one] - plain.decisions[one] for one in plain.decisions if one not in ("fold", "declare")}
        assert len(paid) == 1
        met |= paid
        assert told.decisions["fold"] == plain.decisions["fold"] - Fraction(1, 2)
        lost = forfeits(book, driver.table, 1).get("fold")
        said = None if lost is None else (lost.what, lost.clause)
        assert said == (("what extra wins is not paid", "X-1") if max(paid) > 0 else None)
        driver.must(c.Fold(box=1))
        driver.finish()
    assert {Fraction(-1, 2), Fraction(1, 2)} <= met


def test_a_win_on_a_stake_that_is_always_the_same_is_rounded_up_as_the_table_rounds_it(tmp_path: Path) -> None:
    """Five yen at one to ten win a whole yen; where any stake may be made the odds are those of the book."""
    yen = 'currency = "JPY"\ndecimals = 0\n'
    tenth = rules().replace("pays = {", 'pays = { pair = "1 to 10", two_pair = "1 to 5",')
    fixed = heir(tmp_path, with_side(tenth, more=yen))
    chosen = heir(tmp_path, with_side(tenth.replace('stake = "5"', 'min = "5"\nmax = "90"'), more=yen), "chosen.toml")
    pairs = Fraction(frequencies(ace_low=True)[Category.PAIR], comb(52, 5))
    one, other = named_edge(fixed, "extra"), named_edge(chosen, "extra")
    assert other.house_edge - one.house_edge == pairs * (Fraction(1, 5) - Fraction(1, 10))
    assert one.nets[Fraction(1, 5)] == pairs + one.rows[Category.TWO_PAIR]
