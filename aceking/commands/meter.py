"""`aceking meter`: run scripts of a progressive, and write its reports."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aceking.commands.output.groups import Group
from aceking.commands.output.streams import books_beside, name_of, read

if TYPE_CHECKING:
    from aceking.meter.script import Run

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@click.group(cls=Group)
def meter() -> None:
    """The progressive: meters, their tables, winners and signatures.

    \b
    aceking meter run examples/meter-two-royals.jsonl            a night, played
    aceking meter run examples/meter-two-royals.jsonl --json     for machines
    aceking meter run examples/meter-must-hit.jsonl              two on a table
    aceking meter report examples/meter-night.jsonl --out DIR    win pages, days
    aceking meter worth --must-hit-by 500 --rate 10% --value 450
    """


@meter.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def run(file: str, *, as_json: bool) -> int:
    """Run a script of meter commands, one JSON object per line; - is standard input.

    Amounts are decimal texts in the currency of the meter, and every command has a time. A command that the book or the
    rules of the house do not allow is refused and recorded, and changes nothing. Exit status 1 if the identity
    (in less out is 0) does not hold.

    \b
    {"do": "open", "at": "2026-01-05T21:00:10Z", "by": "Sam"}
    """
    played = _played(file)
    from aceking.meter.state import identity

    if as_json:
        import msgspec

        from aceking.meter.reports import run_data

        data = {name: run_data(one) for name, one in played.items()}
        sys.stdout.buffer.write(msgspec.json.encode(data.get("") or {"meters": data}) + b"\n")
    else:
        for name, one in played.items():
            if name:
                click.echo(f"meter {name}")
            _show(one)
    return 0 if all(identity(one.state) == 0 for one in played.values()) else 1


@meter.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--out", required=True, type=click.Path(file_okay=False), help="The folder for the files.")
def report(file: str, out: str) -> int:
    """Write the reports of a script: a win page for each of the last hits, the days of the meter, the list of hits.

    Win pages are HTML, and also PDF if Chromium is installed. Days and hits are CSV and JSON.

    \b
    aceking meter report examples/meter-night.jsonl --out papers
    """
    pages = []
    try:
        for name, played in _played(file).items():
            folder = Path(out) / name
            folder.mkdir(parents=True, exist_ok=True)
            pages += _write_reports(played, folder)
    except OSError as refused:
        raise click.ClickException(f"{out}: {refused.strerror}") from None
    click.echo(f"{out}: days and hits as CSV and JSON, {len(pages)} win page(s) as HTML")
    click.echo(_as_pdf(pages))
    return 0


def _write_reports(played: "Run", folder: Path) -> list[Path]:
    """Write the files of one meter, and return its win pages."""
    import msgspec

    from aceking.meter.awards.win_page import win_page
    from aceking.meter.reports import as_csv, days, hit_row, run_data

    rows: dict[str, Sequence[msgspec.Struct]] = {
        "days": days(played.events, decimals=played.decimals),
        "hits": [hit_row(one, decimals=played.decimals) for one in played.state.hits],
    }
    for name, table in rows.items():
        (folder / f"{name}.csv").write_text(as_csv(table), encoding="utf-8")
        (folder / f"{name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(table), indent=2) + b"\n")
    if retired := run_data(played)["retired"]:
        (folder / "retired.json").write_bytes(msgspec.json.format(msgspec.json.encode(retired), indent=2) + b"\n")
    pages = []
    for award in played.state.hits:
        page = folder / f"win-{_file_name(award.id)}.html"
        page.write_text(win_page(played.books, played.state, award), encoding="utf-8")
        pages.append(page)
    return pages


@meter.command()
@click.option("--must-hit-by", "limit", required=True, help="The limit at which the meter is won at the latest.")
@click.option("--rate", required=True, help="The part of each wager that goes to the meter, e.g. 10%.")
@click.option("--value", default="0", help="The value of the meter.", show_default=True)
@click.option("--stake", default="1", help="The amount of one wager.", show_default=True)
@click.option("--returned", default="0%", help="The part of a wager that other prizes return.", show_default=True)
@click.option("--decimals", default=2, type=click.IntRange(0, 4), help="Decimals of the currency.", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def worth(limit: str, rate: str, value: str, stake: str, returned: str, decimals: int, *, as_json: bool) -> int:
    """Compute the exact value of a wager on a must-hit-by meter; every trigger up to the limit is equally likely.

    \b
    aceking meter worth --must-hit-by 500 --rate 10% --value 450
    """
    from aceking.meter.reports import worth_data

    try:
        data = worth_data(limit, rate, value, stake, returned, decimals=decimals)
    except ValueError as wrong:
        raise click.ClickException(str(wrong)) from None
    if as_json:
        import msgspec

        sys.stdout.buffer.write(msgspec.json.encode(data) + b"\n")
        return 0
    from fractions import Fraction

    for name, text in data.items():
        about = f"   about {float(Fraction(text)):.6g}" if "/" in str(text) else ""
        click.echo(f"{name.replace('_', ' '):<22}{text or 'none'}{about}")
    return 0


def _file_name(award_id: str) -> str:
    """Return the id of an award as a safe file name."""
    return "".join(one if one.isalnum() else "-" for one in award_id)


def _as_pdf(pages: list[Path]) -> str:
    """Print the pages to PDF, and return a sentence about the result."""
    import shutil
    import subprocess

    browser = next((path for name in _BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        return "no PDF: Chromium is not installed; open the HTML and print it"
    for page in pages:
        target = page.with_suffix(".pdf")
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
        command = [browser, *options, f"--print-to-pdf={target.resolve()}", page.resolve().as_uri()]
        try:
            subprocess.run(command, capture_output=True, check=True, timeout=60)
        except (OSError, subprocess.SubprocessError):
            return f"no PDF: {browser} did not print {page.name}; open the HTML and print it"
    return f"{len(pages)} win page(s) as PDF"


def _played(file: str) -> "dict[str, Run]":
    from aceking.meter.script import MeterScriptError
    from aceking.meter.several_meters import play_meters

    books_beside(file)
    try:
        return play_meters(read(file).splitlines())
    except MeterScriptError as wrong:
        raise click.ClickException(f"{name_of(file)}: {wrong}") from None


def _show(played: "Run") -> None:
    from rich.text import Text

    from aceking.commands.output.settlement import console, grid, paragraph
    from aceking.meter.reports import run_data

    data = run_data(played)
    out = console()
    shows = Text(f"{data['currency'] or ''} {data['display']}".strip(), style="bold")
    paragraph(out, Text.assemble(shows, f"   carried {data['carried']} of a minor unit   meter {data['phase']}"))
    for one in data["pending"]:
        pending = f"PENDING  table {one['table']} seat {one['seat']}: {one['amount']}"
        paragraph(out, Text(pending, style="bold yellow"))
    for name, one in data["tables"].items():
        if one["suspended"] or one["without_jackpot"]:
            paragraph(out, f"table {name}: {'suspended' if one['suspended'] else 'without the jackpot'}")
    counters = [(name.replace("_", " "), value) for name, value in data["counters"].items()]
    out.print(grid([("counter", False), ("amount", True)], counters, width=out.width, wraps=()))
    style = "green" if data["identity"] == "0" else "bold red"
    paragraph(out, Text(f"identity: in less out = {data['identity']}", style=style))
    if data["hits"]:
        amounts = [(name, True) for name in ("amount", "meter", "tray")]
        columns = [("hit", False), ("hand", False), *amounts, ("signed by", False)]
        out.print(grid(columns, [_hit(one) for one in data["hits"]], width=out.width, wraps=()))
    if must_hit := data.get("must_hit_by"):
        sealed = must_hit["commitment"] or "no trigger is drawn"
        paragraph(out, f"must hit by {must_hit['limit']}, trigger sealed: {sealed}")
        for one in must_hit["triggers"]:
            paragraph(out, f"trigger {one['trigger']} of {one['low']} to {one['high']}, seed {one['seed']}")
    if retirement := data["retired"]:
        where = "the house" if retirement["to"] == "house" else retirement["place"]
        retired = f"RETIRED  {retirement['moved']} to {where}, {retirement['recovered']} recovered by the house"
        paragraph(out, Text(retired, style="bold"))
        paragraph(out, f"{retirement['by']} and {retirement['second']}: {retirement['reason']}")
    for one in data["refused"]:
        governs = f"{one['clause']}; {one['decides']} decides" if "decides" in one else one["clause"]
        paragraph(out, Text(f"line {one['line']} refused: {one['reason']} ({governs})", style="red"))


def _hit(hit: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the row of one hit: id and state, hand, amounts, and who signed."""
    undone = " (undone)" if hit["undone"] else " (to be recalculated)" if hit["anew"] else ""
    signer = f"{hit['signer']}, {hit['signer_role']}"
    return hit["id"] + undone, hit["hand"], hit["amount"], hit["from_meter"], hit["from_tray"], signer
