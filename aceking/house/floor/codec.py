"""Events as the log has them: the decoders of each kind of stream, and the floor after a unit of the log."""

from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from aceking.house.floor import happened as hp
from aceking.house.floor.states import Floor, cage_after, house_after, people_after, table_after
from aceking.house.record import Unit
from aceking.link.events import AnyEvent
from aceking.link.evolve import evolve as link_after
from aceking.link.state import LinkState
from aceking.table.event import Event


@cache
def _decoder(kind: str) -> "msgspec.json.Decoder[Any]":
    kinds: dict[str, Any] = {
        "table": Event | hp.OfTable,
        "meter": AnyEvent,
        "cage": hp.OfCage,
        "people": hp.OfPeople,
        "house": hp.OfHouse,
    }
    return msgspec.json.Decoder(kinds[kind])


def read_event(stream: str, event: msgspec.Raw) -> Any:
    """An event of a stream from its bytes."""
    return _decoder(stream.partition("/")[0]).decode(event)


def read_events(unit: Unit) -> dict[str, list[Any]]:
    """The events of a unit by their streams."""
    return {part.stream: [read_event(part.stream, one) for one in part.events] for part in unit.parts}


def after_unit(floor: Floor, unit: Unit) -> Floor:
    """The floor after a unit of the log."""
    floor = replace(floor, moment=max(floor.moment, unit.at))
    for stream, events in read_events(unit).items():
        for event in events:
            floor = after_event(floor, stream, event, at=unit.at)
    return floor


def after_event(floor: Floor, stream: str, event: Any, *, at: int) -> Floor:
    """The floor after one event of a unit of this moment."""
    kind, _, name = stream.partition("/")
    versions = {**floor.versions, stream: floor.versions.get(stream, 0) + 1}
    match kind:
        case "table":
            one = table_after(floor.tables.get(name), event, at)
            return replace(floor, tables={**floor.tables, name: one}, versions=versions)
        case "meter":
            meter = link_after(floor.meters.get(name, LinkState()), event)
            return replace(floor, meters={**floor.meters, name: meter}, versions=versions)
        case "cage":
            return replace(floor, cage=cage_after(floor.cage, event), versions=versions)
        case "people":
            return replace(floor, people=people_after(floor.people, event), versions=versions)
        case "house":
            return replace(floor, house=house_after(floor.house, event), versions=versions)
        case _:
            raise AssertionError(f"there is no stream {stream}")
