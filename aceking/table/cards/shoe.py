"""The cards to come, if their order is fixed: kept apart from the state of the table, and revealed card by card.

A generator, a shuffler or a test knows the order of a deck; the table does not. The caller passes the shoe to `decide`
beside the state, and updates it with the events, since a cut changes the order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from aceking.table import event as ev
from aceking.table.state import Round


@dataclass(frozen=True, slots=True)
class Shoe:
    """The order of each deck, from the top."""

    orders: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def ahead(self, current: Round) -> tuple[int, ...]:
        """Return the undealt cards of the round's deck, the next one first; empty if the order is not known."""
        order = self.orders.get(current.deck or "", ()) if current.sealed else ()
        out = current.sequence
        if order[: len(out)] == out:
            return order[len(out) :]
        return tuple(card for card in order if card not in out)

    def with_order(self, deck: str, order: Sequence[int]) -> "Shoe":
        """Return the shoe after a deck was shuffled into this order."""
        return Shoe({**self.orders, deck: tuple(order)})

    def after(self, event: ev.TableEvent) -> "Shoe":
        """Return the shoe after an event: a cut moves the top below the rest. A shuffle is set by `with_order`."""
        if isinstance(event, ev.WasCut) and event.deck in self.orders:
            order = self.orders[event.deck]
            return self.with_order(event.deck, (*order[event.count :], *order[: event.count]))
        return self


NO_SHOE = Shoe()
