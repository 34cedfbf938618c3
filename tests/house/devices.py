"""One small interface for devices, and a simulated one of each kind.

A device has a name among the people of the house, in the part `device`. It is shown the table whenever that has moved,
and says what it has to say: a reading, or an act of its own.
"""

import random
from collections.abc import Sequence
from typing import Any, Protocol

from aceking.house.floor import requests as w
from aceking.house.floor.library import book_of
from aceking.house.floor.states import Floor
from aceking.table import commands as c
from aceking.table.dealer.next_act import due


class SimulatedDevice(Protocol):
    """Something at a table that reads or acts by itself."""

    name: str
    table: str

    def says(self, floor: Floor) -> Any | None:
        """What it asks the house for, now that the table stands so; None: nothing."""
        ...


class SimulatedShuffler:
    """Mixes a deck where the book has that done by a device, and loads it, when that is due."""

    def __init__(self, name: str, table: str) -> None:
        self.name, self.table = name, table

    def says(self, floor: Floor) -> Any | None:
        """The act of a shuffler, when it is next."""
        act = _due(floor, self.table)
        book = book_of(floor.house, floor.tables[self.table])
        match act:
            case c.Shuffle() if book.shuffle is not None and book.shuffle.method == "automated":
                return w.TableAct(table=self.table, act={"do": act.do, "deck": act.deck, "method": "automated"})
            case c.LoadDeck():
                return w.TableAct(table=self.table, act={"do": act.do, "deck": act.deck})
            case _:
                return None


class SimulatedShoe:
    """Reads the next card of an order when one is about to be dealt."""

    def __init__(self, name: str, table: str, order: Sequence[int] | None = None) -> None:
        self.name, self.table = name, table
        self.order = list(order) if order is not None else random.SystemRandom().sample(range(52), 52)

    def says(self, floor: Floor) -> Any | None:
        """The reading of the card that leaves next."""
        one = floor.tables[self.table]
        current = one.table.live_round
        if current is None or one.read or not isinstance(_due(floor, self.table), c.DealCard | c.Burn):
            return None
        left = [card for card in self.order if not current.is_out(card)]
        return w.Read(table=self.table, card=left[0]) if left else None


class SimulatedSensor:
    """Sees which boxes have a chip on their side wager."""

    def __init__(self, name: str, table: str) -> None:
        self.name, self.table = name, table
        self.chips: set[int] = set()

    def says(self, floor: Floor) -> Any | None:
        """The first box at which what it sees is not what was told."""
        told = floor.tables[self.table].lights
        for box in sorted(self.chips | set(told)):
            if told.get(box, False) != (box in self.chips):
                return w.Read(table=self.table, box=box, on=box in self.chips)
        return None


def _due(floor: Floor, table: str) -> Any:
    one = floor.tables[table]
    current = one.table.live_round
    may_close = current is not None and bool(current.dealt_in)
    return due(book_of(floor.house, one), one.table, betting_may_close=may_close)
