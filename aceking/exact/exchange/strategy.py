"""The strategy of stud with an exchange: every state, the borders for each up-card, and rules of thumb."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from aceking.cards.card import RANKS
from aceking.exact.advice import (
    Advice,
    Border,
    Carried,
    ChartRow,
    CountProgress,
    Mistake,
    Strategy,
    StrategyChart,
    hand_text,
    in_steps,
    no_progress,
)
from aceking.exact.arrays import Amounts, Index, Mask
from aceking.exact.exchange.patterns import DrawPattern
from aceking.exact.exchange.states import BET, FOLD, ExchangeStates, PlayedStates, UpStates
from aceking.exact.exchange.thumbs import THUMBS, Draws, by_borders, chart_rows, draws_of
from aceking.exact.stud.rows import STATES
from aceking.rules.book import Book

_BY_BORDERS = (
    "For each up-card borders: the weakest hand to bet with a card of its rank and without one, and the weakest four "
    "cards to buy to that one rank makes a straight, unless that rank is the up-card's. Beyond that buy a card for "
    "four of one suit without a pair, for four cards that two ranks make a straight, and for four of one suit with a "
    "pair of sixes or less under the up-card."
)
_BORDERS = ("by up-card", _BY_BORDERS, "computed: of all such borders those that cost the least")
# Decisions of a row as codes: fold, bet, give up the odd suit, or give up a card of a rank.
_NAMES = ("fold", "bet", "exchange the odd suit", *(f"exchange {rank}" for rank in RANKS))
_FOLDS, _BETS, _ODD, _RANK = 0, 1, 2, 3
_HALF = 20


#: How often each decision is the best, and what the next best costs.
_Cell = tuple[dict[str, Fraction], Fraction]
_NO_CELL: tuple[dict[str, Fraction], None] = ({}, None)


@dataclass(frozen=True, slots=True)
class _Against:
    """The strategy against one up-card."""

    border: Border
    chart: dict[str, _Cell]
    advice: list[Advice]
    best: PlayedStates
    rules: list[tuple[PlayedStates, list[Mistake]]]


def exchange_strategy(book: Book, progress: CountProgress = no_progress) -> Strategy:
    states = ExchangeStates(book)
    # One up-card at a time: all states of one take about 60 MB.
    by_up = [against(states, up) for up in in_steps(range(len(RANKS)), progress)]
    best = states.edge([each.best for each in by_up])
    texts = [_BORDERS, *((thumb.name, thumb.says, thumb.source) for thumb in THUMBS)]
    rules = []
    for place, text in enumerate(texts):
        edge = states.edge([each.rules[place][0] for each in by_up])
        mistakes = [mistake for each in by_up for mistake in each.rules[place][1]]
        mistakes.sort(key=lambda each: each.per_round, reverse=True)
        rules.append(Carried(*text, edge, edge.house_edge - best.house_edge, tuple(mistakes)))
    return Strategy(
        book=book.id,
        best=best,
        advice=tuple(line for each in by_up for line in each.advice),
        rules=tuple(sorted(rules, key=lambda rule: rule.costs)),
        borders=tuple(each.border for each in by_up),
        chart=_chart([each.chart for each in by_up]),
        notes=_notes(book, rules),
    )


def exchange_chart(book: Book) -> StrategyChart:
    states = ExchangeStates(book)
    by_up = []
    for up in range(len(RANKS)):
        table = states.against(up)
        draws = draws_of(table, ace_low=book.hands.ace_low)
        by_up.append(_cells(_Kinds(states, table, draws, table.best)))
    return _chart(by_up)


def _chart(by_up: list[dict[str, _Cell]]) -> StrategyChart:
    names = dict.fromkeys(name for cells in by_up for name in cells)
    rows = []
    for name in names:
        row = [cells.get(name, _NO_CELL) for cells in by_up]
        rows.append(ChartRow(name, tuple(shares for shares, _ in row), tuple(margin for _, margin in row)))
    return StrategyChart(
        "What the best play does with each kind of hand; a cell that is parted goes by the other cards and by suits.",
        tuple(RANKS),
        tuple(rows),
    )


def _cells(kinds: "_Kinds") -> dict[str, _Cell]:
    return {name: kinds.cell(rows) for name, rows in chart_rows(kinds.table, kinds.draws).items()}


def _notes(book: Book, rules: list[Carried]) -> tuple[str, ...]:
    if book.bet.blind is None:
        return ()
    cost = float(100 * rules[-1].edge.house_edge)
    return (f"A hand may be bet unseen ({book.cite('bet.blind')}); such a blind bet costs {cost:.3f} % of the ante.",)


def against(states: ExchangeStates, up: int) -> _Against:
    table = states.against(up)
    draws = draws_of(table, ace_low=states.book.hands.ace_low)
    border, follows = by_borders(table, draws)
    best = table.best
    kinds = _Kinds(states, table, draws, best)
    taken = (follows, *(thumb.rule(table, draws) for thumb in THUMBS))
    rules = [(states.play(table, decisions), list(kinds.mistakes(decisions))) for decisions in taken]
    return _Against(border, _cells(kinds), list(kinds.advice()), states.play(table, best), rules)


class _Kinds:
    """The rows against one up-card by kind of hand."""

    def __init__(self, states: ExchangeStates, table: UpStates, draws: Draws, best: Index) -> None:
        self._states = states
        self.table = table
        self.draws = draws
        self._best = best
        self._code = self._codes(best)
        self._value = table.taken(best)
        self._margin = self._value - self._second()

    def cell(self, rows: Mask) -> _Cell:
        """Return how often each decision is the best in these rows, and what the next best costs."""
        best, number = self._best[rows], self.table.number[rows]
        shares = {"bet": best == BET, "exchange": best >= 0, "fold": best == FOLD}
        whole = int(number.sum())
        best_shares = {name: Fraction(int(number[here].sum()), whole) for name, here in shares.items() if here.any()}
        return best_shares, Fraction(_product(number, self._margin[rows]), self._states.unit * whole)

    def _codes(self, decisions: Index) -> Index:
        at = np.maximum(decisions, 0)
        exchanges = self.table.exchanges
        # In a pair, two cards of one rank can be given up; with a draw to a flush, only one of them leaves the draw.
        given = np.where(exchanges.draw[at] == DrawPattern.NONE, _RANK + exchanges.given[at], _ODD)
        return np.where(decisions == FOLD, _FOLDS, np.where(decisions == BET, _BETS, given))

    def _second(self) -> Amounts:
        """Return the value of the next best decision."""
        table, rows = self.table, len(self._best)
        chosen = np.zeros(len(table.values), np.bool_)
        chosen[self._best[self._best >= 0]] = True
        low = min(int(table.values.min()), int(table.bets.min()), table.fold) - 1
        others = np.full(rows, low, np.int64)
        np.maximum.at(others, table.state, np.where(chosen, low, table.values))
        others = np.maximum(others, np.where(self._best == BET, low, table.bets))
        return np.maximum(others, np.where(self._best == FOLD, low, table.fold))

    def mistakes(self, taken: Index) -> Iterator[Mistake]:
        """Yield the mistakes of a rule, by kind of hand."""
        table, unit = self.table, self._states.unit
        lost = self._value - table.taken(taken)
        wrong = np.flatnonzero(lost)
        code = self._codes(taken)
        key = (table.strength[wrong] * len(_NAMES) + code[wrong]) * len(_NAMES) + self._code[wrong]
        kinds, into = np.unique(key, return_inverse=True)
        number, costs = np.zeros(len(kinds), np.int64), np.zeros(len(kinds), np.int64)
        # A kind has at most 4,080 states for a rank of the up-card: the sums stay below 2**63.
        np.add.at(number, into, table.number[wrong])
        np.add.at(costs, into, lost[wrong] * table.number[wrong])
        for kind, many, cost in zip(kinds.tolist(), number.tolist(), costs.tolist(), strict=True):
            rest, best = divmod(kind, len(_NAMES))
            strength, decision = divmod(rest, len(_NAMES))
            yield Mistake(
                hand=hand_text(self._states.ranks[strength]),
                up=RANKS[table.up],
                taken=_NAMES[decision],
                best=_NAMES[best],
                share=Fraction(many, STATES),
                costs=Fraction(cost, unit * many),
            )

    def advice(self) -> Iterator[Advice]:
        """Yield runs of hands that are played alike, in their order: without four of one suit, then with them."""
        table = self.table
        for four_suited in (False, True):
            rows = np.flatnonzero((self.draws.suit >= 0) == four_suited)
            rows = rows[np.argsort(table.strength[rows], kind="stable")]
            starts = np.flatnonzero(np.diff(table.strength[rows], prepend=-1))
            code = self._code[rows]
            least, most = np.minimum.reduceat(code, starts).tolist(), np.maximum.reduceat(code, starts).tolist()
            begins, first = starts.tolist(), None
            for place, (low, high) in enumerate(zip(least, most, strict=True)):
                if first is not None and (low != high or low != least[first]):
                    yield self._line(rows[begins[first] : begins[place]], four_suited=four_suited)
                    first = None
                if low == high:
                    first = place if first is None else first
                    continue
                kind = rows[begins[place] : begins[place + 1] if place + 1 < len(begins) else None]
                for each in np.unique(self._code[kind]):
                    alike = kind[self._code[kind] == each]
                    yield self._line(alike, four_suited=four_suited, suits=self._suits(alike))
            if first is not None:
                yield self._line(rows[begins[first] :], four_suited=four_suited)

    def _suits(self, rows: Index) -> tuple[str, ...]:
        """Return for each row the cards held in the up-card's suit, and the odd card beside four of one suit."""
        table = self.table
        texts = []
        for row in rows:
            bits = int(table.suited[row])
            text = " ".join(RANKS[rank] for rank in reversed(range(len(RANKS))) if bits >> rank & 1) or "none"
            odd = self.draws.suit[row]
            texts.append(text if odd < 0 else f"{text}; odd {RANKS[table.exchanges.given[odd]]}")
        return tuple(dict.fromkeys(texts))

    def _line(self, rows: Index, *, four_suited: bool, suits: tuple[str, ...] = ()) -> Advice:
        table, unit = self.table, self._states.unit
        each = table.number[rows]
        number = int(each.sum())
        value, margin = _product(each, self._value[rows]), _product(each, self._margin[rows])
        return Advice(
            weakest=hand_text(self._states.ranks[table.strength[rows[0]]]),
            strongest=hand_text(self._states.ranks[table.strength[rows[-1]]]),
            up=RANKS[table.up],
            best=_NAMES[self._code[rows[0]]],
            four_suited=four_suited,
            suits=suits,
            share=Fraction(number, STATES),
            value=Fraction(value, unit * number),
            margin=Fraction(margin, unit * number),
        )


def _product(numbers: Amounts, amounts: Amounts) -> int:
    """Return the sum of the products, computed in two halves so that neither exceeds 64 bits."""
    high, low = amounts >> _HALF, amounts & (1 << _HALF) - 1
    return (int(numbers @ high) << _HALF) + int(numbers @ low)
