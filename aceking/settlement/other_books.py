"""Lay out the same cards and chips for another book."""

from itertools import islice

from msgspec.structs import replace

from aceking.cards.card import CardId
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.odds import Amount, Fixed
from aceking.settlement.amounts import bet_sizes
from aceking.settlement.progressive import may_post
from aceking.settlement.scenario import AnteLimits, Scenario, Seat, discards

_NUMBERS = ("no", "one", "two", "three", "four")


def adapted(book: Book, scenario: Scenario) -> tuple[Scenario, tuple[str, ...]]:
    """Return the scenario as the book would have it, and notes on what was changed.

    A stud deal becomes a community deal: the first cards are kept, the last ones shared, and the lowest free cards
    added as discards. An exchange is dropped if the book has none, and the dealt hand is played.
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
    scenario = replace(scenario, seats=seats, community=community, dealer=dealer, awards=awards, bought=bought)
    return scenario, tuple(notes)


def in_coins(scenario: Scenario, *, from_decimals: int, to_decimals: int) -> Scenario | None:
    """Return the same amounts in coins of other decimals; None if an amount is finer than such a coin."""
    if from_decimals == to_decimals:
        return scenario
    inexact = False

    def coins(amount: Amount) -> Amount:
        nonlocal inexact
        whole, rest = divmod(amount * 10**to_decimals, 10**from_decimals)
        inexact = inexact or bool(rest)
        return Amount(whole)

    def coins_or_none(amount: Amount | None) -> Amount | None:
        return None if amount is None else coins(amount)

    limits = scenario.limits
    converted = replace(
        scenario,
        seats=tuple(
            replace(
                seat,
                ante=coins(seat.ante),
                bet=coins_or_none(seat.bet),
                side=coins(seat.side),
                sides=tuple((name, coins(stake)) for name, stake in seat.sides),
            )
            for seat in scenario.seats
        ),
        meter=coins_or_none(scenario.meter),
        reset=coins_or_none(scenario.reset),
        limits=None if limits is None else AnteLimits(coins_or_none(limits.least), coins_or_none(limits.most)),
        awards={
            row: Fixed(coins(award.amount)) if isinstance(award, Fixed) else award
            for row, award in scenario.awards.items()
        },
    )
    return None if inexact else converted


def _free(scenario: Scenario) -> list[CardId]:
    used = {one for seat in scenario.seats for one in seat.cards} | set(scenario.dealer)
    return [one for one in DECK if one not in used]


def _as_community(book: Book, seat: Seat, spare: tuple[CardId, ...]) -> Seat:
    kept = seat.cards[: book.hands.cards - book.hands.discards]
    return replace(seat, cards=(*kept, *spare), discard=discards(spare), swap=None)


def _with_size_of_bet(book: Book, seat: Seat) -> Seat:
    """A bet of one or two antes becomes a bet of the book's own size; any other amount is kept."""
    if seat.bet in bet_sizes(book, seat.ante):
        return seat
    if seat.bet in (seat.ante, 2 * seat.ante):
        return replace(seat, bet=Amount(seat.ante * book.bet.antes))
    return seat
