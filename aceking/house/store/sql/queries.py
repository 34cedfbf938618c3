"""The part of a store that both databases share: reading the tables, and writing snapshots."""

import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, Select, Table, bindparam, delete, func, select
from sqlalchemy.exc import DBAPIError

from aceking.house.record import GENESIS, Unit
from aceking.house.store.batch import answered, key
from aceking.house.store.chain import NOTHING, LogRow, checked, follow
from aceking.house.store.errors import Damaged, StoreFailed
from aceking.house.store.protocol import AppendOutcome, Logged, Repeated, Snapshot, StoredRows, Summary, Touch
from aceking.house.store.sql.tables import head, log, seal, snapshot, touch

#: Entries per read: short reads, so that SQLite can take its write-ahead log into the file.
PAGE = 500

LAST = select(log.c.seq, log.c.hash).order_by(log.c.seq.desc()).limit(1)
_HASH = select(log.c.hash).where(log.c.seq == bindparam("seq"))
HEADS = select(head.c.stream, head.c.version)
_ENTRY = select(log.c.seq, log.c.at, log.c.body, log.c.hash)
_LOG = _ENTRY.where(log.c.seq > bindparam("after"), log.c.seq <= bindparam("upto")).order_by(log.c.seq).limit(PAGE)
FROM = _ENTRY.where(log.c.seq >= bindparam("first")).order_by(log.c.seq)
SEALED = select(seal.c.name, seal.c.secret)
_BEFORE = log.alias("before")
_STREAM = (
    select(touch.c.seq, log.c.at, log.c.body, log.c.hash, _BEFORE.c.hash.label("before"), touch.c.version)
    .select_from(
        head.join(touch, touch.c.stream == head.c.number)
        .outerjoin(log, log.c.seq == touch.c.seq)
        .outerjoin(_BEFORE, _BEFORE.c.seq == touch.c.seq - 1)
    )
    .where(head.c.stream == bindparam("stream"), touch.c.version > bindparam("after"))
    .order_by(touch.c.version)
    .limit(PAGE)
)
_ANSWER = select(log.c.seq, log.c.body).where(log.c.key == bindparam("key")).order_by(log.c.seq)
_KEYS = select(log.c.key, log.c.seq).where(log.c.key.in_(bindparam("keys", expanding=True)))
_TOUCHED = (
    select(touch.c.version, touch.c.seq)
    .select_from(head.join(touch, touch.c.stream == head.c.number))
    .where(head.c.stream == bindparam("stream"), touch.c.version.in_(bindparam("versions", expanding=True)))
)
_SNAPSHOTS = select(snapshot.c.stream, snapshot.c.version, snapshot.c.seq, snapshot.c.format, snapshot.c.body)


#: Error codes of SQLite and PostgreSQL for damaged files.
_CORRUPT = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002")


class SqlStore(ABC):
    """The reading half of a store in a database; each database has its own writing half."""

    def __init__(self, engine: Engine, *, still: Engine) -> None:
        self.engine = engine
        self.still = still  # an engine whose transactions see one moment

    @contextmanager
    def reading(self, *, still: bool = False, entry: int = 0) -> Iterator[Connection]:
        """Open a short read. Raises Damaged for `entry` if the database reports damaged files, or StoreFailed."""
        try:
            with (self.still if still else self.engine).connect() as connection:
                yield connection
        except DBAPIError as error:
            raise unread(error.orig, entry) from error

    @abstractmethod
    def append(self, units: Sequence[Unit]) -> list[AppendOutcome]:
        """See Store.append."""

    @abstractmethod
    def aside(self) -> AbstractContextManager[Connection]:
        """See Store.aside."""

    @abstractmethod
    def close(self) -> None:
        """See Store.close."""

    def last(self) -> tuple[int, bytes]:
        with self.reading() as connection:
            return last(connection)

    def heads(self) -> dict[str, int]:
        with self.reading() as connection:
            return heads(connection)

    def log(self, after: int = 0, upto: int | None = None) -> Iterator[Logged]:
        last = self.last()[0]
        end = last if upto is None else min(upto, last)
        before = self._hash_of(after)
        while after < end:
            page = self._rows(after, _LOG, {"after": after, "upto": end})
            rows = [LogRow(*row) for row in page]
            if not rows:
                raise Damaged(after + 1, "it is missing")
            for entry in follow(rows, seq=after, before=before):
                yield entry
                after, before = entry.seq, entry.hash

    def news(self, after: int, written: Mapping[int, bytes] = NOTHING) -> tuple[list[Logged], dict[str, bytes]]:
        """See Store.news. It makes as few queries as possible."""
        rows, secrets = self._from(after)
        before = GENESIS
        if after:
            if not rows or rows[0].seq != after:
                raise Damaged(after, "it is missing")
            before = rows.pop(0).hash
        return list(follow(rows, seq=after, before=before, written=written)), secrets

    def _from(self, first: int) -> tuple[list[LogRow], dict[str, bytes]]:
        """Return the entries from this one on, and the sealed seeds at the same moment."""
        with self.reading(still=True, entry=first + 1) as connection:
            return [LogRow(*row) for row in connection.execute(FROM, {"first": first})], sealed(connection)

    def stream(self, name: str, after: int = 0) -> Iterator[Logged]:
        while rows := self._rows(0, _STREAM, {"stream": name, "after": after}):
            for *row, before, version in rows:
                if row[1] is None:
                    raise Damaged(row[0], f"it is missing, and {name} at version {version} is in it")
                entry = LogRow(*row)
                yield checked(entry, GENESIS if entry.seq == 1 else before)
                after = version

    def answer(self, command_id: str) -> Repeated | None:
        rows = self._rows(0, _ANSWER, {"key": key(command_id)})
        known = answered(rows, {command_id}).get(command_id)
        return Repeated(known.seq, known.reply) if known else None

    def sealed(self) -> dict[str, bytes]:
        with self.reading() as connection:
            return sealed(connection)

    def snapshot(self, taken: Sequence[Snapshot]) -> None:
        with self.aside() as connection:
            for state in taken:
                newest = connection.execute(select(snapshot.c.seq).where(snapshot.c.stream == state.stream)).scalar()
                if newest is not None and newest > state.seq:
                    continue
                connection.execute(delete(snapshot).where(snapshot.c.stream == state.stream))
                connection.execute(
                    snapshot.insert().values(
                        stream=state.stream,
                        version=state.version,
                        seq=state.seq,
                        format=state.format,
                        body=zlib.compress(state.body, 1),
                    )
                )

    def snapshots(self) -> dict[str, Snapshot]:
        """Return the stored state of each stream, without those that cannot be read."""
        snapshots = {}
        with self.reading() as connection:
            for stream, version, seq, written_by, body in connection.execute(_SNAPSHOTS):
                try:
                    plain = zlib.decompress(body)
                except zlib.error:
                    continue
                snapshots[stream] = Snapshot(stream=stream, version=version, seq=seq, format=written_by, body=plain)
        return snapshots

    def summary(self, *, counted: bool = False) -> Summary:
        with self.reading(still=True) as connection:
            seq, tip = last(connection)
            rows = None
            if counted:
                rows = StoredRows(*(connection.execute(_count(table)).scalar_one() for table in (log, touch)))
            return Summary(seq=seq, hash=tip, heads=heads(connection), rows=rows)

    def indexed(
        self, ids: Sequence[str], touches: Sequence[Touch]
    ) -> tuple[Mapping[str, list[int]], Mapping[Touch, int]]:
        keys = {key(one): one for one in ids}
        commands: dict[str, list[int]] = {}
        versions: dict[str, list[int]] = {}
        for touched in touches:
            versions.setdefault(touched.stream, []).append(touched.version)
        entries: dict[Touch, int] = {}
        with self.reading() as connection:
            # Stream by stream: for pairs of values SQLite would read the whole table.
            for stream, numbers in versions.items():
                for version, seq in connection.execute(_TOUCHED, {"stream": stream, "versions": numbers}):
                    entries[Touch(stream, version)] = seq
            for number, seq in connection.execute(_KEYS, {"keys": list(keys)}):
                commands.setdefault(keys[number], []).append(seq)
        return commands, entries

    def _hash_of(self, seq: int) -> bytes:
        if seq == 0:
            return GENESIS
        rows = self._rows(seq, _HASH, {"seq": seq})
        if not rows:
            raise Damaged(seq, "it is missing")
        return bytes(rows[0][0])

    def _rows(self, after: int, statement: Select[Any], values: Mapping[str, object]) -> list[Any]:
        """Return all rows at once, so that no read stays open while they are used."""
        with self.reading(entry=after + 1) as connection:
            return list(connection.execute(statement, dict(values)))


def last(connection: Connection) -> tuple[int, bytes]:
    row = connection.execute(LAST).first()
    return (row[0], bytes(row[1])) if row else (0, GENESIS)


def heads(connection: Connection) -> dict[str, int]:
    return dict(connection.execute(HEADS).all())


def sealed(connection: Connection) -> dict[str, bytes]:
    return {name: bytes(secret) for name, secret in connection.execute(SEALED)}


def corrupt(error: BaseException | None) -> bool:
    """Return True if the database reports that its own files are damaged."""
    code = getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None) or ""
    return code.startswith(_CORRUPT)


def unread(error: BaseException | None, entry: int) -> Damaged | StoreFailed:
    """Return the error for an entry that could not be read: Damaged if the files are, otherwise StoreFailed."""
    if corrupt(error):
        return Damaged(entry, f"the database cannot read it ({error})")
    return StoreFailed(f"the database cannot be read: {error}")


def _count(table: Table) -> Select[Any]:
    return select(func.count()).select_from(table)
