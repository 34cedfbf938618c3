"""Books of a few lines that start from a shipped one, and what is asked of each: the table plays what is priced."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from aceking.cards.card import CardId
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.odds import Amount
from aceking.settlement.lines import Line, Settlement
from aceking.settlement.scenario import Scenario, Seat
from aceking.settlement.settle import settle
from aceking.simulation.chance import deals
from aceking.simulation.plan import plan
from aceking.simulation.through_table import ReferenceTable

ANTE = 1000


def same_at_the_table(book: Book, *, rounds: int = 60, seats: int = 2, seed: int = 5) -> bool:
    """Whether the same deals, played act by act at a table, come to what the simulator by columns has."""
    asked = plan(book, rounds=rounds, seats=seats, seed=seed)
    honest = ReferenceTable(asked)
    dealt = deals(seed, 0, cards=asked.game.cards, rounds=rounds)
    codes = asked.game.play(dealt).codes
    fast = [[int(asked.game.outcomes[int(code)].net * honest.ante) for code in one] for one in codes.T]
    return list(honest.rounds()) == fast


def bet_lines(
    book: Book, hand: Sequence[CardId], dealer: Sequence[CardId], *, bet: int | None = None
) -> tuple[Line, ...]:
    """Return the lines of a hand that is bet; `bet` is in antes."""
    seat = Seat(
        number=1,
        cards=tuple(hand),
        ante=Amount(ANTE),
        play="bet",
        bet=None if bet is None else Amount(bet * ANTE),
        side=Amount(0),
        claims=True,
        swap=None,
        discard=None,
        player=None,
    )
    found = settle(book, Scenario(seats=(seat,), dealer=tuple(dealer)))
    assert isinstance(found, Settlement), found
    return found.lines


def settled_bet(book: Book, hand: Sequence[CardId], dealer: Sequence[CardId], *, bet: int | None = None) -> Fraction:
    """What the table nets on a bet, in antes."""
    return Fraction(sum(line.net for line in bet_lines(book, hand, dealer, bet=bet)), ANTE)


def enumerated_bet(book: Book, hand: Sequence[CardId], up: CardId, *, bet: int | None = None) -> Fraction:
    """What a bet is worth by brute force: each of the dealer's 163,185 hands settled."""
    unseen = [one for one in DECK if one != up and one not in hand]
    hands = list(combinations(unseen, 4))
    return sum((settled_bet(book, hand, (up, *hole), bet=bet) for hole in hands), Fraction(0)) / len(hands)
