"""The log with its indexes, what lies apart, and the cache of states."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes the first tables."""
    big = sa.BigInteger
    op.create_table(
        "log",
        sa.Column("seq", big().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=False),
        sa.Column("at", big, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "touch",
        sa.Column("stream", sa.Text, primary_key=True),
        sa.Column("version", big, primary_key=True, autoincrement=False),
        sa.Column("seq", big, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "command",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("seq", big, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "head",
        sa.Column("stream", sa.Text, primary_key=True),
        sa.Column("version", big, nullable=False),
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
