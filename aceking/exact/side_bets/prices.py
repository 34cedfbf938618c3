"""The side bets beside the main game: the price of each, or what is missing to compute it."""

from copy import copy
from fractions import Fraction
from typing import Any

from aceking.cards.hand import Category
from aceking.exact.figures import Edge
from aceking.exact.side_bets import progressive
from aceking.exact.side_bets.progressive import StraightLine
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.odds import AwardAmount, Posted, Share
from aceking.settlement.amounts import usual_ante

#: The antes for which the meter is shown that makes the whole game even, as multiples of the usual ante.
_ANTES = (Fraction(1, 2), Fraction(1), Fraction(5, 2), Fraction(10))
#: Awards as they are posted, for the example of an option.
_EXAMPLE = {"royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "500", "full_house": "100", "flush": "50"}


def side_bets(book: Book, figures: Edge) -> dict[str, Any]:
    """Return the side bets of the book by name: the figures of each, or `open` with what must be given first."""
    figures_by_name: dict[str, Any] = {}
    if book.progressive is not None:
        figures_by_name["progressive"] = progressive_figures(book, figures)
    if book.bonus is not None and book.bonus.offered:
        try:
            figures_by_name["bonus"] = bonus_figures(book)
        except ValueError as silent:  # no clause says what becomes of a folded hand's bonus
            figures_by_name["bonus"] = {"open": str(silent).removeprefix(f"{book.id}: ")}
    if book.sides:
        from aceking.exact.side_bets.side_wagers import named_figures

        figures_by_name |= {name: named_figures(book, name) for name in book.sides}
    return figures_by_name


def progressive_figures(book: Book, figures: Edge) -> dict[str, Any]:
    """Return the value of the stake as a line in the meter, and the meters at which it and the whole game are even."""
    if missing := open_awards(book):
        return {"open": missing}
    try:
        line = progressive_line(book, figures)
    except ValueError as refused:
        return {"open": str(refused).removeprefix(f"{book.id}: ")}
    unit = 10**book.decimals
    awards = progressive.rows(book)
    shared: dict[str, Any] = {
        "stake": shown(line.stake, decimals=book.decimals),
        "awards": {category.title: _award(book, award) for category, award in sorted(awards.items(), reverse=True)},
        "constant": str(line.constant),
        "slope": str(line.slope * unit),
    }
    if line.slope == 0:
        return {**shared, "break_even": None, "whole_game_even": [], "house_edge": str(-line.constant)}
    even = [
        {
            "ante": shown(ante, decimals=book.decimals),
            "meter": str(line.even_with(figures.net_per_ante, ante=ante) / unit),
        }
        for ante in example_antes(book)
    ]
    return {**shared, "break_even": str(line.break_even / unit), "whole_game_even": even}


def example_antes(book: Book) -> list[int]:
    """Return some antes that the book takes, the usual one among them."""
    usual, least, most = usual_ante(book), book.ante.min, book.ante.max
    every = [int(usual * times) for times in _ANTES if (usual * times).denominator == 1]
    return [ante for ante in every if (least is None or ante >= least) and (most is None or ante <= most)]


def progressive_line(book: Book, figures: Edge) -> StraightLine:
    """Return the value of the stake if ante and bet are played for the best."""
    return progressive.line(book, paid=_paid(book), exchanged=figures.decisions.get("exchange"))


def bonus_figures(book: Book) -> dict[str, Any]:
    """Return the edge of the bonus on its own stake: beside the best play of ante and bet, and played for itself."""
    from aceking.exact.side_bets.bonus import for_bonus, for_main

    beside, alone = for_main(book, ratio=Fraction(1)).bonus, for_bonus(book, ratio=Fraction(1)).bonus
    return {
        "house_edge": str(beside.house_edge),
        "standard_deviation": round(beside.standard_deviation, 12),
        "played_for_the_bonus": str(alone.house_edge),
    }


def open_awards(book: Book) -> str | None:
    """Return a sentence that names the awards the house must post, and the option for them; None if all are known."""
    assert book.progressive is not None
    awards = book.progressive.awards
    missing = [category for category, award in awards.items() if isinstance(award, Posted)]
    if awards and not missing:
        return None
    option = next((one.name for one in book.options.values() if one.rule == "progressive.awards"), None)
    keys = [one.key for one in sorted(missing, reverse=True)] or list(_EXAMPLE)
    rows = ", ".join(f'"{key}": "{_EXAMPLE.get(key, "50")}"' for key in keys)
    names = [one.title for one in sorted(missing, reverse=True)]
    what = (
        f"the awards for {', '.join(names[:-1])}{' and ' if len(names) > 1 else ''}{names[-1]} are posted by the house"
        if names
        else "the awards are on a separate table"
    )
    return what + (f"; give them all at once, as in --option '{option}={{{rows}}}'" if option else "")


def _paid(book: Book) -> dict[Category, Fraction]:
    """Return how many hands stay in the round, for each category with an award that may be folded."""
    assert book.progressive is not None
    if book.exchange is not None or book.dealer is None or book.progressive.folded == "payable":
        return {}
    from aceking.exact.stud.money import common_denominator, nets
    from aceking.exact.stud.play import play
    from aceking.exact.stud.rows import STATES, stud_rows

    doubtful = [category for category in book.progressive.awards if not progressive.never_folded(book, category)]
    if not doubtful:
        return {}
    table, money = (
        stud_rows(book.dealer.qualifies_with, book.dealer.qualifies_too, ace_low=book.hands.ace_low),
        nets(book),
    )
    paid = {}
    for category in doubtful:
        part = copy(table)
        part.all = tuple(rows for rows in table.all if rows.block.category is category)
        _, bets = play(part, money, scale=common_denominator(money))
        paid[category] = Fraction(bets * progressive.HANDS, STATES)  # bets are counted with every up-card
    return paid


def _award(book: Book, award: AwardAmount) -> str:
    assert not isinstance(award, Posted)
    return f"{award} of the meter" if isinstance(award, Share) else shown(award.amount, decimals=book.decimals)
