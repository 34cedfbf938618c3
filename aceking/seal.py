"""A seed that is committed to before it counts and shown after: whoever has both can work out what it decided.

    commitment = SHA-256("aceking seed" + seed)                                  on the record when the seed is drawn
    number     = SHA-256(purpose + seed + a count of 8 bytes, the low byte first), each number of a range equally likely

The same seed is never used for two things; the purpose keeps what it decides apart all the same.
"""

import hashlib
from itertools import count

SEED_BYTES = 32
_SPACE = 2**256


def commitment(seed: bytes) -> str:
    """What is shown of a seed before it counts."""
    check(seed)
    return hashlib.sha256(b"aceking seed" + seed).hexdigest()


def check(seed: bytes) -> None:
    """A seed has its length, or it is none."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")


def number_of(seed: bytes, purpose: bytes, *, low: int, high: int) -> int:
    """A whole number from low to high, both included; what lies in the incomplete end of the space is drawn again."""
    check(seed)
    span = high - low + 1
    assert span > 0, "a range has a number"
    whole = _SPACE - _SPACE % span
    for turn in count():
        block = hashlib.sha256(purpose + seed + turn.to_bytes(8, "little")).digest()
        drawn = int.from_bytes(block, "little")
        if drawn < whole:
            return low + drawn % span
    raise AssertionError("counting does not end")
