"""What the record says of who is believed and of hands, on both sides of each condition, in its whole words."""

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from aceking.rules.words import Actor, Mishap
from aceking.table.commands import Report
from aceking.table.mishaps.evidence import _CHECKS, _ONLY_REFUTED, is_believed, refuted
from aceking.table.state import Box, Deck
from tests.table.mishaps.record import NO_BOX, NOTHING_DEALT, SHOWN, says
from tests.table.moment import ANN, BOB, COLORADO, EXCHANGE, NO_ROUND, ROUND, RWS, TABLE, boxes, dealing, moment

# Who is believed


@pytest.mark.parametrize("role", get_args(Actor))
def test_staff_are_believed_of_everything_and_players_of_their_disputes(role: Actor) -> None:
    believed = {mishap for mishap in get_args(Mishap) if is_believed(mishap, role)}
    assert believed == ({"dispute", "uncovered"} if role == "player" else set(get_args(Mishap)))


def test_without_a_round_the_record_speaks_of_decks_and_devices_only() -> None:
    counted = replace(NO_ROUND, decks={"red": Deck("red", "red", 1, acts=frozenset({"device-count"}))})
    found = {mishap: says(moment(table=counted), mishap) for mishap in get_args(Mishap)}
    assert {mishap: against for mishap, against in found.items() if against is not None} == {
        "improper-cut": "no cut stands",
        "device-count-wrong": "the device counted 52 cards",
        "device-still-on-table": "no shuffler or automated shoe stands at the table",
    }


def test_of_a_round_before_the_record_of_this_one_says_nothing() -> None:
    opened = moment(phase="betting", boxes=boxes(ann={"cards": ()}, bob={"cards": ()}), sequence=(), dealer=(), up=None)
    report = Report(mishap="dealing-error")
    assert refuted(opened.book, opened.table, opened.shoe, report) is None
    first = replace(opened.table, rounds=0)
    assert refuted(opened.book, first, opened.shoe, report) == NOTHING_DEALT


#: No check of the record stands behind these. A new mishap is named here, or it has a check.
ONLY_PEOPLE_KNOW: set[Mishap] = {
    *("shuffler-fault", "shoe-fault", "foreign-card", "jackpot-fault", "late-found-error", "interruption"),
    *("misplaced-bet", "uncovered", "dispute", "wrong-declaration", "dropped-card", "own-cards-raked", "talking"),
    *("stub-miscount", "void-round"),
}


def test_of_what_only_people_can_know_the_record_says_nothing_and_of_all_else_it_has_a_check() -> None:
    assert {mishap for mishap in get_args(Mishap) if says(moment(), mishap) is None} >= ONLY_PEOPLE_KNOW
    assert set(get_args(Mishap)) - _CHECKS.keys() == ONLY_PEOPLE_KNOW
    assert _CHECKS.keys() - _ONLY_REFUTED == SHOWN, "what the record shows by itself is named in record.py"


# Hands


@pytest.mark.parametrize(("count", "short"), [(0, True), (4, True), (5, False), (6, True)])
@pytest.mark.parametrize("phase", ["deciding", "revealed"])
def test_once_the_deal_is_over_a_hand_has_the_right_number_or_not(count: int, phase: str, *, short: bool) -> None:
    own = (*ANN.cards, 40)[:count]
    against = None if short else "box 1 has 5 cards"
    assert says(moment(phase=phase, boxes=boxes(ann={"cards": own})), "player-miscount", 1) == against
    assert says(moment(phase=phase, boxes=boxes(ann={"cards": own})), "player-miscount", 2) == "box 2 has 5 cards"
    dealer = (*ROUND.dealer, 40)[:count]
    against = None if short else "the dealer has 5 cards"
    assert says(moment(phase=phase, dealer=dealer), "dealer-miscount") == against


def test_cards_that_were_never_dealt_are_missing_once_the_deal_is_over() -> None:
    over = moment(**dealing(13, phase="deciding"))
    assert says(over, "player-miscount", 1) == "box 1 has 5 cards"
    assert says(over, "player-miscount", 2) is None
    assert says(over, "dealer-miscount") is None


def test_a_box_that_is_out_may_have_a_wrong_number_too() -> None:
    void = moment(boxes=boxes(ann={"ante": 0, "void": True, "cards": (0, 3)}))
    assert says(void, "player-miscount", 1) is None
    assert says(void, "player-miscount", 2) == "box 2 has 5 cards"
    assert says(void, "player-miscount") is None, "box 1 has two"
    alone = moment(boxes=boxes(ann={"ante": 0}))
    assert says(alone, "player-miscount", 1) == NO_BOX
    assert says(alone, "player-miscount", 7) == NO_BOX
    assert says(alone, "player-miscount") == "box 2 has 5 cards"
    both = "box 1 has 5 cards; box 2 has 5 cards"
    assert says(moment(), "player-miscount") == both
    assert says(moment(), "player-miscount", 2, 1) == both
    assert says(moment(), "player-miscount", 1, 7) == "box 1 has 5 cards"


def test_of_the_community_the_record_counts_too() -> None:
    three: dict[str, Any] = {
        "boxes": boxes(ann={"cards": (0, 3, 6)}, bob={"cards": (1, 4, 7)}),
        "dealer": (),
        "up": None,
    }
    assert says(moment(COLORADO, **three, community=(2, 5, 8), placed=9), "community-miscount") == (
        "the community has 3 cards"
    )
    assert says(moment(COLORADO, **three, community=(2, 5), placed=8), "community-miscount") is None
    assert says(moment(COLORADO, **three, community=(2, 5, 8, 9), placed=10), "community-miscount") is None
    for mishap in ("player-miscount", "dealer-miscount", "misdeal", "dealing-error"):
        closed = moment(table=replace(TABLE, rounds=0), **dealing(0))
        assert says(closed, mishap, *((1,) if mishap == "player-miscount" else ())) == NOTHING_DEALT
    assert says(moment(COLORADO, replace(TABLE, rounds=0), **dealing(0, COLORADO)), "community-miscount") == (
        NOTHING_DEALT
    )


def test_while_the_deal_runs_straight_nobody_has_too_few() -> None:
    """Only of the last place, when all others are served, the record cannot tell whether the dealer means to go on."""
    for count in (1, 2, 3, 9, 12, 13):
        now = moment(**dealing(count))
        held = [len(now.table.round.boxes[number].cards) for number in (1, 2)]  # type: ignore[union-attr]
        assert says(now, "player-miscount", 1) == f"box 1 has {held[0]} cards"
        assert says(now, "player-miscount", 2) == f"box 2 has {held[1]} cards"
        assert says(now, "dealer-miscount") == f"the dealer has {count // 3} cards"
    last = moment(**dealing(14))
    assert says(last, "dealer-miscount") is None
    assert says(last, "player-miscount", 1) == "box 1 has 5 cards"
    burnt = moment(RWS, **dealing(0, RWS, sequence=(40,), burn=(40,), phase="dealing", boxes={}))
    assert says(burnt, "dealer-miscount") == "the dealer has 0 cards", "not one place is served yet"


def test_where_a_card_went_astray_a_hand_has_what_was_due_to_it_or_not() -> None:
    """Ann has two cards and Bob none, after two cards."""
    astray = boxes(ann={"cards": (0, 1)}, bob={"cards": ()})
    now = moment(**dealing(2, boxes=astray, strayed=True))
    assert says(now, "player-miscount", 1) is None
    assert says(now, "player-miscount", 2) is None
    assert says(now, "dealer-miscount") == "the dealer has 0 cards"
    straight = moment(**dealing(2, boxes=astray))
    assert says(straight, "player-miscount", 1) == "box 1 has 2 cards"
    assert says(straight, "player-miscount", 2) == "box 2 has 0 cards"
    # Ann has a card too many and Bob one too few: the dealer's hand is whole.
    end = boxes(ann={"cards": (*ANN.cards, 13)}, bob={"cards": BOB.cards[:4]})
    whole = moment(**dealing(15, boxes=end, strayed=True, dealer=ROUND.dealer))
    assert says(whole, "player-miscount", 1) is None
    assert says(whole, "player-miscount", 2) is None
    assert says(whole, "dealer-miscount") == "the dealer has 5 cards"


def test_a_stack_is_whole_from_the_first() -> None:
    for count, against in ((4, None), (5, "box 1 has 5 cards")):
        assert says(moment(EXCHANGE, **dealing(count, EXCHANGE)), "player-miscount", 1) == against
    five = moment(EXCHANGE, **dealing(5, EXCHANGE))
    assert says(five, "player-miscount", 2) == "box 2 has 0 cards", "its stack is still to come"
    assert says(five, "dealer-miscount") == "the dealer has 0 cards"
    ten = moment(EXCHANGE, **dealing(10, EXCHANGE))
    assert says(ten, "dealer-miscount") == "the dealer has 0 cards", "of a stack nothing is there before it comes"
    other = boxes(ann={"cards": ()}, bob={"cards": (0, 1, 2, 3, 4)})
    passed = moment(EXCHANGE, **dealing(5, EXCHANGE, boxes=other, strayed=True))
    assert says(passed, "player-miscount", 1) is None
    assert says(passed, "player-miscount", 2) == "box 2 has 5 cards"


def test_who_was_passed_over_has_fewer_cards_than_were_due() -> None:
    for count in (2, 3, 14, 15):
        held = len(dealing(count)["boxes"][1].cards)
        assert says(moment(**dealing(count)), "skipped-box", 1) == f"box 1 has {held} cards"
    astray = boxes(ann={"cards": (0, 1)}, bob={"cards": ()})
    now = moment(**dealing(2, boxes=astray, strayed=True))
    assert says(now, "skipped-box", 2) is None
    assert says(now, "skipped-box", 1) == "box 1 has 2 cards"
    assert says(now, "skipped-box", 1, 2) is None
    fewer = boxes(bob={"cards": BOB.cards[:4]})
    assert says(moment(boxes=fewer), "skipped-box", 2) is None
    assert says(moment(boxes=fewer), "skipped-box", 1) == "box 1 has 5 cards"
    assert says(moment(), "skipped-box", 2, 1) == "box 2 has 5 cards; box 1 has 5 cards"
    assert says(moment(boxes=boxes(bob={"ante": 0, "cards": ()})), "skipped-box", 2) == NO_BOX
    assert says(moment(boxes=boxes(bob={"ante": 0, "void": True, "cards": ()})), "skipped-box", 2) is None
    assert says(moment(), "skipped-box", 7) == NO_BOX
    assert says(moment(), "skipped-box") == NO_BOX
    none_yet = moment(table=replace(TABLE, rounds=0), **dealing(0))
    assert says(none_yet, "skipped-box", 1) == "box 1 has 0 cards"


def test_a_box_whose_card_is_still_to_come_was_not_passed_over() -> None:
    assert says(moment(**dealing(1)), "skipped-box", 2) == "box 2 has 0 cards"
    assert says(moment(EXCHANGE, **dealing(5, EXCHANGE)), "skipped-box", 2) == "box 2 has 0 cards"
    # Cards that fell to a box without an ante fill no place of the deal, and yet it came after hers.
    nobody = Box(number=3, player="", cards=(0,))
    empty = boxes(nobody, ann={"cards": ()}, bob={"cards": ()})
    now = moment(**dealing(0, boxes=empty, sequence=(0,), strayed=True, phase="dealing"))
    assert says(now, "skipped-box", 1) is None
    # The first card was Ann's, the second went past Bob's box.
    past = boxes(replace(nobody, cards=(1,)), ann={"cards": (0,)}, bob={"cards": ()})
    second = moment(**dealing(1, boxes=past, sequence=(0, 1), strayed=True))
    assert says(second, "skipped-box", 2) is None
    assert says(second, "skipped-box", 1, 2) is None
    assert says(second, "skipped-box", 1) == "box 1 has 1 cards"


def test_a_box_without_an_ante_has_no_cards() -> None:
    against = "no box without an ante has cards"
    nobody = Box(number=3, player="", cards=(40,))
    assert says(moment(boxes=boxes(nobody)), "empty-box-dealt") is None
    assert says(moment(), "empty-box-dealt") == against
    assert says(moment(boxes=boxes(replace(nobody, cards=()))), "empty-box-dealt") == against
    assert says(moment(boxes=boxes(replace(nobody, void=True))), "empty-box-dealt") == against


def test_a_misdeal_is_a_place_with_other_cards_than_were_due() -> None:
    right = "every place has the cards that were due to it"
    assert says(moment(), "misdeal") == right
    for count in (1, 2, 7, 14):
        assert says(moment(**dealing(count)), "misdeal") == right
    assert says(moment(boxes=boxes(ann={"cards": ANN.cards[:4]})), "misdeal") is None
    assert says(moment(dealer=ROUND.dealer[:4], placed=14), "misdeal") is None, "the deal is over, and it lacks one"
    assert says(moment(**dealing(14)), "misdeal") == right
    nobody = Box(number=3, player="", cards=(40,))
    assert says(moment(boxes=boxes(nobody)), "misdeal") is None
    assert says(moment(boxes=boxes(replace(nobody, cards=()))), "misdeal") == right
    # Whole hands that lie in each other's places: only after a card went astray, and while they can be moved.
    crossed = boxes(ann={"cards": BOB.cards}, bob={"cards": ANN.cards})
    assert says(moment(boxes=crossed, strayed=True), "misdeal") is None
    assert says(moment(boxes=crossed), "misdeal") == right
    assert says(moment(boxes=crossed, strayed=True, settled=True), "misdeal") == right
    assert says(moment(strayed=True), "misdeal") == right
    turned = boxes(ann={"cards": ANN.cards[::-1]})
    assert says(moment(boxes=turned, strayed=True), "misdeal") == right, "the same cards in another order"


def test_a_card_is_missed_where_one_is_burnt() -> None:
    assert says(moment(RWS), "missed-burn") is None
    assert says(moment(RWS, burn=(40,)), "missed-burn") == "a card was burnt"
    assert says(moment(), "missed-burn") == "this table burns no card"
    first = moment(RWS, replace(TABLE, rounds=0), **dealing(0, RWS))
    assert says(first, "missed-burn") == NOTHING_DEALT
    assert says(moment(), "dealing-error") is None
