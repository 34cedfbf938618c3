"""What the record says of looks, players, chips and lights, on both sides of each condition, in its whole words."""

from typing import Any

import pytest
from msgspec.structs import replace

from aceking.cards.card import cards
from aceking.settlement.lines import Line
from aceking.table.moment import Moment
from aceking.table.state import Box, RecordedMishap, SideWager
from tests.table.mishaps.record import says
from tests.table.moment import ANN, COLORADO, DARK, EXCHANGE, RWS, SECTION10, SIDE, TABLE, boxes, moment

# Looks and players


def test_a_look_is_too_early_until_the_players_may_pick_up() -> None:
    no_look, seen = "the record has no look at that box", boxes(ann={"seen": True})
    may = "the players have been told that they may pick up"
    allowed = frozenset({"stub-to-rack"})
    assert says(moment(boxes=seen), "early-pick-up", 1) is None
    assert says(moment(boxes=seen), "early-pick-up", 2) == no_look
    assert says(moment(boxes=seen), "early-pick-up", 1, 2) is None
    assert says(moment(boxes=seen), "early-pick-up") is None
    assert says(moment(), "early-pick-up") == no_look
    assert says(moment(boxes=seen, acts=allowed), "early-pick-up", 1) == may
    assert says(moment(boxes=seen, acts=allowed), "early-pick-up", 2) == no_look
    assert says(moment(EXCHANGE, boxes=seen, acts=allowed), "early-pick-up", 1) is None
    assert says(moment(EXCHANGE, boxes=seen, acts=frozenset({"go-ahead"})), "early-pick-up", 1) == may


def test_a_second_look_is_at_a_further_hand_of_who_has_seen_one() -> None:
    none = "the record has no look at a further hand there"

    def hers(one: bool, other: bool, *found: RecordedMishap, **more: Any) -> Moment:
        third = replace(ANN, number=3, cards=(40, 41, 42, 43, 44), seen=other, **more)
        return moment(RWS, boxes=boxes(third, ann={"seen": one}, bob={"seen": True}), found=found)

    assert says(hers(True, True), "second-look", 3) is None
    assert says(hers(True, True), "second-look", 1) is None
    assert says(hers(True, True), "second-look", 2) == none
    assert says(hers(True, True), "second-look", 2, 3) is None
    assert says(hers(True, False), "second-look", 3) == none
    assert says(hers(True, False), "second-look", 1) == none
    assert says(hers(False, True), "second-look", 3) == none
    assert says(hers(True, True), "second-look") == none
    assert says(hers(True, True, ante=0), "second-look", 1) == none, "a box outside of the round is nobody's hand"
    # Box 3 was the further one: the other was her first.
    further = RecordedMishap("second-look", (3,))
    assert says(hers(True, True, further), "second-look", 1) == none
    assert says(hers(True, True, further), "second-look", 3) is None
    assert says(hers(True, True, RecordedMishap("misdeal", (3,))), "second-look", 1) is None


def test_only_a_player_who_has_exchanged_can_pick_up_a_given_card() -> None:
    gave: dict[str, Any] = {"give": 0, "choice": "bet"}
    assert says(moment(EXCHANGE, boxes=boxes(ann=gave)), "discard-picked-up", 1) is None
    assert says(moment(EXCHANGE, boxes=boxes(ann=gave)), "discard-picked-up", 1, 2) is None
    not_exchanged = "that box has not exchanged a card"
    assert says(moment(EXCHANGE, boxes=boxes(ann=gave)), "discard-picked-up", 2) == not_exchanged
    assert says(moment(EXCHANGE, boxes=boxes(ann=gave)), "discard-picked-up") == not_exchanged
    folded = boxes(ann={**gave, "choice": "fold"})
    assert says(moment(EXCHANGE, boxes=folded), "discard-picked-up", 1) == "that hand is given up"
    assert says(moment(EXCHANGE, boxes=folded), "discard-picked-up", 1, 2) is None
    lines = (Line(1, "ante", 1000, "win", 1000, "W"), Line(2, "ante", 500, "lose", 0, "L"))
    done = "that hand is finished, and its chips have moved"

    def moved(*places: int, early: bool = False) -> str | None:
        told = tuple(replace(one, early=early) for one in lines)
        now = moment(EXCHANGE, boxes=boxes(ann=gave), lines=told, moved=frozenset(places))
        return says(now, "discard-picked-up", 1)

    assert moved(0) == done
    assert moved(0, 1) == done
    assert moved(1) is None
    assert moved() is None
    assert moved(0, early=True) is None
    both = moment(EXCHANGE, boxes=boxes(ann=gave), lines=lines, moved=frozenset({0}))
    assert says(both, "discard-picked-up", 1, 2) is None, "only one of the two is finished"


def test_only_a_hand_that_was_dealt_can_have_been_raked_in() -> None:
    none = "no card has been dealt there"
    bare = boxes(ann={"cards": ()})
    assert says(moment(boxes=bare), "raked-cards", 1) == none
    assert says(moment(boxes=bare), "raked-cards", 2) is None
    assert says(moment(boxes=bare), "raked-cards", 1, 2) is None
    assert says(moment(boxes=bare), "raked-cards") is None
    assert says(moment(boxes=boxes(ann={"cards": ()}, bob={"cards": ()})), "raked-cards") == none
    assert says(moment(boxes=bare), "raked-cards", 7) == none


def test_who_has_seen_a_major_hand_and_kept_quiet() -> None:
    """Page 25: a royal flush or a straight flush is declared at once."""
    quiet = "nobody there has seen such a hand and kept quiet"

    def holds(book: Any = EXCHANGE, **changes: Any) -> str | None:
        hand: dict[str, Any] = {"cards": cards("As Ks Qs Js Ts"), "seen": True, **changes}
        return says(moment(book, boxes=boxes(ann=hand)), "major-hand-undeclared", 1)

    assert holds() is None
    assert holds(cards=cards("9s Ks Qs Js Ts")) is None
    assert holds(cards=cards("2c 2d 2h 2s Ts")) == quiet
    assert holds(seen=False) == quiet
    assert holds(claimed=True) == quiet
    assert holds(give=3) == quiet
    assert holds(RWS) == quiet
    royal = moment(EXCHANGE, boxes=boxes(ann={"cards": cards("As Ks Qs Js Ts"), "seen": True}))
    assert says(royal, "major-hand-undeclared", 2, 1) is None
    assert says(royal, "major-hand-undeclared", 2) == quiet
    assert says(royal, "major-hand-undeclared") == quiet


def test_a_decision_is_owed_while_decisions_are_made() -> None:
    none = "that box owes no decision"
    assert says(moment(), "no-decision", 1) is None
    assert says(moment(), "no-decision") == none
    assert says(moment(phase="dealing"), "no-decision", 1) == none
    assert says(moment(boxes=boxes(ann={"choice": "bet"})), "no-decision", 1) == none
    assert says(moment(boxes=boxes(ann={"bet": 2000})), "no-decision", 1) == none
    assert says(moment(boxes=boxes(ann={"bet": 2000})), "no-decision", 1, 2) is None


def test_who_walks_away_had_a_stake_in_a_round_that_runs() -> None:
    assert says(moment(), "walk-away", 1) is None
    assert says(moment(), "walk-away") is None
    assert says(moment(), "walk-away", 7) == "nobody plays there"
    assert says(moment(), "walk-away", 7, 2) is None
    nobody = Box(number=3, player="", cards=(40,))
    assert says(moment(boxes=boxes(nobody)), "walk-away", 3) == "nobody plays there"
    for phase in ("done", "void"):
        assert says(moment(phase=phase), "walk-away", 1) == "the round is over"
        assert says(moment(phase=phase), "walk-away") == "the round is over"


# Chips and lights


@pytest.mark.parametrize(
    ("amount", "over", "under"), [(499, False, True), (500, False, False), (800, False, False), (801, True, False)]
)
def test_an_ante_is_outside_the_limits_from_the_first_chip_beyond(amount: int, *, over: bool, under: bool) -> None:
    limited = replace(TABLE, ante_min=500, ante_max=800)
    staked = boxes(ann={"ante": amount}, bob={"ante": 600})
    assert says(moment(table=limited, boxes=staked), "over-maximum", 1) == (None if over else "no ante is over it")
    assert says(moment(table=limited, boxes=staked), "under-minimum", 1) == (None if under else "no ante is under it")
    assert says(moment(table=limited, boxes=staked), "over-maximum", 2) == "no ante is over it"
    assert says(moment(table=limited, boxes=staked), "under-minimum", 2) == "no ante is under it"
    assert says(moment(table=limited, boxes=staked), "over-maximum", 1, 2) == (None if over else "no ante is over it")
    assert says(moment(table=limited, boxes=staked), "under-minimum", 2, 1) == (
        None if under else "no ante is under it"
    )
    assert says(moment(boxes=staked), "over-maximum", 1) == "no ante is over it", "nothing is posted"
    assert says(moment(boxes=staked), "under-minimum", 1) == "no ante is under it"
    none = boxes(ann={"ante": 0})
    assert says(moment(table=limited, boxes=none), "under-minimum", 1) == "no ante is under it"


@pytest.mark.parametrize(
    ("book", "bet", "over", "under"),
    [
        (SECTION10, 1999, False, True),
        (SECTION10, 2000, False, False),
        (SECTION10, 2001, True, False),
        (SECTION10, 0, False, False),
        (SECTION10, 1, False, True),
        (COLORADO, 999, False, True),
        (COLORADO, 1000, False, False),
        (COLORADO, 1001, True, False),
    ],
)
def test_a_bet_is_of_the_size_that_its_ante_asks_for(book: Any, bet: int, *, over: bool, under: bool) -> None:
    staked = boxes(ann={"bet": bet})
    large, small = "no bet is too large", "no bet is too small"
    assert says(moment(book, boxes=staked), "bet-over", 1) == (None if over else large)
    assert says(moment(book, boxes=staked), "bet-under", 1) == (None if under else small)
    assert says(moment(book, boxes=staked), "bet-over", 2) == large
    assert says(moment(book, boxes=staked), "bet-under", 2) == small
    assert says(moment(book, boxes=staked), "bet-over", 2, 1) == (None if over else large)
    assert says(moment(book, boxes=staked), "bet-under", 2, 1) == (None if under else small)


def test_where_the_ante_is_cut_to_the_maximum_the_bet_is_measured_by_it() -> None:
    """2R-RWS-1: an ante cut to the maximum cuts the bet to twice that."""
    limited = replace(TABLE, ante_max=800)
    for bet, over, under in ((1600, False, False), (1601, True, False), (1599, False, True)):
        now = moment(RWS, limited, boxes=boxes(ann={"bet": bet}))
        assert (says(now, "bet-over", 1) is None) is over
        assert (says(now, "bet-under", 1) is None) is under


def test_a_side_wager_has_its_ante_and_its_light() -> None:
    has, lit = "every side wager there has its ante", "the light of that box is on, or it has no side wager"
    alone = boxes(ann={"sides": SIDE, "ante": 0}, bob={"sides": SIDE})
    assert says(moment(boxes=alone), "side-bet-without-ante", 1) is None
    assert says(moment(boxes=alone), "side-bet-without-ante", 2) == has
    assert says(moment(boxes=alone), "side-bet-without-ante", 2, 1) is None
    assert says(moment(boxes=boxes(ann={"ante": 0})), "side-bet-without-ante", 1) == has
    dark = boxes(ann={"sides": DARK}, bob={"sides": SIDE})
    assert says(moment(boxes=dark), "unlit-chip", 1) is None
    assert says(moment(boxes=dark), "unlit-chip", 2) == lit
    assert says(moment(boxes=dark), "unlit-chip", 2, 1) is None
    assert says(moment(), "unlit-chip", 1) == lit
    assert says(moment(), "unlit-chip") == lit
    nothing = boxes(ann={"sides": {"side": SideWager(0, lit=False)}})
    assert says(moment(boxes=nothing), "unlit-chip", 1) == lit
    assert says(moment(boxes=dark), "chip-light-mismatch", 1) is None
    assert says(moment(boxes=dark), "chip-light-mismatch", 2) == lit
    assert says(moment(), "chip-light-mismatch") is None, "of no box in particular people see it"
