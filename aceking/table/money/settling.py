"""From the state of a table to the one settlement of the program, and back to events.

Money follows the facts until it has moved, and after: whatever changes between the reckoning and the end of the round
is reckoned anew (`reckon_again`), and what was paid by the old reckoning is undone and paid by the new one.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import msgspec

from aceking.cards.card import Card
from aceking.rules.book import Book, Rule
from aceking.rules.odds import Amount, Award, award
from aceking.rules.reading.load import with_options
from aceking.rules.refusal import Refusal, Unregulated
from aceking.settlement.amounts import bet_sizes
from aceking.settlement.lines import Line, Settlement
from aceking.settlement.scenario import Limits, Play, Scenario, ScenarioError, Seat, Swap, discards
from aceking.settlement.settle import settle
from aceking.table import event as ev
from aceking.table.money.award_lines import is_award, is_out_of_round, unqualified
from aceking.table.money.limits import ante_limits
from aceking.table.state import OWN_SIDES, Box, Round, Table

No = Refusal | Unregulated


def early_lines(book: Book, table: Table, box: Box, choice: Play) -> list[ev.Event]:
    """What a fold or a declaration settles before the reveal."""
    if choice not in ("fold", "declare"):
        return []
    seat = _seat(book, box, choice=choice)
    if choice == "fold":
        # A hand may be given up before all of its cards are there.
        seat = msgspec.structs.replace(seat, cards=())
    # A progressive stake and what has a name are judged in their own pass, with the others; a bonus at once.
    seat = msgspec.structs.replace(seat, side=Amount(0) if book.progressive is not None else seat.side, sides=())
    result = settle(book, Scenario(seats=(seat,), limits=_limits(table), awards=posted(book, table)))
    if isinstance(result, Unregulated):
        # A stake outside the limits is asked about with the others; the hand is given up all the same.
        result = settle(book, Scenario(seats=(seat,), awards=posted(book, table)))
    if not isinstance(result, Settlement):
        # What the book refuses to settle is put right first; the hand is given up all the same.
        return []
    lines = tuple(line for line in result.lines if line.early or (book.bonus is not None and line.wager == "side"))
    return [ev.Settled(lines=lines, clause=lines[0].clause)] if lines else []


def final_lines(book: Book, table: Table) -> ev.Settled | No:
    """The settlement of everything that is still open when all cards show."""
    whole = _whole(book, table)
    if isinstance(whole, Refusal | Unregulated):
        return whole
    assert table.round is not None
    done = {(line.seat, line.wager, line.outcome) for line in table.round.lines}
    lines = tuple(line for line in whole.lines if (line.seat, line.wager, line.outcome) not in done)
    clause = lines[0].clause if lines else whole.clause
    return ev.Settled(lines=lines, from_meter=whole.from_meter, meter_after=whole.meter_after, clause=clause)


def reckon_again(book: Book, table: Table) -> list[ev.Event] | No:
    """What follows where something has changed since the round was reckoned: nothing, where the lines are the same."""
    current = table.round
    assert current is not None
    whole = _whole(book, table)
    if isinstance(whole, Refusal | Unregulated):
        return whole
    before = Counter(_worth(current.from_meter, line) for line in _in_round(current))
    if before == Counter(_worth(whole.from_meter, line) for line in whole.lines):
        return []
    undone: list[ev.Event] = []
    left = list(enumerate(whole.lines))
    stays: list[int] = []
    for number in sorted(current.moved):
        line = current.lines[number]
        if is_out_of_round(current, line):
            continue
        same = _worth(current.from_meter, line)
        found = next((one for one in left if _worth(whole.from_meter, one[1]) == same), None)
        if found is None:
            undone.append(ev.Unmoved(line=number, clause=line.clause))
        else:
            left.remove(found)
            stays.append(found[0])
    clause = whole.lines[0].clause if whole.lines else whole.clause
    again = ev.Settled(
        lines=whole.lines,
        from_meter=whole.from_meter,
        meter_after=whole.meter_after,
        again=True,
        moved=tuple(stays),
        clause=clause,
    )
    # A round that is over has no dealer's acts left: the chips go where they belong at once.
    moves = [ev.Moved(line=number, clause=line.clause) for number, line in left] if current.phase == "done" else []
    return [*undone, again, *moves]


def _in_round(current: Round) -> list[Line]:
    return [line for line in current.lines if not is_out_of_round(current, line)]


def _worth(from_meter: Mapping[int, int], line: Line) -> tuple[int, str, int, str, int, int]:
    """What a line comes to, whatever clause it cites."""
    off = from_meter.get(line.seat, 0) if is_award(line) else 0
    return line.seat, line.wager, line.stake, line.outcome, line.pays, off


def _whole(book: Book, table: Table) -> ev.Settled | No:
    """Every line of the round as the cards and chips lie now."""
    current = table.round
    assert current is not None
    boxes = current.live
    alone = [box for box in current.boxes.values() if not box.ante and box.lit and not box.void]
    settled = (*boxes, *alone) if book.bonus is None else boxes
    plays = not unqualified(book, current)
    seats = tuple(_seat(book, box, choice=box.choice or "fold", bank_plays=plays) for box in settled)
    if not plays and current.bought is not None:
        # A hand that was put right since, and plays, is no hand that a card was bought for: the price goes back.
        seats = tuple(msgspec.structs.replace(seat, buys=bool(current.boxes[seat.number].buys)) for seat in seats)
    wrong = next((refused for box in boxes if (refused := miscounted(book, box))), None)
    if refused := wrong or (_bank_miscounted(book, current) if boxes else None):
        return refused
    odd = next((box for box in boxes if _is_odd(book, table, box)), None)
    if odd is not None and not current.waived:
        reason = f"the bet of box {odd.number} is not the size that the book prescribes, and it has no rule for that"
        return book.silent(reason)
    if not seats:
        return ev.Settled(lines=(), clause=book.cite("ante.required"))
    by_bank = any(seat.play != "fold" for seat in seats) or _stakes_by_bank(book, current)
    scenario = Scenario(
        seats=seats,
        dealer=_cards(current.dealer) if by_bank else (),
        community=_cards(current.community),
        meter=None if current.meter is None else Amount(current.meter),
        reset=None if table.reset is None else Amount(table.reset),
        limits=_limits(table),
        awards=posted(book, table),
        bought=Card(current.bought) if current.bought is not None and any(seat.buys for seat in seats) else None,
        up=Card(current.up) if current.up is not None and current.up in current.dealer else None,
    )
    try:
        ordered = _in_own_order(book, current)
        result = settle(_as_staked(ordered) if odd is not None else ordered, scenario)
    except ScenarioError as missing:
        # A share of a meter that nobody read out cannot be paid: a person says what it showed.
        return book.silent(str(missing))
    if isinstance(result, Refusal | Unregulated):
        return result
    told = tuple(_as_locked(current, line) for line in result.lines)
    lines = (*told, *_left_over(book, (*boxes, *alone), told))
    off: dict[int, int] = {one.seat: one.from_meter for one in result.awards}
    off |= {line.seat: current.locked[line.seat][1] for line in told if is_award(line) and line.seat in current.locked}
    return ev.Settled(
        lines=lines,
        from_meter={seat: amount for seat, amount in off.items() if amount},
        meter_after=None if result.meter is None else result.meter.after,
        clause=lines[0].clause if lines else book.cite("ante.required"),
    )


def needs_bank(book: Book, current: Round) -> bool:
    """Whether the dealer's hand decides anything: a hand is left to be compared, or a side wager goes by it."""
    return current.contested or _stakes_by_bank(book, current)


def _stakes_by_bank(book: Book, current: Round) -> bool:
    """Whether a side wager stands that goes by the dealer's hand."""
    staked = {name for box in current.live for name in box.named} if book.sides else ()
    standing = [side for name in staked if (side := book.sides[name]).folded == "stands"]
    return any(side.cards == "dealer" or side.needs not in (None, "nothing") for side in standing)


def _goes_by_player(book: Book) -> bool:
    """Whether it matters whose box it is: for a cap on what a player wins, or for envy, which is of others' hands."""
    return book.table.round_cap_for == "player" or any(side.envy for side in book.sides.values())


def _as_locked(current: Round, line: Line) -> Line:
    """An award that a linked meter has fixed is what the meter says."""
    return (
        msgspec.structs.replace(line, pays=current.locked[line.seat][0])
        if is_award(line) and line.seat in current.locked
        else line
    )


def _left_over(book: Book, boxes: tuple[Box, ...], lines: tuple[Line, ...]) -> list[Line]:
    """What lies there and no line of the settlement speaks of: an award that was backed out, a price too high."""
    found = []
    for box in boxes:
        if not box.ante and box.lit and book.bonus is not None:
            # A bonus without an ante that slipped through is no wager.
            found.append(Line(box.number, "side", box.side, "returned", 0, book.cite("bonus.needs_ante")))
        if box.unawarded and box.lit and book.progressive is not None:
            found.append(Line(box.number, "side", box.side, "lose", 0, book.cite("progressive.stake"), consumed=True))
        spent = sum(line.stake for line in lines if line.seat == box.number and line.wager == "exchange")
        if box.fee > spent:
            clause = book.cite_first("ante.over_max", "exchange.price")
            found.append(Line(box.number, "exchange", box.fee - spent, "returned", 0, clause))
        spent = sum(line.stake for line in lines if line.seat == box.number and line.wager == "bought")
        if box.paid > spent:
            found.append(Line(box.number, "bought", box.paid - spent, "returned", 0, book.cite("bought.price_antes")))
    return found


def _is_odd(book: Book, table: Table, box: Box) -> bool:
    """A bet of another size that slipped through, where the book does not say what becomes of it."""
    sizes = bet_sizes(book, ante_in_play(book, table, box))
    if box.bet > sizes[-1]:
        return book.bet.over is None
    return box.bet > 0 and box.bet not in sizes and book.bet.under is None


@cache
def _as_staked(book: Book) -> Book:
    """A bet of another size that a person lets stand is settled as it lies, and what is too much of it goes back."""
    rules = replace(book.bet, over="excess-returned", under="settled-as-staked")
    size = Rule("excess-returned", book.cite("bet.antes"))
    return replace(book, bet=rules, by_key={**book.by_key, "bet.over": size})


def _in_own_order(book: Book, current: Round) -> Book:
    """Awards whose order the house left to its controls go in the book's own order once a person says: settle."""
    rules = book.progressive
    if rules is None or rules.order != "per-internal-controls" or not current.waived:
        return book
    option = next(one for one in book.options.values() if one.rule == "progressive.order")
    ordered = with_options(book, {option.name: option.default})
    assert isinstance(ordered, Book), "the default of an option is always allowed"
    return ordered


def miscounted(book: Book, box: Box) -> Refusal | None:
    """A hand with too few or too many cards is worth nothing until the mishap is ruled on."""
    if len(box.cards) == book.hands.cards or box.choice == "fold":
        return None
    reason = f"box {box.number} has {len(box.cards)} cards, not {book.hands.cards}: that is ruled on first"
    return Refusal(reason, book.rules_on("player-miscount") or book.cite("hands.cards"))


def unruled(book: Book, current: Round) -> Box | None:
    """A hand with a wrong number of cards on which nobody ruled; after the reckoning only a correction makes one."""
    cards = book.hands.cards
    for box in current.boxes.values():
        if len(box.cards) != cards:
            break
    else:
        return None  # as after every act of a round that goes well
    wrong = [box for box in current.live if miscounted(book, box) is not None]
    if not wrong:
        return None
    ruled = {number for one in current.found if one.mishap == "player-miscount" for number in one.boxes}
    return next((box for box in wrong if not current.settled or box.number not in ruled), None)


def _bank_miscounted(book: Book, current: Round) -> Refusal | None:
    """The same for the dealer's hand, or the cards that all share."""
    if not needs_bank(book, current):
        return None
    if book.dealer is not None and len(current.dealer) != book.hands.cards:
        reason = f"the dealer has {len(current.dealer)} cards, not {book.hands.cards}: that is ruled on first"
        return Refusal(reason, book.rules_on("dealer-miscount") or book.cite("hands.cards"))
    if len(current.community) != book.hands.community:
        reason = f"there are {len(current.community)} community cards, not {book.hands.community}"
        clause = book.rules_on("community-miscount") or book.cite("hands.community")
        return Refusal(f"{reason}: that is ruled on first", clause)
    return None


def posted(book: Book, table: Table) -> Mapping[str, Award]:
    """The awards that the house has posted at the table."""
    return {row: award(text, decimals=book.decimals) for row, text in table.awards.items()}


def ante_in_play(book: Book, table: Table, box: Box) -> int:
    """The ante that counts: no more than the maximum, where the book settles at that."""
    most = ante_limits(book, table)[1]
    return min(box.ante, most) if most is not None and book.ante.over_max == "settled-at-maximum" else box.ante


def _limits(table: Table) -> Limits | None:
    if (table.ante_min is None and table.ante_max is None) or (table.round is not None and table.round.waived):
        return None
    least = None if table.ante_min is None else Amount(table.ante_min)
    return Limits(least, None if table.ante_max is None else Amount(table.ante_max))


def _seat(book: Book, box: Box, *, choice: Play, bank_plays: bool = False) -> Seat:
    # A hand may be given up before all of its cards are there.
    cards = () if choice == "fold" and len(box.cards) != book.hands.cards else box.cards
    if box.give is not None:
        # Settlement wants the hand as it was dealt, and the exchange beside it.
        came_for = dict(zip(box.took, box.gave, strict=True))
        cards = tuple([came_for.get(one, one) for one in cards])
    side = 0 if box.unawarded else sum(one.stake for name, one in box.sides.items() if one.lit and name in OWN_SIDES)
    return Seat(
        number=box.number,
        cards=_cards(cards),
        ante=Amount(box.ante),
        play=choice,
        bet=Amount(box.bet) if box.bet else None,
        side=Amount(side),
        claims=box.claimed or _was_shown(book, box) or (bank_plays and _could_not_tell(box)),
        swap=swap_of(box),
        discard=discards(_cards(box.aside)),
        player=box.player if box.ante and _goes_by_player(book) else None,
        sides=tuple([(name, Amount(one.stake)) for name, one in box.named.items()]) if book.sides else (),
    )


def swap_of(box: Box) -> Swap | None:
    """The exchange of a box, if it has made one."""
    return None if box.give is None else Swap(_cards(box.gave), _cards(box.took))


def _was_shown(book: Book, box: Box) -> bool:
    """A hand that lies face up is its own notice, where notice is all that the book asks for."""
    return box.turned and book.progressive is not None and book.progressive.claim == "player-notifies"


def _could_not_tell(box: Box) -> bool:
    """Who bet unseen and never looked had nothing to declare: against a bank that plays his hand is compared."""
    return box.unseen and not box.seen


def _cards(numbers: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple([Card(one) for one in numbers])


def owed(current: Round) -> list[tuple[int, Line]]:
    """The lines whose chips have not moved, in order. What a void or forfeited box was owed is no more."""
    return [one for one in unmoved(current) if not _in_tray(current, one[1])]


def unmoved(current: Round) -> list[tuple[int, Line]]:
    """The lines whose chips have not moved, those in the tray among them."""
    return [
        (number, line)
        for number, line in enumerate(current.lines)
        if number not in current.moved and not is_out_of_round(current, line)
    ]


def _in_tray(current: Round, line: Line) -> bool:
    """A side wager that lost went to the tray before the deal: nothing of it is left to take."""
    return line.wager == "side" and line.outcome == "lose" and current.boxes[line.seat].trayed
