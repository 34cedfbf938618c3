"""What every store does with a batch: in memory, in SQLite, in PostgreSQL."""

import msgspec
import pytest

from aceking.house.record import GENESIS, Unit, body, canonical, chained, read_unit
from aceking.house.store.check import check
from aceking.house.store.errors import Damaged
from aceking.house.store.protocol import Clash, Conflict, Repeated, Snapshot, Store, Written
from tests.house.store.places import Place, opened
from tests.house.store.units import step, unit


def test_a_new_store_is_empty(store: Store) -> None:
    assert store.last() == (0, GENESIS)
    assert (store.heads(), list(store.log()), list(store.stream("table/1"))) == ({}, [], [])
    assert (store.sealed(), store.snapshots(), store.answer("c1")) == ({}, {}, None)
    assert check(store).seq == 0


def test_units_follow_each_other_in_one_batch(store: Store) -> None:
    units = [step(0), step(1), step(2)]
    first = chained(GENESIS, body(units[0]))
    outcomes = store.append(units)
    assert outcomes[0] == Written(1, first)
    assert outcomes[1] == Written(2, chained(first, body(units[1])))
    assert [entry.body for entry in store.log()] == [body(one) for one in units]
    assert store.heads() == {"table/1": 3}
    assert store.last() == (3, outcomes[2].hash) if isinstance(outcomes[2], Written) else False


def test_a_unit_moves_all_its_streams_or_none(store: Store) -> None:
    store.append([step(0), step(0, "meter/m", prefix="m")])
    stale = unit("c9", ("table/1", 1, 2), ("meter/m", 0, 1))
    assert store.append([stale]) == [Conflict("meter/m", expected=0, head=1)]
    assert store.heads() == {"table/1": 1, "meter/m": 1}
    good = unit("c9", ("table/1", 1, 2), ("meter/m", 1, 1))
    assert isinstance(store.append([good])[0], Written)
    assert store.heads() == {"table/1": 3, "meter/m": 2}


@pytest.mark.parametrize("after", [0, 1, 3, 4])
def test_a_version_behind_or_ahead_is_a_conflict(store: Store, after: int) -> None:
    store.append([step(0), step(1)])
    assert store.append([unit("x", ("table/1", after, 1))]) == [Conflict("table/1", expected=after, head=2)]
    assert store.append([unit("x", ("table/1", 2, 1))])[0] == Written(3, store.last()[1])


def test_one_that_conflicts_does_not_fail_the_others(store: Store) -> None:
    outcomes = store.append([step(0), unit("late", ("table/1", 0, 1)), unit("next", ("table/1", 2, 1)), step(1)])
    assert [type(one) for one in outcomes] == [Written, Conflict, Conflict, Written]
    # What was built on the refused one is refused by its version.
    assert outcomes[2] == Conflict("table/1", expected=2, head=1)
    assert store.heads() == {"table/1": 2}


def test_what_was_decided_on_a_unit_that_is_not_written_is_not_written_either(store: Store) -> None:
    store.append([step(0, prefix="other")])  # another process was faster, by one event as well
    on = frozenset({"c0"})
    refused = unit("refused", seen=(("table/1", 1),), on=on)
    mine = [step(0), msgspec.structs.replace(step(1), on=on), refused, unit("apart", ("cage", 0, 1))]
    outcomes = store.append(mine)
    assert outcomes[:3] == [
        Conflict("table/1", expected=0, head=1),
        Conflict("table/1", expected=1, head=1),  # the number fits, what it stands for does not
        Conflict("table/1", expected=1, head=1),
    ]
    assert isinstance(outcomes[3], Written)


def test_a_unit_is_not_written_when_a_stream_that_it_was_decided_on_has_moved(store: Store) -> None:
    store.append([step(0, "people", prefix="p")])
    looked = unit("looked", ("table/1", 0, 1), seen=(("people", 0),))
    assert store.append([looked]) == [Conflict("people", expected=0, head=1)]
    refused = unit("refused", seen=(("people", 1), ("table/1", 0)))
    assert isinstance(store.append([refused])[0], Written)
    assert store.heads() == {"people": 1}


def test_the_same_command_again_gets_the_first_answer_and_happens_once(store: Store) -> None:
    (first,) = store.append([step(0)])
    store.append([step(1)])
    again = msgspec.structs.replace(step(0), reply=canonical({"done": "otherwise"}))
    assert store.append([again]) == [Repeated(1, canonical({"done": "c0"}))]
    assert store.answer("c0") == Repeated(1, canonical({"done": "c0"}))
    assert isinstance(first, Written)
    assert store.last()[0] == 2


def test_the_same_command_twice_in_one_batch_happens_once(store: Store) -> None:
    outcomes = store.append([step(0), step(0), unit("c0", ("table/1", 1, 1), asks="another thing")])
    assert [type(one) for one in outcomes] == [Written, Repeated, Clash]
    assert store.heads() == {"table/1": 1}


def test_the_same_id_with_another_content_is_refused(store: Store) -> None:
    store.append([step(0)])
    assert store.append([unit("c0", ("table/1", 1, 1), asks="another thing")]) == [Clash()]
    assert store.last()[0] == 1


def test_an_id_that_was_refused_may_come_again(store: Store) -> None:
    store.append([step(0)])
    assert isinstance(store.append([unit("x", ("table/1", 0, 1))])[0], Conflict)
    assert store.answer("x") is None
    assert isinstance(store.append([unit("x", ("table/1", 1, 1), asks="decided anew")])[0], Written)


def test_a_unit_without_events_is_on_the_record(store: Store) -> None:
    assert isinstance(store.append([unit("refused access")])[0], Written)
    assert store.heads() == {}
    assert check(store).seq == 1


def test_an_empty_batch_is_nothing(store: Store) -> None:
    assert store.append([]) == []
    assert store.last() == (0, GENESIS)


def test_a_secret_comes_and_goes_with_its_unit(store: Store) -> None:
    store.append([msgspec.structs.replace(step(0), seeds_added=(("a", b"\x00\xff"), ("b", b"2")))])
    assert store.sealed() == {"a": b"\x00\xff", "b": b"2"}
    # A refused unit leaves secrets as they are.
    store.append(
        [msgspec.structs.replace(unit("x", ("table/1", 0, 1)), seeds_added=(("c", b"3"),), seeds_deleted=("a",))]
    )
    assert store.sealed() == {"a": b"\x00\xff", "b": b"2"}
    # In one batch, in the order of the units; within a unit the old goes before the new comes.
    store.append(
        [
            msgspec.structs.replace(step(1), seeds_deleted=("a", "b"), seeds_added=(("a", b"new"), ("d", b"4"))),
            msgspec.structs.replace(step(2), seeds_deleted=("d", "unknown")),
        ]
    )
    assert store.sealed() == {"a": b"new"}
    assert all(b"new" not in entry.body for entry in store.log())


def test_a_stream_is_read_by_itself(store: Store) -> None:
    store.append([step(0), step(0, "table/10", prefix="x"), unit("two", ("table/1", 1, 2), ("meter/m", 0, 1))])
    store.append([step(1, "table/10", prefix="x"), unit("last", ("table/1", 3, 1))])

    def ids(name: str, after: int = 0) -> list[str]:
        return [read_unit(entry.body).id for entry in store.stream(name, after)]

    assert ids("table/1") == ["c0", "two", "last"]
    assert ids("table/10") == ["x0", "x1"]
    assert ids("meter/m") == ["two"]
    # The unit that brought the stream to 3 began before 2: a reader at version 2 needs it.
    assert ids("table/1", 2) == ["two", "last"]
    assert ids("table/1", 3) == ["last"]
    assert ids("table/1", 4) == []


def test_the_log_is_read_in_parts(store: Store) -> None:
    # More than two pages of a read.
    store.append([step(n) for n in range(1203)])
    assert [entry.seq for entry in store.log()] == list(range(1, 1204))
    assert [entry.seq for entry in store.log(1200)] == [1201, 1202, 1203]
    assert [entry.seq for entry in store.log(499, 502)] == [500, 501, 502]
    assert [entry.seq for entry in store.log(1202, 5000)] == [1203]
    assert list(store.log(1203)) == []
    # Who stands beyond the end has seen entries that are gone.
    with pytest.raises(Damaged, match="entry 1204: it is missing"):
        list(store.log(1204))
    assert len(list(store.stream("table/1"))) == 1203


@pytest.mark.parametrize("size", [0, 100, 400, 5_000, 300_000])
def test_long_and_short_bodies_come_back_as_they_were(store: Store, size: int) -> None:
    long: Unit = msgspec.structs.replace(step(0), asked=canonical({"text": "½ " * size}))
    store.append([long])
    (entry,) = store.log()
    assert entry.body == body(long)
    assert read_unit(entry.body) == long


def test_everything_is_there_after_it_was_closed(place: Place) -> None:
    with opened(place) as store:
        store.append([msgspec.structs.replace(step(0), seeds_added=(("a", b"1"),)), step(1)])
        store.snapshot([Snapshot(stream="table/1", version=1, seq=1, format="f", body=b"state")])
        before = (store.last(), store.heads(), store.sealed(), list(store.log()), store.snapshots())
    with opened(place) as store:
        assert (store.last(), store.heads(), store.sealed(), list(store.log()), store.snapshots()) == before
        assert store.append([step(0), step(2)]) == [
            Repeated(1, canonical({"done": "c0"})),
            Written(3, store.last()[1]),
        ]
        assert check(store).heads == {"table/1": 3}


def test_a_batch_with_a_bug_in_it_leaves_nothing(place: Place) -> None:
    with opened(place) as store:
        with pytest.raises(AssertionError, match="sum to 5"):
            store.append([step(0), unit("bug", ("table/1", 1, 1), postings={"a": 5})])
        with pytest.raises(AssertionError, match="named twice"):
            store.append([unit("bug", ("table/1", 0, 1), ("table/1", 1, 1))])
        with pytest.raises(AssertionError, match="table/1 has no events"):
            store.append([unit("bug", ("table/1", 0, 0))])
        assert store.last() == (0, GENESIS)
        assert isinstance(store.append([step(0)])[0], Written)
    with opened(place) as store:
        assert store.heads() == {"table/1": 1}


def test_snapshots_are_the_newest_of_each_stream_and_may_be_forgotten(place: Place) -> None:
    def taken(stream: str, number: int, text: bytes) -> Snapshot:
        return Snapshot(stream=stream, version=number, seq=number, format="table-2", body=text)

    with opened(place) as store:
        store.append([step(n) for n in range(5)])
        store.snapshot([taken("table/1", 2, b"two")])
        store.snapshot([taken("table/1", 4, b"four"), taken("cage", 1, b"x" * 10_000)])
        store.snapshot([taken("table/1", 3, b"late")])
        assert store.snapshots() == {"table/1": taken("table/1", 4, b"four"), "cage": taken("cage", 1, b"x" * 10_000)}
    with opened(place) as store:
        assert store.snapshots().keys() == {"table/1", "cage"}
        assert store.heads() == {"table/1": 5}


def test_check_tells_how_far_it_is(store: Store) -> None:
    store.append([step(n) for n in range(1203)])
    told: list[tuple[int, int]] = []
    check(store, lambda done, whole: told.append((done, whole)))
    assert told == [(500, 1203), (1000, 1203), (1203, 1203)]


def test_what_stands_on_a_lost_unit_of_its_batch_is_lost_though_the_versions_agree(store: Store) -> None:
    store.append([step(0, prefix="theirs"), step(1, prefix="theirs")])
    first = unit("mine0", ("table/1", 0, 2))  # as many events as theirs
    then = msgspec.structs.replace(unit("mine1", ("table/1", 2, 1)), on=frozenset({"mine0"}))
    assert [type(one) for one in store.append([first, then])] == [Conflict, Conflict]
    assert isinstance(store.append([unit("mine1", ("table/1", 2, 1))])[0], Written)


def test_what_moves_nothing_is_written_where_what_it_saw_still_holds(store: Store) -> None:
    store.append([step(0)])
    early = msgspec.structs.replace(unit("early"), seen=(("table/1", 0),))
    late = msgspec.structs.replace(unit("late"), seen=(("table/1", 1), ("cage", 0)))
    assert [type(one) for one in store.append([early, late])] == [Conflict, Written]
    assert check(store).heads == {"table/1": 1}
