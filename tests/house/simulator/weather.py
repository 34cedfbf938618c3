"""What goes wrong in one run, and how often. Most runs have some kinds of trouble only, for one may hide another."""

import random
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Weather:
    """Chances: of a message, or for each fifth of a second of the simulated time."""

    processes: int  # more than one: on one database that they share
    lost: float
    twice: float
    slow: float  # seconds that a message is underway, on average
    killed: float
    stopped: float
    disk: float
    database: float  # that the database itself ends
    cut_off: float  # that a process loses its connection to the database
    clock: float
    quiet: float  # that nobody asks for anything for a while
    pages: bool  # whether there are live connections, and
    wires_cut: float  # that one breaks, each time its owner looks at it,
    slow_readers: float  # or that he reads otherwise than before: slowly, or not at all
    live: bool  # whether somebody deals at the live table
    days: bool  # whether gaming days are closed and signed


def some_weather(dice: random.Random) -> Weather:
    """Each kind of trouble is there or not."""

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
    """Live connections always, and many who read slowly; two processes, whose connections to the database break."""
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
    """Three processes, no trouble, and now and then nobody asks for anything."""
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
