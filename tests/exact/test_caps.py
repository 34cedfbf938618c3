"""Caps in the figures: counted for one ante as settlement pays, left out and said so where they cannot be."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from aceking import edge as edge_of
from aceking.cards.card import CardId, card, cards
from aceking.cards.hand import rank
from aceking.exact.caps import at_ante, under_caps, with_ante
from aceking.exact.choices import choices
from aceking.exact.community import play
from aceking.exact.community.edge import main_nets
from aceking.exact.games import changed, edge, value
from aceking.exact.stud.money import nets
from aceking.exact.stud.states import states
from aceking.exact.unpriced import counted_caps, left_out
from aceking.rules.book import Book
from aceking.rules.odds import Amount
from aceking.rules.options import OptionError
from aceking.rules.reading.load import load_book
from aceking.settlement.judge import judge
from aceking.simulation.plan import plan
from aceking.simulation.run import run
from aceking.simulation.through_table import ReferenceTable
from aceking.table import commands as c
from aceking.table.dealer.driver import Driver, new_table
from tests.exact import test_community_settle as colorado
from tests.exact.heirs import ANTE, enumerated_bet, same_at_the_table, settled_bet
from tests.exact.test_stud_settle import PAIRS
from tests.rules.test_inheritance import heir

HEIR = """
from = "{older}"
id = "capped"
[[clause]]
id = "CAP-1"
topic = "cap"
actor = "house"
says = "A round pays no more than so much."
set.table.round_cap = "{cap}"
set.table.round_cap_for = "{each}"
set.table.round_cap_cut = "in-order"
{more}
"""
ONE_ANTE = 'set.ante.min = "10"\nset.ante.max = "10"'


def capped(tmp_path: Path, cap: str, *, older: str = "washington", each: str = "box", more: str = ONE_ANTE) -> Book:
    return heir(tmp_path, HEIR.format(older=older, cap=cap, each=each, more=more))


@pytest.mark.parametrize("cap", ["5", "33", "105"])
def test_a_round_nets_what_the_table_pays_under_the_cap(tmp_path: Path, cap: str) -> None:
    book = capped(tmp_path, cap)
    money, by = nets(book), judge(book)
    assert max(money.win.values()) == Fraction(int(cap), 10)
    for mine, theirs in PAIRS:
        own, others = rank(mine), rank(theirs)
        if not by.qualifies[by.strength(theirs)]:
            assert settled_bet(book, mine, theirs) == money.unqualified
        elif own > others:
            assert settled_bet(book, mine, theirs) == money.win[own.category]


def test_one_hand_by_brute_force(tmp_path: Path) -> None:
    book = capped(tmp_path, "35")
    hand, up = cards("9h 9d 9c 5s 2d"), card("Kc")
    assert value(book, hand, up).decisions["bet"] == enumerated_bet(book, hand, up)


def test_the_simulator_and_the_table_agree_under_a_cap(tmp_path: Path) -> None:
    assert same_at_the_table(capped(tmp_path, "15"))


def test_the_whole_edge_is_that_of_all_states_played_one_by_one(tmp_path: Path) -> None:
    """A cap of half an ante changes what is bet; the other way knows no rows."""
    book = capped(tmp_path, "5")
    table = states(book)
    assert edge(book) == table.edge(table.best)
    assert edge(book).decisions["bet"] < edge(load_book("washington")).decisions["bet"]


def test_a_cap_on_the_bet_takes_off_what_lies_above_it() -> None:
    """Of all outcomes without a cap those above it are cut: nobody would fold such a hand for it."""
    plain = edge(load_book("section10"))
    book, _ = changed(load_book("section10"), options={"bet-payout-cap": "5000"}, ante="100")
    expected: Counter[Fraction] = Counter()
    for net, deals in plain.outcomes.items():
        expected[min(net, Fraction(51))] += deals
    assert edge(book).outcomes == expected
    assert edge(book).house_edge - plain.house_edge == Fraction(150 * 16_759_740 + 50 * 156_929_720, plain.deals)


@pytest.mark.parametrize("scope", ["ante-plus-bet-of-one-hand", "each-wager"])
@pytest.mark.parametrize("name", ["colorado-required", "colorado-permissible"])
def test_against_a_table_of_pays_both_scopes_net_what_the_table_pays(
    name: str, scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, _ = changed(load_book(name), options={"hand-payout-cap": "50000", "cap-scope": scope}, ante="2000")
    monkeypatch.setattr(colorado, "ANTE", 2000_00)
    kinds = play.game(book).kinds
    main = main_nets(book, kinds)
    hands = ("Ac Kc Qc Jc Tc", "9c 8c 7c 6c 5c", "4c 4d 4h 4s 2c", "2c 2d 2h 3s 3c", "9c 7c 5c 3c 2c", "Ac Ad 5h 4s 3c")
    for hand in map(cards, hands):
        kind = max(number for number, start in enumerate(kinds.starts) if start <= rank(hand))
        three, discard, community = [*hand[:2], card("6d")], card("6d"), hand[2:]
        assert colorado.settled(book, three, "bet", discard, community)[0] == main.bet[kind]
        if main.stay is not None:
            assert colorado.settled(book, three, "stay", discard, community)[0] == main.stay[kind]
    assert max(main.bet) == (25 if scope == "ante-plus-bet-of-one-hand" else 50)


def test_the_book_with_one_ante_says_what_is_counted(tmp_path: Path) -> None:
    book = capped(tmp_path, "100")
    assert counted_caps(book) == ("the most that a round pays, 100 USD (CAP-1), is counted, for an ante of 10 USD",)
    assert left_out(book) == ()
    more = f'{ONE_ANTE}\nset.table.boxes_per_player = "several"'
    several = heir(tmp_path, HEIR.format(older="washington", cap="100", each="player", more=more), "several.toml")
    assert counted_caps(several)[0].endswith("for an ante of 10 USD and a player with one box")


def test_a_cap_that_the_boxes_share_is_counted_for_one_alone_and_left_out_for_several(tmp_path: Path) -> None:
    book = capped(tmp_path, "100", each="table")
    own = heir(tmp_path, HEIR.format(older="washington", cap="100", each="box", more=ONE_ANTE), "own.toml")
    assert edge(book) == edge(own)
    assert edge(book).house_edge > edge(load_book("washington")).house_edge
    (sentence,) = counted_caps(book)
    assert sentence.endswith(
        "for an ante of 10 USD and one box alone at the table: where several share it, it pays them less"
    )
    assert left_out(book) == counted_caps(book, boxes=3) == ()
    (sentence,) = left_out(book, boxes=3)
    assert sentence.endswith("which are those of 3 boxes: all of them share it; it is counted for one box alone")
    alone = replace(book, table=replace(book.table, seats_max=1))
    assert counted_caps(alone)[0].endswith("for an ante of 10 USD")


def test_one_box_alone_is_simulated_under_the_shared_cap_and_several_without_it(tmp_path: Path) -> None:
    book = capped(tmp_path, "15", each="table")
    assert same_at_the_table(book, seats=1)
    plain, one, three = (
        plan(each, rounds=20_000, seats=seats) for each, seats in ((load_book("washington"), 3), (book, 1), (book, 3))
    )
    assert run(plain).outcomes == run(three).outcomes
    assert max(run(one).outcomes) == Fraction(3, 2)


def test_what_several_boxes_share_pays_them_less_than_each_alone(tmp_path: Path) -> None:
    """Through the table: three boxes, of which one alone may win fifteen, win fifteen together."""
    shared, own = (
        plan(
            heir(tmp_path, HEIR.format(older="washington", cap="15", each=each, more=ONE_ANTE), f"{each}.toml"),
            rounds=60,
            seats=3,
        )
        for each in ("table", "box")
    )
    together, apart = (
        [sum(one for one in nets_ if one > 0) for nets_ in ReferenceTable(each).rounds()] for each in (shared, own)
    )
    assert max(together) == 15_00 < max(apart)


def test_without_one_ante_it_is_left_out_until_one_is_named(tmp_path: Path) -> None:
    book = capped(tmp_path, "100", more="")
    assert "--ante counts it for one amount" in left_out(book)[0]
    assert counted_caps(book) == ()
    named = edge_of(book, ante=10)
    assert named.house_edge == edge(with_ante(book, Amount(ANTE))).house_edge > edge(book).house_edge
    assert under_caps(book, ante=Fraction(1), bet=Fraction(100)) == 101


def test_an_ante_that_is_none_is_told(tmp_path: Path) -> None:
    book = capped(tmp_path, "100")
    with pytest.raises(OptionError, match="takes no ante of 20; it takes 10 to 10"):
        at_ante(book, Amount(2_000))
    for wrong, says in (("0", "the ante cannot be 0"), ("ten", "not an amount"), ("1.001", "finer than the smallest")):
        with pytest.raises(OptionError, match=says):
            changed(load_book("section10"), ante=wrong)


def test_the_coach_counts_the_cap_for_the_ante_that_lies_there(tmp_path: Path) -> None:
    book = capped(tmp_path, "5", more="")
    driver = Driver(book, new_table(book, awards={"royal_flush": "100%", "straight_flush": "10%"}))
    driver.open_table()
    driver.open_bets(list(range(52)))
    driver.must(c.Ante(box=1, player="Ann", amount=ANTE))
    driver.close_bets()
    driver.deal()
    driver.must(c.Look(box=1))
    current = driver.table.round
    assert current is not None
    assert current.up is not None
    hand = tuple(CardId(one) for one in current.boxes[1].cards)
    told = choices(book, driver.table, 1)
    assert told is not None
    exact = value(with_ante(book, Amount(ANTE)), hand, CardId(current.up))
    assert told.decisions == exact.decisions
