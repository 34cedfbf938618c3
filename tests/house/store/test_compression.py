"""What is stored for a body is the body again, and the words that it is pressed against never change."""

import hashlib
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aceking.house.store.compression import pack, unpack, words


@given(st.binary(max_size=2000))
def test_any_body_comes_back(rest: bytes) -> None:
    body = b"{" + rest
    assert unpack(pack(body)) == body
    assert len(pack(body)) <= len(body)


def test_a_short_body_is_stored_as_it_is() -> None:
    body = b'{"v":1}'
    assert unpack(pack(body)) == pack(body) == body


def test_no_bit_of_what_is_stored_can_be_changed_unnoticed() -> None:
    body = b'{"v":1,"id":"' + b"an entry of the evening, " * 4 + b'"}'
    stored = pack(body)
    assert stored[0] == 2
    for bit in range(8 * len(stored)):
        changed = bytearray(stored)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ValueError, match=r"begins as no body|not those that were written"):
            unpack(bytes(changed))
    for longer in (stored + b"\x00", stored[:-1]):
        with pytest.raises(ValueError, match="not those that were written"):
            unpack(longer)


@pytest.mark.parametrize(
    ("number", "sum_"),
    [
        (1, "02efd1068a3ec748815b0636dc8bb4a3d438b6e529a41a0590841f9df8bfebbf"),
        (2, "f7d9bfcc28ec68384daa6f21de2a2eecb21ebf38ab1ec18164e2810eb0632865"),
    ],
)
def test_the_words_never_change_for_old_entries_could_not_be_read_without_them(number: int, sum_: str) -> None:
    assert hashlib.sha256(words(number)).hexdigest() == sum_


#: A body as the program of 16 November stored it, and as it stores it since.
_BODY = b'{"asked":{"do":"play","table":"7"},"at":1794850000000,"by":"ann","id":"a-request-of-ann","reply":{},"v":2}'
_STORED_BEFORE = (
    "01abb175d3ab4638069c4ed0529139c862881f2c4d2c4c0d2000ea9dc43c508b00ecf944dda2d4c252a0a775f3d37421e230"
    "8b81060043c9a81600"
)
_STORED_SINCE = (
    "027454f83228b52ffd206acd01002342070b2b931e13ca9a8888988f65e48307892aa182daf1616c5d7f4d1a0b0108fccf37"
    "873edf4a895a81e7c1c6f010a76fb83f460257cd01"
)


def test_what_was_stored_before_is_read_and_so_is_what_was_stored_since() -> None:
    assert unpack(bytes.fromhex(_STORED_BEFORE)) == _BODY
    assert unpack(bytes.fromhex(_STORED_SINCE)) == _BODY


def test_several_threads_press_at_once() -> None:
    bodies = [b'{"by":"%d","asked":"%s"}' % (number, bytes(str(number), "ascii") * 90) for number in range(300)]

    def there_and_back(_: int) -> bool:
        return all(unpack(pack(body)) == body for body in bodies for _ in range(5))

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(there_and_back, range(16)))


@pytest.mark.parametrize("stored", [b"", b"\x01", b"\x01\xff\xff\xff\xff\xff\xff", b"x\x9c broken", b"\x02", b"\x03"])
def test_what_is_no_body_is_a_value_error(stored: bytes) -> None:
    with pytest.raises(ValueError, match=r"begins as no body|not those that were written"):
        unpack(stored)


@pytest.mark.parametrize("kind", [b"\x01", b"\x02"])
def test_what_has_its_sum_and_yet_cannot_be_read_is_a_value_error(kind: bytes) -> None:
    with pytest.raises(ValueError, match=r"(?i)error"):
        unpack(kind + zlib.crc32(b"\xff\xff").to_bytes(4) + b"\xff\xff")
