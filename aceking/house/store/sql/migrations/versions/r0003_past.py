"""What past rounds are found by: a cache, worked out from the log from its first entry on."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Makes the tables; whoever runs the house fills them."""
    big = sa.BigInteger
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
