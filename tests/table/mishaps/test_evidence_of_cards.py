"""What the record says of decks and single cards, on both sides of each condition, in its whole words."""

from typing import Any

import pytest
from msgspec.structs import replace

from aceking.rules.words import Mishap
from aceking.table.cards.place import Pile
from aceking.table.commands import Report
from aceking.table.mishaps.evidence import not_by_count, refuted
from aceking.table.state import Deck, Device, RecordedMishap
from tests.table.mishaps.record import says
from tests.table.moment import (
    ANN,
    BOB,
    COLORADO,
    EXCHANGE,
    ROUND,
    RWS,
    SECTION10,
    TABLE,
    WASHINGTON,
    boxes,
    dealing,
    moment,
)

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
    """Page 6: the dealer turns the last card of the dealer's stack."""
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
    # What lies in the rack or was burnt did not just come off; a card that was laid aside for that may be reported.
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
    current = replace(ROUND, counted=counted, found=tuple(RecordedMishap(one) for one in found))
    assert not_by_count(current, mishap) == against
