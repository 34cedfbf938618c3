"""A house that the version before has written: its log is read as it is, its tables are brought forward.

`house-0001.sql` is such a house: tables 0001, units of format 1, two rounds of two players, a refusal, a closed
day, and a third round that has begun.
"""

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, inspect, text

import aceking.house.store.sql.migrate as migrating
from aceking.house.desk import Request
from aceking.house.floor import requests as w
from aceking.house.record import read_unit
from aceking.house.running import Running
from aceking.house.store.backup import backup, restore
from aceking.house.store.check import check
from aceking.house.store.errors import CannotOpen, Damaged
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Store
from aceking.house.verify import verify
from aceking.table import player as pl
from benchmarks.inside import ToldClock
from tests.house.store.places import Database, in_file, opened

DUMP = Path(__file__).with_name("house-0001.sql")
ENTRIES = 28
TABLES = ("log", "touch", "command", "head", "seal", "credential")


def _in_file(path: Path) -> sqlite3.Connection:
    raw = sqlite3.connect(path)
    raw.executescript(DUMP.read_text(encoding="utf-8"))
    return raw


def _put(place: Database, folder: Path) -> list[tuple[int, bytes]]:
    """The old house in a database; the hashes of its log."""
    if place.name == "sqlite":
        with closing(_in_file(folder / "house.db")) as raw:
            return raw.execute("SELECT seq, hash FROM log ORDER BY seq").fetchall()
    engine = create_engine(place.url.replace("postgresql:", "postgresql+psycopg:"))
    config = Config()
    config.set_main_option("script_location", str(migrating._SCRIPTS))
    config.set_main_option("path_separator", "os")
    with closing(_in_file(folder / "source.db")) as raw, engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        for table in TABLES:
            rows = raw.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in rows.description]
            values = ", ".join(f":{name}" for name in names)
            for row in rows:
                connection.execute(text(f"INSERT INTO {table} VALUES ({values})"), dict(zip(names, row, strict=True)))
        hashes = raw.execute("SELECT seq, hash FROM log ORDER BY seq").fetchall()
    engine.dispose()
    return hashes


def _changed(place: Database, statement: str) -> None:
    engine = create_engine(place.url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def _tables(place: Database) -> dict[str, list[tuple[object, ...]]]:
    engine = create_engine(place.url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        names = inspect(connection).get_table_names()
        found = {name: [tuple(row) for row in connection.execute(text(f"SELECT * FROM {name}"))] for name in names}
    engine.dispose()
    return found


def test_its_log_keeps_hashes_and_meaning(real: Database, tmp_path: Path) -> None:
    hashes = _put(real, tmp_path)
    with opened(real) as store:
        assert [(entry.seq, entry.hash) for entry in store.log()] == hashes
        assert b'"v":1' in next(store.log()).body
        assert check(store).seq == ENTRIES
        seen = verify(lambda: ((entry.seq, read_unit(entry.body)) for entry in store.log())).seen
        assert (seen.rounds, seen.shuffles, seen.decided, seen.older) == (2, 2, 26, 0)
        assert list(store.stream("meter/none")) == []
        assert len(list(store.stream("table/t1"))) == 22
    with opened(real) as store:  # and is not brought forward again
        assert store.last()[0] == ENTRIES


async def _goes_on(store: Store) -> None:
    house = Running(store, clock=ToldClock(), draw=os.urandom)
    await house.start()
    refused = {}
    for name, wish in (
        # What was answered under an id is answered so again; for another wish the id is taken.
        ("request-8", w.Play(table="t1", act=pl.PlaceAnte(box=1, amount=1))),
        ("request-9", w.Play(table="t1", act=pl.PlaceAnte(box=1, amount=1))),
        ("new", w.AddWord(table="t1", word="luck")),
    ):
        reply = await house.ask(Request(id=name, sender=w.Sender("ann", "player"), wish=wish))
        refused[name] = reply.refused.clause if reply.refused is not None else ""
    assert refused == {"request-8": "BASE-limit", "request-9": "HOUSE-id", "new": ""}
    await house.stop()


def test_it_is_played_on(real: Database, tmp_path: Path) -> None:
    _put(real, tmp_path)
    with opened(real) as store:
        asyncio.run(_goes_on(store))
        assert check(store).seq == ENTRIES + 1
        formats = [entry.body[:6] for entry in store.log()]
        assert formats == [b'{"v":1'] * ENTRIES + [b'{"v":2']


def test_a_copy_of_it_is_taken_and_put_back(real: Database, tmp_path: Path) -> None:
    hashes = _put(real, tmp_path)
    with closing(open_store(real.url)) as store:
        backup(store, tmp_path / "copy.db")
    restore(tmp_path / "copy.db", f"sqlite:///{tmp_path / 'again.db'}")
    with opened(in_file(tmp_path / "again.db")) as store:
        assert [(entry.seq, entry.hash) for entry in store.log()] == hashes


def test_an_old_copy_is_put_back_and_stays_as_it_is(real: Database, tmp_path: Path) -> None:
    _in_file(tmp_path / "copy.db").close()
    before = (tmp_path / "copy.db").read_bytes()
    assert restore(tmp_path / "copy.db", real.url).seq == ENTRIES
    assert (tmp_path / "copy.db").read_bytes() == before
    with pytest.raises(CannotOpen, match="its tables are of version 0001; start the house once"):
        open_store(f"sqlite:///{tmp_path / 'copy.db'}", only_read=True)


@pytest.mark.parametrize(
    ("how", "seq", "what"),
    [
        ("UPDATE log SET body = (SELECT body FROM log WHERE seq = 3) WHERE seq = 12", 12, "its hash does not follow"),
        ("DELETE FROM log WHERE seq = 12", 12, "it is missing; the next is 13"),
        ("DELETE FROM log WHERE seq = 1", 1, "it is missing; the next is 2"),
        ("DELETE FROM log WHERE seq = 28", 27, "the head of table/t1 is"),
        ("UPDATE head SET version = version + 1 WHERE stream = 'cage'", 28, "the head of cage is 6"),
        ("DELETE FROM touch WHERE seq = 12", 28, "touch has"),
        ("DELETE FROM command WHERE seq = 12", 28, "command has 27 rows where the log makes 28"),
    ],
)
def test_if_it_is_damaged_it_is_refused_and_left_alone(
    real: Database, tmp_path: Path, how: str, seq: int, what: str
) -> None:
    _put(real, tmp_path)
    _changed(real, how)
    before = _tables(real)
    for _ in range(2):  # nothing is held on to either
        with pytest.raises(Damaged, match=what) as refused:
            real.open()
        assert refused.value.seq == seq
    assert _tables(real) == before
