"""What is printed at a table, the words of its clauses, and past rounds told in sentences."""

import asyncio
from typing import Annotated, Any

from litestar import Request, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import Parameter

from aceking.house.floor.library import book_of
from aceking.house.running import Running
from aceking.house.views.coach import Coaching
from aceking.house.views.coach import coach as coach_of
from aceking.house.views.past_round import ToldRound
from aceking.house.views.past_round import told as told_of
from aceking.house.views.printed import ClauseWords, Printed
from aceking.house.views.printed import clauses as clauses_of
from aceking.house.views.printed import printed as printed_of
from aceking.house.views.returns import at_posted
from aceking.rules.book import Book
from aceking.web.sessions import Visitor, only

Http = Request[Visitor, Any, Any]


def _book(house: Running, table: str) -> Book:
    if table not in house.floor.tables:
        raise NotFoundException(f"there is no table {table!r}")
    return book_of(house.floor.house, house.floor.tables[table])


@get("/api/tables/{table:str}/printed", tags=["floor"], summary="Cloth and sign of a table")
async def printed(table: str, state: State) -> Printed:
    """Spots, pays and the words of the felt, from the book under the options of the table."""
    return printed_of(at_posted(_book(state.house, table), state.house.floor.tables[table]))


@get("/api/tables/{table:str}/clauses", tags=["floor"], summary="The words of the clauses of a table")
async def clauses(table: str, state: State) -> dict[str, ClauseWords]:
    """Every clause of its book, and the rules of table and house that a refusal may cite."""
    return clauses_of(_book(state.house, table))


@get("/api/tables/{table:str}/rounds/{number:int}", tags=["records"], summary="A past round, told")
async def told(
    table: str, number: Annotated[int, Parameter(ge=1, description="which round")], state: State
) -> ToldRound:
    """In sentences with their clauses, as it lay at its end, and what its shuffle can be checked with."""
    house: Running = state.house
    book, head = _book(house, table), house.floor.versions[f"table/{table}"]

    def found() -> ToldRound | None:
        past = state.finder.round(table, number, head=head)
        return None if past is None else told_of(book, table, past)

    one = await asyncio.get_running_loop().run_in_executor(None, found)
    if one is None:
        raise NotFoundException(f"round {number} of {table!r} is not over, or never was")
    return one


@get(
    "/api/tables/{table:str}/coach/{box:int}",
    tags=["floor"],
    guards=[only("player")],
    summary="What my choices are worth, exactly",
)
async def coach(
    table: str, box: Annotated[int, Parameter(ge=1, description="which box")], request: Http, state: State
) -> Coaching:
    """In antes, over every deal that is still possible; for the player of the box while he has to decide."""
    house: Running = state.house
    _book(house, table)
    floor, player = house.floor, request.user.name or ""
    found = await asyncio.get_running_loop().run_in_executor(None, lambda: coach_of(floor, table, box, player))
    if found is None:
        raise NotFoundException(f"box {box} of {table!r} has nothing to decide for you")
    return found


TABLES: tuple[Any, ...] = (printed, clauses, told, coach)
