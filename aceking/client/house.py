"""A house over its API, with the types of the API: what can be asked is a wish, what comes back is a view or a reply.

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
from aceking.house.views.recall import PastRound
from aceking.house.views.returns import Returns
from aceking.web.live import messages as m
from aceking.web.routes import HouseView, Me

_T = TypeVar("_T")
_FROM_HOUSE: "msgspec.json.Decoder[Any]" = msgspec.json.Decoder(m.FromHouse)


class HouseError(RuntimeError):
    """The house could not be reached, or does not let you in; `code` is its own word for it."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(f"{reason} ({code})")
        self.code = code


class RefusedError(HouseError):
    """The house refused a request, by this clause or rule; nothing has happened."""


class House:
    """A house, as one person sees it, or nobody in particular."""

    def __init__(self, address: str, name: str | None = None, password: str | None = None) -> None:
        self.address = address.rstrip("/")
        self._http = httpx.Client(base_url=self.address, timeout=30)
        try:
            self._get("/api/house", HouseView)  # the first answer brings the cookie that every request after it shows
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
        """Lets go of the connection; the session stays."""
        self._http.close()

    def log_in(self, name: str, password: str) -> Me:
        """Begins a session; one elsewhere under this name is over."""
        found: Me = self._post("/api/login", {"name": name, "password": password}, Me)
        return found

    def log_out(self) -> None:
        """Ends the session."""
        self._post("/api/logout", None, None)

    def house(self) -> HouseView:
        """Its tables and meters."""
        return self._get("/api/house", HouseView)

    def me(self) -> Me:
        """Who is logged in."""
        return self._get("/api/me", Me)

    def table(self, name: str) -> m.TableIs:
        """A table as you may see it."""
        return self._get(f"/api/tables/{name}", m.TableIs)

    def returns(self, name: str) -> Returns:
        """What each bet of a table returns, exactly."""
        return self._get(f"/api/tables/{name}/returns", Returns)

    def rounds(self, name: str, *, last: int = 10) -> list[PastRound]:
        """The last rounds of a table, oldest first."""
        return self._get(f"/api/tables/{name}/rounds?last={last}", list[PastRound])

    def ask(self, wish: Any, *, request: str | None = None) -> Reply:
        """Asks for something; raises RefusedError. The same `request` id again is answered again and done once."""
        body = {"id": request or new_id(), "wish": wish}
        return _done(self._post("/api/ask", body, Reply))

    def live(self, *tables: str) -> "Live":
        """A live connection that shows these tables."""
        cookies = "; ".join(f"{one.name}={one.value}" for one in self._http.cookies.jar)
        return Live(self.address, cookies, tables)

    def _get(self, path: str, kind: type[_T]) -> _T:
        found: _T = self._answer(self._http.build_request("GET", path), kind)
        return found

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
        told: dict[str, Any] = {}
        with contextlib.suppress(msgspec.DecodeError):
            told = msgspec.json.decode(response.content)
        raise HouseError(told.get("code", str(response.status_code)), told.get("reason", response.reason_phrase))


class Live:
    """A live connection: iterate over what comes, ask in between."""

    def __init__(self, address: str, cookies: str, tables: tuple[str, ...]) -> None:
        # The table helps a house of several processes to serve it by the one that has it.
        url = address.replace("http", "ws", 1) + "/api/live" + (f"?table={quote(tables[0])}" if tables else "")
        self._stack = contextlib.ExitStack()
        opening = connect(url, additional_headers={"Cookie": cookies}, max_size=2**22)
        self._socket: ClientConnection = self._stack.enter_context(opening)
        self._waiting: list[Any] = []
        for table in tables:
            self.send(m.Watch(table=table))

    def __enter__(self) -> "Live":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Lets go."""
        self._stack.close()

    def send(self, message: Any) -> None:
        """Any message of a client."""
        self._socket.send(msgspec.json.encode(message).decode())

    def receive(self, seconds: float | None = None) -> Any:
        """The next message of the house; raises TimeoutError."""
        if self._waiting:
            return self._waiting.pop(0)
        try:
            return _FROM_HOUSE.decode(self._socket.recv(timeout=seconds))
        except ConnectionClosed as closed:
            reason = closed.rcvd.reason if closed.rcvd is not None else "the connection is gone"
            raise HouseError("gone", reason) from None

    def views(self) -> Iterator[m.TableIs]:
        """The tables, whenever they move."""
        while True:
            message = self.receive()
            if isinstance(message, m.TableIs):
                yield message

    def ask(self, wish: Any, *, request: str | None = None) -> Reply:
        """Asks for something and waits for its answer; what comes before it is kept, but for views that are older.

        Raises RefusedError.
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
                    return _done(message.reply)
                if isinstance(message, m.Sorry) and message.id in (None, key):
                    raise HouseError(message.code, message.reason)
                kept.append(message)
        finally:
            self._waiting = [*kept, *self._waiting]


def _newer(messages: list[Any], reply: Reply) -> list[Any]:
    """What still holds after an answer: views of a table as it was before are dropped."""
    return [
        one
        for one in messages
        if not isinstance(one, m.TableIs) or one.rail.version >= reply.done.get(f"table/{one.rail.id}", 0)
    ]


def new_id() -> str:
    """An id that no request had before."""
    return uuid.uuid4().hex


def _done(reply: Reply) -> Reply:
    if reply.refused is not None:
        raise RefusedError(reply.refused.clause, reply.refused.reason)
    return reply
