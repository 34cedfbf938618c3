"""Servers that are forked from a process that has imported what they need: a start takes as long as the house's own."""

import fcntl
import multiprocessing
import os
import re
import signal
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from random import Random

from aceking.house.store.open import file_of
from tests.web.processes import children, is_gone, wait_until
from tests.web.seeded import SEEDS, serve
from tests.web.served import Served

_FORKED = multiprocessing.get_context("forkserver")
_FORKED.set_forkserver_preload(
    [
        "tests.house.store.writer",
        "psycopg",
        "sqlalchemy.dialects.postgresql.psycopg",
        "alembic.command",
        "anyio._backends._asyncio",
        "uvicorn.protocols.http.h11_impl",
        "uvicorn.protocols.websockets.websockets_sansio_impl",
        "aceking.commands.house.serve",
        "aceking.web.serving",
        "aceking.web.workers",
        "tests.web.forked",
    ]
)


def _ends_with_who_started_it() -> None:
    """A test or a campaign that is killed leaves no server behind: the end of a pipe is closed with it."""
    started_by = multiprocessing.parent_process()
    assert started_by is not None
    wait([started_by.sentinel])
    os.kill(os.getpid(), signal.SIGKILL)


def _serving(file: Path, start: str, words: list[str], out: str, env: dict[str, str], breaks: str) -> None:
    """`aceking serve`, in a process that is a copy of one that waited."""
    threading.Thread(target=_ends_with_who_started_it, daemon=True).start()
    told = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(told, 1)
    os.dup2(told, 2)
    sys.stdout, sys.stderr = os.fdopen(1, "w", 1), os.fdopen(2, "w", 1)
    os.environ.update(env)
    if breaks:
        from aceking.web import serving
        from tests.house.simulator import broken

        vars(serving)["Running"] = getattr(broken, breaks)
    sys.exit(serve(file, start, words))


@dataclass
class Forked(Served):
    """One process of `aceking serve` that starts in no time and is killed in less."""

    #: A class of tests/house/simulator/broken.py that serves in place of the real one.
    breaks: str = ""

    def launch(self) -> None:
        """It runs, and nobody has waited for it yet."""
        self.out = self.folder / f"server-{time.monotonic_ns()}.txt"
        self.out.touch()
        env = {"ACEKING_REQUESTS_A_MINUTE": "100000", "ACEKING_REFUSALS_A_MINUTE": "1000000", **self.env}
        self.copy = _FORKED.Process(
            target=_serving,
            args=(SEEDS.file, SEEDS.next_start(), self.words, str(self.out), env, self.breaks),
            daemon=True,
        )
        self.copy.start()

    def start(self) -> "Forked":
        self.launch()
        ends = time.monotonic() + 300
        while (found := re.search(r"tables at (http://\S+)", self.told)) is None:
            assert self.copy.is_alive(), self.told
            assert time.monotonic() < ends, self.told
            time.sleep(0.005)
        self.address = found[1]
        return self

    @property
    def runs(self) -> bool:
        return hasattr(self, "copy") and self.copy.is_alive()

    @property
    def workers(self) -> int:
        """How many processes serve."""
        return int(self.env.get("ACEKING_WORKERS", "1"))

    @property
    def processes(self) -> list[int]:
        """Those that serve, where they are several."""
        assert self.copy.pid is not None
        return children(self.copy.pid) if self.workers > 1 else []

    def kill(self, *, only_parent: bool = False) -> None:
        """All of it, or the parent alone, which the others hear and end."""
        others = self.processes
        self.copy.kill()  # first, or it would begin others
        for one in () if only_parent else others:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        self.copy.join(300)
        assert self.copy.exitcode == -9, self.told
        wait_until(lambda: all(is_gone(one) for one in others) and self._is_free(), lambda: self.told)

    def _is_free(self) -> bool:
        """Whether nobody has the house; one that had only just begun is nobody's child that we know of."""
        file = file_of(self.url)
        if self.workers == 1 or file is None:
            return True
        with Path(f"{file}.lock").open("rb") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True

    def kill_one(self, dice: Random) -> None:
        """One of those that serve; another one begins in its place."""
        wait_until(lambda: len(self.processes) == self.workers, lambda: self.told)
        victim = dice.choice(self.processes)
        os.kill(victim, signal.SIGKILL)
        wait_until(lambda: victim not in (now := self.processes) and len(now) == self.workers, lambda: self.told)
