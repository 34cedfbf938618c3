"""Any batches whatever: the three stores give the same answers and end with the same log."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from aceking.house.record import Unit
from aceking.house.store.check import check
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Store
from aceking.house.store.sql.queries import SqlStore
from aceking.house.store.sql.tables import metadata
from tests.house.conftest import POSTGRESQL, new_schema
from tests.house.store.disk import Disk
from tests.house.store.memory import MemoryStore
from tests.house.store.units import unit

STREAMS = ["house", "table/1", "table/2", "meter/m"]
pytestmark = POSTGRESQL

_move = st.tuples(st.sampled_from(STREAMS), st.integers(0, 6), st.integers(1, 3))
_unit = st.builds(
    lambda number, asks, moves, seals, unseals: unit(
        f"c{number}", *moves, asks=asks, seeds_added=tuple(seals), seeds_deleted=tuple(unseals)
    ),
    st.integers(0, 12),
    st.sampled_from(["act", "act", "act", "another thing"]),
    st.lists(_move, max_size=2, unique_by=lambda move: move[0]),
    st.lists(st.tuples(st.sampled_from("abc"), st.binary(max_size=4)), max_size=2),
    st.lists(st.sampled_from("abc"), max_size=2),
)
_batches = st.lists(st.lists(_unit, min_size=0, max_size=5), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def urls(server: str) -> Iterator[list[str]]:
    """One file and one database, emptied for each example."""
    folder = Path(tempfile.mkdtemp())
    yield [
        f"sqlite:///{folder / 'house.db'}",
        new_schema(server),
    ]
    shutil.rmtree(folder)


def _emptied(url: str) -> SqlStore:
    store = open_store(url)
    with store.aside() as connection:
        for table in metadata.sorted_tables:
            connection.execute(delete(table))
    store.close()
    return open_store(url)


def _fitting(units: list[Unit], heads: dict[str, int]) -> list[Unit]:
    """Versions relative to the heads, so that about half of the units fit."""
    now = dict(heads)
    moved = []
    for one in units:
        parts = []
        for part in one.parts:
            after = now.get(part.stream, 0) + max(0, part.after - 4)
            parts.append(msgspec.structs.replace(part, after=after))
            if part.after <= 4:
                now[part.stream] = after + len(part.events)
        moved.append(msgspec.structs.replace(one, parts=tuple(parts)))
    return moved


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=_batches)
def test_three_stores_agree(urls: list[str], batches: list[list[Unit]]) -> None:
    stores: list[Store] = [MemoryStore(Disk()), *(_emptied(url) for url in urls)]
    try:
        for units in batches:
            fitting = _fitting(units, stores[0].heads())
            expected, *others = [store.append(fitting) for store in stores]
            assert others == [expected, expected]
        for store in stores:
            assert check(store) == check(stores[0])
            assert store.sealed() == stores[0].sealed()
            assert list(store.log()) == list(stores[0].log())
            for after in range(store.last()[0] + 1):
                assert store.news(after) == (list(stores[0].log(after)), stores[0].sealed())
            for stream in STREAMS:
                assert list(store.stream(stream, 2)) == list(stores[0].stream(stream, 2))
            for number in range(13):
                assert store.answer(f"c{number}") == stores[0].answer(f"c{number}")
    finally:
        for store in stores:
            store.close()
