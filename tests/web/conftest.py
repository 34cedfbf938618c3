"""One served house for the tests of a module that do no harm to each other."""

from collections.abc import Iterator

import pytest

from tests.house.conftest import database, server  # noqa: F401  fixtures of the real PostgreSQL
from tests.web.served import Served, founded, table


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A house on SQLite with three electronic tables and a live one."""
    folder = tmp_path_factory.mktemp("house")
    url = f"sqlite:///{folder / 'house.db'}"
    paused = table("paused", "section10", pause_seconds=1)
    tables = (table("one", "section10"), table("two", "exchange"), table("live", "rws", mode="live"), paused)
    founded(url, *tables, quick=True)
    one = Served(url, folder).start()
    yield one
    if one.process.poll() is None:
        one.stop()
