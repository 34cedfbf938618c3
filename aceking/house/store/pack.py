"""Bodies as they are stored: compressed against a list of words that every body has, where that is shorter.

The first byte tells how: a brace is the body itself; 1 is deflate with the words of `words-1.txt`, which never changes,
for without it what was stored could not be read; anything else is zlib alone.
"""

import zlib
from functools import cache
from importlib.resources import files

_BRACE, _WITH_WORDS = b"{", b"\x01"
_RAW = -15  # deflate without a head


@cache
def words() -> bytes:
    """What most bodies consist of."""
    return (files("aceking.house.store") / "words-1.txt").read_bytes()


@cache
def _ready() -> "zlib._Compress":
    return zlib.compressobj(6, zlib.DEFLATED, _RAW, 5, zlib.Z_DEFAULT_STRATEGY, words())


def pack(body: bytes) -> bytes:
    """What is stored for a body."""
    assert body[:1] == _BRACE
    press = _ready().copy()  # one that has learnt the words already
    packed = _WITH_WORDS + press.compress(body) + press.flush()
    return packed if len(packed) < len(body) else body


def unpack(stored: bytes) -> bytes:
    """The body again; ValueError where it is none."""
    if stored[:1] == _BRACE:
        return stored
    try:
        if stored[:1] == _WITH_WORDS:
            return zlib.decompressobj(_RAW, words()).decompress(stored[1:])
        return zlib.decompress(stored)
    except zlib.error as error:
        raise ValueError(str(error)) from None
