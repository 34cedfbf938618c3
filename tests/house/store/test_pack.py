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


def test_what_was_stored_without_the_words_is_still_read() -> None:
    body = b'{"v":1,"id":"an entry of the first edition"}'
    assert unpack(zlib.compress(body)) == body
    assert unpack(body) == body


def test_the_words_never_change_for_old_entries_could_not_be_read_without_them() -> None:
    assert hashlib.sha256(words()).hexdigest() == "02efd1068a3ec748815b0636dc8bb4a3d438b6e529a41a0590841f9df8bfebbf"


@pytest.mark.parametrize("stored", [b"", b"\x01\xff\xff", b"x\x9c broken", b"\x02"])
def test_what_is_no_body_is_a_value_error(stored: bytes) -> None:
    with pytest.raises(ValueError, match="Error"):
        unpack(stored)
