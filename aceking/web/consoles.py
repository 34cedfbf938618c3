"""The HTTP routes of the dealer's and the pit's console, of rule books and of meters."""

import asyncio
from typing import Any

import msgspec
from litestar import get, post
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
from aceking.web.routes import check_table
from aceking.web.sessions import Http, only

_PIT = only("floorperson", "supervisor", "executive", "manager")
_METER = only("floorperson", "supervisor", "executive", "manager", "auditor")
_TABLE = only("dealer", "floorperson", "supervisor", "executive", "manager")


@get("/api/tables/{table:str}/console", tags=["floor"], guards=[_TABLE], summary="The console of a table")
async def console(table: str, request: Http, state: State) -> Console:
    """Returns the act that is due, the acts of players, the acts so far, and the mishaps of the book."""
    house: Running = state.house
    check_table(house.floor, table)
    assert request.user.role is not None
    view = console_of(house.floor, table, request.user.role, request.user.name or "")
    loop = asyncio.get_running_loop()
    steps = await loop.run_in_executor(None, lambda: steps_of(house.store, table, head=view.version))
    return msgspec.structs.replace(view, steps=steps)  # both of the same version, though the table may have changed


class TrialBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The report to try."""

    report: c.Report


@post("/api/tables/{table:str}/trial", tags=["floor"], guards=[_TABLE], status_code=200, summary="Try a report")
async def trial(table: str, data: TrialBody, request: Http, state: State) -> Trial:
    """Returns what the book would decide on a report. Changes nothing."""
    house: Running = state.house
    check_table(house.floor, table)
    assert request.user.role is not None
    table_act = w.TableAct(table=table, act=msgspec.to_builtins(data.report))
    sender = w.Sender(request.user.name or "", request.user.role)
    before = house.floor.tables[table]
    seeds = house.desk.seeds
    found = decide(house.floor, sender, table_act, at=house.clock.now(), seeds=seeds, draw=house.desk.draw)
    return trial_of(book_of(house.floor.house, before), table, before, found)


@get("/api/pit", tags=["floor"], guards=[_PIT], summary="All tables at a glance")
async def pit(request: Http, state: State) -> Pit:
    """Returns what is due at each table, open questions with their answers, and what waits for a second person."""
    house: Running = state.house
    assert request.user.role is not None
    return pit_of(house.floor, request.user.role, request.user.name or "", at=house.clock.now())


class BookCard(msgspec.Struct, frozen=True):
    """A book that a table can be opened with."""

    id: str
    title: str
    house: str
    currency: str
    decimals: int


@get("/api/books", tags=["floor"], summary="Rule books of this house")
async def books(state: State) -> tuple[BookCard, ...]:
    """Returns the shipped books, and those on file at this house."""
    house: Running = state.house
    shipped = {name: load_book(name) for name in book_ids()}
    filed = {one.id: book_on_file(house.floor.house, one.id, one.digest) for one in house.floor.house.books.values()}
    return tuple(
        BookCard(id=one.id, title=one.title, house=one.house, currency=one.currency, decimals=one.decimals)
        for one in {**shipped, **filed}.values()
    )


@get("/api/meters/{meter:str}", tags=["records"], guards=[_METER], summary="A meter with its record")
async def meter_of(meter: str, state: State) -> MeterRecord:
    """Returns the balance of the meter, its settings, and the steps of each award."""
    house: Running = state.house
    record = meter_record(house.floor, meter)
    if record is None:
        raise NotFoundException(f"there is no meter {meter!r}")
    return record


@get("/api/meters/{meter:str}/history", tags=["records"], guards=[_METER], summary="What a meter showed over time")
async def meter_history(meter: str, state: State) -> History:
    """Returns every award, refill and change by hand, and contributions between. Ask again if it is not `whole`."""
    house: Running = state.house
    meter_state = house.floor.meters.get(meter)
    if meter_state is None or meter_state.config is None:
        raise NotFoundException(f"there is no meter {meter!r}")
    histories: dict[str, MeterHistory] = state.histories
    history = histories.setdefault(meter, MeterHistory(house.store, meter))
    head = house.floor.versions[f"meter/{meter}"]
    decimals = house.floor.house.currencies.get(meter_state.config.currency, 2)
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(None, lambda: history.read(head=head, decimals=decimals))


CONSOLES: tuple[Any, ...] = (console, trial, pit, books, meter_of, meter_history)
