"""What players choose who are asked whether they go on."""

from typing import Any

import pytest
from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Circumstance, Remedy
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.mishaps.answers import choose
from aceking.table.moment import Done, Moment
from aceking.table.state import Question
from tests.table.mishaps.asking import asked, back, question
from tests.table.moment import ANN, BOB, NO_ROUND, ROUND, RWS, SECTION10, boxes, dealing, moment


def offered(*named: int, **more: Any) -> Question:
    return question("misdeal", *named, of="players", **more)


def chose(now: Moment, box: int = 1, number: int = 3, *, go_on: bool) -> Done:
    return choose(now, c.Choose(question=number, box=box, go_on=go_on))


def chosen(box: int, clause: str, *, closes: bool, go_on: bool) -> ev.Answered:
    then: Remedy = "continue" if go_on else "void-hand"
    return ev.Answered(question=3, then=then, by="Sue", box=box, closes=closes, clause=clause)


@pytest.mark.parametrize(
    ("book", "given", "on", "out"),
    [
        (RWS, ("rebuildable",), "RWS-5.10.2", "RWS-5.10.3"),
        (RWS, ("rebuildable-from-stub",), "RWS-5.10.1", "RWS-5.10.3"),
        (RWS, (), "RWS-5.10.1", "RWS-5.10.3"),
        (RWS, ("not-rebuildable",), "RWS-5.10.1", "RWS-5.10.3"),
        (SECTION10, ("rebuildable",), "Q", "Q"),
    ],
)
def test_who_is_asked_goes_on_or_has_the_stakes_back(
    book: Book, given: tuple[Circumstance, ...], on: str, out: str
) -> None:
    both = asked(offered(1, 2, given=given), book)
    assert chose(both, go_on=True) == [chosen(1, on, closes=False, go_on=True)]
    assert chose(both, 2, go_on=True) == [chosen(2, on, closes=False, go_on=True)]
    gone = [back(1, "ante", 1000, out), ev.HandVoided(box=1, clause=out)]
    assert chose(both, go_on=False) == [chosen(1, out, closes=False, go_on=False), *gone]
    last = asked(offered(1, given=given), book)
    assert chose(last, go_on=True) == [chosen(1, on, closes=True, go_on=True)]
    assert chose(last, go_on=False) == [chosen(1, out, closes=True, go_on=False), *gone]


def test_where_nobody_is_left_the_round_ends_without_a_result() -> None:
    alone = asked(offered(1), SECTION10, boxes=boxes(bob={"void": True}))
    done = chose(alone, go_on=False)
    assert isinstance(done, list)
    assert [type(one) for one in done] == [
        *(ev.Answered, ev.Returned, ev.HandVoided, ev.RoundVoided, ev.Unshuffled, ev.RoundEnded),
    ]
    # While bets are open others may still come.
    open_bets = asked(offered(1), SECTION10, **dealing(0, phase="betting", boxes={1: replace(ANN, cards=())}))
    early = chose(open_bets, go_on=False)
    assert isinstance(early, list)
    assert [type(one) for one in early] == [ev.Answered, ev.Returned, ev.HandVoided]


def test_who_is_not_asked_has_nothing_to_choose() -> None:
    none = Refusal("there is no such choice to make", "BASE-question")
    now = asked(offered(1), RWS)
    assert chose(now, 2, go_on=True) == Refusal("that box is not asked, or has chosen", "Q")
    assert chose(now, 7, go_on=True) == none
    assert chose(now, 1, 4, go_on=True) == none
    assert chose(asked(question("misdeal", 1), RWS), go_on=True) == none, "it is the supervisor's"
    assert chose(asked(offered(1), table=NO_ROUND), go_on=True) == none
    for over in ("done", "void"):
        assert chose(asked(offered(1), phase=over), go_on=True) == none


def test_who_has_chosen_to_go_on_takes_what_comes() -> None:
    words = "a player who has chosen to go on takes what comes"
    went: dict[str, Any] = {"went_on": frozenset({1})}
    binding = Refusal(words, "RWS-5.10#binding")
    assert chose(asked(offered(2), RWS, **went), go_on=False) == binding
    assert chose(moment(RWS, **went), go_on=False) == binding, "whatever question it was"
    assert chose(moment(SECTION10, **went), go_on=False) == Refusal(words, "BASE-question")
    assert chose(asked(offered(2), RWS, **went), go_on=True) == Refusal("that box is not asked, or has chosen", "Q")
    assert chose(moment(RWS), go_on=False) == Refusal("there is no such choice to make", "BASE-question")
    # About another mishap the player is asked again.
    again = chose(asked(offered(1, 2), RWS, **went), go_on=False)
    assert isinstance(again, list)
    assert again[0] == chosen(1, "RWS-5.10.3", closes=False, go_on=False)


def test_who_has_decided_or_has_no_whole_hand_cannot_go_on_with_it() -> None:
    for choice in ("fold", "declare"):
        for go_on in (True, False):
            decided = asked(offered(1, 2), SECTION10, boxes=boxes(ann={"choice": choice}))
            assert chose(decided, go_on=go_on) == Refusal("box 1 has decided", "Q")
    bets = asked(offered(1, 2), SECTION10, boxes=boxes(ann={"choice": "bet"}))
    assert isinstance(chose(bets, go_on=True), list)
    for own in (ANN.cards[:4], (*ANN.cards, 40)):
        short = asked(offered(1, 2), SECTION10, boxes=boxes(ann={"cards": own}))
        assert chose(short, go_on=True) == Refusal("there is no whole hand to go on with", "Q")
        assert isinstance(chose(short, go_on=False), list)
    running = asked(offered(1, 2), SECTION10, **dealing(7))
    assert isinstance(chose(running, go_on=True), list), "its cards are still to come"


def test_the_moments_of_these_tests_are_moments_of_a_table() -> None:
    """The hands are those of the order in which the cards fell."""
    assert {1: ANN.cards, 2: BOB.cards} == {number: box.cards for number, box in dealing(15)["boxes"].items()}
    assert dealing(15)["dealer"] == ROUND.dealer
