"""Deals to be counted: by the house's own shuffle from numbered seeds, or those that a log shows."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aceking.house import chance
from aceking.house.floor.codec import after_event, read_events
from aceking.house.floor.events import SeedShown
from aceking.house.floor.states import Floor
from aceking.house.record import Unit, read_unit
from aceking.house.store.open import open_store

DECK = 52
Bytes = NDArray[np.uint8]
#: Seed and words in, the order of a deck out.
Shuffle = Callable[[bytes, tuple[str, ...], int], tuple[int, ...]]


class Deals(NamedTuple):
    """Deals, a row each: the order of the cards, what it came from, and what was shown of that before."""

    orders: Bytes
    seeds: Bytes
    commitments: Bytes

    def __len__(self) -> int:
        return len(self.orders)


def _rows(many: list[bytes], wide: int) -> Bytes:
    return np.frombuffer(b"".join(many), np.uint8).reshape(len(many), wide)


def _deals(orders: list[bytes], seeds: list[bytes], shown: Callable[[bytes], str]) -> Deals:
    told = [bytes.fromhex(shown(seed)) for seed in seeds]
    return Deals(_rows(orders, DECK), _rows(seeds, chance.SEED_BYTES), _rows(told, 32))


def numbered(
    master: str,
    first: int,
    count: int,
    *,
    shuffle: Shuffle = chance.order_of.__wrapped__,  # each seed comes once: there is nothing to remember
    shown: Callable[[bytes], str] = chance.commitment,
) -> Deals:
    """The deals from this number on. `shuffle` and `shown` are the house's own, but where a test breaks them."""
    seeds = [hashlib.sha256(f"{master}/{number}".encode()).digest() for number in range(first, first + count)]
    return _deals([bytes(shuffle(seed, (), DECK)) for seed in seeds], seeds, shown)


def of_log(url: str) -> Deals:
    """Every deck of a log whose seed is shown, as it lay when it was dealt: by seed, words and cut."""
    orders, seeds = [], []
    with closing(open_store(url, only_read=True)) as store:
        for floor, stream, event in _shown(read_unit(entry.body) for entry in store.log()):
            seal = floor.tables[stream.removeprefix("table/")].seals[event.deck]
            seeds.append(bytes.fromhex(event.seed))
            order = bytes(chance.order_of(seeds[-1], tuple(seal.words.values()), DECK))
            cut = seal.cut % DECK
            orders.append(order[cut:] + order[:cut])
    return _deals(orders, seeds, chance.commitment)


def _shown(units: Iterable[Unit]) -> Iterator[tuple[Floor, str, SeedShown]]:
    """Each seed that is shown, with the floor as it stood right before."""
    floor = Floor()
    for unit in units:
        for stream, events in read_events(unit).items():
            for event in events:
                if isinstance(event, SeedShown):
                    yield floor, stream, event
                floor = after_event(floor, stream, event, at=unit.at)
