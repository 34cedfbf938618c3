"""Devices at a live table: a shoe that reads cards as they leave it, a sensor that sees chips, a shuffler that mixes.

A reading is on the record before the act that it belongs to, and fills in what the act leaves open. An act that says
otherwise is refused: at a table with a reading shoe a dealer cannot deal another card than the one that left it.
"""

from typing import Any

from msgspec.structs import replace

from aceking.house.floor import events as hp
from aceking.house.floor import requests as w
from aceking.house.floor.draft import Draft
from aceking.house.floor.refusals import house
from aceking.house.floor.states import FloorTable
from aceking.rules.refusal import Refusal
from aceking.table import commands as c


def read(draft: Draft, sender: w.Sender, wish: w.Read) -> Refusal | None:
    """A reading of a device."""
    one = draft.table(wish.table)
    if one.posted.mode != "live":
        return house("device", "the cards of an electronic table are nobody's to read")
    if (wish.card is None) == (wish.box is None):
        return house("input", "a reading is of a card or of a box")
    if wish.box is not None:
        draft.add(f"table/{wish.table}", hp.LightRead(device=sender.name, box=wish.box, on=wish.on))
        return None
    assert wish.card is not None
    current = one.table.live_round
    if current is None or current.phase == "betting":
        return house("device", "no card leaves the shoe now")
    if wish.card in one.read or current.is_out(wish.card):
        return house("device", "that card has left the shoe already")
    draft.add(f"table/{wish.table}", hp.CardRead(device=sender.name, card=wish.card))
    return None


def completed(one: FloorTable, command: Any) -> Any:
    """The command with what devices have read; refused where it says otherwise."""
    match command:
        case c.DealCard() | c.Burn() if one.read:
            if command.card not in (None, one.read[0]):
                return house("device", "the shoe has read another card")
            return replace(command, card=one.read[0])
        case c.SideBet() if command.box in one.lights and (command.amount or 0) > 0:
            if command.lit and not one.lights[command.box]:
                return replace(command, lit=False)
            return command
        case _:
            return command
