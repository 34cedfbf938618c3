"""`aceking edge`, `value`, `strategy` and `sheet`: what a book costs, and how to play it."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from aceking.exact.figures import Edge, Values
    from aceking.exact.strategy import Carried, Strategy
    from aceking.rules.book import Book

_Command = TypeVar("_Command", bound=Callable[..., Any])

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
_MISTAKES = 5  # of each rule, shown to people
#: Seconds after which a person is told that the program is at work.
_PATIENCE = 1.0


def _what_if(command: _Command) -> _Command:
    """The options that change a line of the book."""
    for option in (
        click.option("--qualifier", metavar="RANKS", help='The weakest hand with which the dealer plays: "A K 4 3 2".'),
        click.option(
            "--pays", multiple=True, metavar="ROW=ODDS", help='A row of a pay table: full_house=8, "pair=3 to 2".'
        ),
        click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A choice that the book leaves."),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("book")
@_what_if
@_JSON
def edge(book: str, options: tuple[str, ...], pays: tuple[str, ...], qualifier: str | None, *, as_json: bool) -> None:
    """What a book costs with the best play, exactly, over every deal.

    BOOK is an id, or the path of a TOML file. Any option, pay row or qualifier may be changed; what the book does
    not allow is computed with a warning. With --json `net_per_ante` is exact ("p/q" in lowest terms, negative where
    the house is ahead), `house_edge`, `element_of_risk`, `standard_deviation` and the frequencies in `decisions` are
    numbers, `exact` has them as "p/q" too, and `outcomes` counts the deals of each net result in antes.

    \b
    aceking edge section10
    aceking edge section10 --pays full_house=8 --pays flush=6
    aceking edge exchange --option ace-low-straight=not-allowed --json
    aceking edge section10 --option 'bet-paytable={"flush": "6"}'
    aceking edge exchange --pays exchange.four_of_a_kind=20
    """
    from time import perf_counter

    start = perf_counter()
    with _input(), _progress(f"{book}: counting every deal"):
        found, warnings = _book(book, options, pays, qualifier)
        from aceking.exact.games import edge as edge_of
        from aceking.exact.games import edge_data

        figures = edge_of(found)
    seconds = perf_counter() - start
    if as_json:
        told = {"warnings": list(warnings)} if warnings else {}
        click.echo(json.dumps({**edge_data(figures), "seconds": round(seconds, 4), **told}))
    else:
        _show_edge(found, figures, seconds)


@click.command()
@click.argument("book")
@click.option("--cards", required=True, help='The hand: "Ah Kd 9c 5s 2d"; three cards in Colorado.')
@click.option("--up", help="The dealer's up-card, where there is a dealer: 7c.")
@_what_if
@_JSON
def value(
    book: str,
    cards: str,
    up: str | None,
    options: tuple[str, ...],
    pays: tuple[str, ...],
    qualifier: str | None,
    *,
    as_json: bool,
) -> None:
    """What every decision of one hand is worth, exactly, in antes; and the best.

    With --json `decisions` has the values as "p/q" in lowest terms, best first, and `best` names the best.

    \b
    aceking value section10 --cards "Ah Kd 9c 5s 2d" --up 9h
    aceking value exchange --cards "Qh Jh 9h 8h 2c" --up 7c
    aceking value colorado-required --cards "Kd 4s 4d"
    """
    with _input(), _progress(f"{book}: playing out every deal"):
        found, warnings = _book(book, options, pays, qualifier)
        from aceking.cards.card import card
        from aceking.cards.card import cards as many
        from aceking.exact.games import value as value_of

        values = value_of(found, many(cards), None if up is None else card(up))
    if as_json:
        told = {"warnings": list(warnings)} if warnings else {}
        decisions = {name: str(worth) for name, worth in values.decisions.items()}
        click.echo(json.dumps({"book": found.id, "decisions": decisions, "best": values.best, **told}))
    else:
        _show_value(cards, up, values)


@click.command()
@click.argument("book")
@_what_if
@_JSON
def strategy(
    book: str, options: tuple[str, ...], pays: tuple[str, ...], qualifier: str | None, *, as_json: bool
) -> None:
    """How to play: rules that a person can carry, where they err and what that costs.

    With --json also the complete best strategy: `advice` holds every state of the game once, by kind of hand and rank
    of the up-card, and by the cards held in the up-card's suit where that decides.

    \b
    aceking strategy section10
    aceking strategy colorado-permissible --json
    """
    with _input(), _progress(f"{book}: playing every state"):
        found, warnings = _book(book, options, pays, qualifier)
        from aceking.exact.strategy import strategy as strategy_of
        from aceking.exact.strategy import strategy_data

        played = strategy_of(found)
    if as_json:
        told = {"warnings": list(warnings)} if warnings else {}
        click.echo(json.dumps({**strategy_data(played), **told}))
    else:
        _show_strategy(found, played)


@click.command()
@click.argument("book")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder to write to.")
@_what_if
def sheet(book: str, out: Path, options: tuple[str, ...], pays: tuple[str, ...], qualifier: str | None) -> None:
    """Write all figures of a book as a document: BOOK.html, which prints well, and the same as BOOK.json.

    \b
    aceking sheet section10 --out sheets
    aceking sheet section10 --pays full_house=8 --out what-if
    """
    with _input(), _progress(f"{book}: writing the sheet"):
        found, warnings = _book(book, options, pays, qualifier)
        from aceking.exact.sheet.write import write_sheet

        try:
            written = write_sheet(found, out, changes=warnings)
        except OSError as failed:
            raise click.ClickException(f"{failed.filename or out}: {failed.strerror}") from None
    for file in written:
        click.echo(str(file))


COMMANDS = (edge, value, strategy, sheet)


@contextmanager
def _input() -> Iterator[None]:
    """Wrong input is one sentence and status 2."""
    from aceking.cards.card import CardError
    from aceking.rules.options import OptionError
    from aceking.rules.text import BookError

    try:
        yield
    except (BookError, CardError, OptionError) as wrong:
        raise click.ClickException(str(wrong)) from None


@contextmanager
def _progress(says: str) -> Iterator[None]:
    """After a second tells on standard error what the program is at; on a terminal the line goes when it is done."""
    from threading import Event, Thread

    done = Event()
    terminal = sys.stderr.isatty()

    def tell() -> None:
        seconds = 0.0
        while not done.wait(_PATIENCE):
            seconds += _PATIENCE
            if terminal:
                click.echo(f"\raceking: {says} ({seconds:.0f} s)", err=True, nl=False)
            elif seconds == _PATIENCE:
                click.echo(f"aceking: {says}", err=True)
        if terminal and seconds:
            click.echo("\r\x1b[K", err=True, nl=False)

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _book(
    name: str, options: tuple[str, ...], pays: tuple[str, ...], qualifier: str | None
) -> tuple["Book", tuple[str, ...]]:
    """The book with its lines changed; warnings go to standard error, and into the answer where that is JSON."""
    from aceking.rules.load import load_book

    given = {key: _option_value(key, text) for key, text in _parted("--option", options)}
    rows = dict(_parted("--pays", pays))
    book = load_book(name)
    if not (given or rows or qualifier is not None):
        return book, ()
    from aceking.exact.games import changed

    book, warnings = changed(book, options=given, pays=rows, qualifies_with=qualifier)
    for sentence in warnings:
        click.echo(f"aceking: warning: {sentence}", err=True)
    return book, warnings


def _parted(flag: str, given: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    seen = set()
    for text in given:
        key, equals, rest = (part.strip() for part in text.partition("="))
        if not (key and equals and rest):
            raise click.ClickException(f"{flag} {text!r}: write it as name=value")
        if key in seen:
            raise click.ClickException(f"{flag} {key}: it is given twice")
        seen.add(key)
        yield key, rest


def _option_value(key: str, text: str) -> Any:
    """Rows of a table come as JSON, everything else as a word."""
    if not text.startswith("{"):
        return text
    try:
        return json.loads(text)
    except json.JSONDecodeError as broken:
        message = f'--option {key}: rows are written as JSON, as in {{"flush": "6"}}; {broken.msg}'
        raise click.ClickException(message) from None


# --- for people ---


def _print(what: Any) -> None:
    from aceking.commands.show import console

    console().print(what)


def _table(*columns: tuple[str, bool]) -> Any:
    """A table; the flag says that a column holds numbers."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, numbers in columns:
        table.add_column(name, justify="right" if numbers else "left", overflow="fold")
    return table


def _percent(share: Fraction, places: int = 4) -> str:
    return f"{float(100 * share):.{places}f} %"


def _antes(net: Fraction) -> str:
    """`+201`, `0`, `-3`; a fraction as a decimal."""
    text = f"{net.numerator:+,}" if net.denominator == 1 else f"{float(net):+,.4f}"
    return "0" if net == 0 else text


def _title(book: "Book") -> str:
    return f"[bold]{book.title}[/], {book.house}, {book.version}  [dim]{book.id} {book.digest[:12]}[/]"


def _show_edge(book: "Book", figures: "Edge", seconds: float) -> None:
    _print(_title(book))
    table = _table(("", False), ("", True), ("exactly", False))
    table.add_row("house edge, of the ante", f"[bold]{_percent(figures.house_edge)}[/]", str(figures.house_edge))
    table.add_row(
        "element of risk, of all chips put down", _percent(figures.element_of_risk), str(figures.element_of_risk)
    )
    table.add_row("chips put down, in antes", f"{float(figures.risked):.4f}", str(figures.risked))
    deviation = f"{figures.standard_deviation:.4f}"
    table.add_row("standard deviation, in antes", deviation, f"variance {figures.variance}")
    for name, share in figures.decisions.items():
        table.add_row(f"how often: {name}", _percent(share), str(share))
    _print(table)
    outcomes = _table(("net, in antes", True), ("deals", True), ("chance", True), ("adds to the player's result", True))
    for net, count in figures.outcomes.items():
        chance = Fraction(count, figures.deals)
        outcomes.add_row(_antes(net), f"{count:,}", f"{float(100 * chance):.6f} %", f"{float(net * chance):+.6f}")
    outcomes.add_section()
    outcomes.add_row("all", f"{figures.deals:,}", "100 %", f"{float(figures.net_per_ante):+.6f}")
    _print(outcomes)
    _print(f"[dim]every deal counted once, the best play taken; {seconds:.2f} s[/]")


def _show_value(cards: str, up: str | None, values: "Values") -> None:
    from rich.text import Text

    from aceking.commands.show import cards_text

    head = Text("Hand  ").append_text(cards_text(cards))
    if up is not None:
        head.append("   dealer shows ").append_text(cards_text(up))
    _print(head)
    table = _table(("decision", False), ("value, in antes", True), ("costs", True), ("exactly", False))
    best = values.decisions[values.best]
    for name, worth in values.decisions.items():
        style = "[bold]" if name == values.best else ""
        cost = "" if name == values.best else f"{float(best - worth):.6f}"
        table.add_row(f"{style}{name}", f"{float(worth):+.6f}", cost, str(worth))
    _print(table)


def _show_strategy(book: "Book", played: "Strategy") -> None:
    _print(_title(book))
    shares = ", ".join(f"{name} {_percent(share, 2)}" for name, share in played.best.decisions.items())
    _print(f"The best play costs [bold]{_percent(played.best.house_edge)}[/] of the ante: {shares}.")
    if played.borders:
        table = _table(("up-card", False), ("with one of its rank, from", False), ("without, from", False))
        for one in played.borders:
            table.add_row(one.up, one.matched or "never", one.unmatched or "never")
        _print("\nThe weakest hands to bet:")
        _print(table)
    rules = _table(
        ("rule", False), ("what to do", False), ("house edge", True), ("costs more", True), ("source", False)
    )
    for rule in played.rules:
        rules.add_row(rule.name, rule.says, _percent(rule.edge.house_edge), _percent(rule.costs, 5), rule.source)
    _print("\nRules to carry:")
    _print(rules)
    for rule in played.rules[:3]:
        if rule.mistakes:
            _show_mistakes(rule)
    for note in played.notes:
        _print(note)
    _print(f"[dim]the complete strategy has {len(played.advice):,} lines: aceking strategy {book.id} --json[/]")


def _show_mistakes(rule: "Carried") -> None:
    table = _table(
        ("hand", False),
        ("up", False),
        ("the rule", False),
        ("better", False),
        ("costs, in antes", True),
        ("per round", True),
    )
    for one in rule.mistakes[:_MISTAKES]:
        figures = f"{float(one.costs):.6f}", f"{float(one.per_round):.2e}"
        table.add_row(one.hand, one.up or "", one.taken, one.best, *figures)
    _print(f"\nWhere [bold]{rule.name}[/] errs most, of {len(rule.mistakes):,} kinds of hands:")
    _print(table)
