"""Moments at which the handler of an act is asked what it does by itself."""

from typing import Any

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Actor
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.dealer.driver import Driver
from aceking.table.moment import Done, Moment
from aceking.table.state import Box, Round
from tests.table.test_driver import round_of
from tests.table.test_next_act import royal_for_ann
from tests.table.test_out_of_time import at

STUD, EXCHANGE, RWS = load_book("section10"), load_book("exchange"), load_book("rws")
COLORADO, WASHINGTON = load_book("colorado-required"), load_book("washington")
ONE: dict[str, Any] = {"box": 1, "player": "player 1"}


def now(driver: Driver, clause: str | None = None, *, by: str = "Di", role: Actor = "dealer", time: int = 7) -> Moment:
    return Moment(driver.book, driver.table, driver.shoe, time, by, role, clause)


def no(done: object, clause: str, reason: str) -> None:
    assert done == Refusal(reason, clause)


def boxed(driver: Driver, number: int, **what: object) -> Moment:
    """The moment with a box as it is not."""
    current = round_of(driver)
    box: Box = replace(current.boxes[number], **what)
    return in_round(driver, boxes={**current.boxes, number: box})


def in_round(driver: Driver, **what: object) -> Moment:
    current: Round = replace(round_of(driver), **what)
    return replace(now(driver), table=replace(driver.table, round=current))


def at_table(driver: Driver, **what: object) -> Moment:
    return replace(now(driver), table=replace(driver.table, **what))


def events(done: Done) -> list[ev.TableEvent]:
    assert isinstance(done, list), done
    return done


def asked(book: Book, *, seen: bool = True) -> Driver:
    driver = at(book, "dealt")
    if seen:
        driver.must(c.Look(box=1))
    return driver


def decided(book: Book, *, bets: tuple[int, ...] = (1, 2)) -> Driver:
    """Both boxes have decided: these with a bet, the other folds."""
    driver = at(book, "dealt")
    for number in (1, 2):
        driver.look(number, declares=False)
        own = round_of(driver).boxes[number].cards[-1] if book.hands.discards else None
        driver.must(c.Bet(box=number, discard=own) if number in bets else c.Fold(box=number))
    return driver


def award_of(book: Book, until: type[c.Act]) -> Driver:
    """Ann's royal flush at box 2, until this act is due for it."""
    driver = royal_for_ann(book)
    driver.must(c.Bet(box=2))
    for number in (3, 5):
        driver.must(c.Look(box=number))
        driver.must(c.Fold(box=number))
    assert isinstance(driver.until(lambda act: isinstance(act, until)), until)
    return driver
