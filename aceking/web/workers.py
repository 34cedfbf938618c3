"""A house served by several processes: they share the socket and the store, and one of them more begins where one ends.

The first makes the house ready, greets, and has the robots; then the others begin. The parent does nothing but wait.
When it is told to stop, it tells them; when it is killed, they hear it and stop.
"""

import asyncio
import logging
import os
import signal
import sys
import time
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import NoReturn

import click

from aceking.house.settings import Settings
from aceking.house.store.open import file_of
from aceking.house.store.sql.shared_file import SharedFile
from aceking.web.handover import Doors, doors
from aceking.web.metrics import Figures
from aceking.web.serving import ENDS, Place, Tell, listening_at, serve

log = logging.getLogger("aceking.workers")

#: One that ends sooner than this would end again: then the house ends.
_SHORT_LIFE = 5.0
#: How one ends that has said why the house cannot go on.
_SAID_WHY = 2
_STOPS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class _Worker:
    number: int
    began: float


class Workers:
    """The processes of a house, seen from their parent. Raises NoHouse or CannotOpen: the address, the lock."""

    def __init__(self, settings: Settings, tell: Tell) -> None:
        self.settings, self.tell = settings, tell
        file = file_of(settings.db)
        self._file = None if file is None else SharedFile(file, settings.workers, makes=settings.demo)
        self._listening = listening_at(settings)
        self._doors = doors(settings.workers)
        self._figures = Figures(settings.workers)
        self._parent, self._living = os.pipe()  # whoever reads it hears when the parent is gone
        self._workers: dict[int, _Worker] = {}  # by process
        self._stopping = False

    def run(self) -> int:
        """Until it is told to stop; returns how it ended."""
        for one in _STOPS:
            signal.signal(one, self._told_to_stop)
        heard, ready = os.pipe()
        self._begin(0, ready)
        os.close(ready)
        if os.read(heard, 1):
            for number in range(1, self.settings.workers):
                self._begin(number)
        else:
            self._stopping = True  # it ended before it was ready, and has said why
        os.close(heard)
        return self._wait()

    def _wait(self) -> int:
        """Until none is left. One that was killed is followed by another; one that gave up ends the house."""
        code = 0
        while self._workers:
            process, status = os.wait()
            worker, found = self._workers.pop(process), os.waitstatus_to_exitcode(status)
            if self._stopping:
                code = code or max(found, 0)
            elif found == _SAID_WHY or (found >= 0 and time.monotonic() - worker.began < _SHORT_LIFE):
                code = found or 1
                self._stop()
            else:
                log.error("process %d of the house ended (%d); another one begins", process, found)
                self._begin(worker.number)
        return code

    def _told_to_stop(self, sig: int, frame: FrameType | None) -> None:
        self._stop()

    def _stop(self) -> None:
        self._stopping = True
        for process in self._workers:
            os.kill(process, signal.SIGTERM)

    def _begin(self, number: int, ready: int | None = None) -> None:
        sys.stdout.flush()
        signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)  # or one that comes in between would be nobody's
        process = os.fork()
        if process == 0:
            self._lives(number, ready)
        self._workers[process] = _Worker(number, time.monotonic())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)

    def _lives(self, number: int, ready: int | None) -> NoReturn:
        """All that the new process does."""
        code = 1
        try:
            for one in _STOPS:
                signal.signal(one, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
            self._work(number, ready)
            code = 0
        except ENDS as wrong:
            click.echo(f"Error: {wrong}", err=True)
            code = _SAID_WHY
        except Exception:
            log.critical("process %d of the house has a fault", os.getpid(), exc_info=True)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)  # nothing of the parent's is for this process to end

    def _work(self, number: int, ready: int | None) -> None:
        os.close(self._living)
        place = Place(
            number=number,
            listening=self._listening,
            share=None if self._file is None else self._file.share(number),
            doors=Doors(number, self._doors),
            figures=self._figures,
            parent=self._parent,
            ready=partial(_tell_ready, ready),
        )
        asyncio.run(serve(self.settings, self.tell, place))


def _tell_ready(ready: int | None) -> None:
    """To the parent, where it waits."""
    if ready is not None:
        os.write(ready, b"!")
        os.close(ready)
