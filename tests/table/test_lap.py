"""A lap that is dealt at once is the one that is dealt card by card; where it may not be, nothing is dealt."""

import pytest

from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.reading.load import book_ids, load_book
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.deal_order import in_packets
from aceking.table.cards.place import box_place
from aceking.table.cards.shoe import NO_SHOE
from aceking.table.dealer.driver import Driver
from aceking.table.dealer.lap import rest_of_lap
from aceking.table.dealer.next_act import due
from aceking.table.evolve import evolve
from tests.table.test_driver import WAYS, chosen, round_of, table_of
from tests.table.walk import check_lap

#: One box, a full table, and gaps at either end.
BOXES = ((1,), (4,), (2, 3), (1, 3, 5), (2, 4, 5), (1, 2, 3, 4, 5))


def dealing(book: Book, boxes: tuple[int, ...]) -> Driver:
    """A table at which the first card is due."""
    driver = Driver(book, table_of(book))
    driver.open_bets(DECK)
    for number in boxes:
        driver.must(c.Ante(box=number, player=f"player {number}", amount=1000))
    driver.close_bets(5_000_000 if book.progressive is not None else None)
    driver.until(lambda act: isinstance(act, (c.DealCard, c.DealPacket)))
    return driver


@pytest.mark.parametrize("boxes", BOXES, ids=str)
@pytest.mark.parametrize(("book_id", "option", "value"), [*((one, "", "") for one in book_ids()), *WAYS])
def test_every_lap_of_every_way_of_dealing(book_id: str, option: str, value: str, boxes: tuple[int, ...]) -> None:
    book = chosen(book_id, option, value) if option else load_book(book_id)
    driver = dealing(book, boxes)
    if in_packets(book):
        assert rest_of_lap(book, driver.table, driver.shoe, driver.must(c.DealPacket())) == []
        return
    laps = 0
    while isinstance(act := due(book, driver.table), c.DealCard):
        first = driver.must(act)
        after = check_lap(book, driver.table, driver.shoe, act, first)
        dealt = next(one for one in first if isinstance(one, ev.Dealt))
        laps += dealt.to.kind == "box"
        assert len(after) == (2 * (len(boxes) - 1) if dealt.to.kind == "box" else 0)
        for place, event in enumerate(after):
            # The program would have been asked for each of them.
            assert place % 2 or isinstance(due(book, driver.table), c.DealCard)
            driver.table = evolve(driver.table, event)
    assert laps == book.hands.cards
    assert not isinstance(due(book, driver.table), c.Report)


@pytest.mark.parametrize("book_id", book_ids())
def test_nothing_follows_where_the_cards_are_not_known(book_id: str) -> None:
    book = load_book(book_id)
    driver = dealing(book, (1, 2, 3))
    act = due(book, driver.table)
    assert act is not None
    assert rest_of_lap(book, driver.table, NO_SHOE, driver.must(act)) == []


def first_of(driver: Driver) -> tuple[ev.Acted, ev.Dealt]:
    acted, dealt = driver.must(c.DealCard())
    assert isinstance(acted, ev.Acted)
    assert isinstance(dealt, ev.Dealt)
    return acted, dealt


def test_nothing_follows_a_card_with_a_word_against_it() -> None:
    driver = dealing(load_book("section10"), (1, 2, 3))
    acted, dealt = first_of(driver)
    breach = ev.Violated(clause=acted.clause or "", what="the wrong hand drew it", by="dealer", at=0)
    assert rest_of_lap(driver.book, driver.table, driver.shoe, (breach, acted, dealt)) == []
    assert rest_of_lap(driver.book, driver.table, driver.shoe, (acted, breach)) == []
    assert rest_of_lap(driver.book, driver.table, driver.shoe, (acted, dealt))


def test_nothing_follows_a_card_that_went_astray() -> None:
    driver = dealing(load_book("section10"), (1, 2, 3))
    first_of(driver)
    acted, dealt, *_ = driver.must(c.DealCard(to=box_place(1)))
    assert round_of(driver).strayed
    assert rest_of_lap(driver.book, driver.table, driver.shoe, (acted, dealt)) == []


def test_nothing_follows_the_last_card_of_a_lap() -> None:
    driver = dealing(load_book("section10"), (1, 2))
    first_of(driver)
    acted, dealt = first_of(driver)
    assert dealt.to.number == 2
    assert rest_of_lap(driver.book, driver.table, driver.shoe, (acted, dealt)) == []
