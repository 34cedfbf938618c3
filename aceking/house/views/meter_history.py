"""The value of a meter over time: every step, and enough of the contributions to draw a line.

It reads the stream of its meter from the first event, `TURN` entries at a time, and keeps the result, so that the
next call reads only new entries.
"""

from collections.abc import Iterator
from itertools import islice
from threading import Lock

import msgspec

from aceking.house.floor.codec import read_event
from aceking.house.record import StreamPart, read_unit
from aceking.house.store.protocol import Store
from aceking.meter import events as le
from aceking.meter.evolve import evolve
from aceking.meter.state import MeterState, display
from aceking.money.chips import shown

#: Contributions kept; above this number every second one is dropped.
_POINTS_MOST = 400
_STEPS_MOST = 200
#: Entries per call.
TURN = 5_000

#: The name of each step of the value.
_STEPS: dict[type[le.MeterEvent], str] = {
    le.Configured: "configured",
    le.Locked: "award",
    le.TriggerReached: "award",
    le.Released: "released",
    le.Reseeded: "refilled",
    le.MeterRoundVoided: "voided",
    le.Overflowed: "overflow",
    le.Adjusted: "adjusted",
    le.AwardUndone: "undone",
    le.Retired: "retired",
}


class HistoryPoint(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The displayed value from this time on; a step has its name and the value before."""

    at: int
    value: int
    step: str | None = None
    before: int = 0
    id: str = ""  # of the award


class PointView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A point with its amounts as text."""

    at: int
    value: str
    step: str | None = None
    before: str | None = None
    id: str = ""


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The points in order; `whole` is True if they reach the newest entry."""

    points: tuple[PointView, ...]
    whole: bool


class MeterHistory:
    """The history of one meter, up to the entries read so far."""

    def __init__(self, store: Store, meter: str) -> None:
        self._store = store
        self._stream = f"meter/{meter}"
        self._state = MeterState()
        self._version = 0
        self._points: list[HistoryPoint] = []
        self._lock = Lock()

    def read(self, *, head: int, decimals: int, most: int = TURN) -> History:
        """Read on towards a version of the stream, at most `most` entries, and return the history."""
        with self._lock:
            for at, part in islice(self._parts(), most):
                for raw in part.events:
                    self._take(at, read_event(self._stream, raw))
                self._version = part.version
                if self._version >= head:
                    break
            return History(points=tuple(_view(one, decimals) for one in self._points), whole=self._version >= head)

    def _parts(self) -> Iterator[tuple[int, StreamPart]]:
        for entry in self._store.stream(self._stream, self._version):
            unit = read_unit(entry.body)
            yield unit.at, next(part for part in unit.parts if part.stream == self._stream)

    def _take(self, at: int, event: le.AnyEvent) -> None:
        before = display(self._state)
        self._state = evolve(self._state, event)
        value = display(self._state)
        if value == before:
            return
        step = _STEPS.get(type(event))
        self._points.append(HistoryPoint(at=at, value=value, step=step, before=before, id=getattr(event, "id", "")))
        self._thin()

    def _thin(self) -> None:
        """Drop every second contribution except the newest, and the oldest steps."""
        plain = [place for place, one in enumerate(self._points) if one.step is None]
        steps = [place for place, one in enumerate(self._points) if one.step is not None]
        dropped = set(plain[1:-1:2]) if len(plain) > _POINTS_MOST else set[int]()
        dropped |= set(steps[:-_STEPS_MOST])
        if dropped:
            self._points = [one for place, one in enumerate(self._points) if place not in dropped]


def _view(point: HistoryPoint, decimals: int) -> PointView:
    return PointView(
        at=point.at,
        value=shown(point.value, decimals=decimals),
        step=point.step,
        before=None if point.step is None else shown(point.before, decimals=decimals),
        id=point.id,
    )
