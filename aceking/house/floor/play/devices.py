"""Devices at a live table: a shoe that reads cards as they leave, a sensor that sees chips, a shuffler.

A reading is on the record before the act that it belongs to, and fills in what the act leaves open. An act that
contradicts it is refused: at a table with a reading shoe, a dealer can deal only the card that left it.
"""

from typing import Any

from msgspec.structs import replace

from aceking.house.floor import events as hp
from aceking.house.floor import requests as w
from aceking.house.floor.draft import Draft
from aceking.house.floor.refusals import house_refusal
from aceking.house.floor.states import FloorTable
from aceking.rules.refusal import Refusal
from aceking.table import commands as c


def read(draft: Draft, sender: w.Sender, request: w.Read) -> Refusal | None:
    """Record a reading of a device."""
    state = draft.table(request.table)
    if state.posted.mode != "live":
        return house_refusal("device", "devices do not read the cards of an electronic table")
    if (request.card is None) == (request.box is None):
        return house_refusal("input", "a reading names a card or a box")
    if request.box is not None:
        draft.add(f"table/{request.table}", hp.LightRead(device=sender.name, box=request.box, on=request.on))
        return None
    assert request.card is not None
    current = state.table.live_round
    if current is None or current.phase == "betting":
        return house_refusal("device", "no card leaves the shoe now")
    if request.card in state.read or current.is_out(request.card):
        return house_refusal("device", "that card has left the shoe already")
    draft.add(f"table/{request.table}", hp.CardRead(device=sender.name, card=request.card))
    return None


def with_readings(state: FloorTable, command: Any) -> Any:
    """Return the command with the readings of devices filled in, or a refusal if it contradicts them."""
    match command:
        case c.DealCard() | c.Burn() if state.read:
            if command.card not in (None, state.read[0]):
                return house_refusal("device", "the shoe has read another card")
            return replace(command, card=state.read[0])
        case c.SideBet() if command.box in state.lights and (command.amount or 0) > 0:
            if command.lit and not state.lights[command.box]:
                return replace(command, lit=False)
            return command
        case _:
            return command
