"""Several meters on a table: one that its hands win, and must-hit-by meters that the same side wager feeds.

A command about a round (START GAME, END GAME, void, fault, course) applies to all meters of the table or to none; any
other command is for one meter. All meters of a table together take at most the whole wager.
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
    EndMeterGame,
    ReportFault,
    StartMeterGame,
    VoidRound,
)
from aceking.meter.must_hit_by import CLAUSE
from aceking.meter.script import MeterScriptError, Run, ScriptQuestion, command_of, play_lines, take_seed
from aceking.meter.state import MeterState
from aceking.rules.odds import OddsError, share
from aceking.rules.refusal import Refusal

_NAME = re.compile(r"[\w-]{1,60}", re.ASCII)

#: Commands about a round, for every meter of its table.
OF_ROUND = StartMeterGame | EndMeterGame | VoidRound | ReportFault | ChooseCourse | ClearFault


def conflict(meters: Mapping[str, MeterState], name: str, command: Configure) -> Refusal | None:
    """Return the refusal of parameters that conflict with other meters of the same tables, or None."""
    for table, book in command.tables.items():
        others = of_table({key: one for key, one in meters.items() if key != name}, table)
        rate = _rate(command)
        for key, other in others.items():
            assert other.config is not None
            if other.tables[table].book != book:
                return Refusal(f"table {table}: meter {key} has it down for {other.tables[table].book}", "R1")
            if command.ceiling is None and other.ceiling is None:
                return Refusal(f"table {table}: its hands win meter {key}; a second meter is must-hit-by", CLAUSE)
            rate += _rate(other.config)
        if rate > 1:
            return Refusal(f"table {table}: its meters together take more than the whole wager", "R4")
    return None


def of_table(meters: Mapping[str, MeterState], table: str) -> dict[str, MeterState]:
    """Return the meters that a table feeds, the one that its hands win first; without retired ones."""
    fed = {key: one for key, one in meters.items() if table in one.tables and one.phase != "retired"}
    return dict(sorted(fed.items(), key=lambda pair: pair[1].ceiling is not None))


def _rate(config: Configure) -> Fraction:
    """Return the share of a wager for a meter and its reserve; 0 if it cannot be read, which `configure` refuses."""
    try:
        return share(config.rate) + share(config.hidden_rate)
    except OddsError:
        return Fraction(0)


@dataclass(slots=True)
class Meters:
    """Several meters while a script is played."""

    runs: dict[str, Run] = field(default_factory=dict)

    def give(self, raw: dict[str, Any], line: int) -> None:
        """Give one object of a script to the meter that it names, or to all that it concerns."""
        name = raw.pop("meter", None)
        if name is not None and not (isinstance(name, str) and _NAME.fullmatch(name)):
            raise MeterScriptError("meter: the name of a meter has up to 60 letters, digits, - and _")
        seeds, names = take_seed(raw), self._concerned(name, raw)
        command = command_of(raw, decimals=self.runs.get(names[0], Run()).decimals)
        for concerned in names:
            self.runs.setdefault(concerned, Run()).seeds |= seeds
        if isinstance(command, OF_ROUND):
            self._of_round(command, names, line)
        else:
            self._of_one(command, names[0], line)

    def _concerned(self, name: str | None, raw: dict[str, Any]) -> list[str]:
        """Return the meters that a command is for: the named one, all of its table, or the only one."""
        if name is not None:
            if name not in self.runs and raw["do"] != "configure":
                raise MeterScriptError(f"meter: there is no meter {name!r}")
            if "" in self.runs:
                raise MeterScriptError("meter: the meter before this one has no name; either all have one or none")
            return [name]
        if not self.runs or "" in self.runs:
            return [""]
        here = of_table({key: one.state for key, one in self.runs.items()}, str(raw.get("table")))
        if not here and len(self.runs) > 1:
            raise MeterScriptError(f"there must be a key `meter`: {' or '.join(self.runs)}")
        return list(here) or list(self.runs)

    def _of_one(self, command: AnyCommand, name: str, line: int) -> None:
        run = self.runs[name]
        question = run.ask(command)
        if isinstance(command, Configure) and isinstance(question.command, Configure) and not question.refused:
            states = {key: one.state for key, one in self.runs.items()}
            refused = conflict(states, name, question.command)
            question = question if refused is None else question._replace(decided=refused)
        run.take(question, line=line)

    def _of_round(self, command: OF_ROUND, names: list[str], line: int) -> None:
        """Carry a command out on all meters; if one refuses, its refusal is recorded and the others do nothing."""
        if isinstance(command, EndMeterGame | VoidRound):
            # A meter added in mid-round has no round to end.
            running = [one for one in names if self._runs_at(one, command.table)]
            names = running or names[:1]
        questions: dict[str, ScriptQuestion] = {one: self.runs[one].ask(command) for one in names}
        for name, question in questions.items():
            if question.refused:
                self.runs[name].take(question, line=line)
                return
        for name, question in questions.items():
            self.runs[name].take(question, line=line)

    def _runs_at(self, name: str, table: str) -> bool:
        at_table = self.runs[name].state.tables.get(table)
        return at_table is not None and at_table.running


def play_meters(lines: Iterable[str | bytes]) -> dict[str, Run]:
    """Play a script, and return each meter by its name; a single one may have none. Raises MeterScriptError."""
    meters = Meters()
    play_lines(lines, meters.give)
    if not any(run.events for run in meters.runs.values()):
        raise MeterScriptError("there is no command")
    return meters.runs
