"""The committed shuffle: the order of the cards is fixed before the bets close and can be checked after the round.

    commitment = SHA-256("aceking seed" + seed)                    on the record when the deck is shuffled
    key        = SHA-256("aceking deck" + seed + each word)        each word with its length before it
    stream     = ChaCha20(key, nonce 0), read as 32-bit numbers, the low byte first
    order      = Fisher-Yates from the last place down, each place by rejection

The seed is 32 bytes of the system's generator, a new one for every shuffle of every deck: no two tables share a
stream, and a shown seed says nothing about later ones. Players add words while bets are open, after the commitment,
so that neither side alone decides the order.
"""

import hashlib
import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Protocol

from aceking.seal import SEED_BYTES as SEED_BYTES
from aceking.seal import check
from aceking.seal import commitment as commitment

_BLOCK = struct.Struct("<64I")


class Chance(Protocol):
    """A source of random bytes: the system's generator, or a test's."""

    def __call__(self, count: int, /) -> bytes:
        """Return `count` unpredictable bytes."""
        ...


@lru_cache(maxsize=256)
def order_of(seed: bytes, words: tuple[str, ...], size: int) -> tuple[int, ...]:
    """Return the order of a deck of this size, from the top: the same for the same seed and words."""
    numbers = _numbers(_key(seed, words))
    cards = list(range(size))
    for last in range(size - 1, 0, -1):
        # Each place must be equally likely: a number in the last, incomplete part of the range is drawn again.
        whole = 2**32 - 2**32 % (last + 1)
        number = next(numbers)
        while number >= whole:
            number = next(numbers)
        place = number % (last + 1)
        cards[last], cards[place] = cards[place], cards[last]
    return tuple(cards)


def _key(seed: bytes, words: Iterable[str]) -> bytes:
    check(seed)
    encoded = [word.encode() for word in words]
    return hashlib.sha256(
        b"aceking deck" + seed + b"".join(len(one).to_bytes(4, "little") + one for one in encoded)
    ).digest()


def _numbers(key: bytes) -> Iterator[int]:
    """Yield 32-bit numbers from the stream of a key."""
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

    stream = Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor()
    while True:
        yield from _BLOCK.unpack(stream.update(bytes(_BLOCK.size)))
