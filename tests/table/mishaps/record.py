"""What the record says of a report: it speaks against it, or bears out what it can show.

Each check is asked of two moments that differ in one thing. What the record shows by itself is borne out whichever
role says it; of other mishaps it can only say that they cannot have been.
"""

from typing import Any

from aceking.rules.words import Mishap
from aceking.table.commands import Report
from aceking.table.mishaps.evidence import is_confirmed, refuted
from aceking.table.moment import Moment

#: What the record shows by itself: hands, looks, chips and lights.
SHOWN: frozenset[Mishap] = frozenset(
    {
        *("player-miscount", "dealer-miscount", "community-miscount", "skipped-box", "empty-box-dealt", "misdeal"),
        *("missed-burn", "second-look", "early-pick-up", "major-hand-undeclared", "over-maximum", "under-minimum"),
        *("bet-over", "bet-under", "side-bet-without-ante", "unlit-chip"),
    }
)
NOTHING_DEALT = "no card has been dealt"
NO_BOX = "no such box is in the round"


def says(now: Moment, mishap: Mishap, *named: int, **more: Any) -> str | None:
    """What the record has against a report; where it has nothing, it bears out what it can show."""
    report = Report(mishap=mishap, boxes=named, **more)
    against = refuted(now.book, now.table, now.shoe, report)
    shown = mishap in SHOWN and now.table.round is not None and against is None
    assert is_confirmed(now.book, now.table, now.shoe, report) is shown
    return against
