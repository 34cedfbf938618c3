"""Entry bodies as they are stored: compressed with Zstandard and a fixed dictionary if that makes them shorter.

The first byte tells which: a brace is the body itself; 1 is followed by a checksum and a Zstandard frame. The
dictionary `words-1.zdict` never changes, since stored entries cannot be read without it. The checksum covers the
compressed bytes: the chain of hashes covers the body, and different frames may hold the same body (a flipped bit in
the last padding).
"""

import zlib
from functools import cache
from importlib.resources import files
from threading import local

import zstandard

_BRACE, _COMPRESSED = b"{", b"\x01"
_LEVEL = 3
_CHECKSUM = 4  # bytes


@cache
def words() -> bytes:
    """Return the dictionary: byte strings that most bodies contain."""
    return (files("aceking.house.store") / "words-1.zdict").read_bytes()


@cache
def _dictionary() -> zstandard.ZstdCompressionDict:
    found = zstandard.ZstdCompressionDict(words())
    found.precompute_compress(level=_LEVEL)
    return found


class _Zstandard(local):
    """One compressor and one decompressor for each thread: neither may be used by two at once."""

    def __init__(self) -> None:
        self.compress = zstandard.ZstdCompressor(level=_LEVEL, dict_data=_dictionary(), write_dict_id=False).compress
        self.decompress = zstandard.ZstdDecompressor(dict_data=_dictionary()).decompress


_zstandard = _Zstandard()


def pack(body: bytes) -> bytes:
    """Return the bytes to store for a body."""
    assert body[:1] == _BRACE
    frame = _zstandard.compress(body)
    packed = _COMPRESSED + zlib.crc32(frame).to_bytes(_CHECKSUM) + frame
    return packed if len(packed) < len(body) else body


def unpack(stored: bytes) -> bytes:
    """Return the body of a stored entry, decompressed if need be. Raises ValueError if the bytes are damaged."""
    kind = stored[:1]
    if kind == _BRACE:
        return stored
    if kind != _COMPRESSED:
        raise ValueError("it begins as no body does")
    frame = stored[1 + _CHECKSUM :]
    if zlib.crc32(frame).to_bytes(_CHECKSUM) != stored[1 : 1 + _CHECKSUM]:
        raise ValueError("its bytes are not those that were written")
    try:
        return _zstandard.decompress(frame)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None
