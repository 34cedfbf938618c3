"""The HTTP routes of a table: its print, its clauses, past rounds in sentences, and the coach."""

import asyncio
from typing import Annotated, Any

from litestar import get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import Parameter

from aceking.house.floor.library import book_of
from aceking.house.running import Running
from aceking.house.views.coach import Coaching
from aceking.house.views.coach import coach as coach_of
from aceking.house.views.past_round import ToldRound, past_round_view
from aceking.house.views.printed import ClauseWords, Printed
from aceking.house.views.printed import clauses as clauses_of
from aceking.house.views.printed import printed as printed_of
from aceking.house.views.returns import at_posted
from aceking.rules.book import Book
from aceking.web.routes import check_table
from aceking.web.sessions import Http, only


def _book(house: Running, table: str) -> Book:
    check_table(house.floor, table)
    return book_of(house.floor.house, house.floor.tables[table])


@get("/api/tables/{table:str}/printed", tags=["floor"], summary="Felt and sign of a table")
async def printed(table: str, state: State) -> Printed:
    """Returns spots, pay tables and the words on the felt, from the book and the options of the table."""
    return printed_of(at_posted(_book(state.house, table), state.house.floor.tables[table]))


@get("/api/tables/{table:str}/clauses", tags=["floor"], summary="The text of the clauses of a table")
async def clauses(table: str, state: State) -> dict[str, ClauseWords]:
    """Returns every clause of the book, and the rules of table and house that a refusal may cite."""
    return clauses_of(_book(state.house, table))


@get("/api/tables/{table:str}/rounds/{number:int}", tags=["records"], summary="A past round in sentences")
async def past_round(
    table: str, number: Annotated[int, Parameter(ge=1, le=2**53, description="which round")], state: State
) -> ToldRound:
    """Returns the round in sentences with their clauses, its last view, and the data to check its shuffle."""
    house: Running = state.house
    book, head = _book(house, table), house.floor.versions[f"table/{table}"]

    def read() -> ToldRound | None:
        past = state.finder.round(table, number, head=head)
        return None if past is None else past_round_view(book, table, past)

    view = await asyncio.get_running_loop().run_in_executor(None, read)
    if view is None:
        raise NotFoundException(f"round {number} of {table!r} is not over, or does not exist")
    return view


@get(
    "/api/tables/{table:str}/coach/{box:int}",
    tags=["floor"],
    guards=[only("player")],
    summary="What my choices are worth, exactly",
)
async def coach(
    table: str, box: Annotated[int, Parameter(ge=1, le=2**53, description="which box")], request: Http, state: State
) -> Coaching:
    """Returns values in antes over every possible deal, for the player of the box while they have to decide."""
    house: Running = state.house
    _book(house, table)
    floor, player = house.floor, request.user.name or ""
    coaching = await asyncio.get_running_loop().run_in_executor(None, lambda: coach_of(floor, table, box, player))
    if coaching is None:
        raise NotFoundException(f"box {box} of {table!r} has no decision of yours that is priced")
    return coaching


TABLES: tuple[Any, ...] = (printed, clauses, past_round, coach)
