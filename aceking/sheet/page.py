"""The page of a sheet: HTML that prints well on A4 and on Letter, drawn from the sheet's data alone."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from aceking.rules.reading.values import ROWS
from aceking.sheet import svg
from aceking.sheet.rules import rule_words, value_words
from aceking.sheet.sides import side_bets, spread_of_results
from aceking.sheet.words import antes, command, decimal, figure, page_style, paragraph, percent, table, with_sign

_NET_ROWS = 40  # further outcomes are only in the JSON
_MISTAKES = 5
_RUNNING = 300  # letters at the top of a page: three lines
_TALL = (20, 60)  # rows of a chart that fills most of a page; a chart with more rows is drawn in three blocks


def page(data: Mapping[str, Any], *, paper: str = "") -> str:
    """Return the whole document; `paper` is A4 or Letter, else the printer's own."""
    document = data["document"]
    parts = [
        _head(document),
        _lead(data["figures"], what_if=bool(document["changes"])),
        _method(data),
        _rules(data),
        _figures(data["figures"]),
        _strategy(data["strategy"]),
        _whatif(data),
        side_bets(data),
        spread_of_results(data["spread"]),
        _appendix(data),
    ]
    if document["changes"]:
        # On every page, so that a sheet without its first page still says that it is a what-if.
        parts = [part.replace("<h2>", "<h2>What-if: ") for part in parts]
    title = f"{document['title']}, {document['house']}: figures"
    running = f"WHAT-IF, not the house's own book: {_running(document['changed'])}" if document["changes"] else title
    below = f"{document['book']}, priced {document['priced'][:16]}, {document['program']}"
    shown = f"What-if: {title}" if document["changes"] else title
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(shown)}</title>'
    style = page_style(running, below, paper=paper)
    # A line never begins with a percent sign.
    body = "\n".join(parts).replace(" %", "\N{NO-BREAK SPACE}%")
    return f'<!doctype html>\n<html lang="en"><head>{head}<style>{style}</style></head><body>\n{body}\n</body></html>\n'


def _running(changed: Sequence[Mapping[str, Any]]) -> str:
    """Return the changes that fit at the top of a page; the rest is on the first page."""
    texts: list[str] = []
    for change in changed:
        texts.append(f"{change['name'].replace('_', ' ')} {change['value']} (book: {change['book']})")
        if len("; ".join(texts)) > _RUNNING:
            texts.pop()
            break
    if len(texts) < len(changed):
        texts.append(f"and {len(changed) - len(texts)} more, all of them on the first page")
    return "; ".join(texts) or "see the first page"


def _head(document: Mapping[str, Any]) -> str:
    warn = ""
    if document["changes"]:
        items = "".join(f"<li>{escape(text.replace('_', ' '))}</li>" for text in document["changes"])
        warn = f'<div class="warn"><b>This is a what-if, not the house\'s own book:</b><ul>{items}</ul></div>'
    mark = "What-if: " if document["changes"] else ""
    return (
        f"<h1>{mark}{escape(document['title'])}</h1>"
        + paragraph(
            f"{escape(document['house'])}, version {escape(document['version'])}.", f"{escape(document['source'])}."
        )
        + warn
        + "".join(paragraph(f"{escape(text)}.") for text in document.get("caps", ()))
        + paragraph(
            f"Rule book <code>{escape(document['book'])}</code>, SHA-256 of its text <code>{document['hash']}</code>,",
            f"of the rules that were priced <code>{document['priced']}</code>. {escape(document['program'])}.",
            css="small",
        )
    )


def _lead(figures: Mapping[str, Any], *, what_if: bool) -> str:
    shown = (
        ("House edge, of the ante", percent(figures["house_edge"])),
        ("Element of risk, of all chips", percent(figures["element_of_risk"])),
        ("Standard deviation, antes", f"{figures['standard_deviation']:.4f}"),
    )
    mark = "What-if: " if what_if else ""
    boxes = "".join(f"<div>{mark}{name}<b>{figure}</b></div>" for name, figure in shown)
    return f'<div class="lead">{boxes}</div>'


_MONEY = (
    *("hands.ace_low", "ante.pays", "ante.pays_from", "ante.returned_from"),
    *("bet.antes", "bet.antes_max", "bet.required", "bet.blind", "bet.pays_are", "bet.unlisted", "bet.cap"),
    *("table.round_cap", "table.round_cap_for", "table.round_cap_cut"),
    *("decide.choices", "exchange.cards", "exchange.price_antes", "exchange.prices"),
    *("dealer.qualifies_with", "dealer.qualifies_too"),
    *(
        "dealer.unqualified_ante",
        "dealer.unqualified_bet",
        "dealer.higher",
        "dealer.equal",
        "dealer.lower",
        "instant.ace_low",
    ),
    *("paytable.wins_with", "paytable.pushes_with"),
)
_NO_ROW = "\N{EN DASH}"
_PAYS = {"bet": "the bet pays", "exchange": "after an exchange", "instant": "declared at once"}


def _rules(data: Mapping[str, Any]) -> str:
    """Return the pay tables side by side, and the other rules that decide the money."""
    pays = {tuple(row["rule"].split(".pays.")): row for row in data["rules"] if ".pays." in row["rule"]}
    steps = [step for step in _PAYS if any(table_name == step for table_name, _ in pays)]
    hands = sorted({hand for step, hand in pays if step in steps}, key=list(ROWS).index, reverse=True)
    own = _own_values(data["document"]["changed"])
    lines = []
    for hand in hands:
        here = [pays.get((step, hand)) for step in steps]
        clauses = dict.fromkeys(row["clause"] for row in here if row is not None)
        name = hand.removeprefix("instant_").replace("_", " ")
        name += ", three cards" if hand.startswith("instant_") else ""
        cells = [_beside(row["value"], own.get(row["rule"])) if row else _NO_ROW for row in here]
        lines.append((name, *cells, ", ".join(clauses)))
    rest = []
    for row in data["rules"]:
        if row["rule"] in _MONEY:
            words, value, clause = _in_words(row)
            rest.append((words, _beside(value, own.get(row["rule"])), clause))
    dash = "A dash: that table has no such row. " if any(_NO_ROW in line for line in lines) else ""
    return (
        "<h2>Rules that decide the money</h2>"
        f"<p class='small'>{dash}All options and other rules are at the end.</p>"
        + table(("hand", *(_PAYS[step] for step in steps), "clause"), lines)
        + table(("rule", "value", "clause"), rest)
    )


def _own_values(changed: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the book's own value of each rule that was changed: of pay rows, and of the qualifier."""
    own = {}
    for change in changed:
        table, point, row = change["name"].rpartition(", ")[2].rpartition(".")
        if change["kind"] == "qualifier":
            own["dealer.qualifies_with"] = change["book"]
        elif change["kind"] == "pays" or ", " in change["name"]:
            own[f"{table if point else 'bet'}.pays.{row}"] = change["book"]
    return own


def _beside(value: str, own: str | None) -> str:
    """Return a changed value with the book's own beside it."""
    return value if own is None else f"{value} (book: {own})"


def _in_words(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return rule_words(row["rule"]), value_words(row["value"]), row["clause"]


def _figures(figures: Mapping[str, Any]) -> str:
    exact = figures["exact"]
    rows = [
        ("Player's net result per ante", decimal(figures["net_per_ante"], 8), with_sign(figures["net_per_ante"])),
        ("House edge, of the ante", percent(figures["house_edge"], 6), with_sign(exact["house_edge"])),
        ("Chips put down on average, in antes", f"{float(Fraction(exact['risked'])):.6f}", exact["risked"]),
        (
            "Element of risk, of all chips put down",
            percent(figures["element_of_risk"], 6),
            with_sign(exact["element_of_risk"]),
        ),
        ("Variance of one round, square antes", f"{float(Fraction(exact['variance'])):.6f}", exact["variance"]),
        ("Standard deviation, antes", f"{figures['standard_deviation']:.6f}", "its root"),
    ]
    rows += [
        (f"Frequency: {name}", percent(share), exact["decisions"][name]) for name, share in figures["decisions"].items()
    ]
    outcomes, deals = figures["outcomes"], figures["deals"]
    counted = [
        (antes(net), f"{count:,}", f"{100 * count / deals:.6f} %", decimal(str(Fraction(net) * Fraction(count, deals))))
        for net, count in outcomes.items()
    ]
    more = ""
    if len(counted) > _NET_ROWS:
        more = f"<p class='small'>The {len(counted) - _NET_ROWS} results that are rarest are in the JSON only.</p>"
        rare = sorted(outcomes.values(), reverse=True)[_NET_ROWS - 1]
        counted = [row for row, count in zip(counted, outcomes.values(), strict=True) if count >= rare]
    total = ("all", f"{deals:,}", "100 %", decimal(figures["net_per_ante"]))
    return (
        "<h2>Figures</h2><p>With the best play of every hand, over every deal, each counted once.</p>"
        + table(("", "figure", "exactly"), rows, numbers=(1,))
        + "<h3>Every outcome</h3>"
        + table(("net, in antes", "deals", "chance", "part of the result"), [*counted, total], numbers=(0, 1, 2, 3))
        + more
    )


def _strategy(strategy: Mapping[str, Any]) -> str:
    parts = ["<h2>How to play</h2>"]
    if strategy["borders"]:
        parts.append(paragraph("The weakest hands to bet against each up-card, with a card of its rank and without."))
        drawing = any(border["inside"] or border["inside_unmatched"] for border in strategy["borders"])
        columns = ["up-card", "bet with one of its rank, from", "bet without, from"]
        columns += ["buy to an inside straight with its rank, from", "and without, from"] if drawing else []
        keys = ("matched", "unmatched", *(("inside", "inside_unmatched") if drawing else ()))
        parts.append(
            table(columns, [(row["up"], *(row[key] or "never" for key in keys)) for row in strategy["borders"]])
        )
    rules = [
        (rule["name"], rule["says"], percent(rule["house_edge"]), percent(Fraction(rule["costs"]), 5), rule["source"])
        for rule in strategy["rules"]
    ]
    parts.append("<h3>Rules to carry, and what they cost</h3>")
    parts.append(table(("rule", "what to do", "house edge", "costs more", "source"), rules, numbers=(2, 3)))
    parts += [f"<p>{escape(note)}</p>" for note in strategy["notes"]]
    parts.append(f"<p class='small'>The complete strategy, {len(strategy['advice']):,} lines, is in the JSON file.</p>")
    errs = [_mistakes(rule) for rule in strategy["rules"][:2] if rule["mistakes"]]
    # A tall chart takes a whole page wherever it stands; smaller parts fill the page before it, or its own.
    tall = _TALL[0] < len(strategy["chart"]["rows"]) <= _TALL[1]
    parts += [_chart(strategy["chart"]), *errs] if tall else [*errs, _chart(strategy["chart"])]
    return "".join(parts)


def _mistakes(rule: Mapping[str, Any]) -> str:
    shown = rule["mistakes"][:_MISTAKES]
    ups = [(mistake["up"],) if mistake["up"] else () for mistake in shown]
    rows = [
        (
            mistake["hand"],
            *up,
            mistake["taken"],
            mistake["best"],
            decimal(mistake["costs"])[1:],
            f"{1e6 * float(Fraction(mistake['per_round'])):,.3f}",
        )
        for mistake, up in zip(shown, ups, strict=True)
    ]
    columns = ("hand", *(("up",) if ups[0] else ()), "the rule", "better", "costs, antes", "in a million rounds")
    title = f"<h3>Where “{escape(rule['name'])}” errs most, of {rule['errs_in']:,} kinds of hands</h3>"
    return title + table(columns, rows, numbers=(len(columns) - 2, len(columns) - 1))


def _chart(chart: Mapping[str, Any]) -> str:
    if not chart["rows"]:
        return f"<p>{escape(chart['says'])}</p>"
    rows = [
        (row["name"], [{name: float(Fraction(share)) for name, share in cell.items()} for cell in row["cells"]])
        for row in chart["rows"]
    ]
    decisions = list(dict.fromkeys(name for _, cells in rows for cell in cells for name in cell))
    drawn = svg.chart(chart["columns"], rows, decisions)
    caption = [chart["says"]]
    if any(len(cell) > 1 for _, cells in rows for cell in cells):
        caption.append("A split cell: each decision is the best for its part of the hands.")
    if any(not cell for _, cells in rows for cell in cells):
        caption.append("No cell: there is no such hand.")
    caption.append("T is a ten.")
    return "<h3>Chart of the best play</h3>" + figure(drawn + svg.legend(decisions), escape(" ".join(caption)))


def _whatif(data: Mapping[str, Any]) -> str:
    rows, now = [], data["figures"]["house_edge"]
    for row in data["pay_rows"]:
        ends = row["points"][0], row["points"][-1]
        rows.append(
            (
                row["title"],
                row["pays"],
                with_sign(f"{100 * float(Fraction(row['slope'])):+.5f} %"),
                *(f"{end['odds']}: {percent(end['house_edge'])}" for end in ends),
                row["clause"],
            )
        )
    slopes = table(
        ("row", "pays", "edge for one more", "at the least shown", "at the most", "clause"), rows, numbers=(2, 3, 4)
    )
    plots = []
    for row in data["pay_rows"]:
        points = [(float(Fraction(point["odds"])), 100 * point["house_edge"]) for point in row["points"]]
        mark = (float(Fraction(row["pays"].replace(" to ", "/"))), 100 * now)
        curve = svg.DrawnCurve(row["title"], points)
        drawn = svg.plot([curve], across="to 1", up="edge, %", title=row["title"], mark=mark, width=230, height=150)
        plots.append(figure(drawn))
    parts = [
        "<h2>What a changed line does</h2>",
        paragraph(
            "House edge against each pay row, all else as it is, the best play computed anew at every point.",
            "The circle is the book.",
        ),
        slopes,
        f'<div class="grid">{"".join(plots)}</div>',
    ]
    if data["option_rows"]:
        bonus = any("bonus_edge" in row for row in data["option_rows"])
        chosen = [
            (row["option"], row["value"], percent(row["house_edge"]), row["clause"])
            + ((percent(row["bonus_edge"]) if "bonus_edge" in row else "not offered",) if bonus else ())
            for row in data["option_rows"]
        ]
        columns = ("option", "if it were", "house edge", "clause", *(("bonus, of its stake",) if bonus else ()))
        parts.append("<h3>Choices of the house that change the figures</h3>")
        parts.append(table(columns, chosen, numbers=(2, 4) if bonus else (2,)))
    else:
        parts.append("<p>No choice that the book leaves to its house changes the figures of ante and bet.</p>")
    return "".join(parts)


def _method(data: Mapping[str, Any]) -> str:
    document, dealer = data["document"], any(row["rule"].startswith("dealer.") for row in data["rules"])
    return paragraph(
        f"All {data['figures']['deals']:,} equally likely deals are counted, each exactly once, in whole numbers;",
        "nothing is sampled, and figures marked as exact have no error. Pays, thresholds and choices come from the",
        "rule book alone; the same book settles rounds at the table. Caps on payouts in money are left out.",
        f"The figures are for one box that sees its own cards{' and the up-card' if dealer else ''} only.",
        f"To repeat them: {command(document['repeat'])}.",
    )


def _appendix(data: Mapping[str, Any]) -> str:
    rules = "".join(
        f"<p>{escape(rule)} <b>{escape(value)}</b> <small>{escape(clause)}</small></p>"
        for rule, value, clause in (
            _in_words(row)
            for row in data["rules"]
            if row["rule"].split(".pays.")[0] not in _PAYS and row["rule"] not in _MONEY
        )
    )
    options = table(
        ("option", "chosen", "it may be", "clause"),
        [(row["option"], row["chosen"], row["may_be"], row["clause"]) for row in data["options"]],
        css="small",
    )
    return (
        "<h2>All options</h2><p class='small'>What the book leaves to its house, by the names that the command line "
        f"takes.</p>{options}<h2>All other rules</h2><div class='columns'>{rules}</div>"
    )
