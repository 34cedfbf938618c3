"""`aceking edge`, `value`, `strategy` and `sheet`: what a book costs, and how to play it."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from aceking.commands.complete import book_names, option_choices, pay_choices

if TYPE_CHECKING:
    from aceking.exact.changes import Change
    from aceking.rules.book import Book

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
#: Seconds after which a person is told that the program is at work.
_PATIENCE = 1.0
_BAR = 20


class WhatIf(NamedTuple):
    """Lines of a book that are changed, as they are given."""

    options: tuple[str, ...]
    pays: tuple[str, ...]
    qualifier: str | None
    ante: str | None


def _what_if(command: Callable[..., None]) -> Callable[..., None]:
    """The options that change a line of the book, for the command as one `what_if`."""

    @wraps(command)
    def gathered(**given: Any) -> None:
        lines = WhatIf(*(given.pop(name) for name in WhatIf._fields))
        command(what_if=lines, **given)

    for option in (
        click.option("--ante", metavar="AMOUNT", help="Figures for this ante: caps on what is paid are counted."),
        click.option("--qualifier", metavar="RANKS", help='The weakest hand with which the dealer plays: "A K 4 3 2".'),
        click.option(
            "--pays",
            multiple=True,
            metavar="ROW=ODDS",
            shell_complete=pay_choices,
            help='A row of a pay table: full_house=8, "pair=3 to 2".',
        ),
        click.option(
            "--option",
            "options",
            multiple=True,
            metavar="NAME=VALUE",
            shell_complete=option_choices,
            help="A choice that the book leaves.",
        ),
    ):
        gathered = option(gathered)
    return gathered


@click.command()
@click.argument("book", shell_complete=book_names)
@_what_if
@_JSON
def edge(book: str, *, what_if: WhatIf, as_json: bool) -> None:
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
    aceking edge section10 --option bet-payout-cap=5000 --ante 100
    """
    from time import perf_counter

    start = perf_counter()
    with _input(), progress(f"{book}: counting every deal"):
        found, told = _book("edge", book, what_if)
        data = {**_remembered("edge", found, told, _edge), **told}
    seconds = perf_counter() - start
    if as_json:
        click.echo(json.dumps({**data, "seconds": round(seconds, 4)}))
        return
    from aceking.commands.output.figures import show_edge

    show_edge(found, data, seconds)


def _edge(book: "Book") -> dict[str, Any]:
    from aceking.exact.games import edge as edge_of
    from aceking.exact.games import edge_data
    from aceking.exact.side_bets.prices import side_bets
    from aceking.exact.unpriced import counted_caps, left_out

    figures = edge_of(book)
    sentences = {"counted": list(counted_caps(book)), "left_out": list(left_out(book))}
    told = {key: said for key, said in sentences.items() if said}
    return {**edge_data(figures), "side_bets": side_bets(book, figures), **told}


@click.command()
@click.argument("book", shell_complete=book_names)
@click.option("--cards", required=True, help='The hand: "Ah Kd 9c 5s 2d"; three cards in Colorado.')
@click.option("--up", help="The dealer's up-card, where there is a dealer: 7c.")
@click.option(
    "--exchanged",
    metavar="CARDS",
    help='After an exchange: the card given and the one that came, "2c Th"; several given, then as many that came.',
)
@_what_if
@_JSON
def value(
    book: str,
    cards: str,
    up: str | None,
    exchanged: str | None,
    *,
    what_if: WhatIf,
    as_json: bool,
) -> None:
    """What every decision of one hand is worth, exactly, in antes; and the best.

    With --json `decisions` has the values as "p/q" in lowest terms, best first, and `best` names the best. With
    --exchanged CARDS is still the hand that was dealt, and the price of the exchange is counted in every value.

    \b
    aceking value section10 --cards "Ah Kd 9c 5s 2d" --up 9h
    aceking value exchange --cards "Qh Jh 9h 8h 2c" --up 7c
    aceking value exchange --cards "Qh Jh 9h 8h 2c" --up 7c --exchanged "2c Ts"
    aceking value colorado-required --cards "Kd 4s 4d"
    """
    with _input(), progress(f"{book}: playing out every deal"):
        from aceking.cards.card import card
        from aceking.cards.card import cards as many
        from aceking.settlement.scenario import Swap

        held, shown = many(cards), None if up is None else card(up)
        more = ["--cards", cards, *(() if up is None else ("--up", up))]
        swap = None
        if exchanged is not None:
            both, half = many(exchanged), len(many(exchanged)) // 2
            if not both or len(both) % 2:
                raise click.ClickException("--exchanged takes two cards: the one given and the one that came")
            swap, more = Swap(both[:half], both[half:]), [*more, "--exchanged", exchanged]
        found, told = _book("value", book, what_if, more)
        from aceking.exact.games import value as value_of

        values = value_of(found, held, shown, exchanged=swap)
    decisions = {name: str(worth) for name, worth in values.decisions.items()}
    data = {"book": found.id, "decisions": decisions, "best": values.best, **told}
    if as_json:
        click.echo(json.dumps(data))
        return
    from aceking.commands.output.figures import show_value

    show_value(found, data, cards, up, swap)


@click.command()
@click.argument("book", shell_complete=book_names)
@_what_if
@_JSON
def strategy(book: str, *, what_if: WhatIf, as_json: bool) -> None:
    """How to play: rules that a person can carry, where they err and what that costs.

    With --json also the complete best strategy: `advice` holds every state of the game once, by kind of hand and rank
    of the up-card, and by the cards held in the up-card's suit where that decides.

    \b
    aceking strategy section10
    aceking strategy colorado-permissible --json
    """
    with _input(), progress(f"{book}: playing every state") as tell:
        found, told = _book("strategy", book, what_if)
        data = {**_remembered("strategy", found, told, lambda book: strategy_figures(book, tell)), **told}
    if as_json:
        click.echo(json.dumps(data))
        return
    from aceking.commands.output.figures import show_strategy

    show_strategy(found, data)


def strategy_figures(book: "Book", tell: Callable[[int, int], None]) -> dict[str, Any]:
    """The strategy as JSON has it; `tell` hears how much of the work is done."""
    from aceking.exact.strategy import strategy as strategy_of
    from aceking.exact.strategy import strategy_data

    return strategy_data(strategy_of(book, tell=tell))


@click.command()
@click.argument("book", shell_complete=book_names)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder to write to.")
@click.option(
    "--paper", type=click.Choice(["A4", "Letter"], case_sensitive=False), help="Else whatever is in the printer."
)
@_what_if
def sheet(book: str, out: Path, paper: str | None, *, what_if: WhatIf) -> None:
    """Write all figures of a book as a document: BOOK.html, which prints well, and the same as BOOK.json.

    A book with changed lines is written as BOOK.what-if.html and .json, and says so on every page. What took long is
    kept: the same sheet is written at once the next time.

    \b
    aceking sheet section10 --out sheets
    aceking sheet section10 --pays full_house=8 --out sheets
    aceking sheet rws --paper Letter --out sheets
    """
    with _input(), progress(f"{book}: writing the sheet") as tell:
        found, told = _book("sheet", book, what_if, ("--out", "DIR"))
        from aceking.sheet.write import make_folder, write_data

        def computed(book: "Book") -> dict[str, Any]:
            from aceking.sheet.data import sheet_data

            return sheet_data(book, tell=tell)

        try:
            make_folder(out)  # first: a wrong folder is told before the work, not after it
            data = _remembered("sheet", found, told, computed)
            data["document"]["repeat"] = told["repeat"]
            written = write_data(data, out, paper=paper or "")
        except OSError as failed:
            raise click.ClickException(f"{failed.filename or out}: {failed.strerror}") from None
    for file in written:
        click.echo(str(file))


COMMANDS = (edge, value, strategy, sheet)


@contextmanager
def _input() -> Iterator[None]:
    """Wrong input is one sentence and status 2."""
    from aceking.cards.card import CardError
    from aceking.rules.odds import OddsError
    from aceking.rules.options import OptionError
    from aceking.rules.reading.complaints import BookError

    try:
        yield
    except (BookError, CardError, OddsError, OptionError) as wrong:
        raise click.ClickException(str(wrong)) from None


@contextmanager
def progress(says: str) -> Iterator[Callable[[int, int], None]]:
    """After a second tells on standard error what the program is at; on a terminal the line goes when it is done.

    Work that knows its length says how much of it is done, and is shown as a bar.
    """
    from threading import Event, Thread

    done = Event()
    terminal = sys.stderr.isatty()
    reached = [0, 0]

    def tell() -> None:
        seconds = 0.0
        while not done.wait(_PATIENCE):
            seconds += _PATIENCE
            if terminal:
                click.echo(f"\r{_told(says, *reached, seconds=seconds)}\x1b[K", err=True, nl=False)
            elif seconds == _PATIENCE:
                click.echo(f"aceking: {says}", err=True)
        if terminal and seconds:
            click.echo("\r\x1b[K", err=True, nl=False)

    def step(part: int, whole: int) -> None:
        reached[:] = part, whole

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield step
    finally:
        done.set()
        teller.join()


def _told(says: str, part: int, whole: int, *, seconds: float) -> str:
    """`aceking: writing [#####-----] 12 of 24 (3 s)`, once the length is known.

    On a narrow terminal it is shorter: a line that wraps could not be written over.
    """
    from shutil import get_terminal_size

    filled = _BAR * part // (whole or 1)
    bar, count = f"[{'#' * filled}{'-' * (_BAR - filled)}] ", f"{part} of {whole} "
    begins, ends = f"aceking: {says} ", f"({seconds:.0f} s)"
    forms = [bar + count, count, ""] if whole else [""]
    room = get_terminal_size().columns - 1
    return next((text for one in forms if len(text := begins + one + ends) <= room), begins[:room])


def _book(command: str, name: str, what_if: WhatIf, more: Sequence[str] = ()) -> tuple["Book", dict[str, Any]]:
    """The book with its lines changed, and what an answer says of that: its changes, hashes and how to ask again.

    What the book does not allow is a warning, what is left out of the figures a note, on standard error.
    """
    from aceking.exact.changes import changes_data, changes_of, command_line, priced_hash
    from aceking.rules.reading.load import load_book

    given = {key: option_value(key, text) for key, text in parted("--option", what_if.options)}
    rows = dict(parted("--pays", what_if.pays))
    qualifier, ante = what_if.qualifier, what_if.ante
    book, warnings, changes = load_book(name), tuple[str, ...](), tuple["Change", ...]()
    if given or rows or qualifier is not None or ante is not None:
        from aceking.exact.games import changed

        book, warnings = changed(book, options=given, pays=rows, qualifies_with=qualifier, ante=ante)
        changes = changes_of(book)
    for sentence in warnings:
        click.echo(f"aceking: warning: {sentence}", err=True)
    for one in changes:
        if one.enters in ("cap", "nothing"):
            click.echo(f"aceking: note: {one}", err=True)
    told: dict[str, Any] = {"hash": book.digest, "priced": priced_hash(book), "changes": changes_data(changes)}
    told["repeat"] = command_line(command, name, changes, *more)
    return book, {**told, **({"warnings": list(warnings)} if warnings else {})}


def _remembered(
    kind: str, book: "Book", told: dict[str, Any], compute: Callable[["Book"], dict[str, Any]]
) -> dict[str, Any]:
    """A result that was computed before for the same book by the same program, or one that is computed now."""
    from aceking.exact.cache import remembered

    return remembered(kind, told["priced"], lambda: compute(book))


def parted(flag: str, given: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The parts of `name=value`, each name once."""
    seen = set()
    for text in given:
        key, equals, rest = (part.strip() for part in text.partition("="))
        if not (key and equals and rest):
            raise click.ClickException(f"{flag} {text!r}: write it as name=value")
        if key in seen:
            raise click.ClickException(f"{flag} {key}: it is given twice")
        seen.add(key)
        yield key, rest


def option_value(key: str, text: str) -> Any:
    """Rows of a table come as JSON, everything else as a word."""
    if not text.startswith("{"):
        return text
    try:
        return json.loads(text)
    except json.JSONDecodeError as broken:
        message = f'--option {key}: rows are written as JSON, as in {{"flush": "6"}}; {broken.msg}'
        raise click.ClickException(message) from None
