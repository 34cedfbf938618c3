"""Deals from a counter-based generator: the deals of a block depend on the seed and the block's number alone.

So a block can be played by any worker, again, or after a stop, and comes out the same. A deal is so many cards from the
top of a fair deck. It is drawn as digits: the first card is one of 52, the next one of the 51 that are left, and so on.
Two digits come from one number of 16 bits; a number that would favour some digits is drawn again, so that every deal is
exactly as likely as any other. Whole columns are drawn at a time, in bytes.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import Column

#: Rounds of a block: its columns of bytes stay in the cache of one core.
BLOCK_ROUNDS = 1 << 16
#: Seeds that are told apart.
SEEDS = 1 << 64
DECK_CARDS = 52

_WORD = 1 << 16
#: The counter has 256 bits; a block has the lower half to itself.
_BLOCK = 1 << 128

Deals = NDArray[np.uint8]


def generator(seed: int, block: int) -> np.random.Philox:
    """The stream of random numbers of one block."""
    return np.random.Philox(key=seed, counter=block * _BLOCK)


def deals(seed: int, block: int, *, cards: int, rounds: int = BLOCK_ROUNDS) -> Deals:
    """The first rounds of a block, a column each: the first cards of the deck from top to bottom."""
    stream = generator(seed, block)
    digits = np.empty((cards, BLOCK_ROUNDS), np.uint8)
    for first, words in zip(range(0, cards, 2), _words(stream, cards), strict=True):
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


def _words(stream: np.random.Philox, cards: int) -> Iterator[NDArray[np.uint16]]:
    """For two digits at a time: numbers below the product of their bases, each as likely as any other."""
    pairs = (cards + 1) // 2
    raw = stream.random_raw(pairs * BLOCK_ROUNDS // 4).astype("<u8", copy=False).view("<u2")
    every = raw.reshape(pairs, BLOCK_ROUNDS)
    for place in range(pairs):
        left = DECK_CARDS - 2 * place
        choices = left if 2 * place + 1 == cards else left * (left - 1)
        share = _WORD // choices
        words = every[place]
        if share * choices < _WORD:
            again = np.flatnonzero(words >= share * choices)
            while len(again):
                words[again] = stream.random_raw(len(again)).astype(np.uint16)
                again = again[words[again] >= share * choices]
        yield words // np.uint16(share)


def _cards(digits: Deals) -> Deals:
    """The digits as cards: a digit is a place among the cards that are left, so each card taken before moves it up."""
    moved = np.empty(digits.shape[1], np.bool_)
    for place in range(len(digits) - 1, 0, -1):
        card: Column = digits[place]
        for earlier in range(place - 1, -1, -1):
            np.greater_equal(card, digits[earlier], out=moved)
            card += moved.view(np.uint8)
    return digits
