"""Passwords, sessions, and the lock after repeated failures. Log-ins and refusals are on the record.

Hashes and sessions are stored outside the log. A token is 32 random bytes that only its owner has; the house stores
its hash. A person has one session: a new log-in ends the one before.
"""

import hashlib
import secrets
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from aceking.house.floor.roles import Role
from aceking.house.floor.states import People
from aceking.house.names import is_name
from aceking.house.store import secrets as stored_secrets
from aceking.house.store.protocol import Store
from aceking.house.store.secrets import Credential, Session

if TYPE_CHECKING:
    from argon2 import PasswordHasher

FAILURES_ALLOWED = 4
LOCKED_MS = 15 * 60_000
SESSION_MS = 12 * 3_600_000
PASSWORD_LEAST, PASSWORD_MOST = 10, 200


class AcceptedLogIn(msgspec.Struct, frozen=True):
    """A person who has logged in, and their token."""

    person: str
    role: Role
    token: str


class RefusedLogIn(msgspec.Struct, frozen=True):
    """A refused log-in with its reason for the record; the person is told less."""

    person: str
    why: str
    locked_until: int = 0


@cache
def _hasher() -> "PasswordHasher":
    from argon2 import PasswordHasher

    # One thread for each: a burst of log-ins must leave room for the tables.
    return PasswordHasher(parallelism=1)


@cache
def _dummy_hash() -> str:
    """Return a hash that matches no password, so that an unknown name takes as long as a wrong password."""
    return _hasher().hash(secrets.token_hex(16))


def password_fault(password: str) -> str | None:
    """Return the fault of a new password as a sentence, or None."""
    if len(password) < PASSWORD_LEAST:
        return f"a password has at least {PASSWORD_LEAST} characters"
    if len(password) > PASSWORD_MOST:
        return f"a password has at most {PASSWORD_MOST} characters"
    return "a password has more than one character in it" if len(set(password)) < 3 else None


def set_password(store: Store, person: str, password: str) -> None:
    """Set a new password and end the person's sessions."""
    stored_secrets.set_credential(store, Credential(person=person, hash=_hasher().hash(password)))
    stored_secrets.end_sessions(store, person=person)


def new_password() -> str:
    """Return a random password that can be read out: four groups of five characters."""
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(letters) for _ in range(5)) for _ in range(4))


def log_in(store: Store, people: People, name: str, password: str, *, at: int) -> AcceptedLogIn | RefusedLogIn:
    """Log a person in by their password. A refusal takes as long as a success."""
    role, known = people.role(name), stored_secrets.credential(store, name) if is_name(name) else None
    right = _matches(known.hash if known is not None else _dummy_hash(), password[:PASSWORD_MOST])
    if known is not None and known.locked_until > at:
        return RefusedLogIn(name, "the account is locked", known.locked_until)
    if role is None or known is None:
        return RefusedLogIn(name, "nobody of that name may log in")
    if not right:
        after = stored_secrets.failed(store, name, allowed=FAILURES_ALLOWED, locked_until=at + LOCKED_MS)
        locked = after.locked_until if after is not None and after.locked_until > at else 0
        return RefusedLogIn(name, "wrong password", locked)
    token = secrets.token_urlsafe(32)
    session = Session(token_hash=_hashed(token), person=name, made=at, seen=at, ends=at + SESSION_MS)
    stored_secrets.start_session(store, session)
    return AcceptedLogIn(name, role, token)


def people_of_tokens(store: Store, people: People, tokens: Sequence[str], *, at: int) -> dict[str, tuple[str, Role]]:
    """Return the person and current role of each token, without ended sessions and barred persons."""
    hashes = {token: _hashed(token) for token in tokens}
    sessions = stored_secrets.open_sessions(store, [*hashes.values()], at=at)
    people_by_token = {}
    for token, key in hashes.items():
        role = people.role(sessions[key].person) if key in sessions else None
        if role is not None:
            people_by_token[token] = (sessions[key].person, role)
    return people_by_token


def log_out(store: Store, token: str) -> None:
    stored_secrets.end_session(store, _hashed(token))


def _hashed(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _matches(stored_hash: str, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return _hasher().verify(stored_hash, password)
    except (VerificationError, InvalidHashError):
        return False
