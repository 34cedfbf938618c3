"""The strategy of stud against a dealer's up-card: every state, the borders, and rules of thumb."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from aceking.cards.card import ACE, RANKS
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, weakest
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
from aceking.exact.arrays import Amounts, Mask
from aceking.exact.figures import Edge
from aceking.exact.stud.rows import STATES
from aceking.exact.stud.states import States, states
from aceking.rules.book import Book

_KING, _QUEEN, _JACK = ACE - 1, ACE - 2, ACE - 3
_UP_SUIT = 3  # in the examples of `States`
_FOLD, _BET = "fold", "bet"
_CHART_ROWS = 200  # more rows cannot be read as a picture


@dataclass(frozen=True, slots=True)
class StudThumb:
    """A rule for stud: the states in which it bets."""

    name: str
    says: str
    source: str
    bets: Callable[[States], Mask]


def _pair_or_better(table: States) -> Mask:
    bets: Mask = table.categories >= Category.PAIR
    return bets


def _ace_king(table: States) -> Mask:
    holds: Mask = table.not_below(weakest("A K 4 3 2")) & (table.categories == Category.HIGH_CARD)
    return holds


def _three_rules(table: States) -> Mask:
    """Bet a pair; bet ace-king by three conditions on the up-card."""
    ranks, up = table.hands >> 2, table.ups >> 2  # ranks rise from left to right
    high_up = up >= _KING
    third = ranks[:, 2]  # the highest card beside ace and king
    matched = table.match_up & ~high_up
    against_high = high_up & (third >= _JACK)
    unmatched = ~table.match_up & (third == _QUEEN) & (up < ranks[:, 1])
    bets: Mask = _pair_or_better(table) | _ace_king(table) & (matched | against_high | unmatched)
    return bets


#: Rules that players know. The published costs are checked by the tests.
THUMBS = (
    StudThumb(
        "three rules",
        "Bet a pair or better. Bet ace-king if the up-card is a two to a queen and you hold one of its rank; if it is "
        "an ace or a king and you hold a queen or a jack; or if you hold none of its rank, hold a queen, and the "
        "up-card is lower than your fourth highest card. Fold all else.",
        "known to players",
        _three_rules,
    ),
    StudThumb(
        "A-K-J-8-3",
        "Bet ace, king, jack, eight, three or better.",
        "published: 5.316 % at the usual pays",
        lambda table: table.not_below(weakest("A K J 8 3")),
    ),
    StudThumb(
        "pair, or A-K with the up-card",
        "Bet a pair or better, and ace-king that holds a card of the up-card's rank.",
        "published: 5.334 % at the usual pays",
        lambda table: _pair_or_better(table) | _ace_king(table) & table.match_up,
    ),
    StudThumb(
        "pair or better",
        "Bet a pair or better only.",
        "published: 5.470 % at the usual pays",
        _pair_or_better,
    ),
    StudThumb(
        "A-K or better",
        "Bet any ace-king or better.",
        "published: 5.682 % at the usual pays",
        lambda table: table.not_below(weakest("A K 4 3 2")),
    ),
    StudThumb(
        "always bet",
        "Bet every hand, seen or not: the blind bet.",
        "published: 16.607 % at the usual pays",
        lambda table: np.ones(len(table.bets), np.bool_),
    ),
)


class StudKinds:
    """The states of a book by kind of hand and rank of the up-card."""

    def __init__(self, table: States) -> None:
        self.table = table
        self.ranks = ranker(ace_low=table.book.hands.ace_low).ranks
        self.up = (table.ups >> 2).astype(np.intp)
        self.kind = table.strengths.astype(np.intp) * len(RANKS) + self.up
        self.number = self.sum(table.number)
        self.bets = self.sum(np.where(table.best, table.number, 0))

    def sum(self, amounts: Amounts) -> Amounts:
        """Return integers summed by kind of hand (first axis) and rank of the up-card."""
        sums = np.zeros(len(self.ranks) * len(RANKS), np.int64)
        np.add.at(sums, self.kind, amounts)
        return sums.reshape(len(self.ranks), len(RANKS))

    @cached_property
    def gains(self) -> Amounts:
        """How much more betting is worth than folding, summed over the states of each kind, times the unit."""
        # A kind has at most a few thousand states for each up-card, so the sum stays below 2**63.
        return self.sum((self.table.bets - self.table.fold) * self.table.number)

    @cached_property
    def margins(self) -> Amounts:
        """The cost of the wrong decision, summed in the same way."""
        return self.sum(np.abs(self.table.bets - self.table.fold) * self.table.number)

    @cached_property
    def matched(self) -> Mask:
        """The kinds that hold a card of the up-card's rank."""
        matched = np.zeros(self.number.size, np.bool_)
        matched[self.kind[self.table.match_up]] = True
        return matched.reshape(self.number.shape)


def stud_strategy(book: Book, progress: CountProgress = no_progress) -> Strategy:
    table = states(book)
    kinds = StudKinds(table)
    best = table.edge(table.best)
    borders, follows = _borders(kinds)
    by_border = StudThumb(
        "by up-card",
        "For each up-card two borders: the weakest hand to bet with a card of its rank, and without one.",
        "computed: of all such borders those that cost the least",
        lambda _: follows,
    )
    carried = [_carried(kinds, thumb, best) for thumb in in_steps((by_border, *THUMBS), progress)]
    return Strategy(
        book=book.id,
        best=best,
        advice=tuple(_advice(kinds)),
        rules=tuple(sorted(carried, key=lambda rule: rule.costs)),
        borders=borders,
        chart=_chart(kinds),
        notes=_notes(book, carried),
    )


def stud_chart(book: Book, *, most: int) -> StrategyChart:
    """Return the chart alone, with at most `most` rows."""
    return _chart(StudKinds(states(book)), most)


def _chart(kinds: StudKinds, most: int = _CHART_ROWS) -> StrategyChart:
    """Return the kinds of hands that are neither always bet nor always folded; if there are many, by first ranks."""
    folds = np.flatnonzero((kinds.bets < kinds.number).any(axis=1))
    bets = np.flatnonzero((kinds.bets > 0).any(axis=1))
    if not len(bets) or not len(folds):
        return StrategyChart("Every hand is bet." if len(bets) else "Every hand is folded.", tuple(RANKS), ())
    first, last = int(bets[0]), int(folds[-1])
    for length in (5, 4, 3, 2, 1):
        groups: dict[tuple[Category, tuple[int, ...]], list[int]] = {}
        for place in range(last, first - 1, -1):
            ranked = kinds.ranks[place]
            groups.setdefault((ranked.category, ranked.ranks[:length]), []).append(place)
        if len(groups) <= most:
            break
    rows = []
    for (_, ranks), places in groups.items():
        whole = len(kinds.ranks[places[0]].ranks) == len(ranks)
        name = hand_text(kinds.ranks[places[0]]) if whole else " ".join(RANKS[rank] for rank in ranks) + " …"
        ups = range(len(RANKS))
        cells = tuple(_cell(kinds, places, up) for up in ups)
        rows.append(ChartRow(name, cells, tuple(_margin(kinds, places, up) for up in ups)))
    weak, strong = hand_text(kinds.ranks[first]), hand_text(kinds.ranks[last])
    says = f"Hands below {weak} are folded and hands above {strong} are bet, whatever the up-card."
    return StrategyChart(says, tuple(RANKS), tuple(rows))


def _cell(kinds: StudKinds, places: list[int], up: int) -> dict[str, Fraction]:
    number, bets = int(kinds.number[places, up].sum()), int(kinds.bets[places, up].sum())
    shares = {_BET: bets, _FOLD: number - bets}
    return {name: Fraction(many, number) for name, many in shares.items() if many}


def _margin(kinds: StudKinds, places: list[int], up: int) -> Fraction | None:
    number = int(kinds.number[places, up].sum())
    return Fraction(int(kinds.margins[places, up].sum()), kinds.table.unit * number) if number else None


def _notes(book: Book, carried: list[Carried]) -> tuple[str, ...]:
    always = next(rule for rule in carried if rule.name == THUMBS[-1].name)
    cost = f"{float(100 * always.edge.house_edge):.3f} % of its ante"
    match book.bet.blind:
        case "unseen-boxes":
            clause = book.cite("bet.blind")
            note = (
                f"A box that nobody looks at may be bet blind ({clause}); it costs {cost}, less than folding it unseen."
            )
            return (note,)
        case "any":
            return (f"Any hand may be bet blind ({book.cite('bet.blind')}); it costs {cost}.",)
    return ()


def _carried(kinds: StudKinds, thumb: StudThumb, best: Edge) -> Carried:
    bets = thumb.bets(kinds.table)
    edge = kinds.table.edge(bets)
    return Carried(
        name=thumb.name,
        says=thumb.says,
        source=thumb.source,
        edge=edge,
        costs=edge.house_edge - best.house_edge,
        mistakes=tuple(sorted(_mistakes(kinds, bets), key=lambda mistake: mistake.per_round, reverse=True)),
    )


def _mistakes(kinds: StudKinds, bets: Mask) -> Iterator[Mistake]:
    table = kinds.table
    for taken, wrong in ((_BET, bets & ~table.best), (_FOLD, ~bets & table.best)):
        number = kinds.sum(np.where(wrong, table.number, 0))
        costs = kinds.sum(np.where(wrong, np.abs(table.bets - table.fold) * table.number, 0))
        # If both are worth the same, either is right.
        for place, up in np.argwhere(costs):
            yield Mistake(
                hand=hand_text(kinds.ranks[place]),
                up=RANKS[up],
                taken=taken,
                best=_BET if taken == _FOLD else _FOLD,
                share=Fraction(int(number[place, up]), STATES),
                costs=Fraction(int(costs[place, up]), table.unit * int(number[place, up])),
            )


def _borders(kinds: StudKinds) -> tuple[tuple[Border, ...], Mask]:
    """Return for each up-card the two borders that cost the least, and the states that they bet."""
    bets = np.zeros(len(kinds.kind), np.bool_)
    borders = []
    strength = kinds.table.strengths
    matches = kinds.table.match_up
    for up, name in enumerate(RANKS):
        firsts = []
        for matched in (True, False):
            here = (kinds.matched[:, up] == matched) & (kinds.number[:, up] > 0)
            # Betting from a place up gains the sum of the gains above it, in Python's integers: no sum overflows.
            places = np.flatnonzero(here)
            gain, best, first = 0, 0, None
            for place in places[::-1]:
                gain += int(kinds.gains[place, up])
                if gain > best:
                    best, first = gain, int(place)
            firsts.append(None if first is None else hand_text(kinds.ranks[first]))
            if first is not None:
                bets |= (kinds.up == up) & (matches == matched) & (strength >= first)
        borders.append(Border(name, *firsts))
    return tuple(borders), bets


def border_bets(table: States) -> Mask:
    """Return the states that are bet by two borders for each up-card."""
    return _borders(StudKinds(table))[1]


def _advice(kinds: StudKinds) -> Iterator[Advice]:
    """Yield runs of hands that are played alike, for each up-card in the order of hands."""
    for up in range(len(RANKS)):
        run: list[int] = []
        for place in np.flatnonzero(kinds.number[:, up]):
            mixed = 0 < kinds.bets[place, up] < kinds.number[place, up]
            if run and (mixed or bool(kinds.bets[place, up]) != bool(kinds.bets[run[0], up])):
                yield _line(kinds, run, up)
                run = []
            if mixed:
                yield from _by_suits(kinds, int(place), up)
            else:
                run.append(int(place))
        if run:
            yield _line(kinds, run, up)


def _line(kinds: StudKinds, run: list[int], up: int) -> Advice:
    number = sum(int(kinds.number[place, up]) for place in run)
    bets = bool(kinds.bets[run[0], up])
    table = kinds.table
    gain = sum(int(kinds.gains[place, up]) for place in run) if bets else 0
    return Advice(
        weakest=hand_text(kinds.ranks[run[0]]),
        strongest=hand_text(kinds.ranks[run[-1]]),
        up=RANKS[up],
        best=_BET if bets else _FOLD,
        four_suited=None,
        suits=(),
        share=Fraction(number, STATES),
        value=Fraction(table.fold * number + gain, table.unit * number),
        margin=Fraction(sum(int(kinds.margins[place, up]) for place in run), table.unit * number),
    )


def _by_suits(kinds: StudKinds, place: int, up: int) -> Iterator[Advice]:
    """Yield the advice for a kind of hand that is bet or folded by the cards held in the up-card's suit."""
    table = kinds.table
    text = hand_text(kinds.ranks[place])
    rows = np.flatnonzero(kinds.kind == place * len(RANKS) + up)
    for decision in (_BET, _FOLD):
        decided = [int(row) for row in rows if bool(table.best[row]) == (decision == _BET)]
        number = sum(int(table.number[row]) for row in decided)
        gain = sum((int(table.bets[row]) - table.fold) * int(table.number[row]) for row in decided)
        yield Advice(
            weakest=text,
            strongest=text,
            up=RANKS[up],
            best=decision,
            four_suited=None,
            suits=tuple(suited(table, row) for row in decided),
            share=Fraction(number, STATES),
            value=Fraction(table.fold * number + (gain if decision == _BET else 0), table.unit * number),
            margin=Fraction(abs(gain), table.unit * number),
        )


def suited(table: States, row: int) -> str:
    """Return the ranks that a row's hand holds in the up-card's suit, highest first: `A 8`; `none`."""
    ranks = sorted({int(card) >> 2 for card in table.hands[row] if card & 3 == _UP_SUIT}, reverse=True)
    return " ".join(RANKS[rank] for rank in ranks) or "none"
