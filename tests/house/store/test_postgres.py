"""Several processes on one PostgreSQL: who hears of what, lost connections, and who holds the others up."""

import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from aceking.house.store.check import check
from aceking.house.store.errors import CannotOpen, StoreFailed
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Conflict, Repeated, Written
from aceking.house.store.sql.postgres import PostgresStore
from tests.house.conftest import POSTGRESQL
from tests.house.store.units import step

pytestmark = POSTGRESQL


def _opened(url: str) -> PostgresStore:
    store = open_store(url)
    assert isinstance(store, PostgresStore)
    return store


@pytest.fixture
def two(database: str) -> Iterator[tuple[PostgresStore, PostgresStore]]:
    """Two servers on one database."""
    stores = _opened(database), _opened(database)
    yield stores
    for store in stores:
        store.close()


def _terminate(url: str, which: str) -> None:
    """Ends the connections of which the last statement looks like this."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE %s",
            (which,),
        )


def test_what_one_writes_the_other_sees_and_hears(two: tuple[PostgresStore, PostgresStore]) -> None:
    mine, other = two
    listener = other.listen()
    assert listener.wait() is None
    mine.append([step(0), step(1)])
    assert listener.wait(5) == 2
    assert [entry.seq for entry in other.log()] == [1, 2]
    mine.append([step(2)])
    mine.append([step(3)])
    # Readable for an event loop; and only the newest counts.
    assert select.select([listener], [], [], 5)[0] == [listener]
    time.sleep(0.1)
    assert listener.wait() == 4
    # A refused unit is nothing to hear of.
    assert isinstance(mine.append([step(0, prefix="x")])[0], Conflict)
    assert listener.wait(0.2) is None
    listener.close()


def test_a_listener_that_was_cut_off_catches_up(two: tuple[PostgresStore, PostgresStore], database: str) -> None:
    mine, other = two
    listener = other.listen()
    _terminate(database, "LISTEN%")
    mine.append([step(0)])
    with pytest.raises(StoreFailed, match="cannot listen for changes"):
        listener.wait(5)
    assert listener.wait() == 1
    mine.append([step(1)])
    assert listener.wait(5) == 2
    listener.close()


def test_who_was_slower_gets_a_conflict_and_decides_again(two: tuple[PostgresStore, PostgresStore]) -> None:
    mine, other = two
    mine.append([step(0)])
    assert other.append([step(0, prefix="x")]) == [Conflict("table/1", expected=0, head=1)]
    assert isinstance(other.append([step(1, prefix="x")])[0], Written)
    assert isinstance(other.append([step(0)])[0], Repeated)
    assert check(mine).heads == {"table/1": 2}


def test_a_lost_connection_fails_one_batch_and_is_made_again(
    two: tuple[PostgresStore, PostgresStore], database: str
) -> None:
    mine, _ = two
    mine.append([step(0)])
    _terminate(database, "COMMIT%")
    with pytest.raises(StoreFailed):
        mine.append([step(1)])
    assert mine.heads() == {"table/1": 1}
    assert isinstance(mine.append([step(1)])[0], Written)


def test_a_process_that_stops_in_the_middle_does_not_stop_the_others_for_long(
    two: tuple[PostgresStore, PostgresStore], database: str
) -> None:
    mine, other = two
    mine.append([step(0)])
    # It has weighed a batch and holds the order; then it is stopped, and writes nothing.
    mine._weighed(mine._connected(), [step(1)])
    started = time.monotonic()
    assert isinstance(other.append([step(1, prefix="x")])[0], Written)
    assert 2 < time.monotonic() - started < 9
    # Its own transaction is gone, and it is told so.
    with pytest.raises(StoreFailed):
        mine.append([step(2)])
    assert isinstance(mine.append([step(2)])[0], Written)
    assert check(other).seq == 3


class _Wire:
    """A wire to the server that can be cut: after the next COMMIT is through, before its answer comes back."""

    def __init__(self, server: str, folder: Path) -> None:
        there = make_url(server)
        self._server = f"{there.query['host']}/.s.PGSQL.5432"
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(folder / ".s.PGSQL.5432"))
        self._socket.listen()
        self.cut_at_commit = False
        self.dead = False
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            if self.dead:
                client.close()
                continue
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._server)
            threading.Thread(target=self._carry, args=(client, server), daemon=True).start()

    def _carry(self, client: socket.socket, server: socket.socket) -> None:
        with client, server, suppress(ConnectionError):
            while True:
                for one in select.select([client, server], [], [])[0]:
                    data = one.recv(65536)
                    if not data:
                        return
                    (server if one is client else client).sendall(data)
                    if one is client and self.cut_at_commit and b"COMMIT" in data:
                        self.cut_at_commit = False
                        time.sleep(0.3)  # the server does what it was told
                        return

    def close(self) -> None:
        """Accept no more connections."""
        self._socket.close()


@pytest.fixture
def wired(
    database: str, server: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[PostgresStore, _Wire]]:
    """A store behind such a wire."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        wire = _Wire(server, Path(folder))
        url = make_url(database).update_query_dict({"host": folder}).render_as_string(hide_password=False)
        store = _opened(url)
        yield store, wire
        store.close()
        wire.close()


def test_a_commit_whose_answer_was_lost_is_looked_up(wired: tuple[PostgresStore, _Wire]) -> None:
    store, wire = wired
    # Not prepared yet, so that the statement is on the wire by its text.
    wire.cut_at_commit = True
    assert isinstance(store.append([step(0), step(1)])[1], Written)
    assert not wire.cut_at_commit
    assert store.heads() == {"table/1": 2}
    assert isinstance(store.append([step(1), step(2)])[0], Repeated)
    assert check(store).seq == 3


def test_a_server_that_cannot_be_reached_is_named_without_its_password() -> None:
    with pytest.raises(CannotOpen) as refused:
        open_store("postgresql://ann:hidden@127.0.0.1:1/house")
    assert "127.0.0.1" in str(refused.value)
    assert "hidden" not in str(refused.value)


def test_a_store_whose_server_is_gone_fails_and_says_so(wired: tuple[PostgresStore, _Wire], database: str) -> None:
    store, wire = wired
    store.append([step(0)])
    wire.dead = True
    _terminate(database, "%")
    with pytest.raises(StoreFailed):
        store.append([step(1)])
    with pytest.raises(StoreFailed):
        store.heads()
    wire.dead = False
    assert isinstance(store.append([step(1)])[0], Written)
    assert store.heads() == {"table/1": 2}
