"""A file from which a simulation goes on where it was stopped. It holds whole blocks only, and one question."""

import json
import os
from pathlib import Path
from typing import Any

from aceking.simulation.games.game import SimulationError
from aceking.simulation.plan import Plan
from aceking.simulation.tally import Tally

_KIND = "aceking simulation 2"


def read(file: Path, plan: Plan) -> tuple[int, Tally] | None:
    """The blocks that are done and what they came to; None where there is no file yet."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as failed:
        raise SimulationError(f"{file}: the checkpoint cannot be read ({failed})") from None
    try:
        raw: dict[str, Any] = json.loads(text)
        kind, key, blocks, says = raw["kind"], raw["key"], int(raw["blocks"]), raw["says"]
        tally = Tally.from_data(raw["tally"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise SimulationError(f"{file} is not a checkpoint of a simulation") from None
    if kind != _KIND:
        raise SimulationError(f"{file} is a checkpoint of another edition of the program; begin a new one")
    if key != plan.key:
        raise SimulationError(
            f"{file} is the checkpoint of another question: {says}; begin a new one for {_says(plan)}"
        )
    if tally.rounds > plan.rounds:
        raise SimulationError(f"{file} has {tally.rounds:,} rounds already, more than the {plan.rounds:,} asked for")
    return blocks, tally


def write(file: Path, plan: Plan, blocks: int, tally: Tally) -> None:
    """Writes the whole file or leaves the old one."""
    raw = {"kind": _KIND, "key": plan.key, "says": _says(plan), "blocks": blocks, "tally": tally.data()}
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        part.write_text(json.dumps(raw) + "\n", encoding="utf-8")
        part.replace(file)
    except OSError as failed:
        raise SimulationError(f"{file}: the checkpoint cannot be written ({failed.strerror})") from None


def _says(plan: Plan) -> str:
    side = "" if plan.side is None else ", with the progressive"
    return f"{plan.book.id}, seats {plan.seats}, seed {plan.seed}, strategy {plan.strategy}{side}"
