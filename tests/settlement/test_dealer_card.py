"""A card bought for a dealer without a hand: whose hand it changes, what it costs, and what is refused."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from aceking.cards.card import cards
from aceking.cards.deck import DECK
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.settlement.dealer_card import with_bought
from aceking.settlement.judge import judge
from aceking.settlement.lines import Settlement
from aceking.settlement.other_books import adapted
from aceking.settlement.scenario import ScenarioError
from aceking.settlement.scenario_json import result_data, scenario_from_data, settle_in, to_scenario
from aceking.settlement.settle import settle

RUSSIAN = str(Path(__file__).resolve().parent.parent.parent / "examples" / "books" / "russian.toml")
NO_HAND = "Qc Jd 9h 4s 3c"
ACES, KINGS, EIGHTS = "Ah Ad 7c 5s 2d", "Kh Kd 7d 5c 2c", "8h 8d 7h 5d 2h"


def seat(number: int, held: str, **more: Any) -> dict[str, Any]:
    return {"seat": number, "play": "bet", "cards": held, "ante": 10, **more}


def settled(*seats: dict[str, Any], book: str = RUSSIAN, dealer: str = NO_HAND, bought: str | None = None) -> Any:
    raw = {"book": book, "seats": list(seats), "dealer": dealer, **({} if bought is None else {"bought": bought})}
    return settle_in(scenario_from_data(raw))


def lines(result: Any, number: int = 1) -> list[tuple[str, int, str, int, str]]:
    _, done = result
    return [(one.wager, one.stake, one.outcome, one.pays, one.clause) for one in done.lines if one.seat == number]


PRICE = ("bought", 1000, "lose", 0, "RUS-1")


def test_a_dealer_who_qualifies_with_it_is_compared_with_those_who_paid_and_no_others() -> None:
    result = settled(seat(1, ACES, buys=True), seat(2, KINGS), seat(3, EIGHTS, buys=True), bought="9s")
    price, ante, bet = lines(result, 1)
    assert (price, ante[:4], bet[:4]) == (PRICE, ("ante", 1000, "win", 1000), ("bet", 2000, "win", 2000))
    assert [one[:4] for one in lines(result, 2)] == [("ante", 1000, "win", 1000), ("bet", 2000, "returned", 0)]
    assert [one[4] for one in lines(result, 2)] == ["EUR-p11-noqualify"] * 2
    assert [one[:3] for one in lines(result, 3)] == [PRICE[:3], ("ante", 1000, "lose"), ("bet", 2000, "lose")]
    data = result_data(None, result)
    assert data["dealer"] == {"hand": "queen jack high", "qualifies": False}
    assert data["bought"] == {"hand": "pair of nines", "qualifies": True}


def test_a_dealer_without_a_hand_even_then_is_settled_by_the_clause_of_the_bought_card() -> None:
    result = settled(seat(1, ACES, buys=True), bought="Ks")
    assert lines(result) == [
        PRICE,
        ("ante", 1000, "win", 1000, "RUS-2"),
        ("bet", 2000, "returned", 0, "RUS-2"),
    ]


def test_the_result_of_a_round_without_a_purchase_says_nothing_of_one() -> None:
    assert "bought" not in result_data(None, settled(seat(1, ACES)))


@pytest.mark.parametrize(("replaces", "left"), [("highest", "Ks Jd 9h 4s 3c"), ("lowest", "Qc Jd 9h 4s Ks")])
def test_the_highest_or_the_lowest_card_goes(tmp_path: Path, replaces: str, left: str) -> None:
    book = load_book(heir(tmp_path, f'bought.replaces = "{replaces}"'))
    assert with_bought(book, cards(NO_HAND), cards("Ks")[0]) == cards(left)


def heir(folder: Path, *sets: str, base: str = RUSSIAN, more: str = "") -> str:
    file = folder / "bought.toml"
    told = "\n".join(f"set.{one}" for one in sets)
    text = f'from = "{base}"\nid = "bought"\n{more}\n[[clause]]\nid = "BO-1"\ntopic = "qualify"\n'
    file.write_text(f'{text}actor = "house"\nsays = "As it is here."\n{told}\n', encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("seats", "dealer", "bought", "reason", "clause"),
    [
        ([seat(1, ACES, buys=True)], "Kc Ks 9h 4s 3c", "9s", "the dealer has a hand, and no card is bought", "RUS-1"),
        ([seat(1, ACES, buys=True)], "As Kc 9h 4s 3c", "9s", "the dealer has a hand, and no card is bought", "RUS-1"),
        ([seat(1, ACES, buys=True, play="fold")], NO_HAND, "9s", "a player without a bet buys no card for", "RUS-1"),
    ],
)
def test_who_may_not_buy_is_refused_by_its_clause(
    seats: list[dict[str, Any]], dealer: str, bought: str, reason: str, clause: str
) -> None:
    refused = settled(*seats, dealer=dealer, bought=bought)
    assert isinstance(refused, Refusal)
    assert reason in refused.reason
    assert refused.clause == clause


def test_a_book_without_it_sells_no_card() -> None:
    refused = settled(seat(1, ACES, buys=True), book="section10", bought="9s")
    assert isinstance(refused, Refusal)
    assert refused.reason == "seat 1: no card may be bought for the dealer"


@pytest.mark.parametrize(
    ("buys", "bought", "says"),
    [
        (True, None, "bought: seat 1 has paid for a card for the dealer, and none came"),
        (False, "9s", "bought: a card came for the dealer, and nobody has paid for it"),
        (True, "Ah", "Ah"),
        (True, "Qc", "Qc"),
        (True, "Zz", "bought: "),
        (True, "9s 8s", "bought: "),
    ],
)
def test_cards_that_cannot_be_are_told_in_one_sentence(buys: bool, bought: str | None, says: str) -> None:
    with pytest.raises((ScenarioError, ValueError), match=says):
        settled(seat(1, ACES, buys=buys), bought=bought)


def test_every_card_that_can_come_makes_the_hand_that_it_makes() -> None:
    """Each of the 42 cards, settled, against the plain comparison of the hands."""
    book = load_book(RUSSIAN)
    by, mine, bank = judge(book), cards(EIGHTS), cards(NO_HAND)
    met = set()
    for came in [one for one in DECK if one not in (*mine, *bank)]:
        raw = scenario_from_data({"seats": [seat(1, EIGHTS, buys=True)], "dealer": NO_HAND, "bought": "2s"})
        scenario = to_scenario(book, raw)
        done = settle(book, replace(scenario, bought=came))
        assert isinstance(done, Settlement)
        theirs = by.strength((came, *bank[1:]))
        plays = bool(by.qualifies[theirs])
        beaten = by.strength(mine) > theirs
        net = 0 if not plays else 1000 + 2000 - 1000 if beaten else -1000 - 1000 - 2000
        assert sum(line.net for line in done.lines) == net
        met.add((plays, beaten))
    assert met == {(False, True), (True, True), (True, False)}


def test_a_deal_laid_out_for_a_book_without_it_has_no_bought_card() -> None:
    scenario = to_scenario(
        load_book(RUSSIAN),
        scenario_from_data({"seats": [seat(1, ACES, buys=True)], "dealer": NO_HAND, "bought": "9s"}),
    )
    laid, notes = adapted(load_book("section10"), scenario)
    assert (laid.bought, laid.seats[0].buys) == (None, False)
    assert notes == ("no bought card: the dealer's hand as dealt",)
    assert adapted(load_book(RUSSIAN), scenario)[0] == scenario


SETS = (
    'bought = { price_antes = 1, price = "lost", replaces = "highest", counts_for = "who-paid",'
    ' unqualified_ante = "push", unqualified_bet = "push" }'
)


@pytest.mark.parametrize(
    ("sets", "says"),
    [
        (['dealer.qualifies_with = "any"'], "bought: it means nothing where the dealer always plays"),
        (['dealer.qualifies_with = "3 3 5 4 2"'], "with a bought card every pair qualifies"),
        (["bought.price_antes = 0"], "0 is not a number of antes from 1 to 100"),
        (['bought.replaces = "middle"'], "bought.replaces"),
        (['bought.counts_for = "all"'], "bought.counts_for"),
        (["exchange.cards = 2", "exchange.prices = [1, 2]"], "7 boxes take 55 cards"),
    ],
)
def test_what_cannot_be_played_is_refused_at_load(tmp_path: Path, sets: list[str], says: str) -> None:
    with pytest.raises(BookError, match="bought") as refused:
        load_book(heir(tmp_path, *sets))
    assert says in str(refused.value)


def test_every_pair_qualifies_is_enough(tmp_path: Path) -> None:
    assert load_book(heir(tmp_path, 'dealer.qualifies_with = "2 2 5 4 3"')).bought is not None


def test_a_deck_that_lies_in_the_rack_gives_no_card(tmp_path: Path) -> None:
    book = load_book("section10")
    steps = [*book.steps[: book.steps.index("dealer") + 1], "bought", *book.steps[book.steps.index("dealer") + 1 :]]
    more = f"steps = {list(steps)!r}".replace("'", '"')
    with pytest.raises(BookError, match=r"stub\.goes_to: a bought card comes off the deck"):
        load_book(heir(tmp_path, SETS, base="section10", more=more))
