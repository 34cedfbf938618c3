"""Events of earlier formats, read as if they had been written today.

A step turns an event of one format into the same event of the next: one for one, so that versions stay what they were.
The log itself is never rewritten, and its hashes are over what was stored.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

#: The format in which units are written.
FORMAT = 1
#: The keys that say what an event is: a table's, a meter's.
TAG_FIELDS = ("is", "event")

RawEvent = dict[str, Any]
Upcast = Callable[[RawEvent], RawEvent]


class PastFormat(NamedTuple):
    """The earlier formats: (format, kind of stream, tag of the event) to the step out of that format."""

    oldest: int
    steps: Mapping[tuple[int, str, str], Upcast]


#: There is no earlier format. `tests/house/store/test_record.py` has an example of steps out of one.
PAST = PastFormat(oldest=FORMAT, steps={})


def kind(stream: str) -> str:
    """Return the kind of a stream, e.g. `table` of `table/7`."""
    return stream.partition("/")[0]


def upcast(stored: msgspec.Raw, *, stream: str, written_in: int, past: PastFormat) -> msgspec.Raw:
    """Return an event as today's format has it, byte for byte if no step leads out of its format."""
    if all(number < written_in for number, _, _ in past.steps):
        return stored
    event: RawEvent = msgspec.json.decode(stored)
    for number in range(written_in, FORMAT):
        step = past.steps.get((number, kind(stream), _tag(event)))
        event = step(event) if step else event
    return msgspec.Raw(msgspec.json.encode(event, order="deterministic"))


def _tag(event: RawEvent) -> str:
    return next((str(event[field]) for field in TAG_FIELDS if field in event), "")
