"""What each remedy does to stakes and cards: its events, whole, and in words why it has none."""

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.load import load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.rules.words import Mishap, Remedy
from aceking.settle.lines import Line
from aceking.table import event as ev
from aceking.table.mishaps.cards import deal_next
from aceking.table.mishaps.case import Case
from aceking.table.mishaps.consequences import GOES_ON, follow
from aceking.table.mishaps.rebuilding import can_rebuild, changed_boxes, to_draw
from aceking.table.mishaps.stakes import side_undone
from aceking.table.now import Now
from aceking.table.place import BOXED, BURN, COMMUNITY, DEALER, Pile, box_place
from aceking.table.shoe import Shoe
from aceking.table.state import Box, Round, SideWager, Table
from tests.table import moment as moments
from tests.table.moment import BOB

C = "the clause"
BOOK = load_book("section10")
RETURNS = BOOK.by_key["void.stakes"].clause
ANN = replace(moments.ANN, bet=2000, choice="bet", seen=True)
LINES = (
    Line(1, "ante", 1000, "win", 1000, "W"),
    Line(1, "bet", 2000, "win", 2000, "W"),
    Line(1, "side", 100, "lose", 0, "S", consumed=True),
    Line(2, "ante", 500, "lose", 0, "L"),
)
ROUND = replace(moments.ROUND, boxes={1: ANN, 2: BOB})
MIXED = replace(moments.TABLE.decks["red"], acts=frozenset({"shuffle", "cut"}))
TABLE = replace(moments.TABLE, decks={**moments.TABLE.decks, "red": MIXED}, round=ROUND)


def now(book: Book = BOOK, table: Table = TABLE, shoe: tuple[int, ...] = (), **changes: Any) -> Now:
    """A moment in a round that is changed like this; nobody knows how the deck lies, unless it is said."""
    return replace(moments.moment(book, table, **changes), shoe=Shoe({"red": shoe}) if shoe else Shoe())


def ann(**changes: Any) -> dict[int, Box]:
    return {1: replace(ANN, **changes), 2: BOB}


def case(mishap: Mishap = "dispute", boxes: tuple[int, ...] = (), cards: tuple[int, ...] = (), *given: Any) -> Case:
    return Case(mishap, C, boxes, cards, frozenset(given))


def back(box: int, wager: str, amount: int, clause: str = C) -> ev.Returned:
    return ev.Returned(box=box, wager=wager, amount=amount, clause=clause)


def unmoved(*lines: int, clause: str = C) -> list[ev.Event]:
    return [ev.Unmoved(line=line, clause=clause) for line in lines]


END: list[ev.Event] = [
    ev.RoundVoided(clause=C),
    ev.Unshuffled(deck="red", clause=C),
    ev.RoundEnded(at=50, clause=C),
]
SIDES = {"side": SideWager(100), "bonus": SideWager(50), "none": SideWager(0)}
NO_ROUND = replace(TABLE, round=None)


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
    assert follow(moment, then, case()) == [*unmoved(0, 2, clause=RETURNS), *everything, *end]
    plain = [back(1, "ante", 1000, RETURNS), back(1, "bet", 2000, RETURNS), back(2, "ante", 500, RETURNS)]
    assert follow(now(), then, case()) == [*plain, *END]
    assert follow(now(table=replace(TABLE, deck=None)), then, case()) == [*plain, END[0], END[2]]
    # A round just over has no cards to shuffle again, and is void only while no other has begun.
    assert follow(now(phase="done"), then, case("misdeal", (), (), "before-next-round")) == [*plain, END[0]]
    for over in (now(phase="done"), now(table=NO_ROUND), now(phase="void")):
        assert follow(over, then, case()) == "there is no round that it could change"
    void = case("misdeal", (), (), "before-next-round")
    assert follow(now(phase="void"), then, void) == "there is no round that it could change"


def test_where_only_open_hands_are_void_others_are_settled() -> None:
    only = dataclasses.replace(BOOK, void=dataclasses.replace(BOOK.void, scope="open-hands-only"))
    for choice, kept in (("fold", True), ("declare", True), ("bet", False)):
        moment = now(only, boxes=ann(choice=choice), lines=LINES, moved=frozenset({0, 3}))
        bob = [ev.Unmoved(line=3, clause=RETURNS)]
        events = [ev.Moved(line=1, clause="W"), ev.Moved(line=2, clause="S"), *bob, back(2, "ante", 500, RETURNS)]
        whole = [*unmoved(0, 3, clause=RETURNS), back(1, "ante", 1000, RETURNS), back(1, "bet", 2000, RETURNS)]
        whole += [back(2, "ante", 500, RETURNS)]
        assert follow(moment, "void-round", case()) == [*(events if kept else whole), *END], choice
        everywhere = now(boxes=ann(choice=choice), lines=LINES, moved=frozenset({0, 3}))
        assert follow(everywhere, "void-round", case()) == [*whole, *END]
    washington = load_book("washington")
    assert follow(now(washington), "void-round", case()) == [
        *(back(1, "ante", 1000), back(1, "bet", 2000), back(2, "ante", 500)),
        *END,
    ]


def test_a_deck_goes_with_its_void_round() -> None:
    gone = [ev.DeckGone(deck="red", clause=C)]
    done = follow(now(), "void-round-and-remove-deck", case())
    assert isinstance(done, list)
    assert done[-4:] == [*END, *gone]
    without = follow(now(table=replace(TABLE, deck=None)), "void-round-and-remove-deck", case())
    assert isinstance(without, list)
    assert without[-2:] == [END[0], END[2]]
    none = follow(now(table=NO_ROUND), "void-round-and-remove-deck", case())
    assert none == "there is no round that it could change"


@pytest.mark.parametrize("then", ["void-hand", "valid-without-box"])
def test_a_hand_that_is_out_has_its_stakes_back(then: Remedy) -> None:
    out = ev.HandVoided(box=1, clause=C)
    moment = now(boxes=ann(fee=300, sides=SIDES), lines=LINES, moved=frozenset({0, 2, 3}))
    chips = [back(1, "ante", 1000), back(1, "bet", 2000), back(1, "exchange", 300), back(1, "side", 100)]
    assert follow(moment, then, case("dispute", (1,))) == [*unmoved(0, 2), *chips, back(1, "bonus", 50), out]
    # Nobody is left to play against, where all are out.
    both = follow(now(), then, case("dispute", (1, 2)))
    assert both == [
        *(back(1, "ante", 1000), back(1, "bet", 2000), out),
        *(back(2, "ante", 500), ev.HandVoided(box=2, clause=C)),
        *END,
    ]
    early = follow(now(phase="betting", sequence=()), then, case("dispute", (1, 2)))
    assert isinstance(early, list)
    assert early[-1] == ev.HandVoided(box=2, clause=C)
    assert follow(now(), then, case()) == "no box is named"
    for gone in ({"void": True}, {"forfeited": True}):
        assert follow(now(boxes=ann(**gone)), then, case("dispute", (1, 7))) == "no such box is in the round"
    over = follow(now(phase="done"), then, case("misdeal", (1,), (), "before-next-round"))
    assert over == [back(1, "ante", 1000), back(1, "bet", 2000), out]
    assert follow(now(phase="done"), then, case("misdeal", (1,))) == "there is no round that it could change"


def test_the_price_of_an_exchange_stays_where_the_player_is_at_fault_and_the_book_says_so() -> None:
    book = load_book("exchange")
    assert book.exchange is not None
    refunds = dataclasses.replace(book, exchange=dataclasses.replace(book.exchange, price_on_player_void="returned"))
    moment: dict[str, Any] = {"boxes": ann(fee=300)}
    main = [back(1, "ante", 1000), back(1, "bet", 2000)]
    out = ev.HandVoided(box=1, clause=C)
    own = case("discard-picked-up", (1,))
    kept = ev.Kept(box=1, amount=300, clause=C)
    assert follow(now(book, **moment), "void-hand", own) == [*main, kept, out]
    assert follow(now(book), "void-hand", own) == [*main, out]
    for other in ((refunds, own), (book, case("dispute", (1,)))):
        assert follow(now(other[0], **moment), "void-hand", other[1]) == [*main, back(1, "exchange", 300), out]
    assert follow(now(BOOK, **moment), "void-hand", own) == [*main, kept, out]


def test_wagers_are_forfeited_after_what_was_paid_came_back() -> None:
    moment = now(lines=LINES, moved=frozenset({0, 3}))
    lost = ev.Forfeited(box=1, clause=C)
    assert follow(moment, "forfeit-wagers", case("dispute", (1,))) == [*unmoved(0), lost]
    assert follow(now(lines=LINES), "forfeit-wagers", case("dispute", (1,))) == [lost]
    for out in ({"void": True}, {"forfeited": True}):
        nobody = follow(now(boxes=ann(**out)), "forfeit-wagers", case("dispute", (1,)))
        assert nobody == "no such box is in the round"


def test_the_side_wagers_of_a_dark_box_go_back() -> None:
    moment = now(boxes=ann(sides=SIDES), lines=LINES, moved=frozenset({0, 2}))
    assert side_undone(moment, 1, C) == [*unmoved(2), back(1, "side", 100), back(1, "bonus", 50)]


def test_an_excess_goes_back_and_what_was_paid_on_that_wager_is_undone() -> None:
    limited = replace(TABLE, ante_max=800)
    settled: dict[str, Any] = {"lines": LINES, "moved": frozenset({0, 1, 2, 3}), "settled": True}
    nothing = "no such box is in the round"

    def given(mishap: Mishap, table: Table = TABLE, **changes: Any) -> object:
        one = follow(now(table=table, **changes), "return-excess", case(mishap, (1,)))
        assert follow(now(table=table, **changes), "return-stake", case(mishap, (1,))) == one
        assert follow(now(table=table, **changes), "refuse", case(mishap, (1,))) == one
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
    assert follow(now(), "refuse", case()) == "what was tried is not done"
    assert follow(now(), "return-stake", case()) == "no box is named"


def test_where_the_maximum_is_settled_a_bet_is_measured_by_it() -> None:
    rws = load_book("rws")
    limited = replace(TABLE, ante_max=800)
    assert follow(now(rws, limited), "return-excess", case("bet-over", (1,))) == [back(1, "bet", 400)]


# Decisions


def test_who_is_gone_folds_now_or_when_the_decisions_come() -> None:
    def deemed(book: Book = BOOK, **changes: Any) -> object:
        return follow(now(book, **changes), "deemed-fold", case("walk-away", (2,)))

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


def test_who_is_deemed_to_stay_lays_his_last_card_aside() -> None:
    book = load_book("colorado-permissible")
    dana = Box(number=2, player="Dana", ante=500, cards=(1, 4, 7))

    def stays(text: Book = book, **changes: Any) -> object:
        boxes = {1: ANN, 2: replace(dana, **changes)}
        return follow(now(text, boxes=boxes), "deemed-stay", case("walk-away", (2,)))

    stay = ev.Decided(box=2, choice="stay", deemed=True, clause=C)
    assert stays() == [ev.Discarded(box=2, card=7, clause=C), stay]
    assert stays(discard=4) == [stay]
    for decided in ({"choice": "bet"}, {"bet": 500}, {"cards": ()}):
        assert stays(**decided) == "no such box is in the round"
    assert stays(BOOK) == "no hand stays without a bet in this game"
    keeps = dataclasses.replace(book, hands=dataclasses.replace(book.hands, discards=0))
    assert stays(keeps) == [stay]


def test_a_breach_of_a_box_or_of_the_dealer_is_on_the_record() -> None:
    by_box = follow(now(), "record-violation", case("early-pick-up", (2, 1)))
    assert by_box == [ev.Violated(what="early pick up", by="box 2", at=50, clause=C)]
    assert follow(now(), "record-violation", case("missed-burn")) == [
        ev.Violated(what="missed burn", by="dealer", at=50, clause=C)
    ]


# Questions


def asked(mishap: Mishap, of: str, boxes: tuple[int, ...] = (), what: str = "", *given: Any) -> ev.Asked:
    return ev.Asked(
        question=4, mishap=mishap, of=of, boxes=boxes, unregulated=bool(what), what=what, clause=C, given=given
    )


@pytest.mark.parametrize("book_id", ["section10", "exchange", "rws"])
def test_questions_go_to_whom_they_belong(book_id: str) -> None:
    book = load_book(book_id)
    last = book.void.last_word
    questions: list[tuple[Remedy, str, str]] = [
        ("ask-supervisor", "supervisor", ""),
        ("hold-deal", "supervisor", ""),
        ("ask-house", last, ""),
        ("choose-course", last, ""),
        ("unregulated", last, "the book has no rule for misdeal"),
    ]
    for then, of, what in questions:
        done = follow(now(book), then, case("misdeal", (1,), (3,), "one", "after-deal"))
        assert done == [replace(asked("misdeal", of, (1,), what, "after-deal", "one"), cards=(3,))]


def test_a_choice_is_offered_to_who_has_one() -> None:
    def offered(then: Remedy = "offer-choice", *boxes: int, **changes: Any) -> object:
        return follow(now(**changes), then, case("misdeal", boxes))

    def players(*boxes: int) -> list[ev.Event]:
        return [asked("misdeal", "players", boxes)]

    assert offered("offer-choice", 2) == players(2)
    assert offered() == players(1, 2)
    assert offered("offer-choice-to-all", 2) == players(1, 2)
    for decided in ({"choice": "fold"}, {"choice": "declare"}, {"left": True}, {"void": True}):
        assert offered(boxes=ann(**decided)) == players(2)
    assert offered("offer-choice", 1, boxes=ann(left=True)) == "there is nothing that it could change"
    assert offered(settled=True) == "the round is reckoned"
    assert offered("offer-choice", 1, settled=True, boxes=ann(cards=(0, 3))) == players(1)
    assert offered("offer-choice", 7, settled=True) == "the round is reckoned"
    assert offered(table=NO_ROUND) == "there is no round that it could change"
    assert offered("offer-choice-to-all", table=NO_ROUND) == "there is no round that it could change"


def test_hands_are_put_right_before_the_choice_is_offered() -> None:
    """The two hands lie in each other's places: both are moved, and both players may choose."""
    crossed = {1: replace(ANN, cards=BOB.cards), 2: replace(BOB, cards=ANN.cards)}
    moment = now(boxes=crossed, strayed=True)
    given = case("misdeal", (1,), (), "rebuildable")
    moved = follow(moment, "offer-choice", given)
    assert isinstance(moved, list)
    assert [type(one) for one in moved] == [ev.Rearranged, ev.Asked]
    assert dict(moved[0].hands)[box_place(1)] == ANN.cards  # type: ignore[union-attr]
    assert dict(moved[0].hands)[box_place(2)] == BOB.cards  # type: ignore[union-attr]
    assert moved[1].boxes == (1, 2)  # type: ignore[union-attr]
    # Whose cards went to another, and who has them, are both affected; a fault of another kind is of its box.
    assert follow(moment, "offer-choice", case("misdeal", (1,))) == [asked("misdeal", "players", (1, 2))]
    assert follow(moment, "offer-choice", case("dispute", (1,))) == [asked("dispute", "players", (1,))]
    fixed = now(boxes={1: replace(crossed[1], discard=1), 2: crossed[2]})
    stays = follow(fixed, "offer-choice", given)
    assert isinstance(stays, list)
    assert [type(one) for one in stays] == [ev.Asked]
    # A card too few is drawn, where it is named or known.
    short = now(boxes=ann(cards=ANN.cards[:-1]), sequence=tuple(range(14)), placed=14, strayed=True)
    assert isinstance(follow(short, "offer-choice", given), Refusal)
    named = follow(short, "offer-choice", case("misdeal", (1,), (40,), "rebuildable"))
    assert isinstance(named, list)
    assert named[0] == ev.Dealt(card=40, to=DEALER, clause=C)


def test_cards_that_are_dead_leave_a_question_where_stakes_still_hang_on_them() -> None:
    racked = [ev.Racked(what=Pile("hand", 1), cards=ANN.cards, clause=C)]
    what = "the stakes of box 1, whose cards are gone"
    question = asked("raked-cards", "supervisor", (1,), what)

    def dead(**changes: Any) -> object:
        return follow(now(**changes), "dead-cards", case("raked-cards", (1,)))

    assert dead() == [*racked, question]
    assert dead(boxes=ann(racked=True)) == [question]
    assert dead(boxes=ann(cards=(0, 3))) == [question]
    paid: dict[str, Any] = {"lines": LINES, "moved": frozenset({0, 1, 2}), "settled": True}
    assert dead(**paid) == racked
    assert dead(lines=LINES, moved=frozenset({0, 1}), settled=True) == [*racked, question]
    assert dead(lines=LINES, settled=True, boxes=ann(acts=frozenset({"turn-hand"}))) == racked
    assert dead(boxes=ann(acts=frozenset({"turn-hand"}))) == [*racked, question], "nothing is reckoned yet"
    others = {"lines": LINES[3:], "boxes": ann(acts=frozenset({"turn-hand"}))}
    assert dead(**others) == [*racked, question], "only another box is reckoned"
    early = tuple(replace(one, early=True) for one in LINES)
    assert dead(lines=early) == racked
    done = "those cards are in the rack, and their stakes are settled"
    assert dead(**paid | {"boxes": ann(racked=True)}) == done
    assert dead(boxes=ann(cards=())) == done
    assert follow(now(), "dead-cards", case("raked-cards")) == "no box is named"


def test_hands_that_may_not_be_looked_at_again_are_not_played_on() -> None:
    exchange = load_book("exchange")
    raked: dict[str, Any] = {"boxes": ann(racked=True)}
    gone = "the cards of box 1 may not be looked at again"
    then: Remedy
    for then in ("continue", "settle", "deemed-stay", "offer-choice", "return-stake"):
        assert follow(now(exchange, **raked), then, case("raked-cards", (1,))) == gone
    for then in ("void-hand", "void-round", "return-all-stakes", "void-round-and-remove-deck", "forfeit-wagers"):
        assert isinstance(follow(now(exchange, **raked), then, case("raked-cards", (1,))), list)
    for then in ("deemed-fold", "dead-cards", "refuse"):
        assert follow(now(exchange, **raked), then, case("raked-cards", (1,))) != gone
    for other in (
        follow(now(exchange, **raked), "continue", case("raked-cards", (2,))),
        follow(now(exchange, **raked), "continue", case("dispute", (1,))),
        follow(now(exchange), "continue", case("raked-cards", (1,))),
        follow(now(exchange, boxes=ann(racked=True, void=True)), "continue", case("raked-cards", (1,))),
        follow(now(exchange, table=NO_ROUND), "continue", case("raked-cards", (1,))),
        follow(now(BOOK, **raked), "continue", case("raked-cards", (1,))),
        follow(now(exchange, **raked, lines=LINES, moved=frozenset({0, 1, 2})), "continue", case("raked-cards", (1,))),
    ):
        assert other == []


def test_some_remedies_let_everything_lie() -> None:
    for then in GOES_ON:
        assert follow(now(), then, case("dispute", (1,))) == []
    assert {
        *("continue", "stands", "settle", "settle-at-maximum", "settle-as-staked", "no-effect"),
        *("raise-or-withdraw", "pay-at-last-value", "lose-ante", "may-raise", "record-stands"),
    } == GOES_ON


# Courses and decks


def test_the_courses_after_a_fault_give_back_what_they_do_not_take() -> None:
    fresh: dict[str, Any] = {
        "sequence": (),
        "placed": 0,
        "phase": "betting",
        "boxes": ann(sides=SIDES, bet=0, cards=()),
    }
    fault = case("jackpot-fault", (1, 7))
    closed = ev.CourseTaken(course="close-table", clause=C)
    sides = [back(1, "side", 100), back(1, "bonus", 50)]
    all_back = [back(1, "ante", 1000, RETURNS), back(1, "side", 100, RETURNS), back(1, "bonus", 50, RETURNS)]
    all_back += [back(2, "ante", 500, RETURNS)]
    assert follow(now(**fresh), "close-table", fault) == [closed, *all_back, *END]
    blocked = ev.CourseTaken(course="block-affected-box", boxes=(1, 7), clause=C)
    assert follow(now(**fresh), "block-affected-box", fault) == [
        *(blocked, back(1, "ante", 1000), *sides, ev.HandVoided(box=1, clause=C)),
    ]
    plain = ev.CourseTaken(course="play-without-jackpot", clause=C)
    assert follow(now(**fresh), "play-without-jackpot", fault) == [plain, *sides]
    for course, taken in (("close-table", closed), ("block-affected-box", blocked), ("play-without-jackpot", plain)):
        assert follow(now(), course, fault) == [taken], "cards are out: the round is played"  # type: ignore[arg-type]
        assert follow(now(table=NO_ROUND), course, fault) == [taken]  # type: ignore[arg-type]
    assert follow(now(), "block-affected-box", case("jackpot-fault")) == "no box is named that the fault affects"


def test_a_deck_that_is_not_being_dealt_is_mixed_cut_or_taken_away() -> None:
    def touched(then: Remedy, table: Table = TABLE, **changes: Any) -> object:
        return follow(now(table=table, **changes), then, case())

    fresh: dict[str, Any] = {"sequence": (), "placed": 0}
    assert touched("reshuffle", **fresh) == [ev.Unshuffled(deck="red", clause=C)]
    assert touched("recut", **fresh) == [ev.Uncut(deck="red", clause=C)]
    assert touched("remove-deck", **fresh) == [ev.DeckGone(deck="red", clause=C)]
    assert touched("reshuffle") == [ev.Unshuffled(deck="blue", clause=C)]
    assert touched("remove-deck") == [ev.DeckGone(deck="blue", clause=C)]
    assert touched("recut") == "no cut stands that could be made again"
    assert touched("reshuffle", phase="done") == [ev.Unshuffled(deck="red", clause=C)]
    alone = replace(TABLE, decks={"red": TABLE.decks["red"]})
    dealt = "the cards are being dealt, and no other deck is at the table"
    assert touched("reshuffle", alone) == dealt
    assert touched("reshuffle", replace(TABLE, decks={}, deck=None)) == dealt
    assert touched("reshuffle", replace(TABLE, deck=None), **fresh) == [ev.Unshuffled(deck="red", clause=C)]
    assert touched("reshuffle", replace(TABLE, deck="gone"), **fresh) == [ev.Unshuffled(deck="red", clause=C)]


# Cards


def short_dealer(**changes: Any) -> dict[str, Any]:
    return {"dealer": (2, 5, 8, 11), "sequence": tuple(range(14)), "placed": 14, **changes}


def test_a_dealers_hand_that_lacks_one_card_gets_it() -> None:
    def completed(book: Book = BOOK, *cards: int, **changes: Any) -> object:
        return follow(now(book, **changes), "complete-hand", case("dealer-miscount", (), cards))

    assert completed(BOOK, 40, **short_dealer()) == [ev.Dealt(card=40, to=DEALER, clause=C)]
    assert completed(BOOK, 40, 41, **short_dealer()) == [ev.Dealt(card=40, to=DEALER, clause=C)]
    assert isinstance(completed(BOOK, **short_dealer()), Refusal), "at a live table somebody names it"
    assert isinstance(completed(BOOK, 5, **short_dealer()), Refusal), "it is out"
    known = follow(now(shoe=tuple(range(52)), **short_dealer(sealed=True)), "complete-hand", case("dealer-miscount"))
    assert known == [ev.Dealt(card=14, to=DEALER, clause=C)]
    lacks = "the dealer's hand does not lack one card"
    assert completed() == lacks
    assert completed(BOOK, **short_dealer(dealer=(2, 5, 8))) == lacks
    assert completed(load_book("colorado-required"), dealer=(2, 5)) == lacks
    assert completed(BOOK, 40, **short_dealer(settled=True, phase="revealed")) == [
        ev.Dealt(card=40, to=DEALER, clause=C)
    ]
    racked = short_dealer(rack=((Pile("dealer"), (2, 5, 8, 11)),))
    assert completed(BOOK, 40, **racked) == "the dealer's cards are in the rack"
    none = "there is no round whose cards could move"
    assert completed(phase="betting") == none
    assert completed(table=NO_ROUND) == none
    # The last card of the dealer lies face up in some books, unless another does already.
    rws = load_book("washington")
    assert completed(rws, 40, **short_dealer(up=None)) == [ev.Dealt(card=40, to=DEALER, face="up", clause=C)]
    assert completed(rws, 40, **short_dealer()) == [ev.Dealt(card=40, to=DEALER, clause=C)]
    assert completed(BOOK, 40, **short_dealer(up=None)) == [ev.Dealt(card=40, to=DEALER, clause=C)]
    behind = short_dealer(up=None, boxes=ann(cards=ANN.cards[:-1]), placed=13, strayed=True)
    assert completed(rws, 40, **behind) == [ev.Dealt(card=40, to=DEALER, clause=C)], "box 1 is due"


MOVING: tuple[Remedy, ...] = ("discard-and-use-next", "replace-from-stub", "use-as-next", "becomes-up-card")


@pytest.mark.parametrize("then", MOVING)
def test_cards_move_only_while_they_can(then: Remedy) -> None:
    one = case("boxed-card", (), (40,))
    none = "there is no round whose cards could move"
    assert follow(now(phase="betting"), then, one) == none
    assert follow(now(table=NO_ROUND), then, one) == none
    assert follow(now(phase="done"), then, one) == none
    assert follow(now(settled=True), then, one) == "the round is reckoned: its cards do not move any more"


def test_a_card_is_laid_aside_and_the_next_takes_its_place() -> None:
    def aside(then: Remedy, *cards: int, **changes: Any) -> object:
        return follow(now(**changes), then, case("boxed-card", (), cards))

    out = ev.Rearranged(hands=((box_place(1), (0, 3, 9, 12)), (BOXED, (44, 6))), clause=C)
    held: dict[str, Any] = {"boxed": (44,), "sequence": (*range(15), 44)}
    assert aside("discard-and-use-next", 6, **held) == [out]
    assert aside("replace-from-stub", 6, 40, **held) == [out, ev.Dealt(card=40, to=box_place(1), clause=C)]
    assert isinstance(aside("replace-from-stub", 6, **held), Refusal)
    dealer = ev.Rearranged(hands=((DEALER, (2, 5, 8, 14)), (BOXED, (11,))), clause=C)
    assert aside("discard-and-use-next", 11) == [dealer]
    shared = ev.Rearranged(hands=((COMMUNITY, (45,)), (BOXED, (46,))), clause=C)
    assert aside("discard-and-use-next", 46, community=(45, 46), sequence=(*range(15), 45, 46)) == [shared]
    # A card of no hand comes off the deck; what lies in the rack is in no hand.
    off = [ev.Dealt(card=40, to=BOXED, clause=C)]
    assert aside("discard-and-use-next", 40) == off
    assert aside("replace-from-stub", 40) == off
    assert isinstance(aside("discard-and-use-next"), Refusal)
    assert isinstance(aside("discard-and-use-next", 6, rack=((Pile("hand", 1), ANN.cards),)), Refusal)
    sealed = now(sealed=True, shoe=tuple(range(52)))
    assert follow(sealed, "replace-from-stub", case("boxed-card")) == [ev.Dealt(card=15, to=BOXED, clause=C)]
    assert follow(sealed, "replace-from-stub", case("boxed-card", (), (6,))) == [
        ev.Rearranged(hands=((box_place(1), (0, 3, 9, 12)), (BOXED, (6,))), clause=C),
        ev.Dealt(card=15, to=box_place(1), clause=C),
    ]


def begun(**changes: Any) -> dict[str, Any]:
    """Both boxes have their first card; the dealer's is next."""
    boxes = {1: replace(ANN, cards=(0,), bet=0, choice=None), 2: replace(BOB, cards=(1,))}
    first = {"phase": "dealing", "boxes": boxes, "sequence": (0, 1), "placed": 2, "dealer": (), "up": None}
    return {**first, **changes}


def test_a_card_is_used_as_the_next_one() -> None:
    def used(book: Book = BOOK, *cards: int, **changes: Any) -> object:
        return follow(now(book, **changes), "use-as-next", case("boxed-card", (), cards))

    assert used(BOOK, 40, **begun()) == [ev.Dealt(card=40, to=DEALER, face="up", clause=C)]
    assert used(BOOK, 40, **begun(up=3)) == [ev.Dealt(card=40, to=DEALER, clause=C)]
    washington = load_book("washington")
    assert used(washington, 40, **begun()) == [ev.Dealt(card=40, to=DEALER, clause=C)]
    assert used(BOOK, 1, **begun()) == "the card lies where it was due"
    assert isinstance(used(BOOK, **begun()), Refusal)
    assert used(load_book("exchange"), 40, **begun()) == "the card comes with its hand"
    assert used(BOOK, 40) == "there is nothing that it could change", "every hand has its cards"


def test_the_first_card_is_burnt_where_the_book_burns_one() -> None:
    rws = load_book("rws")
    start: dict[str, Any] = {"sequence": (), "placed": 0, "phase": "closed", "dealer": (), "up": None}
    empty = {1: replace(ANN, cards=()), 2: replace(BOB, cards=())}
    first = [ev.Dealt(card=40, to=box_place(1), clause=C)]
    assert deal_next(now(rws, **start, boxes=empty), 40, C) == [ev.Dealt(card=40, to=BURN, clause=C)]
    assert deal_next(now(rws, **{**start, "burn": (44,), "sequence": (44,)}, boxes=empty), 40, C) == first
    assert deal_next(now(BOOK, **start, boxes=empty), 40, C) == first
    # Where the deal began without it, it is too late.
    assert deal_next(now(rws, **begun()), 40, C) == [ev.Dealt(card=40, to=DEALER, clause=C)]
    assert deal_next(now(), 40, C) == []


def test_a_card_of_the_dealers_that_was_seen_is_the_up_card() -> None:
    def seen(book: Book = BOOK, *cards: int, **changes: Any) -> object:
        return follow(now(book, **changes), "becomes-up-card", case("hole-card-exposed", (), cards))

    assert seen(BOOK, 8, 40) == [ev.UpCard(card=8, clause=C)]
    assert seen(BOOK, 40, **begun()) == [ev.Dealt(card=40, to=DEALER, face="up", clause=C)]
    assert seen(load_book("washington"), 40, **begun()) == [ev.Dealt(card=40, to=DEALER, face="up", clause=C)]
    assert isinstance(seen(BOOK, 1, **begun()), Refusal)
    next_is_not = "no card of the dealer's is next"
    assert seen(BOOK, 40) == next_is_not
    one = {1: replace(ANN, cards=(0,)), 2: replace(BOB, cards=())}
    assert seen(BOOK, 40, **begun(boxes=one, sequence=(0,), placed=1)) == next_is_not
    assert seen(load_book("colorado-required"), 8) == "there is no dealer's hand"
    which = seen(BOOK)
    assert isinstance(which, Refusal)
    assert (which.reason, which.clause) == ("which card of the dealer was seen?", "BASE-input")


def test_the_up_card_of_a_hand_that_comes_in_one_piece_is_in_it() -> None:
    book = load_book("exchange")
    order = (*ANN.cards, *BOB.cards, *range(20, 52))
    dealt: dict[str, Any] = {
        "sealed": True,
        "phase": "dealing",
        "sequence": order[:10],
        "placed": 10,
        "dealer": (),
        "up": None,
    }
    packet = [ev.Dealt(card=card, to=DEALER, clause=C) for card in range(20, 25)]
    moment = now(book, shoe=order, **dealt)
    assert follow(moment, "becomes-up-card", case("hole-card-exposed", (), (22,))) == [
        *packet,
        ev.UpCard(card=22, clause=C),
    ]
    wrong = follow(moment, "becomes-up-card", case("hole-card-exposed", (), (30,)))
    assert isinstance(wrong, Refusal)
    assert wrong.clause == "BASE-deck"
    assert isinstance(
        follow(now(book, **{**dealt, "sealed": False}), "becomes-up-card", case("hole-card-exposed", (), (22,))),
        Refusal,
    )


# Reconstruction


CROSSED = {1: replace(ANN, cards=BOB.cards), 2: replace(BOB, cards=ANN.cards)}
MEANT = ((box_place(1), ANN.cards), (box_place(2), BOB.cards), (DEALER, ROUND.dealer))


def test_hands_in_the_wrong_place_are_moved_to_the_right_one() -> None:
    def rebuilt(book: Book = BOOK, *cards: int, **changes: Any) -> object:
        return follow(now(book, **changes), "rebuild", case("misdeal", (), cards))

    moved = rebuilt(boxes=CROSSED)
    assert isinstance(moved, list)
    assert moved == [ev.Rearranged(hands=moved[0].hands, clause=C)]
    assert dict(moved[0].hands) == dict(MEANT)
    # A box that was dealt in without an ante has nothing.
    stray = {1: ANN, 2: replace(BOB, cards=()), 3: Box(number=3, player="", cards=BOB.cards)}
    emptied = rebuilt(boxes=stray)
    assert isinstance(emptied, list)
    assert dict(emptied[0].hands) == {**dict(MEANT), box_place(3): ()}
    # What is over is laid aside; what is missing is drawn.
    over = rebuilt(sequence=tuple(range(16)), boxes=ann(cards=(*ANN.cards, 15)))
    assert isinstance(over, list)
    assert dict(over[0].hands) == {**dict(MEANT), BOXED: (15,)}
    few: dict[str, Any] = {"sequence": tuple(range(14)), "boxes": ann(cards=(0, 3, 6, 9)), "dealer": (2, 5, 8, 11, 12)}
    drawn = rebuilt(BOOK, 14, **few)
    assert isinstance(drawn, list)
    assert drawn[0] == ev.Dealt(card=14, to=DEALER, clause=C)
    assert dict(drawn[1].hands) == dict(MEANT)
    assert isinstance(rebuilt(BOOK, **few), Refusal)
    assert rebuilt(settled=True) == "the round is reckoned"
    fixed = "a card has been exchanged or laid aside: who did plays on with what he holds"
    assert rebuilt(boxes=ann(give=3)) == fixed
    assert rebuilt(boxes=ann(discard=3)) == fixed
    assert rebuilt(table=NO_ROUND) == "there is no round whose cards could move"


def test_the_up_card_follows_a_reconstruction() -> None:
    swapped: dict[str, Any] = {"boxes": ann(cards=ROUND.dealer), "dealer": ANN.cards}
    for book_id, up in (("section10", 2), ("washington", 14)):
        done = follow(now(load_book(book_id), **swapped, up=0), "rebuild", case("misdeal"))
        assert isinstance(done, list)
        assert done[1:] == [ev.UpCard(card=up, clause=C)]
    same = follow(now(boxes=CROSSED), "rebuild", case("misdeal"))
    assert isinstance(same, list)
    assert len(same) == 1
    exchange = load_book("exchange")
    order = (*ROUND.dealer, *BOB.cards, *ANN.cards)
    packets: dict[str, Any] = {"boxes": CROSSED, "dealer": ROUND.dealer, "sequence": order}
    turned = follow(now(exchange, **packets, up=14), "rebuild", case("misdeal"))
    assert isinstance(turned, list)
    assert turned[1:] == [ev.UpCard(card=12, clause=C)]
    unturned = follow(now(exchange, **packets, up=None), "rebuild", case("misdeal"))
    assert isinstance(unturned, list)
    assert len(unturned) == 1


def test_hands_that_were_raked_in_are_brought_back_from_the_rack() -> None:
    rack = ((Pile("hand", 1), ANN.cards), (Pile("hand", 2), BOB.cards), (Pile("burn"), (44,)))
    brought = [ev.Racked(what=Pile("hand", 1), cards=ANN.cards, back=True, clause=C)]
    raked = case("raked-cards", (1,))
    assert follow(now(rack=rack), "rebuild", raked) == brought
    assert follow(now(rack=rack, settled=True), "rebuild", raked) == brought
    assert follow(now(load_book("exchange"), rack=rack), "rebuild", raked) == (
        "cards that were raked in are not brought back"
    )
    other = follow(now(rack=rack), "rebuild", case("misdeal", (1,)))
    assert isinstance(other, list)
    assert isinstance(other[0], ev.Rearranged)
    assert isinstance(follow(now(load_book("exchange"), rack=rack), "rebuild", case("misdeal", (1,))), list | Refusal)


MISPLACED: tuple[Mishap, ...] = (
    *("misdeal", "skipped-box", "empty-box-dealt", "player-miscount", "dealer-miscount", "dealing-error"),
)


def test_whether_whole_hands_lie_in_the_wrong_places() -> None:
    def current(**changes: Any) -> Round:
        return replace(ROUND, **changes)

    for mishap in MISPLACED:
        assert can_rebuild(BOOK, current(boxes=CROSSED), mishap) == "rebuildable"
        assert can_rebuild(BOOK, current(), mishap) is None, "all is right"
    assert can_rebuild(BOOK, current(boxes=CROSSED), "dispute") is None
    assert can_rebuild(BOOK, current(boxes=CROSSED, placed=0), "misdeal") is None
    assert can_rebuild(BOOK, current(boxes=CROSSED, settled=True), "misdeal") is None
    # Where the dealer's own place is concerned, a person decides, as long as the stub is there.
    dealers = current(boxes=ann(cards=ROUND.dealer), dealer=ANN.cards)
    assert can_rebuild(BOOK, dealers, "misdeal") == "rebuildable-from-stub"
    assert can_rebuild(BOOK, replace(dealers, rack=((Pile("stub"), ()),)), "misdeal") is None
    # A single card in another's hand is no whole hand.
    mixed = {1: replace(ANN, cards=(1, *ANN.cards[1:])), 2: replace(BOB, cards=(0, *BOB.cards[1:]))}
    assert can_rebuild(BOOK, current(boxes=mixed), "misdeal") is None
    assert can_rebuild(BOOK, current(boxes=ann(cards=ANN.cards[:-1]), sequence=tuple(range(14))), "misdeal") is None
    assert changed_boxes(BOOK, current(boxes=CROSSED)) == (1, 2)
    assert changed_boxes(BOOK, current()) == ()
    assert changed_boxes(BOOK, dealers) == (1,)


def test_how_many_cards_a_reconstruction_draws() -> None:
    def draws(book: Book = BOOK, mishap: Mishap = "misdeal", **changes: Any) -> int:
        return to_draw(book, replace(ROUND, **changes), mishap)

    assert draws() == 0
    assert draws(sequence=tuple(range(14))) == 1
    assert draws(sequence=tuple(range(15)), boxed=(3,)) == 1
    assert draws(sequence=tuple(range(20))) == 0
    assert draws(load_book("rws")) == 1, "a card was burnt"
    running: dict[str, Any] = {"sequence": tuple(range(12)), "dealer": (2, 5, 8, 11)}
    assert draws(**running) == 0
    assert draws(BOOK, "dealer-miscount", **running) == 3
    community = with_options(load_book("colorado-required"), {})
    assert isinstance(community, Book)
    assert draws(community, community=(1, 2, 3), sequence=tuple(range(8))) == 1
    assert draws(community, community=(1, 2), sequence=tuple(range(8))) == 0
