"""`aceking simulate` and `aceking seeing`: play rounds by the million, with the error of the estimate."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aceking.commands.figures import progress

if TYPE_CHECKING:
    from aceking.rules.book import Book
    from aceking.simulation.meter import SimulatedSide
    from aceking.simulation.result import Result

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
#: The exit status after Ctrl-C.
_STOPPED = 130


@click.command()
@click.argument("book")
@click.option("--rounds", required=True, type=int, help="The number of rounds.")
@click.option("--seats", default=1, show_default=True, help="Hands of players in each round.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same rounds.")
@click.option(
    "--strategy", default="optimal", show_default=True, help="The name of a strategy, or a JSON file of advice."
)
@click.option("--ante", metavar="AMOUNT", help="The amount of every ante, so that payout caps count.")
@click.option("--workers", default=1, show_default=True, help="Number of processes.")
@click.option("--cluster", metavar="ADDRESS", help="The scheduler of a dask cluster, e.g. tcp://127.0.0.1:8786.")
@click.option("--checkpoint", type=click.Path(path_type=Path), help="A file to resume from, and to save to.")
@click.option("--side", is_flag=True, help="A stake on the progressive from every seat.")
@click.option("--meter", metavar="AMOUNT", help="The meter at the start.")
@click.option("--reset", metavar="AMOUNT", help="The meter after a full hit (the meter at the start).")
@click.option("--rate", metavar="PERCENT", help="The part of each stake that goes to the meter: 70%.")
@click.option("--award", "awards", multiple=True, metavar="ROW=AWARD", help="A posted award: flush=75, flush=5%.")
@_JSON
def simulate(
    book: str,
    rounds: int,
    seats: int,
    seed: int,
    strategy: str,
    ante: str | None,
    workers: int,
    cluster: str | None,
    checkpoint: Path | None,
    side: bool,
    meter: str | None,
    reset: str | None,
    rate: str | None,
    awards: tuple[str, ...],
    *,
    as_json: bool,
) -> int:
    """Play whole rounds of a book and print the result with its standard error.

    The same seed gives the same totals with any number of workers. Ctrl-C stops and prints the result so far; with
    --checkpoint the same command continues from there. With --json `net_per_ante` and `standard_error` are in antes,
    `interval` contains the true mean with a confidence of 95 %, `outcomes` counts hands by net result.

    \b
    aceking simulate section10 --rounds 100000000 --workers 2
    aceking simulate exchange --rounds 10000000 --seats 7 --strategy good-draws
    aceking simulate rws --rounds 50000000 --side --meter 10000 --rate 70%
    aceking simulate rws --rounds 1000000000 --checkpoint night.json
    """
    with input_errors():
        from aceking.exact.games import changed
        from aceking.exact.unpriced import counted_caps, left_out
        from aceking.rules.reading.load import load_book
        from aceking.simulation.plan import plan
        from aceking.simulation.run import Where, run

        where = Where(workers, cluster)
        where.check()
        found = load_book(book)
        if ante is not None:
            found, _ = changed(found, ante=ante)
        progressive = (meter, reset, rate, awards)
        if any(progressive) and not side:
            raise click.ClickException("--meter, --reset, --rate and --award are about the progressive; add --side")
        bets = side_of(found, *progressive) if side else None
        planned = plan(found, rounds=rounds, seats=seats, seed=seed, strategy=strategy, side=bets)
        for sentence in (*counted_caps(found, boxes=seats), *left_out(found, boxes=seats)):
            click.echo(f"aceking: note: {sentence}", err=True)
        with _bar(rounds, hidden=not sys.stderr.isatty()) as tell:
            done = run(planned, where, file=checkpoint, progress=tell)
    if as_json:
        click.echo(json.dumps(done.data()))
    else:
        _show(found, done)
    return _STOPPED if done.stopped else 0


@click.command()
@click.argument("book")
@click.option("--dealer-cards", default=1, show_default=True, help="The number of seen dealer cards: 1 to 5; exact.")
@click.option("--hands", default=1, show_default=True, help="The number of known hands, your own included.")
@click.option("--error", default=0.0001, show_default=True, help="The standard error for several hands, in antes.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same deals.")
@click.option("--exact", is_flag=True, help="Count two hands instead of sampling them: a minute, the first time.")
@_JSON
def seeing(book: str, dealer_cards: int, hands: int, error: float, seed: int, *, exact: bool, as_json: bool) -> None:
    """Compute the value of seeing more cards: several of the dealer's (exact), or the hands of other players.

    Hands are sampled; with --exact, two hands are computed exactly. Exact answers are cached.

    \b
    aceking seeing section10 --dealer-cards 3
    aceking seeing section10 --hands 7
    aceking seeing section10 --hands 2 --exact
    """
    with input_errors():
        from aceking.rules.reading.load import load_book
        from aceking.simulation.questions.shared_hands import shared_hands

        found = load_book(book)
        if hands > 1 and dealer_cards > 1:
            raise click.ClickException("either several of the dealer's cards are seen, or several hands; not both")
        if exact and hands > 2:
            raise click.ClickException(f"two hands are counted, {hands} are sampled: leave --exact out")
        if hands == 1 or (exact and hands == 2):
            answer = _seen(found, dealer_cards=dealer_cards, hands=hands)
            net: float | Fraction = Fraction(answer["net_per_ante"])
            more: dict[str, object] = {"exact": str(net), "deals": answer["deals"]}
            more |= {"dealer_cards": dealer_cards} if hands == 1 else {"hands": hands}
        else:
            shared = shared_hands(found, hands=hands, error=error, seed=seed)
            net = shared.net_per_ante
            more = {"standard_error": shared.standard_error, "deals": shared.deals, "hands": hands}
    if as_json:
        click.echo(json.dumps({"book": found.id, "net_per_ante": float(net), **more}))
    else:
        click.echo(f"{found.id}: net of an ante {_percent(net)}")
        for name, value in more.items():
            click.echo(f"  {name.replace('_', ' ')} {value}")


def _seen(book: "Book", *, dealer_cards: int, hands: int) -> dict[str, Any]:
    """Return the exact figures for these seen cards, from the cache if they are there."""
    from aceking.exact.answers import seen_cards_answer, two_hands_answer
    from aceking.exact.cache import cached_answer

    kind = f"seeing-{dealer_cards}-{hands}"
    if hands == 1:
        return cached_answer(kind, book, seen_cards_answer, dealer_cards)
    with progress(f"{book.id}: counting two hands") as tell:
        return cached_answer(kind, book, two_hands_answer, tell)


@contextmanager
def input_errors() -> Iterator[None]:
    """Turn errors of the input into a ClickException: one sentence and status 2."""
    from aceking.exact.seen_cards import SeeingError
    from aceking.rules.odds import OddsError
    from aceking.rules.options import OptionError
    from aceking.rules.reading.complaints import BookError
    from aceking.simulation.games.game import SimulationError

    try:
        yield
    except (BookError, OddsError, OptionError, SeeingError, SimulationError) as wrong:
        raise click.ClickException(str(wrong)) from None


def side_of(
    book: "Book", meter: str | None, reset: str | None, rate: str | None, awards: tuple[str, ...]
) -> "SimulatedSide":
    """Return the progressive side bet with these options. Raises ClickException if an award is malformed."""
    from aceking.cards.hand import CATEGORY_BY_KEY
    from aceking.rules.odds import amount, award, share
    from aceking.simulation.meter import SimulatedSide

    rows = {}
    for text in awards:
        row, equals, value = (part.strip() for part in text.partition("="))
        if row not in CATEGORY_BY_KEY or not equals:
            raise click.ClickException(f"--award {text!r}: write ROW=AWARD, e.g. flush=75 or full_house=150")
        rows[CATEGORY_BY_KEY[row]] = award(value, decimals=book.decimals)
    return SimulatedSide.of(
        book,
        awards=rows or None,
        rate=None if rate is None else share(rate),
        start=None if meter is None else amount(meter, decimals=book.decimals),
        reset=None if reset is None else amount(reset, decimals=book.decimals),
    )


@contextmanager
def _bar(rounds: int, *, hidden: bool) -> Iterator["Callable[[Result], None] | None"]:
    """Show a bar on standard error with the estimate so far and its interval; `hidden`: yield None."""
    if hidden:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TaskProgressColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=5) as bar:
        task = bar.add_task("", total=rounds)

        def tell(so_far: "Result") -> None:
            low, high = so_far.interval()
            says = f"{100 * float(so_far.net_per_ante):+.4f} % ({100 * low:+.4f} to {100 * high:+.4f})"
            speed = f"{so_far.rounds_per_second / 1e6:.1f} M rounds a second"
            bar.update(task, completed=so_far.rounds, description=f"{says}, {speed}")

        yield tell


def _show(book: "Book", done: "Result") -> None:
    from rich import box
    from rich.table import Table

    from aceking.commands.output.settlement import console

    screen = console()
    screen.print(f"[bold]{book.title}[/], {book.house}  [dim]{book.id} {book.digest[:12]}[/]")
    low, high = done.interval()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    rows: list[tuple[str, str]] = [
        ("rounds", f"{done.rounds:,}" + (f" of {done.asked:,}: stopped" if done.stopped else "")),
        ("seats, strategy, seed", f"{done.seats}, {done.strategy}, {done.seed}"),
        ("net of an ante", f"[bold]{_percent(done.net_per_ante)}[/]"),
        ("standard error", _percent(done.standard_error)),
        ("95 % interval", f"{_percent(low)} to {_percent(high)}"),
        *((f"how often: {name}", _percent(share)) for name, share in done.decisions.items()),
    ]
    if done.side is not None:
        rows.append(("side bet, net of a stake", _percent(done.side.net_per_stake)))
        rows.append(("its standard error", _percent(done.side.standard_error)))
        if done.side.meter:
            resets = done.side.meter["resets"]
            rows.append(("meter won in full", f"{resets} time{'s'[: resets != 1]}"))
            rows.append(("meter at the end", f"{book.currency} {done.side.meter['end']}"))
    for name, side in done.sides.items():
        rows.append((f"{name}, net of a stake", _percent(side.net_per_stake)))
        rows.append(("its standard error", _percent(side.standard_error)))
    rows.append(("rounds a second", f"{done.rounds_per_second:,.0f}"))
    for row in rows:
        table.add_row(*row)
    screen.print(table)


def _percent(share: Fraction | float) -> str:
    return f"{100 * float(share):+.5f} %"
