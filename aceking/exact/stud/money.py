"""The possible results of a round against a dealer, in antes: the only place where counts meet money."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from aceking.cards.hand import Category, HandRank
from aceking.exact.caps import under_caps
from aceking.exact.unpriced import check_bought, check_choices
from aceking.rules.book import Book
from aceking.rules.odds import Pays
from aceking.settlement.amounts import price_of


@dataclass(frozen=True, slots=True)
class StudNets:
    """The net result of a round in antes, for each way in which it can end."""

    fold: Fraction
    unqualified: Fraction
    win: Mapping[Category, Fraction]
    tie: Fraction
    lose: Fraction
    saved: Category | None  # from this category up a beaten hand gets its ante back
    staked: Fraction  # chips down when the player folds
    bet: Fraction  # chips added by a bet
    paid_from: HandRank | None  # from this hand of its category up the ante of a win is paid, and the win nets `paid`
    paid: Fraction
    saved_from: HandRank | None  # from this hand of its category up a beaten hand gets its ante back

    @property
    def all(self) -> Iterable[Fraction]:
        return (self.fold, self.unqualified, *self.win.values(), self.tie, self.lose, self.paid)

    @property
    def cuts(self) -> tuple[HandRank, ...]:
        """The hands within categories from which up the results differ, rising."""
        return tuple(sorted(cut for cut in (self.paid_from, self.saved_from) if cut is not None))

    def at(self, hand: HandRank) -> "StudNets":
        """Return the results for this hand and others of its category up to the next cut."""
        results, category = self, hand.category
        if self.paid_from is not None and category is self.paid_from.category and hand >= self.paid_from:
            results = replace(results, win={**self.win, category: self.paid})
        if self.saved_from is not None and category is self.saved_from.category and hand >= self.saved_from:
            results = replace(results, saved=category)
        return results

    def lost(self, category: Category) -> Fraction:
        """Return the result of a beaten hand."""
        return self.lose if self.saved is None or category < self.saved else self.lose + 1


def nets(book: Book, *, exchanged: int = 0, antes: int | None = None) -> StudNets:
    """Return the results of a hand as dealt, or of an exchanged hand, which has lost the price and has its own pays.

    `exchanged` is the number of cards bought. `antes` is the size of the bet if the player chooses it; by default it is
    the smallest. Raises UnpricedError.
    """
    assert book.dealer is not None, f"{book.id} has no dealer's hand"
    check_choices(book)
    check_bought(book)
    price = Fraction(0)
    pays = book.bet.pays
    if exchanged:
        assert book.exchange is not None, f"{book.id} has no exchange"
        price, pays = price_of(book, exchanged), book.exchange.pays
    bet = Fraction(antes or book.bet.antes)
    paid_from, saved = book.ante.pays_from, book.ante.returned_from
    inside = paid_from if isinstance(paid_from, HandRank) else None
    unqualified = Fraction(book.dealer.unqualified_ante or 0)  # not set if the dealer always plays
    wins = {row: under_caps(book, ante=_ante(book, row), bet=bet * paid(book, pays, row)) for row in Category}
    least = Category.HIGH_CARD if inside is None else inside.category
    better = under_caps(book, ante=_ante_odds(book), bet=bet * paid(book, pays, least))
    return StudNets(
        fold=-1 - price,
        unqualified=under_caps(book, ante=unqualified, bet=Fraction(0)) - price,
        win={row: win - price for row, win in wins.items()},
        tie=-price,
        lose=-1 - bet - price,
        saved=_next(saved.category) if isinstance(saved, HandRank) else saved,
        staked=1 + price,
        bet=bet,
        paid_from=inside,
        paid=better - price,
        saved_from=saved if isinstance(saved, HandRank) else None,
    )


def common_denominator(*results: StudNets) -> int:
    """Return the smallest factor that makes all results integers."""
    return lcm(*(net.denominator for result in results for net in result.all))


def paid(book: Book, pays: Pays, category: Category) -> Fraction:
    """Return the odds of a bet that wins with such a hand; without a row it comes back (0) or is lost (-1)."""
    unlisted = Fraction(-1 if book.bet.unlisted == "lost" else 0)
    return pays.get(category, unlisted)


def _ante(book: Book, category: Category) -> Fraction:
    """Return what the ante of the weakest hand of a category is paid."""
    least = book.ante.pays_from
    if isinstance(least, HandRank):
        least = _next(least.category)
    return _ante_odds(book) if book.ante.pays_from is None or (least is not None and category >= least) else Fraction(0)


def _next(category: Category) -> Category | None:
    """Return the category above; None above the highest."""
    return next((above for above in Category if above > category), None)


def _ante_odds(book: Book) -> Fraction:
    assert book.ante.pays != "by-hand", "against a dealer's hand the ante has odds of its own"
    return Fraction(book.ante.pays)
