"""Copies: taken while the house runs, checked, and put back in either database."""

import threading
from pathlib import Path

import msgspec
import pytest

from aceking.house.store.backup import backup, restore
from aceking.house.store.check import check
from aceking.house.store.errors import CannotOpen, Damaged
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Snapshot, Written
from aceking.house.store.secrets import (
    Credential,
    Session,
    credential,
    session,
    set_credential,
    start_session,
)
from aceking.house.store.sql.queries import SqlStore
from tests.house.store.places import Database, in_file, opened
from tests.house.store.units import step


def _filled(place: Database) -> SqlStore:
    store = open_store(place.url)
    store.append([msgspec.structs.replace(step(n), seeds_added=((f"s{n}", bytes([n % 256])),)) for n in range(1200)])
    store.snapshot([Snapshot(stream="table/1", version=9, seq=9, format="f", body=b"state")])
    set_credential(store, Credential(person="ann", hash="h1"))
    start_session(store, Session(token_hash=b"t", person="ann", made=1, seen=1, ends=9))
    return store


def test_a_backup_is_a_house_in_a_file(real: Database, tmp_path: Path) -> None:
    store = _filled(real)
    told: list[tuple[int, int]] = []
    found = backup(store, tmp_path / "copy.db", lambda done, whole: told.append((done, whole)))
    assert (found.seq, found.hash) == store.last()
    assert told[-1] == (1200, 1200)
    with opened(in_file(tmp_path / "copy.db")) as copy:
        assert list(copy.log()) == list(store.log())
        assert (copy.heads(), copy.sealed()) == (store.heads(), store.sealed())
        assert credential(copy, "ann") == Credential(person="ann", hash="h1")
        # After a restore people log in again, and snapshots are taken again.
        assert (session(copy, b"t", at=0), copy.snapshots()) == (None, {})
        assert isinstance(copy.append([step(1200)])[0], Written)
    assert store.last()[0] == 1200
    assert session(store, b"t", at=0) is not None
    store.close()
    # Nothing is left of the making of it.
    assert {file.name for file in tmp_path.iterdir()} <= {"copy.db", "copy.db.lock", "house.db", "house.db.lock"}
    assert (tmp_path / "copy.db").stat().st_mode & 0o077 == 0


def test_a_backup_of_a_house_that_runs_is_one_moment_of_it(real: Database, tmp_path: Path) -> None:
    store = _filled(real)
    over = threading.Event()

    def run() -> None:
        number = 1200
        while not over.is_set():
            store.append([step(number), step(number + 1)])
            number += 2

    thread = threading.Thread(target=run)
    thread.start()
    try:
        copies = [backup(store, tmp_path / f"copy{n}.db") for n in range(3)]
    finally:
        over.set()
        thread.join()
    assert check(store).seq >= copies[2].seq > 1200
    for n, found in enumerate(copies):
        with opened(in_file(tmp_path / f"copy{n}.db")) as copy:
            assert copy.heads() == {"table/1": found.seq}
            # Whole batches only.
            assert found.seq % 2 == 0
    store.close()


def test_a_backup_is_restored_to_either_database(real: Database, tmp_path: Path) -> None:
    source = in_file(tmp_path / "source.db")
    store = _filled(source)
    backup(store, tmp_path / "copy.db")
    entries, sealed = list(store.log()), store.sealed()
    store.close()
    assert restore(tmp_path / "copy.db", real.url).seq == 1200
    with opened(real) as again:
        assert (list(again.log()), again.sealed()) == (entries, sealed)
        assert isinstance(again.append([step(1200)])[0], Written)
    with pytest.raises(CannotOpen, match="there is a house already"):
        restore(tmp_path / "copy.db", real.url)


def test_a_backup_does_not_write_over_a_file_and_a_damaged_one_is_not_restored(tmp_path: Path) -> None:
    store = _filled(in_file(tmp_path / "house.db"))
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(CannotOpen, match="there is a file already"):
        backup(store, tmp_path / "mine.txt")
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "mine"
    backup(store, tmp_path / "copy.db")
    store.close()
    from sqlalchemy import create_engine, text

    engine = create_engine(f"sqlite:///{tmp_path / 'copy.db'}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE log SET at = 5 WHERE seq = 700"))
    engine.dispose()
    with pytest.raises(Damaged, match="entry 700"):
        restore(tmp_path / "copy.db", f"sqlite:///{tmp_path / 'new.db'}")
    assert not (tmp_path / "new.db").exists()
    with pytest.raises(CannotOpen, match="there is no such file"):
        restore(tmp_path / "none.db", f"sqlite:///{tmp_path / 'new.db'}")
