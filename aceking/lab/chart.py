"""The strategy chart: kinds of hands against up-cards, the best decision in each, and the cost of the next best."""

import msgspec

from aceking.exact.strategy import chart as chart_of
from aceking.lab.question import LabQuestion, book_of

#: Rows that a page can show at once; the whole chart has about two hundred.
SHORT = 60
WHOLE = 200


class Cell(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How often each decision is the best, and what the next best costs, in antes; empty if there are no such hands."""

    best: dict[str, str] = {}
    margin: str | None = None


class LabChartRow(msgspec.Struct, frozen=True, kw_only=True):
    """Hands of one name."""

    name: str
    cells: tuple[Cell, ...]


class LabChart(msgspec.Struct, frozen=True, kw_only=True):
    """The best play as a picture."""

    says: str
    columns: tuple[str, ...]
    rows: tuple[LabChartRow, ...]


def chart(question: LabQuestion, *, whole: bool = False) -> LabChart:
    best_play = chart_of(book_of(question)[0], most=WHOLE if whole else SHORT)
    return LabChart(
        says=best_play.says,
        columns=best_play.columns,
        rows=tuple(
            LabChartRow(
                name=row.name,
                cells=tuple(
                    Cell(
                        best={name: str(share) for name, share in cell.items()},
                        margin=None if margin is None else str(margin),
                    )
                    for cell, margin in zip(row.cells, row.margins, strict=True)
                ),
            )
            for row in best_play.rows
        ),
    )
