"""Remedies that ask somebody, let all lie, or change course or deck: their events, whole."""

from typing import Any

import pytest
from msgspec.structs import replace

from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Mishap, Remedy
from aceking.table import event as ev
from aceking.table.cards.place import DEALER, Pile, box_place
from aceking.table.mishaps.consequences import GOES_ON, apply_remedy
from aceking.table.state import TableState
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
)
from tests.table.moment import BOB

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
        done = apply_remedy(now(book), then, case("misdeal", (1,), (3,), "one", "after-deal"))
        assert done == [replace(asked("misdeal", of, (1,), what, "after-deal", "one"), cards=(3,))]


def test_a_choice_is_offered_to_who_has_one() -> None:
    def offered(then: Remedy = "offer-choice", *boxes: int, **changes: Any) -> object:
        return apply_remedy(now(**changes), then, case("misdeal", boxes))

    def players(*boxes: int) -> list[ev.TableEvent]:
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
    moved = apply_remedy(moment, "offer-choice", given)
    assert isinstance(moved, list)
    assert [type(one) for one in moved] == [ev.Rearranged, ev.Asked]
    assert dict(moved[0].hands)[box_place(1)] == ANN.cards  # type: ignore[union-attr]
    assert dict(moved[0].hands)[box_place(2)] == BOB.cards  # type: ignore[union-attr]
    assert moved[1].boxes == (1, 2)  # type: ignore[union-attr]
    # Whose cards went to another, and who has them, are both affected; a fault of another kind is of its box.
    assert apply_remedy(moment, "offer-choice", case("misdeal", (1,))) == [asked("misdeal", "players", (1, 2))]
    assert apply_remedy(moment, "offer-choice", case("dispute", (1,))) == [asked("dispute", "players", (1,))]
    fixed = now(boxes={1: replace(crossed[1], discard=1), 2: crossed[2]})
    stays = apply_remedy(fixed, "offer-choice", given)
    assert isinstance(stays, list)
    assert [type(one) for one in stays] == [ev.Asked]
    # A card too few is drawn, where it is named or known.
    short = now(boxes=ann(cards=ANN.cards[:-1]), sequence=tuple(range(14)), placed=14, strayed=True)
    assert isinstance(apply_remedy(short, "offer-choice", given), Refusal)
    named = apply_remedy(short, "offer-choice", case("misdeal", (1,), (40,), "rebuildable"))
    assert isinstance(named, list)
    assert named[0] == ev.Dealt(card=40, to=DEALER, clause=C)


def test_cards_that_are_dead_leave_a_question_where_stakes_still_hang_on_them() -> None:
    racked = [ev.Racked(what=Pile("hand", 1), cards=ANN.cards, clause=C)]
    what = "the stakes of box 1, whose cards are gone"
    question = asked("raked-cards", "supervisor", (1,), what)

    def dead(**changes: Any) -> object:
        return apply_remedy(now(**changes), "dead-cards", case("raked-cards", (1,)))

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
    assert apply_remedy(now(), "dead-cards", case("raked-cards")) == "no box is named"


def test_hands_that_may_not_be_looked_at_again_are_not_played_on() -> None:
    exchange = load_book("exchange")
    raked: dict[str, Any] = {"boxes": ann(racked=True)}
    gone = "the cards of box 1 may not be looked at again"
    then: Remedy
    for then in ("continue", "settle", "deemed-stay", "offer-choice", "return-stake"):
        assert apply_remedy(now(exchange, **raked), then, case("raked-cards", (1,))) == gone
    for then in ("void-hand", "void-round", "return-all-stakes", "void-round-and-remove-deck", "forfeit-wagers"):
        assert isinstance(apply_remedy(now(exchange, **raked), then, case("raked-cards", (1,))), list)
    for then in ("deemed-fold", "dead-cards", "refuse"):
        assert apply_remedy(now(exchange, **raked), then, case("raked-cards", (1,))) != gone
    for other in (
        apply_remedy(now(exchange, **raked), "continue", case("raked-cards", (2,))),
        apply_remedy(now(exchange, **raked), "continue", case("dispute", (1,))),
        apply_remedy(now(exchange), "continue", case("raked-cards", (1,))),
        apply_remedy(now(exchange, boxes=ann(racked=True, void=True)), "continue", case("raked-cards", (1,))),
        apply_remedy(now(exchange, table=NO_ROUND), "continue", case("raked-cards", (1,))),
        apply_remedy(now(BOOK, **raked), "continue", case("raked-cards", (1,))),
        apply_remedy(
            now(exchange, **raked, lines=LINES, moved=frozenset({0, 1, 2})), "continue", case("raked-cards", (1,))
        ),
    ):
        assert other == []


def test_some_remedies_let_everything_lie() -> None:
    for then in GOES_ON:
        assert apply_remedy(now(), then, case("dispute", (1,))) == []
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
    assert apply_remedy(now(**fresh), "close-table", fault) == [closed, *all_back, *END]
    blocked = ev.CourseTaken(course="block-affected-box", boxes=(1, 7), clause=C)
    assert apply_remedy(now(**fresh), "block-affected-box", fault) == [
        *(blocked, back(1, "ante", 1000), *sides, ev.HandVoided(box=1, clause=C)),
    ]
    plain = ev.CourseTaken(course="play-without-jackpot", clause=C)
    assert apply_remedy(now(**fresh), "play-without-jackpot", fault) == [plain, *sides]
    for course, taken in (("close-table", closed), ("block-affected-box", blocked), ("play-without-jackpot", plain)):
        assert apply_remedy(now(), course, fault) == [taken], "cards are out: the round is played"  # type: ignore[arg-type]
        assert apply_remedy(now(table=NO_ROUND), course, fault) == [taken]  # type: ignore[arg-type]
    assert apply_remedy(now(), "block-affected-box", case("jackpot-fault")) == "no box is named that the fault affects"


def test_a_deck_that_is_not_being_dealt_is_mixed_cut_or_taken_away() -> None:
    def touched(then: Remedy, table: TableState = TABLE, **changes: Any) -> object:
        return apply_remedy(now(table=table, **changes), then, case())

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
