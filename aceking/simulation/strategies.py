"""Every strategy that can be simulated: the best one, each rule of thumb, and a table from a file."""

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import RANKS
from aceking.cards.fast import ranker
from aceking.exact.arrays import Index, Mask
from aceking.exact.exchange.patterns import DrawPattern
from aceking.exact.exchange.play import UpCardPlay
from aceking.exact.exchange.states import FOLD as NO_EXCHANGE_FOLD
from aceking.exact.exchange.states import ExchangeStates, UpStates
from aceking.exact.exchange.thumbs import THUMBS, by_borders, draws_of
from aceking.exact.stud.rows import FLUSHES
from aceking.exact.stud.sizes import best_sizes
from aceking.exact.stud.states import States, states
from aceking.exact.unpriced import check_shape, has_rules_to_carry
from aceking.rules.book import Book
from aceking.simulation.decisions import BET, FOLD, GIVE, GIVE_ODD, LARGE, MIXED, NONE, DecisionRows, Decisions
from aceking.simulation.games.exchange import After
from aceking.simulation.games.game import Codes, SimulationError

OPTIMAL = "optimal"
_BY_UP_CARD = "by up-card"
_UP_SUIT = 3  # in the examples of `States`


def slug(name: str) -> str:
    """Return a name as it is typed: `three-rules` for `three rules`, `a-k-or-better` for `A-K or better`."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name).lower().split())


def strategies(book: Book) -> tuple[str, ...]:
    """Return the names of all strategies of a book, as they are typed."""
    return (OPTIMAL, *(slug(name) for name in _rules(book)))


def _rules(book: Book) -> list[str]:
    if not has_rules_to_carry(book):
        return []
    if book.dealer is None:
        from aceking.exact.community.strategy import THUMBS as COMMUNITY

        return [thumb.name for thumb in COMMUNITY]
    if book.exchange is not None:
        return [_BY_UP_CARD, *(thumb.name for thumb in THUMBS)]
    from aceking.exact.stud.strategy import THUMBS as STUD

    return [_BY_UP_CARD, *(thumb.name for thumb in STUD)]


def strategy_name(book: Book, strategy: str) -> str:
    """Return the name as in `strategies`; for a file its path. Raises SimulationError if there is no such strategy."""
    known = strategies(book)
    if slug(strategy) in known:
        return slug(strategy)
    if strategy.endswith(".json") or Path(strategy).is_file():
        check_shape(book, "a strategy is read from a file")
        return strategy
    raise SimulationError(
        f"{book.id} has no strategy {strategy!r}; there are {', '.join(known)}, or a file that ends in .json"
    )


def kinds(book: Book) -> int:
    """Return the number of kinds of hands, each against every rank of the up-card."""
    return len(ranker(ace_low=book.hands.ace_low).ranks) * len(RANKS)


# --- stud ---


def stud_rows_of(table: States) -> DecisionRows:
    """Return the rows of all states of a stud book."""
    suited = np.zeros(len(table.number), np.int64)
    for cards in table.hands.T:
        suited |= np.where(cards & 3 == _UP_SUIT, 1 << (cards >> 2).astype(np.int64), 0)
    kind = table.strengths.astype(np.intp) * len(RANKS) + (table.ups >> 2)
    return DecisionRows(kind, suited, np.zeros(len(suited), np.int64))


@lru_cache(maxsize=8)
def stud_decisions(book: Book, strategy: str) -> Decisions:
    """Return the decisions of a strategy for every hand of a book without an exchange."""
    table = states(book)
    rows = stud_rows_of(table)
    if strategy in strategies(book):
        codes = _stud_bets(table, strategy).astype(np.uint8)
        if strategy == OPTIMAL and book.bet.antes_max is not None:
            codes = np.where(best_sizes(table)[1] == book.bet.antes_max, LARGE, codes).astype(np.uint8)
    else:
        from aceking.simulation.strategy_files import codes_from_file

        codes = codes_from_file(book, strategy, [rows])[0]
    return Decisions.of(rows, codes, kinds=kinds(book))


def _stud_bets(table: States, strategy: str) -> Mask:
    from aceking.exact.stud.strategy import THUMBS as STUD
    from aceking.exact.stud.strategy import border_bets

    if strategy == OPTIMAL:
        return table.best
    if strategy == slug(_BY_UP_CARD):
        return border_bets(table)
    return next(thumb for thumb in STUD if slug(thumb.name) == strategy).bets(table)


# --- stud with an exchange ---


@lru_cache(maxsize=4)
def exchange_decisions(book: Book, strategy: str) -> tuple[Decisions, Decisions, After]:
    """Return the decisions of a strategy for every hand of a book with an exchange, and for every hand after it."""
    states_ = ExchangeStates(book)
    rows, codes, after = [], [], []
    for up in range(len(RANKS)):
        table = states_.against(up)
        rows.append(exchange_rows(table))
        after.append(_after(states_, table.cards, up))
        if strategy in strategies(book):
            codes.append(decision_codes(table, _exchange_decisions(table, strategy, ace_low=book.hands.ace_low)))
    if not codes:
        from aceking.simulation.strategy_files import codes_from_file

        codes = codes_from_file(book, strategy, rows)
    every = DecisionRows(
        *(np.concatenate(part) for part in zip(*((r.kind, r.suited, r.odd) for r in rows), strict=True))
    )
    code, drawing = np.concatenate(codes), every.odd > 0
    parts = [Decisions.of(every.where(chosen), code[chosen], kinds=kinds(book)) for chosen in (~drawing, drawing)]
    return parts[0], parts[1], _joined(after)


def exchange_rows(table: UpStates) -> DecisionRows:
    odd = np.zeros(len(table.number), np.int64)
    drawing = np.flatnonzero(table.exchanges.draw != DrawPattern.NONE)
    odd[table.state[drawing]] = table.exchanges.given[drawing] + 1
    odd[np.isin(table.category, FLUSHES)] = 0
    return DecisionRows(table.strength * len(RANKS) + table.up, table.suited.astype(np.int64), odd)


def decision_codes(table: UpStates, decisions: Index) -> Codes:
    """Return decisions (FOLD, BET or the place of an exchange) as codes of `Decisions`."""
    at = np.maximum(decisions, 0)
    draws = (table.exchanges.draw[at] != DrawPattern.NONE) & ~np.isin(table.category, FLUSHES)
    given = np.where(draws, GIVE_ODD, GIVE + table.exchanges.given[at])
    plain = np.where(decisions == NO_EXCHANGE_FOLD, FOLD, BET)
    return np.where(decisions >= 0, given, plain).astype(np.uint8)


def _exchange_decisions(table: UpStates, strategy: str, *, ace_low: bool) -> Index:
    if strategy == OPTIMAL:
        return table.best
    draws = draws_of(table, ace_low=ace_low)
    if strategy == slug(_BY_UP_CARD):
        return by_borders(table, draws)[1]
    return next(thumb for thumb in THUMBS if slug(thumb.name) == strategy).rule(table, draws)


def _after(states_: ExchangeStates, card: UpCardPlay, up: int) -> tuple[Codes, dict[int, NDArray[np.bool_]], Index]:
    """Return the decisions by rank given up and new hand, the bets of kinds that depend on suits, and their columns."""
    gains = card.gains()
    strengths = states_.strength_tables
    by_kind = np.full((len(RANKS), len(states_.ranks)), NONE, np.uint8)
    by_kind[:, strengths[0]] = np.where(gains.least > 0, BET, np.where(gains.most > 0, MIXED, FOLD))
    flushes = np.flatnonzero(states_.of_one_suit >= 0)
    assert gains.flushes_bet, "a flush is always bet"
    by_kind[:, strengths[1, flushes]] = BET
    mixed = {}
    for given, hand in np.argwhere((gains.least <= 0) & (gains.most > 0)):
        mixed[int(given * by_kind.shape[1] + strengths[0, hand])] = card.bets_by_column(int(given), int(hand))
    return by_kind.ravel(), mixed, states_.columns(up)


def _joined(parts: list[tuple[Codes, dict[int, NDArray[np.bool_]], Index]]) -> After:
    by_suits = {
        up * len(codes) + kind: bets for up, (codes, mixed, _) in enumerate(parts) for kind, bets in mixed.items()
    }
    mixed = sorted(by_suits)
    width = next((len(bets) for bets in by_suits.values()), 8)
    bets = np.array([by_suits[kind] for kind in mixed], np.bool_).reshape(len(mixed), width)
    return After(
        by_kind=np.concatenate([codes for codes, _, _ in parts]),
        mixed=np.array(mixed, np.intp),
        column=np.concatenate([columns for _, _, columns in parts]).astype(np.int16),
        bets=np.packbits(bets, axis=1, bitorder="little"),
    )


# --- against a pay table ---


@lru_cache(maxsize=8)
def community_decisions(book: Book, strategy: str) -> tuple[int, ...]:
    """Return the decisions of a strategy for each class of hands, as columns of `aceking.exact.community.play`."""
    from aceking.exact.community import strategy as community

    if strategy == OPTIMAL:
        return community.best_columns(book)
    if strategy in strategies(book):
        rule = next(thumb for thumb in community.THUMBS if slug(thumb.name) == strategy).rule
        return tuple(community.columns(book, rule))
    from aceking.simulation.strategy_files import columns_from_file

    return columns_from_file(book, strategy)
