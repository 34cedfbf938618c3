"""A client for a running house. Requests and answers have the types of the API.

>>> from aceking.client import House  # doctest: +SKIP
>>> with House("http://127.0.0.1:8000", "ann", "her-password") as house:  # doctest: +SKIP
...     house.ask(Sit(table="section10", box=1))
"""

import contextlib
import uuid
from collections.abc import Iterator
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from aceking.house.desk import Reply
from aceking.house.views.returns import Returns
from aceking.house.views.table_history import PastRound
from aceking.web.live import messages as m
from aceking.web.routes import HouseView, Me

_T = TypeVar("_T")
_FROM_HOUSE: "msgspec.json.Decoder[Any]" = msgspec.json.Decoder(m.FromHouse)


class HouseError(RuntimeError):
    """The house could not be reached or answered with an error; `code` is the error code of the API."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(f"{reason} ({code})")
        self.code = code


class RequestRefusedError(HouseError):
    """The house refused a request and changed nothing; `code` is the clause or rule."""


class House:
    """A house as one person sees it, or without a log-in. Methods raise HouseError for an error of the house."""

    def __init__(self, address: str, name: str | None = None, password: str | None = None) -> None:
        self.address = address.rstrip("/")
        self._http = httpx.Client(base_url=self.address, timeout=30)
        try:
            self._get("/api/house", HouseView)  # sets the CSRF cookie
            if name is not None:
                self.log_in(name, password or "")
        except HouseError:
            self.close()
            raise

    def __enter__(self) -> "House":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection. The session stays open; `log_out` ends it."""
        self._http.close()

    def log_in(self, name: str, password: str) -> Me:
        """Start a session. Other sessions of this person end."""
        me: Me = self._post("/api/login", {"name": name, "password": password}, Me)
        return me

    def log_out(self) -> None:
        """End the session."""
        self._post("/api/logout", None, None)

    def house(self) -> HouseView:
        """Return the house with its tables and meters."""
        return self._get("/api/house", HouseView)

    def me(self) -> Me:
        """Return the person who is logged in."""
        return self._get("/api/me", Me)

    def table(self, name: str) -> m.TableIs:
        """Return a table as this person may see it."""
        return self._get(f"/api/tables/{quote(name, safe='')}", m.TableIs)

    def returns(self, name: str) -> Returns:
        """Return the exact return of each bet of a table."""
        return self._get(f"/api/tables/{quote(name, safe='')}/returns", Returns)

    def rounds(self, name: str, *, last: int = 10) -> list[PastRound]:
        """Return the last finished rounds of a table, oldest first."""
        return self._get(f"/api/tables/{quote(name, safe='')}/rounds?last={last}", list[PastRound])

    def ask(self, wish: Any, *, request: str | None = None) -> Reply:
        """Send a request and return its reply. Raises RequestRefusedError.

        The same `request` id again gets the same answer, and is done once.
        """
        body = {"id": request or new_id(), "wish": wish}
        return _raise_if_refused(self._post("/api/ask", body, Reply))

    def live(self, *tables: str) -> "Live":
        """Open a live connection that watches these tables."""
        cookies = "; ".join(f"{one.name}={one.value}" for one in self._http.cookies.jar)
        return Live(self.address, cookies, tables)

    def _get(self, path: str, kind: type[_T]) -> _T:
        value: _T = self._answer(self._http.build_request("GET", path), kind)
        return value

    def _post(self, path: str, body: Any, kind: Any) -> Any:
        headers = {"x-csrftoken": self._http.cookies.get("csrftoken") or "", "content-type": "application/json"}
        content = None if body is None else msgspec.json.encode(body)
        return self._answer(self._http.build_request("POST", path, content=content, headers=headers), kind)

    def _answer(self, request: httpx.Request, kind: Any) -> Any:
        try:
            response = self._http.send(request)
        except httpx.HTTPError as failed:
            raise HouseError("unreachable", f"{self.address}: {failed}") from None
        if response.is_success:
            return None if kind is None else msgspec.json.decode(response.content, type=kind)
        error: dict[str, Any] = {}
        with contextlib.suppress(msgspec.DecodeError):
            error = msgspec.json.decode(response.content)
        raise HouseError(error.get("code", str(response.status_code)), error.get("reason", response.reason_phrase))


class Live:
    """A live connection: receive messages and views, and send requests."""

    def __init__(self, address: str, cookies: str, tables: tuple[str, ...]) -> None:
        # With the table in the address, the worker process of that table serves the connection.
        url = address.replace("http", "ws", 1) + "/api/live" + (f"?table={quote(tables[0])}" if tables else "")
        self._stack = contextlib.ExitStack()
        # Unread messages may lie before the server's answer to the close: it is not waited for long.
        opening = connect(url, additional_headers={"Cookie": cookies}, max_size=2**22, close_timeout=1)
        self._socket: ClientConnection = self._stack.enter_context(opening)
        self._waiting: list[Any] = []
        for table in tables:
            self.send(m.Watch(table=table))

    def __enter__(self) -> "Live":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection. The session stays open; `House.log_out` ends it."""
        self._stack.close()

    def send(self, message: Any) -> None:
        """Send a message, one of `aceking.web.live.messages.FromClient`."""
        self._socket.send(msgspec.json.encode(message).decode())

    def receive(self, seconds: float | None = None) -> Any:
        """Return the next message of the house. Raises TimeoutError, and HouseError if the connection is closed."""
        if self._waiting:
            return self._waiting.pop(0)
        try:
            return _FROM_HOUSE.decode(self._socket.recv(timeout=seconds))
        except ConnectionClosed as closed:
            reason = closed.rcvd.reason if closed.rcvd is not None else "the connection is closed"
            raise HouseError("gone", reason) from None

    def views(self) -> Iterator[m.TableIs]:
        """Yield the tables after each change, and drop other messages."""
        while True:
            message = self.receive()
            if isinstance(message, m.TableIs):
                yield message

    def ask(self, wish: Any, *, request: str | None = None) -> Reply:
        """Send a request and wait for its reply. Raises RequestRefusedError, and TimeoutError after 30 seconds.

        Messages that arrive before it are kept for `receive`, except views that the reply makes out of date.
        """
        key = request or new_id()
        self.send(m.Ask(id=key, wish=wish))
        kept: list[Any] = []
        try:
            while True:
                message = self.receive(30)
                if isinstance(message, m.Answer) and message.id == key:
                    self._waiting = _newer(self._waiting, message.reply)
                    kept = _newer(kept, message.reply)
                    return _raise_if_refused(message.reply)
                if isinstance(message, m.Sorry) and message.id in (None, key):
                    raise HouseError(message.code, message.reason)
                kept.append(message)
        finally:
            self._waiting = [*kept, *self._waiting]


def _newer(messages: list[Any], reply: Reply) -> list[Any]:
    """Return the messages without views of a table that are older than the reply."""
    return [
        message
        for message in messages
        if not isinstance(message, m.TableIs) or message.rail.version >= reply.done.get(f"table/{message.rail.id}", 0)
    ]


def new_id() -> str:
    """Return a random id for a request."""
    return uuid.uuid4().hex


def _raise_if_refused(reply: Reply) -> Reply:
    if reply.refused is not None:
        raise RequestRefusedError(reply.refused.clause, reply.refused.reason)
    return reply
