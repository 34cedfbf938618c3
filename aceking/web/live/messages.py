"""What goes over a live connection: JSON texts, one message each, with a tag that says what it is.

Who sends a message is known by the session of the connection. A message names no person, no part and no time.
"""

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec

from aceking.house.desk import Reply
from aceking.house.floor.requests import Name, Wish
from aceking.house.views.table import MeterView, Rail, TableCard, WaitingView
from aceking.table.show.view import Own

NESTED_MOST = 20
#: The id of a request: its sender's own, never used twice.
RequestId = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._:-]{8,64}$")]


class _Message(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="is"
):
    """One message."""


# From the client


class Ask(_Message, tag="ask", frozen=True, kw_only=True):
    """A request. Sent again under the same id it is answered again and done once."""

    id: RequestId
    wish: Wish


class Watch(_Message, tag="watch", frozen=True, kw_only=True):
    """Show this table from now on."""

    table: Name


class Unwatch(_Message, tag="unwatch", frozen=True, kw_only=True):
    """Show it no longer."""

    table: Name


class Follow(_Message, tag="follow", frozen=True, kw_only=True):
    """The log from this entry on, for the auditor."""

    after: Annotated[int, msgspec.Meta(ge=0)] = 0


class WatchFloor(_Message, tag="watch-floor", frozen=True, kw_only=True):
    """Show lobby, meters and what waits for a second person."""


class Ping(_Message, tag="ping", frozen=True, kw_only=True):
    """Are you there?"""

    number: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 0


FromClient = Ask | Watch | Unwatch | Follow | WatchFloor | Ping


# From the house


class Welcome(_Message, tag="welcome", frozen=True, kw_only=True):
    """Who you are here, and how far the log is."""

    name: str | None
    role: str | None
    seq: int
    at: int


class Answer(_Message, tag="answer", frozen=True, kw_only=True):
    """The answer to a request, once it is written."""

    id: str
    reply: Reply


class TableIs(_Message, tag="table", frozen=True, kw_only=True):
    """A table as you may see it; a newer one takes the place of all before."""

    rail: Rail
    own: Own


class FloorIs(_Message, tag="floor", frozen=True, kw_only=True):
    """Lobby, meters and what waits."""

    tables: tuple[TableCard, ...]
    meters: tuple[MeterView, ...]
    waiting: tuple[WaitingView, ...] = ()
    purse: dict[str, str] = {}
    currencies: dict[str, int] = {}  # of the house, with the decimals of each


class Entry(_Message, tag="entry", frozen=True, kw_only=True):
    """An entry of the log."""

    seq: int
    hash: str
    body: msgspec.Raw


class Sorry(_Message, tag="sorry", frozen=True, kw_only=True):
    """A message that was not understood, or cannot be answered now; the connection stays."""

    code: str
    reason: str
    id: str | None = None


class Pong(_Message, tag="pong", frozen=True, kw_only=True):
    """Here."""

    number: int


FromHouse = Welcome | Answer | TableIs | FloorIs | Entry | Sorry | Pong

_READ: "msgspec.json.Decoder[Any]" = msgspec.json.Decoder(FromClient)
_WRITE = msgspec.json.Encoder()


def read(text: str | bytes) -> Any:
    """A message of a client; raises msgspec's errors."""
    return _READ.decode(text)


def write(message: Any) -> bytes:
    """A message of the house."""
    return _WRITE.encode(message)


def flat(text: str | bytes) -> bool:
    """Whether a message opens so few lists and tables that they cannot lie too deep in each other."""
    opened = text.count("[") + text.count("{") if isinstance(text, str) else text.count(b"[") + text.count(b"{")
    return opened <= NESTED_MOST


def nested(value: Any) -> bool:
    """Whether lists and tables lie in each other deeper than any request of ours has them."""
    level = [value]
    for _ in range(NESTED_MOST):
        level = [inner for one in level for inner in _within(one)]
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
