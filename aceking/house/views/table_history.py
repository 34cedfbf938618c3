"""Past rounds of a table, read from its stream: every event with its time, and the seed of the cards (R19)."""

from collections.abc import Iterator
from typing import Any

import msgspec

from aceking.house.record import Unit, read_unit
from aceking.house.store.protocol import Store

#: About the number of events of a round with seven boxes; the first read goes this far back for each round.
_EVENTS_OF_ROUND = 250


class PastRound(msgspec.Struct, kw_only=True, omit_defaults=True):
    round: int
    book: str
    digest: str
    began: int
    ended: int = 0
    first: int  # its first entry in the log
    last: int = 0
    after: int = 0  # the version of the table's stream before the round and the commitment to its cards
    version: int = 0  # the version of the stream after the round
    void: bool = False
    commitment: str = ""
    seed: str = ""
    words: list[str] = []
    cut: int = 0  # cards moved from the top to the bottom after the shuffle
    events: list[dict[str, Any]] = []


class _SealedDeck(msgspec.Struct):
    """A shuffled deck whose order is committed."""

    commitment: str
    after: int
    cut: int = 0


class Reader:
    """Reads the stream of one table unit by unit and collects its rounds."""

    def __init__(self, table: str) -> None:
        self._stream = f"table/{table}"
        self._current: PastRound | None = None
        self._ended: PastRound | None = None
        self._decks: dict[str, _SealedDeck] = {}

    def take(self, seq: int, unit: Unit) -> Iterator[PastRound]:
        """Read the next unit and yield the rounds that end in it. A round that began before the first unit is left
        out."""
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
        """Take note of commitments, cuts, openings and seeds."""
        match event["is"]:
            case "committed":
                self._decks[event["deck"]] = _SealedDeck(event["commitment"], after)
            case "was-cut":
                if event["deck"] in self._decks:
                    self._decks[event["deck"]].cut += event["count"]
            case "round-opened":
                sealed = self._decks.get(event.get("deck") or "", _SealedDeck("", after))
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
                for past in (self._current, self._ended):
                    if past is not None and past.round == event["round"]:
                        past.seed, past.words = event["seed"], event.get("words", [])


def recall(store: Store, table: str, *, head: int, last: int = 10, before: int | None = None) -> list[PastRound]:
    """Return the last finished rounds at a version of the stream, oldest first; with `before`, only rounds below it."""
    reach = _EVENTS_OF_ROUND * (last + 2)
    while True:
        after = max(0, head - reach)
        rounds = rounds_between(store, table, after=after, upto=head)
        if before is not None:
            rounds = [one for one in rounds if one.round < before]
        if len(rounds) >= last or after == 0:
            return rounds[-last:]
        reach *= 2


def rounds_between(store: Store, table: str, *, after: int, upto: int) -> list[PastRound]:
    """Return the whole rounds between two versions of the stream of a table."""
    reader, rounds, stream = Reader(table), list[PastRound](), f"table/{table}"
    for entry in store.stream(stream, after):
        unit = read_unit(entry.body)
        rounds += reader.take(entry.seq, unit)
        if next(part.version for part in unit.parts if part.stream == stream) >= upto:
            break
    return rounds
