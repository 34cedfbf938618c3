"""The progressive beside a stud game: the value of a stake on it for every size of the meter.

An award goes to the five cards that a player was dealt, whatever the dealer holds. A stake is always consumed. Some
awards are a share of the meter and some an amount, so the value is a straight line: `constant + slope * meter`. Money
is in minor units. Two things are left out: two winners of one round who share an award, and the rounding up of a share
of the meter to the next coin.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import ceil, comb, lcm
from typing import NamedTuple

from aceking.cards import fast
from aceking.cards.card import CardId
from aceking.cards.deck import DECK
from aceking.cards.hand import Category, HandRank
from aceking.exact.caps import under_caps
from aceking.exact.stud.money import paid
from aceking.exact.unpriced import check_choices
from aceking.rules.book import Book
from aceking.rules.odds import Awards, Fixed, Pays, Posted, Share
from aceking.rules.vocabulary import ProgressiveRules

HANDS = comb(52, 5)
#: The middle of the picture in units of money, if the side bet is ahead at any meter.
_AHEAD = 50_000
#: The possible hands of the dealer once a player's five cards and the up-card are seen.
_DEALER_HANDS = comb(46, 4)
#: For each card: which of two ranks, and which suit. The pair of a full house has the suit that the three of a kind
#: lack, or it does not.
_SUITS = {
    Category.FOUR_OF_A_KIND: (((0, 0), (0, 1), (0, 2), (0, 3), (1, 0)),),
    Category.FULL_HOUSE: tuple(((0, 0), (0, 1), (0, 2), (1, 0), (1, other)) for other in (1, 3)),
}


@dataclass(frozen=True, slots=True)
class StraightLine:
    """The average net result of a stake on the progressive, in stakes, as a linear function of the meter."""

    book: str
    stake: int  # minor units
    constant: Fraction
    slope: Fraction  # for each minor unit of the meter

    def net(self, meter: Fraction | int) -> Fraction:
        """The player's average result for each unit staked, with this meter at lock-out."""
        return self.constant + self.slope * meter

    def house_edge(self, meter: Fraction | int) -> Fraction:
        """What the house keeps of each unit staked; negative if the meter favours the player."""
        return -self.net(meter)

    @property
    def break_even(self) -> Fraction:
        """The meter at which the side bet alone is even."""
        return self.even_with(Fraction(0), ante=0)

    def even_with(self, net_per_ante: Fraction, *, ante: int) -> Fraction:
        """Return the meter at which an ante of minor units and the side bet together are even. May raise ValueError."""
        if self.slope == 0:
            raise ValueError(f"{self.book}: no award is a share of the meter, so no meter makes the game even")
        return (-net_per_ante * ante / self.stake - self.constant) / self.slope


class AtMeter(NamedTuple):
    """A point of the picture of the edge against the meter."""

    meter: int
    side_edge: Fraction  # of the stake on the side bet
    whole_edge: Fraction  # of the ante, side bet included


def line(
    book: Book,
    awards: Awards | None = None,
    *,
    paid: Mapping[Category, int | Fraction] | None = None,
    exchanged: Fraction | None = None,
) -> StraightLine:
    """Return the value of the book's progressive; `awards` adds or replaces rows, such as those posted at the table.

    `paid` says how many of the 2,598,960 hands of a category stay in the round and are paid, if that is not all of
    them; it may be a fraction, if it depends on the up-card. `exchanged` is how often a card is bought; it matters if
    a player who exchanges gets the stake back. Raises ValueError if one of these is needed and missing.
    """
    rules = _rules(book)
    returned = _returned(book, exchanged)
    table = rows(book, awards)
    kept: dict[Category, int | Fraction] = {**frequencies(ace_low=book.hands.ace_low), **(paid or {})}
    for category in table:
        if category not in (paid or {}) and not _always_paid(book, rules, category):
            raise ValueError(
                f"{book.id}: {category.title} has an award, but it is not proved that every such hand is played; "
                "say how many are"
            )
    shares = sum(kept[category] * award.of_meter for category, award in table.items() if isinstance(award, Share))
    amounts = sum(kept[category] * award.amount for category, award in table.items() if isinstance(award, Fixed))
    return StraightLine(
        book=book.id,
        stake=rules.stake,
        constant=Fraction(amounts) / (HANDS * rules.stake) - 1 + returned,
        slope=Fraction(shares) / (HANDS * rules.stake),
    )


def middle(side: StraightLine, unit: int) -> int:
    """Return the meter in the middle of the picture: where the side bet is even, or a fixed one."""
    return ceil(side.break_even) if side.break_even > 0 else _AHEAD * unit


def against_meter(side: StraightLine, net_per_ante: Fraction, *, ante: int, meters: Sequence[int]) -> list[AtMeter]:
    """Return the edge of the side bet and of the whole game for each meter."""
    return [
        AtMeter(meter, side.house_edge(meter), -(net_per_ante + side.net(meter) * side.stake / ante))
        for meter in meters
    ]


def rows(book: Book, awards: Awards | None = None) -> dict[Category, Share | Fixed]:
    """Return the award of each category that is paid. ValueError if the house posts one and it is missing."""
    known: dict[Category, Share | Fixed] = {}
    if not _rules(book).awards and not awards:
        raise ValueError(f"{book.id}: the awards are on a separate table; give them")
    for category, award in {**_rules(book).awards, **(awards or {})}.items():
        if isinstance(award, Posted):
            raise ValueError(f"{book.id}: the award for {category.title} is posted by the house; give it")
        known[category] = award
    return known


def frequencies(*, ace_low: bool) -> dict[Category, int]:
    """Return how many of all hands of five cards are of each category."""
    straights = 10 if ace_low else 9
    flushes, ranks = 4 * comb(13, 5), comb(13, 5) * 4**5
    return {
        Category.ROYAL_FLUSH: 4,
        Category.STRAIGHT_FLUSH: 4 * straights - 4,
        Category.FOUR_OF_A_KIND: 13 * 48,
        Category.FULL_HOUSE: 13 * comb(4, 3) * 12 * comb(4, 2),
        Category.FLUSH: flushes - 4 * straights,
        Category.STRAIGHT: straights * 4**5 - straights * 4,
        Category.THREE_OF_A_KIND: 13 * comb(4, 3) * comb(12, 2) * 4**2,
        Category.TWO_PAIR: comb(13, 2) * comb(4, 2) ** 2 * 44,
        Category.PAIR: 13 * comb(4, 2) * comb(12, 3) * 4**3,
        Category.HIGH_CARD: ranks - flushes - straights * 4**5 + straights * 4,
    }


def never_folded(book: Book, category: Category) -> bool:
    """Return True if it is proved, without counting, that the best play of ante and bet never folds the category.

    Only a dealer's hand of that category or better can beat it. There are at most `_at_least` such hands in the whole
    deck, and 163,185 that the dealer may hold. A bet that loses costs ante and bet, and no other result costs
    anything, so betting loses at most (1 + bet) * that number / 163,185 antes on average; folding loses one.
    """
    if book.bet.unlisted == "lost":
        return False  # a win may cost the bet
    return (1 + book.bet.antes) * _at_least(book, category) < _DEALER_HANDS


def never_exchanged(book: Book, category: Category) -> bool:
    """Return True if it is proved, without counting, that the best play never exchanges a card of such a hand.

    Let q be the chance that the dealer qualifies. A bet on the hand then wins `gain`, unless the dealer holds an equal
    or better hand, as above. An exchange costs its price, and wins at most the new hand's gain if the dealer qualifies.
    The drawn card leaves C(45, 4) of C(46, 4) dealer hands, so it raises q to at most 46/42 of its value; the average
    of q over all cards that can be drawn is the same, and so is what an unqualified dealer pays. So the bet is better
    if its gain is at least 1/42 of the sum of the new gains over the 47 cards, and if the price is more than what
    stronger hands cost.
    """
    assert book.exchange is not None
    if isinstance(book.ante.pays_from, HandRank):
        return False  # the gain of a hand depends on more than its category
    lost = _gain(book, book.bet.pays, category) + 1 + book.bet.antes
    if lost * _at_least(book, category) >= book.exchange.price_antes * _DEALER_HANDS:
        return False
    gains = [_gain(book, book.bet.pays, category), *(_gain(book, book.exchange.pays, other) for other in Category)]
    unit = lcm(*(gain.denominator for gain in gains))
    kept, *drawn = (int(gain * unit) for gain in gains)
    return _beats_draws(category, kept * 42, tuple(drawn), book.hands.ace_low)


@cache
def _beats_draws(category: Category, most: int, gains: tuple[int, ...], ace_low: bool) -> bool:
    """Return True if for each hand of the category the gains over the 47 possible cards sum to at most `most`."""
    ranker = fast.ranker(ace_low=ace_low)
    by_strength = [gains[reached] for reached in ranker.categories]
    hands = (hand for hand in _patterns(category) if ranker.categories[ranker.strength(hand)] is category)
    for hand in hands:
        left = [card for card in DECK if card not in hand]
        for rest in combinations(hand, 4):
            if sum(by_strength[ranker.strength((*rest, card))] for card in left) > most:
                return False
    return True


def _gain(book: Book, pays: Pays, category: Category) -> Fraction:
    """What ante and bet win together, in antes."""
    assert book.ante.pays != "by-hand"
    least = book.ante.pays_from
    assert not isinstance(least, HandRank)
    ante = least is None or category >= least
    won = book.ante.pays if ante else Fraction(0)
    return under_caps(book, ante=won, bet=book.bet.antes * paid(book, pays, category))


def _at_least(book: Book, category: Category) -> int:
    return sum(count for other, count in frequencies(ace_low=book.hands.ace_low).items() if other >= category)


def _patterns(category: Category) -> Iterator[tuple[CardId, ...]]:
    """Yield hands that include all hands of a category from the flush up, up to a renaming of suits."""
    if category not in _SUITS:
        yield from (tuple(CardId(4 * value) for value in values) for values in combinations(range(13), 5))
        return
    for ranks in permutations(range(13), 2):
        for suits in _SUITS[category]:
            yield tuple(CardId(4 * ranks[which] + suit) for which, suit in suits)


def _always_paid(book: Book, rules: ProgressiveRules, category: Category) -> bool:
    """Return True if no such hand is folded or exchanged, which would forfeit the award. Not tried below a flush."""
    if book.exchange is not None and (category < Category.FLUSH or not never_exchanged(book, category)):
        return False
    return rules.folded == "payable" or never_folded(book, category)


def _returned(book: Book, exchanged: Fraction | None) -> Fraction:
    """Return how often the stake comes back without a win. ValueError if that depends on `exchanged` and it is None."""
    if book.exchange is None or book.exchange.side == "lost":
        return Fraction(0)
    if exchanged is None:
        raise ValueError(f"{book.id}: the stake goes back to a player who exchanges; say how often that is")
    return exchanged


def _rules(book: Book) -> ProgressiveRules:
    check_choices(book)
    if book.progressive is None:
        raise ValueError(f"{book.id} has no progressive")
    return book.progressive
