"""The reports of a gaming day: drop, handle, win, hold, the expected win, and the liability of meters.

The expected win is exact for the main game: the antes times the book's edge under the options of the table, at best
play. 95 of 100 such days end in the interval around it, whose width grows with the squares of the antes. The value
of side wagers depends on the meter at each moment: they are counted, and no expected win is given for them.
"""

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from aceking.exact.figures import Edge
from aceking.house.floor.events import DayClosed, Totals
from aceking.house.floor.library import book_of
from aceking.house.floor.states import Floor
from aceking.money.chips import shown

_INTERVAL = 1.959964  # standard deviations to each side of the mean, for 95 %


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """One table on one day; amounts in its currency, hold and shares as decimal texts.

    `win` is the loss of the players by the ledger: `main_win` + `side_win` - `from_meter`. `expected_win` and its
    interval are of `main_win`.
    """

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
    main_win: str
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
    day: str
    tables: tuple[TableRow, ...]
    meters: tuple[MeterRow, ...]
    currencies: dict[str, int]  # of the house: code to decimals


#: By table; None if its game cannot be priced.
Edges = Mapping[str, Edge | None]


def day_report(floor: Floor, closed: DayClosed, before: DayClosed | None, edges: Edges) -> DayReport:
    """Return the report of a closed day; `before` is the closed day before it, `edges` the exact figures by table."""
    rows = tuple(_row(floor, closed, before, name, edges[name]) for name in closed.tables if name in edges)
    meters = tuple(_meter(floor, closed.day, name, held) for name, held in closed.meters.items())
    return DayReport(day=closed.day, tables=rows, meters=meters, currencies=dict(floor.house.currencies))


def since(now: Totals, before: Totals) -> Totals:
    """Return the difference of two totals."""
    return Totals(**{key: getattr(now, key) - getattr(before, key) for key in Totals.__struct_fields__})


def expected(totals: Totals, edge: Edge) -> tuple[Fraction, float]:
    """Return the exact expected win on the main game, and its standard deviation."""
    return totals.antes * edge.house_edge, float(edge.standard_deviation) * totals.antes_squared**0.5


def _row(floor: Floor, closed: DayClosed, before: DayClosed | None, name: str, edge: Edge | None) -> TableRow:
    state = floor.tables[name]
    old_totals, old_win = ({}, {}) if before is None else (before.tables, before.win)
    done, win = since(closed.tables[name], old_totals.get(name, Totals())), closed.win[name] - old_win.get(name, 0)
    book = book_of(floor.house, state)
    handle = done.antes + done.bets + done.fees
    main_win = win - done.won_sides + done.paid_meter

    def money(amount: float | Fraction | int) -> str:
        return shown(round(amount), decimals=book.decimals)

    least = mean = most = ""  # no expected win for a game that cannot be priced
    if edge is not None:
        middle, deviation = expected(done, edge)
        mean, wide = money(middle), _INTERVAL * deviation
        least, most = money(float(middle) - wide), money(float(middle) + wide)
    return TableRow(
        day=closed.day,
        table=name,
        book=book.id,
        currency=book.currency,
        rounds=done.rounds,
        voids=done.voids,
        hands=done.hands,
        drop=money(done.bought),
        handle=money(handle),
        side_handle=money(done.sides),
        win=money(win),
        main_win=money(main_win),
        side_win=money(done.won_sides),
        from_meter=money(done.paid_meter),
        hold_of_drop=_share(win, done.bought),
        hold_of_handle=_share(main_win, handle),
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
