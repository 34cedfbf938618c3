"""The reports of a gaming day (R22): drop, handle, win, hold and what was to be expected, and what meters hold.

What was to be expected is exact for the main game: the antes times the book's edge under the options of the table, at
best play. Around it lies the interval in which 95 of 100 such days end; it widens with the squares of the antes. Side
wagers hang on the meter at each moment: they are counted, and nothing is expected of them here.
"""

import csv
import io
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from aceking.exact.figures import Edge
from aceking.house.floor.events import DayClosed, Totals
from aceking.house.floor.library import book_of
from aceking.house.floor.states import Floor
from aceking.money.chips import shown

_INTERVAL = 1.959964  # standard deviations to each side that hold 95 of 100


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """One table on one day; amounts in its currency, hold and shares as decimal texts."""

    day: str
    table: str
    book: str
    currency: str
    rounds: int
    voids: int
    hands: int
    drop: str
    handle: str
    side_handle: str
    win: str
    side_win: str
    from_meter: str
    hold_of_drop: str
    hold_of_handle: str
    expected_win: str
    interval_low: str
    interval_high: str


class MeterRow(msgspec.Struct, frozen=True, kw_only=True):
    """One meter at the close of a day."""

    day: str
    meter: str
    currency: str
    liability: str


class DayReport(msgspec.Struct, frozen=True, kw_only=True):
    """A gaming day."""

    day: str
    tables: tuple[TableRow, ...]
    meters: tuple[MeterRow, ...]
    currencies: dict[str, int]  # of the house, with the decimals of each


#: By table; None where its game cannot be priced.
Edges = Mapping[str, Edge | None]


def day_report(floor: Floor, closed: DayClosed, before: DayClosed | None, edges: Edges) -> DayReport:
    """The report of a day that was closed; `before` is the day before it, `edges` the exact figures by table."""
    was = {} if before is None else before.tables
    rows = tuple(
        _row(floor, closed.day, name, since(totals, was.get(name, Totals())), edges[name])
        for name, totals in closed.tables.items()
        if name in edges
    )
    meters = tuple(_meter(floor, closed.day, name, held) for name, held in closed.meters.items())
    return DayReport(day=closed.day, tables=rows, meters=meters, currencies=dict(floor.house.currencies))


def since(now: Totals, before: Totals) -> Totals:
    """What came between two counts."""
    return Totals(**{key: getattr(now, key) - getattr(before, key) for key in Totals.__struct_fields__})


def expected(totals: Totals, edge: Edge) -> tuple[Fraction, float]:
    """What the house was to win on the main game, exactly, and by how much that usually varies."""
    return totals.antes * edge.house_edge, float(edge.standard_deviation) * totals.antes_squared**0.5


def _row(floor: Floor, day: str, name: str, done: Totals, edge: Edge | None) -> TableRow:
    one = floor.tables[name]
    book = book_of(floor.house, one)
    handle = done.antes + done.bets + done.fees

    def money(amount: float | Fraction | int) -> str:
        return shown(round(amount), decimals=book.decimals)

    least = mean = most = ""  # a game that cannot be priced has nothing to be expected
    if edge is not None:
        middle, deviation = expected(done, edge)
        mean, wide = money(middle), _INTERVAL * deviation
        least, most = money(float(middle) - wide), money(float(middle) + wide)
    return TableRow(
        day=day,
        table=name,
        book=book.id,
        currency=book.currency,
        rounds=done.rounds,
        voids=done.voids,
        hands=done.hands,
        drop=money(done.bought),
        handle=money(handle),
        side_handle=money(done.sides),
        win=money(done.won),
        side_win=money(done.won_sides),
        from_meter=money(done.paid_meter),
        hold_of_drop=_share(done.won, done.bought),
        hold_of_handle=_share(done.won, handle),
        expected_win=mean,
        interval_low=least,
        interval_high=most,
    )


def _share(part: int, whole: int) -> str:
    return "" if not whole else f"{100 * part / whole:.2f} %"


def _meter(floor: Floor, day: str, name: str, held: int) -> MeterRow:
    config = floor.meters[name].config
    assert config is not None, "a meter that holds money was configured"
    decimals = floor.house.currencies[config.currency]
    return MeterRow(day=day, meter=name, currency=config.currency, liability=shown(held, decimals=decimals))


def as_csv(rows: tuple[Any, ...]) -> str:
    """Rows of one kind as CSV with a head."""
    if not rows:
        return ""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=type(rows[0]).__struct_fields__, lineterminator="\n")
    writer.writeheader()
    writer.writerows(msgspec.to_builtins(one) for one in rows)
    return out.getvalue()
