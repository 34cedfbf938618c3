"""A file from which a stopped simulation continues. It holds only whole blocks, of one question and one program."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

from aceking.exact.cache import program
from aceking.simulation.games.game import SimulationError
from aceking.simulation.plan import Plan
from aceking.simulation.tally import Tally

_KIND = "aceking simulation"


@cache
def own_program() -> str:
    """Return the hash of the program that plays the rounds here: another one might play others."""
    return program(Path(__file__))


def read(file: Path, plan: Plan) -> tuple[int, Tally] | None:
    """Return the blocks that are done and their tally; None if there is no file yet. Raises SimulationError."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except IsADirectoryError:
        raise SimulationError(f"{file}: the checkpoint cannot be read: it is a folder") from None
    except OSError as failed:
        raise SimulationError(f"{file}: the checkpoint cannot be read: {failed.strerror or failed}") from None
    except UnicodeDecodeError:
        raise SimulationError(f"{file}: the checkpoint cannot be read: it is not UTF-8 text") from None
    try:
        raw: dict[str, Any] = json.loads(text)
        kind, played_by, key, blocks, says = raw["kind"], raw["program"], raw["key"], int(raw["blocks"]), raw["says"]
        tally = Tally.from_data(raw["tally"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise SimulationError(f"{file} is not a checkpoint of a simulation") from None
    if kind != _KIND:
        raise SimulationError(f"{file} is not a checkpoint of a simulation")
    if played_by != own_program():
        raise SimulationError(f"{file} is a checkpoint of another version of the program; start a new one")
    if key != plan.key:
        raise SimulationError(
            f"{file} is the checkpoint of another question: {says}; start a new one for {_says(plan)}"
        )
    if tally.rounds > plan.rounds:
        raise SimulationError(f"{file} has {tally.rounds:,} rounds already, more than the {plan.rounds:,} asked for")
    return blocks, tally


def write(file: Path, plan: Plan, blocks: int, tally: Tally) -> None:
    """Write the whole file or leave the old one. Raises SimulationError."""
    raw = {
        "kind": _KIND,
        "program": own_program(),
        "key": plan.key,
        "says": _says(plan),
        "blocks": blocks,
        "tally": tally.data(),
    }
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        part.write_text(json.dumps(raw) + "\n", encoding="utf-8")
        part.replace(file)
    except OSError as failed:
        raise SimulationError(f"{file}: the checkpoint cannot be written: {failed.strerror}") from None


def _says(plan: Plan) -> str:
    side = "" if plan.side is None else ", with the progressive"
    return f"{plan.book.id}, seats {plan.seats}, seed {plan.seed}, strategy {plan.strategy}{side}"
