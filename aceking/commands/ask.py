"""`aceking ask`: questions that need sampling, about nights, ruin, hold and meters; each with a picture."""

import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from aceking.commands.simulate import input_errors, side_of

if TYPE_CHECKING:
    from aceking.rules.book import Book
    from aceking.simulation.meter import Side
    from aceking.simulation.questions.jackpots import Floor

_Command = Callable[..., Any]
_Kind = TypeVar("_Kind")


@dataclass(frozen=True, slots=True)
class _Play:
    """How long is played, and how well."""

    rounds: int
    strategy: str


@dataclass(frozen=True, slots=True)
class _Floor:
    """A meter, and the tables that feed it."""

    meter: str | None
    reset: str | None
    rate: str | None
    awards: tuple[str, ...]
    tables: int
    seats: int
    per_hour: int
    hours: int
    number: int

    def of(self, book: "Book") -> tuple["Side", "Floor"]:
        """The side bet and the floor that the sampling takes."""
        from aceking.simulation.questions.jackpots import Floor

        side = side_of(book, self.meter, self.reset, self.rate, self.awards)
        return side, Floor(
            tables=self.tables, seats=self.seats, rounds_per_hour=self.per_hour, hours_per_day=self.hours
        )


@dataclass(frozen=True, slots=True)
class _Answer:
    """What every question may say besides: the seed of the sample, and how the answer is given."""

    seed: int
    picture: Path | None
    as_json: bool

    def give(self, data: dict[str, Any], picture: Callable[[], str]) -> None:
        """The answer for people or programs, and drawn where that is wanted."""
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
    """Refuses a picture that could not be drawn, before the work."""
    if file is not None and file.suffix.lower() != ".svg":
        raise click.ClickException(f"{file}: pictures are drawn as SVG; let its name end in .svg")
    if file is not None and not file.parent.is_dir():
        raise click.ClickException(f"{file}: there is no folder {file.parent}")
    return file


def _given(name: str, kind: type[_Kind], *options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """Options that several questions share: written once, and handed to a question as one value."""

    def added(command: _Command) -> _Command:
        @wraps(command)
        def asked(**given: Any) -> Any:
            own = {field.name: given.pop(field.name) for field in fields(cast(Any, kind))}
            return command(**given, **{name: kind(**own)})

        found: _Command = asked
        for option in reversed(options):
            found = option(found)
        return found

    return added


_PLAY = _given(
    "play",
    _Play,
    click.option("--rounds", default=400, show_default=True, help="Rounds of a night or session."),
    click.option("--strategy", default="optimal", show_default=True, help="The name of a strategy."),
)
_METER = _given(
    "floor",
    _Floor,
    click.option("--meter", metavar="AMOUNT", help="What the meter shows at first."),
    click.option("--reset", metavar="AMOUNT", help="What it returns to; else what it showed at first."),
    click.option("--rate", metavar="PERCENT", help="What of each stake feeds it: 70%."),
    click.option("--award", "awards", multiple=True, metavar="ROW=AWARD", help="An award on a sign: flush=75."),
    click.option("--tables", default=40, show_default=True, help="Tables on the meter."),
    click.option("--seats", default=5, show_default=True, help="Seats of each that bet on it."),
    click.option("--per-hour", default=40, show_default=True, help="Rounds an hour at each."),
    click.option("--hours", default=16, show_default=True, help="Hours a day."),
    click.option("--years", "number", default=100, show_default=True, help="How many years are sampled."),
)
_ANSWER = _given(
    "answer",
    _Answer,
    click.option("--seed", default=1, show_default=True, help="The same seed gives the same answer."),
    click.option(
        "--picture", type=click.Path(path_type=Path), callback=_as_svg, help="A file to draw the answer to, as SVG."
    ),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."),
)


@click.group()
def ask() -> None:
    """Questions that need sampling: nights, hold, ruin, meters, and those who play only when a meter is high.

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
@click.option("--nights", default=10_000, show_default=True, help="How many nights are sampled.")
@click.option("--of-house", is_flag=True, help="Draw the house's result instead of the player's.")
@_PLAY
@_ANSWER
def night(book: str, seats: int, nights: int, of_house: bool, play: _Play, answer: _Answer) -> None:
    """How a night's result spreads, for one player and for the house over all seats; in antes."""
    with input_errors():
        from aceking.simulation.pictures import night_picture
        from aceking.simulation.questions import sessions

        found = sessions.night(
            _book(book), rounds=play.rounds, nights=nights, seats=seats, seed=answer.seed, strategy=play.strategy
        )
    data = {"book": found.book, "rounds": play.rounds, "seats": seats, "nights": nights}
    figures = {"player": found.player.data(), "house": found.house.data()}
    answer.give({**data, **figures}, lambda: night_picture(found, house=of_house))


@ask.command()
@click.argument("book")
@click.option("--seats", default=1, show_default=True, help="Seats of the table.")
@click.option("--confidence", default=0.95, show_default=True, help="How sure the interval is.")
@click.option("--samples", default=1000, show_default=True, help="How many times each length is sampled.")
@_PLAY
@_ANSWER
def hold(book: str, seats: int, confidence: float, samples: int, play: _Play, answer: _Answer) -> None:
    """The interval for what a table keeps of its antes over a night, a week and a month."""
    with input_errors():
        from aceking.simulation.pictures import hold_picture
        from aceking.simulation.questions import sessions

        found = sessions.hold(
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
        for one in found
    }
    data = {"book": book, "confidence": confidence, "rounds": play.rounds, "seats": seats, "samples": samples}
    answer.give({**data, "hold": lines}, lambda: hold_picture(found))


@ask.command()
@click.argument("book")
@click.option("--bankroll", required=True, type=int, help="In antes.")
@click.option("--aim", type=int, help="Stop ahead with so many antes.")
@click.option("--sessions", "number", default=20_000, show_default=True, help="How many sessions are sampled.")
@_PLAY
@_ANSWER
def ruin(book: str, bankroll: int, aim: int | None, number: int, play: _Play, answer: _Answer) -> None:
    """How often a bankroll is gone before the session is over."""
    with input_errors():
        from aceking.simulation.pictures import ruin_picture
        from aceking.simulation.questions import sessions

        found = sessions.ruin(
            _book(book),
            bankroll=Fraction(bankroll),
            rounds=play.rounds,
            sessions=number,
            aim=None if aim is None else Fraction(aim),
            seed=answer.seed,
            strategy=play.strategy,
        )
    data = {"book": found.book, "bankroll": bankroll, "rounds": play.rounds, "sessions": number}
    figures = {
        "ruined": found.ruined,
        "standard_error": found.standard_error,
        "ruined_below_antes": int(found.needs),
        "rounds_to_ruin": found.rounds_to_ruin,
        "reached_aim": found.reached,
        "final": found.final.data(),
    }
    answer.give({**data, **figures}, lambda: ruin_picture(found))


@ask.command()
@click.argument("book")
@_METER
@_ANSWER
def meter(book: str, floor: _Floor, answer: _Answer) -> None:
    """How a meter grows and is hit over years of many tables, and how long it takes between two full hits."""
    with input_errors():
        from aceking.simulation.pictures import years_picture
        from aceking.simulation.questions import jackpots

        loaded = _book(book)
        side, tables = floor.of(loaded)
        found = jackpots.years(loaded, side, tables, number=floor.number, seed=answer.seed)
    answer.give(found.data(), lambda: years_picture(found))


@ask.command()
@click.argument("book")
@click.option("--ante", "usual", required=True, metavar="AMOUNT", help="The usual ante of other players.")
@click.option("--least", required=True, metavar="AMOUNT", help="The least ante, which the team bets.")
@click.option("--team", default=5, show_default=True, help="Seats that it takes while the meter is high.")
@click.option("--at", "at", multiple=True, metavar="AMOUNT", help="A meter from which on it plays; else several.")
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
    """What a team wins that plays only from a meter on, and what the house earns less by it; in a year."""
    with input_errors():
        from aceking.rules.odds import amount
        from aceking.simulation.pictures import advantage_picture
        from aceking.simulation.questions import jackpots

        loaded = _book(book)
        side, tables = floor.of(loaded)
        places = loaded.decimals
        found = jackpots.advantage(
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
        for one in found
    ]
    data = {"book": book, "currency": loaded.currency, "team": team, "years": floor.number, "meters": lines}
    answer.give(data, lambda: advantage_picture(found, unit=unit))


def _book(name: str) -> "Book":
    from aceking.rules.reading.load import load_book

    return load_book(name)


def _lines(data: dict[str, Any], indent: str = "") -> list[str]:
    """Names and figures for people, one a line, groups set in."""
    found = []
    for name, value in data.items():
        says = name.replace("_", " ")
        if isinstance(value, dict):
            found += [f"{indent}{says}:", *_lines(value, indent + "  ")]
        elif isinstance(value, list):
            found.append(f"{indent}{says}:")
            for one in value:
                found.append(f"{indent}  " + ", ".join(text.strip() for text in _lines(one)))
        else:
            shown = f"{value:,.4f}" if isinstance(value, float) else "none" if value is None else f"{value}"
            found.append(f"{indent}{says} {shown}")
    return found
