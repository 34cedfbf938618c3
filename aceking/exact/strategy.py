"""How to play any book: the complete best strategy as data, and what a person can carry, with its price."""

from collections import Counter
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from aceking.cards.card import RANKS
from aceking.exact.advice import Advice, Border, Carried, Chart, ChartRow, Mistake, Strategy, Tell, in_steps, nobody
from aceking.exact.games import rounded
from aceking.exact.unpriced import check_one_size, check_shape
from aceking.rules.book import Book

__all__ = ["Advice", "Border", "Carried", "Mistake", "Strategy", "chart", "strategy", "strategy_data"]

#: The hands of Colorado's kind of game: three cards of 52.
_HANDS = 22_100
#: A rule errs in thousands of kinds of hands; the dearest tell what is wrong with it.
MISTAKES_SHOWN = 20


def strategy(book: Book, *, tell: Tell = nobody) -> Strategy:
    """How to play the book; `tell` hears how much of the work is done."""
    check_one_size(book, "a strategy is written")
    check_shape(book, "a strategy is written")
    if book.dealer is None:
        return _community(book, tell)
    if book.exchange is not None:
        from aceking.exact.exchange.strategy import exchange_strategy

        return exchange_strategy(book, tell)
    from aceking.exact.stud.strategy import stud_strategy

    return stud_strategy(book, tell)


def chart(book: Book, *, most: int) -> Chart:
    """The best play as a picture, without what else a strategy has; `most` rows where rows are kinds of hands."""
    check_one_size(book, "a chart is drawn")
    check_shape(book, "a chart is drawn")
    if book.dealer is None:
        return _community_chart(_community_lines(book))
    if book.exchange is not None:
        from aceking.exact.exchange.strategy import exchange_chart

        return exchange_chart(book)
    from aceking.exact.stud.strategy import stud_chart

    return stud_chart(book, most=most)


def _community(book: Book, tell: Tell) -> Strategy:
    from aceking.exact.community import edge as community
    from aceking.exact.community.strategy import THUMBS, edge_of, mistakes

    best = community.edge(book)
    rules = []
    for thumb in in_steps(THUMBS, tell):
        edge = edge_of(book, thumb.rule)
        found = [
            Mistake(one.cards, None, one.taken, one.best, Fraction(one.deals, _HANDS), one.costs)
            for one in mistakes(book, thumb.rule)
        ]
        costs = edge.house_edge - best.house_edge
        rules.append(Carried(thumb.name, thumb.says, "computed", edge, costs, tuple(found)))
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
            weakest=one.cards,
            strongest=one.cards,
            up=None,
            best=one.best,
            four_suited=None,
            suits=(),
            share=Fraction(one.deals, _HANDS),
            value=one.value,
            margin=one.margin,
        )
        for one in advice(book)
    ]


def _community_chart(lines: list[Advice]) -> Chart:
    """The two highest ranks against each other; what is laid aside of three."""
    shares: dict[tuple[int, int], Counter[str]] = {}
    costs: dict[tuple[int, int], Fraction] = {}
    for line in lines:
        ranks = sorted((RANKS.index(one[0]) for one in line.weakest.split()), reverse=True)
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
            found = shares.get((high, middle), Counter())
            cells.append({name: Fraction(many, found.total()) for name, many in sorted(found.items())})
            margins.append(costs[high, middle] / found.total() if found else None)
        rows.append(ChartRow(RANKS[high], tuple(cells), tuple(margins)))
    says = "Down: the highest card; across: the next. A parted cell goes by the third card and by suits."
    return Chart(says, tuple(reversed(RANKS)), tuple(rows))


def _place_of(rank: int, falling: list[int]) -> str:
    """Which of three cards that is. A card beside a pair is the highest or the lowest; so is one of a pair."""
    place = falling.index(rank)
    if len(set(falling)) < len(falling):
        place = 2 * (place > 0)
    return ("highest", "middle", "lowest")[place]


def strategy_data(found: Strategy, *, mistakes: int | None = MISTAKES_SHOWN) -> dict[str, Any]:
    """The strategy as JSON has it: exact figures as "p/q", shown ones as numbers."""
    return {
        "book": found.book,
        "house_edge": rounded(found.best.house_edge),
        "net_per_ante": str(found.best.net_per_ante),
        "decisions": {name: rounded(share) for name, share in found.best.decisions.items()},
        "rules": [_rule_data(rule, mistakes) for rule in found.rules],
        "borders": [asdict(one) for one in found.borders],
        "chart": {
            "says": found.chart.says,
            "columns": list(found.chart.columns),
            "rows": [
                {"name": row.name, "cells": [{name: str(share) for name, share in cell.items()} for cell in row.cells]}
                for row in found.chart.rows
            ],
        },
        "notes": list(found.notes),
        "advice": [_advice_data(line) for line in found.advice],
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
                "hand": one.hand,
                "up": one.up,
                "taken": one.taken,
                "best": one.best,
                "share": str(one.share),
                "costs": str(one.costs),
                "per_round": str(one.per_round),
            }
            for one in rule.mistakes[:mistakes]
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
