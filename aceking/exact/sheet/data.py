"""The content of a sheet: all that is known of a book, as JSON has it. The page is drawn from this and nothing else."""

from collections.abc import Sequence
from fractions import Fraction
from importlib.metadata import version
from typing import Any

from aceking.exact.figures import Edge
from aceking.exact.games import edge_data, rounded
from aceking.exact.sheet.whatif import option_rows, pay_rows
from aceking.exact.spread import distribution, expect
from aceking.exact.strategy import strategy, strategy_data
from aceking.rules.book import Book
from aceking.rules.compare import options_of, rules_of

#: Rounds over which the distribution is drawn.
ROUNDS = 10_000
_INTERVALS = (100, 1_000, 10_000, 100_000, 1_000_000)
_CONFIDENCES = (0.95, 0.99)
_CHANCES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_BARS = 61
_RATIOS = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(1))
_ANTES = (5, 10, 25, 100)


def sheet_data(book: Book, *, changes: Sequence[str] = ()) -> dict[str, Any]:
    """Everything that the sheet of a book says; `changes` are the lines in which it is not the house's own."""
    played = strategy(book)
    figures = played.best
    return {
        "document": {
            "title": book.title,
            "house": book.house,
            "book": book.id,
            "version": book.version,
            "source": book.source,
            "currency": book.currency,
            "hash": book.digest,
            "program": f"AceKing {version('aceking')}",
            "changes": list(changes),
        },
        "rules": [{"rule": key, "value": value, "clause": clause} for key, value, clause in rules_of(book)],
        "options": [
            {
                "option": name,
                "chosen": chosen,
                "values": list(book.options[name].values),
                "clause": book.options[name].clause,
            }
            for name, chosen in options_of(book).items()
        ],
        "figures": edge_data(figures),
        "strategy": strategy_data(played),
        "pay_rows": pay_rows(book, figures.house_edge),
        "option_rows": option_rows(book, figures.house_edge),
        "progressive": progressive_data(book, figures),
        "bonus": _bonus(book),
        "blind": _blind(book, played.rules[-1].edge if book.dealer is not None else None),
        "spread": _spread(figures),
    }


def progressive_data(book: Book, figures: Edge) -> dict[str, Any] | None:
    """The side bet against the meter; where the book leaves the awards open, that it does."""
    if book.progressive is None:
        return None
    from aceking.exact import progressive

    try:
        line = progressive.line(book, exchanged=figures.decisions.get("exchange"))
        even = line.break_even
    except ValueError as open_question:
        return {"open": str(open_question).removeprefix(f"{book.id}: ")}
    unit = 10**book.decimals
    awards = progressive.rows(book)
    meters = [int(even * place / 10) for place in range(21)]
    return {
        "stake": str(Fraction(line.stake, unit)),
        "awards": {category.title: _award(award, unit) for category, award in sorted(awards.items(), reverse=True)},
        "constant": str(line.constant),
        "slope": str(line.slope * unit),
        "break_even": str(even / unit),
        "whole_game_even": [
            {"ante": str(ante), "meter": str(line.even_with(figures.net_per_ante, ante=ante * unit) / unit)}
            for ante in _ANTES
        ],
        "ante": str(_ANTES[1]),
        "points": [
            {
                "meter": rounded(Fraction(point.meter, unit)),
                "side_edge": rounded(point.side_edge),
                "whole_edge": rounded(point.whole_edge),
            }
            for point in progressive.against_meter(line, figures.net_per_ante, ante=_ANTES[1] * unit, meters=meters)
        ],
    }


def _award(award: Any, unit: int) -> str:
    from aceking.rules.odds import Share

    return f"{award} of the meter" if isinstance(award, Share) else str(Fraction(award.amount, unit))


def _bonus(book: Book) -> dict[str, Any] | None:
    """The bonus alone, and with ante and bet for several sizes of its stake."""
    if book.bonus is None or not book.bonus.offered:
        return None
    from aceking.exact.bonus import for_bonus, for_main, joint

    main = for_main(book, ratio=Fraction(1))
    alone = for_bonus(book, ratio=Fraction(1))
    together = []
    for ratio in _RATIOS:
        best = joint(book, ratio=ratio)
        together.append(
            {
                "ratio": str(ratio),
                "main_edge": rounded(best.main.house_edge),
                "bonus_edge": rounded(best.bonus.house_edge),
                "net_per_ante": str(best.together.net_per_ante),
                "element_of_risk": rounded(best.together.element_of_risk),
                "changed": str(best.changed),
                "as_without_bonus": str(for_main(book, ratio=ratio).together.net_per_ante),
            }
        )
    return {
        "beside_the_best_main_play": edge_data(main.bonus),
        "played_for_the_bonus": edge_data(alone.bonus),
        "main_when_played_for_the_bonus": edge_data(alone.main),
        "together": together,
    }


def _blind(book: Book, always: Edge | None) -> dict[str, Any] | None:
    """The bet on a hand that nobody has looked at."""
    if book.bet.blind is None or always is None:
        return None
    allowed = {"unseen-boxes": "on boxes whose cards the player may not look at", "any": "on any hand"}[book.bet.blind]
    return {"allowed": allowed, "clause": book.cite("bet.blind"), "figures": edge_data(always)}


def _spread(figures: Edge) -> dict[str, Any]:
    """How far results stray."""
    intervals = []
    for rounds in _INTERVALS:
        for confidence in _CONFIDENCES:
            found = expect(figures, rounds=rounds, confidence=confidence)
            intervals.append(
                {
                    "rounds": rounds,
                    "confidence": confidence,
                    "mean": round(float(found.mean), 2),
                    "low": round(found.low, 2),
                    "high": round(found.high, 2),
                    "low_share": round(found.low / rounds, 6),
                    "high_share": round(found.high / rounds, 6),
                }
            )
    spread = distribution(figures, rounds=ROUNDS)
    return {
        "intervals": intervals,
        "distribution": {
            "rounds": ROUNDS,
            "ahead": round(spread.ahead(), 6),
            "quantiles": {str(chance): round(spread.quantile(chance), 2) for chance in _CHANCES},
            "bars": _bars(figures),
        },
    }


def _bars(figures: Edge) -> list[dict[str, float]]:
    """The distribution in bars of equal width, between results that hardly ever fail to hold."""
    spread = distribution(figures, rounds=ROUNDS)
    low, high = spread.quantile(0.0005), spread.quantile(0.9995)
    width = (high - low) / _BARS
    results = spread.results()
    bars = []
    for place in range(_BARS):
        first, last = low + place * width, low + (place + 1) * width
        inside = (results > first) & (results <= last)
        chance = float(spread.chances[inside].sum())
        bars.append({"from": round(first, 2), "to": round(last, 2), "chance": round(chance, 8)})
    return bars
