"""The strategy of any book: the complete best play as data, and rules that a person can remember, with their costs."""

from collections import Counter
from dataclasses import asdict
from fractions import Fraction
from typing import Any

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
    in_steps,
    no_progress,
)
from aceking.exact.games import rounded
from aceking.exact.unpriced import check_one_size, check_shape
from aceking.rules.book import Book

__all__ = ["Advice", "Border", "Carried", "Mistake", "Strategy", "chart", "strategy", "strategy_data"]

#: The hands of Colorado's kind of game: three cards of 52.
_HANDS = 22_100
#: A rule errs in thousands of kinds of hands; the most expensive ones show what is wrong with it.
MISTAKES_SHOWN = 20


def strategy(book: Book, *, progress: CountProgress = no_progress) -> Strategy:
    """Return the strategy of the book; `progress` is called after each step. Raises UnpricedError."""
    check_one_size(book, "a strategy is written")
    check_shape(book, "a strategy is written")
    if book.dealer is None:
        return _community(book, progress)
    if book.exchange is not None:
        from aceking.exact.exchange.strategy import exchange_strategy

        return exchange_strategy(book, progress)
    from aceking.exact.stud.strategy import stud_strategy

    return stud_strategy(book, progress)


def chart(book: Book, *, most: int) -> StrategyChart:
    """Return the chart of the best play; `most` limits the rows if rows are kinds of hands. Raises UnpricedError."""
    check_one_size(book, "a chart is drawn")
    check_shape(book, "a chart is drawn")
    if book.dealer is None:
        return _community_chart(_community_lines(book))
    if book.exchange is not None:
        from aceking.exact.exchange.strategy import exchange_chart

        return exchange_chart(book)
    from aceking.exact.stud.strategy import stud_chart

    return stud_chart(book, most=most)


def _community(book: Book, progress: CountProgress) -> Strategy:
    from aceking.exact.community import edge as community
    from aceking.exact.community.strategy import THUMBS, edge_of, mistakes

    best = community.edge(book)
    rules = []
    for thumb in in_steps(THUMBS, progress):
        edge = edge_of(book, thumb.rule)
        errors = [
            Mistake(mistake.cards, None, mistake.taken, mistake.best, Fraction(mistake.deals, _HANDS), mistake.costs)
            for mistake in mistakes(book, thumb.rule)
        ]
        costs = edge.house_edge - best.house_edge
        rules.append(Carried(thumb.name, thumb.says, "computed", edge, costs, tuple(errors)))
    lines = _community_lines(book)
    return Strategy(
        book=book.id,
        best=best,
        advice=tuple(lines),
        rules=tuple(sorted(rules, key=lambda rule: rule.costs)),
        borders=(),
        chart=_community_chart(lines),
        notes=(
            "Each line of the strategy stands for all hands that differ from its cards only in the names of suits.",
        ),
    )


def _community_lines(book: Book) -> list[Advice]:
    from aceking.exact.community.strategy import advice

    return [
        Advice(
            weakest=line.cards,
            strongest=line.cards,
            up=None,
            best=line.best,
            four_suited=None,
            suits=(),
            share=Fraction(line.deals, _HANDS),
            value=line.value,
            margin=line.margin,
        )
        for line in advice(book)
    ]


def _community_chart(lines: list[Advice]) -> StrategyChart:
    """Return the chart of three-card hands: the highest rank against the next one, and which card is laid aside."""
    shares: dict[tuple[int, int], Counter[str]] = {}
    costs: dict[tuple[int, int], Fraction] = {}
    for line in lines:
        ranks = sorted((RANKS.index(card[0]) for card in line.weakest.split()), reverse=True)
        decision, _, discard = line.best.partition(" discard ")
        if discard:
            decision = f"{decision}, lay aside the {_place_of(RANKS.index(discard[0]), ranks)}"
        place, hands = (ranks[0], ranks[1]), int(line.share * _HANDS)
        shares.setdefault(place, Counter())[decision] += hands
        costs[place] = costs.get(place, Fraction(0)) + line.margin * hands
    rows = []
    for high in reversed(range(len(RANKS))):
        cells: list[dict[str, Fraction]] = []
        margins: list[Fraction | None] = []
        for middle in reversed(range(len(RANKS))):
            counts = shares.get((high, middle), Counter())
            cells.append({name: Fraction(many, counts.total()) for name, many in sorted(counts.items())})
            margins.append(costs[high, middle] / counts.total() if counts else None)
        rows.append(ChartRow(RANKS[high], tuple(cells), tuple(margins)))
    says = "Down: the highest card; across: the next. A parted cell goes by the third card and by suits."
    return StrategyChart(says, tuple(reversed(RANKS)), tuple(rows))


def _place_of(rank: int, falling: list[int]) -> str:
    """Return which of three cards that is. A card beside a pair is the highest or lowest; so is a card of a pair."""
    place = falling.index(rank)
    if len(set(falling)) < len(falling):
        place = 2 * (place > 0)
    return ("highest", "middle", "lowest")[place]


def strategy_data(plan: Strategy, *, mistakes: int | None = MISTAKES_SHOWN) -> dict[str, Any]:
    """Return the strategy as JSON data: exact figures as "p/q", rounded ones as numbers."""
    return {
        "book": plan.book,
        "house_edge": rounded(plan.best.house_edge),
        "net_per_ante": str(plan.best.net_per_ante),
        "decisions": {name: rounded(share) for name, share in plan.best.decisions.items()},
        "rules": [_rule_data(rule, mistakes) for rule in plan.rules],
        "borders": [asdict(border) for border in plan.borders],
        "chart": {
            "says": plan.chart.says,
            "columns": list(plan.chart.columns),
            "rows": [
                {"name": row.name, "cells": [{name: str(share) for name, share in cell.items()} for cell in row.cells]}
                for row in plan.chart.rows
            ],
        },
        "notes": list(plan.notes),
        "advice": [_advice_data(line) for line in plan.advice],
    }


def _rule_data(rule: Carried, mistakes: int | None) -> dict[str, Any]:
    return {
        "name": rule.name,
        "says": rule.says,
        "source": rule.source,
        "house_edge": rounded(rule.edge.house_edge),
        "net_per_ante": str(rule.edge.net_per_ante),
        "costs": str(rule.costs),
        "errs_in": len(rule.mistakes),
        "mistakes": [
            {
                "hand": mistake.hand,
                "up": mistake.up,
                "taken": mistake.taken,
                "best": mistake.best,
                "share": str(mistake.share),
                "costs": str(mistake.costs),
                "per_round": str(mistake.per_round),
            }
            for mistake in rule.mistakes[:mistakes]
        ],
    }


def _advice_data(line: Advice) -> dict[str, Any]:
    return {
        "weakest": line.weakest,
        "strongest": line.strongest,
        "up": line.up,
        "four_suited": line.four_suited,
        "suits": list(line.suits),
        "best": line.best,
        "share": str(line.share),
        "value": str(line.value),
        "margin": str(line.margin),
    }
