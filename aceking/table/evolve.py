"""The next state of a table after an event. Nothing else changes state."""

from typing import Any

from msgspec.structs import replace

from aceking.table import event as ev
from aceking.table.state import LAYOUT, METER, TRAY, Box, Deck, Question, Round, Table

#: Acts that prepare a deck; they count for the deck they are done to.
DECK_ACTS = frozenset(
    {
        *("deck-received", "dealer-inspected", "floorperson-verified", "spread", "first-player-inspection", "turn-up"),
        *("turn-down", "wash", "stack", "shuffle", "cover-card-laid", "cut", "cover-card-to-rack", "deck-loaded"),
        *("deck-held", "device-count", "deck-registered", "idle-spread", "deck-to-shuffler"),
    }
)
#: Acts of the house at the table itself; once done they stay done.
TABLE_ACTS = frozenset({"table-configured", "table-opened", "notice-given", "device-registered"})
#: What must be done again before the next round.
_EACH_ROUND = frozenset(
    {"shuffle", "device-count", "cover-card-laid", "cut", "cover-card-to-rack", "deck-loaded", "deck-held"}
)
#: The steps of an award after the hand was picked.
_AWARD_ACTS = frozenset({"call-supervisor", "supervisor-validated", "card-swipe", "win-page", "pay-award"})
#: What must be done again when the cards have lain idle.
_AFTER_IDLE = frozenset({"first-player-inspection", "turn-up", "turn-down", "wash", "stack", *_EACH_ROUND})


def evolve(table: Table, event: ev.Event) -> Table:
    """The table after one event."""
    match event:
        case ev.Acted():
            return _acted(table, event)
        case ev.Dealt():
            return _with_round(table, **_dealt(_round(table), event))
        case ev.Staked():
            return _staked(table, event)
        case ev.Returned():
            return _returned(table, event)
        case ev.Moved():
            return _moved(table, event, back=False)
        case ev.Unmoved():
            return _moved(table, event, back=True)
        case ev.RoundOpened():
            return _round_opened(table, event)
        case ev.RoundEnded():
            return _round_ended(table, event)
        case ev.RoundVoided():
            return _with_round(replace(table, questions=()), phase="void")
        case ev.Shuffled() | ev.WasCut() | ev.DeckAdded() | ev.DeckGone() | ev.Unshuffled():
            return _deck_event(table, event)
        case ev.Asked() | ev.Answered():
            return _question_event(table, event)
        case ev.Ruled() if table.round is None:
            return table
        case ev.Violated():
            return replace(table, violations=table.violations + 1)
        case ev.TableSet():
            return replace(table, facts={**table.facts, event.key: event.value})
        case ev.OptionChanged():
            left = {key: value for key, value in table.facts.items() if key != f"notice {event.option}"}
            return replace(table, options={**table.options, event.option: event.value}, facts=left)
        case _:
            return _in_round(table, event)


def _round(table: Table) -> Round:
    assert table.round is not None, "an event of a round, and there is none"
    return table.round


def _with_round(table: Table, **changes: Any) -> Table:
    return replace(table, round=replace(_round(table), **changes))


def _with_box(table: Table, number: int, **changes: Any) -> Table:
    boxes = _round(table).boxes
    return _with_round(table, boxes={**boxes, number: replace(boxes[number], **changes)})


def _in_round(table: Table, event: ev.Event) -> Table:
    """Events that touch the round alone."""
    current = _round(table)
    match event:
        case ev.Trayed():
            return _side_bets_trayed(table, event)
        case ev.UpCard():
            return _with_round(table, up=event.card)
        case ev.Rearranged():
            return _rearranged(table, event)
        case ev.Looked():
            return _with_box(table, event.box, seen=True)
        case ev.Swapped():
            held = tuple(event.take if one == event.give else one for one in current.boxes[event.box].cards)
            changed = _with_box(table, event.box, cards=held, give=event.give, take=event.take)
            return _with_round(changed, order=_without(current.order, event.take))
        case ev.Discarded():
            return _with_box(table, event.box, discard=event.card)
        case ev.Decided():
            decided = _with_box(table, event.box, choice=event.choice)
            first = current.phase == "dealing" and not event.deemed
            return _with_round(decided, phase="deciding") if first else decided
        case ev.Claimed():
            return _with_box(table, event.box, claimed=True)
        case ev.Settled():
            lines = (*current.lines, *event.lines)
            changes: dict[str, Any] = {"lines": lines, "from_meter": {**current.from_meter, **event.from_meter}}
            if current.phase == "revealed":
                changes["settled"] = True
            return _with_round(table, **changes)
        case ev.Racked():
            return _racked(table, event)
        case ev.Selected():
            selected = {box: one for box, one in current.selected.items() if box != event.box}
            if event.hand is not None:
                selected[event.box] = (event.hand, event.by)
                return _with_round(table, selected=selected)
            # What was confirmed or signed for a hand that is no longer picked is gone with it.
            undone = current.boxes[event.box].acts - _AWARD_ACTS
            table = _with_box(table, event.box, acts=undone)
            return _with_round(table, selected=selected, validated=current.validated - {event.box})
        case ev.Ruled():
            count = current.incidents.get(event.incident, 0) + 1
            return _with_round(table, incidents={**current.incidents, event.incident: count})
        case ev.Kept():
            return _with_box(_pay(table, LAYOUT, TRAY, event.amount), event.box, fee=0)
        case ev.HandVoided():
            return _with_box(table, event.box, void=True)
        case ev.Forfeited():
            return _forfeited(table, event.box)
        case _:
            raise AssertionError(f"no state follows from {event}")


def _dealt(current: Round, event: ev.Dealt) -> dict[str, Any]:
    changes: dict[str, Any] = {"sequence": (*current.sequence, event.card)}
    if current.phase == "closed":
        changes["phase"] = "dealing"
    if current.order:
        changes["order"] = current.order[1:] if current.order[0] == event.card else _without(current.order, event.card)
    if event.to == "dealer":
        changes["dealer"] = (*current.dealer, event.card)
        changes["placed"] = current.placed + 1
        if event.face == "up":
            changes["up"] = event.card
    elif event.to == "community":
        changes["community"] = (*current.community, event.card)
        changes["placed"] = current.placed + 1
    elif event.to == "burn":
        changes["burn"] = (*current.burn, event.card)
    elif event.to == "boxed":
        changes["boxed"] = (*current.boxed, event.card)
    else:
        number = int(event.to.removeprefix("box "))
        # A box without an ante that was dealt in by mistake is kept, so that its cards are not lost.
        box = current.boxes.get(number) or Box(number=number, player="")
        changes["boxes"] = {**current.boxes, number: replace(box, cards=(*box.cards, event.card))}
        # A card that went to a box outside the round fills no place of the deal.
        changes["placed"] = current.placed + (1 if box.ante or box.void else 0)
    return changes


def _without(order: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple(one for one in order if one != card)


def _rearranged(table: Table, event: ev.Rearranged) -> Table:
    current = _round(table)
    boxes = dict(current.boxes)
    changes: dict[str, Any] = {"misdealt": False}
    moved = {card for held in event.hands.values() for card in held}
    changes["order"] = tuple(one for one in current.order if one not in moved)
    for place, held in event.hands.items():
        if place in ("dealer", "community", "burn", "boxed"):
            changes[place] = held
        else:
            number = int(place.removeprefix("box "))
            boxes[number] = replace(boxes.get(number) or Box(number=number, player=""), cards=held)
    last = (changes.get("dealer", current.dealer), changes.get("community", current.community))
    changes["placed"] = sum(len(held) for held in (*last, *(box.cards for box in boxes.values())))
    return _with_round(table, boxes=boxes, **changes)


#: After these the next box has its full time.
_NEXT_TURN = frozenset({"stub-to-rack", "go-ahead", "decision", "bet", "fold", "declare"})


def _acted(table: Table, event: ev.Acted) -> Table:
    changes: dict[str, Any] = {"clock": max(table.clock, event.at)}
    if event.act in TABLE_ACTS:
        changes["facts"] = {**table.facts, f"did {event.act}": "yes"}
        changes["open"] = table.open or event.act == "table-opened"
    if event.act in DECK_ACTS and event.deck is not None and event.deck in table.decks:
        changes["decks"] = {**table.decks, event.deck: _deck_acted(table.decks[event.deck], event)}
        if event.act in ("deck-loaded", "deck-held"):
            changes["deck"] = event.deck
            if table.live_round is not None and not table.live_round.sequence:
                loaded = replace(table.live_round, deck=event.deck, order=table.decks[event.deck].order)
                changes["round"] = loaded
    current = table.round
    if current is not None and event.act not in DECK_ACTS:
        round_changes: dict[str, Any] = {"acts": current.acts | {event.act}}
        phase = {"no-more-bets": "closed", "START GAME": "closed", "reveal": "revealed"}.get(event.act)
        if phase is not None and current.phase in ("betting", "closed", "deciding"):
            round_changes["phase"] = phase
        if event.act in ("stub-to-rack", "go-ahead") and current.phase == "dealing":
            round_changes["phase"] = "deciding"
        if event.act in _NEXT_TURN:
            round_changes["turn_at"] = event.at
        if event.act == "stub-count":
            round_changes["counted"] = True
        if event.box is not None and event.box in current.boxes:
            box = current.boxes[event.box]
            round_changes["boxes"] = {**current.boxes, event.box: replace(box, acts=box.acts | {event.act})}
        if event.act == "supervisor-validated" and event.box is not None:
            round_changes["validated"] = current.validated | {event.box}
        if event.act == "documentation-complete" and event.box is not None:
            round_changes["documented"] = current.documented | {event.box}
        changes["round"] = replace(current, **round_changes)
    return replace(table, **changes)


def _deck_acted(deck: Deck, event: ev.Acted) -> Deck:
    if event.act == "idle-spread":
        return replace(deck, acts=(deck.acts - _AFTER_IDLE) | {event.act}, shuffled=None, order=())
    if event.act == "deck-to-shuffler":
        return replace(deck, acts=deck.acts | {event.act}, racked=False)
    if event.act in ("deck-loaded", "deck-held"):
        return replace(deck, acts=(deck.acts - {"deck-to-shuffler"}) | {event.act})
    return replace(deck, acts=deck.acts | {event.act})


def _deck_event(table: Table, event: ev.Shuffled | ev.WasCut | ev.DeckAdded | ev.DeckGone | ev.Unshuffled) -> Table:
    decks = dict(table.decks)
    match event:
        case ev.DeckAdded():
            decks[event.deck] = Deck(name=event.deck, back=event.back, since=event.at)
        case ev.DeckGone():
            decks.pop(event.deck, None)
        case ev.Unshuffled():
            kept = decks[event.deck]
            decks[event.deck] = replace(kept, acts=kept.acts - _EACH_ROUND, shuffled=None, order=())
        case ev.Shuffled():
            kept = decks[event.deck]
            acts = (kept.acts - _EACH_ROUND - {"idle-spread"}) | {"shuffle"}
            decks[event.deck] = replace(kept, acts=acts, shuffled=event.method, order=event.order, racked=False)
        case ev.WasCut():
            kept = decks[event.deck]
            order = (*kept.order[event.count :], *kept.order[: event.count])
            decks[event.deck] = replace(kept, acts=kept.acts | {"cut"}, order=order)
    in_use = table.deck if table.deck in decks else None
    return replace(table, decks=decks, deck=in_use)


def _round_opened(table: Table, event: ev.RoundOpened) -> Table:
    deck = table.decks.get(table.deck or "")
    fresh = Round(
        number=event.number,
        at=event.at,
        deck=event.deck,
        book=event.book,
        digest=event.digest,
        options=event.options,
        acts=frozenset({"bets-opened", "round-opened"}),
        order=deck.order if deck is not None else (),
    )
    return replace(table, round=fresh, clock=max(table.clock, event.at))


def _staked(table: Table, event: ev.Staked) -> Table:
    current = _round(table)
    box = current.boxes.get(event.box)
    if box is None or not (box.ante or box.side):
        # Who takes all chips back leaves the box to the next.
        box = Box(number=event.box, player=event.player)
    name = "fee" if event.wager == "exchange" else event.wager
    changes: dict[str, Any] = {name: getattr(box, name) + event.amount}
    if event.wager == "side":
        changes |= {"lit": event.lit, "coupon": event.coupon}
    boxes = {**current.boxes, event.box: replace(box, **changes)}
    return _with_round(_pay(table, event.player, LAYOUT, event.amount), boxes=boxes)


def _returned(table: Table, event: ev.Returned) -> Table:
    box = _round(table).boxes[event.box]
    name = "fee" if event.wager == "exchange" else event.wager
    # A side bet that was counted lies in the tray already.
    source = TRAY if event.wager == "side" and box.trayed else LAYOUT
    table = _with_box(table, event.box, **{name: getattr(box, name) - event.amount})
    return _pay(table, source, box.player, event.amount)


def _side_bets_trayed(table: Table, event: ev.Trayed) -> Table:
    """The chips whose lights are on go to the tray, once."""
    current = _round(table)
    counted = [box for box in current.boxes.values() if box.side and box.lit and not box.trayed and not box.forfeited]
    boxes = {**current.boxes, **{box.number: replace(box, trayed=True) for box in counted}}
    paid = _pay(table, LAYOUT, TRAY, sum(box.side for box in counted))
    return _with_round(paid, meter=event.meter, boxes=boxes)


def _forfeited(table: Table, number: int) -> Table:
    box = _round(table).boxes[number]
    return _pay(_with_box(table, number, forfeited=True), LAYOUT, TRAY, lying_on(_round(table), box))


def lying_on(current: Round, box: Box) -> int:
    """The chips of a box that still lie on the layout."""
    gone = sum(
        line.stake
        for number, line in enumerate(current.lines)
        if number in current.moved and line.seat == box.number and not (line.wager == "side" and box.trayed)
    )
    return 0 if box.forfeited else box.ante + box.bet + box.fee + (0 if box.trayed else box.side) - gone


def _pay(table: Table, source: str, target: str, amount: int) -> Table:
    if not amount:
        return table
    accounts = dict(table.accounts)
    accounts[source] = accounts.get(source, 0) - amount
    accounts[target] = accounts.get(target, 0) + amount
    return replace(table, accounts=accounts)


def _moved(table: Table, event: ev.Moved | ev.Unmoved, *, back: bool) -> Table:
    """The chips of a line: a loser's stake to the tray, a winner's pay and stake to the player; or all of it back."""
    current = _round(table)
    line = current.lines[event.line]
    own = current.boxes[line.seat].player
    sign = -1 if back else 1
    in_tray = line.wager == "side" and current.boxes[line.seat].trayed
    if line.outcome == "lose":
        if not in_tray:
            table = _pay(table, LAYOUT, TRAY, sign * line.stake)
    else:
        off_meter = current.from_meter.get(line.seat, 0) if line.consumed else 0
        table = _pay(table, METER, own, sign * off_meter)
        table = _pay(table, TRAY, own, sign * (line.pays - off_meter))
        if not line.consumed:
            table = _pay(table, TRAY if in_tray else LAYOUT, own, sign * line.stake)
        elif not in_tray:
            # A stake that is spent goes to the tray at the latest when its award is paid.
            table = _pay(table, LAYOUT, TRAY, sign * line.stake)
    moved = current.moved - {event.line} if back else current.moved | {event.line}
    return _with_round(table, moved=moved)


def _racked(table: Table, event: ev.Racked) -> Table:
    current = _round(table)
    changes: dict[str, Any] = {"rack": (*current.rack, (event.what, event.cards))}
    if event.what == "stub":
        changes["order"] = ()
    if event.what.startswith("box "):
        number = int(event.what.removeprefix("box "))
        changes["boxes"] = {**current.boxes, number: replace(current.boxes[number], racked=True)}
    deck = table.decks.get(current.deck or "")
    if deck is not None and not deck.racked:
        table = replace(table, decks={**table.decks, deck.name: replace(deck, racked=True)})
    return _with_round(table, **changes)


def _round_ended(table: Table, event: ev.RoundEnded) -> Table:
    decks = dict(table.decks)
    if table.deck is not None and table.deck in decks:
        kept = decks[table.deck]
        uncounted = 0 if event.counted else kept.rounds_uncounted + 1
        decks[table.deck] = replace(
            kept, acts=kept.acts - _EACH_ROUND, shuffled=None, order=(), rounds_uncounted=uncounted
        )
    current = _round(table)
    phase = "void" if current.phase == "void" else "done"
    return replace(
        table,
        decks=decks,
        rounds=current.number,
        last_deck=current.deck,
        rounds_uncounted=0 if event.counted else table.rounds_uncounted + 1,
        clock=max(table.clock, event.at),
        round=replace(current, phase=phase),
        questions=(),
    )


#: A stake outside the limits that a person lets stand is settled as it is.
_LIMITS = frozenset({"uncovered", "over-maximum", "under-minimum"})
_LET_STAND = frozenset({"stands", "settle", "settle-as-staked", "continue"})


def _question_event(table: Table, event: ev.Asked | ev.Answered) -> Table:
    if isinstance(event, ev.Asked):
        asked = Question(
            number=event.question,
            incident=event.incident,
            of=event.of,
            boxes=event.boxes,
            unregulated=event.unregulated,
            given=event.given,
            clause=event.clause,
        )
        return replace(table, questions=(*table.questions, asked), asked=event.question)
    left = []
    for one in table.questions:
        if one.number != event.question:
            left.append(one)
        elif not event.closes:
            left.append(replace(one, boxes=tuple(box for box in one.boxes if box != event.box)))
    answered = replace(table, questions=tuple(left))
    asked_of = next((one for one in table.questions if one.number == event.question), None)
    if asked_of is not None and asked_of.incident in _LIMITS and event.then in _LET_STAND:
        return _with_round(answered, waived=True)
    if event.box is not None and event.then != "void-hand":
        return _with_round(answered, went_on=_round(answered).went_on | {event.box})
    return answered
