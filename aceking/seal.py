"""Commit-reveal for seeds: the commitment is published before the seed is used, the seed afterwards.

    commitment = SHA-256("aceking seed" + seed)                                  published when the seed is drawn
    number     = SHA-256(purpose + seed + a count of 8 bytes, little-endian), each number of a range equally likely

Anybody who has both can check the commitment and compute the numbers again. A seed is used for one purpose only; the
purpose is hashed as well, so that two purposes never give the same number.
"""

import hashlib
from itertools import count

SEED_BYTES = 32
_SPACE = 2**256


def commitment(seed: bytes) -> str:
    """Return the commitment to publish before the seed is used. Raises ValueError if the seed has a wrong length."""
    check(seed)
    return hashlib.sha256(b"aceking seed" + seed).hexdigest()


def check(seed: bytes) -> None:
    """Raise ValueError unless the seed has 32 bytes."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")


def number_of(seed: bytes, purpose: bytes, *, low: int, high: int) -> int:
    """Return a uniform whole number from low to high, both included. It repeats a draw that is out of range."""
    check(seed)
    span = high - low + 1
    assert span > 0, "a range has a number"
    whole = _SPACE - _SPACE % span
    for turn in count():
        block = hashlib.sha256(purpose + seed + turn.to_bytes(8, "little")).digest()
        drawn = int.from_bytes(block, "little")
        if drawn < whole:
            return low + drawn % span
    raise AssertionError("count() does not end")
