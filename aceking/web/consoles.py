"""The consoles of dealer and pit: what is due, what players do, what is wrong, and what waits for a person of rank."""

import asyncio
import os
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.datastructures import State
from litestar.exceptions import NotFoundException

from aceking.house.floor import requests as w
from aceking.house.floor.decide import decide
from aceking.house.floor.library import book_of, book_on_file
from aceking.house.running import Running
from aceking.house.views.console import Console, Trial, steps_of
from aceking.house.views.console import console as console_of
from aceking.house.views.console import trial as trial_of
from aceking.house.views.meter_history import History, MeterHistory
from aceking.house.views.meters import MeterRecord, meter_record
from aceking.house.views.pit import Pit
from aceking.house.views.pit import pit as pit_of
from aceking.rules.reading.load import book_ids, load_book
from aceking.table import commands as c
from aceking.web.sessions import Visitor, only

Http = Request[Visitor, Any, Any]
_PIT = only("floorperson", "supervisor", "executive", "manager")
_METER = only("floorperson", "supervisor", "executive", "manager", "auditor")
_TABLE = only("dealer", "floorperson", "supervisor", "executive", "manager")


def _there(house: Running, table: str) -> None:
    if table not in house.floor.tables:
        raise NotFoundException(f"there is no table {table!r}")


@get("/api/tables/{table:str}/console", tags=["floor"], guards=[_TABLE], summary="A table for those who run it")
async def console(table: str, request: Http, state: State) -> Console:
    """The act that is due, what is entered for players, what was done, and the mishaps of the book."""
    house: Running = state.house
    _there(house, table)
    assert request.user.role is not None
    told = console_of(house.floor, table, request.user.role, request.user.name or "")
    loop = asyncio.get_running_loop()
    steps = await loop.run_in_executor(None, lambda: steps_of(house.store, table, head=told.version))
    return msgspec.structs.replace(told, steps=steps)  # of the same moment, though the table may have moved


class TrialBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A report, as it would be asked for."""

    report: c.Report


@post("/api/tables/{table:str}/trial", tags=["floor"], guards=[_TABLE], status_code=200, summary="What if I reported?")
async def trial(table: str, data: TrialBody, request: Http, state: State) -> Trial:
    """What the book would make of a report; nothing happens by asking."""
    house: Running = state.house
    _there(house, table)
    assert request.user.role is not None
    wish = w.Act(table=table, act=msgspec.to_builtins(data.report))
    sender = w.Sender(request.user.name or "", request.user.role)
    before = house.floor.tables[table]
    seeds = house.desk.seeds
    found = decide(house.floor, sender, wish, at=house.clock.now(), seeds=seeds, draw=os.urandom)
    return trial_of(book_of(house.floor.house, before), table, before, found)


@get("/api/pit", tags=["floor"], guards=[_PIT], summary="All tables at a glance")
async def pit(request: Http, state: State) -> Pit:
    """What is due at each table, questions with their answers, and what waits for a second person."""
    house: Running = state.house
    assert request.user.role is not None
    return pit_of(house.floor, request.user.role, request.user.name or "", at=house.clock.now())


class BookCard(msgspec.Struct, frozen=True):
    """A book that a table may be put up by."""

    id: str
    title: str
    house: str
    currency: str
    decimals: int


@get("/api/books", tags=["floor"], summary="Rule books of this house")
async def books(state: State) -> tuple[BookCard, ...]:
    """Those that are shipped, and those that were put on file."""
    house: Running = state.house
    shipped = {name: load_book(name) for name in book_ids()}
    filed = {one.id: book_on_file(house.floor.house, one.id, one.digest) for one in house.floor.house.books.values()}
    return tuple(
        BookCard(id=one.id, title=one.title, house=one.house, currency=one.currency, decimals=one.decimals)
        for one in {**shipped, **filed}.values()
    )


@get("/api/meters/{meter:str}", tags=["records"], guards=[_METER], summary="A meter, whole")
async def meter_of(meter: str, state: State) -> MeterRecord:
    """What came in and where it is, its settings, and the way of each award."""
    house: Running = state.house
    found = meter_record(house.floor, meter)
    if found is None:
        raise NotFoundException(f"there is no meter {meter!r}")
    return found


@get("/api/meters/{meter:str}/history", tags=["records"], guards=[_METER], summary="What a meter showed over time")
async def meter_history(meter: str, state: State) -> History:
    """Every award, refill and change by hand, and contributions between them; not whole: ask again."""
    house: Running = state.house
    one = house.floor.meters.get(meter)
    if one is None or one.config is None:
        raise NotFoundException(f"there is no meter {meter!r}")
    kept: dict[str, MeterHistory] = state.histories
    history = kept.setdefault(meter, MeterHistory(house.store, meter))
    head = house.floor.versions[f"meter/{meter}"]
    decimals = house.floor.house.currencies.get(one.config.currency, 2)
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(None, lambda: history.read(head=head, decimals=decimals))


CONSOLES: tuple[Any, ...] = (console, trial, pit, books, meter_of, meter_history)
