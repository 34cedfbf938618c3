"""`aceking books new` and `aceking books check`: write a book of your own, and check it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aceking.commands.complete import book_names

if TYPE_CHECKING:
    from aceking.rules.book import Book

#: The largest allowed difference between the mean of the rounds and the exact figure, in standard errors.
_ERRORS_MAX = 5
_AHEAD = ": in the player's favour"

_DERIVED = """\
# A house that plays {older} in its own way: everything that is not said here is the older book's.
#   aceking books check {name}.toml         everything that is wrong, the figures, a thousand rounds
#   aceking books diff {older} {name}.toml  what is different
#   aceking books words bet                 what each rule takes

from = "{older}"
id = "{name}"
title = "{title}"
house = "New House"
# currency = "{currency}"                   # of the header say what is different
# drops = ["{clause}"]                      # clauses that are gone
# fixes = {{ {option} = "{value}" }}        # options that are no choice here

[[clause]]
id = "{mark}-1"
topic = "pays"
actor = "house"
says = "A flush that wins is paid {words}."
set.bet.pays.flush = "{odds}"               # replaces the value of the older clause
"""


@click.command()
@click.argument("name", metavar="NAME")
@click.option("--from", "older", metavar="BOOK", shell_complete=book_names, help="Start from this book.")
def new(name: str, older: str | None) -> None:
    """Write NAME.toml, a complete book with comments that can be loaded, played and priced.

    \b
    aceking books new my-house
    aceking books new my-house --from section10
    """
    from aceking.rules.reading.clauses import ID

    if not ID.fullmatch(name):
        raise click.ClickException(
            f"{name!r} is not a name for a book: lower-case letters, digits and hyphens, e.g. my-house"
        )
    text = _complete(name) if older is None else _derived(name, older)
    file = Path(f"{name}.toml")
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise click.ClickException(f"{file} exists already, and is not overwritten") from None
    except OSError as failed:
        raise click.ClickException(f"{file}: {failed.strerror}") from None
    click.echo(f"{file}\nNext: aceking books check {file}")


def _complete(name: str) -> str:
    from importlib.resources import files

    text = (files("aceking.books") / "new" / "stud.toml").read_text(encoding="utf-8")
    return text.replace("new-house", name)


def _derived(name: str, older: str) -> str:
    from fractions import Fraction

    from aceking.cards.hand import Category
    from aceking.commands.books import load
    from aceking.rules.odds import odds_text

    book = load(older)
    odds = odds_text(book.bet.pays.get(Category.FLUSH, Fraction(0)) + 1)
    option = next((one for one in book.options.values() if one.kind == "choice"), None)
    return _DERIVED.format(
        name=name,
        older=older,
        title=book.title,
        currency=book.currency,
        clause=next(iter(book.clauses)),
        option=option.name if option else "option",
        value=option.values[0] if option else "value",
        mark=re.sub("[^A-Z]", "", name.upper()) or "MY",
        odds=odds,
        words=odds,
    )


@click.command()
@click.argument("name", metavar="BOOK", shell_complete=book_names)
@click.option("--rounds", default=1_000, show_default=True, type=click.IntRange(1, 1_000_000), help="Rounds to play.")
@click.option("--seed", default=1, show_default=True, type=int, help="Of the shuffles.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def check(name: str, *, rounds: int, seed: int, as_json: bool) -> int:
    """Check a book: faults of its text, its exact figures, and random rounds at a table.

    Of a game that cannot be priced, only the side wagers are priced, and the choices in its rounds are random. Exit
    status 1 if the text has a fault that no anomaly explains, or the rounds do not agree with the figures.

    \b
    aceking books check my-house.toml
    aceking books check my-house.toml --rounds 10000 --json
    """
    from aceking.commands.books import load
    from aceking.commands.figures import progress
    from aceking.exact.unpriced import UnpricedError, counted_caps, left_out
    from aceking.rules.review.lint import lint

    book = load(name)
    faults = [one for one in lint(book) if not one.explained]
    with progress(f"{book.id}: counting every deal and playing {rounds:,} rounds"):
        try:
            figures = _figures(book, rounds=rounds, seed=seed)
        except UnpricedError as unpriced:
            figures = _unpriced(book, str(unpriced), rounds=rounds, seed=seed)
    good = not faults and figures.get("errors", 0) <= _ERRORS_MAX
    if as_json:
        rows = [{"clause": one.clause, "kind": one.kind, "says": one.says} for one in faults]
        click.echo(json.dumps({"book": book.id, "hash": book.digest, "good": good, "faults": rows, **figures}))
        return 0 if good else 1
    click.echo(f"{book.id}: {len(book.clauses)} clauses, {len(book.options)} options, hash {book.digest[:12]}")
    for fault in faults:
        click.echo(f"  {fault.clause}: {fault.says}")
    for line in _figure_lines(figures, rounds=rounds, seed=seed):
        click.echo(line)
    for sentence in (*counted_caps(book), *left_out(book)) if "open" not in figures else ():
        click.echo(sentence)
    click.echo(f"Everything{' else' if 'open' in figures else ''} holds." if good else "Something is wrong with it.")
    return 0 if good else 1


def _figure_lines(figures: dict[str, Any], *, rounds: int, seed: int) -> Iterator[str]:
    """Yield the cost of the book and its side wagers, and the result of the rounds."""
    if "open" in figures:
        yield f"house edge   not priced: {figures['open']}"
    else:
        ahead = _AHEAD if figures["house_edge"] < 0 else ""
        yield f"house edge   {100 * figures['house_edge']:.4f} % of the ante, exactly {figures['exact']}{ahead}"
    for wager, side in figures.get("sides", {}).items():
        yield f"{wager}   {_of_stake(side)}"
    if "open" in figures:
        yield f"{rounds:,} rounds at a table, every choice at random, seed {seed}: played out, no chip made or lost"
    else:
        yield (
            f"{rounds:,} rounds at a table, best play, seed {seed}: {100 * figures['mean']:+.2f} % of the ante,"
            f" {figures['errors']:.1f} standard errors from the exact {-100 * figures['house_edge']:+.2f} %"
        )


def _of_stake(side: dict[str, Any]) -> str:
    """Return the cost of a named side wager in words, or why it is not priced."""
    from fractions import Fraction

    if "open" in side:
        return f"not priced: {side['open']}"
    cost = Fraction(side["house_edge"])
    return f"{100 * float(cost):.4f} % of its stake, exactly {cost}{_AHEAD if cost < 0 else ''}"


def _figures(book: "Book", *, rounds: int, seed: int) -> dict[str, Any]:
    """Return the exact edge and the mean of rounds at a table. Raises if a round creates or loses a chip."""
    from aceking.exact.games import edge
    from aceking.exact.side_bets.side_wagers import named_figures
    from aceking.simulation.plan import plan
    from aceking.simulation.through_table import ReferenceTable

    exact = edge(book)
    table = ReferenceTable(plan(book, rounds=rounds, seed=seed))
    total = sum(net for (net,) in table.rounds())
    mean = total / rounds / table.ante
    error = float(exact.standard_deviation) / rounds**0.5
    return {
        "house_edge": float(exact.house_edge),
        "exact": str(exact.house_edge),
        "rounds": rounds,
        "mean": mean,
        "errors": abs(mean + float(exact.house_edge)) / error if error else 0.0,
        **({"sides": {name: named_figures(book, name) for name in book.sides}} if book.sides else {}),
    }


def _unpriced(book: "Book", why: str, *, rounds: int, seed: int) -> dict[str, Any]:
    """Return the figures of a book that cannot be priced: its side wagers, after rounds with random choices."""
    from aceking.exact.side_bets.side_wagers import named_figures
    from aceking.simulation.random_rounds import random_rounds

    for _ in random_rounds(book, rounds=rounds, seed=seed):
        pass
    sides = {name: named_figures(book, name) for name in book.sides}
    return {"open": why.removeprefix(f"{book.id}: "), "rounds": rounds, **({"sides": sides} if sides else {})}
