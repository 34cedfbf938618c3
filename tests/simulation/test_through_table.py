"""The simulator by columns and the table engine agree on the same deals, round by round and seat by seat."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from aceking.cards.card import cards
from aceking.cards.hand import Category
from aceking.rules.book import Book
from aceking.rules.odds import Fixed
from aceking.rules.reading.load import load_book
from aceking.simulation.chance import Deals, deals
from aceking.simulation.meter import SimulatedMeter, SimulatedSide
from aceking.simulation.plan import Plan, plan
from aceking.simulation.tally import Job, play_job
from aceking.simulation.through_table import ReferenceTable

ROUNDS = 50

#: One process makes the tables of each book once.
pytestmark = pytest.mark.xdist_group("simulated books")


def fast_nets(asked: Plan, dealt: Deals, ante: int) -> list[list[int]]:
    """What each seat nets on ante, bet and exchange, in minor units."""
    codes = asked.game.play(dealt).codes
    return [[int(asked.game.outcomes[int(code)].net * ante) for code in one] for one in codes.T]


@pytest.mark.parametrize("seats", [1, 3])
def test_both_come_to_the_same_in_every_round(book: Book, seats: int) -> None:
    asked = plan(book, rounds=ROUNDS, seats=seats, seed=21)
    honest = ReferenceTable(asked)
    dealt = deals(21, 0, cards=asked.game.cards, rounds=ROUNDS)
    assert list(honest.rounds()) == fast_nets(asked, dealt, honest.ante)


def test_a_table_with_every_seat_taken_comes_to_the_same(book: Book) -> None:
    seats = min(book.table.seats_max, 7)
    asked = plan(book, rounds=8, seats=seats, seed=22)
    honest = ReferenceTable(asked)
    dealt = deals(22, 0, cards=asked.game.cards, rounds=8)
    assert list(honest.rounds()) == fast_nets(asked, dealt, honest.ante)


#: Hands that the progressive pays, each for one seat of two, and a dealer who qualifies.
PAID = (
    ("As Ks Qs Js Ts", "2c 7d 9h Jd 4c", "Ah Kd 9c 5s 2d"),
    ("2c 7d 9h Jd 4c", "9s 8s 7s 6s 5s", "Ah Kd 9c 5c 2d"),
    ("9s 8s 7s 6s 5s", "As Ks Qs Js Ts", "Ah Kd 9c 5c 2d"),
    ("Ac Kc Qc Jc Tc", "As Ks Qs Js Ts", "Ah Kd 9c 5c 2d"),
    ("8c 8d 8h 8s 4c", "Kh Ks Kc 5h 5d", "Ah Qd 9c 5s 2d"),
    ("2h 7h 9h Jh 4h", "3c 5d 8h Tc Qd", "Ah Kd 9c 5s 2d"),
)


def meters(side: SimulatedSide, seats: int, asked: Plan, dealt: Deals) -> Iterator[tuple[int, SimulatedMeter]]:
    """The meter at each lock-out as the simulator has it, and after the round."""
    meter = SimulatedMeter(Fraction(side.start))
    hits = asked.game.play(dealt).hits
    for number in range(dealt.shape[1]):
        shown = int(meter.value + side.rate * side.rules.stake * seats)
        mine = hits.round == number
        winners = tuple(zip(hits.seat[mine].tolist(), hits.category[mine].tolist(), strict=True))
        touches = any(which in asked.on_meter for _, which in winners)
        meter.replay(side, ((0, winners),) if touches else (), rounds=1, seats=seats)
        yield shown, meter


@pytest.mark.parametrize("book_id", ["section10", "rws"])
def test_side_bets_and_the_meter_come_to_the_same(book_id: str) -> None:
    book = load_book(book_id)
    side = SimulatedSide.of(book, start=10_000_00, reset=5_000_00, rate=Fraction(7, 10))
    asked = plan(book, rounds=len(PAID), seats=2, side=side)
    rows = [[*cards(one), *cards(two), *cards(dealer)] for one, two, dealer in PAID]
    dealt = np.array(rows, np.uint8).T.copy()
    honest = ReferenceTable(asked)
    found = list(meters(side, 2, asked, dealt))
    played = list(honest.play(dealt, meters=iter([shown for shown, _ in found])))
    main = fast_nets(asked, dealt, honest.ante)
    won = sum(sum(one) for one in played) - sum(sum(one) for one in main)
    hits = asked.game.play(dealt).hits
    awards = [side.awards[Category(which)] for which in hits.category.tolist()]
    amounts = sum(award.amount for award in awards if isinstance(award, Fixed))
    stakes = side.rules.stake * 2 * len(PAID)
    assert won == found[-1][1].paid + amounts - stakes
    assert found[-1][1].resets == 3
    assert len(hits.round) == 9


def test_the_meter_of_a_run_is_the_meter_of_its_rounds() -> None:
    """Played at once or a round at a time: the same meter, hits and amounts."""
    book = load_book("rws")
    side = SimulatedSide.of(book, start=10_000_00, rate=Fraction(7, 10))
    asked = plan(book, rounds=25_000, seats=7, seed=23, side=side)
    part = play_job(asked.game, 23, Job(0, 1, 25_000), asked.on_meter)
    at_once = SimulatedMeter(Fraction(side.start))
    at_once.replay(side, part.events, rounds=25_000, seats=7)
    *_, (_, single) = meters(side, 7, asked, deals(23, 0, cards=asked.game.cards, rounds=25_000))
    assert part.events
    assert at_once.data() == single.data()
