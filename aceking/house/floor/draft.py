"""A unit in the making: the events of every stream that a request touches, and the states after them.

Nothing outside changes while it is made: a draft that ends in a refusal is dropped, and nothing has happened.
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

#: On the roster of a meter: the program that deals, and the book whose ruling annuls a round.
PROGRAM, BOOK = "program", "book"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Draft:
    """What a request does, event by event."""

    def __init__(self, floor: Floor, *, at: int, seeds: Mapping[str, bytes], draw: Chance) -> None:
        self.at = max(at, floor.moment)  # a clock that steps back stands still
        # Its own until it is done: they are changed in place, and those of the floor that it began with are not.
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
        """A table as it stands in this draft."""
        return self._tables[name]

    def book(self, name: str) -> Book:
        """The book of a table under the options that it has now."""
        one = self._tables[name]
        known = self._books.get(name)
        if known is not None and known[0] is one.posted and known[1] is one.table.options:
            return known[2]
        found = book_of(self.floor.house, one)
        self._books[name] = (one.posted, one.table.options, found)
        return found

    def add(self, stream: str, *events: Any) -> None:
        """Events of a stream: its state follows, and what they move is posted and sums to nothing."""
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

    def _at_table(self, stream: str, one: FloorTable | None, events: tuple[Any, ...]) -> FloorTable:
        """The table after them; most of its events move no money, and that is seen at once."""
        for event in events:
            before, one = one, table_after(one, event, self.at)
            if before is not None and one is not before and not ledger.stands(before, one):
                self._post(stream, event, ledger.moved_in(stream, before, one))
        assert one is not None, "there is an event"
        return one

    def _post(self, stream: str, event: Any, posted: ledger.Accounts) -> None:
        if posted:
            assert not sum(posted.values()), f"{stream}: {event} moves {posted}"
            self.postings = ledger.added(self.postings, posted) if self.postings else posted

    # Chance

    def seal(self) -> str:
        """A new seed: it lies apart under its commitment, which may be shown and is returned."""
        seed = self.draw(chance.SEED_BYTES)
        shown = chance.commitment(seed)
        self.sealed[shown] = seed
        return shown

    def seed(self, commitment: str) -> bytes:
        """The seed of a commitment that is still sealed."""
        return _seed(commitment, self.sealed, self._seeds)

    @property
    def seeds(self) -> Mapping[str, bytes]:
        """Every seed that lies apart, by its commitment."""
        return ChainMap(self.sealed, dict(self._seeds)) if self.sealed else self._seeds

    def unseal(self, commitment: str) -> None:
        """The seed is shown, and no longer lies apart."""
        if self.sealed.pop(commitment, None) is None:
            self.unsealed.append(commitment)

    def shoe(self, table: str) -> Shoe:
        """How the sealed decks of a table lie, worked out when a card is asked for."""
        seals, known = self._tables[table].seals, self._shoes.get(table)
        if known is not None and known[0] is seals:
            return known[1]
        shoe = Shoe(_Lying(seals, (self.sealed, self._seeds), self.book(table).deck.size))
        self._shoes[table] = (seals, shoe)
        return shoe


class _Lying(Mapping[str, tuple[int, ...]]):
    """The orders of sealed decks: by seed and words, cut as they were cut.

    It does not hold the draft, which holds it: a draft with all its states would lie there until cycles are collected.
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


def _seed(commitment: str, *lying: Mapping[str, bytes]) -> bytes:
    """The seed of a commitment, wherever it lies."""
    found = next((seeds[commitment] for seeds in lying if commitment in seeds), None)
    assert found is not None, f"the seed of {commitment} is lost"
    return found


def moment(draft: Draft) -> datetime:
    """The time of this unit as a meter writes it."""
    return as_moment(draft.at)


def as_moment(milliseconds: int) -> datetime:
    """A time of the floor as a meter writes it."""
    return _EPOCH + timedelta(milliseconds=milliseconds)
