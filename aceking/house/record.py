"""The record of the house: one unit for each command, its canonical bytes, and the chain of their hashes."""

from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256

import msgspec

from aceking.house.upcast import FORMAT, PAST, Past, upcast

#: What the first entry of a log follows.
GENESIS = bytes(32)
ID_LENGTH = 200


class Part(msgspec.Struct, frozen=True):
    """What a unit adds to one stream: its events, and the version of the stream before them."""

    stream: str
    after: int
    events: tuple[msgspec.Raw, ...]

    @property
    def version(self) -> int:
        """The version of the stream after them: it counts events."""
        return self.after + len(self.events)


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """One command and all that follows from it. `asked`, `reply` and the events are canonical JSON."""

    id: str  # made by the sender; unique for ever
    at: int  # milliseconds since 1970, by the server's clock
    by: str
    asked: msgspec.Raw
    parts: tuple[Part, ...] = ()
    postings: dict[str, int | str] = {}  # account to minor units, or "p/q"
    reply: msgspec.Raw
    seals: tuple[tuple[str, bytes], ...] = ()  # secrets that lie apart: in the same transaction, never in the body
    unseals: tuple[str, ...] = ()  # names whose secret is deleted in the same transaction
    seen: tuple[tuple[str, int], ...] = ()  # streams that it was decided on and does not move; never in the body
    on: frozenset[str] = frozenset()  # ids of units that were not written yet when it was decided on them; likewise

    def __post_init__(self) -> None:
        # Found here it fails one command; found by a database, which cannot hold every character, all of a batch.
        if not (0 < len(self.id) <= ID_LENGTH and self.id.isprintable()):
            raise ValueError(f"the id of a command has 1 to {ID_LENGTH} printable characters")

    @property
    def digest(self) -> str:
        """What its command is recognised by when it comes again."""
        return digest(self.by, self.asked)


class Unreadable(ValueError):
    """Bytes that are no unit, or none that this program can read."""


class _Body(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    v: int
    id: str
    at: int
    by: str
    asked: msgspec.Raw
    parts: tuple[Part, ...] = ()
    postings: dict[str, int | str] = {}
    reply: msgspec.Raw


class _Format(msgspec.Struct):
    v: int


class Answer(msgspec.Struct, frozen=True):
    """What a repeated command needs of the unit that answered it first; every format has it."""

    id: str
    by: str
    asked: msgspec.Raw
    reply: msgspec.Raw

    @property
    def digest(self) -> str:
        """What the command is recognised by."""
        return digest(self.by, self.asked)


_ENCODER = msgspec.json.Encoder(order="deterministic")
_BODY = msgspec.json.Decoder(_Body)
_FORMAT = msgspec.json.Decoder(_Format)
_TODAY = b',"v":%d}' % FORMAT  # how every unit of today's format ends: its keys are in order
_ANSWER = msgspec.json.Decoder(Answer)


def canonical(value: object) -> msgspec.Raw:
    """A value as the record has it: keys in order, no space."""
    try:
        return msgspec.Raw(_ENCODER.encode(value))
    except TypeError:
        # Keys that are numbers have no order of their own in JSON: they are texts there.
        return msgspec.Raw(_ENCODER.encode(msgspec.to_builtins(value, str_keys=True, order="deterministic")))


def digest(by: str, asked: msgspec.Raw) -> str:
    """What a command is recognised by when it comes again: who asked, and for what."""
    return sha256(_ENCODER.encode((by, asked))).hexdigest()


def body(unit: Unit) -> bytes:
    """The bytes of a unit that are hashed and kept; its secrets are not among them."""
    written = _ENCODER.encode(
        _Body(
            v=FORMAT,
            id=unit.id,
            at=unit.at,
            by=unit.by,
            asked=unit.asked,
            parts=unit.parts,
            postings=unit.postings,
            reply=unit.reply,
        )
    )
    # Raw JSON is copied as it is, and a log that cannot be read back would be lost with all that follows.
    _BODY.decode(written)
    assert not total(unit.postings), f"{unit.id}: the postings sum to {total(unit.postings)}"
    return written


def chained(before: bytes, written: bytes) -> bytes:
    """The hash of an entry: over the hash before it and its body."""
    return sha256(before + written).digest()


def read_unit(written: bytes, past: Past = PAST) -> Unit:
    """A unit from its bytes, its events in today's format."""
    try:
        format_number = FORMAT if written.endswith(_TODAY) else _FORMAT.decode(written).v
        if not past.oldest <= format_number <= FORMAT:
            raise Unreadable(f"is of format {format_number}; this program reads {past.oldest} to {FORMAT}")
        found = _BODY.decode(written)
        parts = found.parts
        if format_number != FORMAT:
            parts = tuple(_read_part(part, format_number, past) for part in parts)
        over = total(found.postings)
    except Unreadable:
        raise
    except (msgspec.MsgspecError, ValueError, ZeroDivisionError) as error:
        raise Unreadable(f"is no unit: {error}") from None
    if over:
        raise Unreadable(f"does not balance: its postings sum to {over}")
    return Unit(
        id=found.id,
        at=found.at,
        by=found.by,
        asked=found.asked,
        parts=parts,
        postings=found.postings,
        reply=found.reply,
    )


def read_answer(written: bytes) -> Answer:
    """Only what a repeated command needs."""
    return _ANSWER.decode(written)


def total(postings: Mapping[str, int | str]) -> Fraction | int:
    """What the postings sum to: nothing, if they are right."""
    found: Fraction | int = 0
    for amount in postings.values():
        found += amount if isinstance(amount, int) else Fraction(amount)
    return found


def _read_part(part: Part, written_in: int, past: Past) -> Part:
    events = tuple(upcast(stored, stream=part.stream, written_in=written_in, past=past) for stored in part.events)
    return Part(part.stream, part.after, events)
