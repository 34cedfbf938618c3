"""Deals from a counter-based generator: the deals of a block depend only on the seed and the block's number.

So a block can be played by any worker, again, or after a stop, with the same result. A deal is the top cards of a fair
deck. It is drawn as digits: the first card is one of 52, the next one of the 51 that are left, and so on. Two digits
come from one 16-bit number; a number that would favour some digits is drawn again, so every deal is equally likely.
Whole columns are drawn at a time, in bytes.
"""

from collections.abc import Iterator

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from numpy.typing import NDArray

from aceking.cards.array import Column

#: Rounds of a block: its columns of bytes fit into the cache of one core.
BLOCK_ROUNDS = 1 << 16
#: The number of different seeds.
SEEDS = 1 << 64
DECK_CARDS = 52

_WORD = 1 << 16
_NOTHING = bytes(2 * BLOCK_ROUNDS)
#: The counter of Philox has 256 bits; a block has the lower half to itself.
_BLOCK = 1 << 128

Deals = NDArray[np.uint8]


def generator(seed: int, block: int) -> np.random.Philox:
    """Return the stream of one block for draws from distributions, without cards."""
    return np.random.Philox(key=seed, counter=block * _BLOCK)


def _stream(seed: int, block: int) -> CipherContext:
    """Return the stream of one block for cards: AES in counter mode; the block has the lower half of the counter."""
    counter = block.to_bytes(8, "big") + bytes(8)
    return Cipher(AES(seed.to_bytes(16, "big")), CTR(counter)).encryptor()


def deals(seed: int, block: int, *, cards: int, rounds: int = BLOCK_ROUNDS) -> Deals:
    """Return the first rounds of a block, a column each: the top cards of the deck in order."""
    digits = np.empty((cards, BLOCK_ROUNDS), np.uint8)
    for first, words in zip(range(0, cards, 2), _words(_stream(seed, block), cards), strict=True):
        if first + 1 == cards:
            digits[first] = words
        else:
            high = words // np.uint16(DECK_CARDS - first - 1)
            digits[first] = high
            high *= np.uint16(DECK_CARDS - first - 1)
            words -= high
            digits[first + 1] = words
    # All rounds of a block are drawn even if fewer are wanted, so a part of a block is the start of the whole.
    return _cards(digits[:, :rounds])


def _words(stream: CipherContext, cards: int) -> Iterator[NDArray[np.uint16]]:
    """Yield, for two digits at a time, numbers below the product of their bases, all equally likely."""
    for first in range(0, cards, 2):
        left = DECK_CARDS - first
        choices = left if first + 1 == cards else left * (left - 1)
        share = _WORD // choices
        words = _drawn(stream, BLOCK_ROUNDS)
        again = np.flatnonzero(words >= share * choices) if share * choices < _WORD else ()
        while len(again):
            words[again] = _drawn(stream, len(again))
            again = again[words[again] >= share * choices]
        words //= np.uint16(share)
        yield words


def _drawn(stream: CipherContext, many: int) -> NDArray[np.uint16]:
    """Return the next numbers of a stream."""
    buffer = bytearray(2 * many)
    stream.update_into(_NOTHING[: 2 * many], buffer)
    return np.frombuffer(buffer, "<u2").astype(np.uint16, copy=False)


def _cards(digits: Deals) -> Deals:
    """Return the digits as cards: a digit is a place among the cards left, so each card taken before moves it up."""
    moved = np.empty(digits.shape[1], np.bool_)
    for place in range(len(digits) - 1, 0, -1):
        card: Column = digits[place]
        for earlier in range(place - 1, -1, -1):
            np.greater_equal(card, digits[earlier], out=moved)
            card += moved.view(np.uint8)
    return digits
