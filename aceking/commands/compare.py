"""`aceking compare`: the same cards and chips under every book."""

import json
from typing import TYPE_CHECKING, Any

import click

from aceking.commands.complete import book_names
from aceking.commands.output.streams import books_beside, name_of, read

if TYPE_CHECKING:
    from rich.text import Text

    from aceking.rules.book import Book
    from aceking.rules.refusal import Refusal, Unregulated
    from aceking.settlement.lines import Settlement
    from aceking.settlement.scenario_json import ScenarioIn

    #: The deal under one book: settled, refused, unregulated, or why it cannot be dealt; and how it was adapted.
    Outcome = tuple[tuple[Book, Settlement] | Refusal | Unregulated | str, tuple[str, ...]]


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--book", "more", metavar="FILE", multiple=True, shell_complete=book_names, help="A book of your own to add."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def compare(file: str, more: tuple[str, ...], *, as_json: bool) -> int:
    """Settle one deal under every book and compare the payments.

    FILE is a scenario as for `settle`, with or without a book; - is standard input.

    \b
    aceking compare examples/royal-flush.json
    aceking compare examples/royal-flush.json --book mine.toml
    """
    from aceking.rules.reading.load import book_ids, load_book
    from aceking.settlement.scenario_json import INPUT_ERRORS, result_data

    books_beside(file)
    try:
        raw = _scenario(file)
        # Games against a dealer first, then games against a pay table.
        names = sorted(dict.fromkeys([*book_ids(), *more]), key=lambda name: load_book(name).dealer is None)
        results = {name: _under(raw, name) for name in names}
    except INPUT_ERRORS as wrong:
        raise click.ClickException(f"{name_of(file)}: {wrong}") from None
    if as_json:
        books = {
            name: {"id": raw.id, "error": result} if isinstance(result, str) else result_data(raw.id, result)
            for name, (result, _) in results.items()
        }
        click.echo(json.dumps({"id": raw.id, "books": books}))
    else:
        _show(raw, results)
    return 0


def _scenario(file: str) -> "ScenarioIn":
    """Return the scenario of a JSON or TOML file."""
    from aceking.commands.settle import TOML
    from aceking.settlement.scenario_json import scenario_from_json, scenario_from_table

    text = read(file)
    if not (file.endswith(".toml") or TOML.match(text)):
        return scenario_from_json(text)
    import tomllib

    try:
        return scenario_from_table(tomllib.loads(text.decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as broken:
        raise click.ClickException(f"{name_of(file)}: this is not TOML: {broken}") from None


def _under(raw: "ScenarioIn", name: str) -> "Outcome":
    """Return the outcome of the deal under one book, and notes on what was adapted."""
    from aceking.rules.reading.load import load_book
    from aceking.rules.refusal import Refusal, Unregulated
    from aceking.settlement.other_books import adapted, in_coins
    from aceking.settlement.scenario_json import to_scenario
    from aceking.settlement.settle import settle

    book = load_book(name)
    native = load_book(_game_of(raw))
    scenario = to_scenario(native, raw)
    if book.dealer is not None and native.dealer is None:
        return "the deal has no cards for a dealer", ()
    shared = book.hands.community and not native.hands.community
    if native.dealer is None and _shape(book) != _shape(native):
        return "the deal is for another game", ()
    if book.hands.cards > native.hands.cards or (shared and not all(one.cards for one in scenario.seats)):
        return "the deal has no cards for this game", ()
    coins = in_coins(scenario, from_decimals=native.decimals, to_decimals=book.decimals)
    if coins is None:
        return f"an amount of the deal is finer than the smallest coin here; at most {book.decimals} decimals", ()
    scenario, notes = adapted(book, coins)
    result = settle(book, scenario)
    return (result if isinstance(result, Refusal | Unregulated) else (book, result)), notes


def _shape(book: "Book") -> tuple[int, int, int]:
    return book.hands.cards, book.hands.community, book.hands.discards


def _game_of(raw: "ScenarioIn") -> str:
    """Return the book to read the cards with: the scenario's own, or one with community cards or an exchange."""
    from aceking.rules.reading.load import book_ids, load_book

    if raw.book:
        return raw.book
    if raw.community:
        return next(name for name in book_ids() if load_book(name).hands.community)
    return next(name for name in book_ids() if load_book(name).exchange is not None)


def _show(raw: "ScenarioIn", results: "dict[str, Outcome]") -> None:
    from rich.table import Table
    from rich.text import Text

    from aceking.commands.output.settlement import cards_text, console, grid, held_text, paragraph

    out = console()
    out.print()
    for seat in raw.seats:
        chips = f"   ante {seat.ante}" + (f", side bet {seat.side}" if seat.side else "")
        chips += "".join(f", {name} {stake}" for name, stake in seat.sides.items())
        line = Text.assemble((f" Seat {seat.seat}  ", "bold"), held_text(seat, None))
        paragraph(out, line.append(chips))
    if raw.dealer or raw.community:
        label, laid = (" Dealer  ", raw.dealer) if raw.dealer else (" Community  ", raw.community)
        jackpot = f"   jackpot {raw.meter}" if raw.meter else ""
        paragraph(out, Text.assemble((label, "bold"), cards_text(laid), jackpot))
    out.print()
    rows = [row for name, (result, _) in results.items() for row in _rows(name, result)]
    columns = [(name, name in ("seat", "net")) for name in ("book", "seat", "hand", "ante", "bet", "side bet", "net")]
    beside = grid(columns, rows, width=out.width, wraps=(2,), least=14)
    if isinstance(beside, Table):
        beside.show_lines = True
        out.print(beside)
    else:
        _show_blocks(out, rows)
    for name, (_, notes) in results.items():
        for note in notes:
            paragraph(out, Text(f"{name}: {note}", "dim"), indent=1)


def _show_blocks(out: Any, rows: "list[list[Text]]") -> None:
    """Print book, seat and net in one line, and the wagers with their clauses below."""
    from rich.text import Text

    from aceking.commands.output.settlement import paragraph

    for book, seat, hand, ante, bet, side, net in rows:
        place = Text.assemble("  seat ", seat) if seat.plain else Text()
        paragraph(out, Text.assemble((book.plain, "bold"), place, "  ", net))
        if hand.plain:
            paragraph(out, hand, indent=2)
        for name, cell in (("ante", ante), ("bet", bet), ("side bet", side)):
            lines = cell.split("\n")
            for paid, clause in zip(lines[::2], lines[1::2], strict=False):
                paragraph(out, Text.assemble((f"{name}: ", "dim"), paid, " ", clause), indent=2)


def _rows(name: str, result: Any) -> "list[list[Text]]":
    """Return one row per seat, or one row with the reason why there is no settlement."""
    from rich.text import Text

    from aceking.commands.output.settlement import money, printable
    from aceking.rules.refusal import Refusal, Unregulated

    if isinstance(result, str | Refusal | Unregulated):
        if isinstance(result, str):
            reason = Text(f"not dealt: {result}", "yellow")
        elif isinstance(result, Refusal):
            reason = Text.assemble(("refused", "red"), f" by {result.clause}: {printable(result.reason)}")
        else:
            reason = Text.assemble(("unregulated", "yellow"), f": {printable(result.reason)}")
        return [[Text(name), Text(), reason, Text(), Text(), Text(), Text()]]
    book, settlement = result
    rows = []
    for seat in settlement.seats:
        cells = {wager: Text() for wager in ("ante", "bet", "side")}
        cell_of = {"ante": "ante", "exchange": "ante", "bought": "ante", "bet": "bet"}
        for line in settlement.lines:
            if line.seat != seat.seat:
                continue
            cell = cells[cell_of.get(line.wager, "side")]
            paid = f"+{money(line.pays, decimals=book.decimals)}" if line.pays else line.outcome
            if line.wager in ("exchange", "bought"):
                paid = f"fee {money(-line.stake, decimals=book.decimals)}"
            if line.wager in book.sides:
                paid = f"{line.wager} {paid}"
            cell.append("\n" if cell else "").append(paid, style="green" if line.pays else "")
            cell.append(f"\n{line.clause}", style="dim")
        net = Text(
            money(seat.net, decimals=book.decimals, sign=True), style="bold " + ("green" if seat.net > 0 else "red")
        )
        rows.append([Text(name), Text(str(seat.seat)), Text(seat.hand or "-"), *cells.values(), net])
    return rows
