"""The side bets of a book, and the spread of results, on a sheet's page."""

from collections.abc import Mapping
from fractions import Fraction
from html import escape
from typing import Any

from aceking.sheet import svg
from aceking.sheet.words import decimal, figure, money, paragraph, percent, table, with_sign


def side_bets(data: Mapping[str, Any]) -> str:
    """Return the parts on the progressive, the bonus, named wagers and blind bets, as far as the book has them."""
    parts = []
    currency, decimals = data["document"]["currency"], data["document"]["decimals"]
    if (side := data["progressive"]) is not None:
        parts.append("<h2>The progressive</h2>")
        why = f"Not computed: {escape(side.get('open', ''))}."
        parts.append(paragraph(why) if "open" in side else _progressive(side, currency, decimals))
    if (bonus := data["bonus"]) is not None:
        parts.append(_bonus(bonus))
    for name, wager in data.get("named_sides", {}).items():
        parts.append(_wager(name, wager, currency))
    if (blind := data["blind"]) is not None:
        parts.append(_blind(blind))
    return "".join(parts)


def _wager(name: str, side: Mapping[str, Any], currency: str) -> str:
    """Return the part on a named side wager: what it costs of its stake, its rows, and what envy gives back."""
    head = f"<h2>The wager {escape(name)}</h2>"
    if "open" in side:
        return head + paragraph(f"Not computed: {escape(side['open'])}.")
    cost = f"{percent(Fraction(side['house_edge']))} of its stake ({escape(side['house_edge'])})"
    beside = f" beside {escape(side['beside'])}" if "beside" in side else ""
    sentences = [
        f"A stake of {currency} {escape(side['stake'])} costs {cost}{beside},",
        f"with a standard deviation of {side['standard_deviation']:.4f} stakes.",
    ]
    if (back := side.get("stake_back")) is not None:
        sentences.append(f"The stake comes back with {percent(Fraction(back))} of hands ({escape(back)}).")
    if (envy := side.get("envy")) is not None:
        each = percent(Fraction(envy["of_least_stake"]))
        sentences.append(f"Envy gives back {each} of the least stake for each other box that plays.")
    rows = [(hand, percent(Fraction(chance)), chance) for hand, chance in side["rows"].items()]
    return head + paragraph(*sentences) + table(("hand", "chance", "exactly"), rows, numbers=(1,), css="narrow")


def _blind(blind: Mapping[str, Any]) -> str:
    figures = blind["figures"]
    exact, risk = escape(figures["exact"]["house_edge"]), percent(figures["element_of_risk"])
    return "<h2>Blind bets</h2>" + paragraph(
        f"A bet may be made blind {escape(blind['allowed'])} ({escape(blind['clause'])}).",
        f"Always betting costs {percent(figures['house_edge'])} of the ante ({exact}), an element of risk of {risk},",
        f"with a standard deviation of {figures['standard_deviation']:.4f} antes.",
        "An unseen hand that is folded costs the whole ante.",
    )


def _progressive(side: Mapping[str, Any], currency: str, decimals: int) -> str:
    def amount(text: str) -> str:
        return f"{currency} {money(text, decimals=decimals)}"

    if side["break_even"] is None:
        cost = f"{percent(Fraction(side['house_edge']))} of its stake ({escape(side['house_edge'])})"
        return paragraph(f"No award is a share of the meter: the side bet costs {cost}, whatever the meter shows.")
    awards = [(name, award if "%" in award else amount(award)) for name, award in side["awards"].items()]
    even = [
        (f"{currency} {point['ante']}", amount(point["meter"]) if Fraction(point["meter"]) > 0 else "any")
        for point in side["whole_game_even"]
    ]
    curves = [
        svg.DrawnCurve("side bet, of its stake", [(at["meter"], 100 * at["side_edge"]) for at in side["points"]]),
        svg.DrawnCurve(
            f"whole game, ante {side['ante']}, of the ante",
            [(at["meter"], 100 * at["whole_edge"]) for at in side["points"]],
            dashed=True,
        ),
    ]
    drawn = svg.plot(
        curves, across=f"meter at lock-out, {currency}", up="house edge, %", zero=True, width=620, height=270
    )
    return (
        paragraph(
            f"Net result per unit staked: {with_sign(escape(side['constant']))} + {escape(side['slope'])} times",
            "the meter",
            f"(in {currency}, stake {side['stake']}).",
            f"The side bet is even at a meter of <b>{amount(side['break_even'])}</b>."
            if Fraction(side["break_even"]) > 0
            else "The side bet is in the player's favour at any meter.",
            "Shared awards and the coin by which a share is rounded up are left out.",
        )
        + table(("hand", "award"), awards, css="narrow")
        + "<h3>Meter at which the whole game is even</h3>"
        + table(("ante", "meter"), even, numbers=(1,), css="narrow")
        + paragraph(*("Any: the player is ahead with nothing on the meter.",) * any("any" in row for row in even))
        + figure(drawn, "Edge against meter. Below the line at 0 the player is ahead.")
    )


def _bonus(bonus: Mapping[str, Any]) -> str:
    alone = (
        ("Ante and bet played for the best", "beside_the_best_main_play"),
        ("Every hand played for the bonus", "played_for_the_bonus"),
    )
    rows = [
        (
            name,
            percent(bonus[key]["house_edge"]),
            bonus[key]["exact"]["house_edge"],
            f"{bonus[key]['standard_deviation']:.3f}",
        )
        for name, key in alone
    ]
    together = [
        (
            row["ratio"],
            percent(row["main_edge"]),
            percent(row["bonus_edge"]),
            decimal(row["net_per_ante"]),
            decimal(row["as_without_bonus"]),
            percent(Fraction(row["changed"]), 2),
        )
        for row in bonus["together"]
    ]
    main = percent(bonus["main_when_played_for_the_bonus"]["house_edge"])
    return (
        "<h2>The bonus</h2>"
        + paragraph(
            "It depends on the same cards and the same discard as ante and bet: a stake on it can change the play."
        )
        + table(("the bonus alone, of its stake", "house edge", "exactly", "deviation"), rows, numbers=(1, 3))
        + f"<p>Played for the bonus, ante and bet cost {main} of the ante.</p><h3>The best joint play</h3>"
        + table(
            ("bonus, in antes", "ante and bet", "bonus", "net, antes", "if played as without", "hands changed"),
            together,
            numbers=(0, 1, 2, 3, 4, 5),
        )
    )


def spread_of_results(spread: Mapping[str, Any]) -> str:
    """Return the part on what a house should expect, and the distribution over many rounds."""
    distribution = spread["distribution"]
    quantiles = distribution["quantiles"]
    marks = {"5 %": quantiles["0.05"], "half": quantiles["0.5"], "95 %": quantiles["0.95"]}
    bars = [(bar["from"], bar["to"], 100 * bar["chance"]) for bar in distribution["bars"]]
    drawn = svg.bars(
        bars, across=f"player's result over {distribution['rounds']:,} rounds, in antes", up="chance, %", marks=marks
    )
    rows = [
        (
            f"{row['rounds']:,}",
            f"{100 * row['confidence']:.0f} %",
            *(with_sign(f"{row[key]:+,.1f}") for key in ("mean", "low", "high")),
            f"{percent(row['low_share'], 2)} to {percent(row['high_share'], 2)}",
        )
        for row in spread["intervals"]
    ]
    chances = [f"{100 * float(chance):.0f} %" for chance in quantiles]
    results = [with_sign(f"{result:+,.0f}") for result in quantiles.values()]
    normal = "By the normal law from the exact mean and variance; over a hundred rounds a rough guide only."
    ahead = f"Dark: the player is behind. The player is ahead with a chance of {percent(distribution['ahead'], 2)}."
    return (
        "<h2>How results spread</h2><h3>What a house should expect, one ante a round, in antes</h3>"
        + table(("rounds", "confidence", "mean", "from", "to", "hold, of antes"), rows, numbers=(0, 1, 2, 3, 4, 5))
        + paragraph(normal, css="small")
        + f"<h3>One player, one box, {distribution['rounds']:,} rounds</h3>"
        + figure(drawn, ahead)
        + table(
            ("chance of this result or less", *chances),
            [("player's result, antes", *results)],
            numbers=range(1, len(chances) + 1),
        )
    )
