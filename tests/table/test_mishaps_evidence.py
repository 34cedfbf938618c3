"""What the record says of every kind of report, on both sides of each condition, in its whole words.

Each check is asked of two moments that differ in one thing. What the record shows by itself is borne out whoever says
it; of other mishaps it can only say that they cannot have been.
"""

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from aceking.cards.card import cards
from aceking.rules.words import Actor, Mishap
from aceking.settle.lines import Line
from aceking.table.commands import Report
from aceking.table.mishaps.evidence import borne_out, may_tell, not_by_count, refuted
from aceking.table.now import Now
from aceking.table.place import Pile
from aceking.table.state import Box, Deck, Device, Found, SideWager
from tests.table.moment import (
    ANN,
    BOB,
    COLORADO,
    DARK,
    EXCHANGE,
    NO_ROUND,
    ROUND,
    RWS,
    SECTION10,
    SIDE,
    TABLE,
    WASHINGTON,
    boxes,
    dealing,
    moment,
)

#: What the record shows by itself: hands, looks, chips and lights.
SHOWN: frozenset[Mishap] = frozenset(
    {
        *("player-miscount", "dealer-miscount", "community-miscount", "skipped-box", "empty-box-dealt", "misdeal"),
        *("missed-burn", "second-look", "early-pick-up", "major-hand-undeclared", "over-maximum", "under-minimum"),
        *("bet-over", "bet-under", "side-bet-without-ante", "unlit-chip"),
    }
)
NOTHING_DEALT = "no card has been dealt"
NO_BOX = "no such box is in the round"


def says(now: Now, mishap: Mishap, *named: int, **more: Any) -> str | None:
    """What the record has against a report; where it has nothing, it bears out what it can show."""
    report = Report(mishap=mishap, boxes=named, **more)
    against = refuted(now.book, now.table, now.shoe, report)
    shown = mishap in SHOWN and now.table.round is not None and against is None
    assert borne_out(now.book, now.table, now.shoe, report) is shown
    return against


# Who is believed


@pytest.mark.parametrize("role", get_args(Actor))
def test_staff_is_believed_of_everything_and_a_player_of_what_he_disputes(role: Actor) -> None:
    believed = {mishap for mishap in get_args(Mishap) if may_tell(mishap, role)}
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


def test_of_what_only_people_can_know_the_record_says_nothing() -> None:
    unseen = {mishap for mishap in get_args(Mishap) if says(moment(), mishap) is None}
    assert unseen >= {
        *("shuffler-fault", "shoe-fault", "foreign-card", "jackpot-fault", "late-found-error", "interruption"),
        *("misplaced-bet", "uncovered", "dispute", "wrong-declaration", "dropped-card", "own-cards-raked", "talking"),
    }


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
    # The first card was hers, the second went past his box.
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


# The deck


def test_a_shoe_lacks_no_card_once_every_hand_has_its_own() -> None:
    assert says(moment(), "shoe-empty") == "every hand has its cards"
    assert says(moment(**dealing(14)), "shoe-empty") is None
    assert says(moment(table=replace(TABLE, rounds=0), **dealing(0)), "shoe-empty") is None
    nobody = moment(table=replace(TABLE, rounds=0), **dealing(0, placed=15))
    assert says(nobody, "shoe-empty") is None


@pytest.mark.parametrize(("count", "against"), [(51, None), (52, "52 cards are the whole deck"), (53, None)])
def test_a_whole_deck_lacks_nothing(count: int, against: str | None) -> None:
    assert says(moment(), "deck-short-or-long", count=count) == against
    assert says(moment(), "deck-short-or-long") is None


def test_only_a_machine_knows_that_its_deck_was_shuffled() -> None:
    kept = "the deck was shuffled, and its order kept, before this round"
    machine = replace(TABLE, mode="electronic")
    assert says(moment(table=machine, sealed=True), "not-shuffled") == kept
    assert says(moment(table=machine), "not-shuffled") is None
    assert says(moment(sealed=True), "not-shuffled") is None


def test_a_cut_that_is_wrong_has_been_made() -> None:
    cut = replace(TABLE, decks={**TABLE.decks, "blue": Deck("blue", "blue", 1, acts=frozenset({"cut"}))})
    assert says(moment(table=cut), "improper-cut") is None
    assert says(moment(), "improper-cut") == "no cut stands"


def test_a_deck_that_was_counted_and_is_there_had_its_cards() -> None:
    counted = {**TABLE.decks, "blue": Deck("blue", "blue", 1, acts=frozenset({"device-count"}))}
    assert says(moment(table=replace(TABLE, decks=counted)), "device-count-wrong") == "the device counted 52 cards"
    assert says(moment(), "device-count-wrong") is None


@pytest.mark.parametrize("name", ["shuffler", "automated shoe"])
def test_a_device_that_should_be_gone_stands_there(name: str) -> None:
    there = replace(TABLE, devices={name: Device("fitted")})
    gone = replace(TABLE, devices={name: Device("removed")})
    none = "no shuffler or automated shoe stands at the table"
    for book in (SECTION10, COLORADO):
        assert says(moment(book, there), "device-still-on-table") is None
        assert says(moment(book, gone), "device-still-on-table") == none
    assert says(moment(RWS, gone), "device-still-on-table") is None, "the book does not speak of it"


# Single cards


def test_a_card_that_all_may_see_was_not_exposed() -> None:
    up = "the card is the dealer's up-card, which all may see"
    opened = "a card of these lies face up, as it should"
    assert says(moment(), "cards-exposed", cards=(2,)) == up
    assert says(moment(), "hole-card-exposed", cards=(5, 2)) == up
    for phase, against in (("deciding", None), ("revealed", opened), ("done", opened)):
        assert says(moment(phase=phase), "cards-exposed", cards=(5,)) == against
        assert says(moment(phase=phase), "cards-exposed", cards=(0,)) is None
        shared: dict[str, Any] = {"phase": phase, "community": (45,), "sequence": (*range(15), 45)}
        assert says(moment(**shared), "cards-exposed", cards=(45,)) == against
    turned = boxes(ann={"acts": frozenset({"turn-hand"})})
    declared = boxes(ann={"choice": "declare"})
    for shown in (turned, declared):
        assert says(moment(boxes=shown), "cards-exposed", cards=(0,)) == opened
        assert says(moment(boxes=shown), "cards-exposed", cards=(1,)) is None
        assert says(moment(boxes=shown), "cards-exposed", cards=(1, 0)) == opened
    assert says(moment(boxes=boxes(ann={"choice": "bet"})), "cards-exposed", cards=(0,)) is None


def test_a_card_that_lies_aside_or_in_the_rack_was_not_exposed() -> None:
    rack = ((Pile("hand", 2), BOB.cards), (Pile("stub"), (50,)))
    assert says(moment(rack=rack), "cards-exposed", cards=(0, 4)) == "a card of these lies in the rack with box 2"
    assert says(moment(rack=rack), "cards-exposed", cards=(50,)) == "a card of these lies in the rack with stub"
    assert says(moment(rack=rack), "cards-exposed", cards=(0,)) is None
    assert says(moment(burn=(40,)), "cards-exposed", cards=(40,)) == "a card of these lies laid aside"
    assert says(moment(boxed=(40,)), "cards-exposed", cards=(40,)) == "a card of these lies laid aside"
    assert says(moment(), "cards-exposed", cards=(40,)) is None, "nobody knows how the deck lies"
    # Where the order is known: as many as are named, and a hand beyond them.
    assert says(moment(sealed=True), "cards-exposed", cards=(20,)) is None
    assert says(moment(sealed=True), "cards-exposed", cards=(21,)) == "a card of these is deep in the deck"
    assert says(moment(sealed=True), "cards-exposed", cards=(15, 21)) is None
    assert says(moment(sealed=True), "cards-exposed", cards=(15, 22)) == "a card of these is deep in the deck"
    assert says(moment(sealed=True), "cards-exposed", cards=(0,)) is None, "it is out"


def test_a_hole_card_is_the_dealers_and_lies_face_down() -> None:
    not_his = "a card of these is not the dealer's"
    assert says(moment(), "hole-card-exposed") is None
    assert says(moment(dealer=(2,)), "hole-card-exposed") == "the dealer has no hole card"
    assert says(moment(dealer=()), "hole-card-exposed") == "the dealer has no hole card"
    assert says(moment(), "hole-card-exposed", cards=(5, 14)) is None
    assert says(moment(), "hole-card-exposed", cards=(5, 40)) == not_his
    assert says(moment(), "hole-card-exposed", cards=(0,)) is None, "a player's card is ruled on as one of the others"
    assert says(moment(up=None), "hole-card-exposed", cards=(14,)) is None, "singly the first is turned up"


def test_a_card_on_its_way_to_the_dealer_is_a_hole_card() -> None:
    not_his = "a card of these is not the dealer's"
    # Six cards are dealt to section 10's table at most five to come here; the next goes to the dealer, face down.
    for sealed, card, against in ((True, 5, None), (True, 6, not_his), (False, 6, None)):
        now = moment(**dealing(5, sealed=sealed))
        assert says(now, "hole-card-exposed", cards=(card,)) == against
    first = moment(**dealing(2))
    assert says(first, "hole-card-exposed", cards=(2,)) == not_his, "his first card lies face up"
    assert says(moment(**dealing(3)), "hole-card-exposed", cards=(3,)) == not_his, "Ann is next"
    assert says(moment(**dealing(5, phase="deciding")), "hole-card-exposed", cards=(40,)) == not_his
    alone = moment(WASHINGTON, replace(TABLE, rounds=0), **dealing(0, WASHINGTON, boxes={}))
    assert refuted(alone.book, alone.table, alone.shoe, Report(mishap="hole-card-exposed", cards=(40,))) is None


def test_of_a_stack_the_card_that_is_turned_is_no_hole_card() -> None:
    """Page 6: the dealer turns the last card of his stack."""
    turns = "the card is the one that the dealer turns up"
    stack: dict[str, Any] = {"dealer": (10, 11, 12, 13, 14), "boxes": {}}
    assert says(moment(EXCHANGE, **stack, up=None), "hole-card-exposed", cards=(14,)) == turns
    assert says(moment(EXCHANGE, **stack, up=None), "hole-card-exposed", cards=(10,)) is None
    assert says(moment(EXCHANGE, **stack, up=11), "hole-card-exposed", cards=(14,)) is None
    short: dict[str, Any] = {**stack, "dealer": (11, 12, 13, 14)}
    assert says(moment(EXCHANGE, **short, up=None), "hole-card-exposed", cards=(14,)) is None
    assert says(moment(WASHINGTON, **stack, up=None), "hole-card-exposed", cards=(14,)) is None
    coming = dealing(10, EXCHANGE)
    for card, against in ((14, None), (15, "a card of these is not the dealer's")):
        assert says(moment(EXCHANGE, **coming, sealed=True), "hole-card-exposed", cards=(card,)) == against
        assert says(moment(EXCHANGE, **coming), "hole-card-exposed", cards=(card,)) is None, "nobody knows the order"


OFF: tuple[Mishap, ...] = ("boxed-card", "card-drawn-in-error", "simultaneous-cards")


@pytest.mark.parametrize("mishap", OFF)
def test_a_card_that_came_off_wrongly_is_next(mishap: Mishap) -> None:
    not_next = "a card of these is not next in the deck"
    before = "a card of these was dealt before" if mishap != "boxed-card" else None
    deal = dealing(5, sealed=True)
    assert says(moment(**deal), mishap, cards=(5,)) is None
    assert says(moment(**deal), mishap, cards=(6,)) == not_next
    assert says(moment(**deal), mishap, cards=(6, 5)) is None
    assert says(moment(**deal), mishap, cards=(5, 7)) == not_next
    assert says(moment(**deal), mishap) is None
    assert says(moment(**deal), mishap, cards=(4,)) == before
    assert says(moment(**deal), mishap, cards=(4, 5)) == before
    assert says(moment(**deal), mishap, cards=(4, 6)) == not_next
    assert says(moment(**dealing(5)), mishap, cards=(40,)) is None, "nobody knows the order"
    assert says(moment(sealed=True), mishap, cards=(40,)) is None, "the deal is over"
    mixed = replace(TABLE.decks["red"], shuffled="manual", acts=frozenset({"shuffle", "cut"}))
    for deck, found in (
        (mixed, not_next),
        (replace(mixed, acts=frozenset({"shuffle"})), "no card leaves a deck that is not shuffled and cut"),
        (TABLE.decks["red"], "no card leaves a deck that is not shuffled and cut"),
    ):
        closed = moment(table=replace(TABLE, rounds=0, decks={"red": deck}), **dealing(0, sealed=True))
        assert says(closed, mishap, cards=(1,)) == found
    stacks = dealing(5, EXCHANGE, sealed=True)
    assert says(moment(EXCHANGE, **stacks), mishap, cards=(9,)) is None, "it comes with the next stack"
    assert says(moment(EXCHANGE, **stacks), mishap, cards=(10,)) == not_next
    six = (5, 6, 7, 8, 9, 10)
    assert says(moment(EXCHANGE, **stacks), mishap, cards=six) is None
    # What lies in the rack or was burnt did not just come off; a card that was laid aside for that may be told of.
    raked = "a card of these lies in the rack with box 1"
    assert says(moment(rack=((Pile("hand", 1), ANN.cards),)), mishap, cards=(40, 3)) == raked
    assert says(moment(burn=(41,)), mishap, cards=(41,)) == "a card of these lies laid aside"
    assert says(moment(boxed=(41,)), mishap, cards=(41,)) is None


@pytest.mark.parametrize(
    ("mishap", "counted", "found", "against"),
    [
        ("player-miscount", False, (), "the stub was not counted in this round"),
        ("foreign-card", False, (), "the stub was not counted in this round"),
        ("player-miscount", True, (), "the count of the stub proved the deck"),
        ("foreign-card", True, (), None),
        ("player-miscount", True, ("stub-miscount",), None),
        ("player-miscount", False, ("stub-miscount",), None),
        ("player-miscount", True, ("misdeal",), "the count of the stub proved the deck"),
        ("player-miscount", True, ("misdeal", "stub-miscount"), None),
    ],
)
def test_what_a_count_of_the_stub_can_have_found(
    mishap: Mishap, found: tuple[Mishap, ...], against: str | None, *, counted: bool
) -> None:
    current = replace(ROUND, counted=counted, found=tuple(Found(one) for one in found))
    assert not_by_count(current, mishap) == against


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

    def hers(one: bool, other: bool, *found: Found, **more: Any) -> Now:
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
    further = Found("second-look", (3,))
    assert says(hers(True, True, further), "second-look", 1) == none
    assert says(hers(True, True, further), "second-look", 3) is None
    assert says(hers(True, True, Found("misdeal", (3,))), "second-look", 1) is None


def test_only_who_has_exchanged_can_pick_up_what_he_gave() -> None:
    gave: dict[str, Any] = {"give": 0, "choice": "bet"}
    assert says(moment(EXCHANGE, boxes=boxes(ann=gave)), "discard-picked-up", 1) is None
    assert says(moment(EXCHANGE, boxes=boxes(ann=gave)), "discard-picked-up", 1, 2) is None
    not_he = "that box has not exchanged a card"
    assert says(moment(EXCHANGE, boxes=boxes(ann=gave)), "discard-picked-up", 2) == not_he
    assert says(moment(EXCHANGE, boxes=boxes(ann=gave)), "discard-picked-up") == not_he
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
