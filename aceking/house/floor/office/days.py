"""The close of a gaming day: what every table had done by then, and the chain up to it signed by the house."""

from datetime import UTC, date, datetime, timedelta

from aceking.house.floor import events as hp
from aceking.house.floor import requests as w
from aceking.house.floor.draft import Draft
from aceking.house.floor.refusals import house
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import said


def close(draft: Draft, sender: w.Sender, wish: w.CloseDay) -> Refusal | None:
    """A day is closed once, in order, and not before it has begun. A round under way belongs to the next."""
    try:
        asked = date.fromisoformat(wish.day)
    except ValueError:
        return house("input", said("{day} is no day", day=repr(wish.day)))
    last = max(draft.floor.house.days, default="")
    if wish.day <= last:
        return house("day", said("{last} is closed; a day is closed once, in order", last=last))
    if asked > datetime.fromtimestamp(draft.at / 1000, UTC).date() + timedelta(days=1):
        return house("day", said("{day} has not begun", day=wish.day))
    tables = {name: one.totals for name, one in sorted(draft.floor.tables.items())}
    meters = {name: _liability(draft, name) for name in sorted(draft.floor.meters)}
    draft.add("house", hp.DayClosed(day=wish.day, by=sender.name, tables=tables, meters=meters))
    return None


def _liability(draft: Draft, name: str) -> int:
    """What a meter holds for players: shown, set aside, owed, and the reserve for its next start."""
    state = draft.floor.meters[name]
    has = state.counters
    return (has.value + has.locked + has.owed + has.reserve + has.overflow) // state.scale


def sign(draft: Draft, wish: w.SignDay) -> Refusal | None:
    """The house's own signature, once for a day that is closed."""
    known = draft.floor.house
    if wish.day not in known.days or known.signed >= wish.day:
        return house("day", said("{day} is not waiting for a signature", day=wish.day))
    draft.add(
        "house",
        hp.DaySigned(day=wish.day, upto=wish.upto, root=wish.root, public=wish.public, signature=wish.signature),
    )
    return None
