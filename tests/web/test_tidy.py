"""What connections that have ended leave behind does not wait for the collector of cycles."""

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from aceking.house.running import Running, SystemClock
from aceking.web import serving
from aceking.web.live.hub import Connection, Hub
from aceking.web.metrics import Metrics
from aceking.web.sessions import Visitor, Visitors
from tests.house.store.disk import Disk
from tests.house.store.memory import MemoryStore

pytestmark = pytest.mark.proof


class Held:
    """An object that refers to itself, so that only the collector frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def no_collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(serving, "_TIDY_SECONDS", 0.01)
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize(("ended", "is_left"), [(99, True), (100, False)])
def test_what_a_hundred_of_them_leave_is_given_back(ended: int, is_left: bool) -> None:
    async def serves() -> bool:
        house = Running(MemoryStore(Disk()), clock=SystemClock(), draw=bytes)
        hub = Hub(house, Visitors(house), Metrics())
        tidying = asyncio.create_task(serving._tidy_memory(hub))
        await asyncio.sleep(0)
        left = weakref.ref(Held())
        for _ in range(ended):
            one = Connection(Visitor(), lambda _: None)
            hub.add(one)
            hub.remove(one)
        await asyncio.sleep(0.1)
        tidying.cancel()
        return left() is not None

    assert asyncio.run(serves()) == is_left
