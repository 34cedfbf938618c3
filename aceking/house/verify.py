"""Verify a log offline, without the server: chain, money, shuffles, deals, settlement and every decision.

Everything is computed again from the first entry: each unit's events are applied, its postings must be what they
move, each seed must match its commitment, the cards must have left the deck in the order of the seed, and each
request is decided again. Units decided by another version of the program are counted, not decided again.
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

_REQUEST: Any = w.AnyRequest | w.OwnRequest
_READ_REQUEST: "msgspec.json.Decoder[Any]" = msgspec.json.Decoder(_REQUEST)


#: The hash of an entry of the log, in hex.
HashOf = Callable[[int], str]


class Wrong(Exception):
    """An entry that cannot be right; the message names the entry and the fault."""

    def __init__(self, seq: int, what: str) -> None:
        super().__init__(f"entry {seq}: {what}")
        self.seq = seq
        self.what = what


@dataclass
class VerifyResult:
    """The numbers of what was verified."""

    entries: int = 0
    events: int = 0
    rounds: int = 0
    shuffles: int = 0
    triggers: int = 0  # of must-hit-by meters, each equal to its commitment
    settled: int = 0
    decided: int = 0  # units decided again with the same result
    older: int = 0  # units of another program version, not decided again
    sealed: int = 0  # units that need a seed that is not shown yet
    days: dict[str, str] = field(default_factory=dict)  # the root of each closed day


class Verifier:
    """Verifies a log entry by entry from the first. `seeds`: those that the log shows, by commitment."""

    def __init__(self, seeds: Mapping[str, bytes], hash_of: HashOf | None = None) -> None:
        self.floor = Floor()
        self._public = ""
        self.seen = VerifyResult()
        self._seeds = seeds
        self._hash_of = hash_of

    def entry(self, seq: int, unit: Unit) -> None:
        """Verify the next entry. Raises Wrong."""
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
                posted = ledger.total_of(posted, moved)
                self.seen.events += 1
        self.floor = msgspec.structs.replace(self.floor, moment=max(self.floor.moment, unit.at))
        return posted

    def _whole(self, seq: int, events: Mapping[str, list[Any]]) -> None:
        """Check what holds after every unit."""
        if differences := ledger.open_pairs(self.floor):
            raise Wrong(seq, f"streams do not agree: {differences}")
        for stream in events:
            kind, _, name = stream.partition("/")
            if kind == "meter" and identity(self.floor.meters[name]):
                raise Wrong(seq, f"the identity of meter {name} does not hold")
            if kind == "table" and balance(self.floor.tables[name].table.accounts):
                raise Wrong(seq, f"the chips of table {name} do not sum to zero")
            if kind == "table" and any(chips < 0 for chips in _chips(self.floor, name)):
                raise Wrong(seq, f"a player of table {name} has staked more than they had")

    def _decided(self, seq: int, unit: Unit, before: Floor) -> None:
        """Decide the unit again: the same events, or a refusal again."""
        if before.house.program not in ("", __version__):
            self.seen.older += 1
            return
        request = _READ_REQUEST.decode(unit.asked)
        sender = w.HOUSE if unit.by == w.HOUSE.name else w.Sender(unit.by, before.people.role(unit.by) or "player")
        drawn = _drawn(unit, self._seeds)
        if drawn is None or self._needs_sealed(before, unit, request):
            self.seen.sealed += 1
            return
        # Processes that move different streams do not wait for each other: times are in order only within a stream.
        floor = msgspec.structs.replace(before, moment=0)
        differences = [self._decide(floor, sender, request, unit, order) for order in drawn]
        if None not in differences:
            raise Wrong(seq, f"{differences[0]}")
        self.seen.decided += 1

    def _decide(self, floor: Floor, sender: w.Sender, request: Any, unit: Unit, drawn: list[bytes]) -> str | None:
        """Return how the unit differs from the decision if seeds are drawn in this order; None if it does not."""
        draws = iter(drawn)
        try:
            decision = decide(floor, sender, request, at=unit.at, seeds=self._seeds, draw=lambda count: next(draws))
        except Exception as fault:  # any fault: the desk refuses such a request
            return f"the program cannot decide this ({fault!r})" if unit.parts else None
        return _differs(unit, decision)

    def _needs_sealed(self, before: Floor, unit: Unit, request: Any) -> bool:
        """Return True if a table or meter of this unit uses a seed that is not shown yet."""
        named = {part.stream.removeprefix("table/") for part in unit.parts} | {getattr(request, "table", "")}
        tables = [before.tables[name] for name in named if name in before.tables]
        commitments = [seal.commitment for one in tables for seal in one.seals.values()]
        meters = {part.stream.removeprefix("meter/") for part in unit.parts} | {getattr(request, "meter", "")}
        meters |= {name for one in tables for name in one.posted.must_hit}
        triggers = [before.meters[name].trigger for name in meters if name in before.meters]
        commitments += [one.commitment for one in triggers if one is not None]
        return any(commitment not in self._seeds for commitment in commitments)

    def _signed(self, seq: int, events: Mapping[str, list[Any]]) -> None:
        """Check the signature of a day: the key of the house, over the hash of its entry."""
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
        for stream_events in events.values():
            for event in stream_events:
                match event:
                    case hp.SeedShown():
                        self.seen.shuffles += 1
                    case le.TriggerReached() | le.TriggerShown():
                        self.seen.triggers += 1
                    case ev.RoundEnded():
                        self.seen.rounds += 1
                    case ev.RoundSettled():
                        self.seen.settled += 1
                    case hp.DaySigned():
                        self.seen.days[event.day] = event.root
                    case _:
                        pass


def _chips(floor: Floor, name: str) -> list[int]:
    state = floor.tables[name]
    return [state.chips(player) for player in state.players]


def _drawn(unit: Unit, seeds: Mapping[str, bytes]) -> list[list[bytes]] | None:
    """Return the seeds that this unit drew, in each possible order; None if one of them is still sealed.

    The streams do not say whether a deck or a trigger was drawn first, so both orders are tried.
    """
    decks, triggers = [], []
    for many in read_events(unit).values():
        decks += [event.commitment for event in many if isinstance(event, hp.Committed)]
        triggers += [event.drawn.commitment for event in many if isinstance(event, le.TriggerDrawn)]
    if any(one not in seeds for one in (*decks, *triggers)):
        return None
    orders = [[*decks, *triggers], [*triggers, *decks]] if decks and triggers else [[*decks, *triggers]]
    return [[seeds[one] for one in order] for order in orders]


def _differs(unit: Unit, decision: Draft | Refusal) -> str | None:
    """Return how a unit differs from the decision on its request, or None."""
    if isinstance(decision, Refusal):
        return f"the rules refuse this: {decision.reason} ({decision.clause})" if unit.parts else None
    if not unit.parts and decision.events:
        return "it was refused, and the rules do not refuse it"
    decided = {stream: [bytes(canonical(one)) for one in many] for stream, many in decision.events.items()}
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
    """Return all seeds that a log shows, by commitment. Raises Wrong unless each matches its deck's last commitment."""
    seeds: dict[str, bytes] = {}
    committed: dict[str, tuple[str, int]] = {}
    for seq, unit in units:
        for stream, events in read_events(unit).items() if _may_show(unit) else ():
            for event in events:
                if isinstance(event, le.TriggerReached | le.TriggerShown):
                    seeds |= shown_by(event)
                elif isinstance(event, hp.Committed):
                    committed[f"{stream}/{event.deck}"] = (event.commitment, seq)
                elif isinstance(event, hp.SeedShown):
                    _check_commitment(seq, committed.pop(f"{stream}/{event.deck}", None), event)
                    seeds[chance.commitment(bytes.fromhex(event.seed))] = bytes.fromhex(event.seed)
    return seeds


def _may_show(unit: Unit) -> bool:
    return any(part.stream.startswith(("table/", "meter/")) for part in unit.parts)


def wrong_on_meter(floor: Floor, stream: str, event: Any, seeds: Mapping[str, bytes]) -> str | None:
    """Return the fault of a must-hit-by meter's trigger, or of wagers that had reached it before; None if right."""
    state = floor.meters.get(stream.removeprefix("meter/"))
    if state is None or state.ceiling is None:
        return None
    if isinstance(event, le.TriggerReached | le.TriggerShown):
        return wrong_trigger(state, event)
    return wrong_feed(state, event, seeds) if isinstance(event, le.Contributed) else None


def _check_commitment(seq: int, committed: tuple[str, int] | None, event: hp.SeedShown) -> None:
    if committed is None:
        raise Wrong(seq, f"the seed of the {event.deck} deck is shown, and nothing was committed to")
    if chance.commitment(bytes.fromhex(event.seed)) != committed[0]:
        raise Wrong(seq, f"the seed of the {event.deck} deck is not the one of the commitment in entry {committed[1]}")


def deals_as_committed(floor: Floor, stream: str, event: hp.SeedShown) -> bool:
    """Return True if the cards of the table's round left the deck in the order of seed, words and cut."""
    state = floor.tables[stream.removeprefix("table/")]
    current, seal = state.table.round, state.seals.get(event.deck)
    if current is None or seal is None or current.deck != event.deck:
        return True
    size = book_of(floor.house, state).deck.size
    order = chance.order_of(bytes.fromhex(event.seed), tuple(seal.words.values()), size)
    cut = seal.cut % size
    dealt_order = (*order[cut:], *order[:cut])
    return dealt_order[: len(current.sequence)] == current.sequence


VerifyProgress = Callable[[int], None]


def verify(
    log: Callable[[], Iterable[tuple[int, Unit]]],
    progress: VerifyProgress | None = None,
    hash_of: HashOf | None = None,
    sealed: Mapping[str, bytes] | None = None,
) -> Verifier:
    """Verify a whole log, read twice: for the seeds that it shows, then entry by entry. Raises Wrong at the first
    fault.

    `sealed`: seeds from outside the log; units that need them are decided again as well.
    """
    verifier = Verifier({**shown_seeds(log()), **(sealed or {})}, hash_of)
    for seq, unit in log():
        verifier.entry(seq, unit)
        if progress is not None:
            progress(seq)
    return verifier
