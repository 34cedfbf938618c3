"""Every act has its time, its box and its chips: what comes too early, too late or twice is refused, in every book.

Where the book orders the act, its clause is cited; where no book says anything, the base procedure of all tables.
"""

from collections.abc import Callable
from typing import Any

import pytest

from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.reading.load import book_ids, load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table.acts import NAMES
from aceking.table.dealer.driver import Driver
from tests.table.saved import knows
from tests.table.test_driver import stake, table_of

BOOKS = [load_book(name) for name in book_ids()]
MOMENTS = ("table-opened", "bets-opened", "staked", "closed", "dealing", "dealt", "done")


def at(book: Book, moment: str) -> Driver:
    """A table at that moment: two players with their antes and side wagers, one of them first in turn."""
    assert moment in MOMENTS
    driver = Driver(book, table_of(book))
    steps: dict[str, Callable[[], object]] = {
        "table-opened": driver.open_table,
        "bets-opened": lambda: driver.open_bets(DECK),
        "staked": lambda: stake(driver, 2, side=True),
        "closed": lambda: driver.close_bets(5_000_000 if book.progressive is not None else None),
        "dealing": lambda: driver.deal(1),
        "dealt": driver.deal,
        "done": lambda: _played(driver),
    }
    for name in MOMENTS[: MOMENTS.index(moment) + 1]:
        steps[name]()
    return driver


def _played(driver: Driver) -> None:
    for number in (1, 2):
        driver.look(number)
        folds = "fold" in driver.book.decide.choices
        driver.must(c.Fold(box=number) if folds else c.Stay(box=number, discard=_last_card(driver, number)))
    driver.finish()


def _last_card(driver: Driver, number: int) -> int:
    assert driver.table.round is not None
    return driver.table.round.boxes[number].cards[-1]


def _side_stake(book: Book) -> int:
    rules = book.progressive or book.bonus
    assert rules is not None
    return rules.stake


#: What is refused by a rule of the book where no clause orders the act itself.
BY_RULE = {
    "the round before is not over": "ante.required",
    "box 1 has not decided": "decide.choices",
    "the round is not settled": "collection.order",
    "box 1 is not settled": "collection.order",
}
ANN: dict[str, Any] = {"box": 1, "player": "player 1"}
#: The moment, the act, the base rule, and what a table says of it where no order of the book comes first.
REFUSED: list[tuple[str, c.Act, str, str]] = [
    ("table-opened", c.CollectCards(), "time", "there is no round"),
    ("table-opened", c.CollectCards(box=1), "time", "there is no round"),
    ("table-opened", c.EndRound(), "time", "there is no round to end"),
    ("table-opened", c.SelectWinner(box=1), "time", "there is no round"),
    ("table-opened", c.Validate(box=1), "time", "there is no round"),
    ("table-opened", c.PayAward(box=1), "time", "there is no round"),
    ("table-opened", c.Pay(box=1), "time", "nothing is settled yet"),
    ("table-opened", c.Reckon(), "time", "the cards are not shown yet"),
    ("table-opened", c.Ante(**ANN, amount=1000), "time", "betting is not open"),
    ("table-opened", c.CloseBets(), "time", "betting is not open"),
    (
        "table-opened",
        c.ChangeOption(option="weather", value="fair"),
        "input",
        "the book leaves no such choice as weather",
    ),
    ("bets-opened", c.OpenBets(), "time", "the round before is not over"),
    ("bets-opened", c.CloseBets(), "time", "nobody has staked an ante"),
    ("bets-opened", c.Ante(**ANN, amount=0), "input", "name an amount greater than zero"),
    ("bets-opened", c.Ante(**ANN), "input", "name an amount greater than zero"),
    ("bets-opened", c.Ante(box=1, amount=1000), "input", "name the player"),
    ("bets-opened", c.Ante(box=1, player="tray", amount=1000), "people", "tray is not a player at this table"),
    ("bets-opened", c.Ante(box=17, player="Ann", amount=1000), "box", "places"),
    ("bets-opened", c.CollectCards(), "time", "the round is not settled"),
    ("bets-opened", c.CollectCards(box=1), "time", "there are no cards to collect"),
    ("bets-opened", c.Reveal(), "time", "there is nothing to reveal now"),
    ("bets-opened", c.RackStub(), "time", "nothing has been dealt"),
    ("bets-opened", c.CountStub(), "time", "nothing has been dealt"),
    ("bets-opened", c.TurnUpCard(), "time", "the dealer has no cards"),
    ("bets-opened", c.GoAhead(), "time", "the deal is not finished"),
    ("staked", c.Ante(box=1, player="Bob", amount=1000), "box", "box 1 is player 1's"),
    ("staked", c.Ante(**ANN, amount=-1001), "chips", "more is taken back than was staked"),
    ("staked", c.SideBet(box=1, player="Bob", amount=100), "box", "box 1 is player 1's"),
    ("staked", c.SideBet(**ANN, amount=0), "input", "name an amount greater than zero"),
    ("staked", c.SideBet(**ANN, amount=-1), "chips", "all of the side wager is taken back, or none"),
    ("staked", c.SideBet(**ANN, amount=100, wager="lucky"), "input", "not lucky"),
    ("staked", c.DealCard(), "time", "this is not the time to deal"),
    ("closed", c.Ante(box=3, player="Cid", amount=1000), "time", "betting is not open"),
    ("closed", c.SideBet(**ANN, amount=100), "time", "betting is not open"),
    ("closed", c.Look(box=1), "time", "there are no cards to look at"),
    ("closed", c.TurnHand(box=1), "time", "hands are turned after the reveal"),
    ("dealing", c.GoAhead(), "time", "the deal is not finished"),
    ("dealing", c.Fold(box=1), "time", "this is not the time for decisions"),
    ("dealing", c.Cut(count=20), "deck", "that deck is in play"),
    ("dealing", c.RemoveDeck(), "deck", "that deck is in play"),
    ("dealing", c.ChangeDeck(), "deck", "that deck is in play"),
    ("dealing", c.Reveal(), "time", "there is nothing to reveal now"),
    ("dealt", c.Reveal(), "time", "box 1 has not decided"),
    ("dealt", c.TurnHand(box=1), "time", "hands are turned after the reveal"),
    ("dealt", c.Reckon(), "time", "the cards are not shown yet"),
    ("dealt", c.Pay(box=1), "time", "nothing is settled yet"),
    ("dealt", c.CollectChips(box=1), "time", "nothing is settled yet"),
    ("dealt", c.CollectCards(), "time", "box 1 still has its cards"),
    ("dealt", c.CollectCards(box=1), "time", "box 1 is not settled"),
    ("dealt", c.CollectCards(box=5), "time", "there are no cards to collect"),
    ("dealt", c.EndRound(), "time", "the round is not settled"),
    ("dealt", c.CloseBets(), "time", "betting is not open"),
    ("dealt", c.PayAward(box=1), "award", "box 1 has no award"),
    ("dealt", c.SelectWinner(box=1), "award", "box 1 has no award to verify"),
    ("dealt", c.Fold(box=5), "box", "box 5 is not in the round"),
    ("dealt", c.Look(box=5), "box", "box 5 is not in the round"),
    ("done", c.EndRound(), "time", "there is no round to end"),
    ("done", c.Fold(box=1), "time", "there is no round"),
    ("done", c.Pay(box=1), "time", "nothing is settled yet"),
    ("done", c.CollectCards(box=1), "time", "there is no round"),
]


@pytest.mark.parametrize(
    ("moment", "act", "rule", "says"),
    REFUSED,
    ids=[f"{moment}: {NAMES[type(act)]}: {says}" for moment, act, _, says in REFUSED],
)
def test_what_comes_at_the_wrong_time_is_refused_in_every_book(moment: str, act: c.Act, rule: str, says: str) -> None:
    heard = []
    for book in BOOKS:
        if not knows(book, NAMES[type(act)]):
            continue
        driver = at(book, moment)
        refused = driver.do(act)
        assert isinstance(refused, Refusal), book.id
        by_rule = BY_RULE.get(refused.reason) in book.by_key
        assert refused.clause in book.clauses or (refused.clause == f"BASE-{rule}" and not by_rule), (book.id, refused)
        heard.append(refused.reason)
    assert [one for one in heard if says in one], heard


def test_no_deck_is_added_while_cards_are_dealt_not_even_in_place_of_one_that_left() -> None:
    book = with_options(load_book("section10"), {"second-deck": "two-deck", "shuffle-method": "automated"})
    assert isinstance(book, Book)
    driver = at(book, "dealing")
    driver.must(c.RemoveDeck(deck="second"))
    cover = tuple(c.ExtraCard(kind=one) for one in book.deck.extra_cards)
    refused = driver.do(c.RegisterDeck(deck="second", back="blue", extras=cover))
    assert isinstance(refused, Refusal)
    assert refused.reason == "no deck is added while cards are dealt"


@pytest.mark.parametrize("book", BOOKS, ids=[book.id for book in BOOKS])
def test_a_second_side_wager_on_a_box_is_refused(book: Book) -> None:
    refused = at(book, "staked").do(c.SideBet(**ANN, amount=_side_stake(book)))
    assert isinstance(refused, Refusal)
    assert refused.reason == "there is a side bet on that box already"


@pytest.mark.parametrize("book", BOOKS, ids=[book.id for book in BOOKS])
def test_nothing_that_the_house_chose_is_changed_while_a_round_runs(book: Book) -> None:
    name, option = next(iter(book.options.items()))
    refused = at(book, "dealing").do(c.ChangeOption(option=name, value=option.default))
    assert isinstance(refused, Refusal)
    assert (refused.reason, refused.clause) == ("nothing is changed while a round runs", option.clause)


@pytest.mark.parametrize("book", BOOKS, ids=[book.id for book in BOOKS])
def test_an_ante_that_is_taken_back_takes_its_side_wager_with_it(book: Book) -> None:
    driver = at(book, "staked")
    driver.must(c.Ante(**ANN, amount=-1000))
    assert driver.table.round is not None
    assert (driver.table.round.boxes[1].ante, driver.table.round.boxes[1].side) == (0, 0)
    assert driver.table.accounts["player 1"] == 0


def test_one_card_is_exchanged_once_for_its_price() -> None:
    """EUR-p7-exchange: one card, once, for one ante."""
    driver = at(load_book("exchange"), "dealt")
    driver.look(1)
    assert driver.table.round is not None
    first, second, *_ = driver.table.round.boxes[1].cards
    for wrong, clause in (
        (c.Exchange(box=1, give=()), driver.book.cite("exchange.cards")),
        (c.Exchange(box=1, give=(first, second)), "EUR-p6-options"),
        (c.Exchange(box=1, give=(first,), amount=999), driver.book.cite("exchange.price_antes")),
        (c.Exchange(box=1, give=(driver.table.round.boxes[2].cards[0],)), "BASE-deck"),
    ):
        refused = driver.do(wrong)
        assert isinstance(refused, Refusal)
        assert refused.clause == clause, wrong
    driver.must(c.Exchange(box=1, give=(first,)))
    again = driver.do(c.Exchange(box=1, give=(second,)))
    assert isinstance(again, Refusal)
    assert (again.reason, again.clause) == ("box 1 has exchanged already", driver.book.cite("exchange.cards"))
    assert driver.table.round.boxes[1].fee == 1000
