"""The kinds of trouble in a run, and how often each comes. Most runs have only some, because one may hide another."""

import random
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Weather:
    """Probabilities: per message, or per fifth of a simulated second."""

    processes: int  # more than one: they share a database
    lost: float
    twice: float
    slow: float  # average delay of a message in seconds
    killed: float
    stopped: float
    disk: float
    database: float  # the database itself crashes
    cut_off: float  # a process loses its connection to the database
    clock: float
    quiet: float  # nobody asks for anything for a while
    pages: bool  # whether there are live connections
    wires_cut: float  # a live connection breaks, each time its user acts
    slow_readers: float  # the user changes the reading speed: slow, or not at all
    live: bool  # whether staff deal at the live table
    days: bool  # whether gaming days are closed and signed


def some_weather(dice: random.Random) -> Weather:
    """Choose at random which kinds of trouble a run has."""

    def perhaps(most: float) -> float:
        return dice.choice((0.0, most / 4, most))

    processes = dice.choice((1, 1, 2, 3))
    return Weather(
        processes=processes,
        lost=perhaps(0.2),
        twice=perhaps(0.3),
        slow=dice.choice((0.002, 0.02, 0.2)),
        killed=perhaps(0.1),
        stopped=perhaps(0.05),
        disk=perhaps(0.3),
        database=perhaps(0.05) if processes > 1 else 0.0,
        cut_off=perhaps(0.3) if processes > 1 else 0.0,
        clock=perhaps(0.2),
        quiet=perhaps(0.03) if processes > 1 else 0.0,
        live=dice.random() < 0.4,
        days=dice.random() < 0.3,
        pages=dice.random() < 0.6,
        wires_cut=perhaps(0.1),
        slow_readers=perhaps(0.4),
    )


def weather_of_readers(dice: random.Random) -> Weather:
    """Live connections in every run, many slow readers, and two processes whose database connections break."""
    return replace(
        some_weather(dice),
        processes=2,
        killed=0.0,
        stopped=0.0,
        disk=0.0,
        database=0.0,
        cut_off=0.05,
        quiet=0.0,
        pages=True,
        wires_cut=0.02,
        slow_readers=0.2,
    )


def quiet_weather(dice: random.Random) -> Weather:
    """Three processes without trouble, and periods in which nobody asks for anything."""
    return replace(
        some_weather(dice),
        processes=3,
        lost=0.0,
        killed=0.0,
        stopped=0.0,
        disk=0.0,
        database=0.0,
        cut_off=0.0,
        clock=0.0,
        quiet=0.05,
    )
