"""Games against a pay table: their exact figures, and the value of each decision of a hand.

Each player makes a hand of five from the cards they keep and the cards that all share. They decide before they see any
of the shared cards.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from aceking.cards.card import CardError, CardId, names
from aceking.cards.hand import HandRank
from aceking.cards.three import Instant, instant
from aceking.exact.caps import under_caps
from aceking.exact.community import play
from aceking.exact.community.hands import rising
from aceking.exact.community.kinds import CommunityKinds
from aceking.exact.community.play import CommunityNets
from aceking.exact.figures import Edge, Values
from aceking.exact.stud.money import paid as paid_row
from aceking.exact.unpriced import check_choices
from aceking.rules.book import Book

_NUMBERS = ("none", "one", "two", "three", "four", "five")


def edge(book: Book) -> Edge:
    """Return the figures of the book under the best play, over all hands and all boards of each."""
    deals = play.game(book)
    nets = main_nets(book, deals.kinds)
    values = play.worth(deals, nets, play.scale(nets))
    chosen = play.best(values, play.open_to(deals, nets)).argmax(axis=1)
    return play.tally(deals, chosen).edge(book, nets, bet=Fraction(book.bet.antes))


def value(book: Book, hand: Sequence[CardId]) -> Values:
    """Return what each decision is worth with these cards, in antes."""
    return value_of(book, hand, main_nets(book, play.game(book).kinds))


def value_of(book: Book, hand: Sequence[CardId], nets: CommunityNets) -> Values:
    """Return what each decision is worth with these cards, in antes, for wagers with these net results."""
    check_hand(hand, size=book.hands.cards)
    deals, held = play.game(book), rising(hand)
    decisions: dict[str, Fraction] = {}
    winner = instant(hand, ace_low=book.instant.ace_low) if book.instant is not None else None
    if winner is not None:
        decisions["declare"] = nets.declare[winner]
    if nets.fold is not None:
        decisions["fold"] = nets.fold
    rows = deals.rows(held)
    for decision, paid in (("stay", nets.stay), ("bet", nets.bet)):
        if paid is None:
            continue
        for aside, row in zip(deals.shape.aside, rows, strict=True):
            total = sum(int(number) * net for number, net in zip(row, paid, strict=True))
            decisions[with_discards(decision, [held[place] for place in aside])] = Fraction(total, deals.shape.boards)
    return Values.of(decisions)


def with_discards(decision: str, aside: Sequence[CardId]) -> str:
    """Return the name of a decision that lays these cards aside: `bet discard 4d`; `bet` if there are none."""
    return f"{decision} discard {names(tuple(aside))}" if aside else decision


def check_hand(hand: Sequence[CardId], *, size: int = 3) -> None:
    """Raise CardError unless the hand has `size` different cards."""
    if len(hand) != size:
        raise CardError(f"{names(tuple(hand))!r} is {len(hand)} cards; a hand of this game is {_NUMBERS[size]}")
    if len(set(hand)) != size:
        raise CardError(f"{names(tuple(hand))!r} has a card twice; there is one deck of 52")


def main_nets(book: Book, kinds: CommunityKinds) -> CommunityNets:
    """Return the net result of ante and bet together, by decision. Raises UnpricedError for an unpriced decision."""
    check_choices(book)
    ante = tuple(_net(book, start, wager="ante") for start in kinds.starts)
    bet = tuple(_net(book, start, wager="bet") * book.bet.antes for start in kinds.starts)
    declared = {} if book.instant is None else {which: book.instant.pays[which] for which in Instant}
    return CommunityNets(
        bet=tuple(under_caps(book, ante=ante_net, bet=bet_net) for ante_net, bet_net in zip(ante, bet, strict=True)),
        stay=None if book.bet.required else tuple(under_caps(book, ante=net, bet=Fraction(0)) for net in ante),
        fold=Fraction(-1) if "fold" in book.decide.choices else None,
        declare={which: under_caps(book, ante=pays, bet=Fraction(0)) for which, pays in declared.items()},
    )


def _net(book: Book, hand: HandRank, *, wager: Literal["ante", "bet"]) -> Fraction:
    """Return the net result of one chip with this hand. Raises ValueError if the pay table has no row for it."""
    assert book.paytable is not None
    if hand < book.paytable.wins_with:
        return Fraction(0 if hand >= book.paytable.pushes_with else -1)
    if wager == "ante" and book.ante.pays != "by-hand":
        return book.ante.pays
    if hand.category not in book.bet.pays and book.bet.unlisted is None:
        raise ValueError(f"{book.id}: {hand.category.title} wins, but the pay table has no row for it")
    return paid_row(book, book.bet.pays, hand.category)
