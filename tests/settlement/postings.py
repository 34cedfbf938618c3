"""A settlement as double entry: player, tray and meter, by the clause of each line."""

from collections.abc import Iterator

from aceking.money.ledger import Posting, transfer
from aceking.rules.book import Book
from aceking.settlement.lines import Line, Settlement


def player(seat: int) -> str:
    """The account of a seat."""
    return f"player:{seat}"


def postings(book: Book, settlement: Settlement) -> tuple[Posting, ...]:
    """Every movement of money in a settlement. Stakes that neither win nor lose do not move."""
    from_meter = {one.seat: one.from_meter for one in settlement.awards}
    moved: list[Posting] = []
    for line in settlement.lines:
        off_meter = from_meter.get(line.seat, 0) if line.consumed and line.wager == "side" else 0
        moved += _of_line(line, off_meter=off_meter)
    return (*moved, *_reseed(book, settlement, sum(from_meter.values())))


def _of_line(line: Line, *, off_meter: int) -> Iterator[Posting]:
    own = player(line.seat)
    if line.outcome == "lose" or line.consumed:
        yield from transfer(source=own, target="tray", amount=line.stake, clause=line.clause)
    yield from transfer(source="meter", target=own, amount=off_meter, clause=line.clause)
    yield from transfer(source="tray", target=own, amount=line.pays - off_meter, clause=line.clause)


def _reseed(book: Book, settlement: Settlement, taken: int) -> tuple[Posting, ...]:
    """The house brings a meter that was won back to its reset value."""
    meter = settlement.meter
    if meter is None or meter.after is None or book.progressive is None:
        return ()
    short = meter.after - (meter.before - taken)
    return transfer(source="tray", target="meter", amount=short, clause=book.cite("progressive.awards_are"))
