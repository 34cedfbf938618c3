"""A unit in the making: the events of every stream that a request touches, and the states after them.

Nothing outside changes while it is made: a draft that ends in a refusal is dropped, and nothing has happened.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from aceking.house import chance, ledger
from aceking.house.chance import Chance
from aceking.house.codec import after_event
from aceking.house.library import book_of
from aceking.house.ledger import moved_by
from aceking.house.states import Floor, FloorTable
from aceking.rules.book import Book
from aceking.table.shoe import NO_SHOE, Shoe


class Draft:
    """What a request does, event by event."""

    def __init__(self, floor: Floor, *, at: int, seeds: Mapping[str, bytes], draw: Chance) -> None:
        self.at = max(at, floor.moment)  # a clock that steps back stands still
        self.floor = replace(floor, moment=self.at)
        self.events: dict[str, list[Any]] = {}
        self.postings: ledger.Accounts = {}
        self.sealed: dict[str, bytes] = {}
        self.unsealed: list[str] = []
        self.draw = draw
        self._seeds = seeds

    def table(self, name: str) -> FloorTable:
        """A table as it stands in this draft."""
        return self.floor.tables[name]

    def book(self, name: str) -> Book:
        """The book of a table under the options that it has now."""
        return book_of(self.floor.house, self.floor.tables[name])

    def add(self, stream: str, *events: Any) -> None:
        """Events of a stream: its state follows, and what they move is posted and sums to nothing."""
        for event in events:
            before = self.floor
            self.floor = after_event(before, stream, event, at=self.at)
            posted = moved_by(before, self.floor, stream)
            if posted:
                assert not sum(posted.values()), f"{stream}: {event} moves {posted}"
                self.postings = ledger.added(self.postings, posted)
            self.events.setdefault(stream, []).append(event)

    # Chance

    def seal(self, table: str, deck: str) -> str:
        """A new seed for a deck: it lies apart, and what may be shown of it is returned."""
        seed = self.draw(chance.SEED_BYTES)
        self.sealed[_seal_name(table, deck)] = seed
        return chance.commitment(seed)

    def seed(self, table: str, deck: str) -> bytes | None:
        """The seed of a deck that is still sealed."""
        name = _seal_name(table, deck)
        return self.sealed.get(name) or self._seeds.get(name)

    def unseal(self, table: str, deck: str) -> None:
        """The seed of a deck is shown, and no longer lies apart."""
        name = _seal_name(table, deck)
        if name in self.sealed:
            del self.sealed[name]
        self.unsealed.append(name)

    def shoe(self, table: str) -> Shoe:
        """How the sealed decks of a table lie: by seed and words, cut as they were cut."""
        one, size = self.table(table), self.book(table).deck.size
        shoe = NO_SHOE
        for deck, seal in one.seals.items():
            seed = self.seed(table, deck)
            assert seed is not None, f"the seed of the {deck} deck of table {table} is lost"
            order = chance.order_of(seed, tuple(seal.words.values()), size)
            cut = seal.cut % size
            shoe = shoe.with_order(deck, (*order[cut:], *order[:cut]))
        return shoe


def _seal_name(table: str, deck: str) -> str:
    return f"table/{table}/{deck}"
