"""The store in one SQLite file: a batch is one commit. One process writes, or those of one server in turns."""

import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    Connection,
    Engine,
    Integer,
    Text,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert as insert_or
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from aceking.house.record import Unit
from aceking.house.store.batch import Batch, Known, answered, judge_batch, key
from aceking.house.store.compression import pack
from aceking.house.store.errors import CannotOpen, Damaged, StoreFailed, Unsure
from aceking.house.store.protocol import AppendOutcome
from aceking.house.store.sql.migrate import current, migrate
from aceking.house.store.sql.queries import SqlStore, corrupt
from aceking.house.store.sql.tables import head, log, seal, touch

#: For each connection: a commit is on the disk when it returns, on macOS too; a long write-ahead log is cut back.
_SETTINGS = (
    "PRAGMA busy_timeout = 5000",
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",
    "PRAGMA journal_size_limit = 67108864",
)
#: Seconds to wait while another program writes to the file, and between tries.
_BUSY_SECONDS = 5.0
_BUSY_RETRY = 0.005
_HEADER = b"SQLite format 3\0"
#: A failed sync may have reached the disk in part; only opening the file again can tell.
_SYNC_FAILED = ("SQLITE_IOERR_FSYNC", "SQLITE_IOERR_DIR_FSYNC")


class _Statements:
    """Every statement of an append, compiled once."""

    def __init__(self, engine: Engine) -> None:
        def compiled(statement: Any) -> str:
            return str(statement.compile(dialect=engine.dialect))

        asked = func.json_each(bindparam("keys")).table_valued("value")
        stream, version = bindparam("stream", type_=Text), bindparam("version", type_=BigInteger)
        numbered = literal_column("(SELECT coalesce(max(number), 0) + 1 FROM head)", Integer)
        of_stream = select(head.c.number).where(head.c.stream == stream).scalar_subquery()
        new_seal = insert_or(seal)
        self.known = compiled(select(log.c.seq, log.c.body).select_from(asked).join(log, log.c.key == asked.c.value))
        self.entries = compiled(insert(log))
        self.new_heads = compiled(insert(head).values(stream=stream, version=version, number=numbered))
        self.heads = compiled(update(head).values(version=version).where(head.c.stream == stream))
        # Inline, so that it returns no key: from Python 3.12 on, executemany refuses statements that return rows.
        self.touches = compiled(insert(touch).values(stream=of_stream, version=version, seq=bindparam("seq")).inline())
        self.seals = compiled(
            new_seal.on_conflict_do_update(index_elements=["name"], set_={"secret": new_seal.excluded.secret})
        )
        self.unseals = compiled(delete(seal).where(seal.c.name == bindparam("name")))


class SqliteStore(SqlStore):
    """The one process that writes caches the heads and the end of the chain."""

    def __init__(self, path: Path, *, only_read: bool = False, makes: bool = True) -> None:
        if only_read or not makes:
            must_exist(path)
        self.path = path
        self._lock_file = None if only_read else self._locked()
        self._only_read = only_read
        self._writing = Lock()
        self._broken = ""
        has_wal = Path(f"{path}-wal").exists()  # before SQLite opens the file, which may delete the log
        try:
            engine = _engine(path, only_read=only_read)
            super().__init__(engine, still=engine)
            self._prepare()
        except (DBAPIError, sqlite3.Error) as error:
            self.close()
            fault = error.orig if isinstance(error, DBAPIError) else error
            if getattr(fault, "sqlite_errorname", "") == "SQLITE_NOTADB" and not (has_wal or _has_header(path)):
                raise CannotOpen(f"{path} is not an SQLite database") from None
            if corrupt(fault):
                raise Damaged(0, f"{path.name} is no database that can be read ({fault})") from error
            raise CannotOpen(f"{path}: {fault}") from error
        except CannotOpen as error:
            self.close()
            raise type(error)(f"{path}: {error}") from None
        except Damaged:
            self.close()
            raise

    def _prepare(self) -> None:
        if self._only_read:
            with self.engine.connect() as connection:
                current(connection)
            return
        self._begin_turn(wait=True)
        try:
            with self._transaction() as connection:
                migrate(connection)
        finally:
            self._end_turn()
        self._raw = connected(self.path, only_read=False)
        self._raw.execute("PRAGMA busy_timeout = 0")  # each append decides how long it waits
        self._statements = _Statements(self.engine)
        self._remember()

    def _remember(self) -> None:
        summary = self.summary()
        self._seq, self._tip, self._heads = summary.seq, summary.hash, summary.heads

    def _locked(self) -> int | None:
        """Take the lock that keeps other servers from this file."""
        return locked(self.path)

    def append(self, units: Sequence[Unit]) -> list[AppendOutcome]:
        assert not self._only_read
        self._begin_turn(wait=True)
        staged = self._staged(units, wait=True)
        assert staged is not None, "it has waited for its turn"
        return staged()

    def stage(self, units: Sequence[Unit]) -> Callable[[], list[AppendOutcome]] | None:
        """Do all of an append except the commit. Return the commit, which must be called, or None while another
        writes."""
        assert not self._only_read
        return self._staged(units, wait=False) if self._begin_turn(wait=False) else None

    def _begin_turn(self, *, wait: bool) -> bool:
        """Take the turn to write; without `wait`, return False if another has it."""
        return self._writing.acquire(blocking=wait)

    def _end_turn(self) -> None:
        self._writing.release()

    def _look(self) -> None:
        """Read what other processes have written, within the transaction. Here no other process writes."""

    def _staged(self, units: Sequence[Unit], *, wait: bool) -> Callable[[], list[AppendOutcome]] | None:
        """Write the batch in a transaction. The turn is held until it is committed or rolled back."""
        with self._undoing():
            if self._broken:
                raise StoreFailed(self._broken)
            if not self._begun(wait=wait):
                self._end_turn()
                return None
            self._look()
            batch = judge_batch(units, seq=self._seq, tip=self._tip, heads=self._heads, known=self._known(units))
            self._write(batch)
        return partial(self._commit, batch)

    def _begun(self, *, wait: bool) -> bool:
        """Open the transaction. While another program writes to the file, wait, or without `wait` return False."""
        ends = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                self._raw.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorname != "SQLITE_BUSY" or (wait and time.monotonic() > ends):
                    raise
            else:
                return True
            if not wait:
                return False
            time.sleep(_BUSY_RETRY)

    def _commit(self, batch: Batch) -> list[AppendOutcome]:
        with self._undoing():
            self._raw.execute("COMMIT")
        self._seq, self._tip = batch.seq, batch.tip
        self._heads.update(batch.heads)
        self._end_turn()
        return batch.outcomes

    @contextmanager
    def _undoing(self) -> Iterator[None]:
        """Roll the batch back and end the turn on an error."""
        try:
            yield
        except BaseException as error:
            self._undo()
            self._end_turn()
            if isinstance(error, sqlite3.Error):
                raise self._failed(error) from error
            raise

    def _known(self, units: Sequence[Unit]) -> dict[str, Known]:
        ids = {unit.id for unit in units}
        keys = msgspec.json.encode([key(one) for one in ids]).decode()
        return answered(self._raw.execute(self._statements.known, (keys,)), ids)

    def _write(self, batch: Batch) -> None:
        many, sql = self._raw.executemany, self._statements
        many(sql.entries, [(one.seq, one.at, one.key, pack(one.body), one.hash) for one in batch.entries])
        many(sql.new_heads, [(one, version) for one, version in batch.heads.items() if one not in self._heads])
        many(sql.heads, [(version, one) for one, version in batch.heads.items() if one in self._heads])
        many(sql.touches, [(one.stream, one.version, seq) for one, seq in batch.touches])
        if batch.secrets:
            many(sql.unseals, [(name,) for name, secret in batch.secrets.items() if secret is None])
            many(sql.seals, [(name, secret) for name, secret in batch.secrets.items() if secret is not None])

    def _undo(self) -> None:
        if self._raw.in_transaction:
            try:
                self._raw.execute("ROLLBACK")
            except sqlite3.Error as error:
                self._broken = f"{self.path}: restart the house: a failed write could not be undone ({error})"

    def _failed(self, error: sqlite3.Error) -> StoreFailed:
        code = getattr(error, "sqlite_errorname", "")
        if code in _SYNC_FAILED:
            self._broken = f"{self.path}: restart the house: the disk failed to sync"
            return Unsure(f"{self.path}: {error}")
        return StoreFailed(f"{self.path}: {error}")

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            yield connection

    @contextmanager
    def aside(self) -> Iterator[Connection]:
        """Open a transaction that writes; it takes turns with the appends."""
        assert not self._only_read
        self._begin_turn(wait=True)
        try:
            with self._transaction() as connection:
                yield connection
        except DBAPIError as error:
            raise StoreFailed(f"{self.path}: {error.orig}") from error
        finally:
            self._end_turn()

    def copy_to(self, target: Path) -> None:
        """Copy the file as it is at this moment, while others write."""
        with closing(connected(self.path, only_read=True)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)

    def close(self) -> None:
        engine = getattr(self, "engine", None)
        raw = getattr(self, "_raw", None)
        with suppress(sqlite3.Error):
            if raw is not None:
                raw.close()
            if engine is not None:
                engine.dispose()
        if self._lock_file is not None:
            os.close(self._lock_file)
            self._lock_file = None


def must_exist(path: Path) -> None:
    """Raise CannotOpen if there is no file, before files are made beside it."""
    if not path.exists():
        raise CannotOpen(f"{path}: there is no such file, and so no house; `aceking house init` makes one")


def _has_header(path: Path) -> bool:
    """Return True if a file begins as an SQLite database does."""
    with path.open("rb") as file:
        return file.read(len(_HEADER)) == _HEADER


def locked(path: Path) -> int:
    """Take the lock beside the file; the system releases it when the process ends. Raises CannotOpen if it is taken."""
    try:
        descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise CannotOpen(f"{path}: {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip()
        os.close(descriptor)
        raise CannotOpen(f"{path}: another server runs this house (process {holder or 'unknown'})") from None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(os.getpid()).encode(), 0)
    return descriptor


def connected(path: Path, *, only_read: bool) -> sqlite3.Connection:
    address = f"{path.resolve().as_uri()}?mode={'ro' if only_read else 'rw'}"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    try:
        for setting in _SETTINGS:
            connection.execute(setting)
        if not only_read:
            connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.Error:  # not a database, or unreadable
        connection.close()
        raise
    return connection


def _engine(path: Path, *, only_read: bool) -> Engine:
    if not only_read and not path.exists():
        # It contains secrets: only its owner may read it.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    engine = create_engine("sqlite://", creator=lambda: connected(path, only_read=only_read), poolclass=QueuePool)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
