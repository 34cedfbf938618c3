"""A settlement as double entry: postings of player, tray and meter that sum to zero, by the clause of each line."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from aceking.rules.book import Book
from aceking.settlement.lines import Line, Settlement


@dataclass(frozen=True, slots=True)
class Posting:
    """An amount that an account gains, or gives where it is negative, by a clause."""

    account: str
    amount: int
    clause: str


def transfer(*, source: str, target: str, amount: int, clause: str) -> tuple[Posting, ...]:
    """One account gives what the other gains."""
    if amount == 0:
        return ()
    return Posting(source, -amount, clause), Posting(target, amount, clause)


def balances(postings: Iterable[Posting]) -> Counter[str]:
    """What each account has gained."""
    totals: Counter[str] = Counter()
    for one in postings:
        totals[one.account] += one.amount
    return totals


def player(seat: int) -> str:
    """Return the account of a seat."""
    return f"player:{seat}"


def postings(book: Book, settlement: Settlement) -> tuple[Posting, ...]:
    """Return every movement of money in a settlement. Stakes that neither win nor lose do not move."""
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
    """Refill a meter that was won to its reset value."""
    meter = settlement.meter
    if meter is None or meter.after is None or book.progressive is None:
        return ()
    short = meter.after - (meter.before - taken)
    return transfer(source="tray", target="meter", amount=short, clause=book.cite("progressive.awards_are"))
