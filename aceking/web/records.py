"""Records over HTTP: days, their reports as JSON, CSV and a page that prints, exports for a regulator (R22)."""

import asyncio
from html import escape
from typing import Annotated, Any, Literal

import msgspec
from litestar import MediaType, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import Parameter, QueryParameter

from aceking.exact.figures import Edge
from aceking.exact.unpriced import UnpricedError
from aceking.house.floor import events as hp
from aceking.house.floor.codec import read_events
from aceking.house.floor.library import book_of
from aceking.house.floor.states import Floor
from aceking.house.record import read_unit
from aceking.house.reports import DayReport, as_csv, day_report
from aceking.house.running import Running
from aceking.house.views.returns import Returns, at_posted, edge_of, returns_of
from aceking.rules.book import Book
from aceking.web.sessions import only

_REPORTS = only("auditor", "executive", "manager", "supervisor")


class DayCard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A gaming day that was closed."""

    day: str
    by: str
    upto: int = 0
    root: str = ""
    signature: str = ""
    public: str = ""


def _days(house: Running) -> tuple[dict[str, hp.DayClosed], dict[str, hp.DaySigned]]:
    closed: dict[str, hp.DayClosed] = {}
    signed: dict[str, hp.DaySigned] = {}
    for entry in house.store.stream("house"):
        for event in read_events(read_unit(entry.body)).get("house", ()):
            if isinstance(event, hp.DayClosed):
                closed[event.day] = event
            elif isinstance(event, hp.DaySigned):
                signed[event.day] = event
    return closed, signed


@get("/api/days", tags=["records"], guards=[_REPORTS], summary="Closed gaming days", sync_to_thread=True)
def days(state: State) -> list[DayCard]:
    """Each with the root that the house has signed."""
    closed, signed = _days(state.house)
    return [_card(event, signed.get(day)) for day, event in closed.items()]


def _card(closed: hp.DayClosed, signed: hp.DaySigned | None) -> DayCard:
    if signed is None:
        return DayCard(day=closed.day, by=closed.by)
    return DayCard(
        day=closed.day,
        by=closed.by,
        upto=signed.upto,
        root=signed.root,
        signature=signed.signature,
        public=signed.public,
    )


def _edge(book: Book) -> Edge | None:
    """None where the game cannot be priced: it is played and counted all the same."""
    try:
        return edge_of(book)
    except UnpricedError:
        return None


def _report(house: Running, day: str) -> DayReport:
    closed, _ = _days(house)
    if day not in closed:
        raise NotFoundException(f"the day {day!r} is not closed")
    before = [one for one in sorted(closed) if one < day]
    floor: Floor = house.floor
    books = {name: book_of(floor.house, floor.tables[name]) for name in closed[day].tables}
    edges = {name: _edge(book) for name, book in books.items()}
    return day_report(floor, closed[day], closed[before[-1]] if before else None, edges)


@get("/api/days/{day:str}", tags=["records"], guards=[_REPORTS], summary="The report of a day", sync_to_thread=True)
def day(
    day: str,
    state: State,
    as_: Annotated[
        Literal["json", "tables.csv", "meters.csv", "page"], QueryParameter(name="as", description="in which form")
    ] = "json",
) -> Response[Any]:
    """Drop, handle, win, hold and what was to be expected by table; what every meter holds."""
    report = _report(state.house, day)
    match as_:
        case "tables.csv":
            return Response(as_csv(report.tables), media_type="text/csv")
        case "meters.csv":
            return Response(as_csv(report.meters), media_type="text/csv")
        case "page":
            return Response(_page(state.house.floor.house.name, report), media_type=MediaType.HTML)
        case _:
            return Response(report)


def _page(house: str, report: DayReport) -> str:
    """A page that prints: plain tables, no script, no style from elsewhere."""
    parts = [f"<h1>{escape(house)}, gaming day {escape(report.day)}</h1>"]
    for title, rows in (("Tables", report.tables), ("Meters", report.meters)):
        if not rows:
            continue
        head = "".join(f"<th>{escape(key.replace('_', ' '))}</th>" for key in type(rows[0]).__struct_fields__)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in msgspec.structs.astuple(row)) + "</tr>"
            for row in rows
        )
        parts.append(f"<h2>{title}</h2><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
    head = f'<meta charset="utf-8"><title>{escape(report.day)}</title>'
    return f'<!doctype html><html lang="en">{head}{"".join(parts)}</html>'


@get("/api/tables/{table:str}/returns", tags=["floor"], summary="What each bet returns, exactly")
async def returns(table: str, state: State) -> Returns:
    """As it is printed at the table: at best play, under the options of the house."""
    floor: Floor = state.house.floor
    if table not in floor.tables:
        raise NotFoundException(f"there is no table {table!r}")
    one = floor.tables[table]
    book = at_posted(book_of(floor.house, one), one)
    try:
        return await asyncio.get_running_loop().run_in_executor(None, returns_of, book)
    except UnpricedError as unpriced:
        raise NotFoundException(str(unpriced)) from None


class ExportRow(msgspec.Struct, frozen=True, kw_only=True):
    """A movement of money: one account in one entry of the log."""

    seq: int
    at: int
    by: str
    request: str
    account: str
    amount: str


@get("/api/export", tags=["records"], guards=[only("auditor")], summary="Movements of money", sync_to_thread=True)
def export(
    state: State,
    account: Annotated[str, Parameter(max_length=100, description="accounts that begin so, as table/ or purse/")] = "",
    after: Annotated[int, Parameter(ge=0, description="entries after this one")] = 0,
    most: Annotated[int, Parameter(ge=1, le=10_000, description="how many entries are looked at")] = 1_000,
    as_: Annotated[Literal["json", "csv"], QueryParameter(name="as", description="in which form")] = "json",
) -> Response[Any]:
    """Every posting, by table, player, meter or purse; each entry's postings sum to nothing."""
    rows = []
    for entry in state.house.store.log(after, after + most):
        unit = read_unit(entry.body)
        for name, amount in unit.postings.items():
            if name.startswith(account):
                row = ExportRow(
                    seq=entry.seq, at=entry.at, by=unit.by, request=unit.id, account=name, amount=str(amount)
                )
                rows.append(row)
    return Response(as_csv(tuple(rows)), media_type="text/csv") if as_ == "csv" else Response(rows)


RECORDS: tuple[Any, ...] = (days, day, returns, export)
