"""The lab over HTTP, for anybody: what is asked is read here, counted apart (`counting`), and answered exactly."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.exceptions import ClientException, NotFoundException, TooManyRequestsException
from litestar.params import Parameter

from aceking.lab import chart as charts
from aceking.lab import deal as deals
from aceking.lab import movable_lines as benches
from aceking.lab import price as prices
from aceking.lab import sheet as sheets
from aceking.lab import trainer as trainers
from aceking.lab.question import TEXT_MAX, Asked, UnknownBook, asked_of, known
from aceking.rules.reading.load import load_book
from aceking.settlement.scenario_json import INPUT_ERRORS
from aceking.web.background import Counting, Lane, Later
from aceking.web.sessions import whose

Http = Request[Any, Any, Any]
_Line = Annotated[str, msgspec.Meta(max_length=TEXT_MAX)]
#: What is moved in the book.
Pays = Annotated[list[_Line] | None, Parameter(description="rows of a pay table, as full_house=8 or pair=3 to 2")]
Options = Annotated[list[_Line] | None, Parameter(description="choices of the house, as ace-low-straight=not-allowed")]
Ranks = Annotated[str | None, Parameter(max_length=40, description="the weakest hand with which the dealer plays")]
Amount = Annotated[str, Parameter(max_length=15, description="an amount of money")]
CardText = Annotated[str, Parameter(max_length=40, description="cards, as Ah Kd 9c 5s 2d")]
BookId = Annotated[str, Parameter(max_length=60, description="the id of a book")]


class ClauseWords(msgspec.Struct, frozen=True):
    """A clause for people: its topic and its words."""

    topic: str
    says: str


def _asked(book: str, pays: list[str] | None, options: list[str] | None, qualifier: str | None) -> Asked:
    try:
        return asked_of(book, pays=pays or (), options=options or (), qualifier=qualifier)
    except UnknownBook as unknown:
        raise NotFoundException(str(unknown)) from None
    except INPUT_ERRORS as wrong:
        raise ClientException(str(wrong)) from None


async def _counted(
    request: Http, lane: Lane, do: Callable[..., Any], *args: Any, keep: bool = True, **more: Any
) -> Any:
    counting: Counting = request.app.state.counting
    try:
        return await counting.ask(whose(request), lane, do, *args, keep=keep, **more)
    except Later as later:
        raise TooManyRequestsException(str(later), headers={"Retry-After": str(later.seconds)}) from None
    except INPUT_ERRORS as wrong:
        raise ClientException(str(wrong)) from None


@get("/api/lab/books", tags=["lab"], summary="Every book", sync_to_thread=False)
def shelf() -> tuple[benches.OnShelf, ...]:
    """With its house and version."""
    return benches.shelf()


@get("/api/lab/books/{book:str}", tags=["lab"], summary="What can be moved in a book", sync_to_thread=False)
def bench(book: BookId) -> benches.Bench:
    """Rows of pays, options and awards that are part of the figures, with what the book itself says and allows."""
    _known(book)
    return benches.bench(book)


@get("/api/lab/books/{book:str}/clauses", tags=["lab"], summary="The words of a book's clauses", sync_to_thread=False)
def clauses(book: BookId) -> dict[str, ClauseWords]:
    """By id."""
    _known(book)
    return {one.id: ClauseWords(one.topic, one.says) for one in load_book(book).clauses.values()}


@get("/api/lab/price/{book:str}", tags=["lab"], summary="What a book costs, with any line moved")
async def price(
    book: BookId,
    request: Http,
    pays: Pays = None,
    option: Options = None,
    qualifier: Ranks = None,
    meter: Amount | None = None,
    ante: Amount = prices.ANTE,
) -> prices.Price:
    """Every deal counted, the best play taken: edge, element of risk and the meter at which a wager is even, beside
    the book's own. Exact figures are texts, "p/q" in lowest terms."""
    asked = _asked(book, pays, option, qualifier)
    found: prices.Price = await _counted(request, "quick", prices.price, asked, meter=meter, ante=ante)
    return found


@get("/api/lab/curve/{book:str}", tags=["lab"], summary="The edge along one row of the pays")
async def curve(
    book: BookId,
    request: Http,
    row: Annotated[str, Parameter(max_length=60, description="as in full_house")],
    pays: Pays = None,
    option: Options = None,
    qualifier: Ranks = None,
) -> prices.Curve:
    """Odds around its own, the best play anew at each."""
    asked = _asked(book, pays, option, qualifier)
    lane: Lane = "long" if load_book(book).exchange is not None else "quick"
    found: prices.Curve = await _counted(request, lane, prices.curve, asked, row)
    return found


@get("/api/lab/chart/{book:str}", tags=["lab"], summary="The strategy chart of a book, with any line moved")
async def chart(
    book: BookId,
    request: Http,
    pays: Pays = None,
    option: Options = None,
    qualifier: Ranks = None,
    whole: Annotated[bool, Parameter(description="every kind of hand in its own row")] = False,
) -> charts.Chart:
    """Hands against up-cards: what is best, and what the next best costs."""
    asked = _asked(book, pays, option, qualifier)
    found: charts.Chart = await _counted(request, "long", charts.chart, asked, whole=whole)
    return found


@get("/api/lab/deal", tags=["lab"], summary="One deal under every book")
async def deal(
    request: Http,
    player: CardText = "",
    dealer: CardText = "",
    more: CardText = "",
    how: deals.How = "bet",
    ante: Amount = "10",
    side: bool = False,
    meter: Amount = "100000",
    book: BookId | None = None,
    pays: Pays = None,
    option: Options = None,
    qualifier: Ranks = None,
) -> deals.Deal:
    """Settled line by line with the clauses; cards that are not given are dealt. A book with moved lines comes last."""
    asked = None if book is None else _asked(book, pays, option, qualifier)
    given = {"player": player, "dealer": dealer, "more": more}
    settled = {"how": how, "ante": ante, "side": side, "meter": meter}
    every = all(text.strip() for text in given.values())
    found: deals.Deal = await _counted(request, "quick", deals.deal, asked, keep=every, **given, **settled)
    return found


@get("/api/lab/trainer/{book:str}", tags=["lab"], summary="A hand to decide, with the value of every choice")
async def trainer(
    book: BookId,
    request: Http,
    family: Annotated[trainers.Family | None, Parameter(description="of this family")] = None,
    like: Annotated[str, Parameter(max_length=40, description="these cards, their suits named otherwise")] = "",
    pays: Pays = None,
    option: Options = None,
    qualifier: Ranks = None,
) -> trainers.Hand:
    """Of a family, or like one that went wrong."""
    asked = _asked(book, pays, option, qualifier)
    found: trainers.Hand = await _counted(request, "quick", trainers.hand, asked, keep=False, family=family, like=like)
    return found


@get(
    "/api/lab/sheet/{book:str}",
    tags=["lab"],
    summary="The sheet of a book, with any line moved",
    media_type="text/html",
)
async def sheet(
    book: BookId,
    request: Http,
    form: sheets.Form = "html",
    pays: Pays = None,
    option: Options = None,
    qualifier: Ranks = None,
) -> Response[bytes]:
    """As `aceking sheet` writes it, to be saved and printed. It takes its time: 429 says to ask again for it."""
    asked = _asked(book, pays, option, qualifier)
    found: sheets.Sheet = await _counted(request, "long", sheets.sheet, asked, form)
    return Response(
        found.body.encode(),
        media_type="text/html" if form == "html" else "application/json",
        headers={"Content-Disposition": f'attachment; filename="{found.name}"'},
    )


def _known(book: str) -> None:
    try:
        known(book)
    except UnknownBook as unknown:
        raise NotFoundException(str(unknown)) from None


LAB: tuple[Any, ...] = (shelf, bench, clauses, price, curve, chart, deal, trainer, sheet)
