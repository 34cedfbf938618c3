"""The tables. `log` is the truth; `touch` and `head` are its indexes; the rest is stored outside the log or is a
cache.

`past_round`, `past_hand` and `past_upto` are a cache too: they find past rounds, and are computed from the log.
"""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, MetaData, Table, Text, UniqueConstraint

#: The newest migration.
REVISION = "0001"

metadata = MetaData()

log = Table(
    "log",
    metadata,
    # SQLite stores rows in the order of an INTEGER key.
    Column("seq", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    # The key of the command's id (batch.py); the id itself is in the body.
    Column("key", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Index("log_key", "key"),
)

touch = Table(
    "touch",
    metadata,
    Column("stream", Integer, primary_key=True, autoincrement=False),  # its number in `head`
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

head = Table(
    "head",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("number", Integer, nullable=False),
    UniqueConstraint("number", name="head_number"),
    sqlite_with_rowid=False,
)

seal = Table(
    "seal",
    metadata,
    Column("name", Text, primary_key=True),
    Column("secret", LargeBinary, nullable=False),
)

snapshot = Table(
    "snapshot",
    metadata,
    Column("stream", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("format", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

credential = Table(
    "credential",
    metadata,
    Column("person", Text, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("locked_until", BigInteger, nullable=False),
)

session = Table(
    "session",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("person", Text, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("ends", BigInteger, nullable=False),
)

past_round = Table(
    "past_round",
    metadata,
    # The number of the entry that ended it * 1000 + its position among that entry's rounds.
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("table", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("began", BigInteger, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("first", BigInteger, nullable=False),
    Column("after", BigInteger, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("decimals", Integer, nullable=False),
    Column("void", Boolean, nullable=False),
    Index("past_round_number", "table", "number", unique=True),
)

past_hand = Table(
    "past_hand",
    metadata,
    Column("round", BigInteger, primary_key=True, autoincrement=False),
    Column("box", Integer, primary_key=True, autoincrement=False),  # 0 is the dealer
    Column("player", Text, nullable=False),
    Column("stake", BigInteger, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("hand", Integer),
    Column("cards", BigInteger, nullable=False),  # a bit for each
    Index("past_hand_player", "player", "round"),
    sqlite_with_rowid=False,
)

past_upto = Table("past_upto", metadata, Column("seq", BigInteger, primary_key=True, autoincrement=False))
