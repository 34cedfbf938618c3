"""Rounds of a book through the table, with every choice made at random: any rules are played, priced or not."""

from collections.abc import Iterator
from random import Random

from aceking.rules.book import Book
from aceking.rules.decisions import GIVES_UP, GOES_ON
from aceking.settlement.amounts import bet_sizes, usual_ante
from aceking.simulation.chance import DECK_CARDS
from aceking.table import commands as c
from aceking.table.dealer.driver import Driver, new_table

_BOX, _PLAYER = 1, "player 1"
#: Awards for books that leave them to the house; nobody stakes on them here.
_AWARDS = {"royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "500", "full_house": "100", "flush": "50"}


def random_rounds(book: Book, *, rounds: int, seed: int) -> Iterator[int]:
    """Yield the net result of one box in each round, with the least stake on every named side wager, in minor units."""
    chance = Random(seed)
    posted = book.progressive is not None and book.progressive.awards_are in ("posted", "separate")
    driver = Driver(book, new_table(book, awards=_AWARDS if posted else {}))
    driver.open_table()
    for _ in range(rounds):
        before = driver.table.accounts.get(_PLAYER, 0)
        _play(driver, book, chance)
        driver.events.clear()
        assert sum(driver.table.accounts.values()) == 0, "no chip is made or lost"
        yield driver.table.accounts.get(_PLAYER, 0) - before


def _play(driver: Driver, book: Book, chance: Random) -> None:
    driver.open_bets(chance.sample(range(DECK_CARDS), DECK_CARDS))
    ante = usual_ante(book)
    driver.must(c.Ante(box=_BOX, player=_PLAYER, amount=ante))
    for name, side in book.sides.items():
        driver.must(c.SideBet(box=_BOX, player=_PLAYER, wager=name, amount=side.stake or side.min))
    driver.close_bets()
    driver.deal()
    driver.look(_BOX)
    _decide(driver, book, chance, ante)
    driver.until(lambda act: driver.table.live_round is None)
    if (current := driver.table.live_round) is not None and current.buying:
        driver.must(c.BuyDealerCard(box=_BOX, buys=chance.random() < 1 / 2))
    if driver.table.live_round is not None:
        driver.finish()


def _decide(driver: Driver, book: Book, chance: Random, ante: int) -> None:
    """Fold, stay or bet any size, after an exchange or without one; never declare."""
    current = driver.table.round
    assert current is not None
    if book.exchange is not None and chance.random() < 1 / 2:
        give = chance.sample(current.boxes[_BOX].cards, chance.randint(1, book.exchange.cards))
        driver.must(c.Exchange(box=_BOX, give=tuple(give)))
    choice = chance.choice([name for name in (*GOES_ON, *GIVES_UP) if name in book.decide.choices])
    aside = c.as_aside(tuple(chance.sample(current.boxes[_BOX].cards, book.hands.discards)))
    match choice:
        case "stay":
            driver.must(c.Stay(box=_BOX, discard=aside))
        case "bet":
            amount = None if book.bet.antes_max is None else chance.choice(bet_sizes(book, ante))
            driver.must(c.Bet(box=_BOX, amount=amount, discard=aside))
        case _:
            driver.must(c.DECISION_ACTS[choice](box=_BOX))
