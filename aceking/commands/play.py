"""`aceking play`: play at a table in the terminal."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from aceking.commands.complete import book_names, option_choices, session_names
from aceking.commands.figures import name_values, option_value

if TYPE_CHECKING:
    from aceking.commands.terminal.session import Coach, Record

#: The first cards of the demonstration, the same for every game, so that the books can be compared.
DEMONSTRATION = "Ks Ah Js Kd 9s 9c 5s 6h 2s 3d 4c"
#: The chips to start with if none are named, in antes.
_START_ANTES = 50


@click.command()
@click.argument("book", required=False, shell_complete=book_names)
@click.option(
    "--chips", metavar="AMOUNT", help="The chips you start with (50 antes); with --again, chips that you add."
)
@click.option("--boxes", type=click.IntRange(1, 16), help="The number of boxes, if the book allows several (1).")
@click.option("--side/--no-side", default=None, help="Start with the side bet, or without it.")
@click.option("--coach", type=click.Choice(["values", "mistakes", "off"]), help="What the coach says (mistakes).")
@click.option("--meter", metavar="AMOUNT", help="The jackpot at the start (50000).")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=option_choices,
    help="An option of the house.",
)
@click.option("--seed", type=int, help="The same seed gives the same cards (the system's generator).")
@click.option("--record", type=click.Path(path_type=Path), help="The file of the record (one among your sessions).")
@click.option(
    "--again",
    is_flag=False,
    flag_value="last",
    metavar="[SESSION]",
    shell_complete=session_names,
    help="Resume the last session, the last one of a book, or one by its name.",
)
def play(
    book: str | None,
    chips: str | None,
    boxes: int | None,
    side: bool | None,
    coach: str | None,
    meter: str | None,
    options: tuple[str, ...],
    seed: int | None,
    record: Path | None,
    again: str | None,
) -> int:
    """Play at a table with a coach, who shows the cost of mistakes and the clause of every payment.

    Without BOOK you choose one; without a terminal, one round of each game is printed instead. The session is saved
    when you leave, and you cannot lose more than your chips.

    \b
    aceking play rws
    aceking play exchange --chips 200 --seed 7 --coach values
    aceking play rws --boxes 3 --side
    aceking play --again
    aceking replay
    printf '10\\nb\\nq\\n' | aceking play section10
    """
    if again is not None:
        if book is not None:
            raise click.ClickException("give a book or --again, not both")
        if options or record or any(one is not None for one in (meter, seed, boxes, side)):
            raise click.ClickException(
                "a session continues as it was left: with --again only --chips and --coach may be given"
            )
        return _resume(again, chips, cast("Coach | None", coach))
    if book is None and not sys.stdin.isatty():
        _demonstrate()
        return 0
    from aceking.rules.reading.load import book_ids

    name = book or click.prompt("Which game?", type=click.Choice(book_ids()), default="section10")
    from aceking.api.table import RefusedError, Table
    from aceking.commands.terminal.session import SessionError, TerminalSession
    from aceking.commands.terminal.table import TerminalTable
    from aceking.settlement.amounts import usual_ante
    from aceking.settlement.scenario_json import INPUT_ERRORS

    try:
        chosen = {key: option_value(key, text) for key, text in name_values("--option", options)}
        table = Table(name, options=chosen, seed=seed, meter=meter or "50000")
        ante = usual_ante(table.book)
        brought = _START_ANTES * ante if chips is None else _chips(chips, table.book.decimals)
        session = TerminalSession(
            begins=table.begins,
            book=str(Path(name).resolve()) if name.endswith(".toml") else name,
            brought=brought,
            ante=ante,
            side=bool(side),
            boxes=boxes or 1,
            coach=cast("Coach | None", coach) or "mistakes",
            seed=seed,
            meter=table.meter_exact,
        )
        seat = TerminalTable(session, table, None)
        seat.place(table.copy(), session.ante)  # refuse what the book does not allow before the first round
        seat.record = _record(record, name)
    except (RefusedError, SessionError, *INPUT_ERRORS) as wrong:
        raise click.ClickException(str(wrong)) from None
    seat.run()
    return 0


def _resume(again: str, chips: str | None, coach: "Coach | None") -> int:
    from aceking.commands.terminal.session import SessionError, find_record
    from aceking.commands.terminal.table import TerminalTable
    from aceking.settlement.scenario_json import INPUT_ERRORS

    try:
        record = find_record(again)
        session, table = record.resume()
        if chips is not None:
            session.brought += _chips(chips, table.book.decimals)
        if coach is not None:
            session.coach = coach
    except (SessionError, *INPUT_ERRORS) as wrong:
        raise click.ClickException(str(wrong)) from None
    TerminalTable(session, table, record).run(again=True)
    return 0


def _chips(text: str, decimals: int) -> int:
    from aceking.rules.odds import amount

    chips = amount(text, decimals=decimals)
    if chips <= 0:
        raise click.ClickException(f"--chips {text}: the amount must be greater than zero")
    return chips


def _record(file: Path | None, book: str) -> "Record | None":
    """Create a record in this file, or among the sessions. Returns None if that folder cannot be written."""
    from aceking.commands.terminal.session import Record, new_record

    if file is not None:
        record = Record(file)
        record.create()
        return record
    try:
        record = new_record(Path(book).stem)
        record.create()
    except OSError as failed:
        click.echo(f"aceking: note: this session is not saved: {failed.strerror}", err=True)
        return None
    return record


def _demonstrate() -> None:
    """Print one round of each game."""
    from aceking.api.table import Table
    from aceking.commands.terminal.screen import Screen
    from aceking.money.chips import shown
    from aceking.rules.reading.load import book_ids, load_book

    for name in sorted(book_ids(), key=lambda one: load_book(one).dealer is None):
        table = Table(name, meter="100000").open(DEMONSTRATION).ante(10).side().deal()
        book = table.book
        screen = Screen(book)
        screen.title()
        wager = book.progressive or book.bonus
        assert wager is not None, "every book that comes with the program has a side bet"
        screen.say(f"  Ann stakes an ante of 10 and a side bet of {shown(wager.stake, decimals=book.decimals)}.")
        screen.hand(table, 1, alone=True)
        screen.say(f"  Ann bets {10 * book.bet.antes}.")
        table.bet(table.seen()[2] if book.hands.discards else None)
        screen.result(table, table.boxes())
        screen.say("  ", (table.net() or "", "bold"))
