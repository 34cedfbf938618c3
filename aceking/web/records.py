"""The HTTP routes for records: gaming days, reports as JSON, CSV or a page to print, and exports."""

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
from aceking.house.reports import DayReport, day_report
from aceking.house.running import Running
from aceking.house.views.returns import Returns, at_posted, edge_of, returns_of
from aceking.meter.reports import as_csv
from aceking.rules.book import Book
from aceking.web.routes import check_table
from aceking.web.sessions import only

_REPORTS = only("auditor", "executive", "manager", "supervisor")


class DayCard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A closed gaming day, with the signed root of the log if it is signed."""

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
    """Returns the closed days, each with the root of the log that the house signed."""
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
    """Return the edge of the book; None if it has a rule that is not priced."""
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
        Literal["json", "tables.csv", "meters.csv", "page"],
        QueryParameter(name="as", description="the format of the answer"),
    ] = "json",
) -> Response[Any]:
    """Returns drop, handle, win, hold and the expected win of each table, and the balance of each meter."""
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
    """Return a page to print: plain tables without script or style."""
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
    """Returns the exact return of each bet at best play, under the options of the house."""
    floor: Floor = state.house.floor
    check_table(floor, table)
    floor_table = floor.tables[table]
    book = at_posted(book_of(floor.house, floor_table), floor_table)
    try:
        return await asyncio.get_running_loop().run_in_executor(None, returns_of, book)
    except UnpricedError as unpriced:
        raise NotFoundException(str(unpriced)) from None


class ExportRow(msgspec.Struct, frozen=True, kw_only=True):
    """A posting: the change of one account in one entry of the log."""

    seq: int
    at: int
    by: str
    request: str
    account: str
    amount: str


@get("/api/export", tags=["records"], guards=[only("auditor")], summary="Movements of money", sync_to_thread=True)
def export(
    state: State,
    account: Annotated[str, Parameter(max_length=100, description="start of the names, e.g. table/ or purse/")] = "",
    after: Annotated[int, Parameter(ge=0, le=2**53, description="entries after this one")] = 0,
    most: Annotated[int, Parameter(ge=1, le=10_000, description="the number of entries to read")] = 1_000,
    as_: Annotated[Literal["json", "csv"], QueryParameter(name="as", description="the format of the answer")] = "json",
) -> Response[Any]:
    """Returns every posting to accounts of tables, players, meters and purses. The postings of an entry sum to zero."""
    rows = []
    for entry in state.house.store.log(after, after + most):
        unit = read_unit(entry.body)
        for name, amount in unit.postings.items():
            if name.startswith(account):
                row = ExportRow(
                    seq=entry.seq, at=entry.at, by=unit.by, request=unit.id, account=name, amount=str(amount)
                )
                rows.append(row)
    return Response(as_csv(rows), media_type="text/csv") if as_ == "csv" else Response(rows)


RECORDS: tuple[Any, ...] = (days, day, returns, export)
