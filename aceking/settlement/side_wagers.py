"""The named side wagers: each has its own cards and pay table, and is settled after the main wagers.

The value `own` of a wager means the hand after an exchange, unless the book says that the first hand counts.
A hand that was folded or declared before it was complete is not judged.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from aceking.cards.card import CardId
from aceking.cards.hand import HandRank
from aceking.cards.three import rank_of_three
from aceking.money.chips import at_odds, shown
from aceking.rules.book import Book
from aceking.rules.odds import Amount
from aceking.rules.reading.did_you_mean import suggestion
from aceking.rules.refusal import Refusal
from aceking.rules.side_wagers import rows_of, table_of
from aceking.rules.thresholds import place
from aceking.rules.vocabulary import SideWagerRules
from aceking.settlement.hands import Bank, HeldHand
from aceking.settlement.judge import judge
from aceking.settlement.lines import Line, paying_place
from aceking.settlement.scenario import Scenario, ScenarioError, Seat


def sides_refused(book: Book, seat: Seat) -> Refusal | None:
    """Return why the book refuses a named side wager of a seat; None if it takes them. Raises ScenarioError."""
    for name, stake in seat.sides:
        if name not in book.sides:
            known = f"there are {', '.join(book.sides)}" if book.sides else "the book has none by name"
            raise ScenarioError(
                f"seat {seat.number}: sides: there is no wager {name!r}; {known}{suggestion(name, book.sides)}"
            )
        if refused := stake_refused(book, name, stake):
            return Refusal(f"seat {seat.number}: {refused.reason}", refused.clause)
        if not seat.ante:
            return Refusal(f"seat {seat.number}: the wager {name} needs an ante", book.cite("ante.required"))
    return None


def stake_refused(book: Book, name: str, stake: int) -> Refusal | None:
    """Return why a stake on a named side wager is refused; None if it is taken."""
    side = book.sides[name]
    most = book.table.wager_max
    if most is not None and stake > most:
        return Refusal(f"the wager {name} is over the limit", book.cite("table.wager_max"))
    if side.stake is not None:
        if stake == side.stake:
            return None
        size = shown(side.stake, decimals=book.decimals)
        return Refusal(
            f"the wager {name} is exactly {size}, not {shown(stake, decimals=book.decimals)}",
            _cite(book, name, "stake"),
        )
    assert side.min is not None
    assert side.max is not None
    if side.min <= stake <= side.max:
        return None
    least, greatest = (shown(one, decimals=book.decimals) for one in (side.min, side.max))
    return Refusal(
        f"the wager {name} is {least} to {greatest}, not {shown(stake, decimals=book.decimals)}",
        _cite(book, name, "min" if stake < side.min else "max"),
    )


def named_lines(book: Book, hands: Sequence[HeldHand], dealer: Bank | None, scenario: Scenario) -> Iterator[Line]:
    """Yield the lines of the named side wagers: seat by seat, each in the order of the book."""
    if not any(hand.seat.sides for hand in hands):
        return
    for hand in sorted(hands, key=lambda one: paying_place(book, one.number)):
        staked = dict(hand.seat.sides)
        for name, side in book.sides.items():
            if name in staked:
                yield _line(book, name, staked[name], hand, dealer, scenario)
                if side.envy and not _given_up(side, hand):
                    yield from _envy(book, name, hand, hands, dealer, scenario)


def _line(book: Book, name: str, stake: Amount, hand: HeldHand, dealer: Bank | None, scenario: Scenario) -> Line:
    side, number = book.sides[name], hand.number
    if _given_up(side, hand):
        back = side.folded == "returned"
        return Line(number, name, stake, "returned" if back else "lose", 0, _cite(book, name, "folded"))
    rank = _rank_of_wager(book, name, hand, scenario)
    if rank is None:
        return Line(number, name, stake, "lose", 0, _cite(book, name, "folded"))
    row, table = rank.category, table_of(side)
    back = not is_paid(side, rank) and comes_back(book, side, rank)
    if not is_paid(side, rank) and not back:
        rule = "pays_from" if row in (side.pays or side.awards) else table
        return Line(number, name, stake, "lose", 0, _cite(book, name, rule))
    if not _met(name, side, hand, dealer):
        return Line(number, name, stake, "lose", 0, _cite(book, name, "needs"))
    if back:
        return Line(number, name, stake, "push", 0, _cite(book, name, "returned_from"))
    clause = _cite(book, name, f"{table}.{row.key}")
    if is_spent(side):
        return Line(number, name, stake, "win", side.awards[row], clause, consumed=True)
    odds = side.pays[row]
    return Line(number, name, stake, "win" if odds else "push", at_odds(stake, odds), clause)


def _envy(
    book: Book, name: str, own: HeldHand, hands: Sequence[HeldHand], dealer: Bank | None, scenario: Scenario
) -> Iterator[Line]:
    """Yield what other players' hands pay: each hand in the round once, with a stake on it or not."""
    side = book.sides[name]
    for hand in sorted(hands, key=lambda one: paying_place(book, one.number)):
        same = hand.number == own.number or (hand.seat.player is not None and hand.seat.player == own.seat.player)
        if same or not hand.staked.ante or _given_up(side, hand):
            continue
        rank = _rank_of_wager(book, name, hand, scenario)
        if rank is not None and rank.category in side.envy and _met(name, side, hand, dealer):
            clause = _cite(book, name, f"envy.{rank.category.key}")
            yield Line(own.number, name, 0, "win", side.envy[rank.category], clause, envy_of=hand.number)


def _given_up(side: SideWagerRules, hand: HeldHand) -> bool:
    """Return True if the wager falls with the hand: it was folded, or declared before it was complete."""
    unformed = side.cards == "own-and-community" and hand.seat.play == "declare"
    return (hand.seat.gave_up or unformed) and side.folded != "stands"


def _met(name: str, side: SideWagerRules, hand: HeldHand, dealer: Bank | None) -> bool:
    """Return True if the dealer's hand meets the condition of the wager."""
    if side.needs in (None, "nothing"):
        return True
    if dealer is None:
        raise ScenarioError(f"dealer: the {name} of seat {hand.number} goes by the dealer's hand, and it is not given")
    return dealer.shown.qualifies == (side.needs == "dealer-qualifies")


def is_spent(side: SideWagerRules) -> bool:
    """Return True if the stake is gone even when the wager wins: it buys fixed awards."""
    return bool(side.awards)


def is_paid(side: SideWagerRules, rank: HandRank) -> bool:
    """Return True if the pay table has a row for the hand, and the hand reaches the lowest paid rank."""
    least = side.pays_from
    has_row = rank.category in (side.pays or side.awards)
    return has_row and (least is None or rank.category is not least.category or rank.ranks >= least.ranks)


def comes_back(book: Book, side: SideWagerRules, rank: HandRank) -> bool:
    """Return True if an unpaid hand gets its stake back: it reaches the book's limit, and is below all paid hands."""
    if side.returned_from is None:
        return False
    order = rows_of(book, side)
    lowest = next(one for one in order if one in side.pays)
    position = place(rank, order)
    return place(side.returned_from, order) <= position < place(side.pays_from or lowest, order)


def _rank_of_wager(book: Book, name: str, hand: HeldHand, scenario: Scenario) -> HandRank | None:
    """Return the rank of the cards that a wager uses; None if the hand was never complete."""
    rater, seat, side = judge(book), hand.seat, book.sides[name]
    own = seat.cards if side.exchanged == "first-hand" else seat.hand
    match side.cards:
        case "dealer":
            if not scenario.dealer:
                raise ScenarioError(
                    f"dealer: the {name} of seat {seat.number} goes by the dealer's hand, and it is not given"
                )
            return rater.ranks[rater.strength(scenario.dealer)]
        case "own-and-community":
            return None if hand.strength is None else rater.ranks[hand.strength]
        case _ if not seat.cards:
            return None
        case "own" if len(seat.cards) == 3:
            return rank_of_three(seat.cards, ace_low=book.hands.ace_low)
        case "own":
            return rater.ranks[rater.strength(own)]
        case _:
            if scenario.up_card is None:
                raise ScenarioError(
                    f"dealer: the {name} of seat {seat.number} goes by the dealer's up-card, and it is not given"
                )
            return best_of_six(book, (*own, scenario.up_card))


def best_of_six(book: Book, six: Sequence[CardId]) -> HandRank:
    """The best five of six cards."""
    rater = judge(book)
    return rater.ranks[max(rater.strength(five) for five in combinations(six, 5))]


def _cite(book: Book, name: str, field: str) -> str:
    """Return the clause of a wager's rule, or of its cards if no clause sets the rule."""
    return book.cite_first(f"sides.{name}.{field}", f"sides.{name}.cards")
