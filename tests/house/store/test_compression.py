"""What is stored for a body gives the body again, and the dictionary it is compressed with never changes."""

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
    assert stored[0] == 1
    for bit in range(8 * len(stored)):
        changed = bytearray(stored)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ValueError, match=r"begins as no body|not those that were written"):
            unpack(bytes(changed))
    for longer in (stored + b"\x00", stored[:-1]):
        with pytest.raises(ValueError, match="not those that were written"):
            unpack(longer)


def test_the_dictionary_never_changes_for_stored_entries_could_not_be_read_without_it() -> None:
    assert hashlib.sha256(words()).hexdigest() == "f7d9bfcc28ec68384daa6f21de2a2eecb21ebf38ab1ec18164e2810eb0632865"


def test_a_stored_entry_is_read_by_every_version_of_the_program() -> None:
    body = b'{"asked":{"do":"play","table":"7"},"at":1794850000000,"by":"ann","id":"a-request-of-ann","reply":{},"v":2}'
    stored = (
        "017454f83228b52ffd206acd01002342070b2b931e13ca9a8888988f65e48307892aa182daf1616c5d7f4d1a0b0108fccf37"
        "873edf4a895a81e7c1c6f010a76fb83f460257cd01"
    )
    assert unpack(bytes.fromhex(stored)) == body


def test_several_threads_compress_at_once() -> None:
    bodies = [b'{"by":"%d","asked":"%s"}' % (number, bytes(str(number), "ascii") * 90) for number in range(300)]

    def there_and_back(_: int) -> bool:
        return all(unpack(pack(body)) == body for body in bodies for _ in range(5))

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(there_and_back, range(16)))


@pytest.mark.parametrize("stored", [b"", b"\x01", b"\x01\xff\xff\xff\xff\xff\xff", b"x\x9c broken", b"\x02", b"\x03"])
def test_what_is_no_body_is_a_value_error(stored: bytes) -> None:
    with pytest.raises(ValueError, match=r"begins as no body|not those that were written"):
        unpack(stored)


def test_what_has_its_checksum_and_yet_cannot_be_read_is_a_value_error() -> None:
    with pytest.raises(ValueError, match=r"(?i)error"):
        unpack(b"\x01" + zlib.crc32(b"\xff\xff").to_bytes(4) + b"\xff\xff")
