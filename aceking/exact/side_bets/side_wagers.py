"""The cost of a named side wager: how often each of its rows is paid, every deal counted once.

Each hand of a wager's cards is equally likely: five cards of the player's own, six with the up-card, the dealer's five,
or three of the player's own. If a folded hand loses the wager or gets it back, ante and bet are played for the best, as
if there were no side wager. What envy pays for the hands of others is given for each other box that plays.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import strengths
from aceking.cards.card import CardId
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, HandRank
from aceking.cards.three import rank_of_three
from aceking.exact.community import play
from aceking.exact.community.edge import main_nets
from aceking.exact.community.hands import CommunityHands, hands_of
from aceking.exact.exchange.edge import DEALS
from aceking.exact.exchange.finals import final_hands
from aceking.exact.games import rounded
from aceking.exact.side_bets import best_of_six, progressive
from aceking.exact.stud.money import common_denominator, nets
from aceking.exact.stud.play import bets_by_hand
from aceking.exact.stud.rows import DEALER_HANDS, STATES, stud_rows
from aceking.exact.stud.states import states
from aceking.exact.unpriced import check_choices
from aceking.money.chips import at_odds, shown
from aceking.rules.book import Book
from aceking.rules.odds import PayTableRow
from aceking.rules.qualifier import qualifier
from aceking.rules.side_wagers import rows_of
from aceking.rules.thresholds import or_better
from aceking.rules.vocabulary import SideWagerRules

_HANDS = comb(52, 5)
Cuts = tuple[HandRank, ...]
_BESIDE = "the best play of ante and bet"


@dataclass(frozen=True, slots=True)
class Chances:
    """How often the hand of a wager is of each category and counts, and how often the stake comes back unplayed."""

    of: Mapping[Category, Fraction]
    since: Mapping[HandRank, Fraction]  # by threshold: how often the hand is of its category, not below it, and counts
    returned: Fraction = Fraction(0)
    by_play: bool = False  # it depends on how ante and bet are played

    @classmethod
    def counted(
        cls,
        hands: Iterable[tuple[HandRank, int]],
        cuts: Cuts,
        *,
        whole: int,
        returned: Fraction = Fraction(0),
        by_play: bool = False,
    ) -> "Chances":
        """Return the chances from (hand, deals) pairs; a part of a category may be given by its weakest hand."""
        of, since = dict.fromkeys(Category, 0), dict.fromkeys(cuts, 0)
        for hand, number in hands:
            of[hand.category] += number
            for cut in cuts:
                since[cut] += number * (hand.category is cut.category and hand.ranks >= cut.ranks)
        return cls(
            {row: Fraction(number, whole) for row, number in of.items()},
            {cut: Fraction(number, whole) for cut, number in since.items()},
            returned,
            by_play,
        )

    def not_below(self, least: HandRank | Category) -> Fraction:
        """Return how often the hand is of a threshold's category, not below it, and counts."""
        return self.of[least] if isinstance(least, Category) else self.since[least]


@dataclass(frozen=True, slots=True)
class NamedEdge:
    """The figures of a named side wager."""

    rows: Mapping[Category, Fraction]  # how often it is paid by each row
    back: Fraction  # how often a hand below the paid rows gets the stake back
    nets: Mapping[Fraction, Fraction]  # net result of one unit staked: how often
    envy: Fraction | None  # minor units, for each other box that plays; None if the wager has none
    by_play: bool = False  # it depends on how ante and bet are played: for the best

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of each unit staked, without envy."""
        return -sum((net * chance for net, chance in self.nets.items()), Fraction(0))

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of the result of one unit staked, without envy."""
        square = sum((net**2 * chance for net, chance in self.nets.items()), Fraction(0))
        return sqrt(square - self.house_edge**2)


def named_edge(book: Book, name: str) -> NamedEdge:
    """Return the figures of a named side wager. Raises ValueError with a sentence if they are not counted."""
    check_choices(book)
    side = book.sides[name]
    chances = _chances(book, name, side)
    table = _nets(side)
    least = side.pays_from
    rows = {
        row: chances.of[row] if least is None or row is not least.category else chances.since[least]
        for row in Category
        if row in table
    }
    back = _back(book, side, chances)
    nets: dict[Fraction, Fraction] = {}
    lost = 1 - sum(rows.values()) - back - chances.returned
    paid = [(Fraction(table[row]), chance) for row, chance in rows.items()]
    for net, chance in (*paid, (Fraction(0), back + chances.returned), (Fraction(-1), lost)):
        if chance:
            nets[net] = nets.get(net, Fraction(0)) + chance
    return NamedEdge(rows, back, nets, _envy(book, name, side, chances), chances.by_play)


def _nets(side: SideWagerRules) -> Mapping[PayTableRow, Fraction]:
    """Return the net result of each row per unit staked; for a fixed stake with wins rounded up to the coin."""
    if side.stake is None:
        return side.pays
    won = {row: Fraction(at_odds(side.stake, odds), side.stake) for row, odds in side.pays.items()}
    return won or {row: Fraction(prize, side.stake) - 1 for row, prize in side.awards.items()}


def _back(book: Book, side: SideWagerRules, chances: Chances) -> Fraction:
    """Return how often a hand is below the paid rows and good enough to get its stake back."""
    first = side.returned_from
    if first is None:
        return Fraction(0)
    order = rows_of(book, side)
    lowest = next(row for row in order if row in side.pays)
    start, end = (order.index(one if isinstance(one, Category) else one.category) for one in (first, lowest))
    paid = Fraction(0) if side.pays_from is None else chances.since[side.pays_from]
    rows = order[start + 1 : end + (side.pays_from is not None)]
    return chances.not_below(first) + sum((chances.of[row] for row in rows), Fraction(0)) - paid


def named_figures(book: Book, name: str) -> dict[str, Any]:
    """Return the figures of a wager as JSON data, or `open` with the reason why there are none."""
    side = book.sides[name]
    try:
        edge = named_edge(book, name)
    except ValueError as refused:
        return {"open": str(refused).removeprefix(f"{book.id}: ")}
    figures = {
        "stake": stake_text(book, side),
        "cards": side.cards,
        "house_edge": str(edge.house_edge),
        "standard_deviation": rounded(edge.standard_deviation),
        "rows": {or_better(row, side.pays_from): str(edge.rows[row]) for row in sorted(edge.rows, reverse=True)},
        **({"beside": _BESIDE} if edge.by_play else {}),
        **({} if side.returned_from is None else {"stake_back": str(edge.back)}),
    }
    if edge.envy is None:
        return figures
    least = side.stake or side.min
    assert least is not None
    envy = {"for_each_other_box": str(edge.envy / 10**book.decimals), "of_least_stake": str(edge.envy / least)}
    return {**figures, "envy": envy}


def stake_text(book: Book, side: SideWagerRules) -> str:
    """Return the stake as text: `5`, or `1 to 100`."""
    amounts = (side.stake,) if side.stake is not None else (side.min, side.max)
    return " to ".join(shown(amount, decimals=book.decimals) for amount in amounts if amount is not None)


def _envy(book: Book, name: str, side: SideWagerRules, chances: Chances) -> Fraction | None:
    if not side.envy:
        return None
    if side.folded not in (None, "stands"):
        raise _uncounted(book, name, "folded", "envy is counted where a folded wager stands")
    return sum((chances.of[row] * prize for row, prize in side.envy.items()), Fraction(0))


def _uncounted(book: Book, name: str, field: str, says: str) -> ValueError:
    key = f"sides.{name}.{field}"
    return ValueError(f"{book.id}: {book.cite_first(key, f'sides.{name}.cards')}: {key}: {says}")


def _chances(book: Book, name: str, side: SideWagerRules) -> Chances:
    if book.dealer is None:
        return _at_a_paytable(book, side)
    if book.exchange is not None and side.cards != "dealer":
        if side.exchanged != "first-hand":
            return _final(book, name, side)
        if side.folded != "stands":
            raise _uncounted(book, name, "folded", "by the first hand it is counted where a folded wager stands")
    if book.hands.community:
        raise _uncounted(book, name, "cards", "it is counted in games without community cards")
    match side.cards:
        case "own":
            return _own(book, name, side)
        case "dealer":
            return _dealer(book, name, side)
        case _:
            return _with_up_card(book, name, side)


def _own(book: Book, name: str, side: SideWagerRules) -> Chances:
    """Five cards of the player's own: all hands or those that are bet, with every dealer's hand or some of them."""
    if side.folded == "stands" and _needs_nothing(side):
        return _any_five(book, side)
    if side.folded != "stands" and book.bet.antes_max is not None:
        raise _uncounted(book, name, "folded", "which hands are folded is counted for one size of bet")
    assert book.dealer is not None
    table = stud_rows(book.dealer.qualifies_with, book.dealer.qualifies_too, ace_low=book.hands.ace_low)
    money = None if side.folded == "stands" else nets(book)
    scale = 1 if money is None else common_denominator(money)
    bets = list(bets_by_hand(table, money, scale=scale, cuts=_cuts(side)))
    whole = STATES * DEALER_HANDS
    played = sum(deals for _, deals, _ in bets)
    counted = ((hand, _of_those(side, deals, unqualified)) for hand, deals, unqualified in bets)
    returned = Fraction(whole - played, whole) if side.folded == "returned" else Fraction(0)
    return Chances.counted(counted, _cuts(side), whole=whole, returned=returned, by_play=money is not None)


def _final(book: Book, name: str, side: SideWagerRules) -> Chances:
    """The five cards held at the end of a game with an exchange, if ante and bet are played for the best."""
    assert book.exchange is not None
    first = "the first hand is counted (exchanged = 'first-hand')"
    if side.cards != "own":
        raise _uncounted(book, name, "cards", f"with the up-card a final hand is not counted; {first}")
    if book.exchange.cards > 1 or book.bought is not None:
        raise _uncounted(book, name, "cards", f"the final hand depends on a play that is not priced here; {first}")
    if _cuts(side) and not _needs_nothing(side):
        raise _uncounted(book, name, "needs", "of a final hand it is counted by whole rows, or with no need")
    bets = list(final_hands(book, folded=side.folded == "stands", cuts=_cuts(side)))
    played = sum(deals for _, deals, _ in bets)
    counted = ((hand, _of_those(side, deals, unqualified or 0)) for hand, deals, unqualified in bets)
    returned = Fraction(DEALS - played, DEALS) if side.folded == "returned" else Fraction(0)
    return Chances.counted(counted, _cuts(side), whole=DEALS, returned=returned, by_play=True)


def _any_five(book: Book, side: SideWagerRules, counts: Callable[[int], bool] = lambda strength: True) -> Chances:
    """Any five cards, or those of some strengths. In one category there are equally many hands of each strength."""
    hand_ranker, frequency = ranker(ace_low=book.hands.ace_low), progressive.frequencies(ace_low=book.hands.ace_low)
    kinds = Counter(hand_ranker.categories)
    hands = (
        (hand, frequency[hand.category] // kinds[hand.category])
        for strength, hand in enumerate(hand_ranker.ranks)
        if counts(strength)
    )
    return Chances.counted(hands, _cuts(side), whole=_HANDS)


def _cuts(side: SideWagerRules) -> Cuts:
    """Return the hands within rows from which up a wager is paid, or comes back."""
    return tuple(threshold for threshold in (side.pays_from, side.returned_from) if isinstance(threshold, HandRank))


def _of_those(side: SideWagerRules, deals: int, unqualified: int) -> int:
    """Return the deals in which the dealer's hand meets the wager's condition."""
    if _needs_nothing(side):
        return deals
    return deals - unqualified if side.needs == "dealer-qualifies" else unqualified


def _needs_nothing(side: SideWagerRules) -> bool:
    return side.needs in (None, "nothing")


def _dealer(book: Book, name: str, side: SideWagerRules) -> Chances:
    """The dealer's five cards by their strength, on which alone it depends whether they qualify."""
    if side.folded != "stands":
        raise _uncounted(book, name, "folded", "by the dealer's hand it is counted where a folded wager stands")
    assert book.dealer is not None
    if _needs_nothing(side):
        return _any_five(book, side)
    at = qualifier(book.dealer.qualifies_with, book.dealer.qualifies_too, ace_low=book.hands.ace_low)
    return _any_five(book, side, lambda strength: at.plays(strength) == (side.needs == "dealer-qualifies"))


def _with_up_card(book: Book, name: str, side: SideWagerRules) -> Chances:
    """Six cards, the player's own and the up-card: all hands or those that are bet, with every dealer's hand or some.

    What suits make of six cards depends only on the ranks held in the up-card's suit, so one hand stands for all states
    of a row.
    """
    if side.folded == "stands" and _needs_nothing(side):
        hands = best_of_six.by_hand(ace_low=book.hands.ace_low).items()
        return Chances.counted(hands, _cuts(side), whole=best_of_six.HANDS)
    if side.folded != "stands" and book.bet.antes_max is not None:
        raise _uncounted(book, name, "folded", "which hands are folded is counted for one size of bet")
    if book.exchange is not None:
        raise _uncounted(book, name, "needs", "with an exchange it is counted where it needs nothing of the dealer")
    every = states(book)
    six = np.column_stack([every.hands, every.ups])
    best = np.max(
        [strengths(np.delete(six, gone, axis=1), ace_low=book.hands.ace_low) for gone in range(six.shape[1])], axis=0
    )
    kept = every.number if side.folded == "stands" else np.where(every.best, every.number, 0)
    ranks, whole = ranker(ace_low=book.hands.ace_low).ranks, STATES * DEALER_HANDS
    number, unqualified = np.zeros((2, len(ranks)), np.int64)
    np.add.at(number, best, kept)
    np.add.at(unqualified, best, kept * every.unqualified)  # at most 2 * 10^13 over all deals
    deals = int(kept.sum()) * DEALER_HANDS
    each = zip(ranks, number.tolist(), unqualified.tolist(), strict=True)
    counted = ((hand, _of_those(side, many * DEALER_HANDS, without)) for hand, many, without in each)
    returned = Fraction(whole - deals, whole) if side.folded == "returned" else Fraction(0)
    return Chances.counted(counted, _cuts(side), whole=whole, returned=returned, by_play=side.folded != "stands")


def _at_a_paytable(book: Book, side: SideWagerRules) -> Chances:
    """The player's own cards as dealt, or those kept together with the community's."""
    if side.cards == "own" and side.folded in (None, "stands"):
        every = hands_of(book.hands.cards, ways=1)
        return Chances.counted(_as_dealt(book, every), _cuts(side), whole=comb(52, book.hands.cards))
    deals = play.game(book)
    main = main_nets(book, deals.kinds)
    chosen = play.best(play.worth(deals, main, play.scale(main)), play.open_to(deals, main)).argmax(axis=1)
    if side.cards == "own":
        counted = list(_as_dealt(book, deals.hands, chosen != play.FOLD))
        whole = int(deals.hands.deals.sum())
    else:
        tally = play.tally(deals, chosen)
        each = zip(deals.kinds.starts, tally.bet, tally.stay, strict=True)
        counted = [(start, bet + stay) for start, bet, stay in each]
        whole = sum(number for _, number in counted) + tally.fold + sum(tally.declare.values())
    gone = whole - sum(number for _, number in counted)
    returned = Fraction(gone, whole) if side.folded == "returned" else Fraction(0)
    return Chances.counted(counted, _cuts(side), whole=whole, returned=returned, by_play=True)


def _as_dealt(
    book: Book, every: CommunityHands, kept: "NDArray[np.bool_] | None" = None
) -> Iterator[tuple[HandRank, int]]:
    """Yield the hands as dealt, each with how often it comes: all of them, or those that are kept."""
    ace_low = book.hands.ace_low
    number = every.deals if kept is None else np.where(kept, every.deals, 0)
    if every.cards.shape[1] == 3:
        three = every.cards.tolist()
        of = [rank_of_three([CardId(one) for one in hand], ace_low=ace_low) for hand in three]
    else:
        ranks = ranker(ace_low=ace_low).ranks
        of = [ranks[one] for one in strengths(every.cards.astype(np.uint8), ace_low=ace_low).tolist()]
    yield from zip(of, number.tolist(), strict=True)
