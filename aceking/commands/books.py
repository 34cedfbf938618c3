"""`aceking books`: list, show, compare and check rule books."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aceking.commands.complete import book_names, clause_names
from aceking.commands.examples import shipped
from aceking.commands.new_book import check, new
from aceking.commands.output.groups import Group
from aceking.commands.output.streams import books_beside

if TYPE_CHECKING:
    from aceking.rules.book import Book
    from aceking.scenarios.coverage import Coverage

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")


@click.group(cls=Group)
def books() -> None:
    """List, show, compare, check and write rule books.

    \b
    aceking books list
    aceking books show section10 --clause "CSP-10(l)(4)"
    aceking books diff section10 rws
    aceking books new my-house --from section10
    aceking books check my-house.toml
    """


def load(name: str) -> "Book":
    """Return the book of this name. Raises ClickException if it cannot be loaded."""
    from aceking.rules.reading.complaints import BookError
    from aceking.rules.reading.load import load_book

    try:
        return load_book(name)
    except BookError as wrong:
        raise click.ClickException(str(wrong)) from None


def _show_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, wraps: Sequence[int] = (-1,), least: int = 24
) -> None:
    """Print a table; the columns in `wraps` may wrap, and on a narrow terminal a row becomes several lines."""
    from aceking.commands.output.settlement import console, grid

    out = console()
    out.print(grid([(name, False) for name in columns], rows, width=out.width, wraps=wraps, least=least))


def _print(what: Any) -> None:
    from rich.text import Text

    from aceking.commands.output.settlement import console, paragraph

    paragraph(console(), what if isinstance(what, Text) else Text(str(what)))


@books.command("list")
@_JSON
def list_books(*, as_json: bool) -> None:
    """List the books that come with the program."""
    from aceking.rules.reading.load import book_ids

    loaded = [load(name) for name in book_ids()]
    if as_json:
        rows = [
            {"id": one.id, "title": one.title, "house": one.house, "version": one.version, "hash": one.digest}
            for one in loaded
        ]
        click.echo(json.dumps({"books": rows}))
        return
    _show_table(
        ("book", "game", "house", "version", "clauses", "options", "hash"),
        [
            (one.id, one.title, one.house, one.version, len(one.clauses), len(one.options), one.digest[:12])
            for one in loaded
        ],
        wraps=(1, 2, 3),
        least=12,
    )


@books.command()
@click.argument("book", shell_complete=book_names)
@click.option("--clause", shell_complete=clause_names, help="One clause in full.")
@_JSON
def show(book: str, clause: str | None, *, as_json: bool) -> None:
    """Show the rules of a book with their clauses, its options and anomalies. BOOK is an id or a TOML file."""
    loaded = load(book)
    if clause is not None:
        _show_clause(loaded, clause, as_json=as_json)
        return
    if as_json:
        click.echo(json.dumps(_book_data(loaded)))
        return
    from rich.text import Text

    from aceking.commands.output.settlement import book_title, printable
    from aceking.rules.options import allowed_values
    from aceking.rules.review.compare import rules_of

    _print(book_title(loaded))
    _print(Text.assemble(printable(loaded.source), "\n", (f"hash {loaded.digest}", "dim")))
    _show_heritage(loaded)
    rows = [(key, value, _with_origin(loaded, clause)) for key, value, clause in rules_of(loaded)]
    _show_table(("rule", "value", "clause"), rows, wraps=(1,), least=14)
    _show_table(
        ("option", "values", "chosen", "clause"),
        [(one.name, allowed_values(one), loaded.chosen[one.name], one.clause) for one in loaded.options.values()],
        wraps=(1, 2),
        least=16,
    )
    if loaded.anomalies:
        _show_table(
            ("anomaly", "where", "problem", "reading"),
            [(one.id, one.where, one.problem, one.reading) for one in loaded.anomalies.values()],
            wraps=(1, 2, 3),
            least=16,
        )


def _with_origin(book: "Book", clause: str | None) -> str:
    """Return a clause, with the book it is from if that is another one."""
    if clause is None:
        return ""
    origin = book.heritage.origin.get(clause)
    return clause if origin is None else f"{clause} ({origin})"


def _show_heritage(book: "Book") -> None:
    """Print what a book takes from other books, and what it changes."""
    heritage = book.heritage
    if not heritage.line:
        return
    _print(f"{book.id} starts from {', which starts from '.join(heritage.line)}.")
    if heritage.anew:
        by = {key: clause.id for clause in book.clauses.values() for key in clause.sets}  # a removed row has no rule
        rows = [
            (key, book.by_key[key].clause if key in book.by_key else by.get(key, ""), was)
            for key, was in heritage.anew.items()
        ]
        _show_table(("changed", "by", "instead of"), rows, wraps=(), least=14)
    if heritage.dropped:
        rows = [
            (name, origin, "rewritten" if name in book.clauses else "dropped")
            for name, origin in heritage.dropped.items()
        ]
        _show_table(("clause", "of", "is"), rows, wraps=(), least=14)


def _heritage_data(book: "Book") -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(book.heritage)


def _book_data(book: "Book") -> dict[str, Any]:
    from aceking.rules.review.compare import options_of, rules_of

    return {
        "id": book.id,
        "title": book.title,
        "house": book.house,
        "version": book.version,
        "source": book.source,
        "currency": book.currency,
        "hash": book.digest,
        "heritage": _heritage_data(book),
        "rules": {key: {"value": value, "clause": clause} for key, value, clause in rules_of(book)},
        "options": {
            name: {"chosen": chosen, "values": list(book.options[name].values), "clause": book.options[name].clause}
            for name, chosen in options_of(book).items()
        },
        "clauses": {one.id: {"says": one.says, "kind": one.kind} for one in book.clauses.values()},
    }


def _show_clause(book: "Book", name: str, *, as_json: bool) -> None:
    if name not in book.clauses:
        import difflib

        near = difflib.get_close_matches(name, book.clauses, n=3)
        raise click.ClickException(f"{book.id} has no clause {name!r}" + (f"; near: {', '.join(near)}" if near else ""))
    clause = book.clauses[name]
    if as_json:
        import msgspec

        click.echo(json.dumps(msgspec.to_builtins(clause)))
        return
    from rich.text import Text

    from aceking.rules.options import allowed_values
    from aceking.rules.reading.values import row_of
    from aceking.rules.value_text import value_text

    rows: list[tuple[str, str | Text]] = []
    add = rows.append
    add(("clause", Text.assemble((clause.id, "bold"), f" ({clause.topic}, {clause.actor})")))
    add(("says", clause.says))

    for key in clause.sets:
        rule = book.by_key.get(key)
        if rule is not None and (rule.value is not None or row_of(key) is not None):
            add(("sets", f"{key} = {value_text(key, rule.value, decimals=book.decimals)}"))
    for act in clause.acts:
        after = f" after {', '.join(act.after)}" if act.after else ""
        meant = f"; else {act.breach}" if act.breach is not None else ""
        add(("governs", f"{act.do} by {act.by}{after}{meant}"))
    for ruling in clause.rulings:
        given = f" given {', '.join(ruling.given)}" if ruling.given else ""
        add(("rules", f"{ruling.on}{given}: {ruling.then}"))
    for option in clause.options:
        add(("option", f"{option}: {allowed_values(book.options[option])}; chosen {book.chosen[option]}"))
    if clause.defines:
        add(("defines", ", ".join(clause.defines)))
    if clause.outside:
        add(("outside", clause.outside))
    for reading in clause.readings:
        anomaly = book.anomalies[reading]
        add((reading, f"{anomaly.problem}\nread: {anomaly.reading}"))
    _show_table(("", ""), rows)


@books.command()
@click.argument("left", shell_complete=book_names)
@click.argument("right", shell_complete=book_names)
@_JSON
def diff(left: str, right: str, *, as_json: bool) -> None:
    """Compare two books rule by rule, with the clauses of both."""
    from dataclasses import asdict

    from aceking.rules.review.compare import differences

    first, second = load(left), load(right)
    rows = list(differences(first, second))
    if as_json:
        heritage = {book.id: _heritage_data(book) for book in (first, second) if book.heritage.line}
        data = [asdict(row) for row in rows]
        click.echo(json.dumps({"left": first.id, "right": second.id, "differences": data, "heritage": heritage}))
        return
    for book in (first, second):
        _show_heritage(book)
    _show_table(
        ("rule", first.id, "clause", second.id, "clause"),
        [
            (row.key, row.left, _with_origin(first, row.left_clause), row.right, _with_origin(second, row.right_clause))
            for row in rows
        ],
        wraps=(1, 3),
        least=14,
    )
    _print(f"{len(rows)} rules differ")


@books.command()
@click.argument("names", nargs=-1, metavar="[BOOK]...", shell_complete=book_names)
@click.option(
    "--all", "every", is_flag=True, help="Also references to other documents, and what the text leaves to the house."
)
@_JSON
def lint(names: tuple[str, ...], *, every: bool, as_json: bool) -> int:
    """Find faults in the texts: references to nothing, missing rows, pays that fall where they should rise.

    Exit status 1 if a finding has no recorded reading.
    """
    from dataclasses import asdict

    from aceking.rules.reading.load import book_ids
    from aceking.rules.review.lint import lint as lint_book

    findings = list(dict.fromkeys(finding for name in names or book_ids() for finding in lint_book(load(name))))
    bad = [one for one in findings if not one.explained]
    if as_json:
        rows = [{**asdict(one), "explained": one.explained} for one in findings]
        click.echo(json.dumps({"findings": rows, "unexplained": len(bad)}))
        return 1 if bad else 0
    shown = [one for one in findings if every or one.kind not in ("outside-reference", "open", "gap")]
    from rich.text import Text

    _show_table(
        ("book", "clause", "fault", "what", "reading"),
        [(one.book, one.clause, one.kind, one.says, ", ".join(one.anomalies) or Text("none", "red")) for one in shown],
        wraps=(3, 4),
        least=16,
    )
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(one.kind for one in findings).items()))
    _print(f"{len(findings)} findings ({kinds}); {len(bad)} without a reading")
    return 1 if bad else 0


@books.command()
@click.argument("names", nargs=-1, metavar="[BOOK]...", shell_complete=book_names)
@click.option("--scenarios", type=click.Path(path_type=Path), help="The folder of scenario sheets.")
@click.option("--list", "every", is_flag=True, help="Every clause with its scenarios.")
@click.option("--markdown", is_flag=True, help="Every clause, as a Markdown page.")
@_JSON
def coverage(names: tuple[str, ...], scenarios: Path | None, *, every: bool, markdown: bool, as_json: bool) -> int:
    """Show which clauses are covered by a passing scenario. Exit status 1 if one is missing or fails."""
    from aceking.scenarios.coverage import coverage as cover
    from aceking.scenarios.coverage import read_proofs
    from aceking.scenarios.judge import ScriptError
    from aceking.scenarios.scripts import read_scripts
    from aceking.scenarios.sheets import SheetError, default_folder, read_sheets
    from aceking.settlement.scenario_json import INPUT_ERRORS

    for name in names:
        load(name)
    folder = scenarios or shipped("scenarios") or default_folder()
    if not folder.is_dir():
        absent = f"{folder}: there is no such folder"
        raise click.ClickException(
            absent if scenarios else "this installation has no scenarios; name their folder with --scenarios DIR"
        )
    books_beside(folder / "sheets")
    try:
        covered = cover(read_sheets(folder), read_scripts(folder / "table"), names or None, read_proofs(folder))
    except (*INPUT_ERRORS, SheetError, ScriptError) as wrong:
        raise click.ClickException(str(wrong)) from None
    failing = [one for one in covered.clauses if one.failing]
    ok = not (covered.missing or covered.unknown or failing)
    if as_json:
        click.echo(json.dumps(_coverage_data(covered)))
    elif markdown:
        click.echo(_coverage_page(covered))
    else:
        _show_coverage(covered, every=every)
    return 0 if ok else 1


def _coverage_data(covered: "Coverage") -> dict[str, Any]:
    names = dict.fromkeys(one.book for one in covered.clauses)
    return {
        "catalogue": covered.catalogue,
        "accounted": covered.catalogue - len(covered.missing),
        "missing": list(covered.missing),
        "unknown": list(covered.unknown),
        "books": {name: dict(covered.counts(name)) for name in names},
        "clauses": [
            {
                "book": one.book,
                "clause": one.clause,
                "kind": one.kind,
                "passing": list(one.passing),
                "failing": list(one.failing),
            }
            for one in covered.clauses
        ],
    }


_COLUMNS = ("clauses", "sets", "acts", "rules", "defines", "outside", "with scenario")


def _show_coverage(covered: "Coverage", *, every: bool) -> None:
    from rich.text import Text

    if every:
        rows = []
        for one in covered.clauses:
            failing = f" failing: {', '.join(one.failing)}" if one.failing else ""
            rows.append((one.book, one.clause, one.kind, Text.assemble(", ".join(one.passing), (failing, "red"))))
        _show_table(("book", "clause", "kind", "scenarios"), rows)
    counted = [(name, covered.counts(name)) for name in dict.fromkeys(one.book for one in covered.clauses)]
    _show_table(
        ("book", *_COLUMNS), [(name, *(counts[column] for column in _COLUMNS)) for name, counts in counted], wraps=()
    )
    ids = {one.clause for one in covered.clauses}
    proven = {one.clause for one in covered.clauses if one.passing and not one.failing}
    _print(f"{len(ids)} of {covered.catalogue} clauses accounted for, {len(proven)} of them with a passing scenario")
    for name, what in (("missing", covered.missing), ("not in the catalogue", covered.unknown)):
        if what:
            _print(Text.assemble((name, "red"), f": {', '.join(what)}"))


def _coverage_page(covered: "Coverage") -> str:
    lines = ["# Every clause, and the scenarios that prove it", "", "Made by `make docs`.", ""]
    for name in dict.fromkeys(one.book for one in covered.clauses):
        counts = covered.counts(name)
        lines += [f"## {name}", "", ", ".join(f"{column} {counts[column]}" for column in _COLUMNS), ""]
        lines += ["| clause | kind | scenarios |", "|---|---|---|"]
        lines += [
            f"| {one.clause} | {one.kind} | {', '.join(one.passing)} |" for one in covered.clauses if one.book == name
        ]
        lines.append("")
    return "\n".join(lines)


@books.command()
@click.argument("word", required=False, metavar="[WORD]")
def words(word: str | None) -> None:
    """Show the words of the book language: parts, steps, rules with their values, acts, conditions, rulings.

    \b
    aceking books words bet
    aceking books words bet.antes
    aceking books words discard-and-use-next
    """
    from aceking.commands.output.settlement import console, grid, paragraph
    from aceking.commands.reference import of_books
    from aceking.rules.reading.did_you_mean import suggestion

    out, printed = console(), False
    known: set[str] = set()
    for title, says, keys, lists in of_books():
        steps = {key.name.split(".")[0] for key in keys if "." in key.name}
        listed = [one for line in lists for one in line.split(", ")]
        known |= {title.split()[-1], *steps, *listed, *(key.name for key in keys)}
        if word is not None and word not in (title, title.split()[-1], *steps):
            # A rule is found by its key, by its last part, or by a key with the name of a side wager.
            searched = (word, re.sub(r"^sides\.[^.]+\.", "sides.NAME.", word))
            keys = [
                key
                for key in keys
                if key.name in searched or key.name.rpartition(".")[2] == word or f"`{word}`" in key.takes
            ]
            lists = [word] if word in listed else []
            if not keys and not lists:
                continue
        printed = True
        paragraph(out, f"\n{title}: {says}")
        if keys:
            rows = [(key.name, key.takes, "must" if key.needed else "", key.says) for key in keys]
            columns = [(one, False) for one in ("key", "takes", "", "what it is")]
            out.print(grid(columns, rows, width=out.width, wraps=(1, 3), least=18))
        for line in lists:
            paragraph(out, line, indent=2)
    if not printed:
        raise click.ClickException(f"no book has the word {word!r}{suggestion(word, known)}")


books.add_command(new)
books.add_command(check)
