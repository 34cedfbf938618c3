"""Settle the state of a table with the program's one settlement function, and turn the result into events.

Money follows the facts: what changes between the settlement and the end of the round is settled again (`reckon_again`),
and what was paid by the old settlement is undone and paid by the new one.
"""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache

import msgspec

from aceking.cards.card import CardId
from aceking.rules.book import Book, Rule
from aceking.rules.decisions import ENDS_EARLY, GIVES_UP, Choice
from aceking.rules.odds import Amount, AwardAmount, award
from aceking.rules.reading.load import with_options
from aceking.rules.refusal import No, Refusal, Unregulated
from aceking.settlement.amounts import bet_sizes
from aceking.settlement.lines import Line, Settlement
from aceking.settlement.scenario import AnteLimits, Scenario, ScenarioError, Seat, Swap, discards
from aceking.settlement.settle import settle
from aceking.settlement.side_wagers import is_spent
from aceking.table import event as ev
from aceking.table.money.award_lines import is_award, is_out_of_round, unqualified
from aceking.table.money.limits import ante_limits
from aceking.table.state import OWN_SIDES, Box, Round, TableState


def early_lines(book: Book, table: TableState, box: Box, choice: Choice) -> list[ev.TableEvent]:
    """What a fold or a declaration settles before the reveal."""
    if choice not in ENDS_EARLY:
        return []
    seat = _seat(book, box, choice=choice)
    if seat.gave_up:
        # A hand may be given up before all of its cards are there.
        seat = msgspec.structs.replace(seat, cards=())
    # A progressive stake and named side wagers are judged in their own pass, with the others; a bonus at once.
    seat = msgspec.structs.replace(seat, side=Amount(0) if book.progressive is not None else seat.side, sides=())
    lines = _alone(book, table, seat)
    lines = tuple(line for line in lines if line.early or (book.bonus is not None and line.wager == "side"))
    return [ev.RoundSettled(lines=lines, clause=lines[0].clause)] if lines else []


def lost_by_giving_up(book: Book, table: TableState, box: Box, choice: Choice) -> int | None:
    """Return the chips of a box that cannot come back after this choice; None if the book refuses to settle it.

    Ante, price of an exchange and side stakes are counted; an award is paid besides. A side wager that stands after a
    fold counts only if its stake is spent anyway or cards that the player has seen decide it: the sum reveals no hidden
    card.
    """
    # A bet that lies there was laid before the box was asked; it goes back.
    seat = msgspec.structs.replace(_seat(book, box, choice=choice), bet=None)
    standing = [one for one in seat.sides if book.sides[one[0]].folded == "stands"]
    given_up = tuple([one for one in seat.sides if one not in standing])
    # Without its cards the hand wins no award, so that only the stake of a progressive is settled.
    lines = _alone(book, table, msgspec.structs.replace(seat, cards=(), sides=given_up))
    if not lines:
        return None
    lost = sum([line.stake for line in (*lines, *_left_over(book, (box,), lines)) if line.outcome == "lose"])
    for name, stake in standing:
        if is_spent(book.sides[name]):
            lost += stake
        elif box.seen:
            with suppress(ScenarioError):  # the dealer's hidden cards decide it
                judged = _alone(book, table, msgspec.structs.replace(seat, side=Amount(0), sides=((name, stake),)))
                lost += sum([line.stake for line in judged if line.wager == name and line.outcome == "lose"])
    return lost


def _alone(book: Book, table: TableState, seat: Seat) -> tuple[Line, ...]:
    """Return the lines of a hand that ends before the reveal; none if the book refuses to settle it."""
    up = None if table.round is None or table.round.up is None else CardId(table.round.up)
    scenario = Scenario(seats=(seat,), limits=_limits(table), awards=posted(book, table), up=up)
    result = settle(book, scenario)
    if isinstance(result, Unregulated):
        # A stake outside the limits is asked about with the others; the hand ends all the same.
        result = settle(book, msgspec.structs.replace(scenario, limits=None))
    # What the book refuses to settle is put right first; the hand ends all the same.
    return result.lines if isinstance(result, Settlement) else ()


def final_lines(book: Book, table: TableState) -> ev.RoundSettled | No:
    """Return the settlement of everything still open when all cards show."""
    whole = _whole(book, table)
    if isinstance(whole, Refusal | Unregulated):
        return whole
    assert table.round is not None
    done = {(line.seat, line.wager, line.outcome) for line in table.round.lines}
    lines = tuple(line for line in whole.lines if (line.seat, line.wager, line.outcome) not in done)
    clause = lines[0].clause if lines else whole.clause
    return ev.RoundSettled(lines=lines, from_meter=whole.from_meter, meter_after=whole.meter_after, clause=clause)


def reckon_again(book: Book, table: TableState) -> list[ev.TableEvent] | No:
    """Return the events if the settlement has changed since the last one; an empty list if its lines are the same."""
    current = table.round
    assert current is not None
    whole = _whole(book, table)
    if isinstance(whole, Refusal | Unregulated):
        return whole
    before = Counter(_worth(current.from_meter, line) for line in _in_round(current))
    if before == Counter(_worth(whole.from_meter, line) for line in whole.lines):
        return []
    undone: list[ev.TableEvent] = []
    unmatched = list(enumerate(whole.lines))
    stays: list[int] = []
    for number in sorted(current.moved):
        line = current.lines[number]
        if is_out_of_round(current, line):
            continue
        same = _worth(current.from_meter, line)
        match = next((one for one in unmatched if _worth(whole.from_meter, one[1]) == same), None)
        if match is None:
            undone.append(ev.Unmoved(line=number, clause=line.clause))
        else:
            unmatched.remove(match)
            stays.append(match[0])
    clause = whole.lines[0].clause if whole.lines else whole.clause
    again = ev.RoundSettled(
        lines=whole.lines,
        from_meter=whole.from_meter,
        meter_after=whole.meter_after,
        again=True,
        moved=tuple(stays),
        clause=clause,
    )
    # A round that is over has no dealer's acts left: the chips move at once.
    moves = [ev.Moved(line=number, clause=line.clause) for number, line in unmatched] if current.phase == "done" else []
    return [*undone, again, *moves]


def _in_round(current: Round) -> list[Line]:
    return [line for line in current.lines if not is_out_of_round(current, line)]


def _worth(from_meter: Mapping[int, int], line: Line) -> tuple[int, str, int, str, int, int]:
    """Return the content of a line without its clause, to compare two settlements."""
    off = from_meter.get(line.seat, 0) if is_award(line) else 0
    return line.seat, line.wager, line.stake, line.outcome, line.pays, off


def _whole(book: Book, table: TableState) -> ev.RoundSettled | No:
    """Return every line of the round as the cards and chips lie now."""
    current = table.round
    assert current is not None
    boxes = current.live
    alone = [box for box in current.boxes.values() if not box.ante and box.lit and not box.void]
    settled = (*boxes, *alone) if book.bonus is None else boxes
    plays = not unqualified(book, current)
    seats = tuple(_seat(book, box, choice=box.choice or "fold", bank_plays=plays) for box in settled)
    if not plays and current.bought is not None:
        # A dealer's hand that was corrected since and qualifies needs no bought card: the price goes back.
        seats = tuple(msgspec.structs.replace(seat, buys=bool(current.boxes[seat.number].buys)) for seat in seats)
    wrong = next((refused for box in boxes if (refused := miscounted(book, box))), None)
    if refused := wrong or (_bank_miscounted(book, current) if boxes else None):
        return refused
    odd = next((box for box in boxes if _is_odd(book, table, box)), None)
    if odd is not None and not current.waived:
        reason = f"the bet of box {odd.number} is not the size that the book prescribes, and it has no rule for that"
        return book.silent(reason)
    if not seats:
        return ev.RoundSettled(lines=(), clause=book.cite("ante.required"))
    by_bank = not all(seat.gave_up for seat in seats) or _stakes_by_bank(book, current)
    scenario = Scenario(
        seats=seats,
        dealer=_cards(current.dealer) if by_bank else (),
        community=_cards(current.community),
        meter=None if current.meter is None else Amount(current.meter),
        reset=None if table.reset is None else Amount(table.reset),
        limits=_limits(table),
        awards=posted(book, table),
        bought=CardId(current.bought) if current.bought is not None and any(seat.buys for seat in seats) else None,
        up=CardId(current.up) if current.up is not None and current.up in current.dealer else None,
    )
    try:
        ordered = _in_own_order(book, current)
        result = settle(_as_staked(ordered) if odd is not None else ordered, scenario)
    except ScenarioError as missing:
        # A share of a meter whose value is not known cannot be paid: a person says what it showed.
        return book.silent(str(missing))
    if isinstance(result, Refusal | Unregulated):
        return result
    paid = tuple(_as_locked(current, line) for line in result.lines)
    lines = (*paid, *_left_over(book, (*boxes, *alone), paid))
    off: dict[int, int] = {one.seat: one.from_meter for one in result.awards}
    off |= {line.seat: current.locked[line.seat][1] for line in paid if is_award(line) and line.seat in current.locked}
    return ev.RoundSettled(
        lines=lines,
        from_meter={seat: amount for seat, amount in off.items() if amount},
        meter_after=None if result.meter is None else result.meter.after,
        clause=lines[0].clause if lines else book.cite("ante.required"),
    )


def needs_bank(book: Book, current: Round) -> bool:
    """Return True if the dealer's hand decides anything: a hand to compare, or a side wager that depends on it."""
    return current.contested or _stakes_by_bank(book, current)


def _stakes_by_bank(book: Book, current: Round) -> bool:
    """Return True if a side wager stands that depends on the dealer's hand."""
    staked = {name for box in current.live for name in box.named} if book.sides else ()
    standing = [side for name in staked if (side := book.sides[name]).folded == "stands"]
    return any(side.cards == "dealer" or side.needs not in (None, "nothing") for side in standing)


def _goes_by_player(book: Book) -> bool:
    """Return True if the player of a box matters: for a cap per player, or for envy, paid for others' hands."""
    return book.table.round_cap_for == "player" or any(side.envy for side in book.sides.values())


def _as_locked(current: Round, line: Line) -> Line:
    """Return an award line with the amount that a linked meter has fixed."""
    return (
        msgspec.structs.replace(line, pays=current.locked[line.seat][0])
        if is_award(line) and line.seat in current.locked
        else line
    )


def _left_over(book: Book, boxes: tuple[Box, ...], lines: tuple[Line, ...]) -> list[Line]:
    """Return lines for chips that the settlement does not cover: an award that was backed out, a price too high."""
    extra = []
    for box in boxes:
        if not box.ante and box.lit and book.bonus is not None:
            # A bonus without an ante that nobody noticed is no wager.
            extra.append(Line(box.number, "side", box.side, "returned", 0, book.cite("bonus.needs_ante")))
        if box.unawarded and box.lit and book.progressive is not None:
            extra.append(Line(box.number, "side", box.side, "lose", 0, book.cite("progressive.stake"), consumed=True))
        spent = sum(line.stake for line in lines if line.seat == box.number and line.wager == "exchange")
        if box.fee > spent:
            clause = book.cite_first("ante.over_max", "exchange.price")
            extra.append(Line(box.number, "exchange", box.fee - spent, "returned", 0, clause))
        spent = sum(line.stake for line in lines if line.seat == box.number and line.wager == "bought")
        if box.paid > spent:
            extra.append(Line(box.number, "bought", box.paid - spent, "returned", 0, book.cite("bought.price_antes")))
    return extra


def _is_odd(book: Book, table: TableState, box: Box) -> bool:
    """Return True for a bet of a wrong size that nobody noticed, if the book has no rule for it."""
    sizes = bet_sizes(book, ante_in_play(book, table, box))
    if box.bet > sizes[-1]:
        return book.bet.over is None
    return box.bet > 0 and box.bet not in sizes and book.bet.under is None


@cache
def _as_staked(book: Book) -> Book:
    """Return the book with rules for a bet of a wrong size that a person accepts: as staked, excess returned."""
    rules = replace(book.bet, over="excess-returned", under="settled-as-staked")
    size = Rule("excess-returned", book.cite("bet.antes"))
    return replace(book, bet=rules, by_key={**book.by_key, "bet.over": size})


def _in_own_order(book: Book, current: Round) -> Book:
    """Return the book with its own order of awards if a person says: settle, and the house has no order."""
    rules = book.progressive
    if rules is None or rules.order != "per-internal-controls" or not current.waived:
        return book
    option = next(one for one in book.options.values() if one.rule == "progressive.order")
    ordered = with_options(book, {option.name: option.default})
    assert isinstance(ordered, Book), "the default of an option is always allowed"
    return ordered


def miscounted(book: Book, box: Box) -> Refusal | None:
    """A hand with too few or too many cards is worth nothing until the mishap is ruled on."""
    if len(box.cards) == book.hands.cards or box.gave_up:
        return None
    reason = f"box {box.number} has {len(box.cards)} cards, not {book.hands.cards}: that is ruled on first"
    return Refusal(reason, book.rules_on("player-miscount") or book.cite("hands.cards"))


def unruled(book: Book, current: Round) -> Box | None:
    """Return a hand with a wrong number of cards that was not ruled on; once settled, only a correction makes one."""
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
    """Refuse a wrong number of cards in the dealer's hand or the community, like `miscounted`."""
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


def posted(book: Book, table: TableState) -> Mapping[str, AwardAmount]:
    """Return the awards that the house has posted at the table."""
    return {row: award(text, decimals=book.decimals) for row, text in table.awards.items()}


def ante_in_play(book: Book, table: TableState, box: Box) -> int:
    """Return the ante that counts: no more than the maximum if the book settles at that."""
    most = ante_limits(book, table)[1]
    return min(box.ante, most) if most is not None and book.ante.over_max == "settled-at-maximum" else box.ante


def _limits(table: TableState) -> AnteLimits | None:
    if (table.ante_min is None and table.ante_max is None) or (table.round is not None and table.round.waived):
        return None
    least = None if table.ante_min is None else Amount(table.ante_min)
    return AnteLimits(least, None if table.ante_max is None else Amount(table.ante_max))


def _seat(book: Book, box: Box, *, choice: Choice, bank_plays: bool = False) -> Seat:
    # A hand may be given up before all of its cards are there.
    cards = () if choice in GIVES_UP and len(box.cards) != book.hands.cards else box.cards
    if box.give is not None:
        # Settlement wants the hand as it was dealt, with the exchange beside it.
        given_for = dict(zip(box.took, box.gave, strict=True))
        cards = tuple([given_for.get(one, one) for one in cards])
    side = 0 if box.unawarded else sum(one.stake for name, one in box.sides.items() if one.lit and name in OWN_SIDES)
    return Seat(
        number=box.number,
        cards=_cards(cards),
        ante=Amount(box.ante),
        play=choice,
        bet=Amount(box.bet) if box.bet else None,
        side=Amount(side),
        claims=box.claimed or _was_shown(book, box) or (bank_plays and _could_not_announce(box)),
        swap=swap_of(box),
        discard=discards(_cards(box.aside)),
        player=box.player if box.ante and _goes_by_player(book) else None,
        sides=tuple([(name, Amount(one.stake)) for name, one in box.named.items()]) if book.sides else (),
    )


def swap_of(box: Box) -> Swap | None:
    """Return the exchange of a box; None if it made none."""
    return None if box.give is None else Swap(_cards(box.gave), _cards(box.took))


def _was_shown(book: Book, box: Box) -> bool:
    """Return True if a face-up hand counts as announced, since the book asks only for notice."""
    return box.turned and book.progressive is not None and book.progressive.claim == "player-notifies"


def _could_not_announce(box: Box) -> bool:
    """Return True if the player bet unseen and never looked: there was nothing to announce before the comparison."""
    return box.unseen and not box.seen


def _cards(numbers: tuple[int, ...]) -> tuple[CardId, ...]:
    return tuple([CardId(one) for one in numbers])


def owed(current: Round) -> list[tuple[int, Line]]:
    """Return the lines whose chips are still to move, in order, without void or forfeited boxes."""
    return [one for one in unmoved(current) if not _in_tray(current, one[1])]


def unmoved(current: Round) -> list[tuple[int, Line]]:
    """Return the lines whose chips have not moved, including those in the tray."""
    return [
        (number, line)
        for number, line in enumerate(current.lines)
        if number not in current.moved and not is_out_of_round(current, line)
    ]


def _in_tray(current: Round, line: Line) -> bool:
    """Return True for a lost side wager that is already in the tray, so that nothing is left to take."""
    return line.wager == "side" and line.outcome == "lose" and current.boxes[line.seat].trayed
