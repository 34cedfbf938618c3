"""The HTTP routes for people and the floor: log-in, views and requests. The floor decides every request."""

import asyncio
import contextlib
from typing import Annotated, Any
from uuid import uuid4

import msgspec
from litestar import Response, get, post
from litestar.datastructures import Cookie, State
from litestar.exceptions import (
    NotAuthorizedException,
    NotFoundException,
    PermissionDeniedException,
    ServiceUnavailableException,
    TooManyRequestsException,
)
from litestar.params import Parameter

from aceking.house import login as access
from aceking.house.desk import Reply
from aceking.house.desk import Request as FloorRequest
from aceking.house.floor import requests as w
from aceking.house.floor.states import Floor
from aceking.house.names import RequestId
from aceking.house.running import NotWritten, Running
from aceking.house.views import table as views
from aceking.house.views.table_history import PastRound, recall
from aceking.web.live import messages as m
from aceking.web.sessions import COOKIE, Http, known, only


class LogIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Name and password of a person."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    password: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class Me(msgspec.Struct, frozen=True):
    """The person who is logged in."""

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
    """A request to the floor. The client chooses the id; the same id again gets the same answer."""

    id: RequestId
    wish: w.AnyRequest


def _house(state: State) -> Running:
    house: Running = state.house
    return house


async def record_event(house: Running, event: dict[str, Any]) -> None:
    """Write an event of log-in or access to the log; does nothing if the write fails."""
    with contextlib.suppress(NotWritten):
        await house.ask(FloorRequest(id=f"login/{uuid4().hex}", sender=w.HOUSE, body=w.Note(event=event)))


@post("/api/login", tags=["people"], status_code=200, summary="Log in")
async def log_in(data: LogIn, state: State) -> Response[Me]:
    """Sets a session cookie. Other sessions of the same person end."""
    house = _house(state)
    loop, at = asyncio.get_running_loop(), house.clock.now()
    login = await loop.run_in_executor(
        state.hashing, lambda: access.log_in(house.store, house.floor.people, data.name, data.password, at=at)
    )
    if isinstance(login, access.RefusedLogIn):
        await record_event(house, {"is": "access-refused", "name": data.name, "what": "log-in", "why": login.why})
        if login.locked_until and login.why == "wrong password":
            await record_event(house, {"is": "locked-out", "name": data.name, "until": login.locked_until})
        if login.locked_until:
            raise TooManyRequestsException("too many failures: the account is locked for a while")
        raise NotAuthorizedException("name or password is wrong")
    await record_event(house, {"is": "logged-in", "name": login.person})
    person = house.floor.people.persons[login.person]
    cookie = Cookie(
        key=COOKIE,
        value=login.token,
        httponly=True,
        samesite="strict",
        secure=state.secure,
        path="/",
        max_age=access.SESSION_MS // 1000,
    )
    return Response(Me(person.name, person.role, person.shown), cookies=[cookie])


@post("/api/logout", tags=["people"], guards=[known], status_code=204, summary="Log out")
async def log_out(request: Http, state: State) -> Response[None]:
    """Ends the session."""
    house = _house(state)
    access.log_out(house.store, request.user.token)
    state.visitors.forget(request.user.token)
    await record_event(house, {"is": "logged-out", "name": request.user.name})
    expired = Cookie(key=COOKIE, value="", max_age=0, httponly=True, samesite="strict", secure=state.secure, path="/")
    return Response(None, cookies=[expired], status_code=204)


@get("/api/me", tags=["people"], guards=[known], summary="Who am I?")
async def me(request: Http, state: State) -> Me:
    """Returns the name and role of the person who is logged in."""
    person = _house(state).floor.people.persons[request.user.name or ""]
    return Me(person.name, person.role, person.shown)


@post("/api/password", tags=["people"], guards=[known], status_code=204, summary="Change my password")
async def change_password(data: NewPassword, request: Http, state: State) -> None:
    """Needs the old password. Ends every session of the person."""
    house, name = _house(state), request.user.name or ""
    if (wrong := access.password_fault(data.new)) is not None:
        raise PermissionDeniedException(wrong)
    loop, at = asyncio.get_running_loop(), house.clock.now()
    login = await loop.run_in_executor(
        state.hashing, lambda: access.log_in(house.store, house.floor.people, name, data.old, at=at)
    )
    if isinstance(login, access.RefusedLogIn):
        await record_event(house, {"is": "access-refused", "name": name, "what": "password", "why": login.why})
        raise PermissionDeniedException("the old password is wrong")
    await loop.run_in_executor(state.hashing, lambda: access.set_password(house.store, name, data.new))
    state.visitors.forget(request.user.token)
    await record_event(house, {"is": "password-set", "name": name, "by": name})


@get("/api/house", tags=["floor"], summary="The house, its tables and meters")
async def house_view(state: State) -> HouseView:
    """Needs no log-in."""
    floor = _house(state).floor
    return HouseView(
        name=floor.house.name,
        currencies=floor.house.currencies,
        tables=views.lobby(floor),
        meters=views.meters(floor),
    )


@get("/api/tables/{table:str}", tags=["floor"], summary="One table, as I may see it")
async def table_view(table: str, request: Http, state: State) -> m.TableIs:
    """Returns the part that everybody may see (`rail`), and the part for the person who asks (`own`)."""
    floor = _house(state).floor
    check_table(floor, table)
    own = views.own_part(floor, table, request.user.role, request.user.name or "")
    return m.TableIs(rail=views.rail(floor, table), own=own)


@get("/api/tables/{table:str}/rounds", tags=["records"], summary="Past rounds of a table")
async def rounds(
    table: str,
    state: State,
    last: Annotated[int, Parameter(ge=1, le=100, description="how many")] = 10,
    before: Annotated[int | None, Parameter(ge=1, le=2**53, description="only those before this round")] = None,
) -> list[PastRound]:
    """Returns finished rounds, oldest first, with every event and its time. A round under way is left out."""
    house = _house(state)
    check_table(house.floor, table)
    head = house.floor.versions[f"table/{table}"]
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(None, lambda: recall(house.store, table, head=head, last=last, before=before))


@get("/api/meters", tags=["floor"], summary="Every meter")
async def meters(state: State) -> tuple[views.MeterView, ...]:
    """Returns the meters as the displays show them."""
    return views.meters(_house(state).floor)


@get(
    "/api/waiting",
    tags=["floor"],
    guards=[only("floorperson", "supervisor", "executive", "manager", "cashier")],
    summary="What waits for a second person",
)
async def waiting(request: Http, state: State) -> tuple[views.WaitingView, ...]:
    """Returns requests by one person that another must confirm."""
    return views.waiting(_house(state).floor, request.user.role)


@get("/api/purse", tags=["people"], guards=[only("player")], summary="My purse")
async def purse(request: Http, state: State) -> dict[str, str]:
    """Returns the amount in each currency."""
    return views.purse(_house(state).floor, request.user.name or "")


@post("/api/ask", tags=["floor"], guards=[known], status_code=200, summary="Ask the floor for something")
async def ask(data: AskBody, request: Http, state: State) -> Reply:
    """The one way to change anything. Answers once the request is written; the same id again gets the same answer."""
    visitor = request.user
    assert visitor.name is not None
    assert visitor.role is not None
    floor_request = FloorRequest(id=data.id, sender=w.Sender(visitor.name, visitor.role), body=data.wish)
    try:
        reply: Reply = await state.hub.ask_over_http(floor_request)
        return reply
    except NotWritten as failed:
        raise ServiceUnavailableException(str(failed)) from None


class LoggedEntry(msgspec.Struct, frozen=True):
    """An entry of the log: the bytes that are hashed (`body`), and the hash."""

    seq: int
    at: int
    hash: str
    body: str


@get("/api/log", tags=["records"], guards=[only("auditor")], summary="The log")
async def log(
    state: State,
    after: Annotated[int, Parameter(ge=0, le=2**53, description="entries after this one")] = 0,
    most: Annotated[int, Parameter(ge=1, le=1000, description="how many")] = 100,
) -> list[LoggedEntry]:
    """Returns entries as they are stored. The hash of each covers the hash before it and its body."""
    store = _house(state).store
    loop = asyncio.get_running_loop()
    entries = await loop.run_in_executor(None, lambda: list(store.log(after, after + most)))
    return [LoggedEntry(one.seq, one.at, one.hash.hex(), one.body.decode()) for one in entries]


def check_table(floor: Floor, table: str) -> None:
    """Raise NotFoundException if there is no such table."""
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
