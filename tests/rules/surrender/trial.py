"""What a copy of the package that knows surrender makes of it; printed as JSON by `python trial.py`.

It is run with the copy on its path, and imports nothing of the tests.
"""

import io
import json
import sys
from contextlib import redirect_stdout

import msgspec

from aceking.api.table import Table
from aceking.cli import cli
from aceking.exact.games import edge
from aceking.exact.unpriced import UnpricedError
from aceking.rules.reading.load import load_book
from aceking.settlement.lines import Settlement
from aceking.settlement.scenario_json import scenario_from_table, settle_in
from aceking.simulation.random_rounds import random_rounds
from aceking.table import player as pl

BOOK = "surrender"


def played() -> dict[str, object]:
    """A round in which the player looks, asks for surrender as a page does, and gets half the ante back."""
    table = Table(BOOK, seed=3).ante(10).side().deal()
    offers = msgspec.to_builtins(table.offers())
    request = msgspec.json.decode(b'{"do":"surrender","box":1}', type=pl.PlayerCommand)
    table.do(pl.as_command(request, player="player", at=table.state.clock))
    current = table.state.round
    assert current is not None
    box = current.boxes[1]
    table.finish()
    return {
        "offers": {one["do"]: one for one in offers},
        "ended": [box.choice, box.ended_early, box.gave_up],
        "lines": [[one.wager, one.stake, one.outcome, one.clause] for one in table.lines()],
        "net": table.net(),
        "story": [one for one in table.told() if "surrenders" in one],
        "view": next(one.gave_up for one in table.view().common.boxes),
    }


def settled(ante: str) -> list[list[object]]:
    """The lines of a sheet in which a seat surrenders."""
    seat = {"seat": 1, "cards": "As Kd 9h 7c 2s", "ante": ante, "play": "surrender"}
    found = settle_in(scenario_from_table({"book": BOOK, "seats": [seat]}))
    assert isinstance(found, tuple), found
    result = found[1]
    assert isinstance(result, Settlement)
    return [[line.wager, line.stake, line.outcome, line.net] for line in result.lines]


def at_the_terminal() -> str:
    """What a session at the terminal shows."""
    sys.stdin = io.StringIO("10\nv\nu\nq\n")
    with redirect_stdout(io.StringIO()) as shown:
        cli.main(["play", BOOK, "--seed", "3"], standalone_mode=False)
    return shown.getvalue()


def priced() -> str:
    """Return the figures of `edge`, or why there are none."""
    try:
        return str(edge(load_book(BOOK)))
    except UnpricedError as refused:
        return str(refused)


def main() -> None:
    """Print what each part of the program says of the book, as JSON."""
    told = {
        **played(),
        "sheet": settled("10"),
        "odd": settled("7.01"),
        "terminal": at_the_terminal(),
        "edge": priced(),
        "by lot": sorted(set(random_rounds(load_book(BOOK), rounds=200, seed=1)))[:2],
    }
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
