"""`aceking play`: a table in the terminal."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

#: The demonstration: the same first cards for every game, so that the books can be compared.
DEMONSTRATION = "Ks Ah Js Kd 9s 9c 5s 6h 2s 3d 4c"


@click.command()
@click.argument("book", required=False)
@click.option("--chips", default="500", help="What you sit down with.", show_default=True)
@click.option("--meter", default="50000", help="What the jackpot starts at.", show_default=True)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A choice of the house.")
@click.option("--seed", type=int, help="The same cards again. Without it the system's generator shuffles.")
@click.option("--record", type=click.Path(path_type=Path), help="Where the record goes.")
def play(
    book: str | None, chips: str, meter: str, options: tuple[str, ...], seed: int | None, record: Path | None
) -> int:
    """Sit down at a table: cards, chips, the words for your hand, and the clause behind every payment.

    Without BOOK you may choose one; with no terminal attached, one round of each game is told instead.

    \b
    aceking play rws
    aceking play exchange --chips 200 --seed 7
    printf '10\\nb\\nq\\n' | aceking play section10
    """
    from aceking.rules.load import book_ids

    if book is None and not sys.stdin.isatty():
        _demonstrate()
        return 0
    name = book or click.prompt("Which game?", type=click.Choice(book_ids()), default="section10")
    from aceking.commands.table import TerminalTable
    from aceking.rules.load import load_book, with_options
    from aceking.rules.odds import OddsError, amount
    from aceking.rules.options import OptionError
    from aceking.rules.refusal import Refusal
    from aceking.rules.text import BookError

    try:
        found = with_options(load_book(name), dict(_pair(one) for one in options))
        if isinstance(found, Refusal):
            raise click.ClickException(f"{found.reason} ({found.clause})")
        bankroll = amount(chips, decimals=found.decimals)
        jackpot = amount(meter, decimals=found.decimals)
    except (BookError, OptionError, OddsError) as wrong:
        raise click.ClickException(str(wrong)) from None
    path = record or _record_path(found.id)
    TerminalTable(found, bankroll=bankroll, shuffle=_shuffler(seed), record=path, meter=jackpot).run()
    return 0


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.ClickException(f"--option takes name=value, not {text!r}")
    return key, value


def _record_path(book: str) -> Path:
    from datetime import datetime

    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    return Path(click.get_app_dir("aceking")) / "rounds" / f"{stamp}-{book}.jsonl"


def _shuffler(seed: int | None) -> "Callable[[], list[int]]":
    import random

    chance = random.SystemRandom() if seed is None else random.Random(seed)
    return lambda: chance.sample(range(52), 52)


def _demonstrate() -> None:
    from aceking.cards.card import cards
    from aceking.cards.deck import DECK
    from aceking.commands.table import tell_round
    from aceking.rules.load import book_ids, load_book

    first = cards(DEMONSTRATION)
    order = [*first, *(one for one in DECK if one not in first)]
    for name in sorted(book_ids(), key=lambda one: load_book(one).dealer is None):
        tell_round(load_book(name), list(order))
