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
from aceking.commands.output.streams import check_folder

if TYPE_CHECKING:
    from aceking.exact.changes import Change
    from aceking.rules.book import Book

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
#: Seconds before progress is shown, and between two updates.
_PROGRESS_SECONDS = 1.0
_BAR = 20


class WhatIf(NamedTuple):
    """Changes to a book, as given on the command line."""

    options: tuple[str, ...]
    pays: tuple[str, ...]
    qualifier: str | None
    ante: str | None


def _what_if(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that change a book to a command; it gets them as one argument `what_if`."""

    @wraps(command)
    def gathered(**given: Any) -> None:
        lines = WhatIf(*(given.pop(name) for name in WhatIf._fields))
        command(what_if=lines, **given)

    for option in (
        click.option("--ante", metavar="AMOUNT", help="Compute for this ante, so that payout caps count."),
        click.option("--qualifier", metavar="RANKS", help='The weakest hand that qualifies the dealer: "A K 4 3 2".'),
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
            help="An option that the book leaves to the house.",
        ),
    ):
        gathered = option(gathered)
    return gathered


@click.command()
@click.argument("book", shell_complete=book_names)
@_what_if
@_JSON
def edge(book: str, *, what_if: WhatIf, as_json: bool) -> None:
    """Compute the exact house edge of a book under best play, over every deal.

    BOOK is an id, or the path of a TOML file. Any option, pay row or qualifier may be changed; a change that the book
    does not allow is computed with a warning. With --json `net_per_ante` is exact ("p/q" in lowest terms, negative if
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
        from aceking.exact.answers import edge_answer
        from aceking.exact.cache import cached_answer

        changed_book, about = _book("edge", book, what_if)
        data = {**cached_answer("edge", changed_book, edge_answer), **about}
    seconds = perf_counter() - start
    if as_json:
        click.echo(json.dumps({**data, "seconds": round(seconds, 4)}))
        return
    from aceking.commands.output.figures import show_edge

    show_edge(changed_book, data, seconds)


@click.command()
@click.argument("book", shell_complete=book_names)
@click.option("--cards", required=True, help='The hand: "Ah Kd 9c 5s 2d"; three cards in Colorado.')
@click.option("--up", help="The dealer's up-card, if the game has a dealer: 7c.")
@click.option(
    "--exchanged",
    metavar="CARDS",
    help='After an exchange: the card given and the card received, "2c Th"; of several, first all given.',
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
    """Compute the exact value of every decision of one hand, in antes.

    With --json `decisions` has the values as "p/q" in lowest terms, best first, and `best` names the best. With
    --exchanged, --cards is still the dealt hand, and every value includes the price of the exchange.

    \b
    aceking value section10 --cards "Ah Kd 9c 5s 2d" --up 9h
    aceking value exchange --cards "Qh Jh 9h 8h 2c" --up 7c
    aceking value exchange --cards "Qh Jh 9h 8h 2c" --up 7c --exchanged "2c Ts"
    aceking value colorado-required --cards "Kd 4s 4d"
    """
    with _input(), progress(f"{book}: playing out every deal"):
        from aceking.cards.card import card
        from aceking.cards.card import cards as read_cards
        from aceking.settlement.scenario import Swap

        held, shown = read_cards(cards), None if up is None else card(up)
        more = ["--cards", cards, *(() if up is None else ("--up", up))]
        swap = None
        if exchanged is not None:
            both, half = read_cards(exchanged), len(read_cards(exchanged)) // 2
            if not both or len(both) % 2:
                raise click.ClickException("--exchanged takes two cards: the one given and the one received")
            swap, more = Swap(both[:half], both[half:]), [*more, "--exchanged", exchanged]
        changed_book, about = _book("value", book, what_if, more)
        from aceking.exact.games import value as value_of

        values = value_of(changed_book, held, shown, exchanged=swap)
    decisions = {name: str(worth) for name, worth in values.decisions.items()}
    data = {"book": changed_book.id, "decisions": decisions, "best": values.best, **about}
    if as_json:
        click.echo(json.dumps(data))
        return
    from aceking.commands.output.figures import show_value

    show_value(changed_book, data, cards, up, swap)


@click.command()
@click.argument("book", shell_complete=book_names)
@_what_if
@_JSON
def strategy(book: str, *, what_if: WhatIf, as_json: bool) -> None:
    """Compute the best strategy, and simple rules with their mistakes and what these cost.

    With --json also the complete best strategy: `advice` has every state of the game once, by kind of hand, rank of
    the up-card and, if it matters, number of cards in the up-card's suit.

    \b
    aceking strategy section10
    aceking strategy colorado-permissible --json
    """
    with _input(), progress(f"{book}: playing every state") as tell:
        from aceking.exact.answers import strategy_answer
        from aceking.exact.cache import cached_answer

        changed_book, about = _book("strategy", book, what_if)
        data = {**cached_answer("strategy", changed_book, strategy_answer, tell), **about}
    if as_json:
        click.echo(json.dumps(data))
        return
    from aceking.commands.output.figures import show_strategy

    show_strategy(changed_book, data)


@click.command()
@click.argument("book", shell_complete=book_names)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder to write to.")
@click.option(
    "--paper", type=click.Choice(["A4", "Letter"], case_sensitive=False), help="The paper size (the printer's)."
)
@_what_if
def sheet(book: str, out: Path, paper: str | None, *, what_if: WhatIf) -> None:
    """Write all figures of a book as a document: BOOK.html, to read and to print, and BOOK.json.

    A changed book is written as BOOK.what-if.html and .json, and marked on every page. Figures are cached: the same
    sheet is written at once the next time.

    \b
    aceking sheet section10 --out sheets
    aceking sheet section10 --pays full_house=8 --out sheets
    aceking sheet rws --paper Letter --out sheets
    """
    check_folder(out)
    with _input(), progress(f"{book}: writing the sheet") as tell:
        changed_book, about = _book("sheet", book, what_if, ("--out", "DIR"))
        from aceking.exact.cache import cached_answer
        from aceking.sheet.data import sheet_data
        from aceking.sheet.write import make_folder, write_data

        try:
            make_folder(out)  # first: a wrong folder is reported before the work
            data = cached_answer("sheet", changed_book, sheet_data, progress=tell)
            data["document"]["repeat"] = about["repeat"]
            written = write_data(data, out, paper=paper or "")
        except OSError as failed:
            raise click.ClickException(f"{failed.filename or out}: {failed.strerror}") from None
    for file in written:
        click.echo(str(file))


@contextmanager
def _input() -> Iterator[None]:
    """Turn errors of the input into a ClickException: one sentence and status 2."""
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
    """Show what the program does on standard error after a second; on a terminal the line is removed at the end.

    The caller gets a function (done, total) that turns the line into a bar.
    """
    from threading import Event, Thread

    done = Event()
    terminal = sys.stderr.isatty()
    reached = [0, 0]

    def tell() -> None:
        seconds = 0.0
        while not done.wait(_PROGRESS_SECONDS):
            seconds += _PROGRESS_SECONDS
            if terminal:
                click.echo(f"\r{_progress_line(says, *reached, seconds=seconds)}\x1b[K", err=True, nl=False)
            elif seconds == _PROGRESS_SECONDS:
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


def _progress_line(says: str, part: int, whole: int, *, seconds: float) -> str:
    """Return e.g. `aceking: writing [#####-----] 12 of 24 (3 s)`, shorter if the total is unknown (0).

    On a narrow terminal it is shorter too: a line that wraps could not be overwritten.
    """
    from shutil import get_terminal_size

    filled = _BAR * part // (whole or 1)
    bar, count = f"[{'#' * filled}{'-' * (_BAR - filled)}] ", f"{part} of {whole} "
    begins, ends = f"aceking: {says} ", f"({seconds:.0f} s)"
    forms = [bar + count, count, ""] if whole else [""]
    room = get_terminal_size().columns - 1
    return next((text for one in forms if len(text := begins + one + ends) <= room), begins[:room])


def _book(command: str, name: str, what_if: WhatIf, more: Sequence[str] = ()) -> tuple["Book", dict[str, Any]]:
    """Return the changed book, and the keys of an answer for it: changes, hashes and the command to repeat it.

    Changes that the book does not allow, or that the figures leave out, are reported on standard error.
    """
    from aceking.exact.changes import changes_data, changes_of, command_line, priced_hash
    from aceking.rules.reading.load import load_book

    options = {key: option_value(key, text) for key, text in name_values("--option", what_if.options)}
    rows = dict(name_values("--pays", what_if.pays))
    qualifier, ante = what_if.qualifier, what_if.ante
    book, warnings, changes = load_book(name), tuple[str, ...](), tuple["Change", ...]()
    if options or rows or qualifier is not None or ante is not None:
        from aceking.exact.games import changed

        book, warnings = changed(book, options=options, pays=rows, qualifies_with=qualifier, ante=ante)
        changes = changes_of(book)
    for sentence in warnings:
        click.echo(f"aceking: warning: {sentence}", err=True)
    for change in changes:
        if change.enters in ("cap", "nothing"):
            click.echo(f"aceking: note: {change}", err=True)
    keys: dict[str, Any] = {"hash": book.digest, "priced": priced_hash(book), "changes": changes_data(changes)}
    keys["repeat"] = command_line(command, name, changes, *more)
    return book, {**keys, **({"warnings": list(warnings)} if warnings else {})}


def name_values(flag: str, texts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the parts of each `name=value`. Raises ClickException if one is malformed or a name is given twice."""
    seen = set()
    for text in texts:
        key, equals, rest = (part.strip() for part in text.partition("="))
        if not (key and equals and rest):
            raise click.ClickException(f"{flag} {text!r}: write it as name=value")
        if key in seen:
            raise click.ClickException(f"{flag} {key}: it is given twice")
        seen.add(key)
        yield key, rest


def option_value(key: str, text: str) -> Any:
    """Return the value of an option: a table if it is JSON, otherwise the text. Raises ClickException."""
    if not text.startswith("{"):
        return text
    try:
        return json.loads(text)
    except json.JSONDecodeError as broken:
        message = f'--option {key}: rows are written as JSON, e.g. {{"flush": "6"}}; {broken.msg}'
        raise click.ClickException(message) from None
