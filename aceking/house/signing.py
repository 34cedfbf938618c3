"""The signature of the house for a closed day: Ed25519 over the day, the entry that closed it and its hash.

The private key is stored outside the log, among the credentials, under a reserved name; the public key is on the
record with each signature.
"""

from hashlib import sha256
from typing import TYPE_CHECKING

from aceking.house.floor.events import DaySigned
from aceking.house.floor.requests import SignDay
from aceking.house.store import secrets
from aceking.house.store.protocol import Store

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_OWNER = "house"  # a reserved name: no person has it


def key_of(store: Store) -> "Ed25519PrivateKey":
    """Return the private key of this house, created on first use."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    stored = secrets.credential(store, _OWNER)
    if stored is None:
        key = Ed25519PrivateKey.generate().private_bytes_raw().hex()
        secrets.set_credential(store, secrets.Credential(person=_OWNER, hash=key))
        stored = secrets.credential(store, _OWNER)
        assert stored is not None
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(stored.hash))


def secret_of(store: Store, use: str) -> str:
    """Return a secret of this house for one use, the same in every process that serves it."""
    return sha256(key_of(store).private_bytes_raw() + use.encode()).hexdigest()


def sign_day(key: "Ed25519PrivateKey", *, day: str, upto: int, root: str) -> SignDay:
    """Return the request that signs a day."""
    return SignDay(
        day=day,
        upto=upto,
        root=root,
        public=key.public_key().public_bytes_raw().hex(),
        signature=key.sign(_text(day, upto, root)).hex(),
    )


def holds(event: DaySigned) -> bool:
    """Return True if the signature matches the public key that it names."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(event.public))
        public.verify(bytes.fromhex(event.signature), _text(event.day, event.upto, event.root))
    except (InvalidSignature, ValueError):
        return False
    return True


def _text(day: str, upto: int, root: str) -> bytes:
    return f"aceking day {day} entry {upto} root {root}".encode()
