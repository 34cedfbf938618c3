"""The connection to PostgreSQL is cut at every n-th message of the house, in a whole round with a jackpot.

python -m tests.house.campaign.wire [--step 1] [--first 1] [--last N] [--disk]

A proxy on a real socket stands between the house and a real server and reads the messages of the protocol. It cuts the
connection before the n-th message, or after passing it on and before its answer; once, or for all connections until the
house is restarted. With --disk nothing is cut: from the n-th message on every write of the server fails, and at the
next commit it ends in a panic. The log must be the same, byte for byte, as in a round without a fault (see writes.py).
"""

import argparse
import asyncio
import logging
import socket
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Literal

import psycopg
from rich.console import Console
from rich.progress import track
from sqlalchemy import make_url

from aceking.house.record import Unit, read_unit
from aceking.house.store.check import check
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Store
from aceking.house.verify import verify
from tests.house.campaign.database import Database, database
from tests.house.campaign.evening import Replay, jackpot
from tests.house.campaign.writes import Broken
from tests.house.evening import Evening

_SOCKET = ".s.PGSQL.5432"
_NUMBERS = count()


@dataclass(frozen=True)
class Trouble:
    """When the connection is cut, and for how long."""

    when: Literal["before", "after", "disk"]
    lasting: bool

    def __str__(self) -> str:
        if self.when == "disk":
            return "every write of the server fails from it on"
        return f"cut {self.when} it, {'until it is mended' if self.lasting else 'once'}"


_CUTS: tuple[Literal["before", "after"], ...] = ("before", "after")
TROUBLES = tuple(Trouble(when, lasting) for when in _CUTS for lasting in (False, True))
DISK = Trouble("disk", lasting=False)


class Between:
    """A proxy between house and database that counts the messages of the house, and cuts the connection as ordered."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.database = database
        self._socket = str(Path(str(make_url(database.url).query["host"])) / _SOCKET)
        self._lock = threading.Lock()
        self._ends: set[socket.socket] = set()
        self.said = 0
        self.commits: list[int] = []  # messages with the word COMMIT; prepared ones do not have it
        self.listens: list[int] = []  # messages with the word LISTEN
        self._number = 0
        self._trouble: Trouble | None = None
        self._shut = False
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(folder / _SOCKET))
        self._server.listen(64)
        threading.Thread(target=self._serve, daemon=True).start()

    def orders(self, number: int, trouble: Trouble | None) -> None:
        """Count messages from 1 again, and cause this trouble at the given one."""
        with self._lock:
            self.said, self._number, self._trouble, self._shut = 0, number, trouble, False
            self.commits, self.listens = [], []

    def mend(self) -> None:
        """Let connections through again, and wait until the database runs and can write."""
        with self._lock:
            self._shut = False
        self.database.mends()

    def close(self) -> None:
        """Close the proxy and every connection."""
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._hang_up(*self._ends)

    def _serve(self) -> None:
        while True:
            try:
                house, _ = self._server.accept()
            except OSError:
                return
            if self._shut:
                house.close()
                continue
            database = socket.socket(socket.AF_UNIX)
            try:
                database.connect(self._socket)
            except OSError:  # the database is down, and comes back
                self._hang_up(house, database)
                continue
            self._ends |= {house, database}
            threading.Thread(target=self._say, args=(house, database), daemon=True).start()
            threading.Thread(target=self._answer, args=(database, house), daemon=True).start()

    def _say(self, house: socket.socket, database: socket.socket) -> None:
        """Pass on the messages of the house one by one. The first has no type byte before its length."""
        held, letter = b"", 0
        with suppress(OSError):
            while received := house.recv(65_536):
                held += received
                while len(held) >= letter + 4:
                    length = letter + int.from_bytes(held[letter : letter + 4])
                    if len(held) < length:
                        break
                    message, held = held[:length], held[length:]
                    if not self._passes(message, database, counted=letter == 1):
                        self._hang_up(house, database)
                        return
                    letter = 1
        self._hang_up(house, database)

    def _passes(self, message: bytes, database: socket.socket, *, counted: bool) -> bool:
        with self._lock:
            # A Terminate message is not counted: nothing depends on it.
            if counted and message[:1] != b"X":
                self.said += 1
                self.commits += [self.said] if b"COMMIT" in message else []
                self.listens += [self.said] if b"LISTEN" in message else []
            trouble = self._trouble if counted and self.said == self._number else None
            if self._shut or (trouble is not None and trouble.when == "before"):
                self._shut = self._shut or (trouble is not None and trouble.lasting)
                return False
            if trouble == DISK:
                self.database.disk_fails()
            database.sendall(message)
            if trouble is not None:
                self._shut = trouble.lasting
            return trouble is None or trouble == DISK

    def _answer(self, database: socket.socket, house: socket.socket) -> None:
        with suppress(OSError):
            while received := database.recv(65_536):
                house.sendall(received)
        self._hang_up(house, database)

    def _hang_up(self, *ends: socket.socket) -> None:
        for one in ends:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
            self._ends.discard(one)


class Wired(Replay):
    """A house that reaches its database through the proxy."""

    def __init__(self, address: str, between: Between) -> None:
        super().__init__(Path())
        self._address = address
        self._between = between
        self._started = False

    def opens(self) -> Store:
        return open_store(self._address)

    def before_start(self) -> None:
        """Repair network and database before every restart; the first start may meet the trouble."""
        if self._started:
            self._between.mend()
        self._started = True

    async def ends(self) -> None:
        """End the house, and close its listener."""
        listener = None if self._house is None else self._house._listener
        await super().ends()
        if listener is not None:
            listener.close()


def through(folder: Path, address: str) -> str:
    """Return the address of the database through the proxy in this folder."""
    there = make_url(address).update_query_dict({"host": str(folder)})
    return there.render_as_string(hide_password=False)


def founded(server: str) -> str:
    """Return the address of a new schema with the house as it is before the round."""
    asked, begins = jackpot()
    name = f"wire{next(_NUMBERS)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    there = make_url(server).update_query_dict({"options": f"-csearch_path={name}"})
    address = there.render_as_string(hide_password=False)
    with closing(open_store(address)) as store:
        store.append(_before())
        assert store.last() == (begins, asked[begins - 1].tip), "it comes to the same log"
    return address


@cache
def _before() -> tuple[Unit, ...]:
    """Return the units of the house before the round."""
    asked, begins = jackpot()
    house = Evening()
    for one in asked[:begins]:
        house.at = one.at
        house.desk.ask(one.request, at=one.at)
        house.desk.written(house.store.append(house.desk.take()))
    return tuple(unit for _, unit in house.log())


def played(between: Between, folder: Path, number: int, trouble: Trouble | None) -> Replay:
    """Play the round with this trouble at this message.

    Raises Broken if the log is not that of a round without a fault.
    """
    asked, begins = jackpot()
    server = between.database.url
    address = founded(server)
    replay = Wired(through(folder, address), between)

    async def plays() -> None:
        between.orders(number, trouble)
        try:
            for one in asked[begins:]:
                reply = await replay.ask(one)
                if reply != one.reply:
                    raise Broken(f"{one.request.id} was told {reply}, and without a fault {one.reply}")
        finally:
            between.mend()
            await replay.ends()

    try:
        asyncio.run(plays())
        with closing(open_store(address)) as store:
            if store.last() != (len(asked), asked[-1].tip):
                raise Broken(f"the log ends with entry {store.last()[0]}, and not as without a fault")
            check(store)
            verify(lambda: ((entry.seq, read_unit(entry.body)) for entry in store.log()))
    except AssertionError as broken:
        raise Broken(f"message {number}, {trouble}: {broken}") from broken
    _forget(server, address)
    return replay


def _forget(server: str, address: str) -> None:
    name = str(make_url(address).query["options"]).removeprefix("-csearch_path=")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA {name} CASCADE")


def messages(between: Between, folder: Path) -> int:
    """Return the number of messages in the round."""
    played(between, folder, 0, None)
    return between.said


def campaign(
    numbers: Iterable[int], between: Between, folder: Path, troubles: tuple[Trouble, ...] = TROUBLES
) -> Counter[str]:
    """Play the round for each message and each trouble, and return the counts; raises Broken."""
    seen = Counter[str]()
    for number in numbers:
        for trouble in troubles:
            replay = played(between, folder, number, trouble)
            seen["rounds"] += 1
            seen["rounds in which the message was never reached"] += between.said < number
            seen["requests told that nothing was written"] += replay.not_written
            seen["starts after a fault"] += replay.restarts - 1
    seen["panics of the server"] = between.database.panics
    return seen


@contextmanager
def wired(server: Database) -> Iterator[tuple[Between, Path]]:
    """Run a proxy before this server. Yields it with its folder."""
    with tempfile.TemporaryDirectory() as name:
        between = Between(server, Path(name))
        try:
            yield between, Path(name)
        finally:
            between.close()


def main() -> int:
    """Cut at every message, or at every N-th."""
    parser = argparse.ArgumentParser(description="Every n-th message to PostgreSQL is the last of its connection.")
    parser.add_argument("--step", type=int, default=1, help="every so-manyth only")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--last", type=int, default=10**9)
    parser.add_argument("--disk", action="store_true", help="nothing is cut; every write of the server fails")
    given = parser.parse_args()
    if given.step < 1 or given.first < 1:
        parser.error("--step and --first: at least 1")
    console = Console(width=100)
    logging.disable(logging.CRITICAL)  # the house logs every lost connection
    troubles = (DISK,) if given.disk else TROUBLES
    with (
        tempfile.TemporaryDirectory() as name,
        database(Path(name) / "postgres") as server,
        wired(server) as (between, folder),
    ):
        number = messages(between, folder)
        console.print(f"{number} messages in the round; {len(troubles)} troubles")
        try:
            each = range(given.first, min(number, given.last) + 1, given.step)
            seen = campaign(track(each, "cutting", console=Console(stderr=True)), between, folder, troubles)
        except Broken as broken:
            console.print(f"BROKEN: {broken}", markup=False)
            return 1
    for what, many in seen.items():
        console.print(f"{what}: {many:,}")
    console.print("each came to the log without a fault, byte for byte")
    return 0


if __name__ == "__main__":
    sys.exit(main())
