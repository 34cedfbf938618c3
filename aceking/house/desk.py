"""The desk of the floor: requests in, units to be written, answers out. It reads no clock and touches no disk.

    ask ──► decided on the newest states ──► take: a batch for the store ──► written: answers, and the states are sure
                     ▲                                                          │
                     └───────── decided again where a batch was overtaken ◄─────┘

While one batch is being written the next is decided on states that hold only if it will be. Where it fails, or another
process was faster, those states are dropped, what was written meanwhile is caught up with, and whoever still waits and
was decided on a stream that moved is decided again, in the order in which he came. Nobody is answered before his unit
is written.
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
from aceking.house.record import Part, Unit, canonical, digest
from aceking.house.store.protocol import Clash, Conflict, Outcome, Repeated, Written
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import Said

#: How many of the last answers are known without asking the store.
_ANSWERS_KEPT = 20_000
#: How often a request is decided again before it is given up: another process was faster each time.
TRIES_MOST = 100


class Request(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What somebody asks for, under an id of his own."""

    id: str
    sender: Sender
    wish: Any

    @cached_property
    def asked(self) -> msgspec.Raw:
        """The wish as the record has it."""
        return canonical(self.wish)

    @cached_property
    def digest(self) -> str:
        """What the request is recognised by when it comes again."""
        return digest(self.sender.name, self.asked)


class Refused(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why nothing happened, with the clause or rule that decides it."""

    clause: str
    reason: str
    said: Said | None = None  # the reason as words with places, where it has any


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the sender of a request is told; the same again when he sends it again."""

    done: dict[str, int] = {}  # the streams that it touched, and where they stand now
    refused: Refused | None = None


@dataclass(slots=True)
class Waiting:
    """A request on its way to the disk."""

    request: Request
    came: int  # when, by the server's clock
    unit: Unit | None = None
    reply: Reply | None = None  # what the unit has for its sender
    floor: Floor | None = None  # as it will be
    tries: int = 0
    hash: bytes = b""  # of the entry that has it, once it is written

    @property
    def moves(self) -> set[str]:
        """The streams that its unit moves."""
        return set() if self.unit is None else {part.stream for part in self.unit.parts}

    def holds(self, moved: Set[str]) -> bool:
        """Whether its unit was decided on none of these streams."""
        if self.unit is None:
            return False
        for part in self.unit.parts:
            if part.stream in moved:
                return False
        return not self.unit.seen or moved.isdisjoint([stream for stream, _ in self.unit.seen])


class Answer(msgspec.Struct, frozen=True):
    """A request that is answered, and the entry of the log that has it."""

    request: Request
    reply: Reply
    seq: int
    again: bool = False  # it was answered before


_READ_REPLY = msgspec.json.Decoder(Reply)


@dataclass
class Desk:
    """The states of a floor, those that are sure and the newest, and what waits."""

    draw: Chance
    sure: Floor = field(default_factory=Floor)
    seq: int = 0  # the entry up to which `sure` is
    behind: bool = False  # whether another process has written what is not caught up with
    seeds: dict[str, bytes] = field(default_factory=dict)
    faults: list[tuple[Request, Exception]] = field(default_factory=list)  # for whoever runs the desk to tell
    newest: Floor = field(init=False)
    _newest_seeds: dict[str, bytes] = field(init=False)
    _ready: list[Waiting] = field(default_factory=list)
    _flying: list[Waiting] = field(default_factory=list)
    _underway: dict[str, str] = field(default_factory=dict)  # the first content under each id that waits
    _movers: dict[str, str] = field(default_factory=dict)  # the last request that moves a stream of the newest states
    _ahead: dict[int, Waiting] = field(default_factory=dict)  # written here, behind entries that are not caught up with
    _undone: set[str] = field(default_factory=set)  # streams that did not come as they were decided
    _answers: "OrderedDict[str, tuple[str, Reply, int]]" = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        self.newest = self.sure
        self._newest_seeds = dict(self.seeds)

    @property
    def idle(self) -> bool:
        """Whether nothing waits to be written."""
        return not self._ready and not self._flying

    def ask(self, request: Request, *, at: int) -> Answer | None:
        """Takes a request; an answer at once only where it was answered before. It may come again while it waits."""
        known = self._answers.get(request.id)
        if known is not None:
            content, reply, seq = known
            return Answer(request, reply if content == request.digest else _clash(request), seq, again=True)
        if self._underway.get(request.id) != request.digest:
            self._underway.setdefault(request.id, request.digest)
            waiting = Waiting(request, at)
            self._decide(waiting)
            self._ready.append(waiting)
        return None

    def take(self, most: int = 500) -> list[Unit]:
        """The next batch for the store; empty while one is being written."""
        if self._flying:
            return []
        self._flying, self._ready = self._ready[:most], self._ready[most:]
        return [one.unit for one in self._flying if one.unit is not None]

    def written(self, outcomes: Sequence[Outcome]) -> list[Answer]:
        """What the store says of the batch: answers. Where it leaves the desk `behind`, `catch_up` comes next."""
        flying, self._flying = self._flying, []
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
                        self._came(waiting, outcome.seq)
                    elif outcome.seq > self.seq:
                        waiting.hash, self._ahead[outcome.seq] = outcome.hash, waiting
                        self.behind = True  # another process wrote in between
                    assert waiting.reply is not None
                    answers.append(self._answered(waiting, waiting.reply, outcome.seq))
                case Repeated():
                    answers.append(self._answered(waiting, _READ_REPLY.decode(outcome.reply), outcome.seq, again=True))
                case Clash():
                    self._settled(waiting.request)
                    answers.append(Answer(waiting.request, _clash(waiting.request), self.seq, again=True))
                case Conflict():
                    self.behind = True
                    waiting.unit = None
                    again.append(waiting)
        self._ready = [*again, *self._ready]
        if not self.behind:
            self._renew()
        return answers

    def failed(self) -> list[Request]:
        """The store could not write: nothing of the batch has happened, and its senders are told to ask again."""
        lost = [one.request for one in (*self._flying, *self._ready)]
        self._flying, self._ready = [], []
        self._ahead.clear()  # the newest states are without them: when they are read, they come as those of others do
        for request in lost:
            self._settled(request)
        self._renew()
        return lost

    def tired(self) -> list[Request]:
        """Those whom others were faster than each time: nothing of them has happened, and they are to ask again."""
        lost = [one for one in self._ready if one.tries > TRIES_MOST]
        if lost:
            self._ready = [one for one in self._ready if one.tries <= TRIES_MOST]
            for one in lost:
                self._settled(one.request)
                self._undone |= one.moves
            self._renew()
        return [one.request for one in lost]

    @property
    def ahead(self) -> dict[int, bytes]:
        """The entries that are not caught up with and that this desk wrote itself, with their hashes."""
        return {seq: own.hash for seq, own in self._ahead.items()}

    def wrote(self, seq: int) -> Unit | None:
        """The unit of such an entry."""
        own = self._ahead.get(seq)
        return None if own is None else own.unit

    def catch_up(self, units: Iterable[tuple[int, Unit]], sealed: Mapping[str, bytes] | None = None) -> set[str]:
        """The log after `seq`; returns the streams that moved. Who waits and was decided on one is decided again."""
        assert not self._flying, "what is being written was decided on what was sure before"
        moved: set[str] = set()
        for seq, unit in units:
            if seq > self.seq:
                assert seq == self.seq + 1, "the log has no gaps"
                streams = {part.stream for part in unit.parts}
                own = self._ahead.pop(seq, None)
                if own is None:
                    self.sure, self.seq = after_unit(self.sure, unit), seq
                    self._undone |= streams
                else:
                    self._came(own, seq)
                moved |= streams
        if sealed is not None:
            self.seeds = dict(sealed)
        self.behind = False
        self._renew()
        return moved

    def _all_written(self, flying: list[Waiting], outcomes: Sequence[Written]) -> list[Answer]:
        """As usual: the states that the last of them was decided into are sure now."""
        answers = []
        for waiting, outcome in zip(flying, outcomes, strict=True):
            assert waiting.unit is not None
            assert waiting.floor is not None
            assert waiting.reply is not None
            self.sure = waiting.floor
            self._sealed(waiting.unit)
            self.seq = outcome.seq
            answers.append(self._answered(waiting, waiting.reply, outcome.seq))
        return answers

    def _came(self, waiting: Waiting, seq: int) -> None:
        """A unit of this desk is the next of the log: its streams are as they were decided to be."""
        assert waiting.unit is not None
        assert waiting.floor is not None
        self.sure, self.seq = with_streams(self.sure, waiting.floor, waiting.unit), seq
        self._sealed(waiting.unit)

    def _sealed(self, unit: Unit) -> None:
        self.seeds.update(unit.seals)
        for name in unit.unseals:
            self.seeds.pop(name, None)

    def _renew(self) -> None:
        """The newest states anew from what is sure: who was decided on what did not come so is decided again."""
        self.newest, self._newest_seeds = self.sure, dict(self.seeds)
        self._movers.clear()
        moved, self._undone = self._undone, set()
        for waiting in self._ready:
            if waiting.holds(moved):
                assert waiting.unit is not None
                assert waiting.floor is not None
                self._newly(waiting, waiting.unit, with_streams(self.newest, waiting.floor, waiting.unit))
            else:
                moved |= waiting.moves
                self._decide(waiting)
                moved |= waiting.moves

    def _decide(self, waiting: Waiting) -> None:
        waiting.tries += 1
        found = self._tried(waiting.request, waiting.came)
        unit, waiting.reply = _unit(waiting.request, found, self.newest, self._movers, at=waiting.came)
        waiting.unit = unit
        floor = found.floor if isinstance(found, Draft) else self.newest
        self._newly(waiting, unit, replace(floor, moment=unit.at))

    def _newly(self, waiting: Waiting, unit: Unit, floor: Floor) -> None:
        """The newest states are those after this unit."""
        for part in unit.parts:
            self._movers[part.stream] = unit.id
        self._newest_seeds.update(unit.seals)
        for name in unit.unseals:
            self._newest_seeds.pop(name, None)
        self.newest = waiting.floor = floor

    def _tried(self, request: Request, at: int) -> Draft | Refusal:
        """A fault of the program refuses the one request that shows it: nothing of it happens, and the others go on."""
        try:
            return decide(self.newest, request.sender, request.wish, at=at, seeds=self._newest_seeds, draw=self.draw)
        except Exception as fault:  # whatever it is, the log has not moved
            self.faults.append((request, fault))
            return Refusal("the program has a fault here; nothing has happened", "HOUSE-fault")

    def _settled(self, request: Request) -> None:
        if self._underway.get(request.id) == request.digest:
            del self._underway[request.id]

    def _answered(self, waiting: Waiting, reply: Reply, seq: int, *, again: bool = False) -> Answer:
        self._settled(waiting.request)
        self._answers[waiting.request.id] = (waiting.request.digest, reply, seq)
        if len(self._answers) > _ANSWERS_KEPT:
            self._answers.popitem(last=False)
        return Answer(waiting.request, reply, seq, again)


def _clash(request: Request) -> Reply:
    return Reply(refused=Refused(clause="HOUSE-id", reason=f"the id {request.id!r} was given to another request"))


def _unit(
    request: Request, found: Draft | Refusal, before: Floor, movers: Mapping[str, str], *, at: int
) -> tuple[Unit, Reply]:
    """What is written of a request, its events and postings or why there are none; and what its sender is told."""
    if isinstance(found, Refusal):
        reply = Reply(refused=Refused(clause=found.clause, reason=found.reason, said=found.said))
        seen = _seen(request.wish, before, ())
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
            Part(stream, before.versions.get(stream, 0), tuple([canonical(one) for one in events]))
            for stream, events in found.events.items()
        ]
    )
    reply, seen = Reply(done={part.stream: part.version for part in parts}), _seen(request.wish, before, parts)
    unit = Unit(
        id=request.id,
        at=found.at,
        by=request.sender.name,
        asked=request.asked,
        parts=parts,
        postings=ledger.written(found.postings),
        reply=canonical(reply),
        seals=tuple(found.sealed.items()),
        unseals=tuple(found.unsealed),
        seen=seen,
        on=_on(movers, parts, seen),
    )
    return unit, reply


def _on(movers: Mapping[str, str], parts: tuple[Part, ...], seen: tuple[tuple[str, int], ...]) -> frozenset[str]:
    """The ids of the units that a unit was decided on and that may not be sure yet."""
    stands_on = (*[part.stream for part in parts], *[stream for stream, _ in seen])
    return frozenset([movers[stream] for stream in stands_on if stream in movers])


def _seen(wish: Any, before: Floor, parts: tuple[Part, ...]) -> tuple[tuple[str, int], ...]:
    """What a request was decided on besides what it moves: it holds at its place in the log, or is decided again."""
    only_seen = rests_on(before, wish).difference([part.stream for part in parts])
    return tuple([(stream, before.versions.get(stream, 0)) for stream in sorted(only_seen)])
