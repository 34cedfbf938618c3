"""Past rounds of a table from its stream: every event with its time, and the seed that fixed the cards (R19)."""

from collections.abc import Iterator
from typing import Any

import msgspec

from aceking.house.record import Unit, read_unit
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
    after: int = 0  # all of it, with the commitment to its cards, lies in the stream of its table after this version
    version: int = 0  # and up to this one
    void: bool = False
    commitment: str = ""
    seed: str = ""
    words: list[str] = []
    cut: int = 0  # so many cards went from the top to the bottom after the shuffle
    events: list[dict[str, Any]] = []


class _Sealed(msgspec.Struct):
    """The order of a deck that lies ready."""

    commitment: str
    after: int
    cut: int = 0


class Reader:
    """Follows the stream of one table, unit by unit, and has each round when it is over."""

    def __init__(self, table: str) -> None:
        self._stream = f"table/{table}"
        self._current: PastRound | None = None
        self._ended: PastRound | None = None
        self._decks: dict[str, _Sealed] = {}

    def take(self, seq: int, unit: Unit) -> Iterator[PastRound]:
        """The next unit; the rounds that end in it, each once. Of a round that began before the first unit: nothing."""
        part = next(part for part in unit.parts if part.stream == self._stream)
        for raw in part.events:
            event = msgspec.json.decode(raw)
            self._notes(event, seq, unit.at, part.after)
            current = self._current
            if current is None:
                continue
            current.events.append({"seq": seq, "at": unit.at, "by": unit.by, "event": event})
            current.void |= event["is"] == "round-voided"
            if event["is"] == "round-ended":
                current.ended, current.last, current.version = unit.at, seq, part.version
                self._ended, self._current = current, None
                yield current

    def _notes(self, event: dict[str, Any], seq: int, at: int, after: int) -> None:
        """What is known of a round besides its events."""
        match event["is"]:
            case "committed":
                self._decks[event["deck"]] = _Sealed(event["commitment"], after)
            case "was-cut":
                if event["deck"] in self._decks:
                    self._decks[event["deck"]].cut += event["count"]
            case "round-opened":
                sealed = self._decks.get(event.get("deck") or "", _Sealed("", after))
                self._current = PastRound(
                    round=event["number"],
                    book=event["book"],
                    digest=event["digest"],
                    began=at,
                    first=seq,
                    after=min(after, sealed.after),
                    commitment=sealed.commitment,
                    cut=sealed.cut,
                )
            case "seed-shown":
                for one in (self._current, self._ended):
                    if one is not None and one.round == event["round"]:
                        one.seed, one.words = event["seed"], event.get("words", [])


def recall(store: Store, table: str, *, head: int, last: int = 10, before: int | None = None) -> list[PastRound]:
    """The last rounds that are over at a version of the stream, oldest first; `before`: those before this round."""
    reach = _EVENTS_OF_ROUND * (last + 2)
    while True:
        after = max(0, head - reach)
        found = rounds_between(store, table, after=after, upto=head)
        if before is not None:
            found = [one for one in found if one.round < before]
        if len(found) >= last or after == 0:
            return found[-last:]
        reach *= 2


def rounds_between(store: Store, table: str, *, after: int, upto: int) -> list[PastRound]:
    """The whole rounds between two versions of the stream of a table."""
    reader, found, stream = Reader(table), list[PastRound](), f"table/{table}"
    for entry in store.stream(stream, after):
        unit = read_unit(entry.body)
        found += reader.take(entry.seq, unit)
        if next(part.version for part in unit.parts if part.stream == stream) >= upto:
            break
    return found
