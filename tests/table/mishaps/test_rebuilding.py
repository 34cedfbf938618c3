"""Hands that lie in wrong places, put right: what moves, what is drawn, and when it cannot be."""

from typing import Any

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.rules.words import Mishap
from aceking.table import event as ev
from aceking.table.cards.place import BOXED, DEALER, Pile, box_place
from aceking.table.mishaps.consequences import apply_remedy
from aceking.table.mishaps.rebuilding import can_rebuild, changed_boxes, to_draw
from aceking.table.state import Box, Round
from tests.table.mishaps.following import ANN, BOOK, NO_ROUND, ROUND, C, ann, case, now
from tests.table.moment import BOB

CROSSED = {1: replace(ANN, cards=BOB.cards), 2: replace(BOB, cards=ANN.cards)}
MEANT = ((box_place(1), ANN.cards), (box_place(2), BOB.cards), (DEALER, ROUND.dealer))


def test_hands_in_the_wrong_place_are_moved_to_the_right_one() -> None:
    def rebuilt(book: Book = BOOK, *cards: int, **changes: Any) -> object:
        return apply_remedy(now(book, **changes), "rebuild", case("misdeal", (), cards))

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
    fixed = "a card has been exchanged or laid aside: that player plays on with the cards in hand"
    assert rebuilt(boxes=ann(give=3)) == fixed
    assert rebuilt(boxes=ann(discard=3)) == fixed
    assert rebuilt(table=NO_ROUND) == "there is no round whose cards could move"


def test_the_up_card_follows_a_reconstruction() -> None:
    swapped: dict[str, Any] = {"boxes": ann(cards=ROUND.dealer), "dealer": ANN.cards}
    for book_id, up in (("section10", 2), ("washington", 14)):
        done = apply_remedy(now(load_book(book_id), **swapped, up=0), "rebuild", case("misdeal"))
        assert isinstance(done, list)
        assert done[1:] == [ev.UpCard(card=up, clause=C)]
    same = apply_remedy(now(boxes=CROSSED), "rebuild", case("misdeal"))
    assert isinstance(same, list)
    assert len(same) == 1
    exchange = load_book("exchange")
    order = (*ROUND.dealer, *BOB.cards, *ANN.cards)
    packets: dict[str, Any] = {"boxes": CROSSED, "dealer": ROUND.dealer, "sequence": order}
    turned = apply_remedy(now(exchange, **packets, up=14), "rebuild", case("misdeal"))
    assert isinstance(turned, list)
    assert turned[1:] == [ev.UpCard(card=12, clause=C)]
    unturned = apply_remedy(now(exchange, **packets, up=None), "rebuild", case("misdeal"))
    assert isinstance(unturned, list)
    assert len(unturned) == 1


def test_hands_that_were_raked_in_are_brought_back_from_the_rack() -> None:
    rack = ((Pile("hand", 1), ANN.cards), (Pile("hand", 2), BOB.cards), (Pile("burn"), (44,)))
    brought = [ev.Racked(what=Pile("hand", 1), cards=ANN.cards, back=True, clause=C)]
    raked = case("raked-cards", (1,))
    assert apply_remedy(now(rack=rack), "rebuild", raked) == brought
    assert apply_remedy(now(rack=rack, settled=True), "rebuild", raked) == brought
    assert apply_remedy(now(load_book("exchange"), rack=rack), "rebuild", raked) == (
        "cards that were raked in are not brought back"
    )
    other = apply_remedy(now(rack=rack), "rebuild", case("misdeal", (1,)))
    assert isinstance(other, list)
    assert isinstance(other[0], ev.Rearranged)
    assert isinstance(
        apply_remedy(now(load_book("exchange"), rack=rack), "rebuild", case("misdeal", (1,))), list | Refusal
    )


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
