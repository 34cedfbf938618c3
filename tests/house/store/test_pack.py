"""What is stored for a body is the body again, and the words that it is pressed against never change."""

import hashlib
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aceking.house.store.pack import pack, unpack, words


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
    assert stored[0] == 1
    for bit in range(8 * len(stored)):
        changed = bytearray(stored)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ValueError, match=r"begins as no body|not those that were written"):
            unpack(bytes(changed))
    for longer in (stored + b"\x00", stored[:-1]):
        with pytest.raises(ValueError, match="not those that were written"):
            unpack(longer)


def test_the_words_never_change_for_old_entries_could_not_be_read_without_them() -> None:
    assert hashlib.sha256(words()).hexdigest() == "02efd1068a3ec748815b0636dc8bb4a3d438b6e529a41a0590841f9df8bfebbf"


@pytest.mark.parametrize("stored", [b"", b"\x01", b"\x01\xff\xff\xff\xff\xff\xff", b"x\x9c broken", b"\x02"])
def test_what_is_no_body_is_a_value_error(stored: bytes) -> None:
    with pytest.raises(ValueError, match=r"begins as no body|not those that were written"):
        unpack(stored)


def test_what_has_its_sum_and_yet_cannot_be_read_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="Error"):
        unpack(b"\x01" + zlib.crc32(b"\xff\xff").to_bytes(4) + b"\xff\xff")
