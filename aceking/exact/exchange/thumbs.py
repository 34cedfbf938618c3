"""Rules of thumb for stud with an exchange: when to buy a card, and when to bet."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import ACE, FIVE, RANKS
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, weakest
from aceking.exact.advice import Border, hand_text
from aceking.exact.arrays import Amounts, Index, Mask
from aceking.exact.exchange.patterns import DrawPattern
from aceking.exact.exchange.states import BET, FOLD, UpStates
from aceking.exact.stud.counts import straight_ranks

_KING, _QUEEN, _JACK = ACE - 1, ACE - 2, ACE - 3
_SIX = RANKS.index("6")
_NONE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """What a person sees in each row of states beside the hand itself."""

    ace_low: bool
    suit: Index  # the exchange that leaves four cards of one suit; -1 if there is none
    straight: Index  # the exchange that leaves four cards of different ranks which the most ranks make a straight
    ranks: NDArray[np.int64]  # the number of these ranks: 2 open, 1 inside, 0 none
    kept: Index  # those four cards, as bits
    needs_up: Mask  # a rank that would make the straight is the up-card's
    matched: Mask  # the hand holds a card of the up-card's rank


def draws_of(table: UpStates, *, ace_low: bool) -> Draws:
    rows = len(table.number)
    suit = np.full(rows, _NONE)
    drawing = np.flatnonzero(table.exchanges.draw != DrawPattern.NONE)
    # Any card of a made flush can be given up; which one does not matter, because no rule does so.
    suit[table.state[drawing]] = drawing
    bits = 1 << np.arange(len(RANKS))
    hand = bits @ (table.held > 0)
    given, state = table.exchanges.given, table.state
    single = table.held[given, state] == 1
    kept = np.where(single, hand[state] & ~bits[given], hand[state])
    completes = _completing(ace_low=ace_low)[kept]
    outs = np.array([int(many).bit_count() for many in range(1 << len(RANKS))])[completes]
    # The best straight draw of a row: most ranks first, then the highest cards.
    order = np.lexsort((kept, outs, state))
    last = order[np.append(np.flatnonzero(np.diff(state[order])), len(order) - 1)]
    return Draws(
        ace_low=ace_low,
        suit=suit,
        straight=last,
        ranks=outs[last],
        kept=kept[last],
        needs_up=(completes[last] >> table.up & 1).astype(np.bool_),
        matched=table.held[table.up] > 0,
    )


@cache
def _completing(*, ace_low: bool) -> Index:
    """Return, for each set of four ranks, the ranks that make it a straight; none for a set of another size."""
    completing = np.zeros(1 << len(RANKS), np.intp)
    runs = [straight_ranks(high, ace_low=ace_low) for high in range(FIVE, ACE + 1)]
    for run in runs:
        for missing in run:
            completing[sum(1 << rank for rank in run if rank != missing)] |= 1 << missing
    return completing


#: The decision of every row: FOLD, BET or the place of an exchange.
ThumbRule = Callable[[UpStates, Draws], Index]


@dataclass(frozen=True, slots=True)
class ExchangeThumb:
    """A rule for stud with an exchange."""

    name: str
    says: str
    source: str
    rule: ThumbRule


def three_rules(table: UpStates, draws: Draws) -> Index:
    """Bet or fold as in stud without an exchange."""
    high = table.up >= _KING
    falling = np.argsort(-(16 * (table.held > 0) + np.arange(len(RANKS))[:, None]), axis=0)
    third, fourth = falling[2], falling[3]
    bets = third >= _JACK if high else draws.matched | (third == _QUEEN) & (table.up < fourth)
    return np.where((table.category >= Category.PAIR) | ace_king(table, draws) & bets, BET, FOLD)


def ace_king(table: UpStates, draws: Draws) -> Mask:
    """Ace-king high."""
    least = ranker(ace_low=draws.ace_low).ranks.index(weakest("A K 4 3 2"))
    holds: Mask = (table.category == Category.HIGH_CARD) & (table.strength >= least)
    return holds


def with_good_draws(table: UpStates, draws: Draws, otherwise: Index) -> Index:
    """Buy a card for four of a suit and for an open straight if there is no pair; otherwise decide as `otherwise`."""
    high = table.category == Category.HIGH_CARD
    straight = np.where(high & (draws.ranks == 2), draws.straight, otherwise)
    return np.where(high & (draws.suit >= 0), draws.suit, straight)


def with_small_pairs(table: UpStates, draws: Draws, otherwise: Index) -> Index:
    """Break a pair of sixes or less below the up-card for four cards of one suit."""
    pair = np.argmax(table.held == 2, axis=0)
    small = (table.category == Category.PAIR) & (pair <= _SIX) & (pair < table.up) & (draws.suit >= 0)
    return np.where(small, draws.suit, otherwise)


def with_inside_draws(table: UpStates, draws: Draws, otherwise: Index) -> Index:
    """Buy a card for an inside straight whose four cards are all higher than the up-card."""
    lowest = draws.kept & -draws.kept
    return np.where(inside(table, draws) & (lowest > 1 << table.up), draws.straight, otherwise)


def inside(table: UpStates, draws: Draws) -> Mask:
    """Return the rows where one rank makes a straight, and it is not the up-card's."""
    plain = (table.category == Category.HIGH_CARD) & (draws.suit < 0)
    rows: Mask = plain & (draws.ranks == 1) & ~draws.needs_up
    return rows


def by_borders(table: UpStates, draws: Draws) -> tuple[Border, Index]:
    """Return the borders for one up-card that cost the least, and the decisions by them."""
    plain = np.full(len(table.number), FOLD)
    firsts: list[str | None] = []
    for matched in (True, False):
        here = draws.matched == matched
        first = _first(table.strength, np.where(here, (table.bets - table.fold) * table.number, 0))
        firsts.append(None if first is None else hand_text(ranker(ace_low=draws.ace_low).ranks[first]))
        if first is not None:
            plain[here & (table.strength >= first)] = BET
    taken = plain.copy()
    fours: list[str | None] = []
    before = table.taken(plain)
    order = _four_order(draws.kept)
    for matched in (True, False):
        here = inside(table, draws) & ((draws.kept >> table.up & 1 == 1) == matched)
        gains = np.where(here, (table.values[draws.straight] - before) * table.number, 0)
        first = _first(order, gains)
        fours.append(None if first is None else _four_text(first))
        if first is not None:
            taken = np.where(here & (order >= first), draws.straight, taken)
    taken = with_small_pairs(table, draws, with_good_draws(table, draws, taken))
    return Border(RANKS[table.up], *firsts, *fours), taken


def chart_rows(table: UpStates, draws: Draws) -> dict[str, Mask]:
    """Return the rows of the chart by what a person sees; every state is in exactly one."""
    high, pair = table.category == Category.HIGH_CARD, table.category == Category.PAIR
    four_suited = draws.suit >= 0
    by_name = {"two pair or better": table.category >= Category.TWO_PAIR, "pair": pair & ~four_suited}
    of = np.argmax(table.held == 2, axis=0)
    for rank in range(ACE, -1, -1):
        by_name[f"pair of {RANKS[rank]}, four of one suit"] = pair & four_suited & (of == rank)
    by_name["no pair, four of one suit"] = high & four_suited
    plain = high & ~four_suited
    by_name["two ranks make a straight"] = plain & (draws.ranks == 2)
    alone = plain & (draws.ranks == 1)
    order = _four_order(draws.kept)
    for four in sorted(set(order[alone].tolist()), reverse=True):
        by_name[f"{_four_text(four)}, one rank makes a straight"] = alone & (order == four)
    bare = plain & (draws.ranks == 0)
    by_name["ace-king, no draw"] = bare & ace_king(table, draws)
    by_name["less, no draw"] = bare & ~ace_king(table, draws)
    return {name: rows for name, rows in by_name.items() if rows.any()}


def _first(order: Index, gains: Amounts) -> int | None:
    """Return the place from which up acting gains the most; None if acting never gains."""
    sums = np.zeros(int(order.max()) + 1, np.int64)
    # At most 2,349,060 states for a suit of the up-card, and on average no state gains hundreds of antes.
    np.add.at(sums, order, gains)
    from_here = np.cumsum(sums[::-1])[::-1]
    first = len(from_here) - 1 - int(np.argmax(from_here[::-1]))
    return first if from_here[first] > 0 else None


def _four_order(kept: Index) -> Index:
    """Return the order of four cards by the straight they may make; an ace below the five counts as one."""
    low_ace = (kept >> ACE & 1 == 1) & (kept & ~(1 << ACE) < 1 << FIVE + 1)
    return np.where(low_ace, (kept & ~(1 << ACE)) << 1 | 1, kept << 1)


def _four_text(order: int) -> str:
    ranks = [RANKS[rank] for rank in range(ACE, -1, -1) if order >> 1 >> rank & 1]
    return " ".join([*ranks, *(["A"] if order & 1 else [])])


_GOOD_DRAWS = (
    "Without a pair buy a card for four of one suit, giving up the fifth, and for four cards that two ranks make a "
    "straight. "
)

THUMBS = (
    ExchangeThumb(
        "good draws and inside straights",
        _GOOD_DRAWS
        + "Also for four cards that one rank makes a straight, if all four are higher than the up-card. Break a "
        "pair of sixes or less for four of one suit if the up-card is higher than the pair. Else bet and fold by the "
        "three rules of stud.",
        "computed",
        lambda table, draws: with_small_pairs(
            table,
            draws,
            with_good_draws(table, draws, with_inside_draws(table, draws, three_rules(table, draws))),
        ),
    ),
    ExchangeThumb(
        "good draws",
        _GOOD_DRAWS
        + "Else bet and fold by the three rules of stud: a pair or better; ace-king that holds a card of the "
        "up-card's rank, two to queen; ace-king with a queen or jack against an ace or king; ace-king-queen whose "
        "fourth card is higher than the up-card.",
        "computed",
        lambda table, draws: with_good_draws(table, draws, three_rules(table, draws)),
    ),
    ExchangeThumb(
        "never buy a card",
        "Bet and fold by the three rules of stud, and leave the exchange alone.",
        "computed",
        three_rules,
    ),
    ExchangeThumb(
        "always bet",
        "Bet every hand, seen or not: the blind bet.",
        "computed",
        lambda table, draws: np.full(len(table.number), BET),
    ),
)
