"""One file, one server; a full disk; who may read it."""

import multiprocessing
import os
import random
import resource
import sqlite3
import stat
import threading
import time
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from aceking.house.record import Unit, canonical
from aceking.house.store.batch import key
from aceking.house.store.check import check, check_tail
from aceking.house.store.errors import CannotOpen, Damaged, StoreFailed
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Written
from aceking.house.store.secrets import Session, session, start_session
from aceking.house.store.sql import sqlite as sqlite_store
from aceking.house.store.sql.sqlite import SqliteStore
from tests.house.store.places import in_file, opened
from tests.house.store.units import step, unit

_FORKED = multiprocessing.get_context("forkserver")


def _big(number: int) -> Unit:
    """About 3 KB that do not compress."""
    return unit(
        f"c{number}", ("table/1", number, 1), asked=canonical({"noise": random.Random(number).randbytes(1500).hex()})
    )


def test_a_second_server_on_one_file_is_told_and_ends(tmp_path: Path) -> None:
    place = in_file(tmp_path / "house.db")
    with opened(place) as store:
        store.append([step(0)])
        with pytest.raises(CannotOpen, match=f"another server runs this house \\(process {os.getpid()}\\)"):
            place.open()
        # Who only reads may stand beside it.
        reader = open_store(place.url, only_read=True)
        store.append([step(1)])
        assert check(reader).seq == 2
        reader.close()
    with opened(place) as store:
        assert store.last()[0] == 2


@pytest.mark.proof
def test_another_program_that_writes_to_the_file_is_waited_for_by_a_thread_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(SqliteStore(tmp_path / "house.db")) as store:
        with closing(sqlite3.connect(store.path, isolation_level=None, check_same_thread=False)) as other:
            other.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            assert store.stage([step(0)]) is None
            assert time.monotonic() - began < 1
            goes = threading.Timer(0.3, other.execute, ("ROLLBACK",))
            goes.start()
            assert [type(found) for found in store.append([step(0)])] == [Written]
            goes.join()
            other.execute("BEGIN IMMEDIATE")
            monkeypatch.setattr(sqlite_store, "_BUSY_SECONDS", 0.1)
            with pytest.raises(StoreFailed, match="database is locked"):
                store.append([step(1)])
        assert [type(found) for found in store.append([step(1)])] == [Written]


def test_what_is_staged_is_there_when_it_is_committed_and_not_before(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "house.db")) as store:
        commit = store.stage([step(0), step(1)])
        assert commit is not None
        assert store.stage([step(2)]) is None
        assert store.last()[0] == 0
        assert [type(found) for found in commit()] == [Written, Written]
        assert store.last()[0] == 2
        with pytest.raises(AssertionError):
            store.stage([unit("twice", ("table/1", 2, 1), ("table/1", 3, 1))])
        assert [type(found) for found in store.append([step(2)])] == [Written]
        assert check(store).seq == 3


def test_no_statement_of_an_append_returns_rows(tmp_path: Path) -> None:
    """Python 3.11 lets such rows go; from 3.12 on SQLite is misused by the second of many, and nothing is written."""
    store = SqliteStore(tmp_path / "house.db")
    assert not [name for name, text in vars(store._statements).items() if "RETURNING" in text]
    store.close()


def _hold(url: str, said: Connection) -> None:
    store = open_store(url)
    said.send("open")
    threading.Event().wait()
    store.close()


@pytest.mark.proof
def test_the_lock_goes_with_a_process_that_was_killed(tmp_path: Path) -> None:
    place = in_file(tmp_path / "house.db")
    ear, mouth = _FORKED.Pipe(duplex=False)
    process = _FORKED.Process(target=_hold, args=(place.url, mouth))
    process.start()
    mouth.close()
    assert ear.recv() == "open"
    with pytest.raises(CannotOpen, match=f"process {process.pid}"):
        place.open()
    process.kill()
    process.join()
    ear.close()
    place.open().close()


def test_a_file_that_is_full_loses_the_batch_and_nothing_else(tmp_path: Path) -> None:
    with opened(in_file(tmp_path / "house.db")) as store:
        assert isinstance(store, SqliteStore)
        store.append([step(0)])
        pages = store._raw.execute("PRAGMA page_count").fetchone()[0]
        store._raw.execute(f"PRAGMA max_page_count = {pages + 3}")
        with pytest.raises(StoreFailed, match="full"):
            store.append([_big(n) for n in range(1, 20)])
        assert (store.last()[0], store.heads()) == (1, {"table/1": 1})
        assert store.answer("c1") is None
        store._raw.execute("PRAGMA max_page_count = 1000000")
        assert all(isinstance(one, Written) for one in store.append([_big(n) for n in range(1, 20)]))
        assert check(store).seq == 20


def _write_with_little_room(url: str, said: Connection) -> None:
    """Every limit in turn, so that a write fails at every place of a batch; what is told is (limit, done, last)."""
    store = open_store(url)
    for limit in range(20_000, 200_000, 7_001):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        number = store.heads().get("table/1", 0)
        try:
            store.append([_big(number), _big(number + 1)])
            done = True
        except StoreFailed:
            done = False
        said.send((done, number, store.heads().get("table/1", 0)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    number = store.heads().get("table/1", 0)
    store.append([_big(number)])
    said.send((True, number, store.heads()["table/1"] + 1))
    os._exit(0)  # as if it were killed


def test_a_disk_without_room_fails_whole_batches_and_serves_again_when_there_is_room(tmp_path: Path) -> None:
    place = in_file(tmp_path / "house.db")
    place.open().close()
    ear, mouth = _FORKED.Pipe(duplex=False)
    process = _FORKED.Process(target=_write_with_little_room, args=(place.url, mouth))
    process.start()
    mouth.close()
    told: list[tuple[bool, int, int]] = []
    try:
        while True:
            told.append(ear.recv())
    except EOFError:
        process.join()
        ear.close()
    assert process.exitcode == 0
    assert {done for done, _, _ in told} == {True, False}
    for done, before, after in told:
        assert after == before + (2 if done else 0)
    with opened(place) as store:
        assert check(store).heads == {"table/1": told[-1][1] + 1}


def test_the_file_is_its_owner_s_alone(tmp_path: Path) -> None:
    in_file(tmp_path / "house.db").open().close()
    for name in ("house.db", "house.db.lock"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_it_is_durable_by_its_settings(tmp_path: Path) -> None:
    with opened(in_file(tmp_path / "house.db")) as store:
        assert isinstance(store, SqliteStore)
        assert store._raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert store._raw.execute("PRAGMA synchronous").fetchone() == (2,)


def test_threads_take_turns(tmp_path: Path) -> None:
    with opened(in_file(tmp_path / "house.db")) as store:
        failed: list[BaseException] = []

        def work(name: str) -> None:
            try:
                for n in range(40):
                    assert isinstance(store.append([step(n, name, prefix=name)])[0], Written)
                    store.heads()
                    with store.aside():
                        pass
            except BaseException as error:  # it is told in the main thread
                failed.append(error)

        threads = [threading.Thread(target=work, args=(f"table/{n}",)) for n in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert not failed
        assert check(store).heads == {f"table/{n}": 40 for n in range(4)}


def test_who_asks_for_a_session_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    with opened(in_file(tmp_path / "house.db")) as store:
        start_session(store, Session(token_hash=b"t", person="ann", made=1, seen=1, ends=9))
        with store.aside():
            found = session(store, b"t", at=5)
        assert found is not None
        assert found.person == "ann"


def test_a_long_read_does_not_hold_the_writer_up_nor_its_log(tmp_path: Path) -> None:
    with opened(in_file(tmp_path / "house.db")) as store:
        store.append([step(n) for n in range(1000)])
        reading = store.log()
        next(reading)
        for n in range(1000, 3000, 20):
            store.append([_big(n + m) for m in range(20)])
        # 6 MB were written beside an unfinished read, and the write-ahead log was taken in again and again.
        assert (tmp_path / "house.db-wal").stat().st_size < 5_000_000
        assert sum(1 for _ in reading) == 999


@pytest.mark.parametrize(
    "url",
    ["", "house.db", "sqlite://", "sqlite:///:memory:", "mysql://host/house", "sqlite+pysqlite:///x", "postgresql"],
)
def test_an_address_that_is_none_is_refused_in_a_sentence(url: str) -> None:
    with pytest.raises(CannotOpen, match="an address is sqlite:///PATH or postgresql://USER@HOST/DATABASE"):
        open_store(url)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match="No such file or directory"):
        in_file(tmp_path / "nowhere" / "house.db").open()
    with pytest.raises(CannotOpen, match="there is no such file"):
        open_store(f"sqlite:///{tmp_path}/house.db", only_read=True)
    assert list(tmp_path.iterdir()) == []


def test_another_program_s_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(CannotOpen, match="it is not a house: it has a table theirs"):
        in_file(file).open()
    connection = sqlite3.connect(file)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("theirs",)]
    connection.close()


@pytest.mark.parametrize("only_read", [True, False])
@pytest.mark.parametrize(
    ("first", "length", "beside", "error", "says"),
    [
        (0, 100, False, CannotOpen, "house.db is not an SQLite database"),  # nothing says that it ever was one
        (0, 100, True, Damaged, "house.db is no database"),  # a write-ahead log is beside it, without the page
        (16, 84, False, Damaged, "house.db is no database"),  # it still begins as a database does
    ],
)
def test_a_damaged_first_page_is_never_a_house_that_is_fine(
    tmp_path: Path, only_read: bool, first: int, length: int, beside: bool, error: type[Exception], says: str
) -> None:
    file = tmp_path / "house.db"
    with opened(in_file(file)) as store:
        store.append([step(0)])
    with file.open("r+b") as damaged:
        damaged.seek(first)
        damaged.write(b"\x5a" * length)
    if beside:
        file.with_name("house.db-wal").write_bytes(bytes(64))
    before = file.read_bytes()
    with pytest.raises(error, match=says):
        open_store(f"sqlite:///{file}", only_read=only_read)
    assert file.read_bytes() == before


def test_nothing_that_a_start_or_an_append_asks_reads_a_whole_table(tmp_path: Path) -> None:
    with opened(in_file(tmp_path / "house.db")) as store:
        assert isinstance(store, SqliteStore)
        store.append([step(n) for n in range(20)])
        asked: list[tuple[str, Any]] = [(store._statements.known, (f"[{key('c1')}]",))]

        @event.listens_for(store.engine, "before_cursor_execute")
        def note(_connection: Any, _cursor: Any, statement: str, values: Any, _context: Any, _many: Any) -> None:
            asked.append((statement, values))

        check_tail(store)
        list(store.stream("table/1", 3))
        store.answer("c1")
        scans = {
            (detail, "ORDER BY log.seq DESC" in statement)
            for statement, values in asked
            if statement.startswith("SELECT")
            for *_, detail in store._raw.execute(f"EXPLAIN QUERY PLAN {statement}", values)
            if detail.startswith(("SCAN log", "SCAN touch", "SCAN before"))
        }
    # The newest entry is the first that is met on the way back.
    assert scans == {("SCAN log", True)}
    assert len(asked) > 6
