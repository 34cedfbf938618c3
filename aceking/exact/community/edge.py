"""Games against a pay table: what they cost over every deal, and what each decision of a hand is worth.

Each player holds three cards, lays one aside and makes a hand of the other two with three community cards.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from aceking.cards.card import Card, CardError, name, names
from aceking.cards.hand import HandRank
from aceking.cards.three import Instant, instant
from aceking.exact.community import play
from aceking.exact.community.counts import COMMUNITIES, states
from aceking.exact.community.hands import rising
from aceking.exact.community.kinds import Kinds
from aceking.exact.community.play import Nets
from aceking.exact.figures import Edge, Values
from aceking.exact.stud.money import paid as paid_row
from aceking.rules.book import Book


def edge(book: Book) -> Edge:
    """What the book costs, over all 22,100 hands and 18,424 communities of each, with the best play."""
    deals = play.game(book)
    nets = main_nets(book, deals.kinds)
    values = play.worth(deals, nets, play.scale(nets))
    chosen = play.best(values, play.open_to(deals, nets)).argmax(axis=1)
    return play.tally(deals, chosen).edge(book, nets, bet=Fraction(book.bet.antes))


def value(book: Book, three: Sequence[Card]) -> Values:
    """What each decision is worth with these three cards, in antes."""
    return value_of(book, three, main_nets(book, play.game(book).kinds))


def value_of(book: Book, three: Sequence[Card], nets: Nets) -> Values:
    """What each decision is worth with these three cards, for wagers that net so much."""
    one_hand(three)
    deals = play.game(book)
    low, middle, high = rising(three)
    decisions: dict[str, Fraction] = {}
    found = instant(three, ace_low=book.instant.ace_low) if book.instant is not None else None
    if found is not None:
        decisions["declare"] = nets.declare[found]
    if nets.fold is not None:
        decisions["fold"] = nets.fold
    kept = {low: (middle, high), middle: (low, high), high: (low, middle)}
    for decision, paid in (("stay", nets.stay), ("bet", nets.bet)):
        if paid is None:
            continue
        for discard, (first, second) in kept.items():
            row = deals.counts.table[states(np.array(first), np.array(second), np.array(discard))]
            total = sum(int(number) * net for number, net in zip(row, paid, strict=True))
            decisions[f"{decision} discard {name(discard)}"] = Fraction(total, COMMUNITIES)
    return Values.of(decisions)


def one_hand(three: Sequence[Card]) -> None:
    """Refuses anything but three cards of one deck."""
    if len(three) != 3:
        raise CardError(f"{names(tuple(three))!r} is {len(three)} cards; a hand of this game is three")
    if len(set(three)) != 3:
        raise CardError(f"{names(tuple(three))!r} has a card twice; there is one deck of 52")


def main_nets(book: Book, kinds: Kinds) -> Nets:
    """What ante and bet net together, by decision."""
    ante = tuple(_net(book, start, wager="ante") for start in kinds.starts)
    bet = tuple(_net(book, start, wager="bet") * book.bet.antes for start in kinds.starts)
    return Nets(
        bet=tuple(first + second for first, second in zip(ante, bet, strict=True)),
        stay=None if book.bet.required else ante,
        fold=Fraction(-1) if "fold" in book.decide.choices else None,
        declare={} if book.instant is None else {which: book.instant.pays[which] for which in Instant},
    )


def _net(book: Book, hand: HandRank, *, wager: Literal["ante", "bet"]) -> Fraction:
    """What one chip nets with this hand."""
    assert book.paytable is not None
    if hand < book.paytable.wins_with:
        return Fraction(0 if hand >= book.paytable.pushes_with else -1)
    if wager == "ante" and book.ante.pays != "by-hand":
        return book.ante.pays
    if hand.category not in book.bet.pays and book.bet.unlisted is None:
        raise ValueError(f"{book.id}: {hand.category.title} wins, but the pay table has no row for it")
    return paid_row(book, book.bet.pays, hand.category)
