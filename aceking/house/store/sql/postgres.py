"""The store for several servers: PostgreSQL with the same tables, an advisory lock for the order, NOTIFY for the
others."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any

import psycopg
from psycopg.rows import TupleRow
from sqlalchemy import URL, Connection, create_engine, text
from sqlalchemy.exc import DBAPIError

from aceking.house.record import GENESIS, Unit
from aceking.house.store.batch import Batch, answered, judge_batch, key, read_versions
from aceking.house.store.compression import pack
from aceking.house.store.errors import CannotOpen, Damaged, StoreFailed, Unsure
from aceking.house.store.protocol import AppendOutcome
from aceking.house.store.sql.migrate import current, migrate
from aceking.house.store.sql.queries import SqlStore

#: Advisory locks: the first to append to the log, the second to migrate.
_ORDER_LOCK = 0x41434B01
_MIGRATE_LOCK = 0x41434B02
CHANNEL = "aceking_log"
#: Timeouts, so that a process that hangs in a transaction does not stop the others for longer.
_SETTINGS = """
    SELECT set_config('idle_in_transaction_session_timeout', '5s', false), set_config('lock_timeout', '10s', false),
           set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                      WHEN 'off' THEN 'on' WHEN 'local' THEN 'on' ELSE current_setting('synchronous_commit') END, false)
"""

_Raw = psycopg.Connection[TupleRow]


class _Statements:
    """The statements of an append; the rows of a batch are sent as arrays, one statement for each table.

    They are sent in binary (%b): as text, each byte of a body takes two characters.
    """

    lock = f"SELECT pg_advisory_xact_lock({_ORDER_LOCK})"
    begin = f"BEGIN; {lock}"
    # The end of the log, the heads, the known commands. Not a pipeline: after one, libpq's last Flush disables the
    # server's timeout for idle transactions, and a process that hangs would stop all others.
    read = """
        SELECT 'last', '', seq, hash FROM (SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1) AS newest
        UNION ALL SELECT 'head', stream, version, NULL FROM head WHERE stream = ANY(%b::text[])
        UNION ALL SELECT 'known', '', seq, body FROM log WHERE key = ANY(%b::bigint[])
    """
    entries = (
        "INSERT INTO log (seq, at, key, body, hash)"
        " SELECT * FROM unnest(%b::bigint[], %b::bigint[], %b::bigint[], %b::bytea[], %b::bytea[])"
    )
    new_heads = (
        "INSERT INTO head (stream, version, number)"
        " SELECT stream, version, (SELECT coalesce(max(number), 0) FROM head) + place"
        " FROM unnest(%b::text[], %b::bigint[]) WITH ORDINALITY AS new (stream, version, place)"
    )
    heads = (
        "UPDATE head SET version = new.version"
        " FROM unnest(%b::text[], %b::bigint[]) AS new (stream, version) WHERE head.stream = new.stream"
    )
    # A stream without a number violates NOT NULL, so it cannot be missed.
    touches = (
        "INSERT INTO touch (stream, version, seq) SELECT head.number, new.version, new.seq"
        " FROM unnest(%b::text[], %b::bigint[], %b::bigint[]) AS new (stream, version, seq)"
        " LEFT JOIN head USING (stream)"
    )
    unseals = "DELETE FROM seal WHERE name = ANY(%b::text[])"
    seals = (
        "INSERT INTO seal (name, secret) SELECT * FROM unnest(%b::text[], %b::bytea[])"
        " ON CONFLICT (name) DO UPDATE SET secret = excluded.secret"
    )
    notify = f"SELECT pg_notify('{CHANNEL}', %s)"


class PostgresStore(SqlStore):
    """Any number of processes append; each batch reads the heads that it needs under the lock."""

    def __init__(self, url: URL, *, only_read: bool = False) -> None:
        self._shown = url.render_as_string()
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        engine = create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
        super().__init__(engine, still=engine.execution_options(isolation_level="REPEATABLE READ"))
        self._only_read = only_read
        self._writing = Lock()
        self._raw: _Raw | None = None
        try:
            with engine.begin() as connection:
                if only_read:
                    current(connection)
                else:
                    connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATE_LOCK})"))
                    migrate(connection)
        except DBAPIError as error:
            self.close()
            raise CannotOpen(f"{self._shown}: {_first_line(error.orig)}") from None
        except CannotOpen as error:
            self.close()
            raise type(error)(f"{self._shown}: {error}") from None
        except Damaged:
            self.close()
            raise

    def append(self, units: Sequence[Unit]) -> list[AppendOutcome]:
        assert not self._only_read
        with self._writing:
            try:
                raw = self._connected()
                batch, heads = self._weighed(raw, units)
            except psycopg.Error as error:
                self._drop()
                raise StoreFailed(f"{self._shown}: {_first_line(error)}") from error
            except BaseException:
                self._drop()
                raise
            if not batch.entries:
                return batch.outcomes
            try:
                self._write(raw, batch, heads)
            except psycopg.Error as error:
                self._drop()
                if not self._was_written(batch):
                    raise StoreFailed(f"{self._shown}: {_first_line(error)}") from error
            return batch.outcomes

    def _weighed(self, raw: _Raw, units: Sequence[Unit]) -> tuple[Batch, dict[str, int]]:
        """Return the batch and the heads that it was decided on. If it has entries, the transaction stays open."""
        streams = list({stream for unit in units for stream, _ in read_versions(unit)})
        ids = {unit.id for unit in units}
        raw.execute(_Statements.begin)
        seq, tip = 0, GENESIS
        heads: dict[str, int] = {}
        rows: list[tuple[int, bytes]] = []
        for kind, name, number, stored in raw.execute(_Statements.read, (streams, [key(one) for one in ids])):
            match kind:
                case "last":
                    seq, tip = number, stored
                case "head":
                    heads[name] = number
                case _:
                    rows.append((number, stored))
        batch = judge_batch(units, seq=seq, tip=tip, heads=heads, known=answered(rows, ids))
        if not batch.entries:
            raw.execute("ROLLBACK")
        return batch, heads

    def _write(self, raw: _Raw, batch: Batch, heads: Mapping[str, int]) -> None:
        sql, entries = _Statements, batch.entries
        with raw.pipeline():
            raw.execute(
                sql.entries,
                (
                    [entry.seq for entry in entries],
                    [entry.at for entry in entries],
                    [entry.key for entry in entries],
                    [pack(entry.body) for entry in entries],
                    [entry.hash for entry in entries],
                ),
            )
            new = {stream: version for stream, version in batch.heads.items() if stream not in heads}
            if new:
                raw.execute(sql.new_heads, (list(new), list(new.values())))
            if batch.touches:
                raw.execute(sql.heads, (list(batch.heads), list(batch.heads.values())))
                raw.execute(
                    sql.touches,
                    (
                        [touch.stream for touch, _ in batch.touches],
                        [touch.version for touch, _ in batch.touches],
                        [seq for _, seq in batch.touches],
                    ),
                )
            if batch.secrets:
                kept = {name: secret for name, secret in batch.secrets.items() if secret is not None}
                raw.execute(sql.unseals, (list(batch.secrets.keys() - kept.keys()),))
                raw.execute(sql.seals, (list(kept), list(kept.values())))
            raw.execute(sql.notify, (str(batch.seq),))
            raw.execute("COMMIT")

    def _was_written(self, batch: Batch) -> bool:
        """Return True if the log has the first entry of a batch whose commit failed. Raises Unsure.

        It waits for the lock, which is free once that transaction has ended.
        """
        entry = batch.entries[0]
        try:
            raw = self._connected()
            with raw.transaction():
                raw.execute(_Statements.lock)
                row = raw.execute("SELECT hash FROM log WHERE seq = %s", (entry.seq,)).fetchone()
        except psycopg.Error as error:
            self._drop()
            raise Unsure(f"{self._shown}: {_first_line(error)}") from error
        return row is not None and bytes(row[0]) == entry.hash

    def _connected(self) -> _Raw:
        if self._raw is None or self._raw.closed:
            self._raw = psycopg.connect(self._address, autocommit=True, connect_timeout=10)
            self._raw.execute(_SETTINGS)
        return self._raw

    def _drop(self) -> None:
        """Close a connection that failed; the server rolls its transaction back."""
        if self._raw is not None:
            with suppress(psycopg.Error):
                self._raw.close()
            self._raw = None

    @contextmanager
    def aside(self) -> Iterator[Connection]:
        assert not self._only_read
        try:
            with self.engine.begin() as connection:
                yield connection
        except DBAPIError as error:
            raise StoreFailed(f"{self._shown}: {_first_line(error.orig)}") from error

    def listen(self) -> "NotifyListener":
        """Return a listener for the writes of any process."""
        return NotifyListener(lambda: psycopg.connect(self._address, autocommit=True, connect_timeout=10), self.last)

    def close(self) -> None:
        self._drop()
        self.engine.dispose()


class NotifyListener:
    """Reports the end of the log when another process has written. Use it in a thread or with
    `loop.add_reader(fileno())`.

    Raises StoreFailed if it cannot connect.
    """

    def __init__(self, connect: Callable[[], _Raw], last: Callable[[], tuple[int, bytes]]) -> None:
        self._connect = connect
        self._last = last
        self._raw: _Raw | None = None
        try:
            self._open()
        except psycopg.Error as error:
            self.close()
            raise StoreFailed(f"cannot listen for changes: {_first_line(error)}") from error

    def _open(self) -> None:
        self._raw = self._connect()
        self._raw.execute(f"LISTEN {CHANNEL}")

    def fileno(self) -> int:
        """Return the descriptor that is readable on a notification. It changes when `wait` connects again."""
        assert self._raw is not None
        return self._raw.fileno()

    def wait(self, seconds: float = 0) -> int | None:
        """Return the newest entry number reported within this time, or None.

        After a lost connection it connects again and returns the end of the log, since a notification may be
        missing. Raises StoreFailed while the database cannot be reached.
        """
        try:
            if self._raw is None:
                self._open()
                return self._last()[0]
            numbers = [int(note.payload) for note in self._raw.notifies(timeout=seconds, stop_after=1)]
            numbers += [int(note.payload) for note in self._raw.notifies(timeout=0)] if numbers else []
        except psycopg.Error as error:
            self.close()
            raise StoreFailed(f"cannot listen for changes: {_first_line(error)}") from error
        return max(numbers, default=None)

    def close(self) -> None:
        """Stop listening."""
        if self._raw is not None:
            with suppress(psycopg.Error):
                self._raw.close()
            self._raw = None


def _first_line(error: Any) -> str:
    return str(error).strip().partition("\n")[0]
