"""`aceking ask`: questions that need sampling, about nights, ruin, hold and meters, each with a chart."""

import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from aceking.commands.output.groups import Group
from aceking.commands.simulate import input_errors, side_of

if TYPE_CHECKING:
    from aceking.rules.book import Book
    from aceking.simulation.meter import SimulatedSide
    from aceking.simulation.questions.jackpots import TableGroup

_Command = Callable[..., Any]
_Kind = TypeVar("_Kind")


@dataclass(frozen=True, slots=True)
class _Play:
    """The length of play and the strategy."""

    rounds: int
    strategy: str


@dataclass(frozen=True, slots=True)
class _Floor:
    """A meter, and the tables that contribute to it."""

    meter: str | None
    reset: str | None
    rate: str | None
    awards: tuple[str, ...]
    tables: int
    seats: int
    per_hour: int
    hours: int
    number: int

    def of(self, book: "Book") -> tuple["SimulatedSide", "TableGroup"]:
        """Return the side bet and the tables as the sampling takes them."""
        from aceking.simulation.questions.jackpots import TableGroup

        side = side_of(book, self.meter, self.reset, self.rate, self.awards)
        return side, TableGroup(
            tables=self.tables, seats=self.seats, rounds_per_hour=self.per_hour, hours_per_day=self.hours
        )


@dataclass(frozen=True, slots=True)
class _Answer:
    """Options of every question: the seed of the sample, and the form of the answer."""

    seed: int
    picture: Path | None
    as_json: bool

    def give(self, data: dict[str, Any], picture: Callable[[], str]) -> None:
        """Print the answer as text or JSON, and write the chart if a file is named."""
        if self.picture is not None:
            try:
                self.picture.write_text(picture(), encoding="utf-8")
            except OSError as failed:
                raise click.ClickException(f"{self.picture}: {failed.strerror}") from None
        if self.as_json:
            click.echo(json.dumps(data))
            return
        from aceking.commands.output.settlement import console

        for line in _lines(data):
            console().print(line, highlight=False)


def _as_svg(_: click.Context, __: click.Parameter, file: Path | None) -> Path | None:
    """Return the file of the chart. Raises ClickException before the work if it cannot be written."""
    if file is not None and file.suffix.lower() != ".svg":
        raise click.ClickException(f"{file}: charts are written as SVG; the name must end in .svg")
    if file is not None and not file.parent.is_dir():
        raise click.ClickException(f"{file}: there is no folder {file.parent}")
    return file


def _grouped(name: str, kind: type[_Kind], *options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """Return a decorator that adds these options to a command, which gets them as one value of `kind`."""

    def added(command: _Command) -> _Command:
        @wraps(command)
        def run(**arguments: Any) -> Any:
            values = {field.name: arguments.pop(field.name) for field in fields(cast(Any, kind))}
            return command(**arguments, **{name: kind(**values)})

        decorated: _Command = run
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return added


_PLAY = _grouped(
    "play",
    _Play,
    click.option("--rounds", default=400, show_default=True, help="Rounds of a night or session."),
    click.option("--strategy", default="optimal", show_default=True, help="The name of a strategy."),
)
_METER = _grouped(
    "floor",
    _Floor,
    click.option("--meter", metavar="AMOUNT", help="The meter at the start."),
    click.option("--reset", metavar="AMOUNT", help="The meter after a full hit (the meter at the start)."),
    click.option("--rate", metavar="PERCENT", help="The part of each stake that goes to the meter: 70%."),
    click.option("--award", "awards", multiple=True, metavar="ROW=AWARD", help="A posted award: flush=75."),
    click.option("--tables", default=40, show_default=True, help="Tables on the meter."),
    click.option("--seats", default=5, show_default=True, help="Seats of each table that bet on the meter."),
    click.option("--per-hour", default=40, show_default=True, help="Rounds per hour at each table."),
    click.option("--hours", default=16, show_default=True, help="Hours per day."),
    click.option("--years", "number", default=100, show_default=True, help="The number of sampled years."),
)
_ANSWER = _grouped(
    "answer",
    _Answer,
    click.option("--seed", default=1, show_default=True, help="The same seed gives the same answer."),
    click.option(
        "--picture", type=click.Path(path_type=Path), callback=_as_svg, help="A file for a chart of the answer, as SVG."
    ),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."),
)


@click.group(cls=Group)
def ask() -> None:
    """Questions that need sampling: nights, hold, ruin, meters, and teams that play only when a meter is high.

    \b
    aceking ask night section10 --rounds 400 --seats 5 --picture night.svg
    aceking ask ruin rws --bankroll 50 --rounds 1000
    aceking ask hold exchange --seats 7
    aceking ask meter section10 --meter 10000 --tables 40
    aceking ask advantage section10 --meter 10000 --ante 25 --least 5 --team 10
    """


@ask.command()
@click.argument("book")
@click.option("--seats", default=1, show_default=True, help="Seats of the table, for the house's result.")
@click.option("--nights", default=10_000, show_default=True, help="The number of sampled nights.")
@click.option("--of-house", is_flag=True, help="Chart the house's result instead of the player's.")
@_PLAY
@_ANSWER
def night(book: str, seats: int, nights: int, of_house: bool, play: _Play, answer: _Answer) -> None:
    """Sample the results of a night in antes, for one player and for the house over all seats."""
    with input_errors():
        from aceking.simulation.pictures import night_picture
        from aceking.simulation.questions import sessions

        result = sessions.night(
            _book(book), rounds=play.rounds, nights=nights, seats=seats, seed=answer.seed, strategy=play.strategy
        )
    data = {"book": result.book, "rounds": play.rounds, "seats": seats, "nights": nights}
    figures = {"player": result.player.data(), "house": result.house.data()}
    answer.give({**data, **figures}, lambda: night_picture(result, house=of_house))


@ask.command()
@click.argument("book")
@click.option("--seats", default=1, show_default=True, help="Seats of the table.")
@click.option("--confidence", default=0.95, show_default=True, help="The confidence of the interval.")
@click.option("--samples", default=1000, show_default=True, help="The number of samples of each length.")
@_PLAY
@_ANSWER
def hold(book: str, seats: int, confidence: float, samples: int, play: _Play, answer: _Answer) -> None:
    """Sample the hold of a table over a night, a week and a month, as an interval."""
    with input_errors():
        from aceking.simulation.pictures import hold_picture
        from aceking.simulation.questions import sessions

        result = sessions.hold(
            _book(book),
            rounds=play.rounds,
            seats=seats,
            samples=samples,
            confidence=confidence,
            seed=answer.seed,
            strategy=play.strategy,
        )
    lines = {
        f"{one.nights} nights": {"hands": one.hands, "expected": one.expected, "low": one.low, "high": one.high}
        for one in result
    }
    data = {"book": book, "confidence": confidence, "rounds": play.rounds, "seats": seats, "samples": samples}
    answer.give({**data, "hold": lines}, lambda: hold_picture(result))


@ask.command()
@click.argument("book")
@click.option("--bankroll", required=True, type=int, help="In antes.")
@click.option("--aim", type=int, help="Stop when this many antes ahead.")
@click.option("--sessions", "number", default=20_000, show_default=True, help="The number of sampled sessions.")
@_PLAY
@_ANSWER
def ruin(book: str, bankroll: int, aim: int | None, number: int, play: _Play, answer: _Answer) -> None:
    """Sample how often a bankroll is lost before the session is over."""
    with input_errors():
        from aceking.simulation.pictures import ruin_picture
        from aceking.simulation.questions import sessions

        result = sessions.ruin(
            _book(book),
            bankroll=Fraction(bankroll),
            rounds=play.rounds,
            sessions=number,
            aim=None if aim is None else Fraction(aim),
            seed=answer.seed,
            strategy=play.strategy,
        )
    data = {"book": result.book, "bankroll": bankroll, "rounds": play.rounds, "sessions": number}
    figures = {
        "ruined": result.ruined,
        "standard_error": result.standard_error,
        "ruined_below_antes": int(result.needs),
        "rounds_to_ruin": result.rounds_to_ruin,
        "reached_aim": result.reached,
        "final": result.final.data(),
    }
    answer.give({**data, **figures}, lambda: ruin_picture(result))


@ask.command()
@click.argument("book")
@_METER
@_ANSWER
def meter(book: str, floor: _Floor, answer: _Answer) -> None:
    """Sample how a meter grows and is hit over years of many tables, and the time between two full hits."""
    with input_errors():
        from aceking.simulation.pictures import years_picture
        from aceking.simulation.questions import jackpots

        loaded = _book(book)
        side, tables = floor.of(loaded)
        result = jackpots.years(loaded, side, tables, number=floor.number, seed=answer.seed)
    answer.give(result.data(), lambda: years_picture(result))


@ask.command()
@click.argument("book")
@click.option("--ante", "usual", required=True, metavar="AMOUNT", help="The usual ante of other players.")
@click.option("--least", required=True, metavar="AMOUNT", help="The least ante, which the team bets.")
@click.option("--team", default=5, show_default=True, help="Seats of the team while the meter is high.")
@click.option("--at", "at", multiple=True, metavar="AMOUNT", help="The meter from which the team plays (several).")
@_METER
@_ANSWER
def advantage(
    book: str,
    usual: str,
    least: str,
    team: int,
    at: tuple[str, ...],
    floor: _Floor,
    answer: _Answer,
) -> None:
    """Sample the yearly win of a team that plays only while the meter is high, and what the house loses by it."""
    with input_errors():
        from aceking.rules.odds import amount
        from aceking.simulation.pictures import advantage_picture
        from aceking.simulation.questions import jackpots

        loaded = _book(book)
        side, tables = floor.of(loaded)
        places = loaded.decimals
        result = jackpots.advantage(
            loaded,
            side,
            tables,
            ante=amount(usual, decimals=places),
            ante_min=amount(least, decimals=places),
            team=team,
            meters=[amount(one, decimals=places) for one in at],
            number=floor.number,
            seed=answer.seed,
        )
    unit = 10**loaded.decimals
    lines = [
        {
            "meter": one.meter / unit,
            "player_edge": one.player_edge,
            "time_above": one.time_above,
            "team_wins": one.team_wins / unit,
            "house_earns_less": one.house_loses / unit,
        }
        for one in result
    ]
    data = {"book": book, "currency": loaded.currency, "team": team, "years": floor.number, "meters": lines}
    answer.give(data, lambda: advantage_picture(result, unit=unit))


def _book(name: str) -> "Book":
    from aceking.rules.reading.load import load_book

    return load_book(name)


def _lines(data: dict[str, Any], indent: str = "") -> list[str]:
    """Return names and figures, one per line, groups indented."""
    lines = []
    for name, value in data.items():
        says = name.replace("_", " ")
        if isinstance(value, dict):
            lines += [f"{indent}{says}:", *_lines(value, indent + "  ")]
        elif isinstance(value, list):
            lines.append(f"{indent}{says}:")
            for one in value:
                lines.append(f"{indent}  " + ", ".join(text.strip() for text in _lines(one)))
        else:
            shown = f"{value:,.4f}" if isinstance(value, float) else "none" if value is None else f"{value}"
            lines.append(f"{indent}{says} {shown}")
    return lines
