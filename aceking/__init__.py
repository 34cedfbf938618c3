"""The casino stud poker family, run, priced and proved from the written rule books of real houses.

    >>> from aceking import Card, Hand, edge, settle, strategy, value
    >>> edge("section10").house_edge
    Fraction(142031221, 2718662100)
    >>> value("section10", "A♥ K♦ 9♣ 5♠ 2♦", "9♥")
    Values(bet -0.991488, fold -1)
    >>> Hand("As Ks Qs Js Ts").words
    'royal flush'

The figures are exact: fractions over every deal. Each function takes the id of a book, the path of its file, or a
Book, and what to change in it. The mathematics is imported when a function is called, so `import aceking` costs next to
nothing.
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
    """A rule book by its id, such as "section10", or by the path of its TOML file."""
    from aceking.rules.reading.load import load_book as load

    return load(name)


def edge(
    book: "str | PathLike[str] | Book",
    *,
    options: Mapping[str, Any] | None = None,
    pays: Mapping[str, int | str | Fraction] | None = None,
    qualifier: str | None = None,
    ante: str | int | None = None,
) -> "Edge":
    """What a book costs with the best play, over every deal: `edge("section10", pays={"full_house": 8}).house_edge`.

    `options` are the house's choices by name; `pays` are rows of the pay table, as `8`, `"3 to 2"` or a Fraction;
    `qualifier` is the weakest hand with which the dealer plays, as in `"A K 4 3 2"`; `ante` is an amount for which
    caps on what is paid are counted. What the book does not allow is computed all the same, with a warning
    (`warnings.warn`).
    """
    from aceking.exact import games

    return games.edge(_changed(book, options, pays, qualifier, ante))


def value(
    book: "str | PathLike[str] | Book",
    cards: "str | Sequence[int]",
    up: "str | int | None" = None,
    *,
    exchanged: "tuple[str | int | Sequence[int], str | int | Sequence[int]] | None" = None,
    options: Mapping[str, Any] | None = None,
    pays: Mapping[str, int | str | Fraction] | None = None,
    qualifier: str | None = None,
    ante: str | int | None = None,
) -> "Values":
    """What every decision of one hand is worth, in antes: `value("rws", "Ah Kd 9c 5s 2d", "9h").best`.

    After an exchange `cards` are still those that were dealt, and `exchanged` are the card given and the card that
    came, or the cards (`("2c 3d", "Kh Ks")`): what is left is to fold or to bet, and the price is counted in both.
    """
    from aceking.cards.card import Card as Number
    from aceking.cards.card import card
    from aceking.cards.card import cards as many
    from aceking.exact import games
    from aceking.settlement.scenario import Swap

    def one_card(of: str | int) -> Number:
        return card(of) if isinstance(of, str) else Number(int(of))

    def several(of: str | int | Sequence[int]) -> tuple[Number, ...]:
        if isinstance(of, str):
            return many(of)
        return tuple(Number(int(one)) for one in (of if isinstance(of, Sequence) else (of,)))

    hand = several(cards)
    shown = None if up is None else one_card(up)
    swap = None if exchanged is None else Swap(several(exchanged[0]), several(exchanged[1]))
    return games.value(_changed(book, options, pays, qualifier, ante), hand, shown, exchanged=swap)


def strategy(
    book: "str | PathLike[str] | Book",
    *,
    options: Mapping[str, Any] | None = None,
    pays: Mapping[str, int | str | Fraction] | None = None,
    qualifier: str | None = None,
    ante: str | int | None = None,
) -> "Strategy":
    """How to play: the best decision of every hand, and rules that a person can carry, with what each costs."""
    from aceking.exact.strategy import strategy as found

    return found(_changed(book, options, pays, qualifier, ante))


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
    """Whole rounds played: `simulate("rws", rounds=10_000_000).net_per_ante`, and the error of it.

    The same seed gives the same totals on any number of workers. With several of them a script needs the usual
    `if __name__ == "__main__":`, for each worker reads it.
    """
    from aceking.simulation.plan import plan
    from aceking.simulation.run import Where, run

    found = load_book(book) if isinstance(book, str | PathLike) else book
    where = Where(workers, cluster)
    where.check()
    return run(plan(found, rounds=rounds, seats=seats, seed=seed, strategy=strategy), where)


def settle(scenario: Mapping[str, Any] | str, *, book: "str | PathLike[str] | None" = None) -> "Settled":
    """Settles one round: `settle({"book": "rws", "dealer": "…", "seats": […]}).net`."""
    from aceking.api.settled import settle as settled

    return settled(scenario, book=book)


def _changed(
    book: "str | PathLike[str] | Book",
    options: Mapping[str, Any] | None,
    pays: Mapping[str, int | str | Fraction] | None,
    qualifier: str | None,
    ante: str | int | None,
) -> "Book":
    found = load_book(book) if isinstance(book, str | PathLike) else book
    if not (options or pays or qualifier) and ante is None:
        return found
    import warnings

    from aceking.exact.games import changed

    found, told = changed(found, options=options, pays=pays, qualifies_with=qualifier, ante=ante)
    for sentence in told:
        warnings.warn(sentence, stacklevel=3)
    return found


def __getattr__(name: str) -> Any:
    """Cards, hands and tables, imported when they are first asked for."""
    if name in ("Card", "Hand"):
        from aceking.api import cards

        return getattr(cards, name)
    if name == "Table":
        from aceking.api.table import Table

        return Table
    raise AttributeError(f"aceking has no {name!r}")
