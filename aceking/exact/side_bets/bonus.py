"""The bonus beside a game against a pay table: its price alone, and the best play of main wager and bonus together.

The bonus hangs on the same cards as ante and bet, and on the same decision: which card is laid aside, whether an
instant winner is declared, whether the hand is folded. So a stake on it can change the best play of the hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from aceking.cards.card import Card
from aceking.cards.hand import HandRank
from aceking.cards.three import Instant
from aceking.exact.community import play
from aceking.exact.community.edge import main_nets, value_of
from aceking.exact.community.kinds import Kinds, Whole
from aceking.exact.community.play import Game, Nets
from aceking.exact.figures import Edge, Values
from aceking.rules.book import Book
from aceking.rules.vocabulary import Bonus


@dataclass(frozen=True, slots=True)
class Beside:
    """Ante, bet and bonus under one way of playing."""

    ratio: Fraction  # the stake on the bonus, in antes
    main: Edge  # ante and bet alone, in antes
    bonus: Edge  # the bonus alone, in units of its own stake
    together: Edge  # all wagers, in antes
    changed: Fraction  # how often a hand is played otherwise than without the bonus


def joint(book: Book, *, ratio: Fraction) -> Beside:
    """The best play of all wagers together, with so many antes staked on the bonus."""
    if ratio < 0:
        raise ValueError(f"the stake on the bonus is {ratio} antes; it cannot be less than none")
    main, bonus = _both(book)
    return _beside(book, ratio, [main.plus(bonus, times=ratio)])


def for_main(book: Book, *, ratio: Fraction) -> Beside:
    """Ante and bet played as if there were no bonus; only where two decisions are worth the same the bonus decides."""
    return _beside(book, ratio, list(_both(book)))


def for_bonus(book: Book, *, ratio: Fraction) -> Beside:
    """Every hand played for the bonus; only where that leaves a choice ante and bet decide."""
    main, bonus = _both(book)
    return _beside(book, ratio, [bonus, main])


def value(book: Book, three: Sequence[Card], *, ratio: Fraction) -> Values:
    """What each decision is worth with these three cards, in antes, with so many antes staked on the bonus."""
    main, bonus = _both(book)
    return value_of(book, three, main.plus(bonus, times=ratio))


def bonus_nets(book: Book, kinds: Kinds) -> Nets:
    """What one chip on the bonus nets, by decision."""
    bonus = _offered(book)
    settled = tuple(_settled(bonus, start) for start in kinds.starts)
    return Nets(
        bet=settled,
        stay=None if book.bet.required else settled,
        fold=_folded(book, bonus) if "fold" in book.decide.choices else None,
        declare={} if book.instant is None else {which: _declared(bonus, which) for which in Instant},
    )


def _both(book: Book) -> tuple[Nets, Nets]:
    kinds = play.game(book).kinds
    return main_nets(book, kinds), bonus_nets(book, kinds)


def _beside(book: Book, ratio: Fraction, aims: Sequence[Nets]) -> Beside:
    deals = play.game(book)
    main, bonus = _both(book)
    chosen, plain = _chosen(deals, aims), _chosen(deals, [main, bonus])
    tally = play.tally(deals, chosen)
    bet = Fraction(book.bet.antes)
    differs = int(deals.hands.deals[chosen != plain].sum())
    return Beside(
        ratio=ratio,
        main=tally.edge(book, main, bet=bet),
        bonus=tally.edge(book, bonus, bet=Fraction(0)),
        together=tally.edge(book, main.plus(bonus, times=ratio), ante=1 + ratio, bet=bet),
        changed=Fraction(differs, int(deals.hands.deals.sum())),
    )


def _chosen(deals: Game, aims: Sequence[Nets]) -> Whole:
    """The decision of each hand: the best for the first aim, among equals the best for the next."""
    left = play.open_to(deals, aims[0])
    for aim in aims:
        left = play.best(play.worth(deals, aim, play.scale(aim)), left)
    chosen: Whole = left.argmax(axis=1)
    return chosen


def _offered(book: Book) -> Bonus:
    if book.bonus is None or not book.bonus.offered:
        raise ValueError(f"{book.id} offers no bonus")
    return book.bonus


def _settled(bonus: Bonus, hand: HandRank) -> Fraction:
    """From the threshold on a hand is paid by its row; a row that pays nothing is a push, no row a loss."""
    return bonus.pays.get(hand.category, Fraction(-1)) if hand >= bonus.pushes_with else Fraction(-1)


def _declared(bonus: Bonus, which: Instant) -> Fraction:
    return bonus.pays.get(which, Fraction(-1)) if bonus.instant == "paid-at-declaration" else Fraction(-1)


def _folded(book: Book, bonus: Bonus) -> Fraction:
    if bonus.folded is None:
        raise ValueError(f"{book.id}: a hand may be folded, but no clause says what becomes of its bonus")
    return Fraction(-1) if bonus.folded == "lost" else Fraction(0)
