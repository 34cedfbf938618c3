"""A session that is kept: its record, event by event, and beside it what is not in the record."""

import os
from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec

from aceking.api.table import PLAYER, Table
from aceking.rules.reading.did_you_mean import near
from aceking.table import event as ev
from aceking.table.replay import RecordError, events_from_json_lines, events_to_json_lines
from aceking.table.state import Table as State

#: Where sessions are kept, unless this variable of the environment names another folder.
FOLDER = "ACEKING_SESSIONS"
Coach = Literal["values", "mistakes", "off"]
_SUFFIX = ".session"


class Judged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision that was not the best, and what that cost."""

    round: int
    box: int
    chose: str
    best: str
    antes: str  # exactly, "p/q"
    chips: int  # to the nearest coin


class Session(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What is kept of a session beside its record."""

    begins: State  # the table before the first event
    book: str  # as it was asked for: an id, or a file
    brought: int  # chips that the player sat down with, and bought since
    ante: int
    side: bool = False
    sides: dict[str, int] = {}  # the stakes on side wagers by name, in each round
    boxes: int = 1
    coach: Coach = "mistakes"
    seed: int | None = None
    meter: str | None = None
    decisions: int = 0
    mistakes: list[Judged] = []
    rounds: int = 0  # that are over
    won: int = 0  # by the table's accounts, when this was written
    size: int = 0  # of the record when this was written
    digest: str = ""  # of that much of it

    @property
    def cost(self) -> int:
        """What all mistakes cost together, in chips."""
        return sum(one.chips for one in self.mistakes)

    def judge(self, round_number: int, box: int, chose: str, best: str, antes: Fraction, ante: int) -> Judged | None:
        """Takes a decision into the account; the mistake, where it was one."""
        self.decisions += 1
        if not antes:
            return None
        found = Judged(round_number, box, chose, best, str(antes), round(antes * ante))
        self.mistakes.append(found)
        return found


class KeptError(Exception):
    """A session that cannot be taken up or written on; the message says why."""


class Record:
    """The two files of a session. What is written is the new events only, and whole lines of them."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.size = 0
        self.written = 0  # events
        self.hash = sha256()

    @property
    def beside(self) -> Path:
        """The file of what is not in the record."""
        return self.file.with_name(self.file.name + _SUFFIX)

    @property
    def name(self) -> str:
        """How the session is called."""
        return self.file.name.removesuffix(".jsonl") if self.file.parent == folder() else str(self.file)

    def create(self) -> None:
        """A new record; one that is there already is not written over."""
        if self.file.exists() and self.file.stat().st_size:
            raise KeptError(f"{self.file}: there is a record already; take it up with --again, or name another file")
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.touch()

    def write(self, session: Session, table: Table) -> None:
        """Appends what has happened since; nothing that was played is lost, and nothing of another is mixed in."""
        new = table.events[self.written :]
        if not self.file.exists() or self.file.stat().st_size != self.size:
            raise KeptError(f"somebody else writes on {self.file}")
        if new:
            lines = events_to_json_lines(new)
            with self.file.open("ab") as stream:
                stream.write(lines)
            self.hash.update(lines)
            self.written, self.size = len(table.events), self.size + len(lines)
        session.meter, session.size, session.digest = table.meter_exact, self.size, self.hash.hexdigest()
        session.rounds, session.won = table.state.rounds, table.state.accounts.get(PLAYER, 0)
        part = self.beside.with_name(f"{self.beside.name}.{os.getpid()}")
        part.write_bytes(msgspec.json.encode(session))
        part.replace(self.beside)

    def session(self) -> Session:
        """What is kept beside the record, checked."""
        try:
            return msgspec.json.decode(self.beside.read_bytes(), type=Session)
        except FileNotFoundError:
            raise KeptError(f"{self.file}: no session is kept beside this record") from None
        except msgspec.DecodeError as wrong:
            raise KeptError(f"{self.beside}: this is no session: {wrong}") from None

    def events(self, session: Session | None = None) -> tuple[ev.Event, ...]:
        """The record alone; held against the session, where there is one, that was kept beside it."""
        text = self.file.read_bytes()
        # What was written after the session was last kept is not in its digest.
        if session is not None and sha256(text[: session.size]).hexdigest() != session.digest:
            raise KeptError(f"{self.file}: the record has been changed since it was written")
        self.size, self.hash = len(text), sha256(text)
        try:
            return events_from_json_lines(text)
        except RecordError as wrong:
            raise KeptError(f"{self.file}: {wrong}") from None

    def resume(self) -> tuple[Session, Table]:
        """The session, and its table as it was left."""
        session = self.session()
        past = self.events(session)
        rounds = sum(isinstance(one, ev.RoundOpened) for one in past)
        try:
            table = Table.resumed(
                session.begins, past, book=session.book, meter=session.meter, seed=session.seed, shuffles=rounds
            )
        except ValueError as wrong:
            raise KeptError(f"{self.file}: {wrong}") from None
        self.written = len(past)
        return session, table


def folder() -> Path:
    """Where sessions are kept."""
    import click

    named = os.environ.get(FOLDER)
    return Path(named) if named else Path(click.get_app_dir("aceking")) / "rounds"


def new_record(book: str) -> Record:
    """A record by the time and the book; a second one of the same second gets a number."""
    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    names = (f"{stamp}-{book}{mark}.jsonl" for mark in ("", *(f"-{number}" for number in range(2, 1000))))
    return Record(next(file for name in names if not (file := folder() / name).exists()))


def kept() -> Iterator[Record]:
    """All sessions that are kept, the newest first."""
    try:
        files = sorted(folder().glob("*.jsonl"), key=lambda file: (file.stat().st_mtime, file.name), reverse=True)
    except OSError:
        return
    yield from (Record(file) for file in files if Record(file).beside.exists())


def found(name: str) -> Record:
    """The session of that name: `last`, the id of a book for its last one, a name from the list, or a file."""
    if name in ("last", ""):
        newest = next(kept(), None)
        if newest is None:
            raise KeptError("no session is kept yet; aceking play begins one")
        return newest
    for record in kept():
        if record.name == name or record.session().begins.book == name:
            return record
    if Path(name).is_file():
        return Record(Path(name))
    known = [record.name for record in kept()]
    raise KeptError(f"there is no session {name!r}{near(name, known)}; aceking replay lists them")
