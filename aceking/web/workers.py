"""Serve a house with several worker processes that share one socket and one store. A worker that dies is replaced.

The first worker opens the house, prints the greeting and runs the robots; then the others start. The parent only waits.
It passes a signal to stop on to the workers. If it is killed, the workers notice it and stop.
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

from aceking.house.chance import Chance
from aceking.house.settings import Settings
from aceking.house.store.open import file_of
from aceking.house.store.sql.shared_file import SharedFile
from aceking.web.handover import Handover, socket_pairs
from aceking.web.metrics import ServerFigures
from aceking.web.serving import ENDS, Announce, WorkerSlot, listening_at, serve

log = logging.getLogger("aceking.workers")

#: Seconds. A worker that ends sooner would end again, so the house ends.
_SHORT_LIFE = 5.0
#: The exit status of a worker that has printed why the house cannot go on.
_REPORTED = 2
_STOPS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class _Worker:
    number: int
    began: float


class Workers:
    """The worker processes of a house, seen from their parent. Raises NoHouse or CannotOpen."""

    def __init__(self, settings: Settings, tell: Announce, *, draw: Chance = os.urandom) -> None:
        self.settings, self.tell, self.draw = settings, tell, draw
        file = file_of(settings.db)
        self._file = None if file is None else SharedFile(file, settings.workers, makes=settings.demo)
        self._listening = listening_at(settings)
        self._socket_pairs = socket_pairs(settings.workers)
        self._figures = ServerFigures(settings.workers)
        self._parent, self._living = os.pipe()  # the read end is at its end when the parent is gone
        self._workers: dict[int, _Worker] = {}  # by process
        self._stopping = False

    def run(self) -> int:
        """Start the workers and wait for their end. Returns the exit status."""
        for stop in _STOPS:
            signal.signal(stop, self._handle_stop)
        wait_ready, ready = os.pipe()
        self._start(0, ready)
        os.close(ready)
        if os.read(wait_ready, 1):
            for number in range(1, self.settings.workers):
                self._start(number)
        else:
            self._stopping = True  # it ended before it was ready, and has printed why
        os.close(wait_ready)
        return self._wait()

    def _wait(self) -> int:
        """Wait until no worker is left; return the exit status. Replace a killed worker; stop all if one gave up."""
        code = 0
        while self._workers:
            process, status = os.wait()
            worker, exit_code = self._workers.pop(process), os.waitstatus_to_exitcode(status)
            if self._stopping:
                code = code or max(exit_code, 0)
            elif exit_code == _REPORTED or (exit_code >= 0 and time.monotonic() - worker.began < _SHORT_LIFE):
                code = exit_code or 1
                self._stop()
            else:
                log.error("worker process %d ended (%d); a new one starts", process, exit_code)
                self._start(worker.number)
        return code

    def _handle_stop(self, sig: int, frame: FrameType | None) -> None:
        self._stop()

    def _stop(self) -> None:
        self._stopping = True
        for process in self._workers:
            os.kill(process, signal.SIGTERM)

    def _start(self, number: int, ready: int | None = None) -> None:
        sys.stdout.flush()
        signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)  # a signal between fork and the entry below would be lost
        process = os.fork()
        if process == 0:
            self._run_worker(number, ready)
        self._workers[process] = _Worker(number, time.monotonic())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)

    def _run_worker(self, number: int, ready: int | None) -> NoReturn:
        code = 1
        try:
            for stop in _STOPS:
                signal.signal(stop, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
            self._serve(number, ready)
            code = 0
        except ENDS as wrong:
            click.echo(f"Error: {wrong}", err=True)
            code = _REPORTED
        except Exception:
            log.critical("worker process %d has a fault", os.getpid(), exc_info=True)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)  # skip the exit handlers of the parent

    def _serve(self, number: int, ready: int | None) -> None:
        os.close(self._living)
        place = WorkerSlot(
            number=number,
            listening=self._listening,
            share=None if self._file is None else self._file.share(number),
            handover=Handover(number, self._socket_pairs),
            figures=self._figures,
            parent=self._parent,
            ready=partial(_report_ready, ready),
        )
        asyncio.run(serve(self.settings, self.tell, place, draw=self.draw))


def _report_ready(ready: int | None) -> None:
    """Tell the parent, which waits for the first worker only."""
    if ready is not None:
        os.write(ready, b"!")
        os.close(ready)
