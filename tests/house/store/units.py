"""Helpers that build units of the log for tests."""

import msgspec

from aceking.house.record import StreamPart, Unit, canonical


def unit(name: str, *moves: tuple[str, int, int], asks: str = "act", **more: object) -> Unit:
    """A unit by its id; each move is a stream, the version before, and how many events."""
    parts = tuple(
        StreamPart(stream, after, tuple(canonical({"is": "acted", "of": name, "n": n}) for n in range(count)))
        for stream, after, count in moves
    )
    plain = Unit(
        id=name,
        at=1_700_000_000_000,
        by="ann",
        asked=canonical({"do": asks, "name": name}),
        parts=parts,
        reply=canonical({"done": name}),
    )
    return msgspec.structs.replace(plain, **more)


def step(number: int, stream: str = "table/1", *, prefix: str = "c") -> Unit:
    """The n-th command of a stream, from 0 on, one event each."""
    return unit(f"{prefix}{number}", (stream, number, 1))
