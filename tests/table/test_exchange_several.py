"""Several cards exchanged at once at a table: offers, refusals, the order of the cards, rack, story, and mishaps."""

import random
from pathlib import Path

import msgspec
import pytest

from aceking.cards.card import CardId, cards, name
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.scenarios.spelling import command_from
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table import player as pl
from aceking.table.cards.place import Pile
from aceking.table.dealer.driver import Driver
from aceking.table.phases import deciding
from aceking.table.show.explain import explain
from aceking.table.show.offers import player_offers
from aceking.table.show.view import Viewer, view
from aceking.table.state import balance
from tests.table.handled import asked, no, now
from tests.table.rebuilt import reconstruct
from tests.table.saved import dump, load
from tests.table.test_driver import a_deck, round_of, stake, table_of

OASIS = load_book(str(Path(__file__).resolve().parent.parent.parent / "examples" / "books" / "oasis.toml"))
PRICES = {1: 1000, 2: 2000, 3: 3000, 4: 2000, 5: 1000}


def held(driver: Driver, number: int = 1) -> tuple[int, ...]:
    return round_of(driver).boxes[number].cards


def ahead(driver: Driver, count: int) -> tuple[int, ...]:
    return driver.shoe.ahead(round_of(driver))[:count]


@pytest.mark.parametrize("count", PRICES)
def test_the_cards_come_in_order_and_the_price_is_that_of_their_number(count: int) -> None:
    driver = asked(OASIS)
    give, come = held(driver)[:count], ahead(driver, count)
    driver.must(c.Exchange(box=1, give=give))
    box = round_of(driver).boxes[1]
    assert (box.gave, box.took, box.fee) == (give, come, PRICES[count])
    assert box.cards == (*come, *held(driver)[count:])
    assert round_of(driver).sequence[-count:] == come


def test_every_number_is_offered_with_its_price_and_none_after_it() -> None:
    driver = asked(OASIS)
    offers = [one for one in player_offers(OASIS, driver.table, "player 1") if one.do == "exchange"]
    assert [(one.count, one.amount) for one in offers] == [(None, "10"), (2, "20"), (3, "30"), (4, "20"), (5, "10")]
    assert {one.cards for one in offers} == {tuple(name(CardId(one)) for one in held(driver))}
    driver.must(c.Exchange(box=1, give=held(driver)[:2]))
    assert not [one for one in player_offers(OASIS, driver.table, "player 1") if one.do == "exchange"]
    again = driver.do(c.Exchange(box=1, give=held(driver)[:1]))
    assert isinstance(again, Refusal)
    assert again.reason == "box 1 has exchanged already"


def test_a_wrong_number_a_foreign_card_and_a_wrong_price_are_refused() -> None:
    driver = asked(OASIS)
    own = held(driver)
    other = next(one for one in range(52) if one not in own)
    no(deciding.exchange(now(driver), c.Exchange(box=1, give=())), "OAS-2", "1 to 5 cards may be exchanged")
    no(
        deciding.exchange(now(driver), c.Exchange(box=1, give=(own[0], other))),
        "BASE-deck",
        "the card given away is not in the hand",
    )
    no(
        deciding.exchange(now(driver), c.Exchange(box=1, give=(own[0], own[0]))),
        "BASE-deck",
        "a card is given away twice",
    )
    no(
        deciding.exchange(now(driver), c.Exchange(box=1, give=own[:2], take=(other,))),
        "BASE-deck",
        "2 cards come off the deck, not 1",
    )
    no(
        deciding.exchange(now(driver), c.Exchange(box=1, give=own[:2], take=ahead(driver, 2)[::-1])),
        "BASE-deck",
        "those are not the next cards",
    )
    for count, amount in ((2, 1000), (3, 2000), (4, 3000), (5, 2000)):
        wrong = driver.do(c.Exchange(box=1, give=own[:count], amount=amount))
        assert isinstance(wrong, Refusal)
        assert wrong.reason.startswith("the price")
    driver.must(c.Exchange(box=1, give=own[:2], amount=2000))


def test_more_than_the_book_takes_is_refused_by_the_clause_that_orders_it() -> None:
    driver = asked(load_book("exchange"))
    refused = driver.do(c.Exchange(box=1, give=held(driver)[:2]))
    assert isinstance(refused, Refusal)
    assert (refused.reason, refused.clause) == ("1 card may be exchanged", "EUR-p6-options")


def test_whole_rounds_balance_settle_and_are_rebuilt_from_the_rack() -> None:
    chance = random.Random(11)
    driver = Driver(OASIS, table_of(OASIS))
    for number in range(12):
        driver.open_bets(a_deck(chance))
        stake(driver, 4, side=number % 2 == 0)
        driver.close_bets(5_000_000)
        driver.deal()
        for box in [one.number for one in round_of(driver).dealt_in]:
            driver.look(box)
            if count := chance.randrange(6):
                driver.must(c.Exchange(box=box, give=tuple(chance.sample(held(driver, box), count))))
            driver.must(chance.choice([c.Bet(box=box), c.Fold(box=box)]))
        assert load(dump(driver.table)) == driver.table
        driver.finish()
        current = round_of(driver)
        hands = reconstruct(current.rack)
        for one in current.boxes.values():
            rebuilt = hands[Pile("hand", one.number)]
            assert (rebuilt.gave, set(rebuilt.took)) == (one.gave, set(one.took))
            came_for = dict(zip(one.took, one.gave, strict=True))
            assert rebuilt.dealt == {came_for.get(card, card) for card in one.cards}
            fees = [line.stake for line in current.lines if line.seat == one.number and line.wager == "exchange"]
            assert fees == ([PRICES[len(one.gave)]] if one.gave else [])
        assert balance(driver.table.accounts) == 0
        assert driver.table.accounts.get("layout", 0) == 0
    assert driver.table.violations == 0


def test_the_story_the_view_and_the_events_tell_every_card() -> None:
    driver = asked(OASIS)
    give, come = held(driver)[:2], ahead(driver, 2)
    driver.must(c.Exchange(box=1, give=give))
    swapped = [one for one in driver.events if isinstance(one, ev.Swapped)]
    assert [(one.give, one.take) for one in swapped] == list(zip(give, come, strict=True))
    own = view(OASIS, driver.table, Viewer("player", "player 1")).own.boxes[0]
    assert own.gave == " ".join(name(CardId(one)) for one in give)
    story = "\n".join(explain(OASIS, tuple(driver.events)))
    first, second = (f"{name(CardId(gone))} for {name(CardId(new))}" for gone, new in zip(give, come, strict=True))
    assert f"Player 1 exchanges {first} in box 1 at a price of 20" in story
    assert f"Player 1 exchanges {second} in box 1 with it" in story


def test_a_replacement_that_is_seen_voids_as_for_one_card_and_the_price_goes_back() -> None:
    for place in range(3):
        driver = asked(OASIS)
        driver.must(c.Exchange(box=1, give=held(driver)[:3]))
        assert driver.table.accounts["player 1"] == -(1000 + 100 + 3000)
        shown = round_of(driver).boxes[1].took[place]
        driver.must(c.Report(mishap="cards-exposed", boxes=(1,), cards=(shown,), role="dealer"))
        ruled = [one for one in driver.events if isinstance(one, ev.Ruled)]
        assert [one.then for one in ruled] == ["void-round"]
        assert driver.table.accounts["player 1"] == 0


def test_any_card_that_was_given_away_may_not_be_touched_again() -> None:
    for place in range(2):
        driver = asked(OASIS)
        give = held(driver)[:2]
        driver.must(c.Exchange(box=1, give=give))
        driver.do(c.TouchCards(box=1, card=give[place], role="player", player="player 1"))
        ruled = [one for one in driver.events if isinstance(one, ev.Ruled)]
        assert [(one.mishap, one.then) for one in ruled] == [("discard-picked-up", "void-hand")]
        kept = [one.amount for one in driver.events if isinstance(one, ev.Kept)]
        assert kept == [2000]


def test_the_request_of_a_player_and_the_step_of_a_script_name_several_cards() -> None:
    asks = msgspec.convert({"do": "exchange", "box": 1, "give": "2c 3d"}, pl.BuyCard)
    act = pl.as_command(asks, player="Ann", at=1)
    assert isinstance(act, c.Exchange)
    assert act.give == cards("2c 3d")
    for wrong in ("2c,3d", "2c 3d 4h 5s 6c 7d", "", "2c  3d"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"do": "exchange", "box": 1, "give": wrong}, pl.BuyCard)
    step = command_from(OASIS, {"do": "exchange", "box": 1, "give": "2c 3d", "take": "Kh Ks"})
    assert isinstance(step, c.Exchange)
    assert (step.give, step.take) == (cards("2c 3d"), cards("Kh Ks"))
    one = command_from(OASIS, {"do": "exchange", "box": 1, "give": "2c", "take": "Kh"})
    assert isinstance(one, c.Exchange)
    assert one.take == cards("Kh")[0]
