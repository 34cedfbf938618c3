"""The draft of a unit: the events of every stream that a request moves, and the states after them.

The floor itself does not change: a draft that ends in a refusal is dropped.
"""

from collections import ChainMap
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace

from aceking.house import chance
from aceking.house.chance import Chance
from aceking.house.floor import ledger
from aceking.house.floor.codec import state_after, state_of, with_state
from aceking.house.floor.events import TableSet
from aceking.house.floor.library import book_of
from aceking.house.floor.states import Floor, FloorTable, Seal, table_after
from aceking.rules.book import Book
from aceking.table.cards.shoe import Shoe

#: Names on the roster of a meter: the program that deals, and the book whose ruling voids a round.
PROGRAM, BOOK = "program", "book"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Draft:
    def __init__(self, floor: Floor, *, at: int, seeds: Mapping[str, bytes], draw: Chance) -> None:
        self.at = max(at, floor.moment)  # a clock that steps back stands still
        # Copies that are changed in place; the dicts of the given floor are not.
        self._tables, self._versions = dict(floor.tables), dict(floor.versions)
        self.floor = replace(floor, moment=self.at, tables=self._tables, versions=self._versions)
        self.events: dict[str, list[Any]] = {}
        self.postings: ledger.Accounts = {}
        self.sealed: dict[str, bytes] = {}
        self.unsealed: list[str] = []
        self.draw = draw
        self._seeds = seeds
        self._books: dict[str, tuple[TableSet, Any, Book]] = {}
        self._shoes: dict[str, tuple[dict[str, Seal], Shoe]] = {}

    def table(self, name: str) -> FloorTable:
        """Return a table after the events so far."""
        return self._tables[name]

    def book(self, name: str) -> Book:
        """Return the book of a table under its current options."""
        state = self._tables[name]
        known = self._books.get(name)
        if known is not None and known[0] is state.posted and known[1] is state.table.options:
            return known[2]
        book = book_of(self.floor.house, state)
        self._books[name] = (state.posted, state.table.options, book)
        return book

    def add(self, stream: str, *events: Any) -> None:
        """Add events to a stream: its state follows, and their postings, which sum to zero, are added."""
        if not events:
            return
        kind, _, name = stream.partition("/")
        if kind == "table":
            self._tables[name] = self._at_table(stream, self._tables.get(name), events)
            self._versions[stream] = self._versions.get(stream, 0) + len(events)
        else:
            state = state_of(self.floor, stream)
            for event in events:
                before, state = state, state_after(stream, state, event, at=self.at)
                self._post(stream, event, ledger.moved_in(stream, before, state))
            self.floor = with_state(self.floor, stream, state, events=len(events))
            self._versions = self.floor.versions
        self.events.setdefault(stream, []).extend(events)

    def _at_table(self, stream: str, state: FloorTable | None, events: tuple[Any, ...]) -> FloorTable:
        """Return the table after the events, and post the money that they move. Most move none."""
        for event in events:
            before, state = state, table_after(state, event, self.at)
            if before is not None and state is not before and not ledger.unchanged(before, state):
                self._post(stream, event, ledger.moved_in(stream, before, state))
        assert state is not None, "there is an event"
        return state

    def _post(self, stream: str, event: Any, posted: ledger.Accounts) -> None:
        if posted:
            assert not sum(posted.values()), f"{stream}: {event} moves {posted}"
            self.postings = ledger.total_of(self.postings, posted) if self.postings else posted

    # Chance

    def seal(self) -> str:
        """Draw a seed and return its commitment, which may be shown. The seed is stored outside the log."""
        seed = self.draw(chance.SEED_BYTES)
        commitment = chance.commitment(seed)
        self.sealed[commitment] = seed
        return commitment

    def seed(self, commitment: str) -> bytes:
        """Return the seed of a commitment that is still sealed."""
        return _seed(commitment, self.sealed, self._seeds)

    @property
    def seeds(self) -> Mapping[str, bytes]:
        """Every sealed seed, by its commitment."""
        return ChainMap(self.sealed, dict(self._seeds)) if self.sealed else self._seeds

    def unseal(self, commitment: str) -> None:
        """Delete a sealed seed, which has been shown."""
        if self.sealed.pop(commitment, None) is None:
            self.unsealed.append(commitment)

    def shoe(self, table: str) -> Shoe:
        """Return the order of the sealed decks of a table, computed when a card is drawn."""
        seals, known = self._tables[table].seals, self._shoes.get(table)
        if known is not None and known[0] is seals:
            return known[1]
        shoe = Shoe(_SealedOrders(seals, (self.sealed, self._seeds), self.book(table).deck.size))
        self._shoes[table] = (seals, shoe)
        return shoe


class _SealedOrders(Mapping[str, tuple[int, ...]]):
    """The orders of sealed decks, computed from seed, words and cut.

    It does not refer to the draft, which refers to it: such a cycle would keep a draft with all its states in memory
    until the garbage collector runs.
    """

    def __init__(self, seals: Mapping[str, Seal], seeds: tuple[Mapping[str, bytes], ...], size: int) -> None:
        self._seals, self._seeds, self._size = seals, seeds, size
        self._orders: dict[str, tuple[int, ...]] = {}

    def __getitem__(self, deck: str) -> tuple[int, ...]:
        known = self._orders.get(deck)
        if known is None:
            seal = self._seals[deck]
            seed = _seed(seal.commitment, *self._seeds)
            order = chance.order_of(seed, tuple(seal.words.values()), self._size)
            cut = seal.cut % self._size
            known = self._orders[deck] = (*order[cut:], *order[:cut])
        return known

    def __iter__(self) -> Iterator[str]:
        return iter(self._seals)

    def __len__(self) -> int:
        return len(self._seals)


def _seed(commitment: str, *seed_maps: Mapping[str, bytes]) -> bytes:
    """Return the seed of a commitment, from the first of these mappings that has it."""
    seed = next((seeds[commitment] for seeds in seed_maps if commitment in seeds), None)
    assert seed is not None, f"the seed of {commitment} is lost"
    return seed


def moment(milliseconds: int) -> datetime:
    """Return milliseconds since 1970 as a datetime, which meters use."""
    return _EPOCH + timedelta(milliseconds=milliseconds)
