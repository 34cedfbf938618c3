"""`aceking replay`: list past sessions and their rounds, and print rounds in sentences."""

import json
from typing import TYPE_CHECKING, Any

import click

from aceking.commands.complete import session_names

if TYPE_CHECKING:
    from aceking.commands.terminal.past_rounds import RecordedRound
    from aceking.commands.terminal.session import Judged, Record, TerminalSession
    from aceking.rules.book import Book


@click.command()
@click.argument("session", required=False, shell_complete=session_names)
@click.argument("number", required=False, type=int, metavar="[ROUND]")
@click.option("--all", "whole", is_flag=True, help="Every round of the session in sentences.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def replay(session: str | None, number: int | None, *, whole: bool, as_json: bool) -> None:
    """Show past rounds: all sessions, the rounds of one session, or one round in sentences with clauses.

    SESSION is a name from the list, `last`, the id of a book for its last session, or the file of a record. The table
    is rebuilt from the recorded events; a record that was changed is refused.

    \b
    aceking replay
    aceking replay last
    aceking replay last 3
    aceking replay rws --all
    """
    from aceking.commands.terminal.session import SessionError, find_record, saved_records

    if session is None:
        _list(list(saved_records()), as_json=as_json)
        return
    try:
        record = find_record(session)
        _show(record, number, whole=whole, as_json=as_json)
    except SessionError as wrong:
        raise click.ClickException(str(wrong)) from None


def _list(records: "list[Record]", *, as_json: bool) -> None:
    """Print all sessions. One that cannot be read is reported on standard error, and the others are still listed."""
    from aceking.commands.terminal.session import SessionError
    from aceking.rules.reading.complaints import BookError
    from aceking.rules.reading.load import load_book

    data: list[dict[str, Any]] = []
    for record in records:
        try:
            session = record.session()
            decimals = load_book(session.book).decimals
        except (SessionError, BookError) as wrong:
            click.echo(f"aceking: session {record.name}: {wrong}", err=True)
            continue
        data.append(
            {
                "session": record.name,
                "book": session.begins.book,
                "rounds": session.rounds,
                "chips": _money(session.brought + session.won, decimals),
                "net": _money(session.won, decimals),
                "decisions": session.decisions,
                "mistakes": len(session.mistakes),
                "mistakes_cost": _money(session.cost, decimals),
            }
        )
    if as_json:
        click.echo(json.dumps({"sessions": data}))
        return
    from aceking.api.settled import with_sign
    from aceking.commands.output.settlement import console, grid

    out = console()
    if not data:
        out.print("There is no saved session yet; aceking play starts one.")
        return
    columns = [("session", False), ("rounds", True), ("chips", True), ("net", True), ("mistakes", True), ("cost", True)]
    rows = [
        (one["session"], one["rounds"], one["chips"], with_sign(one["net"]), one["mistakes"], one["mistakes_cost"])
        for one in data
    ]
    out.print(grid(columns, rows, width=out.width, wraps=()))


def _show(record: "Record", number: int | None, *, whole: bool, as_json: bool) -> None:
    """Print the rounds of a session, or some of them in sentences."""
    from aceking.commands.terminal.past_rounds import book_of, by_round, rounds, sentences
    from aceking.commands.terminal.session import SessionError

    session, book = None, None
    if record.session_file.exists():
        session, table = record.resume()  # checks the digest of the record
        events, book = tuple(table.events), table.book
    else:
        events = record.events()
        book = book_of(events)
    if book is None:
        raise SessionError(f"{record.file}: no round was played")
    try:
        past = list(rounds(book, events))
    except (AssertionError, KeyError, IndexError, ValueError):
        raise SessionError(f"{record.file}: the record is damaged: its events do not follow one another") from None
    if not past and not any(by_round(events)):
        raise SessionError(f"{record.name}: no round was played")
    wanted = [one.number for one in past] if whole else [number] if number is not None else []
    finished = {one.number for one in past}  # an unfinished round would name hidden cards
    stories = {one: sentences(book, events, one) if one in finished else None for one in wanted}
    for one, lines in stories.items():
        if lines is None:
            has = f"it has 1 to {past[-1].number}" if past else "it has none yet"
            raise SessionError(f"{record.name} has no finished round {one}; {has}")
    mistakes = [] if session is None else session.mistakes
    if as_json:
        click.echo(json.dumps(_data(record, book, past, mistakes, stories)))
    elif stories:
        _print_rounds(book, stories, mistakes)
    else:
        _table(record, book, past, session)


def _data(
    record: "Record", book: "Book", past: "list[RecordedRound]", mistakes: "list[Judged]", stories: dict[Any, Any]
) -> dict[str, Any]:
    listed = [one for one in past if not stories or one.number in stories]
    rounds = []
    for one in listed:
        data: dict[str, Any] = {
            "round": one.number,
            "void": one.void,
            "bank": one.bank,
            "boxes": [
                {name: value for name in box.__slots__ if (value := getattr(box, name)) is not None}
                for box in one.boxes
            ],
            "net": {who: _money(net, book.decimals) for who, net in one.nets.items()},
            "mistakes": [
                {"box": bad.box, "chose": bad.chose, "best": bad.best, "antes": bad.antes}
                for bad in mistakes
                if bad.round == one.number
            ],
        }
        if one.number in stories:
            data["told"] = stories[one.number]
        rounds.append(data)
    return {"session": record.name, "book": book.id, "hash": book.digest, "rounds": rounds}


def _print_rounds(book: "Book", stories: dict[Any, Any], mistakes: "list[Judged]") -> None:
    from aceking.commands.terminal.screen import Screen

    screen = Screen(book)
    for number, lines in stories.items():
        screen.say((f"Round {number}", "bold"))
        screen.sentences(lines)
        for mistake in mistakes:
            if mistake.round == number:
                screen.judged(mistake)


def _table(record: "Record", book: "Book", past: "list[RecordedRound]", session: "TerminalSession | None") -> None:
    from aceking.commands.output.settlement import grid
    from aceking.commands.terminal.screen import Screen, past_text

    screen = Screen(book)
    screen.title()
    cost: dict[int, int] = {}
    for bad in session.mistakes if session is not None else ():
        cost[bad.round] = cost.get(bad.round, 0) + bad.chips
    rows = [
        (
            f"round {one.number}",
            past_text(one),
            screen.chips(one.net, sign=True),
            screen.chips(cost[one.number]) if one.number in cost else "",
        )
        for one in past
    ]
    columns = [("", False), ("hand and choice", False), ("net", True), ("mistake", True)]
    screen.out.print(grid(columns, rows, width=screen.out.width, wraps=(1,), least=20))
    if past:
        screen.say((f"A round in sentences: aceking replay {record.name} {past[-1].number}", "dim"))


def _money(chips: int, decimals: int) -> str:
    from aceking.money.chips import shown

    return shown(chips, decimals=decimals)
