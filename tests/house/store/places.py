"""The same house in three places: each can be opened, left, and opened again."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from aceking.house.store.check import check_tail
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Store
from tests.house.store.disk import Disk
from tests.house.store.memory import MemoryStore


class Place(Protocol):
    """A place where the log of a house can be stored."""

    @property
    def name(self) -> str:
        """The kind of the store, as the tests are named."""

    def open(self) -> Store:
        """Open the store; close it before the next."""


class Memory:
    """A simulated disk."""

    name = "memory"

    def __init__(self) -> None:
        self.disk = Disk()

    def open(self) -> Store:
        """Open the store; close it before the next."""
        store = MemoryStore(self.disk)
        check_tail(store)
        return store


class Database:
    """A file of SQLite, or a database of PostgreSQL."""

    def __init__(self, name: str, url: str) -> None:
        self.name = name
        self.url = url

    def open(self) -> Store:
        """Open the store; close it before the next."""
        return open_store(self.url)


def in_file(path: Path) -> Database:
    """A house in a file of SQLite."""
    return Database("sqlite", f"sqlite:///{path}")


@contextmanager
def opened(place: Place) -> Iterator[Store]:
    """A store, closed at the end."""
    store = place.open()
    try:
        yield store
    finally:
        store.close()
