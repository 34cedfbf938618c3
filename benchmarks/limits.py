"""Figures and their limits: printed at once, and those that fail again at the end."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """A measured figure and its limit."""

    what: str
    measured: float
    unit: str
    asked: float
    at_least: bool

    @property
    def met(self) -> bool:
        return self.measured >= self.asked if self.at_least else self.measured <= self.asked

    def __str__(self) -> str:
        asked = f"{'at least' if self.at_least else 'at most'} {self.asked:g}"
        return f"{self.what:<58} {self.measured:9.3f} {self.unit:<3} {asked:<14} {'met' if self.met else 'NOT MET'}"


_limits: list[Limit] = []


def at_least(what: str, measured: float, unit: str, asked: float) -> None:
    """Check a lower limit and print the line."""
    _tell(Limit(what, measured, unit, asked, at_least=True))


def at_most(what: str, measured: float, unit: str, asked: float) -> None:
    """Check an upper limit and print the line."""
    _tell(Limit(what, measured, unit, asked, at_least=False))


def note(what: str, measured: float, unit: str) -> None:
    """Print a figure without a limit."""
    print(f"{what:<58} {measured:9.3f} {unit}", flush=True)


def met() -> bool:
    """Return True if all limits since the last summary are met."""
    return all(limit.met for limit in _limits)


def summary() -> None:
    """Print which limits since the last summary are not met."""
    print(f"\n{sum(limit.met for limit in _limits)} of {len(_limits)} limits are met")
    for limit in _limits:
        if not limit.met:
            print(limit)
    _limits.clear()


def _tell(limit: Limit) -> None:
    _limits.append(limit)
    print(limit, flush=True)
