"""A log that is not what was written is refused by the entry that shows it, and nothing is changed."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, delete, insert, select, text, update

from aceking.house.record import GENESIS, body, chained
from aceking.house.store.batch import key
from aceking.house.store.check import check, check_before_tail, check_tail
from aceking.house.store.compression import unpack
from aceking.house.store.errors import Damaged
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Snapshot, Store
from aceking.house.store.sql.queries import SqlStore
from aceking.house.store.sql.tables import head, log, metadata, touch
from tests.house.store.disk import Disk
from tests.house.store.memory import MemoryStore
from tests.house.store.places import Database, in_file, opened
from tests.house.store.units import step, unit

LONG = "x" * 600


def _entry(n: int) -> bytes:
    return body(unit(f"c{n}", ("table/1", n, 1), by=LONG if n == 6 else "ann"))


def _rechained(connection: Connection, seq: int, written: bytes) -> None:
    """The forger who makes the hashes fit from there on."""
    rows = connection.execute(select(log.c.seq, log.c.body).where(log.c.seq >= seq).order_by(log.c.seq)).all()
    before = connection.execute(select(log.c.hash).where(log.c.seq == seq - 1)).scalar() or GENESIS
    for number, stored in rows:
        plain = written if number == seq else unpack(stored)
        before = chained(before, plain)
        connection.execute(update(log).where(log.c.seq == number).values(body=plain, hash=before))


def _with_body(seq: int, old: bytes, new: bytes) -> Callable[[Connection], None]:
    def forge(connection: Connection) -> None:
        _rechained(connection, seq, _entry(seq - 1).replace(old, new))

    return forge


def _said_twice(connection: Connection) -> None:
    """The forger who also makes the index lead to it."""
    _with_body(9, b'"id":"c8"', b'"id":"c2"')(connection)
    connection.execute(update(log).where(log.c.seq == 9).values(key=key("c2")))


#: What is done to a log of ten entries; the entry that is named; what is said of it.
DAMAGE: list[tuple[Callable[[Connection], object], int, str]] = [
    (
        lambda c: c.execute(update(log).where(log.c.seq == 4).values(body=_entry(3).replace(b"ann", b"bob"))),
        4,
        "its hash",
    ),
    (lambda c: c.execute(update(log).where(log.c.seq == 10).values(hash=bytes(32))), 10, "its hash"),
    (lambda c: c.execute(update(log).where(log.c.seq == 7).values(body=b"x\x9cnonsense")), 7, "cannot be read"),
    (lambda c: c.execute(delete(log).where(log.c.seq == 5)), 5, "it is missing; the next is 6"),
    (lambda c: c.execute(delete(log).where(log.c.seq == 1)), 1, "it is missing"),
    (lambda c: c.execute(delete(log).where(log.c.seq == 10)), 10, "it is missing; table/1 stands at 10 by entry 10"),
    (lambda c: c.execute(delete(log)), 1, "it is missing; table/1 stands at 10"),
    (lambda c: c.execute(update(head).values(version=11)), 10, "the head of table/1 is 11"),
    (lambda c: c.execute(update(head).values(version=9)), 10, "the head of table/1 is 9"),
    (lambda c: c.execute(delete(head)), 1, "the index of table/1 leads for 1 to None"),
    (lambda c: c.execute(update(log).where(log.c.seq == 3).values(key=0)), 3, "the index of commands leads for c2 to"),
    (lambda c: c.execute(update(head).values(number=7)), 10, "the head of table/1 is 10, and its index ends elsewhere"),
    (_with_body(9, b'"id":"c8"', b'"id":"c2"'), 9, "the index of commands leads for c2 to [3]"),
    (_said_twice, 9, "the command c2 was answered in entry 3 too"),
    (lambda c: c.execute(delete(touch).where(touch.c.version == 6)), 6, "the index of table/1"),
    (lambda c: c.execute(update(log).where(log.c.seq == 2).values(at=1)), 2, "its row is of 1 "),
    (_with_body(3, b'"after":2', b'"after":3'), 3, "it follows table/1 at 3, which stood at 2"),
    (_with_body(3, b'"v":1', b'"v":9'), 3, "it is of format 9"),
    (_with_body(8, b'"reply"', b'"postings":{"a":1},"reply"'), 8, "it does not balance"),
]


def _written(place: Database) -> None:
    with opened(place) as store:
        store.append([unit(f"c{n}", ("table/1", n, 1), by=LONG if n == 6 else "ann") for n in range(10)])


def _everything(url: str) -> dict[str, list[tuple[object, ...]]]:
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        found = {
            table.name: [tuple(row) for row in connection.execute(select(table))] for table in metadata.sorted_tables
        }
    engine.dispose()
    return found


def _damaged(url: str, how: Callable[[Connection], object]) -> None:
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        how(connection)
    engine.dispose()


@pytest.mark.parametrize(("how", "seq", "what"), DAMAGE, ids=[f"{n}-entry-{one[1]}" for n, one in enumerate(DAMAGE)])
def test_a_damaged_log_is_refused_and_left_alone(
    real: Database, how: Callable[[Connection], object], seq: int, what: str
) -> None:
    _written(real)
    _damaged(real.url, how)
    before = _everything(real.url)
    with pytest.raises(Damaged) as refused:
        real.open()
    assert (refused.value.seq, what in refused.value.what) == (seq, True), str(refused.value)
    assert f"entry {seq}" in str(refused.value)
    assert _everything(real.url) == before


def test_the_file_itself_stays_as_it_was(tmp_path: Path) -> None:
    place = in_file(tmp_path / "house.db")
    _written(place)
    _damaged(place.url, lambda c: c.execute(update(log).where(log.c.seq == 4).values(hash=bytes(32))))
    before = (tmp_path / "house.db").read_bytes()
    with pytest.raises(Damaged, match="entry 4"):
        place.open()
    assert (tmp_path / "house.db").read_bytes() == before


def _hit(store: Store) -> None:
    with store.aside() as connection:
        connection.execute(update(log).where(log.c.seq == 4).values(hash=bytes(32)))


def test_damage_before_the_newest_snapshot_is_found_at_the_start(real: Database) -> None:
    _written(real)
    with opened(real) as store:
        store.snapshot([Snapshot(stream="floor", version=10, seq=10, format="f", body=b"state")])
        _hit(store)
    with pytest.raises(Damaged, match="entry 4"):
        real.open()


def test_damage_far_before_the_newest_snapshot_is_found_by_who_looks_back(real: Database) -> None:
    _written(real)
    with opened(real) as store:
        store.snapshot([Snapshot(stream="floor", version=10, seq=10, format="f", body=b"state")])
        assert list(check_before_tail(store, back=2)) == [8]
        assert list(check_before_tail(store)) == []
        _hit(store)
        check_tail(store, back=2)
        with pytest.raises(Damaged, match="entry 4"):
            list(check_before_tail(store, back=2))


def test_damage_before_the_newest_snapshot_is_found_by_check_and_by_who_reads_it(real: Database) -> None:
    _written(real)
    with opened(real) as store:
        store.snapshot([Snapshot(stream="table/1", version=8, seq=8, format="f", body=b"state")])
        _hit(store)
        assert [entry.seq for entry in store.log(8)] == [9, 10]
        with pytest.raises(Damaged, match="entry 4"):
            check(store)
        with pytest.raises(Damaged, match="entry 4"):
            list(store.log(2))
        with pytest.raises(Damaged, match="entry 4"):
            list(store.stream("table/1", 2))


def test_a_log_that_ends_before_its_snapshot_has_lost_its_end(real: Database) -> None:
    _written(real)
    with opened(real) as store:
        store.snapshot([Snapshot(stream="table/1", version=10, seq=10, format="f", body=b"state")])

    def cut(connection: Connection) -> None:
        connection.execute(delete(log).where(log.c.seq > 6))
        connection.execute(delete(touch).where(touch.c.seq > 6))
        connection.execute(update(head).values(version=6))

    _damaged(real.url, cut)
    with pytest.raises(Damaged, match="entry 7: it is missing; a state of entry 10 is kept"):
        real.open()


@pytest.mark.parametrize(
    ("how", "what"),
    [
        (lambda c: c.execute(insert(touch).values(stream=9, version=1, seq=2)), "touch has 11 rows"),
        (lambda c: c.execute(insert(head).values(stream="table/9", version=0, number=9)), None),
    ],
)
def test_check_finds_what_the_log_never_said(
    real: Database, how: Callable[[Connection], object], what: str | None
) -> None:
    _written(real)
    with opened(real) as store:
        assert isinstance(store, SqlStore)
        with store.aside() as connection:
            how(connection)
        if what is None:
            assert check(store).heads["table/9"] == 0
            return
        with pytest.raises(Damaged, match=what):
            check(store)


def test_a_snapshot_that_cannot_be_read_is_none(real: Database) -> None:
    _written(real)
    with opened(real) as store:
        store.snapshot([Snapshot(stream="table/1", version=10, seq=10, format="f", body=b"state")])
    _damaged(
        real.url,
        lambda c: c.execute(
            text("UPDATE snapshot SET body = '\\x00'" if real.name != "sqlite" else "UPDATE snapshot SET body = x'00'")
        ),
    )
    with opened(real) as store:
        assert store.snapshots() == {}


@pytest.mark.parametrize("place", [0, 20, 100, 4096, 4096 + 100, 3 * 4096 + 8, 5 * 4096 + 50])
def test_a_file_with_rubbish_in_it_is_refused_or_whole(tmp_path: Path, place: int) -> None:
    there = in_file(tmp_path / "house.db")
    with opened(there) as store:
        store.append([step(n) for n in range(400)])
    file = tmp_path / "house.db"
    data = bytearray(file.read_bytes())
    data[place : place + 40] = b"\xff" * 40
    file.write_bytes(data)
    from aceking.house.store.errors import StoreError

    try:
        store = open_store(there.url)
    except StoreError:
        assert file.read_bytes() == data
        return
    # Nothing that is read was hit.
    try:
        check(store)
    except StoreError:
        pass
    else:
        assert [entry.body for entry in store.log()] == [body(step(n)) for n in range(400)]
    finally:
        store.close()


def test_a_spoilt_disk_is_refused(tmp_path: Path) -> None:
    disk = Disk()
    store = MemoryStore(disk)
    for n in range(3):
        store.append([step(n)])
    disk.spoil(60)
    with pytest.raises(Damaged, match="entry 1: its checksum"):
        MemoryStore(disk)
