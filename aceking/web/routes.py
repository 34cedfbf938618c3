"""The routes: what can be asked for over HTTP. No rules: every request goes to the floor, every view comes from it."""

import asyncio
import contextlib
from typing import Annotated, Any
from uuid import uuid4

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import Cookie, State
from litestar.exceptions import (
    NotAuthorizedException,
    NotFoundException,
    PermissionDeniedException,
    ServiceUnavailableException,
    TooManyRequestsException,
)
from litestar.params import Parameter

from aceking.house import login as door
from aceking.house.desk import Reply
from aceking.house.desk import Request as Asked
from aceking.house.floor import requests as w
from aceking.house.running import NotWritten, Running
from aceking.house.views import table as views
from aceking.house.views.recall import PastRound, recall
from aceking.web.live import messages as m
from aceking.web.sessions import COOKIE, Visitor, known, only

Http = Request[Visitor, Any, Any]


class LogIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Name and password."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    password: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class Me(msgspec.Struct, frozen=True):
    """Who is logged in."""

    name: str
    role: str
    shown: str = ""


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The old password and the new one."""

    old: Annotated[str, msgspec.Meta(max_length=200)]
    new: Annotated[str, msgspec.Meta(max_length=200)]


class HouseView(msgspec.Struct, frozen=True, kw_only=True):
    """The house, its tables and meters."""

    name: str
    currencies: dict[str, int]
    tables: tuple[views.TableCard, ...]
    meters: tuple[views.MeterView, ...]


class AskBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request under an id of the sender's own."""

    id: m.RequestId
    wish: w.Wish


def _house(state: State) -> Running:
    house: Running = state.house
    return house


async def note(house: Running, event: dict[str, Any]) -> None:
    """Puts something that happened at the door on the record."""
    with contextlib.suppress(NotWritten):
        await house.ask(Asked(id=f"door/{uuid4().hex}", sender=w.HOUSE, wish=w.Note(event=event)))


@post("/api/login", tags=["people"], status_code=200, summary="Log in")
async def log_in(data: LogIn, state: State) -> Response[Me]:
    """A session cookie for the right password; a session of the same person elsewhere is over."""
    house = _house(state)
    loop, at = asyncio.get_running_loop(), house.clock.now()
    found = await loop.run_in_executor(
        state.hashing, lambda: door.log_in(house.store, house.floor.people, data.name, data.password, at=at)
    )
    if isinstance(found, door.Turned):
        await note(house, {"is": "access-refused", "name": data.name, "what": "log-in", "why": found.why})
        if found.locked_until and found.why == "wrong password":
            await note(house, {"is": "locked-out", "name": data.name, "until": found.locked_until})
        if found.locked_until:
            raise TooManyRequestsException("too many failures: the account is locked for a while")
        raise NotAuthorizedException("name or password is wrong")
    await note(house, {"is": "logged-in", "name": found.person})
    person = house.floor.people.persons[found.person]
    cookie = Cookie(
        key=COOKIE,
        value=found.token,
        httponly=True,
        samesite="strict",
        secure=state.secure,
        path="/",
        max_age=door.SESSION_MS // 1000,
    )
    return Response(Me(person.name, person.role, person.shown), cookies=[cookie])


@post("/api/logout", tags=["people"], guards=[known], status_code=204, summary="Log out")
async def log_out(request: Http, state: State) -> Response[None]:
    """The session is over."""
    house = _house(state)
    door.log_out(house.store, request.user.token)
    state.visitors.forget(request.user.token)
    await note(house, {"is": "logged-out", "name": request.user.name})
    gone = Cookie(key=COOKIE, value="", max_age=0, httponly=True, samesite="strict", secure=state.secure, path="/")
    return Response(None, cookies=[gone], status_code=204)


@get("/api/me", tags=["people"], guards=[known], summary="Who am I?")
async def me(request: Http, state: State) -> Me:
    """Name and part of who is logged in."""
    person = _house(state).floor.people.persons[request.user.name or ""]
    return Me(person.name, person.role, person.shown)


@post("/api/password", tags=["people"], guards=[known], status_code=204, summary="Change my password")
async def change_password(data: NewPassword, request: Http, state: State) -> None:
    """Needs the old one; every session is over afterwards."""
    house, name = _house(state), request.user.name or ""
    if (wrong := door.weak(data.new)) is not None:
        raise PermissionDeniedException(wrong)
    loop, at = asyncio.get_running_loop(), house.clock.now()
    found = await loop.run_in_executor(
        state.hashing, lambda: door.log_in(house.store, house.floor.people, name, data.old, at=at)
    )
    if isinstance(found, door.Turned):
        await note(house, {"is": "access-refused", "name": name, "what": "password", "why": found.why})
        raise PermissionDeniedException("the old password is wrong")
    await loop.run_in_executor(state.hashing, lambda: door.set_password(house.store, name, data.new))
    state.visitors.forget(request.user.token)
    await note(house, {"is": "password-set", "name": name, "by": name})


@get("/api/house", tags=["floor"], summary="The house, its tables and meters")
async def house_view(state: State) -> HouseView:
    """What everybody may know, logged in or not."""
    floor = _house(state).floor
    return HouseView(
        name=floor.house.name,
        currencies=floor.house.currencies,
        tables=views.lobby(floor),
        meters=views.meters(floor),
    )


@get("/api/tables/{table:str}", tags=["floor"], summary="One table, as I may see it")
async def table_view(table: str, request: Http, state: State) -> m.TableIs:
    """The common part, and the own part of whoever asks."""
    floor = _house(state).floor
    _there(floor, table)
    own = views.own_part(floor, table, request.user.role, request.user.name or "")
    return m.TableIs(rail=views.rail(floor, table), own=own)


@get("/api/tables/{table:str}/rounds", tags=["records"], summary="Past rounds of a table")
async def rounds(
    table: str,
    state: State,
    last: Annotated[int, Parameter(ge=1, le=100, description="how many")] = 10,
    before: Annotated[int | None, Parameter(ge=1, description="only those before this round")] = None,
) -> list[PastRound]:
    """At least the last ten, every event with its time, oldest first. Rounds that are not over are not there."""
    house = _house(state)
    _there(house.floor, table)
    head = house.floor.versions[f"table/{table}"]
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(None, lambda: recall(house.store, table, head=head, last=last, before=before))


@get("/api/meters", tags=["floor"], summary="Every meter")
async def meters(state: State) -> tuple[views.MeterView, ...]:
    """As the displays show them."""
    return views.meters(_house(state).floor)


@get(
    "/api/waiting",
    tags=["floor"],
    guards=[only("floorperson", "supervisor", "executive", "manager", "cashier")],
    summary="What waits for a second person",
)
async def waiting(request: Http, state: State) -> tuple[views.WaitingView, ...]:
    """Asked by one, to be confirmed by another."""
    return views.waiting(_house(state).floor, request.user.role)


@get("/api/purse", tags=["people"], guards=[only("player")], summary="My purse")
async def purse(request: Http, state: State) -> dict[str, str]:
    """By currency."""
    return views.purse(_house(state).floor, request.user.name or "")


@post("/api/ask", tags=["floor"], guards=[known], status_code=200, summary="Ask the floor for something")
async def ask(data: AskBody, request: Http, state: State) -> Reply:
    """The one way to change anything. The answer comes when it is written; the same id again gets the same answer."""
    visitor = request.user
    assert visitor.name is not None
    assert visitor.role is not None
    asked = Asked(id=data.id, sender=w.Sender(visitor.name, visitor.role), wish=data.wish)
    try:
        reply: Reply = await state.hub.asked(asked)
        return reply
    except NotWritten as failed:
        raise ServiceUnavailableException(str(failed)) from None


class LoggedEntry(msgspec.Struct, frozen=True):
    """An entry of the log: the bytes that are hashed, and the hash."""

    seq: int
    at: int
    hash: str
    body: str


@get("/api/log", tags=["records"], guards=[only("auditor")], summary="The log")
async def log(
    state: State,
    after: Annotated[int, Parameter(ge=0, description="entries after this one")] = 0,
    most: Annotated[int, Parameter(ge=1, le=1000, description="how many")] = 100,
) -> list[LoggedEntry]:
    """Entries as they are kept: the hash of each is over the hash before and its body."""
    store = _house(state).store
    loop = asyncio.get_running_loop()
    entries = await loop.run_in_executor(None, lambda: list(store.log(after, after + most)))
    return [LoggedEntry(one.seq, one.at, one.hash.hex(), one.body.decode()) for one in entries]


def _there(floor: Any, table: str) -> None:
    if table not in floor.tables:
        raise NotFoundException(f"there is no table {table!r}")


ROUTES: tuple[Any, ...] = (
    log_in,
    log_out,
    me,
    change_password,
    house_view,
    table_view,
    rounds,
    meters,
    waiting,
    purse,
    ask,
    log,
)
