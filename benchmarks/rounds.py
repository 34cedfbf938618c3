"""Complete one-seat rounds per second through decide and evolve on one core, compared with bare settlement.

python -m benchmarks.rounds
"""

import random
import time
from collections.abc import Callable
from functools import partial

from aceking.cards.card import CardId
from aceking.rules.book import Book
from aceking.rules.odds import Amount
from aceking.rules.reading.load import book_ids, load_book
from aceking.rules.refusal import Refusal
from aceking.settlement.scenario import Scenario, Seat
from aceking.settlement.settle import settle
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.shoe import Shoe
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.decide import run
from aceking.table.state import TableState

ROUNDS = 300
#: Runs of each piece; the fastest counts, because others may have waited for other work on the machine.
TIMES = 7
#: Turns of the fixed loop that the commands of one round took in the first edition (all books together, the same
#: decks, by the same method, side by side with this edition on an idle machine). A round may take no more.
FIRST_EDITION_TURNS = 2_430.0
ANTE = 10_00
SIGN = {"royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "500", "full_house": "150", "flush": "75"}


Moment = tuple[Book, TableState, c.TableCommand, Shoe]


class Recorder(Driver):
    """A driver that records each command with the state before it."""

    moments: list[Moment]

    def do(self, command: c.TableCommand) -> tuple[ev.TableEvent, ...] | Refusal:
        self.moments.append((self.book, self.table, command, self.shoe))
        return super().do(command)


def open_driver(book: Book) -> Recorder:
    """Return an open table of this book, with awards posted if the book wants that."""
    posted = book.progressive is not None and book.progressive.awards_are in ("posted", "separate")
    driver = Recorder(book, new_table(book, awards=SIGN if posted else {}))
    driver.moments = []
    driver.open_table()
    return driver


def moments_of(driver: Recorder, decks: list[list[int]]) -> list[Moment]:
    """Record the commands of one round for each deck."""
    driver.moments = []
    for order in decks:
        one_round(driver, order)
    return driver.moments


def run_moments(moments: list[Moment]) -> None:
    """Run every recorded command again through decide and evolve."""
    for moment in moments:
        run(*moment)


def settle_rounds(book: Book, decks: list[list[int]]) -> None:
    """Settle one round for each deck, without a table."""
    for order in decks:
        one_settlement(book, order)


def one_round(driver: Driver, order: list[int]) -> None:
    """Play ante, deal, look, bet, settlement and collection: everything that the book orders."""
    driver.open_bets(order)
    driver.must(c.Ante(box=1, player="Ann", amount=ANTE))
    driver.close_bets()
    driver.deal()
    driver.must(c.Look(box=1))
    current = driver.table.round
    assert current is not None
    discard = current.boxes[1].cards[2] if driver.book.hands.discards else None
    driver.must(c.Bet(box=1, discard=discard))
    driver.finish()
    driver.events.clear()


def one_settlement(book: Book, order: list[int]) -> None:
    """Settle the same round with `settle` alone."""
    cards = tuple(CardId(one) for one in order)
    size = book.hands.cards
    seat = Seat(
        number=1,
        cards=cards[:size],
        ante=Amount(ANTE),
        play="bet",
        bet=None,
        side=Amount(0),
        claims=True,
        swap=None,
        discard=cards[2] if book.hands.discards else None,
        player=None,
    )
    dealer = cards[size : 2 * size] if book.dealer is not None else ()
    settle(book, Scenario(seats=(seat,), dealer=dealer, community=cards[size : size + book.hands.community]))


def fixed_loop(turns: int) -> int:
    """A loop of plain Python that never changes: a yardstick for the speed of the machine."""
    held: dict[int, int] = {}
    total = 0
    for turn in range(turns):
        key = (turn * 2_654_435_761) % 1_009
        held[key] = held.get(key, 0) + turn
        total += held[key] & 255
    return total


def _run_loop(turns: int) -> None:
    fixed_loop(turns)


def seconds(work: Callable[[], None]) -> float:
    """Return the time of the fastest of several runs."""
    found = []
    for _ in range(TIMES):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return min(found)


def main() -> None:
    """Print rounds per second for each book and for all, and the cost of a round in settlements."""
    chance = random.Random(1)
    decks = [chance.sample(range(52), 52) for _ in range(ROUNDS)]
    turns = 100_000
    loop = seconds(partial(_run_loop, turns)) / turns
    rounds_total = settle_total = 0.0
    for book_id in book_ids():
        book = load_book(book_id)
        moments = moments_of(open_driver(book), decks)
        rounds = seconds(partial(run_moments, moments))
        settling = seconds(partial(settle_rounds, book, decks))
        loop = min(loop, seconds(partial(_run_loop, turns)) / turns)
        rounds_total += rounds
        settle_total += settling
        commands = len(moments) / ROUNDS
        print(
            f"{book_id:<22} {ROUNDS / rounds:8,.0f} rounds a second of {commands:4.1f} commands,"
            f" {rounds / settling:5.1f} times bare settlement"
        )
    every = ROUNDS * len(book_ids())
    taken = rounds_total / every / loop
    print(
        f"{'all books':<22} {every / rounds_total:8,.0f} rounds a second, {rounds_total / settle_total:.1f} times bare"
        f" settlement, {taken:,.0f} turns of the fixed loop; the first edition took {FIRST_EDITION_TURNS:,.0f}:"
        f" {FIRST_EDITION_TURNS / taken:.2f} times its rounds"
    )


if __name__ == "__main__":
    main()
