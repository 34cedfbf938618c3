"""The cards to come, where their order is fixed: kept apart from the state of the table, and told card by card.

A generator, a shuffler or a test knows how a deck lies; the table does not. Whoever runs the table hands the shoe to
`decide` beside the state, and lets it follow the events, for a cut changes how the cards lie.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from aceking.table import event as ev
from aceking.table.state import Round


@dataclass(frozen=True, slots=True)
class Shoe:
    """How each deck lies, from the top."""

    orders: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def ahead(self, current: Round) -> tuple[int, ...]:
        """The cards of the round's deck that have not left it, the next one first; empty where nobody knows."""
        order = self.orders.get(current.deck or "", ()) if current.sealed else ()
        out = current.sequence
        if order[: len(out)] == out:
            return order[len(out) :]
        return tuple(card for card in order if card not in out)

    def with_order(self, deck: str, order: Sequence[int]) -> "Shoe":
        """The shoe after a deck was mixed into this order."""
        return Shoe({**self.orders, deck: tuple(order)})

    def after(self, event: ev.Event) -> "Shoe":
        """The shoe after an event: a cut moves the top below the rest, a new shuffle is told by who made it."""
        if isinstance(event, ev.WasCut) and event.deck in self.orders:
            order = self.orders[event.deck]
            return self.with_order(event.deck, (*order[event.count :], *order[: event.count]))
        return self


NO_SHOE = Shoe()
