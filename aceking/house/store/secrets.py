"""What lies apart from the log: password hashes and sessions. Small tables that change; the log has the log-ins."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, delete, select, update

from aceking.house.store.protocol import Store
from aceking.house.store.sql.tables import credential as credentials
from aceking.house.store.sql.tables import session as sessions


class Credential(msgspec.Struct, frozen=True, kw_only=True):
    """How a person proves who he is, and how often somebody failed to since the last success."""

    person: str
    hash: str
    failures: int = 0
    locked_until: int = 0


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who has logged in. The token itself is only his."""

    token_hash: bytes
    person: str
    made: int
    seen: int
    ends: int


def set_credential(store: Store, one: Credential) -> None:
    """A new hash, or a new lock, in place of what there was."""
    with store.aside() as connection:
        connection.execute(delete(credentials).where(credentials.c.person == one.person))
        connection.execute(credentials.insert().values(msgspec.structs.asdict(one)))


def credential(store: Store, person: str) -> Credential | None:
    """The person's hash and failures."""
    if "\0" in person:
        return None  # whoever knocks may call himself anything; PostgreSQL has no text for this
    with store.reading() as connection:
        return _credential(connection, person)


def drop_credential(store: Store, person: str) -> None:
    """The person can no longer log in."""
    with store.aside() as connection:
        connection.execute(delete(credentials).where(credentials.c.person == person))


def failed(store: Store, person: str, *, allowed: int, locked_until: int) -> Credential | None:
    """One failure more, and the lock where that was one too many; several at once are all counted."""
    if credential(store, person) is None:
        return None
    mine = credentials.c.person == person
    with store.aside() as connection:
        connection.execute(update(credentials).where(mine).values(failures=credentials.c.failures + 1))
        connection.execute(
            update(credentials).where(mine, credentials.c.failures > allowed).values(locked_until=locked_until)
        )
        return _credential(connection, person)


def start_session(store: Store, one: Session) -> None:
    """Somebody has logged in: his failures are forgotten and his other sessions over, in one transaction."""
    mine = credentials.c.person == one.person
    with store.aside() as connection:
        # First, for whoever logs in twice at once waits here.
        connection.execute(update(credentials).where(mine).values(failures=0, locked_until=0))
        connection.execute(delete(sessions).where(sessions.c.person == one.person))
        connection.execute(sessions.insert().values(msgspec.structs.asdict(one)))


def session(store: Store, token_hash: bytes, *, at: int) -> Session | None:
    """Whose token it is, if the session has not ended."""
    return standing(store, [token_hash], at=at).get(token_hash)


def standing(store: Store, token_hashes: Sequence[bytes], *, at: int) -> dict[bytes, Session]:
    """Of these the sessions that have not ended, with one question to the database."""
    asked = select(sessions).where(sessions.c.token_hash.in_(token_hashes), sessions.c.ends > at)
    with store.reading() as connection:
        found = (Session(**row._mapping) for row in connection.execute(asked))
        return {one.token_hash: one for one in found}


def seen(store: Store, token_hash: bytes, *, at: int, ends: int) -> None:
    """The session goes on."""
    with store.aside() as connection:
        connection.execute(update(sessions).where(sessions.c.token_hash == token_hash).values(seen=at, ends=ends))


def end_session(store: Store, token_hash: bytes) -> None:
    """Logged out."""
    with store.aside() as connection:
        connection.execute(delete(sessions).where(sessions.c.token_hash == token_hash))


def end_sessions(store: Store, *, person: str | None = None, ended_by: int | None = None) -> int:
    """Ends those of a person, or those whose time was over by then; how many there were."""
    assert (person is None) != (ended_by is None)
    which = sessions.c.person == person if ended_by is None else sessions.c.ends <= ended_by
    with store.aside() as connection:
        return connection.execute(delete(sessions).where(which)).rowcount


def _credential(connection: Connection, person: str) -> Credential | None:
    row = connection.execute(select(credentials).where(credentials.c.person == person)).first()
    return Credential(**row._mapping) if row else None
