"""The named side wagers: each goes by its own cards and its own table, and is settled after the main wagers.

An exchange is over by then: `own` is the hand that is held at the end, unless the book says that the first one counts.
A hand that was given up before it was formed, by a fold or a declaration, is judged by nobody.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from aceking.cards.card import Card
from aceking.cards.hand import HandRank
from aceking.cards.three import rank_of_three
from aceking.money.chips import at_odds, shown
from aceking.rules.book import Book
from aceking.rules.odds import Amount
from aceking.rules.reading.did_you_mean import near
from aceking.rules.refusal import Refusal
from aceking.rules.side_wagers import rows_of, table_of
from aceking.rules.thresholds import place
from aceking.rules.vocabulary import NamedSide
from aceking.settlement.hands import Bank, HeldHand
from aceking.settlement.judge import judge
from aceking.settlement.lines import Line
from aceking.settlement.scenario import Scenario, ScenarioError, Seat


def sides_refused(book: Book, seat: Seat) -> Refusal | None:
    """Why the book does not take the named side wagers of a seat."""
    for name, stake in seat.sides:
        if name not in book.sides:
            there = f"there are {', '.join(book.sides)}" if book.sides else "the book has none by name"
            raise ScenarioError(
                f"seat {seat.number}: sides: there is no wager {name!r}; {there}{near(name, book.sides)}"
            )
        if refused := stake_refused(book, name, stake):
            return Refusal(f"seat {seat.number}: {refused.reason}", refused.clause)
        if not seat.ante:
            return Refusal(f"seat {seat.number}: the wager {name} needs an ante", book.cite("ante.required"))
    return None


def stake_refused(book: Book, name: str, stake: int) -> Refusal | None:
    """Why a stake on a named side wager is not taken."""
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
    """What becomes of the named side wagers: from the dealer's right, each in the order of the book."""
    if not any(hand.seat.sides for hand in hands):
        return
    for hand in sorted(hands, key=lambda one: one.number, reverse=True):
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
    made = _made(book, name, hand, scenario)
    if made is None:
        return Line(number, name, stake, "lose", 0, _cite(book, name, "folded"))
    row, table = made.category, table_of(side)
    back = not is_paid(side, made) and comes_back(book, side, made)
    if not is_paid(side, made) and not back:
        by = "pays_from" if row in (side.pays or side.awards) else table
        return Line(number, name, stake, "lose", 0, _cite(book, name, by))
    if not _met(name, side, hand, dealer):
        return Line(number, name, stake, "lose", 0, _cite(book, name, "needs"))
    if back:
        return Line(number, name, stake, "push", 0, _cite(book, name, "returned_from"))
    clause = _cite(book, name, f"{table}.{row.key}")
    if side.awards:
        return Line(number, name, stake, "win", side.awards[row], clause, consumed=True)
    odds = side.pays[row]
    return Line(number, name, stake, "win" if odds else "push", at_odds(stake, odds), clause)


def _envy(
    book: Book, name: str, own: HeldHand, hands: Sequence[HeldHand], dealer: Bank | None, scenario: Scenario
) -> Iterator[Line]:
    """What the hands of other players pay: each of them once, staked on or not, as long as it is in the round."""
    side = book.sides[name]
    for hand in sorted(hands, key=lambda one: one.number, reverse=True):
        same = hand.number == own.number or (hand.seat.player is not None and hand.seat.player == own.seat.player)
        if same or not hand.staked.ante or _given_up(side, hand):
            continue
        made = _made(book, name, hand, scenario)
        if made is not None and made.category in side.envy and _met(name, side, hand, dealer):
            clause = _cite(book, name, f"envy.{made.category.key}")
            yield Line(own.number, name, 0, "win", side.envy[made.category], clause, envy_of=hand.number)


def _given_up(side: NamedSide, hand: HeldHand) -> bool:
    """Whether the hand was given up, and the wager with it."""
    unformed = side.cards == "own-and-community" and hand.seat.play == "declare"
    return (hand.seat.play == "fold" or unformed) and side.folded != "stands"


def _met(name: str, side: NamedSide, hand: HeldHand, dealer: Bank | None) -> bool:
    """Whether the dealer's hand is as the wager needs it."""
    if side.needs in (None, "nothing"):
        return True
    if dealer is None:
        raise ScenarioError(f"dealer: the {name} of seat {hand.number} goes by the dealer's hand, and it is not given")
    return dealer.shown.qualifies == (side.needs == "dealer-qualifies")


def is_paid(side: NamedSide, made: HandRank) -> bool:
    """Whether a hand has a row, and is good enough for it."""
    least = side.pays_from
    has_row = made.category in (side.pays or side.awards)
    return has_row and (least is None or made.category is not least.category or made.ranks >= least.ranks)


def comes_back(book: Book, side: NamedSide, made: HandRank) -> bool:
    """Whether a hand that is not paid gets its stake back: it is good enough, and below all that are paid."""
    if side.returned_from is None:
        return False
    order = rows_of(book, side)
    lowest = next(one for one in order if one in side.pays)
    at = place(made, order)
    return place(side.returned_from, order) <= at < place(side.pays_from or lowest, order)


def _made(book: Book, name: str, hand: HeldHand, scenario: Scenario) -> HandRank | None:
    """The hand that the cards of a wager make; None where it was never whole."""
    by, seat, side = judge(book), hand.seat, book.sides[name]
    own = seat.cards if side.exchanged == "first-hand" else seat.hand
    match side.cards:
        case "dealer":
            if not scenario.dealer:
                raise ScenarioError(
                    f"dealer: the {name} of seat {seat.number} goes by the dealer's hand, and it is not given"
                )
            return by.ranks[by.strength(scenario.dealer)]
        case "own-and-community":
            return None if hand.strength is None else by.ranks[hand.strength]
        case _ if not seat.cards:
            return None
        case "own" if len(seat.cards) == 3:
            return rank_of_three(seat.cards, ace_low=book.hands.ace_low)
        case "own":
            return by.ranks[by.strength(own)]
        case _:
            if scenario.up_card is None:
                raise ScenarioError(
                    f"dealer: the {name} of seat {seat.number} goes by the dealer's up-card, and it is not given"
                )
            return best_of_six(book, (*own, scenario.up_card))


def best_of_six(book: Book, six: Sequence[Card]) -> HandRank:
    """The best five of six cards."""
    by = judge(book)
    return by.ranks[max(by.strength(five) for five in combinations(six, 5))]


def _cite(book: Book, name: str, field: str) -> str:
    """The clause of a rule of a wager; of its cards, where no clause sets the rule."""
    return book.cite_first(f"sides.{name}.{field}", f"sides.{name}.cards")
