"""Decode the events of the log by kind of stream, and apply units to the floor."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from aceking.house.floor import events as hp
from aceking.house.floor.states import (
    Cage,
    Floor,
    FloorTable,
    HouseState,
    People,
    cage_after,
    house_after,
    people_after,
    table_after,
)
from aceking.house.record import Unit
from aceking.meter.events import AnyEvent
from aceking.meter.evolve import evolve as meter_after
from aceking.meter.state import MeterState
from aceking.table.event import TableEvent


@cache
def _decoder(kind: str) -> "msgspec.json.Decoder[Any]":
    kinds: dict[str, Any] = {
        "table": TableEvent | hp.OfTable,
        "meter": AnyEvent,
        "cage": hp.OfCage,
        "people": hp.OfPeople,
        "house": hp.OfHouse,
    }
    return msgspec.json.Decoder(kinds[kind])


def read_event(stream: str, event: msgspec.Raw) -> Any:
    return _decoder(stream.partition("/")[0]).decode(event)


def read_events(unit: Unit) -> dict[str, list[Any]]:
    """Return the events of a unit, by stream."""
    events = {}
    for part in unit.parts:
        read = _decoder(part.stream.partition("/")[0]).decode
        events[part.stream] = [read(one) for one in part.events]
    return events


def after_unit(floor: Floor, unit: Unit) -> Floor:
    floor = replace(floor, moment=max(floor.moment, unit.at))
    for stream, events in read_events(unit).items():
        floor = after_events(floor, stream, events, at=unit.at)
    return floor


def after_events(floor: Floor, stream: str, events: Sequence[Any], *, at: int) -> Floor:
    """Return the floor after events of one stream in a unit of this time."""
    state = state_of(floor, stream)
    if isinstance(state, FloorTable):  # the usual case
        for event in events:
            state = table_after(state, event, at)
    else:
        for event in events:
            state = state_after(stream, state, event, at=at)
    return with_state(floor, stream, state, events=len(events))


def with_streams(floor: Floor, after: Floor, unit: Unit) -> Floor:
    """Return `floor` with the states of the unit's streams taken from `after`."""
    floor = replace(floor, moment=max(floor.moment, unit.at))
    for part in unit.parts:
        floor = with_state(floor, part.stream, state_of(after, part.stream), events=len(part.events))
    return floor


def after_event(floor: Floor, stream: str, event: Any, *, at: int) -> Floor:
    """Return the floor after one event of a unit of this time."""
    return after_events(floor, stream, (event,), at=at)


#: The state of one stream; None for a table that is not set up yet.
State = FloorTable | MeterState | Cage | People | HouseState | None


def state_of(floor: Floor, stream: str) -> State:
    kind, _, name = stream.partition("/")
    match kind:
        case "table":
            return floor.tables.get(name)
        case "meter":
            return floor.meters.get(name) or MeterState()
        case "cage":
            return floor.cage
        case "people":
            return floor.people
        case "house":
            return floor.house
        case _:
            raise AssertionError(f"there is no stream {stream}")


def state_after(stream: str, state: State, event: Any, *, at: int) -> State:
    """Return the state of a stream after one event of a unit of this time."""
    match state:
        case FloorTable():
            return table_after(state, event, at)
        case None:
            assert stream.startswith("table/"), "only a table is nothing before it is set"
            return table_after(None, event, at)
        case MeterState():
            return meter_after(state, event)
        case Cage():
            return cage_after(state, event)
        case People():
            return people_after(state, event)
        case HouseState():
            return house_after(state, event)


def with_state(floor: Floor, stream: str, state: State, *, events: int) -> Floor:
    """Return the floor with a new state of one stream, whose version grows by the number of events."""
    versions = {**floor.versions, stream: floor.versions.get(stream, 0) + events}
    match state:
        case FloorTable():
            return replace(floor, tables={**floor.tables, stream.partition("/")[2]: state}, versions=versions)
        case MeterState():
            return replace(floor, meters={**floor.meters, stream.partition("/")[2]: state}, versions=versions)
        case Cage():
            return replace(floor, cage=state, versions=versions)
        case People():
            return replace(floor, people=state, versions=versions)
        case HouseState():
            return replace(floor, house=state, versions=versions)
        case None:
            return floor
