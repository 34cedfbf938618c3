"""A log held against the rules, offline and without the server: chain, money, shuffles, deals, settlement, every act.

Everything is worked out again from the first entry: each unit's events are evolved, its postings must be what they
move, each seed must be the one that was committed to, the cards that left the deck must lie as the seed has them, and
what the program decided must be what it decides now. What a later version of the program decides differently is not
held against an older one: such stretches are counted.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from aceking.house import chance, signing
from aceking.house.floor import events as hp
from aceking.house.floor import ledger
from aceking.house.floor import requests as w
from aceking.house.floor.codec import after_event, read_events, state_of
from aceking.house.floor.decide import decide
from aceking.house.floor.draft import Draft
from aceking.house.floor.library import book_of
from aceking.house.floor.states import Floor
from aceking.house.record import Unit, canonical, total
from aceking.meter import events as le
from aceking.meter.must_hit_by import shown_by, wrong_feed, wrong_trigger
from aceking.meter.state import identity
from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.state import balance
from aceking.version import __version__

_WISH: Any = w.Wish | w.Own
_READ_WISH: "msgspec.json.Decoder[Any]" = msgspec.json.Decoder(_WISH)


#: The hash of an entry of the log, in hex.
HashOf = Callable[[int], str]


class Wrong(Exception):
    """Something that cannot be; the message says at which entry, and what."""

    def __init__(self, seq: int, what: str) -> None:
        super().__init__(f"entry {seq}: {what}")
        self.seq = seq
        self.what = what


@dataclass
class Verified:
    """What was looked at."""

    entries: int = 0
    events: int = 0
    rounds: int = 0
    shuffles: int = 0
    triggers: int = 0  # of must-hit-by meters, each the one that was committed to
    settled: int = 0
    decided: int = 0  # units that this program decides in the same way
    older: int = 0  # units of another version of the program, which were not decided again
    sealed: int = 0  # units that draw on a seed which is not shown yet
    days: dict[str, str] = field(default_factory=dict)  # the root of each closed day


class Verifier:
    """Follows a log from its first entry. `seeds`: by commitment, as far as the log shows them."""

    def __init__(self, seeds: Mapping[str, bytes], hash_of: HashOf | None = None) -> None:
        self.floor = Floor()
        self._public = ""
        self.seen = Verified()
        self._seeds = seeds
        self._hash_of = hash_of

    def entry(self, seq: int, unit: Unit) -> None:
        """The next entry; raises Wrong."""
        before, events = self.floor, read_events(unit)
        if total(unit.postings):
            raise Wrong(seq, f"its postings sum to {total(unit.postings)}")
        posted = self._evolve(seq, unit, events)
        if posted != ledger.read(unit.postings):
            raise Wrong(seq, f"its events move {ledger.written(posted)}, and {unit.postings} is posted")
        self._whole(seq, events)
        self._decided(seq, unit, before)
        self._signed(seq, events)
        self._count(events)
        self.seen.entries += 1

    def _evolve(self, seq: int, unit: Unit, events: Mapping[str, list[Any]]) -> ledger.Accounts:
        posted: ledger.Accounts = {}
        for part in unit.parts:
            if self.floor.versions.get(part.stream, 0) != part.after:
                raise Wrong(
                    seq, f"{part.stream} stands at {self.floor.versions.get(part.stream, 0)}, not at {part.after}"
                )
            for event in events[part.stream]:
                before = self.floor
                if (wrong := wrong_on_meter(before, part.stream, event, self._seeds)) is not None:
                    raise Wrong(seq, f"{part.stream}: {wrong}")
                if isinstance(event, hp.SeedShown) and not deals_as_committed(before, part.stream, event):
                    raise Wrong(
                        seq, f"{part.stream}: the cards did not leave the {event.deck} deck as its seed has them"
                    )
                try:
                    self.floor = after_event(before, part.stream, event, at=unit.at)
                except (AssertionError, KeyError, IndexError, ValueError, TypeError) as failed:
                    raise Wrong(seq, f"{part.stream}: {event} cannot follow what went before ({failed!r})") from None
                stream = part.stream
                moved = ledger.moved_in(stream, state_of(before, stream), state_of(self.floor, stream))
                if sum(moved.values()):
                    raise Wrong(seq, f"{part.stream}: {event} makes or loses money")
                posted = ledger.added(posted, moved)
                self.seen.events += 1
        self.floor = msgspec.structs.replace(self.floor, moment=max(self.floor.moment, unit.at))
        return posted

    def _whole(self, seq: int, events: Mapping[str, list[Any]]) -> None:
        """What holds after every unit."""
        if off := ledger.open_pairs(self.floor):
            raise Wrong(seq, f"streams do not agree: {off}")
        for stream in events:
            kind, _, name = stream.partition("/")
            if kind == "meter" and identity(self.floor.meters[name]):
                raise Wrong(seq, f"the identity of meter {name} does not hold")
            if kind == "table" and balance(self.floor.tables[name].table.accounts):
                raise Wrong(seq, f"the chips of table {name} do not sum to nothing")
            if kind == "table" and any(chips < 0 for chips in _chips(self.floor, name)):
                raise Wrong(seq, f"a player of table {name} has staked more than he had")

    def _decided(self, seq: int, unit: Unit, before: Floor) -> None:
        """The unit decided again: the same events, or the same refusal."""
        if before.house.program not in ("", __version__):
            self.seen.older += 1
            return
        wish = _READ_WISH.decode(unit.asked)
        sender = w.HOUSE if unit.by == w.HOUSE.name else w.Sender(unit.by, before.people.role(unit.by) or "player")
        drawn = _drawn(unit, self._seeds)
        if drawn is None or self._needs_sealed(before, unit, wish):
            self.seen.sealed += 1
            return
        # Processes that touch different streams do not wait for each other: the clock holds in each stream.
        floor = msgspec.structs.replace(before, moment=0)
        told = [self._decide(floor, sender, wish, unit, order) for order in drawn]
        if None not in told:
            raise Wrong(seq, f"{told[0]}")
        self.seen.decided += 1

    def _decide(self, floor: Floor, sender: w.Sender, wish: Any, unit: Unit, drawn: list[bytes]) -> str | None:
        """How the unit differs from what is decided where seeds are drawn in this order; None: it does not."""
        draws = iter(drawn)
        try:
            found = decide(floor, sender, wish, at=unit.at, seeds=self._seeds, draw=lambda count: next(draws))
        except Exception as fault:  # whatever it is: what the program cannot do it has refused
            return f"the program cannot decide this ({fault!r})" if unit.parts else None
        return _differs(unit, found)

    def _needs_sealed(self, before: Floor, unit: Unit, wish: Any) -> bool:
        """Whether a table of this unit is played with a seed that is not shown yet."""
        named = {part.stream.removeprefix("table/") for part in unit.parts} | {getattr(wish, "table", "")}
        tables = [before.tables[name] for name in named if name in before.tables]
        waits = [seal.commitment for one in tables for seal in one.seals.values()]
        meters = {part.stream.removeprefix("meter/") for part in unit.parts} | {getattr(wish, "meter", "")}
        meters |= {name for one in tables for name in one.posted.must_hit}
        triggers = [before.meters[name].trigger for name in meters if name in before.meters]
        waits += [one.commitment for one in triggers if one is not None]
        return any(commitment not in self._seeds for commitment in waits)

    def _signed(self, seq: int, events: Mapping[str, list[Any]]) -> None:
        """The signature under a day: by the key of the house, under what the chain stood at."""
        for event in events.get("house", ()):
            if not isinstance(event, hp.DaySigned):
                continue
            if self._public not in ("", event.public):
                raise Wrong(seq, f"the day {event.day} is signed with another key than the days before")
            self._public = event.public
            if not signing.holds(event):
                raise Wrong(seq, f"the signature under the day {event.day} is not the house's")
            if self._hash_of is not None and self._hash_of(event.upto) != event.root:
                raise Wrong(seq, f"the day {event.day} was signed for another chain: entry {event.upto} has changed")

    def _count(self, events: Mapping[str, list[Any]]) -> None:
        for many in events.values():
            for event in many:
                match event:
                    case hp.SeedShown():
                        self.seen.shuffles += 1
                    case le.TriggerReached() | le.TriggerShown():
                        self.seen.triggers += 1
                    case ev.RoundEnded():
                        self.seen.rounds += 1
                    case ev.Settled():
                        self.seen.settled += 1
                    case hp.DaySigned():
                        self.seen.days[event.day] = event.root
                    case _:
                        pass


def _chips(floor: Floor, name: str) -> list[int]:
    one = floor.tables[name]
    return [one.chips(player) for player in one.players]


def _drawn(unit: Unit, seeds: Mapping[str, bytes]) -> list[list[bytes]] | None:
    """The seeds that this unit drew, in the orders in which it may have; None where one of them is still sealed.

    Streams do not tell whether a deck or a trigger came first, so that both orders are tried where there are both.
    """
    decks, triggers = [], []
    for many in read_events(unit).values():
        decks += [event.commitment for event in many if isinstance(event, hp.Committed)]
        triggers += [event.drawn.commitment for event in many if isinstance(event, le.TriggerDrawn)]
    if any(one not in seeds for one in (*decks, *triggers)):
        return None
    orders = [[*decks, *triggers], [*triggers, *decks]] if decks and triggers else [[*decks, *triggers]]
    return [[seeds[one] for one in order] for order in orders]


def _differs(unit: Unit, found: Draft | Refusal) -> str | None:
    """Where a unit is not what the rules make of its request."""
    if isinstance(found, Refusal):
        return f"the rules refuse this: {found.reason} ({found.clause})" if unit.parts else None
    if not unit.parts and found.events:
        return "it was refused, and the rules do not refuse it"
    decided = {stream: [bytes(canonical(one)) for one in many] for stream, many in found.events.items()}
    written = {part.stream: [bytes(one) for one in part.events] for part in unit.parts}
    for stream in decided.keys() | written.keys():
        mine, theirs = decided.get(stream, []), written.get(stream, [])
        for number, (one, other) in enumerate(zip(mine, theirs, strict=False), start=1):
            if one != other:
                return (
                    f"{stream}, event {number} of {len(theirs)}: it has {other.decode()}, the rules give {one.decode()}"
                )
        if len(mine) != len(theirs):
            return f"{stream}: it has {len(theirs)} events, the rules give {len(mine)}"
    return None


def shown_seeds(units: Iterable[tuple[int, Unit]]) -> dict[str, bytes]:
    """All seeds that a log shows, by commitment; each must be the seed of its deck's last commitment."""
    found: dict[str, bytes] = {}
    committed: dict[str, tuple[str, int]] = {}
    for seq, unit in units:
        for stream, many in read_events(unit).items() if _may_show(unit) else ():
            for event in many:
                if isinstance(event, le.TriggerReached | le.TriggerShown):
                    found |= shown_by(event)
                elif isinstance(event, hp.Committed):
                    committed[f"{stream}/{event.deck}"] = (event.commitment, seq)
                elif isinstance(event, hp.SeedShown):
                    _held_against(seq, committed.pop(f"{stream}/{event.deck}", None), event)
                    found[chance.commitment(bytes.fromhex(event.seed))] = bytes.fromhex(event.seed)
    return found


def _may_show(unit: Unit) -> bool:
    return any(part.stream.startswith(("table/", "meter/")) for part in unit.parts)


def wrong_on_meter(floor: Floor, stream: str, event: Any, seeds: Mapping[str, bytes]) -> str | None:
    """What a must-hit-by meter's record does not bear out: a trigger, or wagers that had reached it before."""
    state = floor.meters.get(stream.removeprefix("meter/"))
    if state is None or state.ceiling is None:
        return None
    if isinstance(event, le.TriggerReached | le.TriggerShown):
        return wrong_trigger(state, event)
    return wrong_feed(state, event, seeds) if isinstance(event, le.Contributed) else None


def _held_against(seq: int, committed: tuple[str, int] | None, event: hp.SeedShown) -> None:
    if committed is None:
        raise Wrong(seq, f"the seed of the {event.deck} deck is shown, and nothing was committed to")
    if chance.commitment(bytes.fromhex(event.seed)) != committed[0]:
        raise Wrong(seq, f"the seed of the {event.deck} deck is not the one of the commitment in entry {committed[1]}")


def deals_as_committed(floor: Floor, stream: str, event: hp.SeedShown) -> bool:
    """Whether the cards of the table's round left the deck as seed, words and cut have them."""
    one = floor.tables[stream.removeprefix("table/")]
    current, seal = one.table.round, one.seals.get(event.deck)
    if current is None or seal is None or current.deck != event.deck:
        return True
    size = book_of(floor.house, one).deck.size
    order = chance.order_of(bytes.fromhex(event.seed), tuple(seal.words.values()), size)
    cut = seal.cut % size
    lies = (*order[cut:], *order[:cut])
    return lies[: len(current.sequence)] == current.sequence


Progress = Callable[[int], None]


def verify(
    log: Callable[[], Iterable[tuple[int, Unit]]],
    progress: Progress | None = None,
    hash_of: HashOf | None = None,
    sealed: Mapping[str, bytes] | None = None,
) -> Verifier:
    """A whole log, read twice: for the seeds that it shows, then entry by entry. Raises Wrong at the first bad one.

    `sealed`: seeds that lie apart, for whoever has them; what draws on them is decided again as well.
    """
    verifier = Verifier({**shown_seeds(log()), **(sealed or {})}, hash_of)
    for seq, unit in log():
        verifier.entry(seq, unit)
        if progress is not None:
            progress(seq)
    return verifier
