"""The bytes of a unit, their chain, and units of the format before."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import insert

from aceking.house.record import GENESIS, Unreadable, body, canonical, chained, read_unit, total
from aceking.house.store.batch import key
from aceking.house.store.check import check
from aceking.house.store.errors import Damaged
from aceking.house.store.sql.queries import SqlStore
from aceking.house.store.sql.tables import head, log, touch
from aceking.house.upcast import PAST, PastFormat
from tests.house.store.places import in_file
from tests.house.store.units import unit

V0 = Path(__file__).with_name("log-v0.jsonl")


def test_a_body_is_canonical_and_reads_back() -> None:
    one = unit("c1", ("table/1", 4, 2), ("meter/m", 0, 1), postings={"tray": 5, "ann": -5})
    written = body(one)
    assert json.loads(written)["v"] == 1
    # Whatever the order in which its parts were put together, the bytes are the same.
    assert body(msgspec.structs.replace(one, postings={"ann": -5, "tray": 5})) == written
    assert canonical({"b": 1, "a": {"d": 2, "c": 3}}) == msgspec.Raw(b'{"a":{"c":3,"d":2},"b":1}')
    assert read_unit(written) == one
    assert body(read_unit(written)) == written


def test_a_secret_is_never_in_the_body() -> None:
    plain = unit("c1", ("table/1", 0, 1))
    secret = msgspec.structs.replace(plain, seeds_added=(("table/1/7", b"seed"),), seeds_deleted=("table/1/6",))
    assert body(secret) == body(plain)


def test_the_chain_is_sha_256_over_the_hash_before_and_the_body() -> None:
    assert chained(GENESIS, b"{}") == sha256(bytes(32) + b"{}").digest()
    assert chained(chained(GENESIS, b"{}"), b"{}") == sha256(sha256(bytes(32) + b"{}").digest() + b"{}").digest()


def test_postings_sum_to_nothing_when_written() -> None:
    assert total({"a": 1, "b": "-2/3", "c": "-1/3"}) == 0
    with pytest.raises(AssertionError, match="sum to -1/3"):
        body(unit("c1", postings={"a": "1/3", "b": "-2/3"}))


def test_postings_sum_to_nothing_when_read() -> None:
    forged = body(unit("c1", postings={"a": 1, "b": -1})).replace(b'"a":1', b'"a":2')
    with pytest.raises(Unreadable, match="sum to 1"):
        read_unit(forged)


@pytest.mark.parametrize("raw", [b"", b"{", b'{"a":1}}', b"1,2", b"nul"])
def test_what_is_no_json_is_not_written(raw: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        body(unit("c1", reply=msgspec.Raw(raw)))


@pytest.mark.parametrize("written", [b"", b"{}", b"[]", b'{"v":1}', b'{"v":"1"}', b"\xff\xfe"])
def test_what_is_no_unit_is_not_read(written: bytes) -> None:
    with pytest.raises(Unreadable, match="is no unit"):
        read_unit(written)


@pytest.mark.parametrize("name", ["", "a\0b", "a\nb", "x" * 201])
def test_an_id_that_some_database_cannot_hold_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="1 to 200 printable characters"):
        unit(name)
    assert unit("é" * 200).id == "é" * 200


def test_a_unit_of_a_format_to_come_is_refused_by_its_number() -> None:
    later = body(unit("c1")).replace(b'"v":1', b'"v":2')
    with pytest.raises(Unreadable, match="is of format 2; this program reads 1 to 1"):
        read_unit(later)


def _box_for_chair(event: dict[str, Any]) -> dict[str, Any]:
    """In format 0 a player took a chair."""
    return {("box" if key == "chair" else key): value for key, value in event.items()}


def _sat(event: dict[str, Any]) -> dict[str, Any]:
    """In format 0 the meter's contribution was a bare number of cents."""
    return {**event, "parts": event["cents"] * 100} if "cents" in event else event


BEFORE = PastFormat(oldest=0, steps={(0, "table", "seat-taken"): _box_for_chair, (0, "meter", "contributed"): _sat})


def _v0() -> list[tuple[bytes, bytes]]:
    lines = [json.loads(line) for line in V0.read_text(encoding="utf-8").splitlines()]
    return [(line["body"].encode(), bytes.fromhex(line["hash"])) for line in lines]


def test_a_log_of_the_format_before_keeps_its_hashes_and_its_meaning() -> None:
    before, events = GENESIS, []
    for written, stored_hash in _v0():
        # The hash is over what was stored, not over what it is read as.
        before = chained(before, written)
        assert before == stored_hash
        events += [msgspec.json.decode(event) for part in read_unit(written, BEFORE).parts for event in part.events]
    assert events == [
        {"is": "table-opened", "book": "rws"},
        {"is": "seat-taken", "box": 3, "who": "ann"},
        {"is": "anted", "chair": 3, "stake": 10},  # only the named event of the named stream is changed
        {"event": "contributed", "cents": 71, "parts": 7100},
    ]


def test_a_store_with_units_of_the_format_before_is_whole_for_who_knows_it(tmp_path: Path) -> None:
    place = in_file(tmp_path / "house.db")
    store = place.open()
    assert isinstance(store, SqlStore)
    heads: dict[str, int] = {}
    with store.aside() as connection:
        for seq, (written, stored_hash) in enumerate(_v0(), 1):
            found = read_unit(written, BEFORE)
            row = {"seq": seq, "at": found.at, "key": key(found.id), "body": written, "hash": stored_hash}
            connection.execute(insert(log).values(row))
            for part in found.parts:
                heads[part.stream] = part.version
                number = [*heads].index(part.stream)
                connection.execute(insert(touch).values(stream=number, version=part.version, seq=seq))
        for number, (stream, version) in enumerate(heads.items()):
            connection.execute(insert(head).values(stream=stream, version=version, number=number))
    assert check(store, past=BEFORE).seq == 3
    with pytest.raises(Damaged, match="entry 1: it is of format 0"):
        check(store, past=PAST)
    store.close()
