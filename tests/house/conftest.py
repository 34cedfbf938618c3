"""A real PostgreSQL server for the whole session, a new database for each test, and the three places."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from aceking.house.store.protocol import Store
from benchmarks.store import postgres
from tests.house.store.places import Database, Memory, Place, in_file

_NUMBERS = count()
#: One worker has them all, so that one server is enough.
POSTGRESQL = pytest.mark.xdist_group("postgresql")


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a PostgreSQL server that starts now and ends with the session."""
    with postgres() as address:
        yield address


def new_schema(server: str) -> str:
    """The address of an empty schema, which serves as a database and takes less time to make."""
    name = f"house{next(_NUMBERS)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    there = make_url(server).update_query_dict({"options": f"-csearch_path={name}"})
    return there.render_as_string(hide_password=False)


@pytest.fixture
def database(server: str) -> str:
    """The address of an empty database."""
    return new_schema(server)


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgresql", marks=POSTGRESQL)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Each kind of store in turn."""
    match request.param:
        case "memory":
            return Memory()
        case "sqlite":
            return in_file(tmp_path / "house.db")
        case _:
            return Database("postgresql", request.getfixturevalue("database"))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=POSTGRESQL)])
def real(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """Each of the two databases in turn."""
    if request.param == "sqlite":
        return in_file(tmp_path / "house.db")
    return Database("postgresql", request.getfixturevalue("database"))


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    """An empty store of each kind."""
    found = place.open()
    yield found
    found.close()
