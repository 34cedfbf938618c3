"""Who cheats with side wagers, exchanges and bought cards: refused by its clause, without a trace, in any book."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from aceking.cards.card import CardId, cards
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.dealer.next_act import due
from aceking.table.decide import run
from aceking.table.mishaps.case import MishapCase
from aceking.table.mishaps.consequences import apply_remedy
from aceking.table.show.offers import player_offers
from tests.table.bare import bare, written
from tests.table.handled import now
from tests.table.lies import standing
from tests.table.test_driver import round_of
from tests.torture import walk_once

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "books"
#: Box 1 has four nines, box 2 a pair of eights.
FIRST, SECOND = cards("9s 9h 9c 9d 2c"), cards("8h 8d 7h 5d 2h")
NO_HAND, HAND = cards("Qc Jd 6h 4s 3c"), cards("Kc Kd 6h 4s 3c")
Tried = tuple[Callable[[Driver], Driver], c.Act, str, str]


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return bare(tmp_path)


def at_the_antes(book: Book, *, bank: tuple[CardId, ...] = NO_HAND) -> Driver:
    """Ann and Bob have an ante each, with the five on the glow."""
    driver = Driver(book, new_table(book))
    known = (*FIRST, *SECOND, *bank, *cards("As 2s 3s"))
    driver.open_bets((*known, *(one for one in DECK if one not in known)))
    for number, player in ((1, "Ann"), (2, "Bob")):
        driver.must(c.Ante(box=number, player=player, amount=1000))
    driver.must(c.SideBet(box=1, player="Ann", amount=500, wager="glow"))
    return driver


def seen(driver: Driver) -> Driver:
    driver.close_bets()
    driver.deal()
    driver.look(1)
    return driver


def bet(driver: Driver) -> Driver:
    seen(driver).must(c.Bet(box=1))
    return driver


def shown(driver: Driver) -> Driver:
    """Ann has bet, Bob has folded, the dealer's cards show."""
    bet(driver).look(2)
    driver.must(c.Fold(box=2))
    driver.until(lambda act: driver.table.live_round is None)
    return driver


def bought(driver: Driver) -> Driver:
    shown(driver).must(c.BuyDealerCard(box=1))
    return driver


def drawn(driver: Driver) -> Driver:
    bought(driver).must(c.DrawDealerCard())
    return driver


def stays(driver: Driver) -> Driver:
    return driver


def gone(driver: Driver) -> Driver:
    """Bob has walked away and left an ante."""
    current = round_of(driver)
    boxes = {**current.boxes, 2: replace(current.boxes[2], left=True)}
    driver.table = replace(driver.table, round=replace(current, boxes=boxes))
    return driver


def _glow(amount: int = 500, box: int = 2, player: str | None = "Bob", wager: str = "glow") -> c.SideBet:
    return c.SideBet(box=box, player=player, amount=amount, wager=wager)


OTHER, SIX = SECOND[0], (*FIRST, SECOND[0])
CASES: dict[str, Tried] = {
    "a side wager after the close": (seen, _glow(), "betting is not open", "2.2"),
    "a side wager after the reveal": (shown, _glow(), "betting is not open", "2.2"),
    "taken back after the close": (seen, _glow(-500, 1, "Ann"), "betting is not open", "2.2"),
    "the same stake twice": (stays, _glow(500, 1, "Ann"), "the wager glow is exactly 5, not 10", "6.3"),
    "by a stranger": (stays, _glow(player="Cyd"), "box 2 is Bob's", "BASE-box"),
    "by a stranger at a free box": (
        stays,
        _glow(box=3, player="Cyd"),
        "the wager glow needs an ante on that box",
        "2.1",
    ),
    "at a box that is not there": (stays, _glow(box=5, player="Cyd"), "the table has 4 places", "1.3"),
    "by the tray": (stays, _glow(box=3, player="tray"), "tray is not a player at this table", "BASE-people"),
    "laid down for another": (
        stays,
        c.PlaceForPlayer(box=1, player="Bob", amount=100, wager="side", side="spark"),
        "box 1 is Ann's",
        "BASE-box",
    ),
    "for who has left": (gone, _glow(), "the player of box 2 has left", "BASE-box"),
    "below the stake": (stays, _glow(499), "the wager glow is exactly 5, not 4.99", "6.3"),
    "above the stake": (stays, _glow(501), "the wager glow is exactly 5, not 5.01", "6.3"),
    "below the limits": (stays, _glow(99, wager="spark"), "the wager spark is 1 to 30, not 0.99", "6.3"),
    "above the limits": (stays, _glow(3001, wager="spark"), "the wager spark is 1 to 30, not 30.01", "6.3"),
    "of nothing": (stays, _glow(0), "name an amount greater than zero", "BASE-input"),
    "back without a stake": (stays, _glow(-500), "all of the side wager is taken back, or none", "BASE-chips"),
    "back in part": (stays, _glow(-400, 1, "Ann"), "all of the side wager is taken back, or none", "BASE-chips"),
    "of no such name": (
        stays,
        _glow(wager="glimmer"),
        "which side wager is it? There are glow, spark",
        "BASE-input",
    ),
    "a second box": (stays, c.Ante(box=3, player="Ann", amount=1000), "Ann has box 1 already; a player has one", "1.3"),
    "a card that is not held": (
        seen,
        c.Exchange(box=1, give=(OTHER,)),
        "the card given away is not in the hand",
        "BASE-deck",
    ),
    "six cards": (seen, c.Exchange(box=1, give=SIX), "1 to 3 cards may be exchanged", "6.1"),
    "no card": (seen, c.Exchange(box=1, give=()), "1 to 3 cards may be exchanged", "6.1"),
    "a card twice": (seen, c.Exchange(box=1, give=FIRST[:1] * 2), "a card is given away twice", "BASE-deck"),
    "unpaid": (seen, c.Exchange(box=1, give=FIRST[:1], amount=0), "the price is the ante", "6.1"),
    "paid out": (seen, c.Exchange(box=1, give=FIRST[:1], amount=-1000), "the price is the ante", "6.1"),
    "two at the price of one": (
        seen,
        c.Exchange(box=1, give=FIRST[:2], amount=1000),
        "the price of 2 is 2 times the ante",
        "6.1",
    ),
    "for a card that is not next": (
        seen,
        c.Exchange(box=1, give=FIRST[:1], take=cards("2s")[0]),
        "that is not the next card of the deck",
        "BASE-deck",
    ),
    "in another's hand": (
        seen,
        c.Exchange(box=1, player="Bob", give=FIRST[:1]),
        "box 1 is Ann's",
        "BASE-box",
    ),
    "an exchange after betting": (bet, c.Exchange(box=1, give=FIRST[:1]), "box 1 has decided", "3.1"),
    "an exchange after the reveal": (shown, c.Exchange(box=1, give=FIRST[:1]), "box 1 has decided", "3.1"),
    "a card for hidden cards": (bet, c.BuyDealerCard(box=1), "no card is bought for the dealer now", "6.2"),
    "by who has folded": (shown, c.BuyDealerCard(box=2), "no card is bought for the dealer now", "6.2"),
    "by who does not play": (shown, c.BuyDealerCard(box=3, player="Cyd"), "box 3 is not in the round", "BASE-box"),
    "with another's chips": (shown, c.BuyDealerCard(box=1, player="Bob"), "box 1 is Ann's", "BASE-box"),
    "for nothing": (shown, c.BuyDealerCard(box=1, amount=0), "the price is the ante", "6.2"),
    "for less": (shown, c.BuyDealerCard(box=1, amount=-1000), "the price is the ante", "6.2"),
    "by the house": (
        shown,
        c.BuyDealerCard(box=1, role="house"),
        "a card for the dealer is bought by the player of box 1",
        "BASE-people",
    ),
    "declined by the house": (
        shown,
        c.BuyDealerCard(box=1, buys=False, role="house"),
        "no time limit is posted at this table",
        "BASE-limit",
    ),
    "twice": (bought, c.BuyDealerCard(box=1), "box 1 has said it already", "6.2"),
    "taken back": (bought, c.BuyDealerCard(box=1, buys=False), "box 1 has said it already", "6.2"),
    "drawn for nobody": (shown, c.DrawDealerCard(), "nobody waits for a card for the dealer", "BASE-time"),
    "drawn twice": (drawn, c.DrawDealerCard(), "nobody waits for a card for the dealer", "BASE-time"),
    "drawn from elsewhere": (
        bought,
        c.DrawDealerCard(card=cards("2s")[0]),
        "that is not the next card of the deck",
        "BASE-deck",
    ),
    "drawn by the player": (
        bought,
        c.DrawDealerCard(role="player"),
        "dealer-card-drawn is for the dealer, not for the player",
        "BASE-people",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_a_cheat_tries_is_refused_by_its_rule_and_leaves_nothing(case: str, book: Book) -> None:
    until, act, reason, clause = CASES[case]
    driver = until(at_the_antes(book))
    before = driver.table
    refused = driver.do(act)
    assert refused == Refusal(reason, clause)
    assert driver.table is before


def test_a_dealer_with_a_hand_is_sold_nothing(book: Book) -> None:
    driver = shown(at_the_antes(book, bank=HAND))
    assert driver.table.live_round is None
    before = standing(driver.table)
    assert isinstance(driver.do(c.BuyDealerCard(box=1)), Refusal)
    assert standing(driver.table) == before


def test_a_second_exchange_is_refused_and_is_not_offered(book: Book) -> None:
    driver = seen(at_the_antes(book))
    driver.must(c.Exchange(box=1, give=FIRST[4:], amount=1000))
    before, held = driver.table, round_of(driver).boxes[1].cards
    assert driver.do(c.Exchange(box=1, give=held[:1])) == Refusal("box 1 has exchanged already", "6.1")
    assert driver.table is before
    assert not [one for one in player_offers(book, driver.table, "Ann") if one.do == "exchange"]


def test_a_second_box_is_not_offered_where_a_player_has_one(book: Book, tmp_path: Path) -> None:
    def free(rules: Book) -> list[int | None]:
        driver = at_the_antes(rules)
        return [one.box for one in player_offers(rules, driver.table, "Ann") if one.do == "ante" and one.least]

    assert free(book) == []
    assert free(bare(tmp_path, "two-adjacent")) == []  # the box beside hers is Bob's
    assert free(bare(tmp_path, "several")) == [3, 4]


def test_a_third_box_is_refused_where_two_lie_side_by_side(tmp_path: Path) -> None:
    driver = at_the_antes(bare(tmp_path, "two-adjacent"))
    refused = driver.do(c.Ante(box=4, player="Bob", amount=1000))
    assert refused == Refusal("Bob may have two boxes side by side", "1.3")
    driver.must(c.Ante(box=3, player="Bob", amount=1000))
    refused = driver.do(c.Ante(box=4, player="Bob", amount=1000))
    assert refused == Refusal("Bob may have two boxes side by side", "1.3")


def _envy(driver: Driver) -> list[tuple[int, object, int]]:
    return [(line.seat, line.envy_of, line.pays) for line in round_of(driver).lines if isinstance(line.envy_of, int)]


@pytest.mark.parametrize(("second", "pays"), [("Ann", []), ("Bob", [(2, 1, 3000), (1, 2, 100)])])
def test_nobody_is_paid_for_envy_of_their_own_hand(
    tmp_path: Path, second: str, pays: list[tuple[int, object, int]]
) -> None:
    driver = Driver(book := bare(tmp_path, "several"), new_table(book))
    known = (*FIRST, *SECOND, *HAND)
    driver.open_bets((*known, *(one for one in DECK if one not in known)))
    for number, player in ((1, "Ann"), (2, second)):
        driver.must(c.Ante(box=number, player=player, amount=1000))
        driver.must(c.SideBet(box=number, player=player, amount=500, wager="glow"))
    driver.close_bets()
    driver.deal()
    for number in (1, 2):
        driver.look(number)
        driver.must(c.Bet(box=number))
    driver.finish()
    assert _envy(driver) == pays


def test_the_time_to_buy_begins_when_the_dealers_cards_show(book: Book) -> None:
    driver = bet(at_the_antes(book))
    driver.look(2)
    driver.must(c.Fold(box=2, at=1_000))
    driver.table = replace(driver.table, decide_seconds=20)
    driver.must(c.Reveal(at=90_000))
    assert round_of(driver).buying
    for at, reason in ((90_000, "box 1 has 20 seconds left"), (109_999, "box 1 has 1 seconds left")):
        assert due(book, driver.table, at=at) is None
        for role in ("house", "device"):
            act = c.BuyDealerCard(box=1, buys=False, role=role, at=at)
            assert driver.do(act) == Refusal(reason, "BASE-limit")
    late = due(book, driver.table, at=110_000)
    assert late == c.BuyDealerCard(box=1, buys=False, role="house", at=110_000)
    driver.must(late)
    assert round_of(driver).boxes[1].buys is False


def test_a_dealers_hand_that_is_whole_only_after_the_reveal_is_offered_a_card_then(book: Book) -> None:
    driver = bet(at_the_antes(book))
    driver.look(2)
    driver.must(c.Fold(box=2))
    short = round_of(driver)
    driver.table = replace(driver.table, round=replace(short, dealer=short.dealer[:4]))
    driver.must(c.Reveal())
    assert not round_of(driver).buying
    driver.table = replace(driver.table, round=replace(round_of(driver), dealer=short.dealer))
    driver.must(c.Reckon())
    assert [box.number for box in round_of(driver).buying] == [1]
    assert not round_of(driver).settled
    driver.must(c.BuyDealerCard(box=1))
    driver.finish()
    offered = [one for one in driver.events if isinstance(one, ev.DealerCardOffered)]
    assert (len(offered), round_of(driver).bought) == (1, cards("As")[0])


def test_nothing_is_rebuilt_once_a_card_has_come_for_the_dealer(book: Book) -> None:
    case = MishapCase("raked-cards", "X", (1,))
    assert isinstance(apply_remedy(now(bought(at_the_antes(book))), "rebuild", case), list)
    why = apply_remedy(now(drawn(at_the_antes(book))), "rebuild", case)
    assert why == "a card has come for the dealer: every player plays on with the cards in hand"


def test_play_goes_on_without_who_walks_away_when_a_card_is_offered(book: Book) -> None:
    driver = shown(at_the_antes(book))
    driver.must(c.Report(mishap="walk-away", boxes=(1,), role="dealer"))
    (question,) = driver.table.questions
    answer = c.GiveRuling(question=question.number, then="continue", reason="he is gone", role="house")
    answered = run(book, driver.table, answer, driver.shoe)
    assert not isinstance(answered, Refusal)
    driver.table, done = answered
    said = [(one.box, one.buys, one.clause) for one in done if isinstance(one, ev.DealerCardChosen)]
    assert said == [(1, False, question.clause)]
    driver.finish()
    # The ante is paid, the glow of five wins thirty for four nines, and one for the pair of the other box.
    assert driver.table.accounts["Ann"] == 1000 + 3000 - 500 + 100


@pytest.mark.parametrize("name", ["oasis", "russian", "lantern", "bare", "bare-several"])
def test_a_walk_with_a_cheat_at_every_step(name: str, tmp_path: Path) -> None:
    own = {"bare": "one", "bare-several": "several"}
    file = written(tmp_path, own[name]) if name in own else EXAMPLES / f"{name}.toml"
    walks = [walk_once(str(file), 600 + seed, steps=150, cheats=True) for seed in range(4)]
    assert sum(walk.taken for walk in walks) > 0, "nothing that was tried was ever right"
