"""What remedies do at the edges: cards known from the shoe, piles of a hand, boxes that are out already."""

import dataclasses
from typing import Any

from msgspec.structs import replace

from aceking.rules.words import Circumstance, Mishap, Remedy
from aceking.table import event as ev
from aceking.table.cards.place import BOXED, BURN, DEALER, Pile, box_place
from aceking.table.mishaps.case import MishapCase, RemedyResult
from aceking.table.mishaps.consequences import apply_remedy
from aceking.table.mishaps.rebuilding import can_rebuild
from aceking.table.mishaps.ruling import rule_on
from aceking.table.mishaps.stakes import void_hand
from tests.table.moment import ANN, BOB, EXCHANGE, ROUND, RWS, SECTION10, boxes, dealing, moment

C = "the clause"


def case(mishap: Mishap, *named: int, cards: tuple[int, ...] = (), given: tuple[Circumstance, ...] = ()) -> MishapCase:
    return MishapCase(mishap, C, named, cards, frozenset(given))


def test_what_a_reconstruction_lacks_is_known_where_the_order_is() -> None:
    """A card was not burnt: each place gets the card that came after its own, and the last one the next of the deck."""
    done = apply_remedy(moment(RWS, sealed=True, up=14), "rebuild", case("missed-burn"))
    hands = (
        (BURN, (0,)),
        (box_place(1), (1, 4, 7, 10, 13)),
        (box_place(2), (2, 5, 8, 11, 14)),
        (DEALER, (3, 6, 9, 12, 15)),
    )
    assert done == [
        ev.Dealt(card=15, to=DEALER, clause=C),
        ev.Rearranged(hands=hands, clause=C),
        ev.UpCard(card=15, clause=C),
    ]


def test_in_the_middle_of_a_deal_the_up_card_follows_too() -> None:
    """Ann has the dealer's first card, and the dealer has Ann's."""
    crossed = boxes(ann={"cards": (2,)}, bob={"cards": (1,)})
    done = apply_remedy(
        moment(**dealing(3, boxes=crossed, dealer=(0,), up=0, strayed=True, sealed=True)), "rebuild", case("misdeal")
    )
    hands = ((box_place(1), (0,)), (box_place(2), (1,)), (DEALER, (2,)))
    assert done == [ev.Rearranged(hands=hands, clause=C), ev.UpCard(card=2, clause=C)]


def test_whose_hand_a_reconstruction_changes_may_choose() -> None:
    done = apply_remedy(moment(RWS, sealed=True, up=14), "offer-choice", case("missed-burn", 1, given=("rebuildable",)))
    assert isinstance(done, list)
    assert [type(one) for one in done] == [ev.Dealt, ev.Rearranged, ev.UpCard, ev.Asked]
    assert isinstance(done[-1], ev.Asked)
    assert (done[-1].of, done[-1].boxes) == ("players", (1, 2))
    assert apply_remedy(moment(settled=True), "offer-choice", case("misdeal", 1)) == "the round is reckoned"


def test_a_dealer_whose_last_card_is_next_in_the_deck_is_for_a_person_to_decide() -> None:
    short = replace(ROUND, dealer=ROUND.dealer[:4], sequence=tuple(range(14)), placed=14)
    assert can_rebuild(SECTION10, short, "dealer-miscount") == "rebuildable-from-stub"
    assert can_rebuild(SECTION10, short, "misdeal") is None, "while the deal runs nothing is drawn"


def test_a_hand_comes_back_from_the_rack_with_what_was_laid_aside_of_it() -> None:
    rack = (
        (Pile("hand", 1), (0, 3)),
        (Pile("discard", 1), (6,)),
        (Pile("discard", 2), (7,)),
        (Pile("exchanged", 1), (9,)),
    )
    assert apply_remedy(moment(rack=rack), "rebuild", case("raked-cards", 1)) == [
        ev.Racked(what=Pile("hand", 1), cards=(0, 3), back=True, clause=C),
        ev.Racked(what=Pile("discard", 1), cards=(6,), back=True, clause=C),
    ]


def test_a_course_that_is_about_no_box_needs_none() -> None:
    dealt = moment()
    taken: dict[Remedy, RemedyResult] = {
        "close-table": [ev.CourseTaken(course="close-table", clause=C)],
        "play-without-jackpot": [ev.CourseTaken(course="play-without-jackpot", clause=C)],
        "block-affected-box": "no box is named that the fault affects",
    }
    for then, follows in taken.items():
        assert apply_remedy(dealt, then, case("jackpot-fault")) == follows


def test_a_box_that_is_out_gets_nothing_back_again() -> None:
    for out in ("void", "forfeited"):
        gone = dealing(0, phase="betting", boxes=boxes(ann={"cards": (), out: True}))
        blocked = ev.CourseTaken(course="block-affected-box", boxes=(1,), clause=C)
        assert apply_remedy(moment(**gone), "block-affected-box", case("jackpot-fault", 1)) == [blocked]
    assert void_hand(moment(), 7, C) == []
    fee = void_hand(moment(EXCHANGE, boxes=boxes(ann={"fee": 300})), 1, C)
    assert fee == [
        ev.Returned(box=1, wager="ante", amount=1000, clause=C),
        ev.Returned(box=1, wager="exchange", amount=300, clause=C),
        ev.HandVoided(box=1, clause=C),
    ]


def test_a_burnt_card_is_no_hand_in_the_wrong_place() -> None:
    crossed: dict[str, Any] = {
        "boxes": boxes(ann={"cards": BOB.cards}, bob={"cards": ANN.cards}),
        "sequence": (40, *range(15)),
        "burn": (40,),
    }
    assert can_rebuild(RWS, replace(ROUND, **crossed), "misdeal") == "rebuildable"


def test_one_hand_that_is_not_whole_is_enough_to_stop_a_reconstruction() -> None:
    """Ann has Bob's hand; hers lies nowhere whole."""
    mixed = boxes(ann={"cards": BOB.cards}, bob={"cards": (0, 3, 6, 9, 40)})
    assert can_rebuild(SECTION10, replace(ROUND, boxes=mixed), "misdeal") is None


def test_a_stack_that_was_filled_again_is_no_hand_too_short() -> None:
    """Only where nothing takes the place of a card is the hand ruled on as a miscount."""
    pattern = EXCHANGE.clauses["EUR-p27-count"]
    filled = replace(pattern.rulings[0], on="boxed-card", then="replace-from-stub", during=(), given=())
    miscount = replace(filled, on="player-miscount", then="record-violation")
    clauses = {"A": replace(pattern, id="A", rulings=(filled, miscount))}
    book = dataclasses.replace(EXCHANGE, clauses=clauses)
    short = boxes(bob={"cards": BOB.cards[:4]})
    done = rule_on(moment(book, boxes=short), "boxed-card", cards=(6, 40))
    assert done == [
        ev.Ruled(mishap="boxed-card", given=(), then="replace-from-stub", cards=(6, 40), clause="A"),
        ev.Rearranged(hands=((box_place(1), (0, 3, 9, 12)), (BOXED, (6,))), clause="A"),
        ev.Dealt(card=40, to=box_place(1), clause="A"),
    ]
