"""The content of a sheet as JSON data: everything that is known of a book. The page is drawn from this data alone."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import count
from math import gcd
from typing import Any

from aceking.exact.changes import changes_data, changes_of, command_line, priced_hash
from aceking.exact.figures import Edge
from aceking.exact.games import edge_data, rounded
from aceking.exact.side_bets.prices import progressive_figures, progressive_line
from aceking.exact.side_bets.progressive import against_meter, middle
from aceking.exact.spread import distribution, expect
from aceking.exact.strategy import strategy, strategy_data
from aceking.exact.unpriced import counted_caps, left_out
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.options import allowed_values
from aceking.rules.review.compare import options_of, rules_of
from aceking.settlement.amounts import usual_ante
from aceking.sheet.whatif import option_rows, pay_keys, pay_rows
from aceking.version import __version__

#: Rounds over which the distribution is drawn.
ROUNDS = 10_000
_INTERVALS = (100, 1_000, 10_000, 100_000, 1_000_000)
_CONFIDENCES = (0.95, 0.99)
_CHANCES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_BARS = 61
_RATIOS = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(1))


def sheet_data(
    book: Book, *, changes: Sequence[str] = (), progress: Callable[[int, int], None] = lambda *_: None
) -> dict[str, Any]:
    """Return everything that the sheet of a book says; `progress` is called after each step.

    `changes` are sentences on the lines in which the book is not the house's own; by default they are read from it.
    """
    whole = 2 + len(pay_keys(book)) + len(book.options)
    done = count(1)

    def step() -> None:
        progress(next(done), whole)

    progress(0, whole)
    played = strategy(book)
    step()
    figures = played.best
    data = {
        "document": _document(book, changes),
        "rules": [{"rule": key, "value": value, "clause": clause} for key, value, clause in rules_of(book)],
        "options": [
            {
                "option": name,
                "chosen": chosen,
                "values": list(book.options[name].values),
                "may_be": allowed_values(book.options[name]),
                "clause": book.options[name].clause,
            }
            for name, chosen in options_of(book).items()
        ],
        "figures": edge_data(figures),
        "strategy": strategy_data(played),
        "pay_rows": pay_rows(book, figures.house_edge, step=step),
        "option_rows": option_rows(book, figures.house_edge, step=step),
        "progressive": progressive_data(book, figures),
        "bonus": _bonus(book),
        "blind": _blind(book, played.rules[-1].edge if book.dealer is not None else None),
        "spread": _spread(figures),
    }
    if book.sides:
        from aceking.exact.side_bets.side_wagers import named_figures

        data["named_sides"] = {name: named_figures(book, name) for name in book.sides}
    progress(whole, whole)
    return data


def _document(book: Book, changes: Sequence[str]) -> dict[str, Any]:
    """Return what the sheet describes: the book, its hash, and every line in which it is not the house's own."""
    changed, caps = changes_of(book), [*counted_caps(book), *left_out(book)]
    return {
        "title": book.title,
        "house": book.house,
        "book": book.id,
        "version": book.version,
        "source": book.source,
        "currency": book.currency,
        "decimals": book.decimals,
        "hash": book.digest,
        "program": f"AceKing {__version__}",
        "changes": list(changes) or [str(change) for change in changed],
        "changed": changes_data(changed),
        "priced": priced_hash(book),
        "repeat": command_line("sheet", book.id, changed, "--out", "DIR"),
        **({"caps": caps} if caps else {}),
    }


def progressive_data(book: Book, figures: Edge) -> dict[str, Any] | None:
    """Return the side bet against the meter, or what the book leaves open; None without a progressive."""
    if book.progressive is None:
        return None
    side = progressive_figures(book, figures)
    if "open" in side or side["break_even"] is None:
        return side
    line, unit = progressive_line(book, figures), 10**book.decimals
    meters = [middle(line, unit) * place // 10 for place in range(21)]
    points = against_meter(line, figures.net_per_ante, ante=usual_ante(book), meters=meters)
    return {
        **side,
        "ante": shown(usual_ante(book), decimals=book.decimals),
        "points": [
            {
                "meter": rounded(Fraction(point.meter, unit)),
                "side_edge": rounded(point.side_edge),
                "whole_edge": rounded(point.whole_edge),
            }
            for point in points
        ],
    }


def _bonus(book: Book) -> dict[str, Any] | None:
    """Return the bonus alone, and with ante and bet for several sizes of its stake; None without a bonus."""
    if book.bonus is None or not book.bonus.offered:
        return None
    from aceking.exact.side_bets.bonus import for_bonus, for_main, joint

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
    """Return the figures of betting every hand unseen; None if the book does not allow it."""
    if book.bet.blind is None or always is None:
        return None
    allowed = {"unseen-boxes": "on boxes whose cards the player may not look at", "any": "on any hand"}[book.bet.blind]
    return {"allowed": allowed, "clause": book.cite("bet.blind"), "figures": edge_data(always)}


def _spread(figures: Edge) -> dict[str, Any]:
    """Return the intervals and the distribution of results over many rounds."""
    intervals = []
    for rounds in _INTERVALS:
        for confidence in _CONFIDENCES:
            expected = expect(figures, rounds=rounds, confidence=confidence)
            intervals.append(
                {
                    "rounds": rounds,
                    "confidence": confidence,
                    "mean": round(float(expected.mean), 2),
                    "low": round(expected.low, 2),
                    "high": round(expected.high, 2),
                    "low_share": round(expected.low / rounds, 6),
                    "high_share": round(expected.high / rounds, 6),
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
    """Return the distribution in bars with equally many possible results each, so that none is high for its width.

    They cover all but the rarest results.
    """
    spread = distribution(figures, rounds=ROUNDS)
    # Results lie on a grid. If all likely single results are odd, every other point of it is empty.
    often = [net for net, deals in figures.outcomes.items() if deals * ROUNDS >= figures.deals]
    places = [int(net / spread.step) for net in often or figures.outcomes]
    spacing = gcd(*(place - places[0] for place in places)) or 1
    low, high = (int((Fraction(spread.quantile(chance)) - spread.first) / spread.step) for chance in (0.0005, 0.9995))
    width = max(1, -(-(high - low + 1) // (_BARS * spacing))) * spacing
    bars = []
    for first in range(low, high + 1, width):
        chance = float(spread.chances[first : first + width].sum())
        start, end = (float(spread.first + spread.step * (place - Fraction(1, 2))) for place in (first, first + width))
        bars.append({"from": round(start, 4), "to": round(end, 4), "chance": round(chance, 8)})
    return bars
