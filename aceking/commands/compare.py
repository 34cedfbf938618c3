"""`aceking compare`: the same cards and chips under every book."""

import json
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.table import Table

    from aceking.rules.book import Book
    from aceking.rules.refusal import Refusal, Unregulated
    from aceking.settle.lines import Settlement
    from aceking.wire import ScenarioIn


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def compare(file: str, *, as_json: bool) -> int:
    """Lay one deal out under every book and see who is paid what.

    FILE is a scenario as for `settle`, with or without a book.

    \b
    aceking compare examples/royal-flush.json
    """
    from aceking.rules.load import book_ids, load_book
    from aceking.wire import INPUT_ERRORS, result_data, scenario_from_json

    try:
        text = sys.stdin.buffer.read() if file == "-" else _read(file)
        raw = scenario_from_json(text)
        # Games against a dealer first, those against a pay table after them.
        names = sorted(book_ids(), key=lambda name: load_book(name).dealer is None)
        results = {name: _under(raw, name) for name in names}
    except INPUT_ERRORS as wrong:
        raise click.ClickException(f"{file}: {wrong}") from None
    if as_json:
        books = {name: result_data(raw.id, result) for name, (result, _) in results.items()}
        click.echo(json.dumps({"id": raw.id, "books": books}))
    else:
        _show(raw, results)
    return 0


def _read(file: str) -> bytes:
    try:
        with open(file, "rb") as stream:
            return stream.read()
    except OSError as missing:
        raise click.ClickException(f"{file}: {missing.strerror}") from None


def _under(raw: "ScenarioIn", name: str) -> "tuple[tuple[Book, Settlement] | Refusal | Unregulated, tuple[str, ...]]":
    """The deal under one book, and what had to be laid out otherwise."""
    from aceking.rules.load import load_book
    from aceking.rules.refusal import Refusal, Unregulated
    from aceking.settle.adapt import adapted
    from aceking.settle.settle import settle
    from aceking.wire import to_scenario

    book = load_book(name)
    native = load_book(_game_of(raw))
    scenario, notes = adapted(book, to_scenario(native, raw))
    result = settle(book, scenario)
    return (result if isinstance(result, Refusal | Unregulated) else (book, result)), notes


def _game_of(raw: "ScenarioIn") -> str:
    """The book by which the scenario's cards are read: its own, or one that knows an exchange."""
    from aceking.rules.load import book_ids, load_book

    if raw.book:
        return raw.book
    return next(name for name in book_ids() if load_book(name).exchange is not None)


def _show(raw: "ScenarioIn", results: dict[str, Any]) -> None:
    from rich.text import Text

    from aceking.commands.show import cards_text, console

    out = console()
    out.print()
    for seat in raw.seats:
        line = Text(f" Seat {seat.seat}  ", style="bold").append_text(cards_text(seat.cards))
        chips = f"   ante {seat.ante}" + (f", side bet {seat.side}" if seat.side else "") + f", {seat.play}"
        if seat.exchange is not None:
            line.append("  exchanges ").append_text(cards_text(seat.exchange.give))
            line.append(" for ").append_text(cards_text(seat.exchange.take))
        out.print(line.append(chips))
    dealer = Text(" Dealer  ", style="bold").append_text(cards_text(raw.dealer))
    out.print(dealer.append(f"   jackpot {raw.meter}" if raw.meter else ""))
    out.print()
    out.print(_table(raw, results))
    for name, (_, notes) in results.items():
        for note in notes:
            out.print(f" [dim]{name}: {note}[/]")


def _table(raw: "ScenarioIn", results: dict[str, Any]) -> "Table":
    from rich import box
    from rich.table import Table

    from aceking.rules.refusal import Refusal, Unregulated

    table = Table(box=box.ROUNDED, title_style="bold", header_style="bold", show_lines=True)
    table.add_column("book", no_wrap=True)
    table.add_column("seat", justify="right")
    for name in ("hand", "ante", "bet", "side bet"):
        table.add_column(name)
    table.add_column("net", justify="right", no_wrap=True)
    for name, (result, _) in results.items():
        if isinstance(result, Refusal):
            table.add_row(name, "", f"[red]refused[/] by {result.clause}: {result.reason}", "", "", "", "")
        elif isinstance(result, Unregulated):
            table.add_row(name, "", f"[yellow]unregulated[/]: {result.reason}", "", "", "", "")
        else:
            _rows(table, name, *result)
    return table


def _rows(table: "Table", name: str, book: "Book", settlement: "Settlement") -> None:
    from rich.text import Text

    from aceking.commands.show import money

    for seat in settlement.seats:
        cells = {wager: Text() for wager in ("ante", "bet", "side")}
        for line in settlement.lines:
            if line.seat != seat.seat:
                continue
            cell = cells["ante" if line.wager == "exchange" else line.wager]
            paid = f"+{money(line.pays, decimals=book.decimals)}" if line.pays else line.outcome
            if line.wager == "exchange":
                paid = f"fee {money(-line.stake, decimals=book.decimals)}"
            cell.append("\n" if cell else "").append(f"{paid} ", style="green" if line.pays else "")
            cell.append(line.clause, style="dim")
        net = Text(
            money(seat.net, decimals=book.decimals, sign=True), style="bold " + ("green" if seat.net > 0 else "red")
        )
        table.add_row(name, str(seat.seat), seat.hand or "-", cells["ante"], cells["bet"], cells["side"], net)
