"""The hands that players hold at the end of a game with an exchange, if ante and bet are played for the best.

Every deal of `exchange.edge` is counted once: hands that are not exchanged as they were dealt, the others as the hands
they become. It is also known whether a new hand is then bet or folded, so the bet hands can be counted alone.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from aceking.cards.array import cores
from aceking.cards.card import RANKS
from aceking.cards.hand import HandRank
from aceking.exact.exchange.counts import STUB
from aceking.exact.exchange.edge import ExchangeTable
from aceking.exact.stud.play import bets_by_hand
from aceking.exact.stud.rows import DEALER_HANDS
from aceking.rules.book import Book

#: A part of a category: its weakest hand, its deals, and those in which the dealer does not qualify, if known.
FinalPart = tuple[HandRank, int, int | None]


def final_hands(book: Book, *, folded: bool, cuts: Sequence[HandRank]) -> Iterator[FinalPart]:
    """Yield the final hands of all deals, or of those that are bet. A negative number corrects an earlier part."""
    table = ExchangeTable(book, cuts)
    money = None if folded else table.dealt
    for weakest, deals, unqualified in bets_by_hand(table.stud, money, scale=table.scale, cuts=cuts):
        yield weakest, deals * STUB, unqualified * STUB
    with ThreadPoolExecutor(cores()) as pool:
        for parts in pool.map(lambda up: list(_exchanged(table, up, folded=folded, cuts=cuts)), range(len(RANKS))):
            yield from parts


def _exchanged(table: ExchangeTable, up: int, *, folded: bool, cuts: Sequence[HandRank]) -> Iterator[FinalPart]:
    """Yield what the exchanges against one up-card change."""
    chosen = table.choose(up, folded=folded)
    if chosen is None:
        return
    for offer, at, states in chosen.left:
        kept = states if folded else states * offer.bet[at]
        yield offer.weakest, -int(kept.sum()) * DEALER_HANDS * STUB, -int(kept @ offer.counts[0][at]) * STUB
    yield from chosen.card.final_hands(chosen.played, chosen.states, cuts)
