"""One hand that may exchange several cards: the counts against plain enumeration, the money against the table."""

import random
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from aceking import value
from aceking.cards.card import CardError, CardId, cards
from aceking.cards.deck import DECK
from aceking.cards.hand import rank
from aceking.exact.exchange import several
from aceking.exact.games import value as value_of
from aceking.exact.stud.dealers import DealerHands
from aceking.exact.stud.money import nets
from aceking.rules.reading.load import load_book
from aceking.settlement.scenario import Swap
from tests.exact.test_stud_settle import expected, settled
from tests.rules.test_exchange_prices import written

OASIS = str(Path(__file__).resolve().parent.parent.parent / "examples" / "books" / "oasis.toml")
BOOK = load_book(OASIS)
HAND, UP = cards("Qh Jh 9h 8h 2c"), cards("7c")[0]


def drawn(count: int, times: int, seed: int) -> list[tuple[int, ...]]:
    """Draws by place among the 46 cards that are not seen."""
    chance = random.Random(seed)
    return [tuple(sorted(chance.sample(range(46), count))) for _ in range(times)]


def test_one_card_is_worth_what_it_is_worth_by_the_other_way(tmp_path: Path) -> None:
    sets = ("table.seats_max = 6", "exchange.cards = 2", "exchange.prices = [1, 2]")
    listed = several.exchanges(load_book(written(tmp_path, *sets)), HAND, UP)
    alone = value_of(load_book("exchange"), HAND, UP).decisions
    assert {name: worth for name, worth in alone.items() if name.startswith("exchange")} == {
        name: worth for name, worth in listed.items() if len(name.split()) == 2
    }
    assert len(listed) == 5 + 10


@pytest.mark.parametrize("count", range(1, 6))
@pytest.mark.parametrize("hand", ["Qh Jh 9h 8h 2c", "Ah Ad 7d 5s 2d"])
def test_a_draw_counts_as_all_hands_of_the_dealer_one_by_one(count: int, hand: str) -> None:
    held = cards(hand)
    counted, plain = several._Dealer(BOOK, held, UP), DealerHands(BOOK, held, UP)
    money, scaled = nets(BOOK, exchanged=count), several._money(BOOK, count)
    kept = sorted(held)[count:]
    for draw in drawn(count, 5, seed=count):
        took = [plain.unseen[place] for place in draw]
        best = max(plain.bet_after(took, [*kept, *took], money), money.fold)
        found = counted._sum(kept, np.array([draw]), scaled)
        assert Fraction(found, scaled.scale * comb(46 - count, 4)) == best


def test_every_draw_is_taken_once() -> None:
    for count in (1, 2, 3):
        assert {tuple(one) for one in several._choices(count).tolist()} == set(combinations(range(46), count))
    assert len(several._choices(5)) == comb(46, 5)


def test_one_draw_of_five_by_brute_force() -> None:
    """Each of the 101,270 hands that the dealer can have after the draw, settled as a table settles it."""
    took = cards("Kc Kd 5d 5s 3h")
    rest = [one for one in DECK if one not in (*HAND, *took, UP)]
    holes = list(combinations(rest, 4))
    total = sum((settled(BOOK, HAND, (UP, *hole), "bet", Swap(HAND, took)) for hole in holes), Fraction(0))
    counted, scaled = several._Dealer(BOOK, HAND, UP), several._money(BOOK, 5)
    unseen = [one for one in DECK if one != UP and one not in HAND]
    draw = np.array([sorted(unseen.index(one) for one in took)])
    assert Fraction(counted._sum((), draw, scaled), scaled.scale) == total
    assert total > 0, "a hand that is better bet than folded"


@pytest.mark.parametrize("count", range(1, 6))
def test_a_changed_hand_nets_at_the_table_what_it_nets_in_the_mathematics(count: int) -> None:
    money = nets(BOOK, exchanged=count)
    chance = random.Random(count)
    for _ in range(150):
        deck = chance.sample(DECK, 52)
        hand, bank, took = tuple(deck[:5]), tuple(deck[5:10]), tuple(deck[10 : 10 + count])
        swap = Swap(hand[:count], took)
        held = (*took, *hand[count:])
        assert settled(BOOK, hand, bank, "bet", swap) == expected(BOOK, money, rank(held), rank(bank))
        assert settled(BOOK, hand, bank, "fold", swap) == money.fold


def test_after_the_exchange_the_new_hand_is_bet_or_folded_against_what_is_left() -> None:
    swap = Swap(cards("2c 8h"), cards("Ts Td"))
    found = value_of(BOOK, HAND, UP, exchanged=swap).decisions
    left = [one for one in DECK if one not in (*HAND, *swap.take, UP)]
    held = cards("Qh Jh 9h Td Ts")
    plain = DealerHands(BOOK, HAND, UP).bet_after(swap.take, held, nets(BOOK, exchanged=2))
    assert (found["fold"], found["bet"], len(left)) == (Fraction(-3), plain, 44)
    assert value(OASIS, "Qh Jh 9h 8h 2c", "7c", exchanged=("2c 8h", "Ts Td")).decisions == found


@pytest.mark.parametrize(
    ("give", "take", "says"),
    [
        ("2c 3c", "Ts Td", "3c is given away and is not in the hand"),
        ("2c 8h", "Ts", "2 given away and 1 that came; as many come as go"),
        ("2c 8h", "Ts Ts", "Ts Ts: a card comes twice"),
        ("2c 2c", "Ts Td", "2c 2c: a card comes twice"),
        ("2c 8h", "Ts 7c", "7c cannot come: it is the up-card"),
        ("", "", "nothing is given away; 1 to 5 cards may be exchanged in oasis"),
    ],
)
def test_cards_that_cannot_be_exchanged_are_told(give: str, take: str, says: str) -> None:
    with pytest.raises(CardError, match=says):
        value_of(BOOK, HAND, UP, exchanged=Swap(cards(give), cards(take)))


def test_two_cards_at_one_card_s_book_are_told() -> None:
    with pytest.raises(CardError, match="one card may be exchanged in exchange"):
        value_of(load_book("exchange"), HAND, UP, exchanged=Swap(cards("2c 8h"), cards("Ts Td")))


def test_a_price_in_parts_of_an_ante_is_counted_exactly(tmp_path: Path) -> None:
    sets = ("table.seats_max = 6", "exchange.cards = 2")
    plain = written(tmp_path, *sets, "exchange.prices = [1, 2]")
    worth = value(plain, "Qh Jh 9h 8h 2c", "7c").decisions["exchange 2c 8h"]
    (tmp_path / "half").mkdir()
    half = written(tmp_path / "half", *sets, 'exchange.prices = [1, "150%"]')
    assert value(half, "Qh Jh 9h 8h 2c", "7c").decisions["exchange 2c 8h"] == worth + Fraction(1, 2)


def test_a_hand_of_cards_by_number_is_taken_too() -> None:
    swap = tuple(int(one) for one in cards("2c 8h")), tuple(int(one) for one in cards("Ts Td"))
    assert value(OASIS, [int(one) for one in HAND], int(UP), exchanged=swap).best == "bet"
    assert CardId(UP) == UP
