"""Saved sessions: a record of events, and a second file with what the events do not have."""

import os
from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec

from aceking.api.table import PLAYER, Table
from aceking.rules.reading.did_you_mean import suggestion
from aceking.table import event as ev
from aceking.table.replay import RecordError, events_from_json_lines, events_to_json_lines
from aceking.table.state import TableState as State

#: The environment variable that names the folder of sessions.
FOLDER = "ACEKING_SESSIONS"
Coach = Literal["values", "mistakes", "off"]
_SUFFIX = ".session"


class Judged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision that was not the best, and its cost."""

    round: int
    box: int
    chose: str
    best: str
    antes: str  # exact, "p/q"
    chips: int  # rounded, in minor units


class TerminalSession(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The part of a session that is not in its record."""

    begins: State  # the table before the first event
    book: str  # an id, or a file
    brought: int  # chips at the start, and those bought since, in minor units
    ante: int
    side: bool = False
    sides: dict[str, int] = {}  # stakes by named side wager, for each round
    boxes: int = 1
    coach: Coach = "mistakes"
    seed: int | None = None
    meter: str | None = None
    decisions: int = 0
    mistakes: list[Judged] = []
    rounds: int = 0  # finished
    won: int = 0  # minor units, at the last save
    size: int = 0  # bytes of the record at the last save
    digest: str = ""  # SHA-256 of those bytes

    @property
    def cost(self) -> int:
        """The cost of all mistakes in minor units."""
        return sum(one.chips for one in self.mistakes)

    def judge(self, round_number: int, box: int, chose: str, best: str, antes: Fraction, ante: int) -> Judged | None:
        """Count a decision. Returns the mistake; None if it cost nothing."""
        self.decisions += 1
        if not antes:
            return None
        mistake = Judged(round_number, box, chose, best, str(antes), round(antes * ante))
        self.mistakes.append(mistake)
        return mistake


class SessionError(Exception):
    """A session cannot be resumed or saved; the message says why."""


class Record:
    """The two files of a session. A save appends the new events as whole lines."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.size = 0
        self.written = 0  # events
        self.hash = sha256()

    @property
    def session_file(self) -> Path:
        return self.file.with_name(self.file.name + _SUFFIX)

    @property
    def name(self) -> str:
        """The name of the session: the file name in the folder of sessions, elsewhere the path."""
        return self.file.name.removesuffix(".jsonl") if self.file.parent == folder() else str(self.file)

    def create(self) -> None:
        """Create an empty record. Raises SessionError if the file has a record already."""
        if self.file.is_dir():
            raise SessionError(f"{self.file} is a folder")
        if self.file.exists() and self.file.stat().st_size:
            raise SessionError(f"{self.file}: there is a record already; resume it with --again, or name another file")
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.touch()

    def write(self, session: TerminalSession, table: Table) -> None:
        """Append the new events and save the session. Raises SessionError if another program wrote to the record."""
        new = table.events[self.written :]
        if not self.file.exists() or self.file.stat().st_size != self.size:
            raise SessionError(f"another program writes to {self.file}")
        if new:
            lines = events_to_json_lines(new)
            with self.file.open("ab") as stream:
                stream.write(lines)
            self.hash.update(lines)
            self.written, self.size = len(table.events), self.size + len(lines)
        session.meter, session.size, session.digest = table.meter_exact, self.size, self.hash.hexdigest()
        session.rounds, session.won = table.state.rounds, table.state.accounts.get(PLAYER, 0)
        temporary = self.session_file.with_name(f"{self.session_file.name}.{os.getpid()}")
        temporary.write_bytes(msgspec.json.encode(session))
        temporary.replace(self.session_file)

    def session(self) -> TerminalSession:
        """Read the session of the record. Raises SessionError if it is missing or damaged."""
        try:
            return msgspec.json.decode(self.session_file.read_bytes(), type=TerminalSession)
        except FileNotFoundError:
            raise SessionError(f"{self.file}: there is no saved session for this record") from None
        except msgspec.DecodeError as wrong:
            raise SessionError(f"{self.session_file}: this is not a session: {wrong}") from None

    def events(self, session: TerminalSession | None = None) -> tuple[ev.TableEvent, ...]:
        """Read the events, checked against a session if given. Raises SessionError if the record was changed."""
        text = self.file.read_bytes()
        # The digest covers the events until the last save of the session.
        if session is not None and sha256(text[: session.size]).hexdigest() != session.digest:
            raise SessionError(f"{self.file}: the record has been changed since it was written")
        self.size, self.hash = len(text), sha256(text)
        try:
            return events_from_json_lines(text)
        except RecordError as wrong:
            raise SessionError(f"{self.file}: {wrong}") from None

    def resume(self) -> tuple[TerminalSession, Table]:
        """Return the session and its table as they were left. Raises SessionError."""
        session = self.session()
        past = self.events(session)
        rounds = sum(isinstance(one, ev.RoundOpened) for one in past)
        try:
            table = Table.resumed(
                session.begins, past, book=session.book, meter=session.meter, seed=session.seed, shuffles=rounds
            )
        except ValueError as wrong:
            raise SessionError(f"{self.file}: {wrong}") from None
        self.written = len(past)
        return session, table


def folder() -> Path:
    """Return the folder of sessions."""
    import click

    named = os.environ.get(FOLDER)
    return Path(named) if named else Path(click.get_app_dir("aceking")) / "rounds"


def new_record(book: str) -> Record:
    """Return a record named by time and book, with a number if the name is taken."""
    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    names = (f"{stamp}-{book}{mark}.jsonl" for mark in ("", *(f"-{number}" for number in range(2, 1000))))
    return Record(next(file for name in names if not (file := folder() / name).exists()))


def saved_records() -> Iterator[Record]:
    """Yield the records of all saved sessions, the newest first."""
    try:
        files = sorted(folder().glob("*.jsonl"), key=lambda file: (file.stat().st_mtime, file.name), reverse=True)
    except OSError:
        return
    yield from (Record(file) for file in files if Record(file).session_file.exists())


def find_record(name: str) -> Record:
    """Return the record named by `last`, by a book for its last session, by its name or by its file.

    Raises SessionError if there is none.
    """
    if name in ("last", ""):
        newest = next(saved_records(), None)
        if newest is None:
            raise SessionError("there is no saved session yet; aceking play starts one")
        return newest
    for record in saved_records():
        if record.name == name or record.session().begins.book == name:
            return record
    if Path(name).is_file():
        return Record(Path(name))
    known = [record.name for record in saved_records()]
    raise SessionError(f"there is no session {name!r}{suggestion(name, known)}; aceking replay lists them")
