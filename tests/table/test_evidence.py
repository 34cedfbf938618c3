"""A report is held against the record: it bears it out, it refutes it in words, or it cannot tell."""

from typing import Any

import pytest
from msgspec.structs import replace

from aceking.cards.deck import DECK
from aceking.rules.reading.load import load_book
from aceking.rules.words import Mishap
from aceking.table import commands as c
from aceking.table.cards.place import box_place
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.mishaps.evidence import is_confirmed, refuted
from tests.table.test_driver import SIGN, round_of, stake
from tests.table.test_out_of_time import at


def record(driver: Driver, mishap: Mishap, *boxes: int, **more: Any) -> str | None:
    """Return what the record says against a report, or None."""
    report = c.Report(mishap=mishap, boxes=boxes, **more)
    against = refuted(driver.book, driver.table, driver.shoe, report)
    if is_confirmed(driver.book, driver.table, driver.shoe, report):
        assert against is None
    return against


NOTHING_DEALT = "no card has been dealt"
#: The moment, the book, the mishap and its boxes as reported, and what the record says against it (None: nothing).
SAID: list[tuple[str, str, Mishap, tuple[int, ...], str | None]] = [
    ("closed", "section10", "player-miscount", (1,), NOTHING_DEALT),
    ("closed", "section10", "dealer-miscount", (), NOTHING_DEALT),
    ("closed", "section10", "misdeal", (), NOTHING_DEALT),
    ("closed", "section10", "dealing-error", (), NOTHING_DEALT),
    ("closed", "colorado-required", "community-miscount", (), NOTHING_DEALT),
    ("closed", "section10", "hole-card-exposed", (), "the dealer has no hole card"),
    ("closed", "section10", "shoe-empty", (), "52 cards are in the shoe"),
    ("dealing", "section10", "shoe-empty", (), "51 cards are in the shoe"),
    ("dealing", "section10", "deck-short-or-long", (), "the deck of this round has 52 cards"),
    ("dealing", "section10", "player-miscount", (1,), "box 1 has 1 cards"),
    ("dealing", "section10", "dealing-error", (), None),
    ("dealing", "section10", "misdeal", (), "every place has the cards that were due to it"),
    ("dealing", "section10", "skipped-box", (1,), "box 1 has 1 cards"),
    ("dealing", "section10", "skipped-box", (5,), "no such box is in the round"),
    ("dealing", "section10", "no-decision", (1,), "that box owes no decision"),
    ("dealt", "section10", "player-miscount", (1,), "box 1 has 5 cards"),
    ("dealt", "section10", "player-miscount", (), "box 1 has 5 cards; box 2 has 5 cards"),
    ("dealt", "section10", "dealer-miscount", (), "the dealer has 5 cards"),
    ("dealt", "colorado-required", "community-miscount", (), "the community has 3 cards"),
    ("dealt", "section10", "misdeal", (), "every place has the cards that were due to it"),
    ("dealt", "section10", "empty-box-dealt", (3,), "no box without an ante has cards"),
    ("dealt", "section10", "missed-burn", (), "this table burns no card"),
    ("dealt", "section10", "shoe-empty", (), "every hand has its cards"),
    ("dealt", "section10", "not-shuffled", (), "the deck was shuffled, and its order kept, before this round"),
    ("dealt", "section10", "early-pick-up", (1,), "the record has no look at that box"),
    ("dealt", "section10", "second-look", (1,), "the record has no look at a further hand there"),
    ("dealt", "section10", "no-decision", (1,), None),
    ("dealt", "section10", "walk-away", (1,), None),
    ("dealt", "section10", "walk-away", (), None),
    ("dealt", "section10", "walk-away", (5,), "nobody plays there"),
    ("dealt", "section10", "over-maximum", (1,), "no ante is over it"),
    ("dealt", "section10", "under-minimum", (1,), "no ante is under it"),
    ("dealt", "section10", "bet-over", (1,), "no bet is too large"),
    ("dealt", "section10", "bet-under", (1,), "no bet is too small"),
    ("dealt", "section10", "side-bet-without-ante", (1,), "every side wager there has its ante"),
    ("dealt", "section10", "unlit-chip", (1,), "the light of that box is on, or it has no side wager"),
    ("dealt", "exchange", "discard-picked-up", (1,), "that box has not exchanged a card"),
    ("dealt", "rws", "improper-cut", (), "no cut stands"),
    ("dealt", "section10", "improper-cut", (), None),
    ("dealt", "section10", "talking", (1,), None),
    ("done", "section10", "no-decision", (1,), "that box owes no decision"),
]


@pytest.mark.parametrize(("moment", "book_id", "mishap", "boxes", "says"), SAID)
def test_what_the_record_says(
    moment: str, book_id: str, mishap: Mishap, boxes: tuple[int, ...], says: str | None
) -> None:
    assert record(at(load_book(book_id), moment), mishap, *boxes) == says


def live(**limits: Any) -> Driver:
    book = load_book("section10")
    driver = Driver(book, new_table(book, mode="live", awards=SIGN, reset=1_000_000, **limits))
    driver.open_bets(DECK)
    return driver


def test_a_stake_is_over_or_under_a_limit_from_the_first_chip_beyond_it() -> None:
    driver = live(ante_min=1000, ante_max=2000)
    for number, amount in ((1, 2000), (2, 2001), (3, 1000), (4, 999)):
        driver.must(c.Ante(box=number, player=f"player {number}", amount=amount, noticed=False))
    found = {number: record(driver, "over-maximum", number) for number in (1, 2, 3, 4)}
    assert [number for number, against in found.items() if against is None] == [2]
    found = {number: record(driver, "under-minimum", number) for number in (1, 2, 3, 4)}
    assert [number for number, against in found.items() if against is None] == [4]
    assert record(driver, "under-minimum", 5) == "no ante is under it"


def test_a_bet_is_too_large_or_too_small_from_the_first_chip_beyond_its_size() -> None:
    driver = live()
    stake(driver, 3, side=False)
    driver.close_bets(5_000_000)
    driver.deal()
    for number, amount in ((1, 2000), (2, 2001), (3, 1999)):
        driver.look(number)
        driver.must(c.Bet(box=number, amount=amount, noticed=False))
    assert [number for number in (1, 2, 3) if record(driver, "bet-over", number) is None] == [2]
    assert [number for number in (1, 2, 3) if record(driver, "bet-under", number) is None] == [3]


def test_a_side_chip_without_its_light_is_dark() -> None:
    driver = live()
    stake(driver, 2, side=False)
    driver.must(c.SideBet(box=1, player="player 1", amount=100, lit=False))
    driver.must(c.SideBet(box=2, player="player 2", amount=100))
    assert [number for number in (1, 2) if record(driver, "unlit-chip", number) is None] == [1]


def test_a_card_that_lies_open_or_aside_was_not_exposed_by_mistake() -> None:
    driver = live()
    stake(driver, 2, side=False)
    driver.close_bets(5_000_000)
    driver.deal()
    current = round_of(driver)
    hole, own, up = current.dealer[2], current.boxes[1].cards[0], current.up
    assert up is not None
    ahead = driver.shoe.ahead(current)
    assert record(driver, "cards-exposed", cards=(up,)) == "the card is the dealer's up-card, which all may see"
    assert record(driver, "cards-exposed", cards=(own,)) is None
    assert record(driver, "hole-card-exposed", cards=(hole,)) is None
    assert record(driver, "cards-exposed", cards=(ahead[0],)) is None
    assert record(driver, "cards-exposed", cards=(ahead[5],)) is None, "a hand beyond the one that is named"
    assert record(driver, "cards-exposed", cards=(ahead[6],)) == "a card of these is deep in the deck"
    driver.look(1)
    driver.look(2)
    driver.must(c.Fold(box=1))
    driver.must(c.Bet(box=2))
    driver.must(c.CollectChips(box=1))
    driver.must(c.CollectCards(box=1))
    assert record(driver, "cards-exposed", cards=(own,)) == "a card of these lies in the rack with box 1"
    driver.must(c.Reveal())
    assert record(driver, "hole-card-exposed", cards=(hole,)) == "a card of these lies face up, as it should"
    assert record(driver, "cards-exposed", cards=(round_of(driver).boxes[2].cards[0],)) is None


def test_a_card_that_came_off_wrongly_is_one_of_the_next() -> None:
    driver = live()
    stake(driver, 1, side=False)
    driver.close_bets(5_000_000)
    driver.deal(1)
    current = round_of(driver)
    ahead = driver.shoe.ahead(current)
    out = current.sequence[0]
    assert record(driver, "boxed-card", cards=(ahead[0],)) is None
    assert record(driver, "boxed-card", cards=(ahead[1],)) == "a card of these is not next in the deck"
    assert record(driver, "simultaneous-cards", cards=ahead[:2]) is None
    assert record(driver, "simultaneous-cards", cards=(ahead[0], ahead[2])) == "a card of these is not next in the deck"
    assert record(driver, "boxed-card", cards=(out,)) is None, "it has just fallen"
    assert record(driver, "card-drawn-in-error", cards=(out,)) == "a card of these was dealt before"


def test_hands_that_went_astray_are_shown_by_the_record_itself() -> None:
    driver = live()
    stake(driver, 2, side=False)
    driver.close_bets(5_000_000)
    driver.deal(1)
    driver.do(c.DealCard(to=box_place(1)))
    assert round_of(driver).strayed
    assert record(driver, "misdeal") is None
    assert record(driver, "player-miscount", 1) is None
    assert record(driver, "skipped-box", 2) is None
    assert record(driver, "skipped-box", 1) == "box 1 has 2 cards"


def test_looks_are_on_the_record() -> None:
    book = load_book("rws")
    driver = Driver(book, new_table(book, mode="live", reset=1_000_000))
    driver.open_bets(DECK)
    for number, player in ((1, "Ann"), (2, "Ann"), (3, "Bob")):
        driver.must(c.Ante(box=number, player=player, amount=1000))
    driver.close_bets(5_000_000)
    driver.deal()
    driver.do(c.Look(box=1))
    driver.do(c.Look(box=3))
    no_further = "the record has no look at a further hand there"
    assert [record(driver, "second-look", number) for number in (1, 2, 3)] == [no_further] * 3
    assert record(driver, "early-pick-up", 2) == "the record has no look at that box"
    assert record(driver, "early-pick-up", 1) != "the record has no look at that box"


def test_a_discard_is_picked_up_only_by_who_has_exchanged_and_is_not_paid() -> None:
    driver = at(load_book("exchange"), "dealt")
    driver.look(1)
    driver.must(c.Exchange(box=1, give=(round_of(driver).boxes[1].cards[0],)))
    assert record(driver, "discard-picked-up", 1) is None
    assert record(driver, "discard-picked-up", 2) == "that box has not exchanged a card"
    driver.must(c.Fold(box=1))
    driver.look(2)
    driver.must(c.Fold(box=2))
    driver.finish()
    assert record(driver, "discard-picked-up", 1) is not None


def test_a_whole_deck_is_not_short() -> None:
    driver = at(load_book("section10"), "dealt")
    assert record(driver, "deck-short-or-long", count=52) == "52 cards are the whole deck"
    for wrong in (51, 53):
        assert record(driver, "deck-short-or-long", count=wrong) == "the deck of this round has 52 cards"
        assert record(driver, "deck-short-or-long", count=wrong, facts=("found-by-stub-count",)) is None


def test_what_lies_in_a_shoe_of_cardboard_people_see() -> None:
    driver = at(load_book("section10"), "dealing")
    driver.table = replace(driver.table, mode="live")
    assert record(driver, "deck-short-or-long", count=52) == "52 cards are the whole deck"
    assert record(driver, "deck-short-or-long", count=51) is None
    assert record(driver, "shoe-empty") is None
