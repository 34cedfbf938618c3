"""The auditor's rounds over HTTP: found, told act by act, with their entries; the log as a file to verify offline."""

import asyncio
import contextlib
import logging
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from litestar import Response, get
from litestar.datastructures import State
from litestar.exceptions import ClientException, HTTPException, NotFoundException
from litestar.params import Parameter
from litestar.response import Stream

from aceking.house.floor.library import book_of
from aceking.house.floor.states import Floor
from aceking.house.running import Running
from aceking.house.store.backup import excerpt
from aceking.house.store.errors import Damaged, StoreFailed
from aceking.house.views.audit import AuditedRound, ChainEntry, audited, chain_of
from aceking.house.views.finding import Finder, Found, NotUnderstood, Sought, Whose
from aceking.house.views.recall import PastRound
from aceking.web.sessions import only

log = logging.getLogger("aceking.web")
_MAY_FIND = only("auditor", "executive", "manager", "supervisor")
_AUDITOR = only("auditor")
_PIECE = 256 * 1024
#: Entries at a time and seconds between: the house comes first.
_TURN, _BETWEEN, _IDLE, _FAILED = 500, 0.25, 2.0, 30.0
#: Entries written in that time from which on the house is busy.
_MUCH = 100


def finder_of(house: Running) -> Finder:
    """What finds the rounds of a house."""

    def book(table: str) -> Any:
        return book_of(house.floor.house, house.floor.tables[table])

    return Finder(house.store, book, lambda: house.desk.seq)


class Keeping:
    """Keeps what rounds are found by up with the log, in small turns beside the house."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder
        self._task: asyncio.Task[None] | None = None
        self._turn: asyncio.Future[int] | None = None

    def start(self) -> None:
        """From now on."""
        self._task = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        """The turn under way is the last."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._turn is not None:
            with contextlib.suppress(StoreFailed):
                await self._turn

    async def _keep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._quiet()
            try:
                self._turn = loop.run_in_executor(None, self._finder.catch_up, _TURN)
                left = await asyncio.shield(self._turn)
            except StoreFailed as failed:
                log.error("past rounds cannot be kept findable: %s", failed)
                await asyncio.sleep(_FAILED)
            else:
                await asyncio.sleep(0 if left else _IDLE)

    async def _quiet(self) -> None:
        """Waits while very much is written: the house comes first, and a search reads on by itself."""
        busy = True
        while busy:
            written = self._finder.known()
            await asyncio.sleep(_BETWEEN)
            busy = self._finder.known() - written >= _MUCH


@get("/api/audit/rounds", tags=["records"], guards=[_MAY_FIND], summary="Find past rounds", sync_to_thread=True)
def rounds(
    state: State,
    table: Annotated[str, Parameter(max_length=40, description="at this table")] = "",
    since: Annotated[int | None, Parameter(ge=0, le=2**53, description="not over before, in milliseconds")] = None,
    until: Annotated[int | None, Parameter(ge=0, le=2**53, description="begun by then, likewise")] = None,
    void: Annotated[bool | None, Parameter(description="void, or not")] = None,
    player: Annotated[str, Parameter(max_length=40, description="in which this player had a box")] = "",
    stake_from: Annotated[str, Parameter(max_length=15, description="a box staked at least this, as 12.50")] = "",
    stake_to: Annotated[str, Parameter(max_length=15, description="and at most this")] = "",
    net_from: Annotated[str, Parameter(max_length=15, description="a box won at least this; below nothing: lost")] = "",
    net_to: Annotated[str, Parameter(max_length=15, description="and at most this")] = "",
    hand: Annotated[str, Parameter(max_length=20, description="a hand of this class, as full_house")] = "",
    whose: Annotated[Whose, Parameter(description="whose hand that is")] = "any",
    cards: Annotated[str, Parameter(max_length=60, description="a hand with these cards, as As Kd")] = "",
    before: Annotated[int | None, Parameter(ge=1, le=2**53, description="only those before this id")] = None,
    most: Annotated[int, Parameter(ge=1, le=100, description="how many")] = 25,
) -> Found:
    """The newest first. What is said of a hand, its stake, its win, its cards, is said of one and the same hand."""
    sought = Sought(
        table=table,
        since=since,
        until=until,
        void=void,
        player=player,
        stake_from=stake_from,
        stake_to=stake_to,
        net_from=net_from,
        net_to=net_to,
        hand=hand,
        whose=whose,
        cards=cards,
    )
    finder: Finder = state.finder
    floor: Floor = state.house.floor
    if "\0" in table + player:
        raise ClientException("a name has no such character")
    try:
        return finder.find(sought, floor.house.currencies.values(), before=before, most=most)
    except NotUnderstood as wrong:
        raise ClientException(str(wrong)) from None


def _past(state: State, table: str, number: int) -> PastRound:
    house: Running = state.house
    if table not in house.floor.tables:
        raise NotFoundException(f"there is no table {table!r}")
    finder: Finder = state.finder
    try:
        found = finder.round(table, number, head=house.floor.versions[f"table/{table}"])
    except Damaged as damaged:
        raise HTTPException(f"entry {damaged.seq} of the log is damaged: {damaged.what}", status_code=409) from None
    if found is None:
        raise NotFoundException(f"round {number} of {table!r} is not over, or never was")
    return found


_Number = Annotated[int, Parameter(ge=1, le=2**31, description="which round")]


@get(
    "/api/audit/rounds/{table:str}/{number:int}",
    tags=["records"],
    guards=[_MAY_FIND],
    summary="A past round, act by act",
    sync_to_thread=True,
)
def one_round(table: str, number: _Number, state: State) -> AuditedRound:
    """With the clauses of each act and the table as it lay after it, every card face up."""
    past = _past(state, table, number)
    floor: Floor = state.house.floor
    return audited(book_of(floor.house, floor.tables[table]), table, past)


@get(
    "/api/audit/rounds/{table:str}/{number:int}/chain",
    tags=["records"],
    guards=[_AUDITOR],
    summary="The entries of a past round",
    sync_to_thread=True,
)
def chain(table: str, number: _Number, state: State) -> list[ChainEntry]:
    """As they are kept: the hash of each is SHA-256 over the hash before it and its body."""
    try:
        return chain_of(state.house.store, _past(state, table, number))
    except Damaged as damaged:
        raise HTTPException(f"entry {damaged.seq} of the log is damaged: {damaged.what}", status_code=409) from None


@get("/api/audit/file", tags=["records"], guards=[_AUDITOR], summary="The log as a file", sync_to_thread=True)
def file(
    state: State, upto: Annotated[int | None, Parameter(ge=1, le=2**53, description="the last entry in it")] = None
) -> Response[Any]:
    """From its first entry; `aceking verify FILE` takes it. No password, session or sealed seed is in it."""
    house: Running = state.house
    end = house.desk.seq if upto is None else upto
    if end > house.desk.seq:
        raise NotFoundException(f"the log has no entry {end} yet")
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "log.db"
    excerpt(house.store, path, upto=end)
    size = os.path.getsize(path)
    headers = {"Content-Disposition": f'attachment; filename="aceking-{end}.db"', "Content-Length": str(size)}
    return Stream(_pieces(path, folder), media_type="application/vnd.sqlite3", headers=headers)


def _pieces(path: Path, folder: "tempfile.TemporaryDirectory[str]") -> Iterator[bytes]:
    with folder, path.open("rb") as whole:
        while piece := whole.read(_PIECE):
            yield piece


AUDIT: tuple[Any, ...] = (rounds, one_round, chain, file)
