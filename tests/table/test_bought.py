"""A card bought for a dealer without a hand, at a table: who is asked, who pays, what comes, and what is left of it."""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from aceking.cards.card import CardId, cards, name
from aceking.cards.deck import DECK
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table import player as pl
from aceking.table.cards.place import Pile
from aceking.table.dealer.driver import Driver, DriverError
from aceking.table.dealer.next_act import due
from aceking.table.mishaps.stakes import void_hand, void_round
from aceking.table.money.settling import final_lines
from aceking.table.show.explain import explain
from aceking.table.show.offers import player_offers
from aceking.table.show.view import Viewer, view
from aceking.table.state import balance
from tests.table.handled import now
from tests.table.saved import dump, load
from tests.table.test_driver import a_deck, round_of, stake, table_of

RUSSIAN = load_book(str(Path(__file__).resolve().parent.parent.parent / "examples" / "books" / "russian.toml"))
FIRST, SECOND, BANK = cards("Ah Ad 7c 5s 2d"), cards("8h 8d 7h 5d 2h"), cards("Qc Jd 9h 4s 3c")
PRICE = 1000


def dealt(come: str = "9s", *, bank: tuple[CardId, ...] = BANK) -> Driver:
    """Box 1 has aces, box 2 eights, the dealer no hand; this card lies on the deck."""
    driver = Driver(RUSSIAN, table_of(RUSSIAN))
    known = (*FIRST, *SECOND, *bank, *cards(come))
    driver.open_bets((*known, *(one for one in DECK if one not in known)))
    stake(driver, 2, side=False)
    driver.close_bets(5_000_000)
    driver.deal()
    for number in (1, 2):
        driver.look(number)
    return driver


def shown(come: str = "9s", *, folds: tuple[int, ...] = (), bank: tuple[CardId, ...] = BANK) -> Driver:
    """Return a driver whose round is decided and revealed."""
    driver = dealt(come, bank=bank)
    for number in (1, 2):
        driver.must(c.Fold(box=number) if number in folds else c.Bet(box=number))
    driver.until(lambda act: driver.table.live_round is None)
    return driver


def buying(driver: Driver) -> list[int]:
    return [box.number for box in round_of(driver).buying]


def accounts(driver: Driver) -> tuple[int, int]:
    return driver.table.accounts["player 1"], driver.table.accounts["player 2"]


def test_who_has_bet_is_asked_and_the_dealer_waits() -> None:
    driver = shown()
    assert buying(driver) == [1, 2]
    assert view(RUSSIAN, driver.table, Viewer("player", "player 1")).common.turn == "players"
    assert due(RUSSIAN, driver.table) is None
    with pytest.raises(DriverError, match="the players have not decided"):
        driver.finish()
    assert buying(shown(folds=(1,))) == [2]


def test_nobody_is_asked_where_the_dealer_has_a_hand_or_all_have_folded() -> None:
    for driver in (shown(bank=cards("Kc Kd 9h 4s 3c")), shown(folds=(1, 2))):
        assert driver.table.live_round is None
        assert not [one for one in driver.events if isinstance(one, ev.DealerCardOffered)]


def test_one_card_comes_for_those_who_paid_and_the_others_are_settled_without_it() -> None:
    driver = shown()
    driver.must(c.BuyDealerCard(box=2, buys=False))
    assert due(RUSSIAN, driver.table) is None
    driver.must(c.BuyDealerCard(box=1))
    assert isinstance(due(RUSSIAN, driver.table), c.DrawDealerCard)
    driver.finish()
    current = round_of(driver)
    assert current.bought == cards("9s")[0]
    assert [(line.seat, line.wager, line.outcome, line.pays) for line in current.lines] == [
        (2, "ante", "win", 1000),
        (2, "bet", "returned", 0),
        (1, "bought", "lose", 0),
        (1, "ante", "win", 1000),
        (1, "bet", "win", 2000),
    ]
    assert accounts(driver) == (2000, 1000)
    assert balance(driver.table.accounts) == 0
    assert (Pile("bought"), cards("9s")) in current.rack
    assert driver.table.violations == 0


def test_nothing_comes_where_nobody_buys() -> None:
    driver = shown()
    for number in (1, 2):
        driver.must(c.BuyDealerCard(box=number, buys=False))
    driver.finish()
    assert round_of(driver).bought is None
    assert accounts(driver) == (1000, 1000)


def test_each_says_it_once_in_its_time_and_at_the_price() -> None:
    early = dealt().do(c.BuyDealerCard(box=1))
    assert isinstance(early, Refusal)
    driver = shown(folds=(2,))
    for act, reason in (
        (c.BuyDealerCard(box=2), "no card is bought for the dealer now"),
        (c.BuyDealerCard(box=1, amount=2000), "the price is the ante"),
        (c.DrawDealerCard(), "nobody waits for a card for the dealer"),
        (c.Reckon(), "box 1 has not said whether it buys a card for the dealer"),
    ):
        refused = driver.do(act)
        assert isinstance(refused, Refusal)
        assert refused.reason == reason
    driver.must(c.BuyDealerCard(box=1, amount=PRICE))
    for act, reason in (
        (c.BuyDealerCard(box=1), "box 1 has said it already"),
        (c.Reckon(), "the card that was bought for the dealer has not come"),
        (c.DrawDealerCard(card=cards("2s")[0]), "that is not the next card of the deck"),
    ):
        refused = driver.do(act)
        assert isinstance(refused, Refusal)
        assert refused.reason == reason
    driver.must(c.DrawDealerCard())
    assert isinstance(driver.do(c.DrawDealerCard()), Refusal)


def test_a_book_without_it_knows_no_such_act() -> None:
    driver = Driver(load_book("exchange"), table_of(load_book("exchange")))
    refused = driver.do(c.BuyDealerCard(box=1))
    assert isinstance(refused, Refusal)
    assert refused.reason == "neither the book nor the base procedure knows buy-dealer-card"


def test_it_is_offered_with_its_price_and_as_no_card_and_the_request_is_the_act() -> None:
    driver = shown()
    offers = [one for one in player_offers(RUSSIAN, driver.table, "player 2") if one.do == "buy-dealer-card"]
    assert [(one.box, one.amount, one.go_on) for one in offers] == [(2, "10", True), (2, None, False)]
    act = pl.as_command(pl.BuyForDealer(box=2, buys=True), player="player 2", at=driver.table.clock)
    assert isinstance(act, c.BuyDealerCard)
    driver.must(act)
    assert buying(driver) == [1]
    assert not [one for one in player_offers(RUSSIAN, driver.table, "player 2") if one.do == "buy-dealer-card"]


def test_whose_time_runs_out_buys_nothing() -> None:
    driver = shown()
    driver.table = replace(driver.table, decide_seconds=20)
    late = round_of(driver).turn_at + 20_000
    assert due(RUSSIAN, driver.table, at=late - 1) is None
    act = due(RUSSIAN, driver.table, at=late)
    assert isinstance(act, c.BuyDealerCard)
    driver.must(act)
    assert (buying(driver), round_of(driver).boxes[1].buys) == ([2], False)


def test_the_story_and_the_view_tell_it() -> None:
    driver = shown()
    driver.must(c.BuyDealerCard(box=1))
    driver.must(c.BuyDealerCard(box=2, buys=False))
    driver.finish()
    story = "\n".join(explain(RUSSIAN, tuple(driver.events)))
    assert "Box 1 (player 1) buys a card for the dealer at 10" in story
    assert "Box 2 (player 2) buys no card for the dealer" in story
    assert "For those who paid the dealer takes 9s and holds 9s Jd 9h 4s 3c, pair of nines, and qualifies" in story
    assert "The price of the dealer's card of 10 of box 1 (player 1) is lost." in story
    seen = view(RUSSIAN, driver.table, Viewer("player", "player 1")).common
    assert (seen.bought, [box.paid for box in seen.boxes]) == ("9s", ["10", None])


def test_a_round_that_is_void_gives_the_price_back() -> None:
    driver = shown()
    driver.must(c.BuyDealerCard(box=1))
    assert driver.table.accounts["player 1"] == -(1000 + 2000 + PRICE)
    for undo in (void_round(now(driver), "X"), void_hand(now(driver), 1, "X", own_fault=True)):
        returned = {one.wager: one.amount for one in undo if isinstance(one, ev.Returned) and one.box == 1}
        assert returned == {"ante": 1000, "bet": 2000, "bought": PRICE}
        assert now(driver).after(undo).table.accounts["player 1"] == 0


def test_a_hand_of_the_dealer_that_is_put_right_and_plays_gives_the_price_back() -> None:
    driver = shown(folds=(2,))
    driver.must(c.BuyDealerCard(box=1))
    driver.must(c.DrawDealerCard())
    put_right = replace(round_of(driver), dealer=cards("Kc Kd 9h 4s 3c"))
    lines = final_lines(RUSSIAN, replace(driver.table, round=put_right))
    assert isinstance(lines, ev.RoundSettled)
    assert [(one.wager, one.outcome) for one in lines.lines if one.wager == "bought"] == [("bought", "returned")]


def test_whole_rounds_balance_and_survive_saving_at_every_step() -> None:
    chance = random.Random(4)
    driver = Driver(RUSSIAN, table_of(RUSSIAN))
    bought = 0
    for _ in range(25):
        driver.open_bets(a_deck(chance))
        stake(driver, 3, side=True)
        driver.close_bets(5_000_000)
        driver.deal()
        for number in (1, 2, 3):
            driver.look(number)
            driver.must(c.Bet(box=number) if chance.random() < 0.8 else c.Fold(box=number))
        driver.until(lambda act: driver.table.live_round is None)
        while driver.table.live_round is not None:
            assert load(dump(driver.table)) == driver.table
            box = round_of(driver).buying[0]
            driver.must(c.BuyDealerCard(box=box.number, buys=chance.random() < 0.6))
            driver.until(lambda act: driver.table.live_round is None)
        current = round_of(driver)
        bought += current.bought is not None
        racked = [card for _, held in current.rack for card in held]
        assert set(racked) == set(current.sequence)
        assert len(racked) == len(set(racked))
        assert balance(driver.table.accounts) == 0
        assert driver.table.accounts.get("layout", 0) == 0
        if current.bought is not None:
            assert name(CardId(current.bought)) == view(RUSSIAN, driver.table, Viewer("pit")).common.bought
    assert bought > 3
    assert driver.table.violations == 0
