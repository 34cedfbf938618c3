"""What events of stakes and cards change: the table before and after, whole, so that nothing else moves with it."""

from typing import Any

import pytest
from msgspec.structs import replace

from aceking.table import event as ev
from aceking.table.cards.place import BOXED, BURN, COMMUNITY, DEALER, box_place
from aceking.table.evolve import evolve
from aceking.table.state import Box, Round, SideWager
from tests.table.evolving.before import (
    ANN,
    ASKED,
    AWARD,
    BOB,
    LOST,
    PUSHED,
    ROUND,
    TABLE,
    TO_HOUSE,
    TO_ONE,
    paid,
    with_ann,
    with_deck,
    with_round,
)

# Stakes


def test_a_round_opens_fresh() -> None:
    event = ev.RoundOpened(number=8, at=130, deck="red", book="b", digest="x", options={"o": "v"})
    fresh = Round(
        number=8,
        at=130,
        deck="red",
        sealed=True,
        book="b",
        digest="x",
        options={"o": "v"},
        acts=frozenset({"bets-opened", "round-opened"}),
    )
    assert evolve(TABLE, event) == replace(TABLE, round=fresh, clock=130)
    assert evolve(replace(TABLE, clock=150), event).clock == 150
    for table in (with_deck(sealed=False), replace(TABLE, deck=None), replace(TABLE, deck="blue")):
        assert evolve(table, event) == replace(table, round=replace(fresh, sealed=False), clock=130)


def staked(wager: str, amount: int, **more: Any) -> ev.Staked:
    return ev.Staked(box=1, player="Ann", wager=wager, amount=amount, **more)


@pytest.mark.parametrize(
    ("event", "changes"),
    [
        (staked("ante", 200), {"ante": 1200}),
        (staked("ante", -200), {"ante": 800}),
        (staked("bet", 200), {"bet": 2200}),
        (staked("exchange", 200), {"fee": 500}),
        (staked("ante", 200, games=3), {"ante": 1200, "games": 3}),
        (staked("side", 100), {"sides": {**ANN.sides, "side": SideWager(200)}}),
        (
            staked("new", 70, lit=False, coupon=True),
            {"sides": {**ANN.sides, "new": SideWager(70, lit=False, coupon=True)}},
        ),
    ],
)
def test_chips_go_down_on_their_wager(event: ev.Staked, changes: dict[str, Any]) -> None:
    assert evolve(TABLE, event) == paid(with_ann(**changes), "Ann", "layout", event.amount)


def test_who_takes_all_chips_back_leaves_the_box_to_the_next() -> None:
    event = ev.Staked(box=1, player="Cyd", wager="ante", amount=400)
    fresh = {1: Box(number=1, player="Cyd", ante=400), 2: BOB}
    for left in (with_ann(ante=0, sides={}), with_round(boxes={2: BOB})):
        assert evolve(left, event) == paid(with_round(left, boxes=fresh), "Cyd", "layout", 400)
    for held in (replace(ANN, sides={}), replace(ANN, ante=0)):
        after = evolve(with_round(boxes={1: held, 2: BOB}), event)
        assert after.round is not None
        assert after.round.boxes[1] == replace(held, ante=held.ante + 400)


@pytest.mark.parametrize(
    ("wager", "amount", "changes"),
    [
        ("ante", 200, {"ante": 800}),
        ("bet", 2000, {"bet": 0}),
        ("exchange", 100, {"fee": 200}),
        ("side", 30, {"sides": {"bonus": SideWager(50, lit=False), "side": SideWager(70)}}),
        ("side", 100, {"sides": {"bonus": SideWager(50, lit=False)}}),
        ("side", 99, {"sides": {"bonus": SideWager(50, lit=False), "side": SideWager(1)}}),
    ],
)
def test_chips_go_back_from_their_wager(wager: str, amount: int, changes: dict[str, Any]) -> None:
    after = evolve(TABLE, ev.Returned(box=1, wager=wager, amount=amount))
    assert after == paid(with_ann(**changes), "layout", "Ann", amount)


def test_a_side_wager_that_was_counted_comes_back_from_the_tray() -> None:
    counted = evolve(TABLE, ev.Trayed(meter=9500))
    sides = {"side": SideWager(100, trayed=True), "bonus": SideWager(50, lit=False)}
    assert counted == paid(with_round(with_ann(sides=sides), meter=9500), "layout", "tray", 100)
    assert evolve(counted, ev.Trayed()) == counted, "once"
    back = evolve(counted, ev.Returned(box=1, wager="side", amount=100))
    assert back == paid(with_ann(counted, sides={"bonus": sides["bonus"]}), "tray", "Ann", 100)
    lost = with_ann(forfeited=True)
    assert evolve(lost, ev.Trayed()) == lost
    empty = with_ann(sides={"side": SideWager(0)})
    assert evolve(empty, ev.Trayed(meter=0)) == with_round(empty, meter=0)
    two = with_ann(sides={"side": SideWager(100), "bonus": SideWager(30)})
    assert evolve(two, ev.Trayed()) == paid(
        with_ann(sides={"side": SideWager(100, trayed=True), "bonus": SideWager(30, trayed=True)}),
        "layout",
        "tray",
        130,
    )
    named = with_ann(sides={"lucky": SideWager(100)})
    assert evolve(named, ev.Trayed()) == named, "a side wager by name stays on the layout"


def test_the_price_of_an_exchange_is_kept_and_a_box_is_out_or_forfeits() -> None:
    assert evolve(TABLE, ev.Kept(box=1, amount=300)) == paid(with_ann(fee=0), "layout", "tray", 300)
    asked = replace(TABLE, questions=(ASKED, TO_ONE, TO_HOUSE))
    unasked = replace(TABLE, questions=(replace(ASKED, boxes=(2,)), TO_HOUSE))
    assert evolve(asked, ev.HandVoided(box=1)) == with_round(with_ann(unasked, void=True), strayed=True)
    assert evolve(TABLE, ev.HandVoided(box=1)) == with_round(with_ann(void=True), strayed=True)
    assert evolve(asked, ev.Forfeited(box=1)) == paid(with_ann(unasked, forfeited=True), "layout", "tray", 3450)
    # What has moved, or lies in the tray, is not taken a second time.
    moved = with_round(lines=(LOST, AWARD, PUSHED), moved=frozenset({0, 2}))
    assert evolve(moved, ev.Forfeited(box=1)) == paid(with_ann(moved, forfeited=True), "layout", "tray", 1450)
    tray = with_ann(with_round(moved, moved=frozenset({0, 1})), sides={"side": SideWager(100, trayed=True)})
    assert evolve(tray, ev.Forfeited(box=1)) == paid(with_ann(tray, forfeited=True), "layout", "tray", 1300)


# Cards


@pytest.mark.parametrize("up", [False, True])
@pytest.mark.parametrize("stray", [False, True])
@pytest.mark.parametrize("phase", ["closed", "dealing", "deciding"])
def test_a_card_that_leaves_the_deck_lies_in_its_place(phase: str, *, stray: bool, up: bool) -> None:
    cyd = Box(number=3, player="", cards=(40,))
    for place, changes in (
        (DEALER, {"dealer": (31, 40), "placed": 9, "up": 40 if up else None}),
        (COMMUNITY, {"community": (40,), "placed": 9}),
        (BURN, {"burn": (20, 40)}),
        (BOXED, {"boxed": (40,)}),
        (box_place(2), {"boxes": {1: ANN, 2: replace(BOB, cards=(11, 12, 40))}, "placed": 9}),
        (box_place(3), {"boxes": {1: ANN, 2: BOB, 3: cyd}}),
    ):
        table = with_round(phase=phase)
        after = evolve(table, ev.Dealt(card=40, to=place, face="up" if up else "down", stray=stray))
        then = "deciding" if phase == "deciding" else "dealing"
        more: dict[str, Any] = {"phase": then, "sequence": (*ROUND.sequence, 40), "strayed": stray, **changes}
        assert after == with_round(table, **more), place
    again = with_round(boxed=(7,), community=(8,))
    for place, field in ((BOXED, "boxed"), (COMMUNITY, "community")):
        dealt = evolve(again, ev.Dealt(card=40, to=place)).round
        assert dealt is not None
        assert getattr(dealt, field)[1:] == (40,)


def test_a_card_to_a_void_box_fills_its_place_of_the_deal() -> None:
    for box, placed in (({"ante": 0, "void": True}, 9), ({"ante": 0}, 8), ({"void": True}, 9)):
        after = evolve(with_ann(**box), ev.Dealt(card=40, to=box_place(1))).round
        assert after is not None
        assert after.placed == placed


def test_cards_are_laid_elsewhere() -> None:
    up = evolve(TABLE, ev.UpCard(card=31))
    assert up == with_round(up=31)
    event = ev.Rearranged(hands=((box_place(1), (1, 2)), (box_place(3), (3, 41)), (BOXED, (4, 5))))
    boxes = {1: replace(ANN, cards=(1, 2)), 2: BOB, 3: Box(number=3, player="", cards=(3, 41))}
    assert evolve(TABLE, event) == with_round(
        boxes=boxes, boxed=(4, 5), placed=7, sequence=(*ROUND.sequence, 41), strayed=True
    )
    dealt = evolve(with_round(community=(50,)), ev.Rearranged(hands=((DEALER, (31, 42, 43)),)))
    assert dealt == with_round(
        community=(50,), dealer=(31, 42, 43), placed=11, sequence=(*ROUND.sequence, 42, 43), strayed=True
    )
    shared = evolve(TABLE, ev.Rearranged(hands=((COMMUNITY, (50, 51)),)))
    assert shared == with_round(community=(50, 51), placed=10, sequence=(*ROUND.sequence, 50, 51), strayed=True)


def test_players_are_told_look_exchange_lay_aside_decide_claim_and_leave() -> None:
    assert evolve(TABLE, ev.Told(player="Ann")) == with_round(told=frozenset({"Ann"}))
    assert evolve(with_round(told=frozenset({"Bob"})), ev.Told(player="Ann")) == with_round(
        told=frozenset({"Ann", "Bob"})
    )
    assert evolve(TABLE, ev.Looked(box=1, at=130)) == with_ann(seen=True)
    swapped = with_round(with_ann(cards=(1, 2, 44, 4, 5), give=3, take=44), sequence=(*ROUND.sequence, 44))
    assert evolve(TABLE, ev.Swapped(box=1, give=3, take=44)) == swapped
    assert evolve(TABLE, ev.Discarded(box=1, card=3)) == with_ann(discard=3)
    assert evolve(TABLE, ev.Claimed(box=1)) == with_ann(claimed=True)
    asked = replace(TABLE, questions=(ASKED, TO_ONE, TO_HOUSE))
    unasked = replace(TABLE, questions=(replace(ASKED, boxes=(2,)), TO_HOUSE))
    assert evolve(asked, ev.Left(box=1)) == with_ann(unasked, left=True)
    # Where nobody called the go-ahead, the first decision of a player is one; what counts as a decision is none.
    assert evolve(asked, ev.Decided(box=1, choice="bet")) == with_round(
        with_ann(unasked, choice="bet", unseen=True), phase="deciding"
    )
    assert evolve(asked, ev.Decided(box=1, choice="stay")) == with_round(
        with_ann(unasked, choice="stay"), phase="deciding"
    )
    looked = with_ann(asked, seen=True)
    assert evolve(looked, ev.Decided(box=1, choice="bet")) == with_round(
        with_ann(unasked, choice="bet", seen=True), phase="deciding"
    )
    assert evolve(asked, ev.Decided(box=1, choice="fold", deemed=True)) == with_ann(unasked, choice="fold")
    late = with_round(phase="betting")
    assert evolve(late, ev.Decided(box=1, choice="bet")) == with_ann(late, choice="bet", unseen=True)
    three = replace(ASKED, boxes=(1, 2, 3))
    after = evolve(replace(TABLE, questions=(three,)), ev.Left(box=2))
    assert after.questions == (replace(three, boxes=(1, 3)),)
