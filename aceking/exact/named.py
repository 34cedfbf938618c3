"""What a named side wager costs: how often each of its rows is paid, every deal counted once.

The hand of a wager is as likely as any other of its cards: five of one's own, six with the up-card, the dealer's five,
three of one's own. Where a wager is lost or returned with a folded hand, ante and bet are played for the best, as if
there were no side wager. What the others' hands pay for envy is told for each other box that plays.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import strengths
from aceking.cards.card import Card
from aceking.cards.fast import ranker
from aceking.cards.hand import Category
from aceking.cards.three import category_of_three
from aceking.exact import best_of_six, progressive
from aceking.exact.community import play
from aceking.exact.community.edge import main_nets
from aceking.exact.community.hands import Hands, hands_of
from aceking.exact.games import rounded
from aceking.exact.stud.money import common_denominator, nets
from aceking.exact.stud.play import bets_by_category
from aceking.exact.stud.rows import DEALER_HANDS, STATES, stud_rows
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.qualifier import qualifier
from aceking.rules.vocabulary import NamedSide

_HANDS = comb(52, 5)


@dataclass(frozen=True, slots=True)
class Chances:
    """How often the hand of a wager is of each class and counts, and how often the stake comes back unplayed."""

    of: Mapping[Category, Fraction]
    returned: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class NamedEdge:
    """The figures of a named side wager."""

    rows: Mapping[Category, Fraction]  # how often it is paid by each row
    nets: Mapping[Fraction, Fraction]  # net result of one unit staked: how often
    envy: Fraction | None  # minor units, for each other box that plays; None where the wager has none

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of each unit staked, envy left aside."""
        return -sum((net * chance for net, chance in self.nets.items()), Fraction(0))

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of the result of one unit staked, envy left aside."""
        square = sum((net**2 * chance for net, chance in self.nets.items()), Fraction(0))
        return sqrt(square - self.house_edge**2)


def named_edge(book: Book, name: str) -> NamedEdge:
    """The figures of a wager; ValueError with a sentence where they are not counted."""
    side = book.sides[name]
    chances = _chances(book, name, side)
    table = side.pays or {row: Fraction(prize, side.stake or 1) - 1 for row, prize in side.awards.items()}
    rows = {row: chances.of[row] for row in Category if row in table}
    nets: dict[Fraction, Fraction] = {}
    lost = 1 - sum(rows.values()) - chances.returned
    paid = [(Fraction(table[row]), chance) for row, chance in rows.items()]
    for net, chance in (*paid, (Fraction(0), chances.returned), (Fraction(-1), lost)):
        if chance:
            nets[net] = nets.get(net, Fraction(0)) + chance
    return NamedEdge(rows, nets, _envy(book, name, side, chances))


def named_figures(book: Book, name: str) -> dict[str, Any]:
    """The figures of a wager as JSON has them, or `open`: why there are none."""
    side = book.sides[name]
    try:
        edge = named_edge(book, name)
    except ValueError as refused:
        return {"open": str(refused).removeprefix(f"{book.id}: ")}
    found = {
        "stake": stake_text(book, side),
        "cards": side.cards,
        "house_edge": str(edge.house_edge),
        "standard_deviation": rounded(edge.standard_deviation),
        "rows": {row.title: str(chance) for row, chance in sorted(edge.rows.items(), reverse=True)},
    }
    if edge.envy is None:
        return found
    least = side.stake or side.min
    assert least is not None
    envy = {"for_each_other_box": str(edge.envy / 10**book.decimals), "of_least_stake": str(edge.envy / least)}
    return {**found, "envy": envy}


def stake_text(book: Book, side: NamedSide) -> str:
    """`5`, or `1 to 100`."""
    amounts = (side.stake,) if side.stake is not None else (side.min, side.max)
    return " to ".join(shown(one, decimals=book.decimals) for one in amounts if one is not None)


def _envy(book: Book, name: str, side: NamedSide, chances: Chances) -> Fraction | None:
    if not side.envy:
        return None
    if side.folded not in (None, "stands"):
        raise _uncounted(book, name, "folded", "envy is counted where a folded wager stands")
    return sum((chances.of[row] * prize for row, prize in side.envy.items()), Fraction(0))


def _uncounted(book: Book, name: str, field: str, says: str) -> ValueError:
    key = f"sides.{name}.{field}"
    return ValueError(f"{book.id}: {book.cite_first(key, f'sides.{name}.cards')}: {key}: {says}")


def _chances(book: Book, name: str, side: NamedSide) -> Chances:
    if book.dealer is None:
        return _at_a_paytable(book, side)
    if book.exchange is not None:
        raise _uncounted(book, name, "cards", "it is counted in games without an exchange")
    if book.hands.community:
        raise _uncounted(book, name, "cards", "it is counted in games without community cards")
    match side.cards:
        case "own":
            return _own(book, name, side)
        case "dealer":
            return _dealer(book, name, side)
        case _:
            return _with_up_card(book, name, side)


def _own(book: Book, name: str, side: NamedSide) -> Chances:
    """Five cards of one's own: all of them, or those that are bet; with every dealer's hand, or some."""
    if side.folded == "stands" and _needs_nothing(side):
        counts = progressive.frequencies(ace_low=book.hands.ace_low)
        return Chances({row: Fraction(count, _HANDS) for row, count in counts.items()})
    if side.folded != "stands" and book.bet.antes_max is not None:
        raise _uncounted(book, name, "folded", "which hands are folded is counted for one size of bet")
    assert book.dealer is not None
    table = stud_rows(book.dealer.qualifies_with, book.dealer.qualifies_too, ace_low=book.hands.ace_low)
    money = None if side.folded == "stands" else nets(book)
    bets = bets_by_category(table, money, scale=1 if money is None else common_denominator(money))
    whole = STATES * DEALER_HANDS
    played = sum(deals for deals, _ in bets.values())
    counted = {row: _of_those(side, *bets.get(row, (0, 0))) for row in Category}
    returned = Fraction(whole - played, whole) if side.folded == "returned" else Fraction(0)
    return Chances({row: Fraction(count, whole) for row, count in counted.items()}, returned)


def _of_those(side: NamedSide, deals: int, unqualified: int) -> int:
    """The deals in which the dealer's hand is as the wager needs it."""
    if _needs_nothing(side):
        return deals
    return deals - unqualified if side.needs == "dealer-qualifies" else unqualified


def _needs_nothing(side: NamedSide) -> bool:
    return side.needs in (None, "nothing")


def _dealer(book: Book, name: str, side: NamedSide) -> Chances:
    """The dealer's five cards, by their strength: whether they qualify hangs on them alone."""
    if side.folded != "stands":
        raise _uncounted(book, name, "folded", "by the dealer's hand it is counted where a folded wager stands")
    assert book.dealer is not None
    by = ranker(ace_low=book.hands.ace_low)
    at = qualifier(book.dealer.qualifies_with, book.dealer.qualifies_too, ace_low=book.hands.ace_low)
    frequent = progressive.frequencies(ace_low=book.hands.ace_low)
    kinds = dict.fromkeys(Category, 0)
    met = dict.fromkeys(Category, 0)
    for strength, category in enumerate(by.categories):
        kinds[category] += 1
        met[category] += _needs_nothing(side) or at.plays(strength) == (side.needs == "dealer-qualifies")
    # All hands of one strength are equally many within a class.
    return Chances({row: Fraction(frequent[row] * met[row], _HANDS * kinds[row]) for row in Category})


def _with_up_card(book: Book, name: str, side: NamedSide) -> Chances:
    """Six cards: one's own and the up-card."""
    if side.folded != "stands":
        raise _uncounted(book, name, "folded", "with the up-card it is counted where a folded wager stands")
    if not _needs_nothing(side):
        raise _uncounted(book, name, "needs", "with the up-card it is counted where it needs nothing of the dealer")
    counts = best_of_six.best_of_six(ace_low=book.hands.ace_low)
    return Chances({row: Fraction(count, best_of_six.HANDS) for row, count in counts.items()})


def _at_a_paytable(book: Book, side: NamedSide) -> Chances:
    """The cards of one's own as they were dealt, or those that are kept with the community's."""
    if side.cards == "own" and side.folded in (None, "stands"):
        counted = _classes(book, hands_of(book.hands.cards, ways=1))
        whole = comb(52, book.hands.cards)
        return Chances({row: Fraction(int(number), whole) for row, number in zip(Category, counted, strict=True)})
    deals = play.game(book)
    main = main_nets(book, deals.kinds)
    chosen = play.best(play.worth(deals, main, play.scale(main)), play.open_to(deals, main)).argmax(axis=1)
    if side.cards == "own":
        counted = _classes(book, deals.hands, chosen != play.FOLD)
        whole = int(deals.hands.deals.sum())
    else:
        tally = play.tally(deals, chosen)
        counted = np.zeros(len(Category), np.int64)
        for start, bet, stay in zip(deals.kinds.starts, tally.bet, tally.stay, strict=True):
            counted[start.category] += bet + stay
        whole = int(counted.sum()) + tally.fold + sum(tally.declare.values())
    returned = Fraction(whole - int(counted.sum()), whole) if side.folded == "returned" else Fraction(0)
    return Chances({row: Fraction(int(number), whole) for row, number in zip(Category, counted, strict=True)}, returned)


def _classes(book: Book, every: Hands, kept: "NDArray[np.bool_] | None" = None) -> "NDArray[np.int64]":
    """How many hands as dealt are of each class: all of them, or those that are kept."""
    ace_low = book.hands.ace_low
    if every.cards.shape[1] == 3:
        three = every.cards.tolist()
        of = np.array([category_of_three([Card(one) for one in hand], ace_low=ace_low) for hand in three])
    else:
        of = np.array(ranker(ace_low=ace_low).categories)[strengths(every.cards.astype(np.uint8), ace_low=ace_low)]
    number = every.deals if kept is None else np.where(kept, every.deals, 0)
    counted = np.zeros(len(Category), np.int64)
    np.add.at(counted, of, number)
    return counted
