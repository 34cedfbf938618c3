"""All six books through the driver: whole rounds, counts, cuts, ways of dealing; and the hints that say the same."""

import random

import pytest
from msgspec.structs import replace

from aceking.cards.card import Card, card, cards, names
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.load import book_ids, load_book, with_options
from aceking.table import event as ev
from aceking.table.command import Act
from aceking.table.deal import hands_from
from aceking.table.dealer.driver import Driver, DriverError, new_table
from aceking.table.dealer.due import due
from aceking.table.procedure.orders import orders
from aceking.table.state import Round, Table, balance

SIGN = {"royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "500", "full_house": "150", "flush": "75"}
#: Every way of dealing and shuffling that a book leaves to its house.
WAYS = [
    (book_id, name, value)
    for book_id in book_ids()
    for name in ("dealing-method", "shuffle-method", "second-deck", "stub-count", "ecs-burn", "up-card-method")
    if name in load_book(book_id).options
    for value in load_book(book_id).options[name].values
]


def table_of(book: Book) -> Table:
    posted = book.progressive is not None and book.progressive.awards_are in ("posted", "separate")
    return new_table(book, awards=SIGN if posted else {}, reset=1_000_000)


def a_deck(chance: random.Random) -> list[int]:
    return chance.sample(range(52), 52)


def stake(driver: Driver, boxes: int, *, side: bool) -> None:
    rules = driver.book.progressive or driver.book.bonus
    assert rules is not None
    for number in range(1, boxes + 1):
        driver.must(Act(do="ante", box=number, player=f"player {number}", amount=1000))
        if side and rules is not None:
            driver.must(Act(do="side-bet", box=number, player=f"player {number}", amount=rules.stake))


def play(driver: Driver, chance: random.Random) -> None:
    """Every box looks and does something that the book offers."""
    for number in [box.number for box in round_of(driver).dealt_in]:
        driver.look(number)
        box = round_of(driver).boxes[number]
        if "exchange" in driver.book.decide.choices and chance.random() < 0.5:
            driver.must(Act(do="exchange", box=number, card=box.cards[0]))
        choice = chance.choice([one for one in driver.book.decide.choices if one in ("bet", "fold", "stay")])
        discard = box.cards[2] if driver.book.hands.discards and choice != "fold" else None
        driver.must(Act(do="decision", box=number, choice=choice, card=discard))


def round_of(driver: Driver) -> Round:
    assert driver.table.round is not None
    return driver.table.round


def whole_round(driver: Driver, chance: random.Random, *, boxes: int, side: bool = True) -> None:
    driver.open_bets(a_deck(chance))
    stake(driver, boxes, side=side)
    driver.close_bets(5_000_000 if driver.book.progressive is not None else None)
    driver.deal()
    play(driver, chance)
    driver.finish()


def test_several_rounds_of_each_book_without_a_breach(book: Book) -> None:
    chance = random.Random(7)
    driver = Driver(book, table_of(book))
    for number in range(1, 13):
        whole_round(driver, chance, boxes=1 + number % 4)
        assert round_of(driver).phase == "done"
        assert driver.table.rounds == number
        assert balance(driver.table.accounts) == 0
        assert driver.table.accounts.get("layout", 0) == 0
    assert driver.table.violations == 0


@pytest.mark.parametrize(("book_id", "option", "value"), WAYS)
def test_every_way_of_dealing_and_shuffling(book_id: str, option: str, value: str) -> None:
    options: dict[str, object] = {option: value}
    # A book may want a shuffling device for a way of dealing, or for a second deck.
    if option in ("dealing-method", "second-deck", "stub-count") and "shuffle-method" in load_book(book_id).options:
        options["shuffle-method"] = "automated"
    book = with_options(load_book(book_id), options)
    assert isinstance(book, Book)
    chance = random.Random(3)
    driver = Driver(book, table_of(book))
    for _ in range(6):
        whole_round(driver, chance, boxes=2)
    assert (driver.table.rounds, driver.table.violations) == (6, 0)


def test_the_stub_is_counted_every_fifth_round_and_no_other() -> None:
    book = load_book("section10")
    assert book.stub is not None
    assert book.stub.count_rounds == 5
    driver = Driver(book, table_of(book))
    chance = random.Random(1)
    counted = []
    for number in range(1, 12):
        driver.events.clear()
        whole_round(driver, chance, boxes=1)
        if any(isinstance(one, ev.Acted) and one.act == "stub-count" for one in driver.events):
            counted.append(number)
    assert counted == [5, 10]


def test_a_manual_shuffle_is_cut_and_an_automated_one_is_not() -> None:
    for method, cuts in (("manual", 1), ("automated", 0)):
        book = with_options(load_book("section10"), {"shuffle-method": method})
        assert isinstance(book, Book)
        driver = Driver(book, table_of(book))
        driver.open_bets(DECK)
        assert sum(isinstance(one, ev.WasCut) for one in driver.events) == cuts
        # The order that was asked for is the order of the deal all the same.
        assert round_of(driver).order == DECK


ORDER = cards("Ts Ah Td Kd 8h 9c 5s 6s 2d 3d 4c")
FULL = (*ORDER, *(one for one in DECK if one not in ORDER))
G40 = {
    "section10": ("Ts Td 8h 5s 2d", "Ah Kd 9c 6s 3d", "Ah"),
    "rws": ("Ah Kd 9c 6s 3d", "Td 8h 5s 2d 4c", "4c"),
    "exchange": ("Ts Ah Td Kd 8h", "9c 5s 6s 2d 3d", "3d"),
    "washington": ("Ts Td 8h 5s 2d", "Ah Kd 9c 6s 3d", "3d"),
}


@pytest.mark.parametrize("book_id", G40)
def test_the_same_deck_gives_each_book_its_own_hands(book_id: str) -> None:
    box, dealer, up = G40[book_id]
    book = load_book(book_id)
    driver = Driver(book, table_of(book))
    driver.open_bets(FULL)
    driver.must(Act(do="ante", box=1, player="Ann", amount=1000))
    driver.close_bets()
    driver.deal()
    current = round_of(driver)
    assert names(tuple(Card(one) for one in current.boxes[1].cards)) == box
    assert names(tuple(Card(one) for one in current.dealer)) == dealer
    assert current.up == card(up)
    assert hands_from(book, [1], FULL)["box 1"] == current.boxes[1].cards


def test_the_driver_says_what_was_refused() -> None:
    driver = Driver(load_book("section10"))
    driver.open_bets(DECK)
    with pytest.raises(DriverError, match="nobody has staked an ante"):
        driver.close_bets()


@pytest.mark.parametrize("seed", range(4))
def test_hints_from_the_state_alone_are_what_the_driver_does(book: Book, seed: int) -> None:
    """Two ways to the same procedure: the driver's sequence, and one hint after another."""
    driven = Driver(book, table_of(book))
    for number in range(6):
        whole_round(driven, random.Random(100 * seed + number), boxes=1 + (number + seed) % 3)
    hinted = Driver(book, table_of(book))
    for number in range(6):
        _round_by_hints(hinted, random.Random(100 * seed + number), boxes=1 + (number + seed) % 3)
    assert [_act(one) for one in hinted.events] == [_act(one) for one in driven.events]
    assert hinted.table == driven.table


def _act(event: ev.Event) -> object:
    return (event.act, event.box, event.by) if isinstance(event, ev.Acted) else event


def _round_by_hints(driver: Driver, chance: random.Random, *, boxes: int) -> None:
    deck, book = a_deck(chance), driver.book
    rounds = driver.table.rounds
    while driver.table.rounds == rounds:
        act = due(book, driver.table)
        current = driver.table.live_round
        if current is not None and current.phase == "betting" and not current.dealt_in:
            stake(driver, boxes, side=True)
            continue
        if act is None:
            play(driver, chance)
            continue
        driver.must(_with_parts(book, act, deck))


def _with_parts(book: Book, act: Act, deck: list[int]) -> Act:
    """What a generator and the meter add to a hint."""
    if act.do == "shuffle":
        by_hand = "cut" in orders(book) and book.shuffle is not None and book.shuffle.method == "manual"
        return replace(act, cards=(*deck[-26:], *deck[:-26]) if by_hand else tuple(deck))
    if act.do in ("chip-light-count", "START GAME") and book.progressive is not None:
        return replace(act, amount=5_000_000)
    return act
