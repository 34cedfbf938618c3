"""The streams that a decision rests on: if one of them has moved before it is written, it is decided again.

A unit says itself which streams it moves. What it only looked at would else be taken as it was: a refusal, which moves
nothing, an act of somebody who has just been barred, a day closed without the round that ended meanwhile.
"""

from typing import Any

import msgspec

from aceking.house.floor import requests as w
from aceking.house.floor.states import Floor

_OF_CAGE = frozenset({w.BuyIn, w.CashOut, w.Deposit, w.Withdraw, w.Fill, w.PutFloat, w.Approve, w.OnMeter})
_READ: "msgspec.json.Decoder[w.Fill | w.PutFloat | w.OnMeter]" = msgspec.json.Decoder(w.Fill | w.PutFloat | w.OnMeter)


def rests_on(floor: Floor, wish: Any) -> set[str]:
    """Who may ask, which books there are, and the table, meter and money that the wish is about."""
    if isinstance(wish, w.CloseDay):
        return {*floor.versions, "house", "people"}
    found = {"house", "people"}
    if type(wish) in _OF_CAGE:
        found.add("cage")
    if isinstance(wish, w.Approve) and wish.number in floor.cage.waiting:
        found |= rests_on(floor, _READ.decode(floor.cage.waiting[wish.number].what))
    table, meter = getattr(wish, "table", None), getattr(wish, "meter", None)
    if isinstance(wish, w.OnMeter) and isinstance(named := wish.act.get("table"), str) and named in floor.tables:
        found.add(f"table/{named}")  # its round may wait for a signature on the meter
    if table is not None:
        found.add(f"table/{table}")
        one = floor.tables.get(table)
        if one is not None:
            meter = one.posted.meter
            found.update([f"meter/{name}" for name in one.posted.must_hit])
    if meter is not None:
        found.add(f"meter/{meter}")
    return found
