"""The next state of a table after an event. Nothing else changes state."""

from aceking.table import event as ev
from aceking.table.evolving.chips import CHIPS
from aceking.table.evolving.house import HOUSE
from aceking.table.evolving.mishaps import MISHAPS
from aceking.table.evolving.rounds import ROUNDS
from aceking.table.state import TableState

#: The function that applies each kind of event.
NEXT = {**HOUSE, **ROUNDS, **CHIPS, **MISHAPS}


def evolve(table: TableState, event: ev.TableEvent) -> TableState:
    """Return the table after one event."""
    return NEXT[type(event)](table, event)
