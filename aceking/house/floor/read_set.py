"""The streams that a decision rests on. If one of them moves before the unit is written, the request is decided
again.

A unit names the streams that it moves. This adds those that it only read: for a refusal, which moves nothing, for an
act of a person who was just barred, for a day closed while a round ended.
"""

from typing import Any

import msgspec

from aceking.house.floor import requests as w
from aceking.house.floor.states import Floor

_OF_CAGE = frozenset({w.BuyIn, w.CashOut, w.Deposit, w.Withdraw, w.Fill, w.PutFloat, w.Approve, w.OnMeter})
_READ: "msgspec.json.Decoder[w.Fill | w.PutFloat | w.OnMeter]" = msgspec.json.Decoder(w.Fill | w.PutFloat | w.OnMeter)


def rests_on(floor: Floor, request: Any) -> set[str]:
    """Return the streams of people, books, table, meter and money that the request is about."""
    if isinstance(request, w.CloseDay):
        return {*floor.versions, "house", "people"}
    streams = {"house", "people"}
    if type(request) in _OF_CAGE:
        streams.add("cage")
    if isinstance(request, w.Approve) and request.number in floor.cage.waiting:
        streams |= rests_on(floor, _READ.decode(floor.cage.waiting[request.number].what))
    table, meter = getattr(request, "table", None), getattr(request, "meter", None)
    if isinstance(request, w.OnMeter) and isinstance(named := request.act.get("table"), str) and named in floor.tables:
        streams.add(f"table/{named}")  # its round may wait for a signature on the meter
    if table is not None:
        streams.add(f"table/{table}")
        state = floor.tables.get(table)
        if state is not None:
            meter = state.posted.meter
            streams.update([f"meter/{name}" for name in state.posted.must_hit])
    if meter is not None:
        streams.add(f"meter/{meter}")
    return streams
