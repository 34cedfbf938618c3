"""What a meter showed over time: every step that is no contribution, and enough of the contributions to draw a line.

It follows the stream of its meter from the first event, so many entries at a time, and keeps what it has read: the
second question reads only what is new.
"""

from collections.abc import Iterator
from itertools import islice
from threading import Lock

import msgspec

from aceking.house.floor.codec import read_event
from aceking.house.record import Part, read_unit
from aceking.house.store.protocol import Store
from aceking.meter import events as le
from aceking.meter.evolve import evolve
from aceking.meter.state import LinkState, display
from aceking.money.chips import shown

#: Points between the steps; when there are more, every second one goes.
_POINTS_MOST = 400
_STEPS_MOST = 200
#: Entries that one question reads.
TURN = 5_000

#: What a step of the value is called.
_STEPS: dict[type[le.Event], str] = {
    le.Configured: "configured",
    le.Locked: "award",
    le.TriggerReached: "award",
    le.Released: "released",
    le.Reseeded: "refilled",
    le.RoundVoided: "voided",
    le.Overflowed: "overflow",
    le.Adjusted: "adjusted",
    le.AwardUndone: "undone",
    le.Retired: "retired",
}


class Point(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the displays showed from this moment on; a step says what it is, and from what value it came."""

    at: int
    value: int
    step: str | None = None
    before: int = 0
    id: str = ""  # of the award


class PointView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A point, its amounts as texts."""

    at: int
    value: str
    step: str | None = None
    before: str | None = None
    id: str = ""


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The points in their order; `whole`: up to now."""

    points: tuple[PointView, ...]
    whole: bool


class MeterHistory:
    """The history of one meter, as far as it was read."""

    def __init__(self, store: Store, meter: str) -> None:
        self._store = store
        self._stream = f"meter/{meter}"
        self._state = LinkState()
        self._version = 0
        self._points: list[Point] = []
        self._lock = Lock()

    def read(self, *, head: int, decimals: int, most: int = TURN) -> History:
        """Reads on to a version of the stream, no more than so many entries."""
        with self._lock:
            for at, part in islice(self._parts(), most):
                for raw in part.events:
                    self._take(at, read_event(self._stream, raw))
                self._version = part.version
                if self._version >= head:
                    break
            return History(points=tuple(_view(one, decimals) for one in self._points), whole=self._version >= head)

    def _parts(self) -> Iterator[tuple[int, Part]]:
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
        self._points.append(Point(at=at, value=value, step=step, before=before, id=getattr(event, "id", "")))
        self._thin()

    def _thin(self) -> None:
        """Of the contributions every second one, but never the newest; of the steps the newest."""
        plain = [place for place, one in enumerate(self._points) if one.step is None]
        steps = [place for place, one in enumerate(self._points) if one.step is not None]
        gone = set(plain[1:-1:2]) if len(plain) > _POINTS_MOST else set[int]()
        gone |= set(steps[:-_STEPS_MOST])
        if gone:
            self._points = [one for place, one in enumerate(self._points) if place not in gone]


def _view(one: Point, decimals: int) -> PointView:
    return PointView(
        at=one.at,
        value=shown(one.value, decimals=decimals),
        step=one.step,
        before=None if one.step is None else shown(one.before, decimals=decimals),
        id=one.id,
    )
