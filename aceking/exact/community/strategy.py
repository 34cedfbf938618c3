"""The strategy against a pay table: the best decision of every hand, rules of thumb, and what these cost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from aceking.cards.card import ACE, CardId, name, names, rank_of, suit_of
from aceking.cards.three import instant
from aceking.exact.community import play
from aceking.exact.community.counts import COMMUNITIES
from aceking.exact.community.edge import check_hand, main_nets, with_discards
from aceking.exact.figures import Edge
from aceking.rules.book import Book

#: The decision for three cards, named as by `value`: "declare", "fold", "stay discard 4d", "bet discard 4d".
CommunityRule = Callable[[Book, Sequence[CardId]], str]


@dataclass(frozen=True, slots=True)
class CommunityAdvice:
    """The best decision for one class of hands."""

    cards: str  # one hand of the class
    deals: int  # how many of the 22,100 hands are in it
    best: str
    value: Fraction  # in antes
    second: str
    margin: Fraction  # what the second best decision costs, in antes


@dataclass(frozen=True, slots=True)
class CommunityMistake:
    """A class of hands that a rule plays badly."""

    cards: str
    deals: int
    taken: str
    best: str
    costs: Fraction  # each time, in antes


@dataclass(frozen=True, slots=True)
class CommunityThumb:
    """A rule that a person can remember at the table."""

    name: str
    says: str
    rule: CommunityRule


def advice(book: Book) -> tuple[CommunityAdvice, ...]:
    """Return the complete best strategy: one line for each of the 1,755 classes of hands."""
    deals, values, allowed, unit = _table(book)
    lines = []
    for cards, number, row, open_to in zip(deals.hands.cards, deals.hands.deals, values, allowed, strict=True):
        # Sorting keeps the order of equal decisions, so the first is the one that `edge` takes.
        first, second = sorted(np.flatnonzero(open_to), key=lambda column: -int(row[column]))[:2]
        three = [CardId(int(one)) for one in cards]
        lines.append(
            CommunityAdvice(
                cards=names(tuple(three)),
                deals=int(number),
                best=_name(deals, three, int(first)),
                value=Fraction(int(row[first]), unit * COMMUNITIES),
                second=_name(deals, three, int(second)),
                margin=Fraction(int(row[first]) - int(row[second]), unit * COMMUNITIES),
            )
        )
    return tuple(lines)


def edge_of(book: Book, rule: CommunityRule) -> Edge:
    """Return the figures for a player who follows the rule. The rule must not depend on the names of suits."""
    deals = play.game(book)
    nets = main_nets(book, deals.kinds)
    chosen = np.array(columns(book, rule), np.int64)
    return play.tally(deals, chosen).edge(book, nets, bet=Fraction(book.bet.antes))


def mistakes(book: Book, rule: CommunityRule) -> tuple[CommunityMistake, ...]:
    """Return the hands that a rule plays badly, the most expensive over all deals first."""
    errors = []
    deals, values, allowed, unit = _table(book)
    best = play.best(values, allowed).argmax(axis=1)
    for row, taken in enumerate(columns(book, rule)):
        lost = int(values[row, best[row]]) - int(values[row, taken])
        if lost:
            three = [CardId(int(one)) for one in deals.hands.cards[row]]
            cost = Fraction(lost, unit * COMMUNITIES)
            shown = names(tuple(three)), int(deals.hands.deals[row])
            errors.append(
                CommunityMistake(*shown, _name(deals, three, taken), _name(deals, three, int(best[row])), cost)
            )
    return tuple(sorted(errors, key=lambda error: error.costs * error.deals, reverse=True))


def _table(book: Book) -> tuple[play.CommunityPlay, play.Exact, play.Allowed, int]:
    deals = play.game(book)
    nets = main_nets(book, deals.kinds)
    unit = play.scale(nets)
    return deals, play.worth(deals, nets, unit), play.open_to(deals, nets), unit


def best_columns(book: Book) -> tuple[int, ...]:
    """Return the best decision for each class, as a column of the table."""
    _, values, allowed, _ = _table(book)
    return tuple(int(column) for column in play.best(values, allowed).argmax(axis=1))


def columns(book: Book, rule: CommunityRule) -> list[int]:
    """Return the rule's decision for each class, as a column. ValueError if the rule names a forbidden decision."""
    deals, _, allowed, _ = _table(book)
    chosen = []
    for row, cards in enumerate(deals.hands.cards):
        three = [CardId(int(one)) for one in cards]
        decision = rule(book, three)
        by_name = {_name(deals, three, int(column)): int(column) for column in np.flatnonzero(allowed[row])}
        if decision not in by_name:
            raise ValueError(
                f"{book.id}: with {names(tuple(three))} a player may not {decision}; only {', '.join(by_name)}"
            )
        chosen.append(by_name[decision])
    return chosen


def _name(deals: play.CommunityPlay, hand: Sequence[CardId], column: int) -> str:
    return with_discards(deals.decision(column), [hand[place] for place in deals.aside(column)])


def _kept(three: Sequence[CardId]) -> dict[CardId, tuple[CardId, CardId]]:
    """Return the two cards that are kept, by the card laid aside, lowest first."""
    low, middle, high = sorted(three)
    return {low: (middle, high), middle: (low, high), high: (low, middle)}


def _goes_on(book: Book, kept: tuple[CardId, CardId], discard: CardId) -> str:
    """Return a bet or a stay. If a player may stay without betting, only a pair is worth the bet."""
    pair = rank_of(kept[0]) == rank_of(kept[1])
    return f"{'bet' if book.bet.required or pair else 'stay'} discard {name(discard)}"


def _is_instant(book: Book, three: Sequence[CardId]) -> bool:
    check_hand(three)
    return book.instant is not None and instant(three, ace_low=book.instant.ace_low) is not None


def two_highest(book: Book, three: Sequence[CardId]) -> str:
    """Keep a pair, else the two highest cards."""
    if _is_instant(book, three):
        return "declare"
    low, middle, high = sorted(three)
    discard = high if rank_of(low) == rank_of(middle) else low
    return _goes_on(book, _kept(three)[discard], discard)


def points(book: Book, three: Sequence[CardId]) -> str:
    """Keep a pair, else the two cards with the most points: two for a rank whose pair wins, one if it pushes."""
    if _is_instant(book, three):
        return "declare"

    def order(kept: tuple[CardId, CardId]) -> tuple[bool, int, bool, int, int]:
        first, second = (rank_of(card) for card in kept)
        suited = suit_of(kept[0]) == suit_of(kept[1])
        return (first == second, _points(book, kept), suited, -_gap(first, second), first + second)

    discard, kept = max(_kept(three).items(), key=lambda item: order(item[1]))
    pair, worth, suited, _, _ = order(kept)
    if "fold" in book.decide.choices and not (pair or worth or suited):
        return "fold"
    return _goes_on(book, kept, discard)


def _points(book: Book, kept: tuple[CardId, CardId]) -> int:
    """Two for each card whose pair wins, one for each whose pair pushes."""
    assert book.paytable is not None
    total = 0
    for threshold in (book.paytable.wins_with, book.paytable.pushes_with):
        # A pair reaches a threshold of its own category by its rank, and any threshold of a lower category.
        for card in kept:
            total += (1, rank_of(card)) >= (int(threshold.category), threshold.ranks[0])
    return total


def _gap(first: int, second: int) -> int:
    """Return the distance of two ranks; the ace is above the king and below the two."""
    low, high = sorted((first, second))
    return min(high - low, low + 1) if high == ACE else high - low


THUMBS = (
    CommunityThumb(
        name="two highest",
        says="Declare an instant winner. Keep a pair, else the two highest cards. "
        "Where you may stay without a bet, bet on a pair only.",
        rule=two_highest,
    ),
    CommunityThumb(
        name="points",
        says="Declare an instant winner. Keep a pair. Else count two points for a card whose pair wins and one for a "
        "card whose pair pushes, and keep the two cards with the most points; of equals those of one suit, then the "
        "closest in rank, then the highest. Fold two cards of different suits without a point where you may. "
        "Where you may stay without a bet, bet on a pair only.",
        rule=points,
    ),
)
