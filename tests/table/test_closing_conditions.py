"""What a book may demand when hands are turned, paid and collected, each condition on both sides of its line."""

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from aceking.cards.card import cards
from aceking.cards.deck import DECK
from aceking.rules.reading.load import load_book
from aceking.rules.words import Condition
from aceking.table import commands as c
from aceking.table.cards.place import Pile
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.dealer.next_act import is_turned
from aceking.table.procedure.conditions import CONDITIONS
from aceking.table.state import Box, TableState
from tests.table.test_driver import round_of

HANDS = ("Ks Js 9s 5s 2s", "7h 7d 4c 3s 2h", "Qh Jd 8c 4h 2d", "Tc 9d 8d 6c 3h", "Ah Kd 9c 6h 3d")
ORDER = tuple(cards(hand)[n] for n in range(5) for hand in HANDS)


def reckoned(book_id: str = "section10") -> Driver:
    """Box 1 has a flush and a side wager, box 2 wins with a pair, box 3 loses, box 4 has folded; nothing is paid."""
    book = load_book(book_id)
    driver = Driver(book, new_table(book, reset=1_000_000))
    driver.open_bets((*ORDER, *(one for one in DECK if one not in ORDER)))
    for number in (1, 2, 3, 4):
        driver.must(c.Ante(box=number, player=f"player {number}", amount=1000))
    for number in (1, 4):
        driver.must(c.SideBet(box=number, player=f"player {number}", amount=100))
    driver.close_bets(5_000_000)
    driver.deal()
    for number in (1, 2, 3, 4):
        driver.look(number)
        driver.must(c.Fold(box=number) if number == 4 else c.Bet(box=number))
    driver.must(c.CollectChips(box=4))
    driver.must(c.CollectCards(box=4))
    driver.must(c.Reveal())
    driver.must(c.Reckon())
    return driver


def says(word: Condition, table: TableState, act: c.Act) -> str | None:
    return CONDITIONS[word](load_book(table.book), table, act)


def with_box(table: TableState, number: int, **changes: Any) -> TableState:
    assert table.round is not None
    boxes = {**table.round.boxes, number: replace(table.round.boxes[number], **changes)}
    return replace(table, round=replace(table.round, boxes=boxes))


def box(driver: Driver, number: int) -> Box:
    return round_of(driver).boxes[number]


TABLE = reckoned().table


def test_winners_are_paid_when_losers_and_pushes_are_cleared_away() -> None:
    word: Condition = "losers-and-pushes-settled"
    assert says(word, TABLE, c.Pay(box=2)) == "the hand of box 3 is not collected yet"
    assert says(word, TABLE, c.Pay(box=3)) is None, "it does not win"
    assert says(word, TABLE, c.Pay(box=4)) is None, "it is settled early"
    assert says(word, TABLE, c.Pay()) is None
    assert says(word, with_box(TABLE, 3, racked=True), c.Pay(box=2)) is None
    assert TABLE.round is not None
    lost = tuple(replace(one, outcome="push") if one.seat == 3 else one for one in TABLE.round.lines)
    pushed = replace(TABLE, round=replace(TABLE.round, lines=lost))
    assert says(word, pushed, c.Pay(box=2)) == "the hand of box 3 is not collected yet"
    # A hand that is owed an award lies there until that is paid.
    both = tuple(
        replace(one, outcome="lose") if one.seat == 1 and one.wager != "side" else one for one in TABLE.round.lines
    )
    award = replace(with_box(TABLE, 3, racked=True), round=replace(TABLE.round, lines=both))
    award = with_box(award, 3, racked=True)
    assert says(word, award, c.Pay(box=2)) is None


def test_the_cards_of_a_push_are_picked_up_after_those_of_losers() -> None:
    assert TABLE.round is not None
    lines = tuple(replace(one, outcome="push") if one.seat == 2 else one for one in TABLE.round.lines)
    pushed = replace(TABLE, round=replace(TABLE.round, lines=lines))
    assert says("losers-collected", pushed, c.CollectCards(box=2)) == "the hand of box 3 is not collected yet"
    assert says("losers-collected", TABLE, c.CollectCards(box=2)) is None
    assert says("losers-collected", pushed, c.CollectCards()) is None
    assert says("losers-collected", with_box(pushed, 3, racked=True), c.CollectCards(box=2)) is None


def test_winning_hands_lie_until_the_last_is_paid() -> None:
    assert says("all-winners-paid", TABLE, c.CollectCards(box=2)) in ("box 1 is not paid yet", "box 2 is not paid yet")
    assert says("all-winners-paid", TABLE, c.CollectCards(box=3)) is None
    assert says("all-winners-paid", TABLE, c.CollectCards(box=4)) is None
    assert TABLE.round is not None
    wins = frozenset(n for n, one in enumerate(TABLE.round.lines) if one.outcome == "win" and one.wager != "side")
    paid = replace(TABLE, round=replace(TABLE.round, moved=TABLE.round.moved | wins))
    assert says("all-winners-paid", paid, c.CollectCards(box=2)) is None, "the award has its own time"
    one = replace(TABLE, round=replace(TABLE.round, moved=TABLE.round.moved | frozenset(list(wins)[:-1])))
    assert says("all-winners-paid", one, c.CollectCards(box=2)) is not None


@pytest.mark.parametrize(
    ("racked", "number", "wrong"),
    [
        ((), 3, False),
        ((), 1, False),
        ((), 2, True),
        ((3,), 2, False),
        ((3,), 1, True),
        ((1,), 2, False),
        ((1,), 3, True),
        ((3, 2), 1, False),
        ((1, 2), 3, False),
        ((2,), 3, False),
        ((2, 3), 1, False),
    ],
)
def test_hands_are_picked_up_from_one_side_to_the_other(racked: tuple[int, ...], number: int, *, wrong: bool) -> None:
    assert TABLE.round is not None
    lines = tuple(one for one in TABLE.round.lines if one.wager != "side")
    same = tuple(replace(one, outcome="lose") if one.seat != 4 else one for one in lines)
    rack = tuple((Pile("hand", one), ()) for one in racked)
    boxes = {number: replace(box, racked=number in racked) for number, box in TABLE.round.boxes.items()}
    table = replace(TABLE, round=replace(TABLE.round, lines=same, rack=rack, boxes=boxes))
    told = says("picked-up-in-order", table, c.CollectCards(box=number))
    assert told == (f"box {number} is picked up out of order" if wrong else None)
    assert says("picked-up-in-order", table, c.CollectCards()) is None


def test_a_folded_hand_is_counted_with_five_cards() -> None:
    assert says("counted-five", TABLE, c.CollectCards(box=4, count=4)) == "a folded hand is counted: 5 cards, not 4"
    assert says("counted-five", TABLE, c.CollectCards(box=4, count=5)) is None
    assert says("counted-five", TABLE, c.CollectCards(box=4)) is None
    assert says("counted-five", TABLE, c.CollectCards(box=3, count=4)) is None
    assert says("fold-counted", with_box(TABLE, 4, acts=frozenset()), c.CollectCards(box=4)) is not None
    assert says("fold-counted", with_box(TABLE, 4, acts=frozenset({"fold-count"})), c.CollectCards(box=4)) is None
    assert says("fold-counted", TABLE, c.CollectCards(box=3)) is None


def test_the_cards_of_a_box_are_there_until_they_are_collected() -> None:
    assert says("before-cards-collected", TABLE, c.Claim(box=1)) is None
    assert (
        says("before-cards-collected", with_box(TABLE, 1, racked=True), c.Claim(box=1))
        == "the cards have been collected"
    )


def test_the_hand_that_is_picked_is_the_one_that_the_cards_show() -> None:
    assert says("winning-hand-shown", TABLE, c.SelectWinner(box=1, hand="flush")) is None
    wrong = says("winning-hand-shown", TABLE, c.SelectWinner(box=1, hand="straight_flush"))
    assert wrong == "box 1 holds a flush, not what was picked"
    assert says("winning-hand-shown", TABLE, c.SelectWinner(box=1)) is None
    assert says("hand-wins-award", TABLE, c.SelectWinner(box=1)) is None
    assert says("hand-wins-award", TABLE, c.SelectWinner(box=2)) == "a pair wins no award"
    assert says("hand-wins-award", with_box(TABLE, 1, cards=()), c.SelectWinner(box=1)) == "there is no such hand"


def test_an_award_is_picked_called_and_confirmed_by_two_persons() -> None:
    driver = reckoned()
    assert says("hand-selected", driver.table, c.Validate(box=1)) == "no hand is selected for box 1"
    driver.must(c.TurnHand(box=2))
    driver.must(c.TurnHand(box=1))
    driver.must(c.SelectWinner(box=1, by="Dora"))
    assert says("hand-selected", driver.table, c.Validate(box=1)) is None
    assert says("hand-selected", driver.table, c.Validate(box=2)) == "no hand is selected for box 2"
    assert (
        says("different-person", driver.table, c.Validate(box=1, by="Dora"))
        == "Dora picked the award and may not validate it"
    )
    assert says("different-person", driver.table, c.Validate(box=1, by="Sam")) is None
    assert says("different-person", driver.table, c.Validate(box=1)) is None
    assert says("different-person", driver.table, c.Validate(box=2, by="Dora")) is None
    assert says("supervisor-called", driver.table, c.Validate(box=1)) == "no supervisor was called"
    called = with_box(driver.table, 1, acts=box(driver, 1).acts | {"call-supervisor"})
    assert says("supervisor-called", called, c.Validate(box=1)) is None
    assert says("award-verified", driver.table, c.CollectCards(box=1)) == "the award of box 1 is not verified"
    assert says("award-verified", driver.table, c.CollectCards(box=2)) is None
    assert says("award-paid", driver.table, c.CollectCards(box=1)) is not None
    assert says("award-paid", driver.table, c.CollectCards(box=2)) is None
    driver.must(c.Validate(box=1, by="Sam"))
    assert says("award-verified", driver.table, c.CollectCards(box=1)) is None


def test_hands_are_turned_from_the_right_and_a_progressive_one_before_it_is_paid() -> None:
    assert says("from-the-right", TABLE, c.TurnHand(box=3)) is None
    assert says("from-the-right", TABLE, c.TurnHand(box=1)) == "box 3 is turned first"
    three = with_box(TABLE, 3, acts=frozenset({"turn-hand"}))
    assert says("from-the-right", three, c.TurnHand(box=1)) == "box 2 is turned first"
    assert says("from-the-right", with_box(three, 2, acts=frozenset({"turn-hand"})), c.TurnHand(box=1)) is None
    assert says("from-the-right", TABLE, c.TurnHand(box=4)) == "box 4 is out and has no hand to turn"
    assert says("progressive-hand-turned", TABLE, c.Pay(box=1)) == "the hand of a progressive wager is turned first"
    assert says("progressive-hand-turned", with_box(TABLE, 1, acts=frozenset({"turn-hand"})), c.Pay(box=1)) is None
    assert says("progressive-hand-turned", TABLE, c.Pay(box=2)) is None
    assert says("progressive-hand-turned", TABLE, c.Pay(box=4)) is None


def test_an_adjustment_has_a_reason() -> None:
    assert says("reason-given", TABLE, c.Adjust(box=1, reason="  ")) == "an adjustment needs a reason"
    assert says("reason-given", TABLE, c.Adjust(box=1, reason="a count")) is None
    assert says("reason-given", TABLE, c.Pay(box=1)) == "an adjustment needs a reason"
    assert says("reason-given", TABLE, c.Pay(box=1, remark="a count")) is None


def test_the_dealer_has_a_hand_or_says_that_there_is_none() -> None:
    assert says("bank-unqualified", TABLE, c.Pay()) == "the dealer has a hand"
    assert says("no-hand-announced", TABLE, c.Pay()) is None
    assert TABLE.round is not None
    weak = replace(TABLE, round=replace(TABLE.round, dealer=cards("Qd Jh 9c 6h 3d")))
    assert says("bank-unqualified", weak, c.Pay()) is None
    assert says("no-hand-announced", weak, c.Pay()) == "the dealer has not said that there is no hand"
    assert weak.round is not None
    said = replace(weak, round=replace(weak.round, acts=weak.round.acts | {"announce-no-hand"}))
    assert says("no-hand-announced", said, c.Pay()) is None


def test_which_hands_are_turned_against_a_dealer_without_a_hand() -> None:
    assert TABLE.round is not None
    weak = replace(TABLE.round, dealer=cards("Qd Jh 9c 6h 3d"))
    lit, plain = replace(weak.boxes[1], acts=frozenset()), replace(weak.boxes[2], acts=frozenset())

    def turned(book_id: str, turns: Any, **changes: Any) -> list[bool]:
        book = load_book(book_id)
        assert book.dealer is not None
        told = dataclasses.replace(book, dealer=dataclasses.replace(book.dealer, turn_unqualified=turns))
        return [is_turned(told, weak, replace(one, **changes)) for one in (lit, plain)]

    assert turned("section10", "none") == [False, False]
    assert turned("section10", "progressive-bettors-only") == [True, False]
    assert turned("section10", "all") == [True, True]
    assert turned("section10", "all", choice="fold")[1] is False
    assert turned("section10", "all", choice="declare") == [False, False]
    # Where the player must give notice, a hand that nobody speaks of is not turned.
    silent = {name: load_book(name).progressive.claim == "player-notifies" for name in ("rws", "section10")}  # type: ignore[union-attr]
    for name, must_speak in silent.items():
        assert turned(name, None, claimed=False) == [not must_speak, not must_speak]
        assert turned(name, None, claimed=True) == [True, True]
    assert set(silent.values()) == {True, False}
    strong = load_book("section10")
    assert is_turned(strong, TABLE.round, plain)
