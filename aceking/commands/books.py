"""`aceking books`: the rule books themselves."""

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from aceking.rules.book import Book
    from aceking.scenarios.coverage import Coverage

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")


@click.group()
def books() -> None:
    """List, show, compare and check the rule books.

    \b
    aceking books list
    aceking books show section10 --clause "CSP-10(l)(4)"
    aceking books diff section10 rws
    """


def _load(name: str) -> "Book":
    from aceking.rules.load import load_book
    from aceking.rules.text import BookError

    try:
        return load_book(name)
    except BookError as wrong:
        raise click.ClickException(str(wrong)) from None


def _table(*columns: str) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        table.add_column(name, overflow="fold")
    return table


def _print(what: Any) -> None:
    from aceking.commands.show import console

    console().print(what)


@books.command("list")
@_JSON
def list_books(*, as_json: bool) -> None:
    """The books that come with the program."""
    from aceking.rules.load import book_ids

    found = [_load(name) for name in book_ids()]
    if as_json:
        rows = [
            {"id": one.id, "title": one.title, "house": one.house, "version": one.version, "hash": one.digest}
            for one in found
        ]
        click.echo(json.dumps({"books": rows}))
        return
    table = _table("book", "game", "house", "version", "clauses", "options", "hash")
    for one in found:
        counts = str(len(one.clauses)), str(len(one.options))
        table.add_row(one.id, one.title, one.house, one.version, *counts, one.digest[:12])
    _print(table)


@books.command()
@click.argument("book")
@click.option("--clause", help="One clause in full.")
@_JSON
def show(book: str, clause: str | None, *, as_json: bool) -> None:
    """A book: its rules with their clauses, its options, its anomalies. BOOK is an id, or the path of a TOML file."""
    found = _load(book)
    if clause is not None:
        _show_clause(found, clause, as_json=as_json)
        return
    if as_json:
        click.echo(json.dumps(_book_data(found)))
        return
    from aceking.rules.compare import rules_of

    _print(f"[bold]{found.title}[/], {found.house}, {found.version}\n{found.source}\n[dim]hash {found.digest}[/]")
    table = _table("rule", "value", "clause")
    for row in rules_of(found):
        table.add_row(*row)
    _print(table)
    options = _table("option", "values", "chosen", "clause")
    for option in found.options.values():
        values = ", ".join(option.values) or f"any {option.kind}"
        options.add_row(option.name, values, str(found.chosen[option.name]), option.clause)
    _print(options)
    anomalies = _table("anomaly", "where", "problem", "reading")
    for one in found.anomalies.values():
        anomalies.add_row(one.id, one.where, one.problem, one.reading)
    _print(anomalies)


def _book_data(book: "Book") -> dict[str, Any]:
    from aceking.rules.compare import options_of, rules_of

    return {
        "id": book.id,
        "title": book.title,
        "house": book.house,
        "version": book.version,
        "source": book.source,
        "currency": book.currency,
        "hash": book.digest,
        "rules": {key: {"value": value, "clause": clause} for key, value, clause in rules_of(book)},
        "options": {
            name: {"chosen": chosen, "values": list(book.options[name].values), "clause": book.options[name].clause}
            for name, chosen in options_of(book).items()
        },
        "clauses": {one.id: {"says": one.says, "kind": one.kind} for one in book.clauses.values()},
    }


def _show_clause(book: "Book", name: str, *, as_json: bool) -> None:
    from dataclasses import asdict

    if name not in book.clauses:
        import difflib

        near = difflib.get_close_matches(name, book.clauses, n=3)
        raise click.ClickException(f"{book.id} has no clause {name!r}" + (f"; near: {', '.join(near)}" if near else ""))
    clause = book.clauses[name]
    if as_json:
        click.echo(json.dumps(asdict(clause)))
        return
    table = _table("", "")
    table.show_header = False
    table.add_row("clause", f"[bold]{clause.id}[/] ({clause.topic}, {clause.actor})")
    table.add_row("says", clause.says)
    from aceking.rules.say import value_text

    for key in clause.sets:
        rule = book.by_key.get(key)
        if rule is not None and (rule.value is not None or key.count(".") == 2):
            table.add_row("sets", f"{key} = {value_text(key, rule.value, decimals=book.decimals)}")
    for act in clause.acts:
        after = f" after {', '.join(act.after)}" if act.after else ""
        table.add_row("governs", f"{act.do} by {act.by}{after}; else {act.breach}")
    for ruling in clause.rulings:
        given = f" given {', '.join(ruling.given)}" if ruling.given else ""
        table.add_row("rules", f"{ruling.on}{given}: {ruling.then}")
    for option in clause.options:
        table.add_row("option", f"{option}: {', '.join(book.options[option].values)}; chosen {book.chosen[option]}")
    if clause.defines:
        table.add_row("defines", ", ".join(clause.defines))
    if clause.outside:
        table.add_row("outside", clause.outside)
    for reading in clause.readings:
        anomaly = book.anomalies[reading]
        table.add_row(reading, f"{anomaly.problem}\nread: {anomaly.reading}")
    _print(table)


@books.command()
@click.argument("left")
@click.argument("right")
@_JSON
def diff(left: str, right: str, *, as_json: bool) -> None:
    """Two books, rule by rule, with the clause on either side."""
    from dataclasses import asdict

    from aceking.rules.compare import differences

    one, other = _load(left), _load(right)
    found = list(differences(one, other))
    if as_json:
        click.echo(json.dumps({"left": one.id, "right": other.id, "differences": [asdict(row) for row in found]}))
        return
    table = _table("rule", one.id, "clause", other.id, "clause")
    for row in found:
        table.add_row(row.key, row.left, row.left_clause or "", row.right, row.right_clause or "")
    _print(table)
    _print(f"{len(found)} rules differ")


@books.command()
@click.argument("names", nargs=-1, metavar="[BOOK]...")
@click.option(
    "--all", "every", is_flag=True, help="Also what lies outside the documents and what is left to the house."
)
@_JSON
def lint(names: tuple[str, ...], *, every: bool, as_json: bool) -> int:
    """What is wrong with the texts: pointers to nowhere, missing rows, pays that fall where they should rise.

    Exit status 1 if a finding has no recorded reading.
    """
    from dataclasses import asdict

    from aceking.rules.lint import lint as lint_book
    from aceking.rules.load import book_ids

    found = list(dict.fromkeys(finding for name in names or book_ids() for finding in lint_book(_load(name))))
    bad = [one for one in found if not one.explained]
    if as_json:
        rows = [{**asdict(one), "explained": one.explained} for one in found]
        click.echo(json.dumps({"findings": rows, "unexplained": len(bad)}))
        return 1 if bad else 0
    shown = [one for one in found if every or one.kind not in ("outside-reference", "open", "gap")]
    table = _table("book", "clause", "fault", "what", "reading")
    for one in shown:
        table.add_row(one.book, one.clause, one.kind, one.says, ", ".join(one.anomalies) or "[red]none[/]")
    _print(table)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(one.kind for one in found).items()))
    _print(f"{len(found)} findings ({kinds}); {len(bad)} without a reading")
    return 1 if bad else 0


@books.command()
@click.argument("names", nargs=-1, metavar="[BOOK]...")
@click.option("--scenarios", type=click.Path(path_type=Path), help="The folder of scenario sheets.")
@click.option("--list", "every", is_flag=True, help="Every clause with its scenarios.")
@click.option("--markdown", is_flag=True, help="Every clause, as a page.")
@_JSON
def coverage(names: tuple[str, ...], scenarios: Path | None, *, every: bool, markdown: bool, as_json: bool) -> int:
    """Every clause accounted for, and which have a passing scenario. Exit status 1 if one is missing or fails."""
    from aceking.scenarios.coverage import coverage as cover
    from aceking.scenarios.coverage import read_proofs
    from aceking.scenarios.scripts import read_scripts
    from aceking.scenarios.sheets import default_folder, read_sheets

    for name in names:
        _load(name)
    folder = scenarios or default_folder()
    if scenarios is not None and not folder.is_dir():
        raise click.ClickException(f"{folder}: there is no such folder")
    found = cover(read_sheets(folder), read_scripts(folder / "table"), names or None, read_proofs(folder))
    failing = [one for one in found.clauses if one.failing]
    ok = not (found.missing or found.unknown or failing)
    if as_json:
        click.echo(json.dumps(_coverage_data(found)))
    elif markdown:
        click.echo(_coverage_page(found))
    else:
        _show_coverage(found, every=every)
    return 0 if ok else 1


def _coverage_data(found: "Coverage") -> dict[str, Any]:
    books_found = dict.fromkeys(one.book for one in found.clauses)
    return {
        "catalogue": found.catalogue,
        "accounted": found.catalogue - len(found.missing),
        "missing": list(found.missing),
        "unknown": list(found.unknown),
        "books": {name: dict(found.counts(name)) for name in books_found},
        "clauses": [
            {
                "book": one.book,
                "clause": one.clause,
                "kind": one.kind,
                "passing": list(one.passing),
                "failing": list(one.failing),
            }
            for one in found.clauses
        ],
    }


_COLUMNS = ("clauses", "sets", "acts", "rules", "defines", "outside", "with scenario")


def _show_coverage(found: "Coverage", *, every: bool) -> None:
    if every:
        clauses = _table("book", "clause", "kind", "scenarios")
        for one in found.clauses:
            failing = f" [red]failing: {', '.join(one.failing)}[/]" if one.failing else ""
            clauses.add_row(one.book, one.clause, one.kind, ", ".join(one.passing) + failing)
        _print(clauses)
    table = _table("book", *_COLUMNS)
    for name in dict.fromkeys(one.book for one in found.clauses):
        counts = found.counts(name)
        table.add_row(name, *(str(counts[column]) for column in _COLUMNS))
    _print(table)
    ids = {one.clause for one in found.clauses}
    proven = {one.clause for one in found.clauses if one.passing and not one.failing}
    _print(f"{len(ids)} of {found.catalogue} clauses accounted for, {len(proven)} of them with a passing scenario")
    for name, what in (("missing", found.missing), ("not in the catalogue", found.unknown)):
        if what:
            _print(f"[red]{name}[/]: {', '.join(what)}")


def _coverage_page(found: "Coverage") -> str:
    lines = ["# Every clause, and the scenarios that prove it", "", "Made by `make docs`.", ""]
    for name in dict.fromkeys(one.book for one in found.clauses):
        counts = found.counts(name)
        lines += [f"## {name}", "", ", ".join(f"{column} {counts[column]}" for column in _COLUMNS), ""]
        lines += ["| clause | kind | scenarios |", "|---|---|---|"]
        lines += [
            f"| {one.clause} | {one.kind} | {', '.join(one.passing)} |" for one in found.clauses if one.book == name
        ]
        lines.append("")
    return "\n".join(lines)
