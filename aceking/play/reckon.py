"""From the state of a table to the one settlement of the program, and back to events."""

from collections.abc import Mapping
from dataclasses import replace

from aceking.cards.card import Card
from aceking.play import event as ev
from aceking.play.lines import Line, Settlement
from aceking.play.scenario import Limits, Play, Scenario, Seat, Swap
from aceking.play.settle import settle
from aceking.play.state import Box, Round, Table
from aceking.rules.book import Book
from aceking.rules.odds import Amount, Award, award
from aceking.rules.refusal import Refusal, Unregulated


def early_lines(book: Book, table: Table, box: Box, choice: Play) -> list[ev.Event]:
    """What a fold or a declaration settles before the reveal."""
    if choice not in ("fold", "declare"):
        return []
    current = table.live_round
    assert current is not None
    seat = _seat(book, box, choice=choice)
    if book.progressive is not None:
        # A progressive stake is judged in its own pass, with the others; a bonus at once.
        seat = replace(seat, side=Amount(0))
    result = settle(book, Scenario(seats=(seat,), limits=_limits(table), awards=posted(book, table)))
    assert isinstance(result, Settlement), result
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
    if not seats:
        return ev.Settled(lines=(), clause=book.cite("ante.required"))
    result = settle(
        book,
        Scenario(
            seats=seats,
            dealer=_cards(current.dealer) if any(seat.play != "fold" for seat in seats) else (),
            community=_cards(current.community),
            meter=None if current.meter is None else Amount(current.meter),
            reset=None if table.reset is None else Amount(table.reset),
            limits=_limits(table),
            awards=posted(book, table),
        ),
    )
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


def posted(book: Book, table: Table) -> Mapping[str, Award]:
    """The awards that the house has posted at the table."""
    return {row: award(text, decimals=book.decimals) for row, text in table.awards.items()}


def _limits(table: Table) -> Limits | None:
    if table.ante_min is None and table.ante_max is None:
        return None
    least = None if table.ante_min is None else Amount(table.ante_min)
    return Limits(least, None if table.ante_max is None else Amount(table.ante_max))


def _seat(book: Book, box: Box, *, choice: Play) -> Seat:
    cards = box.cards
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
    """The lines whose chips have not moved, in order."""
    return [(number, line) for number, line in enumerate(current.lines) if number not in current.moved]
