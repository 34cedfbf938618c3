"""Password hashes and sessions, stored outside the log in small tables that change; the log has the log-ins."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, delete, select, update

from aceking.house.store.protocol import Store
from aceking.house.store.sql.tables import credential as credentials
from aceking.house.store.sql.tables import session as sessions


class Credential(msgspec.Struct, frozen=True, kw_only=True):
    """The password hash of a person, and their failures since the last success."""

    person: str
    hash: str
    failures: int = 0
    locked_until: int = 0


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A person who has logged in. Only they have the token; this is its hash."""

    token_hash: bytes
    person: str
    made: int
    seen: int
    ends: int


def set_credential(store: Store, new: Credential) -> None:
    """Store a credential in place of the one before."""
    with store.aside() as connection:
        connection.execute(delete(credentials).where(credentials.c.person == new.person))
        connection.execute(credentials.insert().values(msgspec.structs.asdict(new)))


def credential(store: Store, person: str) -> Credential | None:
    if "\0" in person:
        return None  # a log-in may send any name, and PostgreSQL cannot store this character
    with store.reading() as connection:
        return _credential(connection, person)


def failed(store: Store, person: str, *, allowed: int, locked_until: int) -> Credential | None:
    """Count a failure and lock the account if there are more than `allowed`. Concurrent failures are all counted."""
    if credential(store, person) is None:
        return None
    mine = credentials.c.person == person
    with store.aside() as connection:
        connection.execute(update(credentials).where(mine).values(failures=credentials.c.failures + 1))
        connection.execute(
            update(credentials).where(mine, credentials.c.failures > allowed).values(locked_until=locked_until)
        )
        return _credential(connection, person)


def start_session(store: Store, new: Session) -> None:
    """Store a new session, reset the person's failures and end their other sessions, in one transaction."""
    mine = credentials.c.person == new.person
    with store.aside() as connection:
        # First: this locks the row, so concurrent log-ins of a person wait here.
        connection.execute(update(credentials).where(mine).values(failures=0, locked_until=0))
        connection.execute(delete(sessions).where(sessions.c.person == new.person))
        connection.execute(sessions.insert().values(msgspec.structs.asdict(new)))


def session(store: Store, token_hash: bytes, *, at: int) -> Session | None:
    """Return the session of a token, or None if it has ended."""
    return open_sessions(store, [token_hash], at=at).get(token_hash)


def open_sessions(store: Store, token_hashes: Sequence[bytes], *, at: int) -> dict[bytes, Session]:
    """Return the sessions of these tokens that have not ended, in one query."""
    query = select(sessions).where(sessions.c.token_hash.in_(token_hashes), sessions.c.ends > at)
    with store.reading() as connection:
        rows = (Session(**row._mapping) for row in connection.execute(query))
        return {row.token_hash: row for row in rows}


def end_session(store: Store, token_hash: bytes) -> None:
    with store.aside() as connection:
        connection.execute(delete(sessions).where(sessions.c.token_hash == token_hash))


def end_sessions(store: Store, *, person: str | None = None, ended_by: int | None = None) -> int:
    """End the sessions of a person, or those over by a time. Return their number."""
    assert (person is None) != (ended_by is None)
    which = sessions.c.person == person if ended_by is None else sessions.c.ends <= ended_by
    with store.aside() as connection:
        return connection.execute(delete(sessions).where(which)).rowcount


def _credential(connection: Connection, person: str) -> Credential | None:
    row = connection.execute(select(credentials).where(credentials.c.person == person)).first()
    return Credential(**row._mapping) if row else None
