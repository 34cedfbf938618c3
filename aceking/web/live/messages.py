"""The messages of a live connection: JSON objects whose key `is` names their kind.

The session of the connection says who the sender is. A message names no sender, no role and no time.
"""

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec

from aceking.house.desk import Reply
from aceking.house.floor.requests import AnyRequest
from aceking.house.names import Name, RequestId
from aceking.house.views.table import MeterView, Rail, TableCard, WaitingView
from aceking.table.show.view import OwnView

DEPTH_MAX = 20  # of objects and lists; no request of ours comes near it


class _Message(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="is"
):
    """The base of all messages."""


# From the client


class Ask(_Message, tag="ask", frozen=True, kw_only=True):
    """A request. Sent again under the same id, it is answered again but done once."""

    id: RequestId
    wish: AnyRequest


class Watch(_Message, tag="watch", frozen=True, kw_only=True):
    """Send this table now and after each change."""

    table: Name


class Unwatch(_Message, tag="unwatch", frozen=True, kw_only=True):
    """Stop sending this table."""

    table: Name


class Follow(_Message, tag="follow", frozen=True, kw_only=True):
    """Send the entries of the log after this one, and new ones as they are written. For the auditor."""

    after: Annotated[int, msgspec.Meta(ge=0)] = 0


class WatchFloor(_Message, tag="watch-floor", frozen=True, kw_only=True):
    """Send the lobby, the meters and what waits for a second person, now and after each change."""


class Ping(_Message, tag="ping", frozen=True, kw_only=True):
    """Ask for a `pong`."""

    number: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 0


FromClient = Ask | Watch | Unwatch | Follow | WatchFloor | Ping


# From the house


class Welcome(_Message, tag="welcome", frozen=True, kw_only=True):
    """The first message: your name and role (null without a log-in), the last entry of the log, the time in ms."""

    name: str | None
    role: str | None
    seq: int
    at: int


class Answer(_Message, tag="answer", frozen=True, kw_only=True):
    """The reply to a request, sent once it is written."""

    id: str
    reply: Reply


class TableIs(_Message, tag="table", frozen=True, kw_only=True):
    """A table as you may see it; it replaces every earlier view."""

    rail: Rail
    own: OwnView


class FloorIs(_Message, tag="floor", frozen=True, kw_only=True):
    """The lobby, the meters, what waits for a second person, and your purse."""

    tables: tuple[TableCard, ...]
    meters: tuple[MeterView, ...]
    waiting: tuple[WaitingView, ...] = ()
    purse: dict[str, str] = {}
    currencies: dict[str, int] = {}  # decimals by currency


class Entry(_Message, tag="entry", frozen=True, kw_only=True):
    """An entry of the log."""

    seq: int
    hash: str
    body: msgspec.Raw


class Sorry(_Message, tag="sorry", frozen=True, kw_only=True):
    """A message could not be read or cannot be answered now. The connection stays open."""

    code: str
    reason: str
    id: str | None = None


class Pong(_Message, tag="pong", frozen=True, kw_only=True):
    """The answer to `ping`, with its number."""

    number: int


FromHouse = Welcome | Answer | TableIs | FloorIs | Entry | Sorry | Pong

_READ: "msgspec.json.Decoder[Any]" = msgspec.json.Decoder(FromClient)
_WRITE = msgspec.json.Encoder()


def read(text: str | bytes) -> Any:
    """Return a message of a client. Raises msgspec.DecodeError, or RecursionError if it is nested too deeply."""
    return _READ.decode(text)


def write(message: Any) -> bytes:
    return _WRITE.encode(message)


def shallow(text: str | bytes) -> bool:
    """Return True if the text has so few brackets that the message cannot be nested too deeply: a quick test."""
    opened = text.count("[") + text.count("{") if isinstance(text, str) else text.count(b"[") + text.count(b"{")
    return opened <= DEPTH_MAX


def too_deep(value: Any) -> bool:
    """Return True if some value lies inside `DEPTH_MAX` or more objects and lists."""
    level = [value]
    for _ in range(DEPTH_MAX):
        level = [inner for outer in level for inner in _within(outer)]
        if not level:
            return False
    return True


def _within(value: Any) -> Iterable[Any]:
    match value:
        case dict():
            return value.values()
        case list() | tuple():
            return value
        case msgspec.Struct():
            return msgspec.structs.astuple(value)
        case _:
            return ()
