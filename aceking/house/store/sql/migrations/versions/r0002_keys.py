"""Smaller indexes: a command is found in the log itself by a key of 64 bits, and a stream has a number.

The entries stay as they are, byte for byte. All of them are read on the way: a log that is damaged is refused here, and
then nothing was changed.
"""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa
from alembic import op

from aceking.house.record import GENESIS, Unreadable, read_unit
from aceking.house.store.batch import key, touches
from aceking.house.store.chain import Row, follow
from aceking.house.store.errors import Damaged

revision = "0002"
down_revision = "0001"

_AT_ONCE = 1000


def upgrade() -> None:
    """The new tables, worked out from the log and held against the old ones."""
    connection = op.get_bind()
    for name in ("log", "touch", "head"):
        op.rename_table(name, f"{name}_1")
    log, touch, head = _tables()
    heads: dict[str, int] = {}
    numbers: dict[str, int] = {}
    entries = moves = 0
    for rows, before in _pages(connection):
        keyed, moved = [], []
        for row, entry in zip(rows, follow(rows, seq=rows[0].seq - 1, before=before), strict=True):
            try:
                unit = read_unit(entry.body)
            except Unreadable as error:
                raise Damaged(entry.seq, f"it {error}") from None
            keyed.append({**row._asdict(), "key": key(unit.id)})
            for one in touches(unit.parts):
                number = numbers.setdefault(one.stream, len(numbers) + 1)
                moved.append({"stream": number, "version": one.version, "seq": entry.seq})
                heads[one.stream] = one.version
        op.bulk_insert(log, keyed)
        op.bulk_insert(touch, moved)
        entries, moves = rows[-1].seq, moves + len(moved)
    _same(connection, heads, entries=entries, moves=moves)
    op.bulk_insert(head, [{"stream": one, "version": heads[one], "number": numbers[one]} for one in heads])
    for name in ("log_1", "touch_1", "head_1", "command"):
        op.drop_table(name)
    op.create_index("log_key", "log", ["key"])


def _tables() -> tuple[sa.Table, ...]:
    log = op.create_table(
        "log",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("key", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="log_seq"),
    )
    touch = op.create_table(
        "touch",
        sa.Column("stream", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("stream", "version", name="touch_version"),
        sqlite_with_rowid=False,
    )
    head = op.create_table(
        "head",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("stream", name="head_stream"),
        sa.UniqueConstraint("number", name="head_number"),
        sqlite_with_rowid=False,
    )
    return log, touch, head


def _pages(connection: sa.Connection) -> Iterator[tuple[Sequence[Row], bytes]]:
    """The old entries, some at once, each time with the hash before them."""
    page = sa.text("SELECT seq, at, body, hash FROM log_1 WHERE seq > :after ORDER BY seq LIMIT :most")
    after, before = 0, GENESIS
    while rows := [Row(*row) for row in connection.execute(page, {"after": after, "most": _AT_ONCE})]:
        if rows[0].seq != after + 1:
            raise Damaged(after + 1, f"it is missing; the next is {rows[0].seq}")
        yield rows, before
        after, before = rows[-1].seq, rows[-1].hash


def _same(connection: sa.Connection, heads: dict[str, int], *, entries: int, moves: int) -> None:
    """The old indexes said the same."""
    old: dict[str, int] = dict(connection.execute(sa.text("SELECT stream, version FROM head_1")).all())
    for stream in sorted(old.keys() | heads.keys()):
        if old.get(stream) != heads.get(stream):
            raise Damaged(
                entries,
                f"the head of {stream} is {old.get(stream, 0)}, and the log brings it to {heads.get(stream, 0)}",
            )
    for name, wanted in (("touch_1", moves), ("command", entries)):
        found = connection.execute(sa.text(f"SELECT count(*) FROM {name}")).scalar_one()
        if found != wanted:
            raise Damaged(entries, f"{name.removesuffix('_1')} has {found} rows where the log makes {wanted}")
