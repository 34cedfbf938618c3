"""What events of lines and mishaps change: the table before and after, whole, so that nothing else moves with it."""

from typing import Any

import pytest
from msgspec.structs import replace

from aceking.award.steps import Award
from aceking.rules.words import ActName, Remedy
from aceking.settlement.lines import Line
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.place import ASIDE, DEALER, STUB, Pile, box_place
from aceking.table.evolve import evolve
from aceking.table.state import Question, RecordedMishap, SideWager
from tests.table.evolving.before import (
    ANN,
    ASKED,
    AWARD,
    BONUS,
    LOST,
    ONCE,
    ONCE_UNTIL_IDLE,
    PUSHED,
    ROUND,
    SIDE_LOST,
    TABLE,
    TO_HOUSE,
    WON,
    with_ann,
    with_deck,
    with_round,
)

# Lines


def test_what_is_reckoned_stands_beside_or_instead_of_what_was() -> None:
    before = with_round(lines=(WON,), from_meter={2: 10}, moved=frozenset({0}))
    more = evolve(before, ev.RoundSettled(lines=(LOST, AWARD), from_meter={1: 7000}))
    assert more == with_round(before, lines=(WON, LOST, AWARD), from_meter={1: 7000, 2: 10})
    assert evolve(with_round(before, phase="revealed"), ev.RoundSettled(lines=())) == with_round(
        before, phase="revealed", settled=True
    )
    same = Award(seat=1, hand="flush", dealer="Dee", amount=7500, step="verified", verifier="Sue")
    gone = Award(seat=2, hand="flush", dealer="Dee", amount=5000)
    event = ev.RoundSettled(
        lines=(LOST, AWARD, replace(PUSHED, outcome="win")), from_meter={1: 7000}, again=True, moved=(1,)
    )
    expected = with_round(before, lines=event.lines, from_meter={1: 7000}, moved=frozenset({1}), awards={1: same})
    assert evolve(with_round(before, awards={1: same, 2: gone}), event) == expected
    # What was confirmed for another amount is to be done again.
    other = evolve(with_round(before, awards={1: replace(same, amount=100)}), event).round
    assert other is not None
    assert other.awards == {1: Award(seat=1, hand="flush", dealer="Dee", amount=7500)}
    lost = evolve(with_round(before, awards={1: same}), replace(event, lines=(SIDE_LOST, BONUS))).round
    assert lost is not None
    assert lost.awards == {}


IN_TRAY = {"sides": {"side": SideWager(100, trayed=True)}}
MOVES: list[tuple[Line, dict[str, Any], dict[str, int]]] = [
    (WON, {}, {"tray": -1000, "layout": -1000, "Ann": 2000}),
    (LOST, {}, {"layout": -2000, "tray": 2000}),
    (PUSHED, {}, {"layout": -500, "Bob": 500}),
    (AWARD, {}, {"meter": -7000, "tray": -400, "layout": -100, "Ann": 7500}),
    (AWARD, IN_TRAY, {"meter": -7000, "tray": -500, "Ann": 7500}),
    (SIDE_LOST, {}, {"layout": -100, "tray": 100}),
    (SIDE_LOST, IN_TRAY, {}),
    (BONUS, {}, {"tray": -700, "layout": -100, "Ann": 800}),
    (BONUS, IN_TRAY, {"tray": -800, "Ann": 800}),
    (replace(WON, outcome="returned", pays=0), {}, {"layout": -1000, "Ann": 1000}),
    (replace(LOST, outcome="void"), IN_TRAY, {"layout": -2000, "Ann": 2000}),
]


@pytest.mark.parametrize(("line", "box", "moves"), MOVES)
def test_the_chips_of_a_line_go_their_way_and_back(line: Line, box: dict[str, Any], moves: dict[str, int]) -> None:
    table = with_ann(with_round(lines=(PUSHED, line), from_meter={1: 7000}, moved=frozenset({0})), **box)
    after = evolve(table, ev.Moved(line=1))
    gained = {name: after.accounts.get(name, 0) - table.accounts.get(name, 0) for name in after.accounts}
    assert {name: amount for name, amount in gained.items() if amount} == moves
    assert replace(after, accounts=table.accounts) == with_round(table, moved=frozenset({0, 1}))
    back = evolve(after, ev.Unmoved(line=1))
    assert {name: amount for name, amount in back.accounts.items() if amount} == TABLE.accounts
    assert replace(back, accounts=table.accounts) == table


def test_an_award_is_picked_taken_back_and_lost() -> None:
    picked = Award(seat=1, hand="flush", dealer="Dee", amount=7500)
    other = Award(seat=2, hand="flush", dealer="Dee", amount=5000)
    event = ev.Selected(box=1, hand="flush", by="Dee", amount=7500)
    assert evolve(with_round(awards={2: other}), event) == with_round(awards={1: picked, 2: other})
    done: frozenset[ActName] = frozenset(
        {"call-supervisor", "supervisor-validated", "card-swipe", "win-page", "pay-award", "documentation-complete"}
    )
    far = with_ann(with_round(awards={1: picked, 2: other}, documented=frozenset({1, 2})), acts=done | {"turn-hand"})
    back = evolve(far, replace(event, hand=None))
    assert back == with_ann(with_round(awards={2: other}, documented=frozenset({2})), acts=frozenset({"turn-hand"}))
    lost = evolve(TABLE, ev.AwardLost(box=1))
    assert lost == with_ann(unawarded=True)
    assert evolve(lost, ev.AwardLost(box=1, back=True)) == TABLE


def test_cards_go_to_the_rack_and_out_of_it() -> None:
    hand = evolve(TABLE, ev.Racked(what=Pile("hand", 1), cards=ANN.cards))
    racked = with_deck(table=with_round(with_ann(racked=True), rack=((Pile("hand", 1), ANN.cards),)), racked=True)
    assert hand == racked
    stub = evolve(hand, ev.Racked(what=STUB, count=40, exposed=True))
    assert stub == with_round(racked, rack=((Pile("hand", 1), ANN.cards), (STUB, ())), stub_exposed=True)
    assert evolve(stub, ev.Racked(what=Pile("burn"), cards=(20,))).round == replace(
        stub.round,  # type: ignore[type-var]
        rack=(*stub.round.rack, (Pile("burn"), (20,))),  # type: ignore[union-attr]
    )
    back = evolve(stub, ev.Racked(what=Pile("hand", 1), cards=ANN.cards, back=True))
    assert back == with_round(with_ann(stub, racked=False), rack=((STUB, ()),))
    without = with_round(deck=None)
    assert evolve(without, ev.Racked(what=Pile("burn"), cards=(20,))) == with_round(
        without, rack=((Pile("burn"), (20,)),)
    )


def test_a_round_is_void_or_ends() -> None:
    held = replace(TABLE, questions=(ASKED,), suspended="an award")
    assert evolve(held, ev.RoundVoided()) == with_round(phase="void")
    kept = ONCE | ONCE_UNTIL_IDLE
    ended = with_deck(acts=kept, shuffled=None, sealed=False, rounds_uncounted=3)
    ended = replace(ended, rounds=7, last_deck="red", rounds_uncounted=4, clock=130)
    asked = replace(TABLE, questions=(ASKED,))
    assert evolve(asked, ev.RoundEnded(at=130)) == with_round(ended, phase="done")
    assert evolve(replace(asked, clock=200), ev.RoundEnded(at=130)).clock == 200
    void = with_round(phase="void")
    assert evolve(void, ev.RoundEnded(at=130)) == with_round(ended, phase="void")
    counted = with_deck("red", ended, rounds_uncounted=0)
    assert evolve(TABLE, ev.RoundEnded(at=130, counted=True)) == with_round(
        replace(counted, rounds_uncounted=0), phase="done"
    )
    for none in (replace(TABLE, deck=None), replace(TABLE, deck="green")):
        after = evolve(none, ev.RoundEnded(at=130))
        assert after == with_round(replace(ended, decks=TABLE.decks, deck=none.deck), phase="done")


# Mishaps


def test_breaches_rulings_and_questions_are_on_the_record() -> None:
    broken = evolve(TABLE, ev.Violated(what="w", by="Dee", at=130))
    assert broken == replace(TABLE, violations=1)
    assert evolve(broken, ev.Violated(what="w", by="Dee", at=130)).violations == 2
    ruled = ev.Ruled(mishap="misdeal", given=("one",), then="void-round", boxes=(1,), cards=(3,), clause="C")
    found = RecordedMishap("misdeal", (1,), (3,), "C")
    assert evolve(TABLE, ruled) == with_round(found=(found,))
    assert evolve(with_round(found=(found,)), ruled) == with_round(found=(found, found))
    bare = replace(TABLE, round=None)
    assert evolve(bare, ruled) == bare
    asked = ev.Asked(
        question=4,
        mishap="misdeal",
        of="house",
        boxes=(1,),
        cards=(3,),
        unregulated=True,
        given=("one",),
        clause="C",
        what="what",
        record="record",
    )
    question = Question(4, "misdeal", "house", "C", (1,), (3,), unregulated=True, given=("one",), what="what")
    first = replace(TABLE, questions=(TO_HOUSE,))
    assert evolve(first, asked) == replace(TABLE, questions=(TO_HOUSE, replace(question, record="record")), asked=4)


LIMITS = ("uncovered", "over-maximum", "under-minimum", "bet-over", "bet-under")
LET_STAND: tuple[Remedy, ...] = ("stands", "settle", "settle-as-staked", "continue")


def test_an_answer_closes_its_question_and_lets_stand_what_it_lets_stand() -> None:
    both = replace(TABLE, questions=(ASKED, TO_HOUSE))
    for mishap in (*LIMITS, "misdeal", "dispute"):
        question = replace(TO_HOUSE, mishap=mishap)
        for then in (*LET_STAND, "void-hand", "return-stake"):
            after = evolve(replace(TABLE, questions=(ASKED, question)), ev.Answered(question=6, then=then, by="Sue"))
            waived = mishap in LIMITS and then in LET_STAND
            expected = with_round(replace(TABLE, questions=(ASKED,)), waived=waived, turn_at=TABLE.clock)
            assert after == expected, (mishap, then)
    waited = with_round(turn_at=TABLE.clock)
    on = evolve(both, ev.Answered(question=4, then="continue", by="Ann", box=1, closes=False))
    one_left = replace(waited, questions=(replace(ASKED, boxes=(2,)), TO_HOUSE))
    assert on == with_round(one_left, went_on=frozenset({1}))
    last = evolve(on, ev.Answered(question=4, then="continue", by="Bob", box=2))
    assert last == with_round(replace(waited, questions=(TO_HOUSE,)), went_on=frozenset({1, 2}))
    out = evolve(both, ev.Answered(question=4, then="void-hand", by="Ann", box=1, closes=False))
    assert out == one_left
    # Nobody's time runs while play waits for an answer; a claim against the record stops nothing.
    claim = replace(TABLE, questions=(replace(TO_HOUSE, record="five cards"),))
    assert evolve(claim, ev.Answered(question=6, then="record-stands", by="Sue")) == TABLE
    late = with_round(replace(TABLE, questions=(TO_HOUSE,)), turn_at=TABLE.clock + 1)
    later = with_round(turn_at=TABLE.clock + 1)
    assert evolve(late, ev.Answered(question=6, then="return-stake", by="Sue")) == later
    # An answer to a question that is not open changes nothing.
    assert evolve(both, ev.Answered(question=9, then="continue", by="Sue")) == both
    bare = replace(TABLE, round=None, questions=(replace(TO_HOUSE, mishap="uncovered"),))
    assert evolve(bare, ev.Answered(question=6, then="continue", by="Sue")) == replace(bare, questions=())


def corrected(now: c.Correction) -> ev.Corrected:
    return ev.Corrected(now=now, by="Sue", reason="seen")


def test_a_record_that_is_corrected_says_what_was() -> None:
    was = with_round(aside=(45, 46), sequence=(*ROUND.sequence, 45, 46))
    after = evolve(was, corrected(c.HandWas(place=box_place(1), cards=(1, 2, 3, 4, 46))))
    expected = with_round(with_ann(was, cards=(1, 2, 3, 4, 46)), aside=(45, 5), strayed=True)
    assert after == expected
    dealer = evolve(TABLE, corrected(c.HandWas(place=DEALER, cards=(47,))))
    assert dealer == with_round(dealer=(47,), aside=(31,), sequence=(*ROUND.sequence, 47), strayed=True)
    for card, left in ((5, None), (1, 1)):
        laid = evolve(with_ann(discard=card), corrected(c.HandWas(place=box_place(1), cards=(1, 2, 3, 4))))
        assert laid == with_round(with_ann(discard=left, cards=(1, 2, 3, 4)), aside=(5,), placed=7, strayed=True)
    assert evolve(TABLE, corrected(c.LookWas(box=1, seen=True))) == with_ann(seen=True)
    assert evolve(with_ann(seen=True), corrected(c.LookWas(box=1, seen=False))) == TABLE
    dark = {"side": SideWager(100, lit=False), "bonus": SideWager(50, lit=False)}
    assert evolve(TABLE, corrected(c.LightWas(box=1, lit=False))) == with_ann(sides=dark)
    light = {"side": SideWager(100), "bonus": SideWager(50)}
    assert evolve(TABLE, corrected(c.LightWas(box=1, lit=True))) == with_ann(sides=light)


def test_cards_that_are_corrected_in_the_rack_lie_there_as_they_were_found() -> None:
    rack = ((Pile("burn"), (20,)), (Pile("hand", 1), ANN.cards), (Pile("aside"), (45,)))
    table = with_round(rack=rack, aside=(45,), sequence=(*ROUND.sequence, 45))
    after = evolve(table, corrected(c.HandWas(place=box_place(1), cards=(1, 2, 3, 4)))).round
    assert after is not None
    assert after.rack == ((Pile("burn"), (20,)), (Pile("hand", 1), (1, 2, 3, 4)), (Pile("aside"), (45, 5)))
    found = evolve(table, corrected(c.HandWas(place=box_place(1), cards=(*ANN.cards, 45)))).round
    assert found is not None
    assert found.rack == ((Pile("burn"), (20,)), (Pile("hand", 1), (*ANN.cards, 45)))
    elsewhere = evolve(table, corrected(c.HandWas(place=box_place(2), cards=(11,)))).round
    assert elsewhere is not None
    assert elsewhere.rack == rack
    assert elsewhere.held(ASIDE) == (45, 12)
