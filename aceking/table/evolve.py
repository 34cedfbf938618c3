"""The next state of a table after an event. Nothing else changes state."""

from aceking.table import event as ev
from aceking.table.evolving.chips import CHIPS
from aceking.table.evolving.house import HOUSE
from aceking.table.evolving.mishaps import MISHAPS
from aceking.table.evolving.rounds import ROUNDS
from aceking.table.state import Table

#: What each kind of event makes of a table.
NEXT = {**HOUSE, **ROUNDS, **CHIPS, **MISHAPS}


def evolve(table: Table, event: ev.Event) -> Table:
    """The table after one event."""
    return NEXT[type(event)](table, event)
