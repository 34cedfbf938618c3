"""The log with its indexes, what is stored outside the log, and the caches."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    big = sa.BigInteger
    op.create_table(
        "log",
        sa.Column("seq", big().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=False),
        sa.Column("at", big, nullable=False),
        sa.Column("key", big, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
    )
    op.create_index("log_key", "log", ["key"])
    op.create_table(
        "touch",
        sa.Column("stream", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("version", big, primary_key=True, autoincrement=False),
        sa.Column("seq", big, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "head",
        sa.Column("stream", sa.Text, primary_key=True),
        sa.Column("version", big, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.UniqueConstraint("number", name="head_number"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seal",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("secret", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "snapshot",
        sa.Column("stream", sa.Text, primary_key=True),
        sa.Column("version", big, nullable=False),
        sa.Column("seq", big, nullable=False),
        sa.Column("format", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "credential",
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("locked_until", big, nullable=False),
    )
    op.create_table(
        "session",
        sa.Column("token_hash", sa.LargeBinary, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("made", big, nullable=False),
        sa.Column("seen", big, nullable=False),
        sa.Column("ends", big, nullable=False),
    )
    op.create_table(
        "past_round",
        sa.Column("id", big().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=False),
        sa.Column("table", sa.Text, nullable=False),
        sa.Column("number", big, nullable=False),
        sa.Column("began", big, nullable=False),
        sa.Column("ended", big, nullable=False),
        sa.Column("first", big, nullable=False),
        sa.Column("after", big, nullable=False),
        sa.Column("version", big, nullable=False),
        sa.Column("decimals", sa.Integer, nullable=False),
        sa.Column("void", sa.Boolean, nullable=False),
    )
    op.create_index("past_round_number", "past_round", ["table", "number"], unique=True)
    op.create_table(
        "past_hand",
        sa.Column("round", big, primary_key=True, autoincrement=False),
        sa.Column("box", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("stake", big, nullable=False),
        sa.Column("net", big, nullable=False),
        sa.Column("hand", sa.Integer),
        sa.Column("cards", big, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("past_hand_player", "past_hand", ["player", "round"])
    op.create_table("past_upto", sa.Column("seq", big, primary_key=True, autoincrement=False))
