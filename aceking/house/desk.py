"""Decide requests to the floor: requests in, units for the store and answers out. It reads no clock and no disk.

    ask ──► decided on the newest states ──► take: a batch for the store ──► written: answers, durable states
                     ▲                                                          │
                     └───────── decided again if another process wrote first ◄──┘

While one batch is being written, the next is decided optimistically, as if that write had succeeded. If it fails, or
another process wrote first, those states are dropped and the log is read. Waiting requests that were decided on a
stream that moved are decided again, in the order of their arrival. A sender is answered only once its unit is
written.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from aceking.house.chance import Chance
from aceking.house.floor import ledger
from aceking.house.floor.codec import after_unit, with_streams
from aceking.house.floor.decide import decide
from aceking.house.floor.draft import Draft
from aceking.house.floor.read_set import rests_on
from aceking.house.floor.requests import Sender
from aceking.house.floor.states import Floor
from aceking.house.names import check_id
from aceking.house.record import StreamPart, Unit, canonical, digest
from aceking.house.store.protocol import AppendOutcome, Clash, Conflict, Repeated, Written
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import Said

#: The newest answers, which are known without asking the store.
_ANSWERS_KEPT = 20_000
#: Decisions on one request before it is given up because another process wrote first each time.
MAX_TRIES = 100


class Request(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A request to the floor under an id made by its sender. Raises ValueError if the log cannot hold the id."""

    id: str
    sender: Sender
    body: Any

    def __post_init__(self) -> None:
        check_id(self.id)

    @cached_property
    def asked(self) -> msgspec.Raw:
        """The body as canonical JSON."""
        return canonical(self.body)

    @cached_property
    def digest(self) -> str:
        """Hash of sender and body: a repeated request has the same one."""
        return digest(self.sender.name, self.asked)


class DeskRefusal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The reason for a refusal and the clause or house rule that decides it."""

    clause: str
    reason: str
    said: Said | None = None  # the reason as a sentence with placeholders, for translation


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer to a request; the same again if the request is repeated."""

    done: dict[str, int] = {}  # the streams that it moved, each with its new version
    refused: DeskRefusal | None = None


@dataclass(slots=True)
class WaitingRequest:
    """A request that is decided and not yet written."""

    request: Request
    received: int  # milliseconds since 1970, by the server clock
    unit: Unit | None = None
    reply: Reply | None = None
    floor: Floor | None = None  # the states after the unit
    tries: int = 0
    hash: bytes = b""  # of its log entry, once it is written

    @property
    def moves(self) -> set[str]:
        """The streams that its unit moves."""
        return set() if self.unit is None else {part.stream for part in self.unit.parts}

    def holds(self, moved: Set[str]) -> bool:
        """Return True if its unit was decided on none of the moved streams."""
        if self.unit is None:
            return False
        for part in self.unit.parts:
            if part.stream in moved:
                return False
        return not self.unit.seen or moved.isdisjoint([stream for stream, _ in self.unit.seen])


class DeskAnswer(msgspec.Struct, frozen=True):
    """An answered request and the number of its log entry."""

    request: Request
    reply: Reply
    seq: int
    again: bool = False  # the answer of an earlier entry


_READ_REPLY = msgspec.json.Decoder(Reply)


@dataclass
class Desk:
    """The states of a floor, durable and newest, and the requests that wait to be written."""

    draw: Chance
    durable: Floor = field(default_factory=Floor)
    seq: int = 0  # the last log entry in `durable`
    behind: bool = False  # another process has written entries that are not read yet
    seeds: dict[str, bytes] = field(default_factory=dict)
    faults: list[tuple[Request, Exception]] = field(default_factory=list)  # to be logged by the caller
    newest: Floor = field(init=False)
    _newest_seeds: dict[str, bytes] = field(init=False)
    _ready: list[WaitingRequest] = field(default_factory=list)
    _in_flight: list[WaitingRequest] = field(default_factory=list)
    _waiting_ids: dict[str, str] = field(default_factory=dict)  # id to the digest of the first request waiting under it
    _movers: dict[str, str] = field(default_factory=dict)  # stream to the last undurable request that moves it
    _ahead: dict[int, WaitingRequest] = field(default_factory=dict)  # written here, after entries that are not read yet
    _undone: set[str] = field(default_factory=set)  # streams that did not become durable as they were decided
    _answers: "OrderedDict[str, tuple[str, Reply, int]]" = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        self.newest = self.durable
        self._newest_seeds = dict(self.seeds)

    @property
    def idle(self) -> bool:
        """True if nothing waits to be written."""
        return not self._ready and not self._in_flight

    def ask(self, request: Request, *, at: int) -> DeskAnswer | None:
        """Decide a request. Return its answer if it was answered before, otherwise None: it waits to be written."""
        known = self._answers.get(request.id)
        if known is not None:
            content, reply, seq = known
            return DeskAnswer(request, reply if content == request.digest else _clash(request), seq, again=True)
        if self._waiting_ids.get(request.id) != request.digest:
            waiting = WaitingRequest(request, at)
            self._decide(waiting)
            self._waiting_ids.setdefault(request.id, request.digest)  # after _decide: if that raises, the id stays free
            self._ready.append(waiting)
        return None

    def take(self, most: int = 500) -> list[Unit]:
        """Return the next batch for the store; empty while one is being written."""
        if self._in_flight:
            return []
        self._in_flight, self._ready = self._ready[:most], self._ready[most:]
        return [waiting.unit for waiting in self._in_flight if waiting.unit is not None]

    def written(self, outcomes: Sequence[AppendOutcome]) -> list[DeskAnswer]:
        """Take the store's outcomes of a batch and return the answers. If it sets `behind`, `catch_up` must follow."""
        flying, self._in_flight = self._in_flight, []
        assert len(flying) == len(outcomes), "every unit of a batch has its outcome"
        written = [one for one in outcomes if isinstance(one, Written)]
        if len(written) == len(outcomes) and (not written or written[0].seq == self.seq + 1):
            return self._all_written(flying, written)
        answers, again = [], []
        for waiting, outcome in zip(flying, outcomes, strict=True):
            if not isinstance(outcome, Written):
                self._undone |= waiting.moves
            match outcome:
                case Written():
                    if outcome.seq == self.seq + 1:
                        self._advance(waiting, outcome.seq)
                    elif outcome.seq > self.seq:
                        waiting.hash, self._ahead[outcome.seq] = outcome.hash, waiting
                        self.behind = True  # another process wrote in between
                    assert waiting.reply is not None
                    answers.append(self._answer(waiting, waiting.reply, outcome.seq))
                case Repeated():
                    answers.append(self._answer(waiting, _READ_REPLY.decode(outcome.reply), outcome.seq, again=True))
                case Clash():
                    self._forget_id(waiting.request)
                    answers.append(DeskAnswer(waiting.request, _clash(waiting.request), self.seq, again=True))
                case Conflict():
                    self.behind = True
                    waiting.unit = None
                    again.append(waiting)
        self._ready = [*again, *self._ready]
        if not self.behind:
            self._rebase()
        return answers

    def failed(self) -> list[Request]:
        """Drop everything that waits, since the store could not write. Return the requests that must be sent again."""
        lost = [waiting.request for waiting in (*self._in_flight, *self._ready)]
        self._in_flight, self._ready = [], []
        self._ahead.clear()  # lost with the newest states; they are read from the log like those of other processes
        for request in lost:
            self._forget_id(request)
        self._rebase()
        return lost

    def exhausted(self) -> list[Request]:
        """Drop the requests that were decided more than MAX_TRIES times and return them; none of them was written."""
        lost = [waiting for waiting in self._ready if waiting.tries > MAX_TRIES]
        if lost:
            self._ready = [waiting for waiting in self._ready if waiting.tries <= MAX_TRIES]
            for waiting in lost:
                self._forget_id(waiting.request)
                self._undone |= waiting.moves
            self._rebase()
        return [waiting.request for waiting in lost]

    @property
    def ahead(self) -> dict[int, bytes]:
        """The hashes of entries that this desk wrote after entries that it has not read yet, by number."""
        return {seq: own.hash for seq, own in self._ahead.items()}

    def own_unit(self, seq: int) -> Unit | None:
        """Return the unit of an entry in `ahead`, otherwise None."""
        waiting = self._ahead.get(seq)
        return None if waiting is None else waiting.unit

    def catch_up(self, units: Iterable[tuple[int, Unit]], sealed: Mapping[str, bytes] | None = None) -> set[str]:
        """Apply the log after `seq` and return the streams that moved. Requests decided on one are decided again."""
        assert not self._in_flight, "a batch in flight was decided on the durable states before"
        moved: set[str] = set()
        for seq, unit in units:
            if seq > self.seq:
                assert seq == self.seq + 1, "the log has no gaps"
                streams = {part.stream for part in unit.parts}
                waiting = self._ahead.pop(seq, None)
                if waiting is None:
                    self.durable, self.seq = after_unit(self.durable, unit), seq
                    self._undone |= streams
                else:
                    self._advance(waiting, seq)
                moved |= streams
        if sealed is not None:
            self.seeds = dict(sealed)
        self.behind = False
        self._rebase()
        return moved

    def _all_written(self, flying: list[WaitingRequest], outcomes: Sequence[Written]) -> list[DeskAnswer]:
        """Make the states after the last unit durable: the usual case, in which every unit was written."""
        answers = []
        for waiting, outcome in zip(flying, outcomes, strict=True):
            assert waiting.unit is not None
            assert waiting.floor is not None
            assert waiting.reply is not None
            self.durable = waiting.floor
            self._apply_seeds(waiting.unit)
            self.seq = outcome.seq
            answers.append(self._answer(waiting, waiting.reply, outcome.seq))
        return answers

    def _advance(self, waiting: WaitingRequest, seq: int) -> None:
        """Make the states after a unit of this desk durable: it is the next entry of the log."""
        assert waiting.unit is not None
        assert waiting.floor is not None
        self.durable, self.seq = with_streams(self.durable, waiting.floor, waiting.unit), seq
        self._apply_seeds(waiting.unit)

    def _apply_seeds(self, unit: Unit) -> None:
        self.seeds.update(unit.seeds_added)
        for name in unit.seeds_deleted:
            self.seeds.pop(name, None)

    def _rebase(self) -> None:
        """Build the newest states again from the durable ones, and decide again what rested on undone streams."""
        self.newest, self._newest_seeds = self.durable, dict(self.seeds)
        self._movers.clear()
        moved, self._undone = self._undone, set()
        for waiting in self._ready:
            if waiting.holds(moved):
                assert waiting.unit is not None
                assert waiting.floor is not None
                self._set_newest(waiting, waiting.unit, with_streams(self.newest, waiting.floor, waiting.unit))
            else:
                moved |= waiting.moves
                self._decide(waiting)
                moved |= waiting.moves

    def _decide(self, waiting: WaitingRequest) -> None:
        waiting.tries += 1
        decision = self._try_to_decide(waiting.request, waiting.received)
        unit, waiting.reply = _unit(waiting.request, decision, self.newest, self._movers, at=waiting.received)
        waiting.unit = unit
        floor = decision.floor if isinstance(decision, Draft) else self.newest
        self._set_newest(waiting, unit, replace(floor, moment=unit.at))

    def _set_newest(self, waiting: WaitingRequest, unit: Unit, floor: Floor) -> None:
        """Make the states after this unit the newest."""
        for part in unit.parts:
            self._movers[part.stream] = unit.id
        self._newest_seeds.update(unit.seeds_added)
        for name in unit.seeds_deleted:
            self._newest_seeds.pop(name, None)
        self.newest = waiting.floor = floor

    def _try_to_decide(self, request: Request, at: int) -> Draft | Refusal:
        """Decide a request. A fault of the program refuses this request only; it is kept in `faults`."""
        try:
            return decide(self.newest, request.sender, request.body, at=at, seeds=self._newest_seeds, draw=self.draw)
        except Exception as fault:  # any fault: nothing was written
            self.faults.append((request, fault))
            return Refusal("the program has a fault here; nothing has happened", "HOUSE-fault")

    def _forget_id(self, request: Request) -> None:
        if self._waiting_ids.get(request.id) == request.digest:
            del self._waiting_ids[request.id]

    def _answer(self, waiting: WaitingRequest, reply: Reply, seq: int, *, again: bool = False) -> DeskAnswer:
        self._forget_id(waiting.request)
        self._answers[waiting.request.id] = (waiting.request.digest, reply, seq)
        if len(self._answers) > _ANSWERS_KEPT:
            self._answers.popitem(last=False)
        return DeskAnswer(waiting.request, reply, seq, again)


def _clash(request: Request) -> Reply:
    return Reply(refused=DeskRefusal(clause="HOUSE-id", reason=f"the id {request.id!r} was given to another request"))


def _unit(
    request: Request, decision: Draft | Refusal, before: Floor, movers: Mapping[str, str], *, at: int
) -> tuple[Unit, Reply]:
    """Return the unit of a decision, with its events and postings or its refusal, and the reply to the sender."""
    if isinstance(decision, Refusal):
        reply = Reply(refused=DeskRefusal(clause=decision.clause, reason=decision.reason, said=decision.said))
        seen = _seen(request.body, before, ())
        unit = Unit(
            id=request.id,
            at=max(at, before.moment),
            by=request.sender.name,
            asked=request.asked,
            reply=canonical(reply),
            seen=seen,
            on=_on(movers, (), seen),
        )
        return unit, reply
    parts = tuple(
        [
            StreamPart(stream, before.versions.get(stream, 0), tuple([canonical(one) for one in events]))
            for stream, events in decision.events.items()
        ]
    )
    reply, seen = Reply(done={part.stream: part.version for part in parts}), _seen(request.body, before, parts)
    unit = Unit(
        id=request.id,
        at=decision.at,
        by=request.sender.name,
        asked=request.asked,
        parts=parts,
        postings=ledger.written(decision.postings),
        reply=canonical(reply),
        seeds_added=tuple(decision.sealed.items()),
        seeds_deleted=tuple(decision.unsealed),
        seen=seen,
        on=_on(movers, parts, seen),
    )
    return unit, reply


def _on(movers: Mapping[str, str], parts: tuple[StreamPart, ...], seen: tuple[tuple[str, int], ...]) -> frozenset[str]:
    """Return the ids of the units that a unit was decided on and that may not be written yet."""
    streams = (*[part.stream for part in parts], *[stream for stream, _ in seen])
    return frozenset([movers[stream] for stream in streams if stream in movers])


def _seen(request: Any, before: Floor, parts: tuple[StreamPart, ...]) -> tuple[tuple[str, int], ...]:
    """Return the streams, with versions, that a request was decided on but does not move."""
    only_seen = rests_on(before, request).difference([part.stream for part in parts])
    return tuple([(stream, before.versions.get(stream, 0)) for stream in sorted(only_seen)])
