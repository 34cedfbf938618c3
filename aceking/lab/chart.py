"""The strategy chart: kinds of hands against up-cards, what is best in each cell, and what the next best would cost."""

import msgspec

from aceking.exact.strategy import chart as chart_of
from aceking.lab.question import Asked, book_of

#: Rows that a page can show at once; the whole chart has some two hundred.
SHORT = 60
WHOLE = 200


class Cell(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How often each decision is the best, and what the next best costs, in antes; nothing: there are no such hands."""

    best: dict[str, str] = {}
    margin: str | None = None


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """Hands of one name."""

    name: str
    cells: tuple[Cell, ...]


class Chart(msgspec.Struct, frozen=True, kw_only=True):
    """The best play as a picture."""

    says: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def chart(asked: Asked, *, whole: bool = False) -> Chart:
    """The chart of the book that is asked for."""
    found = chart_of(book_of(asked)[0], most=WHOLE if whole else SHORT)
    return Chart(
        says=found.says,
        columns=found.columns,
        rows=tuple(
            Row(
                name=row.name,
                cells=tuple(
                    Cell(
                        best={name: str(share) for name, share in cell.items()},
                        margin=None if margin is None else str(margin),
                    )
                    for cell, margin in zip(row.cells, row.margins, strict=True)
                ),
            )
            for row in found.rows
        ),
    )
