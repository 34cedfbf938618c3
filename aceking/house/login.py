"""The door: passwords, sessions, and the lock after repeated failures (R18). What happens at it is on the record.

Hashes and sessions lie apart from the log. A token is 32 bytes that only its owner has; the house keeps its hash. One
person has one session: a new log-in ends the one before.
"""

import hashlib
import secrets
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from aceking.house.floor.roles import Role
from aceking.house.floor.states import People
from aceking.house.store import secrets as apart
from aceking.house.store.protocol import Store
from aceking.house.store.secrets import Credential, Session

if TYPE_CHECKING:
    from argon2 import PasswordHasher

FAILURES_ALLOWED = 4
LOCKED_MS = 15 * 60_000
SESSION_MS = 12 * 3_600_000
PASSWORD_LEAST, PASSWORD_MOST = 10, 200


class Entered(msgspec.Struct, frozen=True):
    """Somebody who has logged in, and the token that only he gets."""

    person: str
    role: Role
    token: str


class Turned(msgspec.Struct, frozen=True):
    """Somebody who was not let in, and why, for the record; he himself is told less."""

    person: str
    why: str
    locked_until: int = 0


@cache
def _hasher() -> "PasswordHasher":
    from argon2 import PasswordHasher

    # One thread for each: a burst of log-ins must leave room for the tables.
    return PasswordHasher(parallelism=1)


@cache
def _nobody() -> str:
    """A hash that no password has: an unknown name takes as long as a wrong password."""
    return _hasher().hash(secrets.token_hex(16))


def weak(password: str) -> str | None:
    """What is wrong with a password, if anything."""
    if len(password) < PASSWORD_LEAST:
        return f"a password has at least {PASSWORD_LEAST} characters"
    if len(password) > PASSWORD_MOST:
        return f"a password has at most {PASSWORD_MOST} characters"
    return "a password has more than one character in it" if len(set(password)) < 3 else None


def set_password(store: Store, person: str, password: str) -> None:
    """A new password; sessions under the old one are over."""
    apart.set_credential(store, Credential(person=person, hash=_hasher().hash(password)))
    apart.end_sessions(store, person=person)


def new_password() -> str:
    """A password that nobody guesses and that can be read out: four groups of five."""
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(letters) for _ in range(5)) for _ in range(4))


def log_in(store: Store, people: People, name: str, password: str, *, at: int) -> Entered | Turned:
    """Lets somebody in who has the password; takes as long for one who has not."""
    role, known = people.role(name), apart.credential(store, name)
    right = _matches(known.hash if known is not None else _nobody(), password[:PASSWORD_MOST])
    if known is not None and known.locked_until > at:
        return Turned(name, "the account is locked", known.locked_until)
    if role is None or known is None:
        return Turned(name, "nobody of that name may log in")
    if not right:
        after = apart.failed(store, name, allowed=FAILURES_ALLOWED, locked_until=at + LOCKED_MS)
        locked = after.locked_until if after is not None and after.locked_until > at else 0
        return Turned(name, "wrong password", locked)
    token = secrets.token_urlsafe(32)
    apart.start_session(store, Session(token_hash=_hashed(token), person=name, made=at, seen=at, ends=at + SESSION_MS))
    return Entered(name, role, token)


def whose(store: Store, people: People, tokens: Sequence[str], *, at: int) -> dict[str, tuple[str, Role]]:
    """Whose these tokens are, and their parts now; nobody's where the session is over or he may no longer log in."""
    hashes = {token: _hashed(token) for token in tokens}
    standing = apart.standing(store, [*hashes.values()], at=at)
    found = {}
    for token, key in hashes.items():
        role = people.role(standing[key].person) if key in standing else None
        if role is not None:
            found[token] = (standing[key].person, role)
    return found


def log_out(store: Store, token: str) -> None:
    """The session is over."""
    apart.end_session(store, _hashed(token))


def _hashed(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _matches(kept: str, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return _hasher().verify(kept, password)
    except (VerificationError, InvalidHashError):
        return False
