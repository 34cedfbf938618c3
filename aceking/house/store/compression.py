"""Bodies as they are stored: compressed against what bodies have in common, where that is shorter.

The first byte tells how: a brace is the body itself; 2 is a checksum and then a frame of Zstandard with the dictionary
`words-2.zdict`; 1, as it was written before, is a checksum and then deflate with the words of `words-1.txt`. Neither
file ever changes, for without them what was stored could not be read. The checksum is of the compressed bytes: the
chain covers what a body says, and different bytes may say the same (a flipped bit in the padding of the last one).
"""

import zlib
from functools import cache
from importlib.resources import files
from threading import local

import zstandard

_BRACE, _DEFLATED, _PRESSED = b"{", b"\x01", b"\x02"
_RAW = -15  # deflate without a head
_LEVEL = 3
_SUM = 4  # bytes


@cache
def words(number: int) -> bytes:
    """What most bodies consist of."""
    return (files("aceking.house.store") / ("words-1.txt" if number == 1 else "words-2.zdict")).read_bytes()


@cache
def _dictionary() -> zstandard.ZstdCompressionDict:
    found = zstandard.ZstdCompressionDict(words(2))
    found.precompute_compress(level=_LEVEL)
    return found


class _Press(local):
    """Each thread has its own: what presses, or presses out, is one body's at a time."""

    def __init__(self) -> None:
        self.into = zstandard.ZstdCompressor(level=_LEVEL, dict_data=_dictionary(), write_dict_id=False).compress
        self.out_of = zstandard.ZstdDecompressor(dict_data=_dictionary()).decompress


_press = _Press()


def pack(body: bytes) -> bytes:
    """What is stored for a body."""
    assert body[:1] == _BRACE
    pressed = _press.into(body)
    packed = _PRESSED + zlib.crc32(pressed).to_bytes(_SUM) + pressed
    return packed if len(packed) < len(body) else body


def unpack(stored: bytes) -> bytes:
    """The body again; ValueError where it is none."""
    kind = stored[:1]
    if kind == _BRACE:
        return stored
    if kind not in (_PRESSED, _DEFLATED):
        raise ValueError("it begins as no body does")
    pressed = stored[1 + _SUM :]
    if zlib.crc32(pressed).to_bytes(_SUM) != stored[1 : 1 + _SUM]:
        raise ValueError("its bytes are not those that were written")
    try:
        if kind == _PRESSED:
            return _press.out_of(pressed)
        return zlib.decompressobj(_RAW, words(1)).decompress(pressed)
    except (zstandard.ZstdError, zlib.error) as error:
        raise ValueError(str(error)) from None
