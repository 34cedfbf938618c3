"""A hand that gives up one card and takes another: what it keeps, what it becomes, and which cards are dead then.

All tables are by rank. A hand is given by its place among all choices of five ranks, block after block; four kept cards
by their place among all choices of four; six dead cards (the new hand and the card given up) by theirs among all
choices of six. A fifth card of a rank does not exist: it leads to place 0, and there is no way to draw it.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from aceking.cards.card import RANKS
from aceking.cards.hand import Category
from aceking.exact.arrays import Index
from aceking.exact.stud.counts import StudCounts
from aceking.exact.stud.hands import Block, blocks, rank_choices
from aceking.exact.stud.rows import FLUSHES

# Up to four cards of each rank: a choice of ranks is a number to base five.
_KEYS = 5 ** np.arange(len(RANKS))


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """The tables of all exchanges by rank, under one rule about the ace."""

    blocks: tuple[Block, ...]  # the blocks of hands that are not of one suit
    starts: tuple[int, ...]  # the place of each block's first hand
    hands: StudCounts  # cards of each rank (first axis) in each hand
    fours: StudCounts
    sixes: StudCounts
    kept: Index  # by rank given up and hand: the four cards that are left
    after: Index  # by rank drawn and four cards: the hand that they become
    dead: Index  # by rank given up and new hand: the six cards that the player knows
    of_one_suit: Index  # by hand with five ranks: its place among hands of one suit; -1 for all other hands
    to_one_suit: tuple[Index, Index, Index]  # for hands that may be of one suit: rank drawn, four cards, place


@cache
def changes(*, ace_low: bool) -> Changes:
    mixed = tuple(block for block in blocks(ace_low=ace_low) if block.category not in FLUSHES)
    starts = np.cumsum([0, *map(len, mixed)])
    hands = np.concatenate([block.held for block in mixed], axis=1)
    fours, sixes = rank_choices(4), rank_choices(6)
    four, five, six = (_KEYS @ held for held in (fours, hands, sixes))
    of_one_suit = np.full(len(five), -1)
    single = np.concatenate(
        [np.arange(len(b)) + s for b, s in zip(mixed, starts, strict=False) if b.category in SINGLE]
    )
    of_one_suit[single] = np.arange(len(single))
    after = _find(four + _KEYS[:, None], five)
    drawn, to = np.nonzero(of_one_suit.take(after) >= 0)
    return Changes(
        blocks=mixed,
        starts=tuple(int(start) for start in starts[:-1]),
        hands=hands,
        fours=fours,
        sixes=sixes,
        kept=_find(five - _KEYS[:, None], four),
        after=after,
        dead=_find(five + _KEYS[:, None], six),
        of_one_suit=of_one_suit,
        to_one_suit=(drawn, to, of_one_suit.take(after[drawn, to])),
    )


#: The categories of hands with five different ranks that are not of one suit.
SINGLE = (Category.HIGH_CARD, Category.STRAIGHT)


def _find(wanted: Index, keys: Index) -> Index:
    """Return the place of each wanted choice of ranks; 0 if it does not exist."""
    order = np.argsort(keys)
    at = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    return np.where(keys[order][at] == wanted, order[at], 0)
