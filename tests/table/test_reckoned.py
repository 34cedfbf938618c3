"""What follows by itself from an act or an answer, to the last field."""

import pytest
from msgspec.structs import replace

from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.dealer.driver import Driver
from aceking.table.decide import decide
from aceking.table.phases import closing
from tests.table.handled import EXCHANGE, RWS, STUD, WASHINGTON, boxed, decided, in_round, now
from tests.table.test_driver import round_of
from tests.table.test_out_of_time import at


def test_who_left_folds_when_the_decisions_come_by_the_clause_of_walking_away() -> None:
    for book in (STUD, WASHINGTON):
        driver = at(book, "dealing")
        driver.deal_some(14)
        driver.until(lambda act: isinstance(act, c.GoAhead))
        driver.table = boxed(driver, 1, left=True).table
        done = driver.must(c.GoAhead())
        folds = [one for one in done if isinstance(one, ev.Decided)]
        clause = book.rules_on("walk-away") or "BASE-box"
        assert folds == [ev.Decided(box=1, choice="fold", deemed=True, clause=clause)]
        assert round_of(driver).boxes[2].choice is None


def test_who_left_a_bet_or_has_decided_does_not_fold() -> None:
    driver = at(STUD, "dealing")
    driver.deal_some(14)
    driver.until(lambda act: isinstance(act, c.GoAhead))
    for other in ({"bet": 2000}, {"choice": "bet"}):
        table = boxed(driver, 1, left=True, **other).table
        done = decide(STUD, table, c.GoAhead(), driver.shoe)
        assert isinstance(done, tuple)
        assert not [one for one in done if isinstance(one, ev.Decided)]


def test_an_act_is_put_on_the_record_after_what_it_makes_and_before_what_it_does() -> None:
    driver = at(STUD, "table-opened")
    driver.shuffle(DECK)
    opened = decide(STUD, driver.table, c.OpenBets(by="Di", at=9, remark="late"), driver.shoe)
    assert isinstance(opened, tuple)
    assert [type(one) for one in opened] == [ev.RoundOpened, ev.Acted]
    acted = opened[1]
    assert isinstance(acted, ev.Acted)
    assert (acted.act, acted.by, acted.role, acted.at, acted.box, acted.deck, acted.standing, acted.remark) == (
        "bets-opened", "Di", "dealer", 9, None, None, False, "late",
    )  # fmt: skip
    dealt = at(STUD, "dealt")
    looked = decide(STUD, dealt.table, c.Look(box=1), dealt.shoe)
    assert isinstance(looked, tuple)
    assert [type(one) for one in looked] == [ev.Acted, ev.Looked]
    assert isinstance(looked[0], ev.Acted)
    assert (looked[0].act, looked[0].box, looked[0].clause) == ("look", 1, looked[1].clause)


def test_the_first_act_after_the_reveal_that_needs_it_has_the_round_reckoned() -> None:
    driver = decided(RWS)
    driver.must(c.Reveal())
    done = decide(RWS, driver.table, c.Reckon(), driver.shoe)
    assert isinstance(done, tuple)
    assert [type(one) for one in done] == [ev.RoundSettled, ev.Acted]
    driver.must(c.Reckon())
    again = decide(RWS, driver.table, c.Reckon(), driver.shoe)
    assert isinstance(again, tuple)
    assert [type(one) for one in again] == [ev.Acted]


@pytest.mark.parametrize("book", [RWS, EXCHANGE], ids=["rws", "exchange"])
def test_losers_are_collected_from_the_right_where_the_book_has_an_order(book: Book) -> None:
    """Who comes sooner is on the record there; a book without an order has no breach of it."""
    driver = three_bets(book)
    lines = round_of(driver).lines
    assert [(line.seat, line.outcome) for line in lines] == [(seat, "lose") for seat in (3, 3, 2, 2, 1, 1)]
    moved = [ev.Moved(line=place, clause=line.clause) for place, line in enumerate(lines)]
    assert closing.collect_chips(now(driver), c.CollectChips(box=3)) == moved[:2]
    assert closing.collect_chips(now(driver), c.CollectChips()) == moved
    what = "box 1 was served before box 3"
    late = ev.Violated(what=what, by="Di", at=7, clause="EUR-p12-qualify")
    sooner = closing.collect_chips(now(driver), c.CollectChips(box=1, by="Di", role="dealer"))
    assert sooner == ([late, *moved[4:]] if book is EXCHANGE else moved[4:])


def test_where_only_paying_has_an_order_losers_go_as_they_come() -> None:
    driver = three_bets(STUD)
    lines = round_of(driver).lines
    moved = [ev.Moved(line=place, clause=line.clause) for place, line in enumerate(lines)]
    assert [(line.seat, line.outcome) for line in lines] == [(seat, "push") for seat in (3, 3, 2, 2, 1, 1)]
    late = ev.Violated(what="box 1 was served before box 3", by="Di", at=7, clause="CSP-10(j)(5)")
    assert closing.pay(now(driver), c.Pay(box=1, by="Di", role="dealer")) == [late, *moved[4:]]
    lost = in_round(driver, lines=tuple(replace(line, outcome="lose") for line in lines))
    assert closing.collect_chips(lost, c.CollectChips(box=1)) == moved[4:]
    # But no push before the losers.
    mixed = tuple(replace(line, outcome="lose") if line.seat == 3 else line for line in lines)
    early = closing.pay(in_round(driver, lines=mixed), c.Pay(box=2, by="Di", role="dealer"))
    passes = STUD.cite("collection.passes")
    assert early == [replace(late, what="box 2 was served before box 3", clause=passes), *moved[2:4]]


def three_bets(book: Book) -> Driver:
    """Three boxes with bets, and the chips are due."""
    driver = at(book, "bets-opened")
    for number in (1, 2, 3):
        driver.must(c.Ante(box=number, player=f"player {number}", amount=1000))
    driver.close_bets()
    driver.deal()
    for number in (1, 2, 3):
        driver.must(c.Look(box=number))
        driver.must(c.Bet(box=number))
    driver.until(lambda act: isinstance(act, c.CollectChips | c.Pay))
    return driver
