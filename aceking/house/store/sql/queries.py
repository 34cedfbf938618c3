"""What both databases have in common: how the tables are read, and what lies apart is written."""

import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, Select, Table, bindparam, delete, func, select
from sqlalchemy.exc import DBAPIError

from aceking.house.record import GENESIS, Unit
from aceking.house.store.batch import answered, key
from aceking.house.store.chain import NOTHING, Row, checked, follow
from aceking.house.store.errors import Damaged, StoreFailed
from aceking.house.store.protocol import Logged, Outcome, Repeated, Rows, Snapshot, Summary, Touch
from aceking.house.store.sql.tables import head, log, seal, snapshot, touch

#: Entries that are read at once: short reads, so that SQLite's write-ahead log can be taken in.
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


#: SQLite's words for a file that is not what it wrote, and PostgreSQL's.
_CORRUPT = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002")


class SqlStore(ABC):
    """The reading half of a store in a database; the writing half is each database's own."""

    def __init__(self, engine: Engine, *, still: Engine) -> None:
        self.engine = engine
        self.still = still  # its transactions see one moment

    @contextmanager
    def reading(self, *, still: bool = False, entry: int = 0) -> Iterator[Connection]:
        """A short read. Where the database finds its own files corrupt, the entry that was wanted is damaged."""
        try:
            with (self.still if still else self.engine).connect() as connection:
                yield connection
        except DBAPIError as error:
            raise unread(error.orig, entry) from error

    @abstractmethod
    def append(self, units: Sequence[Unit]) -> list[Outcome]:
        """One transaction for all of them."""

    @abstractmethod
    def aside(self) -> AbstractContextManager[Connection]:
        """A transaction that writes what lies apart."""

    @abstractmethod
    def close(self) -> None:
        """Lets go of files and connections."""

    def last(self) -> tuple[int, bytes]:
        """The newest entry's number and hash."""
        with self.reading() as connection:
            return last(connection)

    def heads(self) -> dict[str, int]:
        """The version of every stream."""
        with self.reading() as connection:
            return heads(connection)

    def log(self, after: int = 0, upto: int | None = None) -> Iterator[Logged]:
        """Entries in their order, each checked against the hash before it."""
        last = self.last()[0]
        end = last if upto is None else min(upto, last)
        before = self._hash_of(after)
        while after < end:
            page = self._rows(after, _LOG, {"after": after, "upto": end})
            rows = [Row(*row) for row in page]
            if not rows:
                raise Damaged(after + 1, "it is missing")
            for entry in follow(rows, seq=after, before=before):
                yield entry
                after, before = entry.seq, entry.hash

    def news(self, after: int, written: Mapping[int, bytes] = NOTHING) -> tuple[list[Logged], dict[str, bytes]]:
        """Every entry after this one, and the secrets at the same moment, in as few questions as can be."""
        rows, secrets = self._from(after)
        before = GENESIS
        if after:
            if not rows or rows[0].seq != after:
                raise Damaged(after, "it is missing")
            before = rows.pop(0).hash
        return list(follow(rows, seq=after, before=before, written=written)), secrets

    def _from(self, first: int) -> tuple[list[Row], dict[str, bytes]]:
        """The entries from this one on, and the secrets at the same moment."""
        with self.reading(still=True, entry=first + 1) as connection:
            return [Row(*row) for row in connection.execute(FROM, {"first": first})], sealed(connection)

    def stream(self, name: str, after: int = 0) -> Iterator[Logged]:
        """The entries that touch a stream, from the first that brings it beyond a version."""
        while rows := self._rows(0, _STREAM, {"stream": name, "after": after}):
            for *row, before, version in rows:
                if row[1] is None:
                    raise Damaged(row[0], f"it is missing, and {name} at version {version} is in it")
                entry = Row(*row)
                yield checked(entry, GENESIS if entry.seq == 1 else before)
                after = version

    def answer(self, command_id: str) -> Repeated | None:
        """What a command was told, if it was written."""
        rows = self._rows(0, _ANSWER, {"key": key(command_id)})
        found = answered(rows, {command_id}).get(command_id)
        return Repeated(found.seq, found.reply) if found else None

    def sealed(self) -> dict[str, bytes]:
        """The secrets that lie apart."""
        with self.reading() as connection:
            return sealed(connection)

    def snapshot(self, taken: Sequence[Snapshot]) -> None:
        """Keeps states, the newest of each stream."""
        with self.aside() as connection:
            for one in taken:
                kept = connection.execute(select(snapshot.c.seq).where(snapshot.c.stream == one.stream)).scalar()
                if kept is not None and kept > one.seq:
                    continue
                connection.execute(delete(snapshot).where(snapshot.c.stream == one.stream))
                connection.execute(
                    snapshot.insert().values(
                        stream=one.stream,
                        version=one.version,
                        seq=one.seq,
                        format=one.format,
                        body=zlib.compress(one.body, 1),
                    )
                )

    def snapshots(self) -> dict[str, Snapshot]:
        """The state kept of each stream. One that cannot be read is as good as none."""
        found = {}
        with self.reading() as connection:
            for stream, version, seq, made, body in connection.execute(_SNAPSHOTS):
                try:
                    plain = zlib.decompress(body)
                except zlib.error:
                    continue
                found[stream] = Snapshot(stream=stream, version=version, seq=seq, format=made, body=plain)
        return found

    def forget_snapshots(self) -> None:
        """Drops them all."""
        with self.aside() as connection:
            connection.execute(delete(snapshot))

    def summary(self, *, counted: bool = False) -> Summary:
        """What the tables say of themselves, at one moment."""
        with self.reading(still=True) as connection:
            seq, tip = last(connection)
            rows = None
            if counted:
                rows = Rows(*(connection.execute(_count(table)).scalar_one() for table in (log, touch)))
            return Summary(seq=seq, hash=tip, heads=heads(connection), rows=rows)

    def indexed(
        self, ids: Sequence[str], touches: Sequence[Touch]
    ) -> tuple[Mapping[str, list[int]], Mapping[Touch, int]]:
        """To which entries the indexes lead."""
        keys = {key(one): one for one in ids}
        commands: dict[str, list[int]] = {}
        versions: dict[str, list[int]] = {}
        for one in touches:
            versions.setdefault(one.stream, []).append(one.version)
        found: dict[Touch, int] = {}
        with self.reading() as connection:
            # Stream by stream: for pairs of values SQLite would read the whole table.
            for stream, some in versions.items():
                for version, seq in connection.execute(_TOUCHED, {"stream": stream, "versions": some}):
                    found[Touch(stream, version)] = seq
            for one, seq in connection.execute(_KEYS, {"keys": list(keys)}):
                commands.setdefault(keys[one], []).append(seq)
        return commands, found

    def _hash_of(self, seq: int) -> bytes:
        if seq == 0:
            return GENESIS
        rows = self._rows(seq, _HASH, {"seq": seq})
        if not rows:
            raise Damaged(seq, "it is missing")
        return bytes(rows[0][0])

    def _rows(self, after: int, statement: Select[Any], values: Mapping[str, object]) -> list[Any]:
        """All rows at once, so that no read stays open while they are worked on."""
        with self.reading(entry=after + 1) as connection:
            return list(connection.execute(statement, dict(values)))


def last(connection: Connection) -> tuple[int, bytes]:
    """The newest entry's number and hash."""
    row = connection.execute(LAST).first()
    return (row[0], bytes(row[1])) if row else (0, GENESIS)


def heads(connection: Connection) -> dict[str, int]:
    """The version of every stream."""
    return dict(connection.execute(HEADS).all())


def sealed(connection: Connection) -> dict[str, bytes]:
    """The secrets that lie apart."""
    return {name: bytes(secret) for name, secret in connection.execute(SEALED)}


def corrupt(error: BaseException | None) -> bool:
    """Whether the database says that its own files are damaged."""
    word = getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None) or ""
    return word.startswith(_CORRUPT)


def unread(error: BaseException | None, entry: int) -> Damaged | StoreFailed:
    """What it means that an entry could not be read."""
    if corrupt(error):
        return Damaged(entry, f"the database cannot read it ({error})")
    return StoreFailed(f"the database cannot be read: {error}")


def _count(table: Table) -> Select[Any]:
    return select(func.count()).select_from(table)
