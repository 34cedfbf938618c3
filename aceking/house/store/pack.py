"""Bodies as they are stored: compressed against a list of words that every body has, where that is shorter.

The first byte tells how: a brace is the body itself; 1 is a checksum and then deflate with the words of `words-1.txt`,
which never changes, for without it what was stored could not be read. The checksum is of the compressed bytes: the
chain covers what a body says, and different bytes may say the same (a flipped bit in the padding of the last one).
"""

import zlib
from functools import cache
from importlib.resources import files

_BRACE, _WITH_WORDS = b"{", b"\x01"
_RAW = -15  # deflate without a head
_WINDOW = -14  # what it is written with: the words and most bodies lie within it, and it is copied for every body
_SUM = 4  # bytes


@cache
def words() -> bytes:
    """What most bodies consist of."""
    return (files("aceking.house.store") / "words-1.txt").read_bytes()


@cache
def _ready() -> "zlib._Compress":
    return zlib.compressobj(6, zlib.DEFLATED, _WINDOW, 5, zlib.Z_DEFAULT_STRATEGY, words())


def pack(body: bytes) -> bytes:
    """What is stored for a body."""
    assert body[:1] == _BRACE
    press = _ready().copy()  # one that has learnt the words already
    pressed = press.compress(body) + press.flush()
    packed = _WITH_WORDS + zlib.crc32(pressed).to_bytes(_SUM) + pressed
    return packed if len(packed) < len(body) else body


def unpack(stored: bytes) -> bytes:
    """The body again; ValueError where it is none."""
    if stored[:1] == _BRACE:
        return stored
    if stored[:1] != _WITH_WORDS:
        raise ValueError("it begins as no body does")
    pressed = stored[1 + _SUM :]
    if zlib.crc32(pressed).to_bytes(_SUM) != stored[1 : 1 + _SUM]:
        raise ValueError("its bytes are not those that were written")
    try:
        return zlib.decompressobj(_RAW, words()).decompress(pressed)
    except zlib.error as error:
        raise ValueError(str(error)) from None
