"""Events of a round: opened, staked, dealt, decided."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from aceking.table import event as ev
from aceking.table.commands import as_aside
from aceking.table.evolving.changes import round_of, with_box, with_cards, with_round, without_question
from aceking.table.money.accounts import pay
from aceking.table.state import (
    LAYOUT,
    OWN_SIDES,
    TRAY,
    Box,
    Round,
    SideWager,
    TableState,
)


def _round_opened(table: TableState, event: ev.RoundOpened) -> TableState:
    deck = table.decks.get(table.deck or "")
    fresh = Round(
        number=event.number,
        at=event.at,
        deck=event.deck,
        sealed=deck is not None and deck.sealed,
        book=event.book,
        digest=event.digest,
        options=event.options,
        acts=frozenset({"bets-opened", "round-opened"}),
    )
    return replace(table, round=fresh, clock=max(table.clock, event.at))


def _staked(table: TableState, event: ev.Staked) -> TableState:
    current = round_of(table)
    box = current.boxes.get(event.box)
    if box is None or not (box.ante or box.beside):
        # A player who takes all chips back leaves the box to the next player.
        box = Box(number=event.box, player=event.player)
    changes: dict[str, Any] = {"games": max(box.games, event.games)}
    match event.wager:
        case "ante" | "bet":
            changes[event.wager] = getattr(box, event.wager) + event.amount
        case "exchange":
            changes["fee"] = box.fee + event.amount
        case "bought":
            changes["paid"] = box.paid + event.amount
        case side:
            before = box.sides.get(side)
            stake = event.amount + (before.stake if before is not None else 0)
            changes["sides"] = {**box.sides, side: SideWager(stake, lit=event.lit, coupon=event.coupon)}
    boxes = {**current.boxes, event.box: replace(box, **changes)}
    return with_round(pay(table, event.player, LAYOUT, event.amount), boxes=boxes)


def _returned(table: TableState, event: ev.Returned) -> TableState:
    box = round_of(table).boxes[event.box]
    source = LAYOUT
    changes: dict[str, Any]
    match event.wager:
        case "ante" | "bet":
            changes = {event.wager: getattr(box, event.wager) - event.amount}
        case "exchange":
            changes = {"fee": box.fee - event.amount}
        case "bought":
            changes = {"paid": box.paid - event.amount}
        case side:
            wager = box.sides[side]
            # A side wager that was counted lies in the tray already.
            source = TRAY if wager.trayed else LAYOUT
            left = replace(wager, stake=wager.stake - event.amount)
            others = {name: one for name, one in box.sides.items() if name != side}
            changes = {"sides": {**others, side: left} if left.stake else others}
    return pay(with_box(table, event.box, **changes), source, box.player, event.amount)


def _trayed(table: TableState, event: ev.Trayed) -> TableState:
    """Move the registered side chips to the tray, once."""
    current = round_of(table)
    boxes, moved = dict(current.boxes), 0
    for box in current.boxes.values():
        counted = {
            name: replace(wager, trayed=True)
            for name, wager in box.sides.items()
            if name in OWN_SIDES and wager.stake and wager.lit and not wager.trayed and not box.forfeited
        }
        if counted:
            moved += sum(wager.stake for wager in counted.values())
            boxes[box.number] = replace(box, sides={**box.sides, **counted})
    meter = current.meter if event.meter is None else event.meter
    return with_round(pay(table, LAYOUT, TRAY, moved), meter=meter, boxes=boxes)


def _told(table: TableState, event: ev.Told) -> TableState:
    return with_round(table, told=round_of(table).told | {event.player})


def _dealt(table: TableState, event: ev.Dealt) -> TableState:
    current = round_of(table)
    changes: dict[str, Any] = {"sequence": (*current.sequence, event.card)}
    if event.stray:
        changes["strayed"] = True
    if current.phase == "closed":
        changes["phase"] = "dealing"
    match event.to.kind:
        case "dealer":
            changes["dealer"] = (*current.dealer, event.card)
            changes["placed"] = current.placed + 1
            if event.face == "up":
                changes["up"] = event.card
        case "community":
            changes["community"] = (*current.community, event.card)
            changes["placed"] = current.placed + 1
        case "burn":
            changes["burn"] = (*current.burn, event.card)
        case "boxed":
            changes["boxed"] = (*current.boxed, event.card)
        case "box":
            number = event.to.number
            # A box without an ante that was dealt in by mistake is kept, so that its cards are not lost.
            box = current.boxes.get(number) or Box(number=number, player="")
            changes["boxes"] = {**current.boxes, number: replace(box, cards=(*box.cards, event.card))}
            # A card that went to a box outside the round fills no place of the deal.
            changes["placed"] = current.placed + (1 if box.ante or box.void else 0)
    return replace(table, round=replace(current, **changes))


def _up_card(table: TableState, event: ev.UpCard) -> TableState:
    return with_round(table, up=event.card)


def _rearranged(table: TableState, event: ev.Rearranged) -> TableState:
    return with_cards(table, dict(event.hands))


def _looked(table: TableState, event: ev.Looked) -> TableState:
    return with_box(table, event.box, seen=True)


def _swapped(table: TableState, event: ev.Swapped) -> TableState:
    current = round_of(table)
    box = current.boxes[event.box]
    held = tuple(event.take if one == event.give else one for one in box.cards)
    if box.give is None:
        table = with_box(table, event.box, cards=held, give=event.give, take=event.take)
    else:
        table = with_box(table, event.box, cards=held, also=(*box.also, (event.give, event.take)))
    return with_round(table, sequence=(*current.sequence, event.take))


def _dealer_card_offered(table: TableState, event: ev.DealerCardOffered) -> TableState:
    return with_round(table, offered=event.boxes, turn_at=max(round_of(table).turn_at, table.clock))


def _dealer_card_chosen(table: TableState, event: ev.DealerCardChosen) -> TableState:
    return with_box(table, event.box, buys=event.buys)


def _dealer_drew(table: TableState, event: ev.DealerDrew) -> TableState:
    return with_round(table, bought=event.card, sequence=(*round_of(table).sequence, event.card))


def _discarded(table: TableState, event: ev.Discarded) -> TableState:
    return with_box(table, event.box, discard=as_aside((*round_of(table).boxes[event.box].aside, event.card)))


def _decided(table: TableState, event: ev.Decided) -> TableState:
    current = round_of(table)
    first = current.phase == "dealing" and not event.deemed
    unseen = event.choice == "bet" and not current.boxes[event.box].seen
    decided = without_question(with_box(table, event.box, choice=event.choice, unseen=unseen), event.box)
    return with_round(decided, phase="deciding") if first else decided


def _claimed(table: TableState, event: ev.Claimed) -> TableState:
    return with_box(table, event.box, claimed=True)


def _left(table: TableState, event: ev.Left) -> TableState:
    return without_question(with_box(table, event.box, left=True), event.box)


ROUNDS: Mapping[type, Callable[[TableState, Any], TableState]] = {
    ev.RoundOpened: _round_opened,
    ev.Staked: _staked,
    ev.Returned: _returned,
    ev.Trayed: _trayed,
    ev.Told: _told,
    ev.Dealt: _dealt,
    ev.UpCard: _up_card,
    ev.Rearranged: _rearranged,
    ev.Looked: _looked,
    ev.Swapped: _swapped,
    ev.Discarded: _discarded,
    ev.Decided: _decided,
    ev.DealerCardOffered: _dealer_card_offered,
    ev.DealerCardChosen: _dealer_card_chosen,
    ev.DealerDrew: _dealer_drew,
    ev.Claimed: _claimed,
    ev.Left: _left,
}
