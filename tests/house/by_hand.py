"""Acts at a live table as its people enter them: who does it, in which role, and what they enter."""

from collections.abc import Callable, Sequence

import msgspec

from aceking.house.floor import requests as w
from aceking.house.floor.states import FloorTable
from aceking.rules.book import Book
from aceking.table import commands as c
from aceking.table.acts import NAMES
from aceking.table.cards.deal_order import hand_size, next_due
from aceking.table.gate import _parts

PARTS = {"dealer": "deb", "floorperson": "fay", "supervisor": "sam", "house": "eve", "device": "deb"}


def entered(
    book: Book, one: FloorTable, act: c.Act, *, player: str, cards: Callable[[int], Sequence[int]]
) -> tuple[str, w.TableAct]:
    """Return who enters a due act, and the request. The dealer acts for `player`; `cards(n)` are the next n cards."""
    table = one.table.id
    raw = {key: value for key, value in msgspec.to_builtins(act).items() if key not in ("by", "role", "at")}
    if isinstance(act, c.DealCard | c.Burn | c.DrawDealerCard):
        [raw["card"]] = cards(1)
    elif isinstance(act, c.DealPacket):
        raw["cards"] = cards(_packet(book, one))
    part = _parts(book, NAMES[type(act)])[0]
    if part == "player":
        return "deb", w.TableAct(table=table, act=raw, player=player)
    if isinstance(act, c.SwipeCard):
        return "eve", w.TableAct(table=table, act=raw | {"card": "executive"}, role="supervisor")
    who = "sam" if isinstance(act, c.Validate) else PARTS[part]
    return who, w.TableAct(table=table, act=raw, role=None if part == "device" else part)


def _packet(book: Book, one: FloorTable) -> int:
    """The cards of the hand that the device gives next."""
    current = one.table.live_round
    to = next_due(book, current) if current is not None else None
    assert to is not None, "a packet is due in a deal"
    return hand_size(book, to.to)
