"""The HTTP routes of the lab, without log-in. Questions are read here and computed by `background`."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.exceptions import ClientException, NotFoundException, TooManyRequestsException
from litestar.params import Parameter

from aceking.lab import chart as charts
from aceking.lab import deal as deals
from aceking.lab import movable_lines as benches
from aceking.lab import price as prices
from aceking.lab import sheet as sheets
from aceking.lab import trainer as trainers
from aceking.lab.question import TEXT_MAX, LabQuestion, UnknownBook, check_book, question_of
from aceking.rules.reading.load import load_book
from aceking.seal import SEED_BYTES
from aceking.settlement.scenario_json import INPUT_ERRORS
from aceking.web.background import Computation, Lane, TryLater
from aceking.web.sessions import Http, limit_key

_Line = Annotated[str, msgspec.Meta(max_length=TEXT_MAX)]
#: Changes to the book.
PaysParameter = Annotated[
    list[_Line] | None, Parameter(description="changed rows of a pay table, e.g. full_house=8 or pair=3 to 2")
]
Options = Annotated[list[_Line] | None, Parameter(description="options, e.g. ace-low-straight=not-allowed")]
Ranks = Annotated[str | None, Parameter(max_length=40, description="the weakest hand that qualifies the dealer")]
AmountParameter = Annotated[str, Parameter(max_length=15, description="an amount of money")]
CardText = Annotated[str, Parameter(max_length=40, description="cards, e.g. Ah Kd 9c 5s 2d")]
BookId = Annotated[str, Parameter(max_length=60, description="the id of a book")]


class LabClauseWords(msgspec.Struct, frozen=True):
    """The topic and the text of a clause."""

    topic: str
    says: str


def _question(book: str, pays: list[str] | None, options: list[str] | None, qualifier: str | None) -> LabQuestion:
    try:
        return question_of(book, pays=pays or (), options=options or (), qualifier=qualifier)
    except UnknownBook as unknown:
        raise NotFoundException(str(unknown)) from None
    except INPUT_ERRORS as wrong:
        raise ClientException(str(wrong)) from None


async def _computed(
    request: Http, lane: Lane, function: Callable[..., Any], *args: Any, cached: bool = True, **more: Any
) -> Any:
    computation: Computation = request.app.state.computation
    try:
        return await computation.ask(limit_key(request), lane, function, *args, cached=cached, **more)
    except TryLater as later:
        raise TooManyRequestsException(str(later), headers={"Retry-After": str(later.seconds)}) from None
    except INPUT_ERRORS as wrong:
        raise ClientException(str(wrong)) from None


@get("/api/lab/books", tags=["lab"], summary="Every book", sync_to_thread=False)
def books() -> tuple[benches.OnShelf, ...]:
    """Returns every book with its house and version."""
    return benches.shelf()


@get("/api/lab/books/{book:str}", tags=["lab"], summary="What can be changed in a book", sync_to_thread=False)
def changeable_rules(book: BookId) -> benches.Bench:
    """Returns the pay rows, options and awards that the figures depend on, with the book's and the allowed values."""
    _check_book(book)
    return benches.bench(book)


@get("/api/lab/books/{book:str}/clauses", tags=["lab"], summary="The text of a book's clauses", sync_to_thread=False)
def clauses(book: BookId) -> dict[str, LabClauseWords]:
    """Returns the clauses by id."""
    _check_book(book)
    return {one.id: LabClauseWords(one.topic, one.says) for one in load_book(book).clauses.values()}


@get("/api/lab/price/{book:str}", tags=["lab"], summary="What a book costs, with any line changed")
async def price(
    book: BookId,
    request: Http,
    pays: PaysParameter = None,
    option: Options = None,
    qualifier: Ranks = None,
    meter: AmountParameter | None = None,
    ante: AmountParameter = prices.ANTE,
) -> prices.LabPrice:
    """Returns edge, element of risk and the break-even meter under best play over every deal, beside the figures of
    the unchanged book. Exact figures are texts, "p/q" in lowest terms."""
    question = _question(book, pays, option, qualifier)
    lab_price: prices.LabPrice = await _computed(request, "quick", prices.price, question, meter=meter, ante=ante)
    return lab_price


@get("/api/lab/curve/{book:str}", tags=["lab"], summary="The edge as one pay row changes")
async def curve(
    book: BookId,
    request: Http,
    row: Annotated[str, Parameter(max_length=60, description="a row, e.g. full_house")],
    pays: PaysParameter = None,
    option: Options = None,
    qualifier: Ranks = None,
) -> prices.PriceCurve:
    """Returns the edge at pays around the book's own, each with its best play."""
    question = _question(book, pays, option, qualifier)
    lane: Lane = "long" if load_book(book).exchange is not None else "quick"
    price_curve: prices.PriceCurve = await _computed(request, lane, prices.curve, question, row)
    return price_curve


@get("/api/lab/chart/{book:str}", tags=["lab"], summary="The strategy chart of a book, with any line changed")
async def chart(
    book: BookId,
    request: Http,
    pays: PaysParameter = None,
    option: Options = None,
    qualifier: Ranks = None,
    whole: Annotated[bool, Parameter(description="one row for every kind of hand")] = False,
) -> charts.LabChart:
    """Returns the best choice for each hand and up-card, and what the second best costs."""
    question = _question(book, pays, option, qualifier)
    lab_chart: charts.LabChart = await _computed(request, "long", charts.chart, question, whole=whole)
    return lab_chart


@get("/api/lab/deal", tags=["lab"], summary="One deal under every book")
async def deal(
    request: Http,
    player: CardText = "",
    dealer: CardText = "",
    more: CardText = "",
    how: deals.How = "bet",
    ante: AmountParameter = "10",
    side: bool = False,
    meter: AmountParameter = "100000",
    book: BookId | None = None,
    pays: PaysParameter = None,
    option: Options = None,
    qualifier: Ranks = None,
) -> deals.LabDeal:
    """Settles a deal under every book, with lines and clauses; missing cards are dealt. A changed book comes last."""
    question = None if book is None else _question(book, pays, option, qualifier)
    cards = {"player": player, "dealer": dealer, "more": more}
    options = {"how": how, "ante": ante, "side": side, "meter": meter}
    full = all(text.strip() for text in cards.values())
    seed = None if full else request.app.state.house.desk.draw(SEED_BYTES)
    result: deals.LabDeal = await _computed(
        request, "quick", deals.deal, question, cached=full, seed=seed, **cards, **options
    )
    return result


@get("/api/lab/trainer/{book:str}", tags=["lab"], summary="A hand to decide, with the value of every choice")
async def trainer(
    book: BookId,
    request: Http,
    family: Annotated[trainers.Family | None, Parameter(description="a family of hands")] = None,
    like: Annotated[str, Parameter(max_length=40, description="these cards with other suits")] = "",
    pays: PaysParameter = None,
    option: Options = None,
    qualifier: Ranks = None,
) -> trainers.TrainerHand:
    """Returns a hand of a family, or one like an earlier hand."""
    question = _question(book, pays, option, qualifier)
    seed = request.app.state.house.desk.draw(SEED_BYTES)
    hand: trainers.TrainerHand = await _computed(
        request, "quick", trainers.hand, question, cached=False, family=family, like=like, seed=seed
    )
    return hand


@get(
    "/api/lab/sheet/{book:str}",
    tags=["lab"],
    summary="The sheet of a book, with any line changed",
    media_type="text/html",
)
async def sheet(
    book: BookId,
    request: Http,
    form: sheets.Form = "html",
    pays: PaysParameter = None,
    option: Options = None,
    qualifier: Ranks = None,
) -> Response[bytes]:
    """Returns the sheet that `aceking sheet` writes. A long computation answers 429 until it is done: ask again."""
    question = _question(book, pays, option, qualifier)
    document: sheets.Sheet = await _computed(request, "long", sheets.sheet, question, form)
    return Response(
        document.body.encode(),
        media_type="text/html" if form == "html" else "application/json",
        headers={"Content-Disposition": f'attachment; filename="{document.name}"'},
    )


def _check_book(book: str) -> None:
    try:
        check_book(book)
    except UnknownBook as unknown:
        raise NotFoundException(str(unknown)) from None


LAB: tuple[Any, ...] = (books, changeable_rules, clauses, price, curve, chart, deal, trainer, sheet)
