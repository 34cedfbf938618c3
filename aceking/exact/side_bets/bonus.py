"""The bonus beside a game against a pay table: its price alone, and the best play of main wager and bonus together.

The bonus depends on the same cards as ante and bet, and on the same decisions: which card is laid aside, whether an
instant winner is declared, whether the hand is folded. So a stake on it can change the best play of the hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from aceking.cards.card import CardId
from aceking.cards.hand import HandRank
from aceking.cards.three import Instant
from aceking.exact.community import play
from aceking.exact.community.edge import main_nets, value_of
from aceking.exact.community.kinds import CommunityKinds, WholeNumbers
from aceking.exact.community.play import CommunityNets, CommunityPlay
from aceking.exact.figures import Edge, Values
from aceking.rules.book import Book
from aceking.rules.vocabulary import BonusRules


@dataclass(frozen=True, slots=True)
class BesideBonus:
    """The figures of ante, bet and bonus under one way of playing."""

    ratio: Fraction  # the stake on the bonus, in antes
    main: Edge  # ante and bet alone, in antes
    bonus: Edge  # the bonus alone, in units of its own stake
    together: Edge  # all wagers, in antes
    changed: Fraction  # how often a hand is played differently than without the bonus


def joint(book: Book, *, ratio: Fraction) -> BesideBonus:
    """Return the figures of the best play of all wagers together; `ratio` is the stake on the bonus in antes."""
    if ratio < 0:
        raise ValueError(f"the stake on the bonus is {ratio} antes; it cannot be less than none")
    main, bonus = _both(book)
    return _beside(book, ratio, [main.plus(bonus, times=ratio)])


def for_main(book: Book, *, ratio: Fraction) -> BesideBonus:
    """Return the figures if ante and bet are played as without a bonus. The bonus decides between equal decisions."""
    return _beside(book, ratio, list(_both(book)))


def for_bonus(book: Book, *, ratio: Fraction) -> BesideBonus:
    """Return the figures if every hand is played for the bonus. Ante and bet decide between equal decisions."""
    main, bonus = _both(book)
    return _beside(book, ratio, [bonus, main])


def value(book: Book, three: Sequence[CardId], *, ratio: Fraction) -> Values:
    """Return the value of each decision with these cards, in antes; `ratio` is the stake on the bonus in antes."""
    main, bonus = _both(book)
    return value_of(book, three, main.plus(bonus, times=ratio))


def bonus_nets(book: Book, kinds: CommunityKinds) -> CommunityNets:
    """Return the net result of one chip on the bonus, by decision."""
    bonus = _offered(book)
    settled = tuple(_settled(bonus, start) for start in kinds.starts)
    return CommunityNets(
        bet=settled,
        stay=None if book.bet.required else settled,
        fold=_folded(book, bonus) if "fold" in book.decide.choices else None,
        declare={} if book.instant is None else {which: _declared(bonus, which) for which in Instant},
    )


def _both(book: Book) -> tuple[CommunityNets, CommunityNets]:
    kinds = play.game(book).kinds
    return main_nets(book, kinds), bonus_nets(book, kinds)


def _beside(book: Book, ratio: Fraction, aims: Sequence[CommunityNets]) -> BesideBonus:
    deals = play.game(book)
    main, bonus = _both(book)
    chosen, plain = _chosen(deals, aims), _chosen(deals, [main, bonus])
    tally = play.tally(deals, chosen)
    bet = Fraction(book.bet.antes)
    differs = int(deals.hands.deals[chosen != plain].sum())
    return BesideBonus(
        ratio=ratio,
        main=tally.edge(book, main, bet=bet),
        bonus=tally.edge(book, bonus, bet=Fraction(0)),
        together=tally.edge(book, main.plus(bonus, times=ratio), ante=1 + ratio, bet=bet),
        changed=Fraction(differs, int(deals.hands.deals.sum())),
    )


def _chosen(deals: CommunityPlay, aims: Sequence[CommunityNets]) -> WholeNumbers:
    """Return the decision of each hand: the best for the first aim, and among equals the best for the next aim."""
    left = play.open_to(deals, aims[0])
    for aim in aims:
        left = play.best(play.worth(deals, aim, play.scale(aim)), left)
    chosen: WholeNumbers = left.argmax(axis=1)
    return chosen


def _offered(book: Book) -> BonusRules:
    if book.bonus is None or not book.bonus.offered:
        raise ValueError(f"{book.id} offers no bonus")
    return book.bonus


def _settled(bonus: BonusRules, hand: HandRank) -> Fraction:
    """A hand from the threshold up is paid by its row: a row of 0 is a push; without a row the bonus is lost."""
    return bonus.pays.get(hand.category, Fraction(-1)) if hand >= bonus.pushes_with else Fraction(-1)


def _declared(bonus: BonusRules, which: Instant) -> Fraction:
    return bonus.pays.get(which, Fraction(-1)) if bonus.instant == "paid-at-declaration" else Fraction(-1)


def _folded(book: Book, bonus: BonusRules) -> Fraction:
    if bonus.folded is None:
        raise ValueError(f"{book.id}: a hand may be folded, but no clause says what becomes of its bonus")
    return Fraction(-1) if bonus.folded == "lost" else Fraction(0)
