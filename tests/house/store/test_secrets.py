"""Password hashes and sessions: beside the log, in every store."""

from aceking.house.store.protocol import Store
from aceking.house.store.secrets import (
    Credential,
    Session,
    credential,
    end_session,
    end_sessions,
    failed,
    session,
    set_credential,
    start_session,
)
from tests.house.store.places import Place, opened


def test_a_credential_counts_failures_and_locks(store: Store) -> None:
    assert credential(store, "ann") is None
    assert failed(store, "ann", allowed=2, locked_until=900) is None
    assert credential(store, "a\0") is None
    assert failed(store, "a\0", allowed=2, locked_until=900) is None
    set_credential(store, Credential(person="ann", hash="h1"))
    set_credential(store, Credential(person="bob", hash="h2"))
    for failures in (1, 2):
        assert failed(store, "ann", allowed=2, locked_until=900) == Credential(
            person="ann", hash="h1", failures=failures
        )
    locked = Credential(person="ann", hash="h1", failures=3, locked_until=900)
    assert failed(store, "ann", allowed=2, locked_until=900) == locked
    assert credential(store, "bob") == Credential(person="bob", hash="h2")
    start_session(store, Session(token_hash=b"t", person="ann", made=1, seen=1, ends=9))
    assert credential(store, "ann") == Credential(person="ann", hash="h1")
    set_credential(store, Credential(person="ann", hash="h3"))
    assert credential(store, "ann") == Credential(person="ann", hash="h3")


def test_a_session_ends_by_time_by_itself_and_with_its_person(store: Store) -> None:
    for number, person in enumerate(["ann", "cas", "bob"]):
        one = Session(token_hash=bytes([number]) * 32, person=person, made=10, seen=10, ends=100 + number)
        start_session(store, one)
    assert session(store, b"\x00" * 32, at=99) == Session(
        token_hash=b"\x00" * 32, person="ann", made=10, seen=10, ends=100
    )
    assert session(store, b"\x00" * 32, at=100) is None
    assert session(store, b"\x09" * 32, at=0) is None
    assert end_sessions(store, ended_by=101) == 2
    assert session(store, b"\x01" * 32, at=0) is None
    end_session(store, b"\x02" * 32)
    assert session(store, b"\x02" * 32, at=0) is None
    start_session(store, Session(token_hash=b"\x03" * 32, person="ann", made=60, seen=60, ends=160))
    assert session(store, b"\x00" * 32, at=0) is None  # one person has one session
    assert end_sessions(store, person="ann") == 1
    assert session(store, b"\x03" * 32, at=0) is None


def test_they_outlive_the_process(place: Place) -> None:
    with opened(place) as store:
        set_credential(store, Credential(person="ann", hash="h1"))
    with opened(place) as store:
        assert credential(store, "ann") == Credential(person="ann", hash="h1")
        assert store.last()[0] == 0
