"""When an act counts as done: for the deck, the table, the round or the box, or as cards and chips show it."""

import dataclasses
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from aceking.award.steps import Award
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.words import ActName
from aceking.settlement.lines import Line
from aceking.table import commands as c
from aceking.table.procedure.precedence import all_done, before, has_been_done
from aceking.table.procedure.stub_count import count_is_due
from aceking.table.state import Box, Deck, Round, SideWager, TableState
from tests.table.evolving.before import EVERY_ACT

BOOK = load_book("section10")
OF_DECK: frozenset[ActName] = frozenset(
    {
        *("deck-received", "dealer-inspected", "floorperson-verified", "spread", "first-player-inspection"),
        *("turn-up", "turn-down", "wash", "stack", "shuffle", "cover-card-laid", "cut", "cover-card-to-rack"),
        *("deck-loaded", "deck-held", "device-count", "deck-registered", "idle-spread", "deck-to-shuffler"),
    }
)
OF_TABLE: frozenset[ActName] = frozenset({"table-configured", "table-opened", "notice-given", "device-registered"})
OF_BOX: frozenset[ActName] = frozenset({"call-supervisor", "card-swipe", "win-page", "fold-count"})
SHOWN: frozenset[ActName] = OF_BOX | {
    *("ante", "bets-opened", "round-opened", "look", "bet", "fold", "declare", "decision", "chip-light-count"),
    *("card-dealt", "packet-dealt", "burn", "up-card", "stub-count", "collect-chips", "pay", "pay-award"),
    *("supervisor-validated", "documentation-complete", "select-winner"),
}
BOXES = {
    1: Box(number=1, player="Ann", ante=1000, cards=(1, 2)),
    2: Box(number=2, player="Bob", ante=1000, cards=(3, 4)),
}
TABLE = TableState(
    id="t", book="section10", digest="d", mode="live", round=Round(number=1, at=1, phase="deciding", boxes=BOXES)
)


def with_round(**changes: Any) -> TableState:
    assert TABLE.round is not None
    return replace(TABLE, round=replace(TABLE.round, **changes))


def with_ann(table: TableState = TABLE, **changes: Any) -> TableState:
    assert table.round is not None
    boxes = table.round.boxes
    return replace(table, round=replace(table.round, boxes={**boxes, 1: replace(boxes[1], **changes)}))


def done(needed: ActName, table: TableState, act: c.Act | None = None, book: Book = BOOK) -> bool:
    """Both ways of asking: one act, and all that must have gone before at once."""
    act = act or c.GoAhead()
    found = has_been_done(book, table, needed, act)
    assert all_done(book, table, before([needed]), act) is found or needed == "turn-up"
    return found


@pytest.mark.parametrize("needed", sorted(OF_DECK - {"turn-up"}))
def test_what_is_done_to_a_deck_counts_for_that_deck(needed: ActName) -> None:
    red, blue = Deck("red", "red", 1, acts=frozenset({needed})), Deck("blue", "blue", 1)
    both = replace(TABLE, decks={"red": red, "blue": blue}, deck="red")
    assert done(needed, both, c.WashDeck(deck="red"))
    assert not done(needed, both, c.WashDeck(deck="blue"))
    assert done(needed, both), "the deck in use"
    assert not done(needed, replace(both, deck="blue"))
    assert not done(needed, replace(both, did=frozenset({needed}), decks={}, deck=None))
    assert not done(needed, with_round(acts=frozenset({needed})))


def test_only_cards_that_lay_spread_face_down_must_be_turned_up() -> None:
    cases: list[tuple[Any, set[ActName], bool]] = [
        ("down", {"idle-spread"}, False),
        ("up", {"idle-spread"}, True),
        (None, {"idle-spread"}, True),
        ("down", set(), True),
        ("down", {"idle-spread", "turn-up"}, True),
    ]
    for face, acts, turned in cases:
        deck = Deck("red", "red", 1, acts=frozenset(acts), idle=face)
        table = replace(TABLE, decks={"red": deck}, deck="red")
        assert done("turn-up", table) is turned, (face, acts)
        assert all_done(BOOK, table, before(["turn-up"]), c.GoAhead()) is ("turn-up" in acts)
    spread_down = replace(
        TABLE, decks={"red": Deck("red", "red", 1, acts=frozenset({"idle-spread"}), idle="down")}, deck="red"
    )
    assert not done("wash", spread_down)
    assert not done("turn-up", TABLE)


@pytest.mark.parametrize("needed", sorted(OF_TABLE))
def test_what_the_house_did_stays_done(needed: ActName) -> None:
    assert done(needed, replace(TABLE, did=frozenset({needed}), round=None))
    assert not done(needed, replace(TABLE, did=OF_TABLE - {needed}))
    assert not done(needed, with_round(acts=frozenset({needed})))


@pytest.mark.parametrize("needed", sorted({*EVERY_ACT} - OF_DECK - OF_TABLE - SHOWN))
def test_any_other_act_is_on_the_record_of_the_round(needed: ActName) -> None:
    noted = with_round(acts=frozenset({needed}))
    assert done(needed, noted)
    assert done(needed, noted, c.Pay(box=1))
    assert not done(needed, TABLE)
    assert not done(needed, with_ann(acts=frozenset({needed})), c.Pay(box=1))
    assert not done(needed, replace(TABLE, did=frozenset({needed}), round=None))


@pytest.mark.parametrize("needed", sorted(OF_BOX))
def test_some_acts_count_for_the_box_that_is_meant(needed: ActName) -> None:
    of_round, of_box = with_round(acts=frozenset({needed})), with_ann(acts=frozenset({needed}))
    assert done(needed, of_round)
    assert done(needed, of_round, c.Pay(box=5))
    assert not done(needed, of_round, c.Pay(box=1))
    assert done(needed, of_box, c.Pay(box=1))
    assert not done(needed, of_box, c.Pay(box=2))
    assert not done(needed, of_box)


def test_nothing_of_a_round_is_done_before_there_is_one() -> None:
    bare = replace(TABLE, round=None)
    for needed in sorted(SHOWN):
        assert not done(needed, bare), needed
        assert not done(needed, bare, c.Pay(box=1)), needed


def test_antes_looks_and_bets_show_on_their_boxes() -> None:
    one, two, none = c.Look(box=1), c.Look(box=2), c.Look(box=5)
    for act in (one, two, c.GoAhead()):
        assert done("ante", TABLE, act)
    assert not done("ante", TABLE, none)
    assert not done("ante", with_ann(ante=0), one)
    assert done("ante", with_ann(ante=0), two)
    assert done("ante", with_ann(ante=0, void=True), one)
    assert done("ante", with_ann(ante=1), one)
    assert not done("ante", with_round(boxes={}))
    assert not done("ante", with_round(boxes={1: replace(BOXES[1], ante=0)}))
    for needed in ("bets-opened", "round-opened"):
        for phase in ("betting", "closed", "dealing", "deciding", "revealed", "done", "void"):
            assert done(needed, with_round(phase=phase)) is (phase not in ("done", "void"))
    assert not done("look", TABLE, one)
    seen = with_ann(seen=True)
    assert [done("look", seen, act) for act in (one, two, none, c.GoAhead())] == [True, False, False, False]
    assert done("look", with_round(phase="revealed"), two)
    assert not done("look", with_round(phase="revealed"), none)
    assert not done("bet", TABLE, one)
    for changes in ({"bet": 1}, {"choice": "bet"}):
        bet = with_ann(**changes)
        assert [done("bet", bet, act) for act in (one, two, none, c.GoAhead())] == [True, False, False, False]
    assert not done("bet", with_ann(choice="fold"), one)


@pytest.mark.parametrize(("needed", "other"), [("fold", "declare"), ("declare", "fold")])
def test_what_is_said_of_a_folded_or_declared_hand_binds_no_other(needed: ActName, other: ActName) -> None:
    one = c.CollectCards(box=1)
    assert done(needed, with_ann(choice=needed), one)
    assert not done(needed, with_ann(choice=other), one)
    assert not done(needed, TABLE, one)
    assert done(needed, TABLE, c.CollectCards())
    assert done(needed, TABLE, c.CollectCards(box=5))
    assert done(needed, with_round(phase="revealed"), one)


def test_all_have_decided_when_nobody_owes_a_decision() -> None:
    def after(book: Book = BOOK, **second: Any) -> bool:
        table = with_ann(choice="bet")
        assert table.round is not None
        boxes = {**table.round.boxes, 2: replace(BOXES[2], **second)}
        return done("decision", replace(table, round=replace(table.round, boxes=boxes)), book=book)

    assert not after()
    for out in ({"choice": "fold"}, {"left": True}, {"void": True}, {"forfeited": True}, {"ante": 0}):
        assert after(**out)
    blind = dataclasses.replace(BOOK, bet=dataclasses.replace(BOOK.bet, blind="any"))
    seen = dataclasses.replace(BOOK, bet=dataclasses.replace(BOOK.bet, blind=None))
    assert after(blind, bet=2000)
    assert not after(seen, bet=2000)
    assert not after(blind, bet=0)


def test_all_lit_chips_lie_in_the_tray() -> None:
    assert done("chip-light-count", TABLE)
    for side, counted in (
        (SideWager(100), False),
        (SideWager(100, lit=False), True),
        (SideWager(100, trayed=True), True),
    ):
        assert done("chip-light-count", with_ann(sides={"side": side})) is counted


def test_a_deal_is_done_when_every_place_is_filled() -> None:
    full = {n: replace(one, cards=tuple(range(n * 5, n * 5 + 5))) for n, one in BOXES.items()}
    dealt = with_round(boxes=full, dealer=(30, 31, 32, 33, 34), placed=15)
    for needed in ("card-dealt", "packet-dealt"):
        assert done(needed, dealt)
        assert not done(needed, with_round(boxes=full, dealer=(30, 31, 32, 33), placed=14))
    assert done("burn", with_round(burn=(3,)))
    assert not done("burn", TABLE)
    assert done("up-card", with_round(up=0))
    assert not done("up-card", TABLE)


def test_the_steps_of_an_award_count_for_its_box() -> None:
    one, two = c.PayAward(box=1), c.PayAward(box=2)
    picked = Award(seat=1, hand="flush")
    for step, valid in (("selected", False), ("called", False), ("verified", True), ("signed", True), ("paid", True)):
        table = with_round(awards={1: replace(picked, step=step)})
        assert done("supervisor-validated", table, one) is valid
        assert not done("supervisor-validated", table, two)
        assert done("select-winner", table, one)
        assert not done("select-winner", table, two)
    # Only what comes off the meter has papers.
    assert done("documentation-complete", with_round(from_meter={2: 100}), one)
    assert done("documentation-complete", with_round(from_meter={1: 0}), one)
    assert not done("documentation-complete", with_round(from_meter={1: 100}), one)
    assert done("documentation-complete", with_round(from_meter={1: 100}, documented=frozenset({1})), one)
    assert not done("documentation-complete", with_round(from_meter={1: 100}, documented=frozenset({2})), one)


LINES = {
    "lose": Line(1, "ante", 1000, "lose", 0, "L"),
    "win": Line(1, "ante", 1000, "win", 1000, "W"),
    "push": Line(1, "ante", 1000, "push", 0, "P"),
    "returned": Line(1, "ante", 1000, "returned", 0, "R"),
    "void": Line(1, "ante", 1000, "void", 0, "V"),
    "side-lose": Line(1, "side", 100, "lose", 0, "S", consumed=True),
    "side-win": Line(1, "side", 100, "win", 500, "S", consumed=True),
    "bonus-lost": Line(1, "side", 100, "lose", 0, "B"),
    "bonus-won": Line(1, "side", 100, "win", 700, "B"),
}


@pytest.mark.parametrize(
    ("needed", "waits_for"),
    [
        ("collect-chips", {"lose"}),
        ("pay", {"lose", "win", "push", "returned", "void", "side-lose", "bonus-lost", "bonus-won"}),
        ("pay-award", {"win", "side-win", "bonus-won"}),
    ],
)
def test_chips_are_taken_or_paid_when_none_of_that_kind_lie_there(needed: ActName, waits_for: set[str]) -> None:
    """An award goes its own way: all else may be paid before it."""
    for name, line in LINES.items():
        table = with_round(lines=(line,))
        waits = name in waits_for
        assert done(needed, table, c.CollectCards(box=1)) is not waits, name
        assert done(needed, table, c.CollectCards()) is not waits, name
        assert done(needed, table, c.CollectCards(box=2)), name
        assert done(needed, with_round(lines=(line,), moved=frozenset({0})), c.CollectCards(box=1)), name
    # No winner is paid while a loser's chips lie anywhere.
    lost = with_round(lines=(LINES["lose"],))
    assert done(needed, lost, c.Pay(box=2)) is (needed != "collect-chips")


def test_of_several_acts_each_must_have_gone_before() -> None:
    """All at once is the same as one after another: of deck, table, round and box, for any two of them."""
    red = Deck("red", "red", 1, acts=frozenset({"wash"}))
    noted = replace(
        with_ann(with_round(acts=frozenset({"go-ahead"}), burn=(3,)), seen=True),
        decks={"red": red},
        deck="red",
        did=frozenset({"table-opened"}),
    )
    tables = [
        noted,
        replace(noted, decks={}, deck=None),
        replace(noted, did=frozenset()),
        replace(noted, round=None),
        replace(noted, round=TABLE.round),
    ]
    needed: tuple[ActName, ...] = (
        *("wash", "stack", "table-opened", "notice-given", "go-ahead", "lock-out", "burn", "look", "bet", "up-card"),
    )
    for table in tables:
        for act in (c.GoAhead(), c.Look(box=1)):
            assert all_done(BOOK, table, before([]), act)
            for pair in combinations(needed, 2):
                each = all(has_been_done(BOOK, table, one, act) for one in pair)
                assert all_done(BOOK, table, before(pair), act) is each, pair


@pytest.mark.parametrize("clock", ["per-deck", "per-table", "either", None])
@pytest.mark.parametrize(("of_deck", "of_table"), [(3, 3), (4, 3), (3, 4), (4, 4)])
def test_the_stub_is_counted_by_the_clock_that_the_book_names(clock: str | None, of_deck: int, of_table: int) -> None:
    """Five rounds at the latest: four have gone without a count by that clock, or by either where none is named."""
    assert BOOK.stub is not None
    stub = dataclasses.replace(BOOK.stub, count_rounds=5, count_clock=clock, count="manual-every-5")  # type: ignore[arg-type]
    book = dataclasses.replace(BOOK, stub=stub)
    deck = Deck("red", "red", 1, rounds_uncounted=of_deck)
    table = replace(TABLE, decks={"red": deck}, deck="red", rounds_uncounted=of_table)
    due = {"per-deck": of_deck == 4, "per-table": of_table == 4}.get(clock or "", 4 in (of_deck, of_table))
    assert count_is_due(book, table) is due
    assert done("stub-count", table, book=book) is not due
    assert table.round is not None
    counted = replace(table, round=replace(table.round, counted=True))
    assert done("stub-count", counted, book=book)
    assert not count_is_due(dataclasses.replace(book, stub=None), table)
    never = dataclasses.replace(book, stub=dataclasses.replace(stub, count_rounds=None))
    assert not count_is_due(never, table)
    without = replace(table, decks={}, deck=None)
    assert count_is_due(book, without) is (clock != "per-deck" and of_table == 4)


def test_a_device_that_counts_each_shuffle_excuses_the_count() -> None:
    assert BOOK.stub is not None

    def due(count: str, excuses: tuple[str, ...] | None, acts: set[ActName], by: Any = "automated") -> bool:
        stub = dataclasses.replace(
            BOOK.stub,  # type: ignore[type-var]
            count_rounds=1,
            count=count,
            device_count_excuses=excuses,
        )
        table = replace(TABLE, decks={"red": Deck("red", "red", 1, acts=frozenset(acts))}, deck="red")
        assert BOOK.shuffle is not None
        shuffle = dataclasses.replace(BOOK.shuffle, method=by) if by else None
        return count_is_due(dataclasses.replace(BOOK, stub=stub, shuffle=shuffle), table)

    method, each = BOOK.deal.method, "device-count-each-shuffle"
    assert not due(each, (method,), {"device-count"})
    assert not due(each, (method,), {"device-count"}, None)
    assert due(each, (method,), {"device-count"}, "manual"), "no device counts what the dealer shuffled"
    assert due(each, (method,), set())
    assert due(each, ("another",), {"device-count"})
    assert due(each, None, {"device-count"})
    assert due("manual-every-5", (method,), {"device-count"})
