"""The HTTP routes for audit: find rounds, show them act by act with their entries, and download the log."""

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
from aceking.house.names import is_name
from aceking.house.running import Running
from aceking.house.store.backup import excerpt
from aceking.house.store.errors import Damaged, StoreFailed
from aceking.house.views.audit import AuditedRound, ChainEntry, audited, chain_of
from aceking.house.views.finding import Finder, FoundRounds, NotUnderstood, RoundSearch, Whose
from aceking.house.views.table_history import PastRound
from aceking.web.routes import check_table
from aceking.web.sessions import only

log = logging.getLogger("aceking.web")
_MAY_FIND = only("auditor", "executive", "manager", "supervisor")
_AUDITOR = only("auditor")
_PIECE = 256 * 1024  # bytes
#: Entries indexed at a time, and seconds: between two looks at the load, when all is indexed, and after a failure.
_BATCH, _LOAD_SECONDS, _IDLE_SECONDS, _FAILED_SECONDS = 500, 0.25, 2.0, 30.0
#: Entries written in `_LOAD_SECONDS` at which the house counts as busy.
_BUSY = 100


def finder_of(house: Running) -> Finder:
    def book(table: str) -> Any:
        return book_of(house.floor.house, house.floor.tables[table])

    return Finder(house.store, book, lambda: house.desk.seq)


class RoundIndexer:
    """Indexes finished rounds in the background, in small batches."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder
        self._task: asyncio.Task[None] | None = None
        self._batch: asyncio.Future[int] | None = None

    def start(self) -> None:
        """Start indexing finished rounds in the background."""
        self._task = asyncio.create_task(self._index())

    async def stop(self) -> None:
        """Stop after the batch that is under way."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._batch is not None:
            with contextlib.suppress(StoreFailed):
                await self._batch

    async def _index(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._wait_until_quiet()
            try:
                self._batch = loop.run_in_executor(None, self._finder.catch_up, _BATCH)
                left = await asyncio.shield(self._batch)
            except StoreFailed as failed:
                log.error("past rounds cannot be indexed: %s", failed)
                await asyncio.sleep(_FAILED_SECONDS)
            else:
                await asyncio.sleep(0 if left else _IDLE_SECONDS)

    async def _wait_until_quiet(self) -> None:
        """Wait while much is written: the house comes first, and a search can index the rest itself."""
        busy = True
        while busy:
            written = self._finder.known()
            await asyncio.sleep(_LOAD_SECONDS)
            busy = self._finder.known() - written >= _BUSY


@get("/api/audit/rounds", tags=["records"], guards=[_MAY_FIND], summary="Find past rounds", sync_to_thread=True)
def rounds(
    state: State,
    table: Annotated[str, Parameter(max_length=40, description="at this table")] = "",
    since: Annotated[int | None, Parameter(ge=0, le=2**53, description="ended then or later, in ms since 1970")] = None,
    until: Annotated[int | None, Parameter(ge=0, le=2**53, description="begun at this time or earlier")] = None,
    void: Annotated[bool | None, Parameter(description="only void rounds, or only others")] = None,
    player: Annotated[str, Parameter(max_length=40, description="this player had a box")] = "",
    stake_from: Annotated[str, Parameter(max_length=15, description="a box staked at least this, e.g. 12.50")] = "",
    stake_to: Annotated[str, Parameter(max_length=15, description="and at most this")] = "",
    net_from: Annotated[str, Parameter(max_length=15, description="a box won at least this; negative: lost")] = "",
    net_to: Annotated[str, Parameter(max_length=15, description="and at most this")] = "",
    hand: Annotated[str, Parameter(max_length=20, description="a hand of this class, e.g. full_house")] = "",
    whose: Annotated[Whose, Parameter(description="whose hand that is")] = "any",
    cards: Annotated[str, Parameter(max_length=60, description="a hand with these cards, e.g. As Kd")] = "",
    before: Annotated[int | None, Parameter(ge=1, le=2**53, description="only those before this id")] = None,
    most: Annotated[int, Parameter(ge=1, le=100, description="how many")] = 25,
) -> FoundRounds:
    """Returns rounds, the newest first. Stake, win, class and cards must all be true of one hand."""
    sought = RoundSearch(
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
    if wrong := [name for name in (table, player) if name and not is_name(name)]:
        raise ClientException(f"{wrong[0]!r} is not a name")
    try:
        return finder.find(sought, floor.house.currencies.values(), before=before, most=most)
    except NotUnderstood as wrong:
        raise ClientException(str(wrong)) from None


def _past(state: State, table: str, number: int) -> PastRound:
    house: Running = state.house
    check_table(house.floor, table)
    finder: Finder = state.finder
    try:
        past = finder.round(table, number, head=house.floor.versions[f"table/{table}"])
    except Damaged as damaged:
        raise HTTPException(f"entry {damaged.seq} of the log is damaged: {damaged.what}", status_code=409) from None
    if past is None:
        raise NotFoundException(f"round {number} of {table!r} is not over, or does not exist")
    return past


_Number = Annotated[int, Parameter(ge=1, le=2**31, description="which round")]


@get(
    "/api/audit/rounds/{table:str}/{number:int}",
    tags=["records"],
    guards=[_MAY_FIND],
    summary="A past round, act by act",
    sync_to_thread=True,
)
def one_round(table: str, number: _Number, state: State) -> AuditedRound:
    """Returns every act with its clauses and the table after it, all cards face up."""
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
    """Returns the entries as they are stored: the hash of each is SHA-256 over the hash before it and its body."""
    try:
        return chain_of(state.house.store, _past(state, table, number))
    except Damaged as damaged:
        raise HTTPException(f"entry {damaged.seq} of the log is damaged: {damaged.what}", status_code=409) from None


@get("/api/audit/file", tags=["records"], guards=[_AUDITOR], summary="The log as a file", sync_to_thread=True)
def file(
    state: State, upto: Annotated[int | None, Parameter(ge=1, le=2**53, description="the last entry in it")] = None
) -> Response[Any]:
    """Returns an SQLite file for `aceking verify FILE`. It has no password, session or sealed seed."""
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
