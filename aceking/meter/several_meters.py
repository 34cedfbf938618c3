"""Several meters on a table: one that its hands win, and must-hit-by meters that the same side wager feeds.

What happens to a round happens to all of them or to none: START GAME, END GAME, a void round, a fault and its course.
Everything else belongs to one meter. No more of a wager goes to all meters together than there is of it.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from aceking.meter.commands import (
    AnyCommand,
    ChooseCourse,
    ClearFault,
    Configure,
    EndGame,
    Fault,
    StartGame,
    VoidRound,
)
from aceking.meter.must_hit_by import CLAUSE
from aceking.meter.script import Asked, Run, ScriptError, command_of, play_lines, take_seed
from aceking.meter.state import LinkState
from aceking.rules.odds import OddsError, share
from aceking.rules.refusal import Refusal

_NAME = re.compile(r"[\w-]{1,60}")

#: What is said of a round, and so to every meter of its table.
OF_ROUND = StartGame | EndGame | VoidRound | Fault | ChooseCourse | ClearFault


def against(meters: Mapping[str, LinkState], name: str, command: Configure) -> Refusal | None:
    """What the other meters of its tables have against the parameters of this one."""
    for table, book in command.tables.items():
        others = of_table({key: one for key, one in meters.items() if key != name}, table)
        fed = _fed(command)
        for key, one in others.items():
            assert one.config is not None
            if one.tables[table].book != book:
                return Refusal(f"table {table}: meter {key} has it down for {one.tables[table].book}", "R1")
            if command.ceiling is None and one.ceiling is None:
                return Refusal(f"table {table}: its hands win meter {key}; a second meter is must-hit-by", CLAUSE)
            fed += _fed(one.config)
        if fed > 1:
            return Refusal(f"table {table}: its meters have more of a wager together than there is of it", "R4")
    return None


def of_table(meters: Mapping[str, LinkState], table: str) -> dict[str, LinkState]:
    """The meters that a table feeds, that which its hands win before the others; none that is retired."""
    found = {key: one for key, one in meters.items() if table in one.tables and one.phase != "retired"}
    return dict(sorted(found.items(), key=lambda pair: pair[1].ceiling is not None))


def _fed(config: Configure) -> Fraction:
    """How much of a wager a meter and its reserve have; what cannot be read is refused by the meter itself."""
    try:
        return share(config.rate) + share(config.hidden_rate)
    except OddsError:
        return Fraction(0)


@dataclass(slots=True)
class Meters:
    """A script of several meters that is being played."""

    runs: dict[str, Run] = field(default_factory=dict)

    def give(self, raw: dict[str, Any], line: int) -> None:
        """One object of a script, to the meter that it names or to those that it concerns."""
        name = raw.pop("meter", None)
        if name is not None and not (isinstance(name, str) and _NAME.fullmatch(name)):
            raise ScriptError("meter: the name of a meter has up to 60 letters, digits, - and _")
        seeds, names = take_seed(raw), self._concerned(name, raw)
        command = command_of(raw, decimals=self.runs.get(names[0], Run()).decimals)
        for one in names:
            self.runs.setdefault(one, Run()).seeds |= seeds
        if isinstance(command, OF_ROUND):
            self._of_round(command, names, line)
        else:
            self._of_one(command, names[0], line)

    def _concerned(self, name: str | None, raw: dict[str, Any]) -> list[str]:
        """The meters that are meant: the one that is named, all of a table's, or the only one that there is."""
        if name is not None:
            if name not in self.runs and raw["do"] != "configure":
                raise ScriptError(f"meter: there is no meter {name!r}")
            if "" in self.runs:
                raise ScriptError("meter: the meter before this one has no name; either all have one or none")
            return [name]
        if not self.runs or "" in self.runs:
            return [""]
        here = of_table({key: one.state for key, one in self.runs.items()}, str(raw.get("table")))
        if not here and len(self.runs) > 1:
            raise ScriptError(f"meter: which one is it, {' or '.join(self.runs)}?")
        return list(here) or list(self.runs)

    def _of_one(self, command: AnyCommand, name: str, line: int) -> None:
        run = self.runs[name]
        asked = run.ask(command)
        if isinstance(command, Configure) and isinstance(asked.command, Configure) and not asked.refused:
            states = {key: one.state for key, one in self.runs.items()}
            refused = against(states, name, asked.command)
            asked = asked if refused is None else asked._replace(decided=refused)
        run.take(asked, line=line)

    def _of_round(self, command: OF_ROUND, names: list[str], line: int) -> None:
        """All of them or none: where one refuses, that is on its record and nothing happens to the others."""
        if isinstance(command, EndGame | VoidRound):
            # A meter that came to the table in mid-round has nothing to end.
            running = [one for one in names if self._runs_at(one, command.table)]
            names = running or names[:1]
        found: dict[str, Asked] = {one: self.runs[one].ask(command) for one in names}
        for name, asked in found.items():
            if asked.refused:
                self.runs[name].take(asked, line=line)
                return
        for name, asked in found.items():
            self.runs[name].take(asked, line=line)

    def _runs_at(self, name: str, table: str) -> bool:
        found = self.runs[name].state.tables.get(table)
        return found is not None and found.running


def play_meters(lines: Iterable[str | bytes]) -> dict[str, Run]:
    """All commands of a script, in order: each meter by its name, or one without."""
    meters = Meters()
    play_lines(lines, meters.give)
    if not any(run.events for run in meters.runs.values()):
        raise ScriptError("there is no command")
    return meters.runs
