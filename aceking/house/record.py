"""The record of the house: one unit for each command, its canonical bytes, and the chain of their hashes."""

from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256

import msgspec

from aceking.house.names import check_id
from aceking.house.upcast import FORMAT, PAST, PastFormat, upcast

#: The hash before the first entry of a log.
GENESIS = bytes(32)


class StreamPart(msgspec.Struct, frozen=True):
    """The events that a unit adds to one stream, and the version of the stream before them."""

    stream: str
    after: int
    events: tuple[msgspec.Raw, ...]

    @property
    def version(self) -> int:
        """The version of the stream after them; it counts events."""
        return self.after + len(self.events)


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """One command and everything that follows from it. `asked`, `reply` and the events are canonical JSON."""

    id: str  # made by the sender; unique for ever
    at: int  # milliseconds since 1970, by the server's clock
    by: str
    asked: msgspec.Raw
    parts: tuple[StreamPart, ...] = ()
    postings: dict[str, int | str] = {}  # account to minor units, or "p/q"
    reply: msgspec.Raw
    seeds_added: tuple[tuple[str, bytes], ...] = ()  # seeds stored outside the log, in the same transaction
    seeds_deleted: tuple[str, ...] = ()  # names of seeds that are deleted in the same transaction
    seen: tuple[tuple[str, int], ...] = ()  # streams that it was decided on and does not move; not in the body
    on: frozenset[str] = frozenset()  # ids of unwritten units that it was decided on; not in the body

    def __post_init__(self) -> None:
        # Checked here it fails one command; a database that cannot store a character would fail the whole batch.
        check_id(self.id)

    @property
    def digest(self) -> str:
        """Hash of sender and content: a repeated command has the same one."""
        return digest(self.by, self.asked)


class Unreadable(ValueError):
    """Bytes that are not a unit, or are of a format that this program cannot read."""


class _Body(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    v: int
    id: str
    at: int
    by: str
    asked: msgspec.Raw
    parts: tuple[StreamPart, ...] = ()
    postings: dict[str, int | str] = {}
    reply: msgspec.Raw


class _Format(msgspec.Struct):
    v: int


class RecordedAnswer(msgspec.Struct, frozen=True):
    """The fields of a unit that answer a repeated command; every format has them."""

    id: str
    by: str
    asked: msgspec.Raw
    reply: msgspec.Raw

    @property
    def digest(self) -> str:
        """Hash of sender and content."""
        return digest(self.by, self.asked)


_ENCODER = msgspec.json.Encoder(order="deterministic")
_BODY = msgspec.json.Decoder(_Body)
_FORMAT = msgspec.json.Decoder(_Format)
_TODAY = b',"v":%d}' % FORMAT  # the end of every unit of the current format: its keys are in order
_ANSWER = msgspec.json.Decoder(RecordedAnswer)


def canonical(value: object) -> msgspec.Raw:
    """Return a value as canonical JSON: keys in order, no spaces."""
    try:
        return msgspec.Raw(_ENCODER.encode(value))
    except TypeError:
        # msgspec cannot order keys that are numbers: make them strings, as JSON has them.
        return msgspec.Raw(_ENCODER.encode(msgspec.to_builtins(value, str_keys=True, order="deterministic")))


def digest(by: str, asked: msgspec.Raw) -> str:
    """Return the hash by which a repeated command is recognised: sender and content."""
    return sha256(_ENCODER.encode((by, asked))).hexdigest()


def body(unit: Unit) -> bytes:
    """Return the bytes of a unit that are hashed and stored, without its secrets."""
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
    # Raw JSON is copied unchecked, and an entry that cannot be read would make the rest of the log useless.
    _BODY.decode(written)
    assert not total(unit.postings), f"{unit.id}: the postings sum to {total(unit.postings)}"
    return written


def chained(before: bytes, written: bytes) -> bytes:
    """Return the hash of an entry, over the hash before it and its body."""
    return sha256(before + written).digest()


def read_unit(written: bytes, past: PastFormat = PAST) -> Unit:
    """Return the unit in these bytes, its events in the current format. Raises Unreadable."""
    try:
        format_number = FORMAT if written.endswith(_TODAY) else _FORMAT.decode(written).v
        if not past.oldest <= format_number <= FORMAT:
            raise Unreadable(f"is of format {format_number}; this program reads {past.oldest} to {FORMAT}")
        stored = _BODY.decode(written)
        parts = stored.parts
        if format_number != FORMAT:
            parts = tuple(_read_part(part, format_number, past) for part in parts)
        sum_of_postings = total(stored.postings)
    except Unreadable:
        raise
    except (msgspec.MsgspecError, ValueError, ZeroDivisionError) as error:
        raise Unreadable(f"is no unit: {error}") from None
    if sum_of_postings:
        raise Unreadable(f"does not balance: its postings sum to {sum_of_postings}")
    return Unit(
        id=stored.id,
        at=stored.at,
        by=stored.by,
        asked=stored.asked,
        parts=parts,
        postings=stored.postings,
        reply=stored.reply,
    )


def read_answer(written: bytes) -> RecordedAnswer:
    """Return the answer to a repeated command in the bytes of its unit."""
    return _ANSWER.decode(written)


def total(postings: Mapping[str, int | str]) -> Fraction | int:
    """Return the sum of the postings, which must be zero."""
    total: Fraction | int = 0
    for amount in postings.values():
        total += amount if isinstance(amount, int) else Fraction(amount)
    return total


def _read_part(part: StreamPart, written_in: int, past: PastFormat) -> StreamPart:
    events = tuple(upcast(stored, stream=part.stream, written_in=written_in, past=past) for stored in part.events)
    return StreamPart(part.stream, part.after, events)
