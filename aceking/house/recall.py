"""Past rounds of a table from its stream: every event with its time, and the seed that fixed the cards (R19)."""

from typing import Any

import msgspec

from aceking.house.record import read_unit
from aceking.house.store.protocol import Store

#: Events of a round of seven boxes, about: how far back the first look goes.
_EVENTS_OF_ROUND = 250


class PastRound(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One round that is over."""

    round: int
    book: str
    digest: str
    began: int
    ended: int = 0
    first: int  # the entries of the log that have it
    last: int = 0
    void: bool = False
    commitment: str = ""
    seed: str = ""
    words: list[str] = []
    cut: int = 0  # so many cards went from the top to the bottom after the shuffle
    events: list[dict[str, Any]] = []


def recall(store: Store, table: str, *, head: int, last: int = 10, before: int | None = None) -> list[PastRound]:
    """The last rounds that are over, oldest first; `before`: those before this round."""
    reach = _EVENTS_OF_ROUND * (last + 2)
    while True:
        after = max(0, head - reach)
        found = _rounds(store, table, after)
        if before is not None:
            found = [one for one in found if one.round < before]
        if len(found) >= last or after == 0:
            return found[-last:]
        reach *= 2


def _rounds(store: Store, table: str, after: int) -> list[PastRound]:
    """The whole rounds after a version of the stream."""
    stream, found = f"table/{table}", list[PastRound]()
    current: PastRound | None = None
    committed: dict[str, str] = {}
    cuts: dict[str, int] = {}
    for entry in store.stream(stream, after):
        unit = read_unit(entry.body)
        for raw in next(part.events for part in unit.parts if part.stream == stream):
            event = msgspec.json.decode(raw)
            match event["is"]:
                case "committed":
                    committed[event["deck"]] = event["commitment"]
                    cuts[event["deck"]] = 0
                case "was-cut":
                    cuts[event["deck"]] = cuts.get(event["deck"], 0) + event["count"]
                case "round-opened":
                    current = PastRound(
                        round=event["number"],
                        book=event["book"],
                        digest=event["digest"],
                        began=unit.at,
                        first=entry.seq,
                        commitment=committed.get(event.get("deck") or "", ""),
                        cut=cuts.get(event.get("deck") or "", 0),
                    )
                case "seed-shown":
                    for one in [
                        one for one in (current, *found[-1:]) if one is not None and one.round == event["round"]
                    ]:
                        one.seed, one.words = event["seed"], event.get("words", [])
            if current is None:
                continue
            current.events.append({"seq": entry.seq, "at": unit.at, "by": unit.by, "event": event})
            current.void |= event["is"] == "round-voided"
            if event["is"] == "round-ended":
                current.ended, current.last = unit.at, entry.seq
                found.append(current)
                current = None
    return found
