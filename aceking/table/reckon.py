"""From the state of a table to the one settlement of the program, and back to events."""

from collections.abc import Mapping
from dataclasses import replace

from aceking.cards.card import Card
from aceking.rules.book import Book
from aceking.rules.load import with_options
from aceking.rules.odds import Amount, Award, award
from aceking.rules.refusal import Refusal, Unregulated
from aceking.settle.lines import Line, Settlement
from aceking.settle.scenario import Limits, Play, Scenario, ScenarioError, Seat, Swap
from aceking.settle.settle import settle
from aceking.table import event as ev
from aceking.table.state import Box, Round, Table


def early_lines(book: Book, table: Table, box: Box, choice: Play) -> list[ev.Event]:
    """What a fold or a declaration settles before the reveal."""
    if choice not in ("fold", "declare"):
        return []
    current = table.live_round
    assert current is not None
    seat = _seat(book, box, choice=choice)
    if choice == "fold":
        # A hand may be given up before all of its cards are there.
        seat = replace(seat, cards=())
    if book.progressive is not None:
        # A progressive stake is judged in its own pass, with the others; a bonus at once.
        seat = replace(seat, side=Amount(0))
    result = settle(book, Scenario(seats=(seat,), limits=_limits(table), awards=posted(book, table)))
    if isinstance(result, Unregulated):
        # A stake outside the limits is asked about with the others; the hand is given up all the same.
        result = settle(book, Scenario(seats=(seat,), awards=posted(book, table)))
    if not isinstance(result, Settlement):
        # What the book refuses to settle is put right first; the hand is given up all the same.
        return []
    lines = tuple(line for line in result.lines if line.early or (book.bonus is not None and line.wager == "side"))
    settled: list[ev.Event] = [ev.Settled(lines=lines, clause=lines[0].clause)]
    return settled


def final_lines(book: Book, table: Table) -> ev.Settled | Refusal | Unregulated:
    """The settlement of everything that is still open when all cards show."""
    current = table.live_round
    assert current is not None
    boxes = [box for box in current.dealt_in if box.live]
    alone = [box for box in current.boxes.values() if not box.ante and box.side and not box.void]
    seats = tuple(_seat(book, box, choice=box.choice or "fold") for box in (*boxes, *alone))
    wrong = next((refused for box in boxes if (refused := miscounted(book, box))), None)
    if refused := wrong or (_bank_miscounted(book, current) if boxes else None):
        return refused
    if not seats:
        return ev.Settled(lines=(), clause=book.cite("ante.required"))
    scenario = Scenario(
        seats=seats,
        dealer=_cards(current.dealer) if any(seat.play != "fold" for seat in seats) else (),
        community=_cards(current.community),
        meter=None if current.meter is None else Amount(current.meter),
        reset=None if table.reset is None else Amount(table.reset),
        limits=_limits(table),
        awards=posted(book, table),
    )
    try:
        result = settle(_in_own_order(book, current), scenario)
    except ScenarioError as missing:
        # A share of a meter that nobody read out cannot be paid.
        return Refusal(str(missing), book.cite_first("progressive.awards_are", "ante.required"))
    if isinstance(result, Refusal | Unregulated):
        return result
    done = {(line.seat, line.wager, line.outcome) for line in current.lines}
    lines = tuple(line for line in result.lines if (line.seat, line.wager, line.outcome) not in done)
    return ev.Settled(
        lines=lines,
        from_meter={one.seat: one.from_meter for one in result.awards if one.from_meter},
        meter_after=None if result.meter is None else result.meter.after,
        clause=lines[0].clause if lines else book.cite("ante.required"),
    )


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
    if len(box.cards) == book.hands.cards:
        return None
    reason = f"box {box.number} has {len(box.cards)} cards, not {book.hands.cards}: that is ruled on first"
    return Refusal(reason, book.rules_on("player-miscount") or "")


def _bank_miscounted(book: Book, current: Round) -> Refusal | None:
    """The same for the dealer's hand, or the cards that all share."""
    if book.dealer is not None and len(current.dealer) != book.hands.cards:
        reason = f"the dealer has {len(current.dealer)} cards, not {book.hands.cards}: that is ruled on first"
        return Refusal(reason, book.rules_on("dealer-miscount") or "")
    if len(current.community) != book.hands.community:
        reason = f"there are {len(current.community)} community cards, not {book.hands.community}"
        return Refusal(f"{reason}: that is ruled on first", book.rules_on("community-miscount") or "")
    return None


def posted(book: Book, table: Table) -> Mapping[str, Award]:
    """The awards that the house has posted at the table."""
    return {row: award(text, decimals=book.decimals) for row, text in table.awards.items()}


def _limits(table: Table) -> Limits | None:
    if (table.ante_min is None and table.ante_max is None) or (table.round is not None and table.round.waived):
        return None
    least = None if table.ante_min is None else Amount(table.ante_min)
    return Limits(least, None if table.ante_max is None else Amount(table.ante_max))


def _seat(book: Book, box: Box, *, choice: Play) -> Seat:
    # A hand may be given up before all of its cards are there.
    cards = () if choice == "fold" and len(box.cards) != book.hands.cards else box.cards
    if box.give is not None:
        # Settlement wants the hand as it was dealt, and the exchange beside it.
        cards = tuple([box.give if one == box.take else one for one in cards])
    return Seat(
        number=box.number,
        cards=_cards(cards),
        ante=Amount(box.ante),
        play=choice,
        bet=Amount(box.bet) if box.bet else None,
        side=Amount(box.side) if box.lit else Amount(0),
        claims=box.claimed,
        swap=Swap(Card(box.give), Card(box.take)) if box.give is not None and box.take is not None else None,
        discard=None if box.discard is None else Card(box.discard),
        player=None,
    )


def _cards(numbers: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple([Card(one) for one in numbers])


def owed(current: Round) -> list[tuple[int, Line]]:
    """The lines whose chips have not moved, in order. What a void or forfeited box was owed is no more."""
    return [
        (number, line)
        for number, line in enumerate(current.lines)
        if number not in current.moved and not is_out_of_round(current, line)
    ]


def is_out_of_round(current: Round, line: Line) -> bool:
    """Whether the box of a line was taken out of the round since: nothing of it moves any more."""
    box = current.boxes.get(line.seat)
    return box is not None and (box.void or box.forfeited)
