"""The casino stud poker family, run, priced and proved from the written rule books of real houses.

    >>> from aceking import Card, Hand, edge, settle, strategy, value
    >>> edge("section10").house_edge
    Fraction(142031221, 2718662100)
    >>> value("section10", "A♥ K♦ 9♣ 5♠ 2♦", "9♥")
    Values(bet -0.991488, fold -1)
    >>> Hand("As Ks Qs Js Ts").words
    'royal flush'

The figures are exact: fractions over every deal. Each function takes the id of a book, the path of its file, or a
Book, and what to change in it. Functions import the mathematics when they are called, so `import aceking` is quick.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from os import PathLike
from typing import TYPE_CHECKING, Any

from aceking.version import __version__

if TYPE_CHECKING:
    from aceking.api.cards import Card, Hand
    from aceking.api.settled import Settled
    from aceking.api.table import Table
    from aceking.exact.figures import Edge, Values
    from aceking.exact.strategy import Strategy
    from aceking.rules.book import Book
    from aceking.simulation.result import Result

__all__ = ["Card", "Hand", "Table", "__version__", "edge", "load_book", "settle", "simulate", "strategy", "value"]


def load_book(name: "str | PathLike[str]") -> "Book":
    """Return a rule book by its id, e.g. "section10", or by the path of its TOML file. Raises BookError."""
    from aceking.api.arguments import book_name
    from aceking.rules.reading.load import load_book as load

    return load(book_name(name))


def edge(
    book: "str | PathLike[str] | Book",
    *,
    options: Mapping[str, Any] | None = None,
    pays: Mapping[str, int | str | Fraction] | None = None,
    qualifier: str | None = None,
    ante: str | int | None = None,
) -> "Edge":
    """Compute the exact house edge of a book under best play, over every deal. Raises UnpricedError.

    `edge("section10", pays={"full_house": 8}).house_edge`: `options` are the house's choices by name; `pays` are
    changed rows of the pay table, e.g. `8`, `"3 to 2"` or a Fraction; `qualifier` is the weakest hand that qualifies
    the dealer, e.g. `"A K 4 3 2"`; `ante` is an amount, for books with a limit on payments. A change that the book
    does not allow is computed too, with a warning (`warnings.warn`).
    """
    from aceking.exact import games

    return games.edge(_changed(book, options, pays, qualifier, ante))


def value(
    book: "str | PathLike[str] | Book",
    cards: "str | Sequence[str | int]",
    up: "str | int | None" = None,
    *,
    exchanged: "tuple[str | int | Sequence[str | int], str | int | Sequence[str | int]] | None" = None,
    options: Mapping[str, Any] | None = None,
    pays: Mapping[str, int | str | Fraction] | None = None,
    qualifier: str | None = None,
    ante: str | int | None = None,
) -> "Values":
    """Compute the value of every decision of one hand, in antes: `value("rws", "Ah Kd 9c 5s 2d", "9h").best`.

    After an exchange `cards` are still the dealt cards, and `exchanged` are the cards given and received, e.g.
    `("2c 3d", "Kh Ks")`. Then the decisions are fold and bet, and both values include the price of the exchange.
    """
    from aceking.api.arguments import cards_of
    from aceking.exact import games
    from aceking.settlement.scenario import Swap

    hand = cards_of("cards", cards)
    (shown,) = (None,) if up is None else cards_of("up", [up])
    swap = None
    if exchanged is not None:
        if not isinstance(exchanged, tuple | list) or len(exchanged) != 2:
            raise TypeError(f"exchanged: the cards given and taken, not {exchanged!r}")
        given, taken = ((one,) if isinstance(one, int) else one for one in exchanged)
        swap = Swap(cards_of("exchanged", given), cards_of("exchanged", taken))
    return games.value(_changed(book, options, pays, qualifier, ante), hand, shown, exchanged=swap)


def strategy(
    book: "str | PathLike[str] | Book",
    *,
    options: Mapping[str, Any] | None = None,
    pays: Mapping[str, int | str | Fraction] | None = None,
    qualifier: str | None = None,
    ante: str | int | None = None,
) -> "Strategy":
    """Compute the best decision of every hand, and simple rules with the cost of following them."""
    from aceking.exact.strategy import strategy as compute

    return compute(_changed(book, options, pays, qualifier, ante))


def simulate(
    book: "str | PathLike[str] | Book",
    *,
    rounds: int,
    seats: int = 1,
    seed: int = 1,
    strategy: str = "optimal",
    workers: int = 1,
    cluster: str | None = None,
) -> "Result":
    """Play whole rounds and return the result with its error: `simulate("rws", rounds=10_000_000).net_per_ante`.

    The same seed gives the same totals on any number of workers. With several workers a script needs
    `if __name__ == "__main__":`, because each worker imports it.
    """
    from aceking.api.arguments import book_of, check_text, whole_number
    from aceking.simulation.plan import plan
    from aceking.simulation.run import Where, run

    loaded = book_of(book)
    check_text("strategy", strategy)
    rounds, seats, seed = whole_number("rounds", rounds), whole_number("seats", seats), whole_number("seed", seed)
    where = Where(whole_number("workers", workers), cluster)
    where.check()
    return run(plan(loaded, rounds=rounds, seats=seats, seed=seed, strategy=strategy), where)


def settle(scenario: Mapping[str, Any] | str, *, book: "str | PathLike[str] | None" = None) -> "Settled":
    """Settle one round: `settle({"book": "rws", "dealer": "…", "seats": […]}).net`. Raises ValueError."""
    from aceking.api.settled import settle as run

    return run(scenario, book=book)


def _changed(
    book: "str | PathLike[str] | Book",
    options: Mapping[str, Any] | None,
    pays: Mapping[str, int | str | Fraction] | None,
    qualifier: str | None,
    ante: str | int | None,
) -> "Book":
    from aceking.api.arguments import book_of, check_mapping, check_text, money_text

    loaded = book_of(book)
    check_mapping("options", options, "names to values")
    check_mapping("pays", pays, "rows to odds")
    check_text("qualifier", qualifier)
    if ante is not None:
        ante = money_text("ante", ante)
    if not (options or pays or qualifier) and ante is None:
        return loaded
    import warnings

    from aceking.exact.games import changed

    loaded, sentences = changed(loaded, options=options, pays=pays, qualifies_with=qualifier, ante=ante)
    for sentence in sentences:
        warnings.warn(sentence, stacklevel=3)
    return loaded


def __getattr__(name: str) -> Any:
    """Import `Card`, `Hand` or `Table` when it is first used."""
    if name in ("Card", "Hand"):
        from aceking.api import cards

        return getattr(cards, name)
    if name == "Table":
        from aceking.api.table import Table

        return Table
    raise AttributeError(f"aceking has no {name!r}")
