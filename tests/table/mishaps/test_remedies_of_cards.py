"""What each remedy does to cards: its events, whole, and in words why it has none."""

from typing import Any

import pytest
from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Remedy
from aceking.table import event as ev
from aceking.table.cards.place import BOXED, BURN, COMMUNITY, DEALER, Pile, box_place
from aceking.table.mishaps.cards import deal_next
from aceking.table.mishaps.consequences import apply_remedy
from tests.table.mishaps.following import ANN, BOOK, NO_ROUND, C, ann, case, now
from tests.table.moment import BOB


def short_dealer(**changes: Any) -> dict[str, Any]:
    return {"dealer": (2, 5, 8, 11), "sequence": tuple(range(14)), "placed": 14, **changes}


def test_a_dealers_hand_that_lacks_one_card_gets_it() -> None:
    def completed(book: Book = BOOK, *cards: int, **changes: Any) -> object:
        return apply_remedy(now(book, **changes), "complete-hand", case("dealer-miscount", (), cards))

    assert completed(BOOK, 40, **short_dealer()) == [ev.Dealt(card=40, to=DEALER, clause=C)]
    assert completed(BOOK, 40, 41, **short_dealer()) == [ev.Dealt(card=40, to=DEALER, clause=C)]
    assert isinstance(completed(BOOK, **short_dealer()), Refusal), "at a live table somebody names it"
    assert isinstance(completed(BOOK, 5, **short_dealer()), Refusal), "it is out"
    known = apply_remedy(
        now(shoe=tuple(range(52)), **short_dealer(sealed=True)), "complete-hand", case("dealer-miscount")
    )
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
    assert apply_remedy(now(phase="betting"), then, one) == none
    assert apply_remedy(now(table=NO_ROUND), then, one) == none
    assert apply_remedy(now(phase="done"), then, one) == none
    assert apply_remedy(now(settled=True), then, one) == "the round is reckoned: its cards do not move any more"


def test_a_card_is_laid_aside_and_the_next_takes_its_place() -> None:
    def aside(then: Remedy, *cards: int, **changes: Any) -> object:
        return apply_remedy(now(**changes), then, case("boxed-card", (), cards))

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
    assert apply_remedy(sealed, "replace-from-stub", case("boxed-card")) == [ev.Dealt(card=15, to=BOXED, clause=C)]
    assert apply_remedy(sealed, "replace-from-stub", case("boxed-card", (), (6,))) == [
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
        return apply_remedy(now(book, **changes), "use-as-next", case("boxed-card", (), cards))

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
        return apply_remedy(now(book, **changes), "becomes-up-card", case("hole-card-exposed", (), cards))

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
    assert (which.reason, which.clause) == ("name the card of the dealer that was seen", "BASE-input")


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
    assert apply_remedy(moment, "becomes-up-card", case("hole-card-exposed", (), (22,))) == [
        *packet,
        ev.UpCard(card=22, clause=C),
    ]
    wrong = apply_remedy(moment, "becomes-up-card", case("hole-card-exposed", (), (30,)))
    assert isinstance(wrong, Refusal)
    assert wrong.clause == "BASE-deck"
    assert isinstance(
        apply_remedy(now(book, **{**dealt, "sealed": False}), "becomes-up-card", case("hole-card-exposed", (), (22,))),
        Refusal,
    )
