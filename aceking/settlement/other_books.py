"""One deal, every book: the same cards and chips laid out as each game has them."""

from itertools import islice

from msgspec.structs import replace

from aceking.cards.card import Card
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.odds import Amount, Fixed
from aceking.settlement.amounts import bet_sizes
from aceking.settlement.progressive import may_post
from aceking.settlement.scenario import Limits, Scenario, Seat, discards

_NUMBERS = ("no", "one", "two", "three", "four")


def adapted(book: Book, scenario: Scenario) -> tuple[Scenario, tuple[str, ...]]:
    """The scenario as the book would have it, and what had to be changed.

    A stud deal is laid out for a community game by keeping the first cards, sharing the last ones and adding the
    lowest free cards as discards. An exchange is dropped where the book has none, and the dealt hand is played.
    """
    notes: list[str] = []
    seats = scenario.seats
    community = scenario.community
    if book.hands.community and not community:
        kept, free = book.hands.cards - book.hands.discards, iter(_free(scenario))
        community = seats[0].cards[kept:]
        seats = tuple(_as_community(book, seat, tuple(islice(free, book.hands.discards))) for seat in seats)
        notes.append(f"keeps the first {_NUMBERS[kept]} cards, shares the last {_NUMBERS[len(community)]}")
    if book.exchange is None and any(seat.swap for seat in seats):
        seats = tuple(replace(seat, swap=None) for seat in seats)
        notes.append("no exchange: plays the hand as dealt")
    bought = scenario.bought
    if book.bought is None and bought is not None:
        seats, bought = tuple(replace(seat, buys=False) for seat in seats), None
        notes.append("no bought card: the dealer's hand as dealt")
    seats = tuple(_with_size_of_bet(book, seat) for seat in seats)
    unknown = dict.fromkeys(name for seat in seats for name, _ in seat.sides if name not in book.sides)
    if unknown:
        seats = tuple(replace(seat, sides=tuple(one for one in seat.sides if one[0] in book.sides)) for seat in seats)
        notes.append(f"has no wager {' or '.join(unknown)}")
    awards = {row: award for row, award in scenario.awards.items() if may_post(book, row, award)}
    dealer = scenario.dealer if book.dealer else ()
    laid = replace(scenario, seats=seats, community=community, dealer=dealer, awards=awards, bought=bought)
    return laid, tuple(notes)


def in_coins(scenario: Scenario, *, before: int, now: int) -> Scenario | None:
    """The same amounts in coins of another number of decimals; None where one of them is finer than such a coin."""
    if before == now:
        return scenario
    fine = False

    def coins(amount: Amount) -> Amount:
        nonlocal fine
        whole, rest = divmod(amount * 10**now, 10**before)
        fine = fine or bool(rest)
        return Amount(whole)

    def some(amount: Amount | None) -> Amount | None:
        return None if amount is None else coins(amount)

    limits = scenario.limits
    found = replace(
        scenario,
        seats=tuple(
            replace(
                seat,
                ante=coins(seat.ante),
                bet=some(seat.bet),
                side=coins(seat.side),
                sides=tuple((name, coins(stake)) for name, stake in seat.sides),
            )
            for seat in scenario.seats
        ),
        meter=some(scenario.meter),
        reset=some(scenario.reset),
        limits=None if limits is None else Limits(some(limits.least), some(limits.most)),
        awards={
            row: Fixed(coins(award.amount)) if isinstance(award, Fixed) else award
            for row, award in scenario.awards.items()
        },
    )
    return None if fine else found


def _free(scenario: Scenario) -> list[Card]:
    used = {one for seat in scenario.seats for one in seat.cards} | set(scenario.dealer)
    return [one for one in DECK if one not in used]


def _as_community(book: Book, seat: Seat, spare: tuple[Card, ...]) -> Seat:
    kept = seat.cards[: book.hands.cards - book.hands.discards]
    return replace(seat, cards=(*kept, *spare), discard=discards(spare), swap=None)


def _with_size_of_bet(book: Book, seat: Seat) -> Seat:
    """A bet of one or two antes is a bet of the book's own size; any other amount is kept as it is."""
    if seat.bet in bet_sizes(book, seat.ante):
        return seat
    if seat.bet in (seat.ante, 2 * seat.ante):
        return replace(seat, bet=Amount(seat.ante * book.bet.antes))
    return seat
