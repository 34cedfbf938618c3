"""Close a gaming day with the totals of every table, and sign the chain up to it."""

from datetime import UTC, date, datetime, timedelta

import msgspec

from aceking.house.floor import events as hp
from aceking.house.floor import ledger
from aceking.house.floor import requests as w
from aceking.house.floor.draft import Draft
from aceking.house.floor.refusals import house_refusal
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import said


def close(draft: Draft, sender: w.Sender, request: w.CloseDay) -> Refusal | None:
    """Close a day, once and in order, at most one day ahead of UTC. A round in progress belongs to the next day."""
    try:
        day = date.fromisoformat(request.day)
    except ValueError:
        return house_refusal("input", said("{day} is not a date", day=repr(request.day)))
    last = max(draft.floor.house.days, default="")
    if request.day <= last:
        return house_refusal("day", said("{last} is closed; a day is closed once, in order", last=last))
    # +1: east of UTC the day may have begun.
    if day > datetime.fromtimestamp(draft.at / 1000, UTC).date() + timedelta(days=1):
        return house_refusal("day", said("{day} has not begun", day=request.day))
    tables = {name: state.totals for name, state in sorted(draft.floor.tables.items())}
    win = {name: ledger.win(draft.floor.tables[name]) for name in tables}
    meters = {name: _liability(draft, name) for name in sorted(draft.floor.meters)}
    draft.add("house", hp.DayClosed(day=request.day, by=sender.name, tables=tables, win=win, meters=meters))
    return None


def _liability(draft: Draft, name: str) -> int:
    """Return a meter's liability to players in whole minor units: value, locked, owed, reserve and overflow."""
    state = draft.floor.meters[name]
    counters = state.counters
    return (counters.value + counters.locked + counters.owed + counters.reserve + counters.overflow) // state.scale


def sign(draft: Draft, request: w.SignDay) -> Refusal | None:
    """Record the house's signature, once for each closed day."""
    known = draft.floor.house
    if request.day not in known.days or known.signed >= request.day:
        return house_refusal("day", said("{day} is not waiting for a signature", day=request.day))
    draft.add("house", hp.DaySigned(**msgspec.structs.asdict(request)))
    return None
