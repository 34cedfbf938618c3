"""What each remedy does to stakes and decisions: its events, whole, and in words why it has none."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from aceking import Table
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.words import Mishap, Remedy
from aceking.settlement.lines import Line
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.dealer.driver import DriverError
from aceking.table.mishaps.consequences import apply_remedy
from aceking.table.mishaps.stakes import side_undone
from aceking.table.state import Box, TableState
from tests.table.mishaps.following import (
    ANN,
    BOOK,
    END,
    LINES,
    NO_ROUND,
    RETURNS,
    SIDES,
    TABLE,
    C,
    ann,
    back,
    case,
    now,
    unmoved,
)
from tests.table.moment import BOB

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "books"

# Stakes


@pytest.mark.parametrize("then", ["void-round", "return-all-stakes"])
def test_a_void_round_gives_every_stake_back_once(then: Remedy) -> None:
    boxes = {
        1: replace(ANN, fee=300, sides=SIDES),
        2: BOB,
        3: replace(BOB, number=3, void=True),
        4: replace(BOB, number=4, forfeited=True),
    }
    lines = (*LINES, Line(3, "ante", 500, "lose", 0, "L"), Line(4, "ante", 500, "lose", 0, "L"))
    everything = [back(1, "ante", 1000, RETURNS), back(1, "bet", 2000, RETURNS), back(1, "exchange", 300, RETURNS)]
    everything += [back(1, "side", 100, RETURNS), back(1, "bonus", 50, RETURNS), back(2, "ante", 500, RETURNS)]
    moment = now(boxes=boxes, lines=lines, moved=frozenset({0, 2, 4, 5}), counted=True)
    end = [*END[:2], ev.RoundEnded(at=50, counted=True, clause=C)]
    assert apply_remedy(moment, then, case()) == [*unmoved(0, 2, clause=RETURNS), *everything, *end]
    plain = [back(1, "ante", 1000, RETURNS), back(1, "bet", 2000, RETURNS), back(2, "ante", 500, RETURNS)]
    assert apply_remedy(now(), then, case()) == [*plain, *END]
    assert apply_remedy(now(table=replace(TABLE, deck=None)), then, case()) == [*plain, END[0], END[2]]
    # A round just over has no cards to shuffle again, and is void only while no other has begun.
    assert apply_remedy(now(phase="done"), then, case("misdeal", (), (), "before-next-round")) == [*plain, END[0]]
    for over in (now(phase="done"), now(table=NO_ROUND), now(phase="void")):
        assert apply_remedy(over, then, case()) == "there is no round that it could change"
    void = case("misdeal", (), (), "before-next-round")
    assert apply_remedy(now(phase="void"), then, void) == "there is no round that it could change"


def test_where_only_open_hands_are_void_others_are_settled() -> None:
    only = dataclasses.replace(BOOK, void=dataclasses.replace(BOOK.void, scope="open-hands-only"))
    for choice, kept in (("fold", True), ("declare", True), ("bet", False)):
        moment = now(only, boxes=ann(choice=choice), lines=LINES, moved=frozenset({0, 3}))
        bob = [ev.Unmoved(line=3, clause=RETURNS)]
        events = [ev.Moved(line=1, clause="W"), ev.Moved(line=2, clause="S"), *bob, back(2, "ante", 500, RETURNS)]
        whole = [*unmoved(0, 3, clause=RETURNS), back(1, "ante", 1000, RETURNS), back(1, "bet", 2000, RETURNS)]
        whole += [back(2, "ante", 500, RETURNS)]
        assert apply_remedy(moment, "void-round", case()) == [*(events if kept else whole), *END], choice
        everywhere = now(boxes=ann(choice=choice), lines=LINES, moved=frozenset({0, 3}))
        assert apply_remedy(everywhere, "void-round", case()) == [*whole, *END]
    washington = load_book("washington")
    assert apply_remedy(now(washington), "void-round", case()) == [
        *(back(1, "ante", 1000), back(1, "bet", 2000), back(2, "ante", 500)),
        *END,
    ]


def test_a_hand_that_ended_early_and_that_no_line_settled_gets_its_stake_back() -> None:
    # Its ante is over the maximum of the book and nobody noticed, so that its fold is not settled.
    table = Table(EXAMPLES / "kobe.toml", options={"void-scope": "open-hands-only"}, seed=3)
    table.open()
    table.do(c.Ante(box=4, player="Cyd", amount=10_000, noticed=False)).do(c.Ante(box=1, player="Bob", amount=5_000))
    table.deal().do(c.Fold(box=4)).do(c.Fold(box=1))
    with pytest.raises(DriverError):
        table.finish()
    table.do(c.GiveRuling(question=table.state.questions[-1].number, then="void-round", reason="over the maximum"))
    assert {who: chips for who, chips in table.state.accounts.items() if chips} == {"Bob": -5_000, "tray": 5_000}


def test_a_deck_goes_with_its_void_round() -> None:
    gone = [ev.DeckGone(deck="red", clause=C)]
    done = apply_remedy(now(), "void-round-and-remove-deck", case())
    assert isinstance(done, list)
    assert done[-4:] == [*END, *gone]
    without = apply_remedy(now(table=replace(TABLE, deck=None)), "void-round-and-remove-deck", case())
    assert isinstance(without, list)
    assert without[-2:] == [END[0], END[2]]
    none = apply_remedy(now(table=NO_ROUND), "void-round-and-remove-deck", case())
    assert none == "there is no round that it could change"


@pytest.mark.parametrize("then", ["void-hand", "valid-without-box"])
def test_a_hand_that_is_out_has_its_stakes_back(then: Remedy) -> None:
    out = ev.HandVoided(box=1, clause=C)
    moment = now(boxes=ann(fee=300, sides=SIDES), lines=LINES, moved=frozenset({0, 2, 3}))
    chips = [back(1, "ante", 1000), back(1, "bet", 2000), back(1, "exchange", 300), back(1, "side", 100)]
    assert apply_remedy(moment, then, case("dispute", (1,))) == [*unmoved(0, 2), *chips, back(1, "bonus", 50), out]
    # Nobody is left to play against, where all are out.
    both = apply_remedy(now(), then, case("dispute", (1, 2)))
    assert both == [
        *(back(1, "ante", 1000), back(1, "bet", 2000), out),
        *(back(2, "ante", 500), ev.HandVoided(box=2, clause=C)),
        *END,
    ]
    early = apply_remedy(now(phase="betting", sequence=()), then, case("dispute", (1, 2)))
    assert isinstance(early, list)
    assert early[-1] == ev.HandVoided(box=2, clause=C)
    assert apply_remedy(now(), then, case()) == "no box is named"
    for gone in ({"void": True}, {"forfeited": True}):
        assert apply_remedy(now(boxes=ann(**gone)), then, case("dispute", (1, 7))) == "no such box is in the round"
    over = apply_remedy(now(phase="done"), then, case("misdeal", (1,), (), "before-next-round"))
    assert over == [back(1, "ante", 1000), back(1, "bet", 2000), out]
    assert apply_remedy(now(phase="done"), then, case("misdeal", (1,))) == "there is no round that it could change"


def test_the_price_of_an_exchange_stays_where_the_player_is_at_fault_and_the_book_says_so() -> None:
    book = load_book("exchange")
    assert book.exchange is not None
    refunds = dataclasses.replace(book, exchange=dataclasses.replace(book.exchange, price_on_player_void="returned"))
    moment: dict[str, Any] = {"boxes": ann(fee=300)}
    main = [back(1, "ante", 1000), back(1, "bet", 2000)]
    out = ev.HandVoided(box=1, clause=C)
    own = case("discard-picked-up", (1,))
    kept = ev.Kept(box=1, amount=300, clause=C)
    assert apply_remedy(now(book, **moment), "void-hand", own) == [*main, kept, out]
    assert apply_remedy(now(book), "void-hand", own) == [*main, out]
    for other in ((refunds, own), (book, case("dispute", (1,)))):
        assert apply_remedy(now(other[0], **moment), "void-hand", other[1]) == [*main, back(1, "exchange", 300), out]
    assert apply_remedy(now(BOOK, **moment), "void-hand", own) == [*main, kept, out]


def test_wagers_are_forfeited_after_what_was_paid_came_back() -> None:
    moment = now(lines=LINES, moved=frozenset({0, 3}))
    lost = ev.Forfeited(box=1, clause=C)
    assert apply_remedy(moment, "forfeit-wagers", case("dispute", (1,))) == [*unmoved(0), lost]
    assert apply_remedy(now(lines=LINES), "forfeit-wagers", case("dispute", (1,))) == [lost]
    for out in ({"void": True}, {"forfeited": True}):
        nobody = apply_remedy(now(boxes=ann(**out)), "forfeit-wagers", case("dispute", (1,)))
        assert nobody == "no such box is in the round"


def test_the_side_wagers_of_a_dark_box_go_back() -> None:
    moment = now(boxes=ann(sides=SIDES), lines=LINES, moved=frozenset({0, 2}))
    assert side_undone(moment, 1, C) == [*unmoved(2), back(1, "side", 100), back(1, "bonus", 50)]


def test_an_excess_goes_back_and_what_was_paid_on_that_wager_is_undone() -> None:
    limited = replace(TABLE, ante_max=800)
    settled: dict[str, Any] = {"lines": LINES, "moved": frozenset({0, 1, 2, 3}), "settled": True}
    nothing = "no such box is in the round"

    def given(mishap: Mishap, table: TableState = TABLE, **changes: Any) -> object:
        one = apply_remedy(now(table=table, **changes), "return-excess", case(mishap, (1,)))
        assert apply_remedy(now(table=table, **changes), "return-stake", case(mishap, (1,))) == one
        assert apply_remedy(now(table=table, **changes), "refuse", case(mishap, (1,))) == one
        return one

    assert given("over-maximum", limited, **settled) == [*unmoved(0), back(1, "ante", 200)]
    assert given("over-maximum", limited) == [back(1, "ante", 200)]
    assert given("over-maximum", replace(TABLE, ante_max=1000)) == nothing
    assert given("over-maximum") == nothing
    assert given("under-minimum", limited) == nothing
    # What a fold or a declaration settled is paid or taken by its lines.
    assert given("over-maximum", limited, lines=LINES) == nothing
    assert given("over-maximum", limited, lines=LINES[3:]) == [back(1, "ante", 200)]
    assert given("bet-over", boxes=ann(bet=2500)) == [back(1, "bet", 500)]
    assert given("bet-over", boxes=ann(bet=2500), **settled) == [*unmoved(1), back(1, "bet", 500)]
    assert given("bet-over") == nothing
    assert given("bet-under", boxes=ann(bet=2500)) == nothing
    dark = {name: replace(one, lit=False) for name, one in SIDES.items()}
    both = [back(1, "side", 100), back(1, "bonus", 50)]
    of_side: dict[Mishap, bool] = {
        "side-bet-without-ante": False,
        "unlit-chip": True,
        "chip-light-mismatch": True,
        "jackpot-fault": False,
    }
    for mishap, lit_stays in of_side.items():
        assert given(mishap, boxes=ann(sides=dark)) == both
        assert given(mishap, boxes=ann(sides=SIDES)) == (nothing if lit_stays else both)
        assert given(mishap) == nothing
    assert given("unlit-chip", boxes=ann(sides=dark), **settled) == [*unmoved(2), *both]
    assert given("dispute", boxes=ann(sides=dark)) == nothing
    assert apply_remedy(now(), "refuse", case()) == "what was tried is not done"
    assert apply_remedy(now(), "return-stake", case()) == "no box is named"


def test_where_the_maximum_is_settled_a_bet_is_measured_by_it() -> None:
    rws = load_book("rws")
    limited = replace(TABLE, ante_max=800)
    assert apply_remedy(now(rws, limited), "return-excess", case("bet-over", (1,))) == [back(1, "bet", 400)]


# Decisions


def test_who_is_gone_folds_now_or_when_the_decisions_come() -> None:
    def deemed(book: Book = BOOK, **changes: Any) -> object:
        return apply_remedy(now(book, **changes), "deemed-fold", case("walk-away", (2,)))

    folded = ev.Decided(box=2, choice="fold", deemed=True, clause=C)
    lost = deemed()
    assert isinstance(lost, list)
    assert lost[0] == folded
    assert [(line.seat, line.wager, line.outcome) for line in lost[1].lines] == [(2, "ante", "lose")]
    left = [ev.Left(box=2, clause=C)]
    running: dict[str, Any] = {"phase": "dealing", "dealer": (2,), "placed": 11}
    assert deemed(**running) == left
    assert deemed(phase="dealing") == lost, "the deal is done"
    assert deemed(phase="deciding", dealer=(2,), placed=11) == lost
    nothing = "no such box is in the round"
    for decided in ({"choice": "bet"}, {"bet": 1000}, {"left": True}):
        assert deemed(boxes={1: ANN, 2: replace(BOB, **decided)}) == nothing
        assert deemed(**running, boxes={1: ANN, 2: replace(BOB, **decided)}) == nothing
    assert deemed(load_book("colorado-permissible")) == "no hand is folded in this game"


def test_a_player_who_is_deemed_to_stay_lays_the_last_card_aside() -> None:
    book = load_book("colorado-permissible")
    dana = Box(number=2, player="Dana", ante=500, cards=(1, 4, 7))

    def stays(text: Book = book, **changes: Any) -> object:
        boxes = {1: ANN, 2: replace(dana, **changes)}
        return apply_remedy(now(text, boxes=boxes), "deemed-stay", case("walk-away", (2,)))

    stay = ev.Decided(box=2, choice="stay", deemed=True, clause=C)
    assert stays() == [ev.Discarded(box=2, card=7, clause=C), stay]
    assert stays(discard=4) == [stay]
    for decided in ({"choice": "bet"}, {"bet": 500}, {"cards": ()}):
        assert stays(**decided) == "no such box is in the round"
    assert stays(BOOK) == "no hand stays without a bet in this game"
    keeps = dataclasses.replace(book, hands=dataclasses.replace(book.hands, discards=0))
    assert stays(keeps) == [stay]


def test_a_breach_of_a_box_or_of_the_dealer_is_on_the_record() -> None:
    by_box = apply_remedy(now(), "record-violation", case("early-pick-up", (2, 1)))
    assert by_box == [ev.Violated(what="early pick up", by="box 2", at=50, clause=C)]
    assert apply_remedy(now(), "record-violation", case("missed-burn")) == [
        ev.Violated(what="missed burn", by="dealer", at=50, clause=C)
    ]
