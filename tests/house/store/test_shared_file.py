"""One SQLite file, written by several processes of one server in turns."""

import fcntl
import multiprocessing
import os
import select
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from aceking.house.store.check import check
from aceking.house.store.errors import CannotOpen, Damaged
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Conflict, Repeated, Written
from aceking.house.store.secrets import Session, session, start_session
from aceking.house.store.sql.shared_file import SharedFile, SharedSqliteStore
from tests.house.store.units import step, unit

_FORKED = multiprocessing.get_context("fork")


@pytest.fixture
def file(tmp_path: Path) -> Iterator[SharedFile]:
    found = SharedFile(tmp_path / "house.db", 2)
    yield found
    found.close()


@pytest.fixture
def two(file: SharedFile) -> Iterator[tuple[SharedSqliteStore, SharedSqliteStore]]:
    with closing(_opened(file, 0)) as one, closing(_opened(file, 1)) as other:
        yield one, other


def _opened(file: SharedFile, number: int) -> SharedSqliteStore:
    found = open_store(f"sqlite:///{file.path}", share=file.share(number))
    assert isinstance(found, SharedSqliteStore)
    return found


Two = tuple[SharedSqliteStore, SharedSqliteStore]


def test_each_writes_on_what_the_other_wrote(two: Two) -> None:
    one, other = two
    assert [type(found) for found in one.append([step(0), step(1)])] == [Written, Written]
    assert other.append([step(2), unit("d", ("table/2", 0, 3))])[1] == Written(4, other.last()[1])
    assert one.append([step(2, prefix="late")]) == [Conflict("table/1", expected=2, head=3)]
    assert one.append([step(0)]) == [Repeated(1, step(0).reply)]
    assert other.append([unit("e", ("table/2", 3, 1))]) == [Written(5, other.last()[1])]
    assert check(one) == check(other)
    assert check(one).heads == {"table/1": 3, "table/2": 4}


def test_each_hears_of_what_the_other_wrote_and_not_of_its_own(two: Two) -> None:
    one, other = two
    listener, silent = one.listen(), other.listen()
    other.append([step(0)])
    other.append([step(1)])
    assert select.select([listener.descriptor], [], [], 5)[0]
    assert listener.wait() == 2
    assert (listener.wait(), silent.wait()) == (None, None)
    other.append([step(0)])  # it is answered, and nothing is written
    assert listener.wait(0.05) is None


def test_a_notification_that_nobody_reads_for_long_tells_the_end_of_the_log(two: Two) -> None:
    one, other = two
    for number in range(3):
        other.append([step(number)])
    _fill(other._share.writes[0])
    other.append([step(3)])  # for this notification there is no place
    listener = one.listen()
    assert listener.wait() == 4
    assert listener.wait() is None


def _fill(listener: int) -> None:
    with suppress(BlockingIOError):
        while True:
            os.write(listener, (1).to_bytes(8))


def test_news_come_with_secrets_and_own_entries_are_known_by_their_hash(two: Two) -> None:
    one, other = two
    one.append([unit("a", ("table/1", 0, 1), seeds_added=(("x", b"secret"),))])
    written = other.append([unit("b", ("table/2", 0, 1))])[0]
    assert isinstance(written, Written)
    entries, secrets = other.news(0, {written.seq: written.hash})
    assert [(entry.seq, bool(entry.body)) for entry in entries] == [(1, True), (2, False)]
    assert secrets == {"x": b"secret"}
    assert other.news(0)[0] == list(one.log())
    with pytest.raises(Damaged, match="entry 2: it is not what was written"):
        other.news(0, {2: bytes(32)})


@pytest.mark.proof
def test_while_one_writes_the_other_waits_for_its_turn(two: Two) -> None:
    one, other = two
    commit = one.stage([step(0)])
    assert commit is not None
    assert other.stage([unit("x", ("table/2", 0, 1))]) is None
    assert other.last()[0] == 0  # nothing is there before the commit
    waiting = threading.Thread(target=other.append, args=([unit("x", ("table/2", 0, 1))],))
    waiting.start()
    time.sleep(0.05)
    assert waiting.is_alive()
    assert [type(found) for found in commit()] == [Written]
    waiting.join(10)
    assert check(one).heads == {"table/1": 1, "table/2": 1}


@pytest.mark.proof
def test_what_lies_apart_is_written_in_turns_too(two: Two) -> None:
    one, other = two
    commit = one.stage([step(0)])
    assert commit is not None
    known = Session(token_hash=bytes(32), person="ann", made=1, seen=1, ends=10**15)
    waiting = threading.Thread(target=start_session, args=(other, known))
    waiting.start()
    time.sleep(0.05)
    assert waiting.is_alive()
    commit()
    waiting.join(10)
    assert session(one, bytes(32), at=2) == known


def test_a_batch_that_fails_gives_the_turn_back(two: Two) -> None:
    one, other = two
    with pytest.raises(AssertionError):
        one.append([unit("twice", ("table/1", 0, 1), ("table/1", 1, 1))])
    assert [type(found) for found in other.append([step(0)])] == [Written]
    assert [type(found) for found in one.append([step(1)])] == [Written]


def test_the_house_is_locked_for_other_servers_as_long_as_it_is_there(tmp_path: Path) -> None:
    file = SharedFile(tmp_path / "house.db", 2)
    with closing(_opened(file, 0)) as one:
        one.append([step(0)])
        with pytest.raises(CannotOpen, match="another server runs this house"):
            open_store(f"sqlite:///{file.path}")
        with pytest.raises(CannotOpen, match="another server runs this house"):
            SharedFile(file.path, 2)
    file.close()
    with closing(open_store(f"sqlite:///{file.path}")) as alone:
        assert alone.last()[0] == 1


def test_where_there_is_no_file_there_is_no_house(file: SharedFile) -> None:
    with pytest.raises(CannotOpen, match="no such file"):
        open_store(f"sqlite:///{file.path}", share=file.share(0), makes=False)


def _writes(file: SharedFile, number: int, commands: int) -> None:
    store = _opened(file, number)
    for one in range(commands):
        found = store.append([step(one, f"table/{number}", prefix=f"{number}-")])
        assert isinstance(found[0], Written)
    store.close()
    os._exit(0)


@pytest.mark.proof
def test_processes_at_once_leave_one_chain(file: SharedFile) -> None:
    with closing(_opened(file, 0)):
        pass  # the tables are made
    running = [_FORKED.Process(target=_writes, args=(file, number, 200)) for number in range(2)]
    for one in running:
        one.start()
    for one in running:
        one.join(60)
    assert [one.exitcode for one in running] == [0, 0]
    with closing(_opened(file, 0)) as store:
        assert check(store).heads == {"table/0": 200, "table/1": 200}


@pytest.mark.proof
def test_a_process_that_is_killed_in_its_turn_lets_the_other_write(file: SharedFile) -> None:
    said, heard = _FORKED.Pipe()

    def holds() -> None:
        store = _opened(file, 1)
        store.append([step(0)])
        assert store.stage([step(1)]) is not None
        said.send("in the middle")
        signal.pause()

    one = _FORKED.Process(target=holds)
    with closing(_opened(file, 0)) as store:
        one.start()
        assert heard.recv() == "in the middle"
        assert store.stage([step(1, prefix="other")]) is None
        one.kill()
        one.join(30)
        assert [type(found) for found in store.append([step(1, prefix="other")])] == [Written]
        assert check(store).heads == {"table/1": 2}


def test_the_turn_is_no_file_that_others_may_read(two: Two, file: SharedFile) -> None:
    turn = Path(f"{file.path}.turn")
    assert turn.stat().st_mode & 0o077 == 0
    with turn.open() as opened:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)  # nobody writes
