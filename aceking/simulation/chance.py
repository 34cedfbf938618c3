"""Deals from a counter-based generator: the deals of a block depend on the seed and the block's number alone.

So a block can be played by any worker, again, or after a stop, and comes out the same. A deal is so many cards from the
top of a fair deck. It is drawn as digits: the first card is one of 52, the next one of the 51 that are left, and so on.
Two digits come from one number of 16 bits; a number that would favour some digits is drawn again, so that every deal is
exactly as likely as any other. Whole columns are drawn at a time, in bytes.
"""

from collections.abc import Iterator

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from numpy.typing import NDArray

from aceking.cards.array import Column

#: Rounds of a block: its columns of bytes stay in the cache of one core.
BLOCK_ROUNDS = 1 << 16
#: Seeds that are told apart.
SEEDS = 1 << 64
DECK_CARDS = 52

_WORD = 1 << 16
_NOTHING = bytes(2 * BLOCK_ROUNDS)
#: The counter of Philox has 256 bits; a block has the lower half to itself.
_BLOCK = 1 << 128

Deals = NDArray[np.uint8]


def generator(seed: int, block: int) -> np.random.Philox:
    """The stream of one block for what is drawn without cards, from distributions."""
    return np.random.Philox(key=seed, counter=block * _BLOCK)


def _stream(seed: int, block: int) -> CipherContext:
    """The stream of one block for cards: AES in counter mode, where the block has the lower half of the counter."""
    counter = block.to_bytes(8, "big") + bytes(8)
    return Cipher(AES(seed.to_bytes(16, "big")), CTR(counter)).encryptor()


def deals(seed: int, block: int, *, cards: int, rounds: int = BLOCK_ROUNDS) -> Deals:
    """The first rounds of a block, a column each: the first cards of the deck from top to bottom."""
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
    # All rounds of a block are drawn, whoever asks for fewer: so a part of a block is the start of the whole one.
    return _cards(digits[:, :rounds])


def _words(stream: CipherContext, cards: int) -> Iterator[NDArray[np.uint16]]:
    """For two digits at a time: numbers below the product of their bases, each as likely as any other."""
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
    """The next numbers of a stream."""
    room = bytearray(2 * many)
    stream.update_into(_NOTHING[: 2 * many], room)
    return np.frombuffer(room, "<u2").astype(np.uint16, copy=False)


def _cards(digits: Deals) -> Deals:
    """The digits as cards: a digit is a place among the cards that are left, so each card taken before moves it up."""
    moved = np.empty(digits.shape[1], np.bool_)
    for place in range(len(digits) - 1, 0, -1):
        card: Column = digits[place]
        for earlier in range(place - 1, -1, -1):
            np.greater_equal(card, digits[earlier], out=moved)
            card += moved.view(np.uint8)
    return digits
