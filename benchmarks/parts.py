"""Run the parts of a benchmark: all, or those named on the command line."""

import argparse
from collections.abc import Callable, Sequence

from benchmarks.limits import summary

Part = Callable[..., None]


def measure(parts: Sequence[Part], wanted: Sequence[str], *, long: Part, rounds: int) -> None:
    """Run all parts or the named ones, then print which limits are met."""
    for part in parts:
        if not wanted or part.__name__ in wanted:
            part(rounds) if part is long else part()
    summary()


def from_command_line(says: str | None, parts: Sequence[Part], *, long: Part, rounds: int, of: str) -> None:
    """Return the parts and the number of rounds from the command line."""
    reader = argparse.ArgumentParser(description=says)
    names = [part.__name__ for part in parts]
    reader.add_argument("parts", nargs="*", metavar="PART", help=f"all, or some of {', '.join(names)}")
    reader.add_argument("--rounds", type=int, default=rounds, help=of)
    said = reader.parse_args()
    for name in said.parts:
        if name not in names:
            reader.error(f"there is no part {name!r}; there are {', '.join(names)}")
    measure(parts, said.parts, long=long, rounds=said.rounds)
