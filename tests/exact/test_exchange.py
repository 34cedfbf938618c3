"""Stud with an exchange: what the book costs, and every exchange against plain enumeration."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest

from aceking.cards.card import RANKS, CardId, card, cards, name, rank_of, suit_of
from aceking.cards.deck import DECK
from aceking.cards.hand import HandRank, rank, weakest
from aceking.exact.exchange import edge as exchange
from aceking.exact.exchange.counts import DEALER_HANDS_AFTER, DRAWS, STUB
from aceking.exact.exchange.hands import changes
from aceking.exact.exchange.patterns import DrawPattern, patterns
from aceking.exact.exchange.play import Exchanges, UpCardPlay
from aceking.exact.stud.edge import edge, value
from aceking.exact.stud.hands import blocks
from aceking.exact.stud.rows import DEALER_HANDS, STATES, UP_SUITS
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.vocabulary import ExchangeRules
from tests.exact.dealer_hands import DealerEnumerated

#: All hands are ranked once for those who need them.
pytestmark = pytest.mark.xdist_group("every hand")

#: Draws of every kind: four and five of the up-card's suit and of another, with a pair in it and without; straights
#: open at both ends and inside; hands that nobody would exchange; and hands that block the dealer.
CHOSEN = [
    ("9h 8h 7h 6h Kd", "2h"),
    ("9h 8h 7h 6h Kd", "2s"),
    ("9h 8h 7h 6h Kd", "2d"),
    ("9h 8h 7h 6h 9d", "Ah"),
    ("9h 8h 7h 6h 9d", "Ad"),
    ("9h 8h 7h 6h 9d", "As"),
    ("Kh Jh 9h 5h 2h", "Ah"),
    ("Kh Jh 9h 5h 2h", "Ac"),
    ("Kh Jh 9h 5h 2h", "5c"),
    ("Ks Qs Js Ts 2d", "As"),
    ("Ks Qs Js Ts 2d", "9d"),
    ("5s 4s 3s 2s Kd", "Ah"),
    ("9c 8d 7h 6s 2c", "Kc"),
    ("Ac Kd Qh Js 2c", "Ad"),
    ("Ac Kd Qh Js 2c", "2s"),
    ("7c 7d 7h Kc 2d", "7s"),
    ("7c 7d Kh Kc 2d", "Ks"),
    ("7c 7d 7h 7s 2d", "2c"),
    ("As Ks Qs Js Ts", "2d"),
    ("Ac Kd 9h 5s 2c", "Kh"),
]


@cache
def book() -> Book:
    return load_book("exchange")


@cache
def full_pays() -> Book:
    """A bought hand is paid like any other."""
    return replace(book(), exchange=replace(bought(), pays=book().bet.pays))


def bought() -> ExchangeRules:
    rules = book().exchange
    assert rules is not None
    return rules


def priced(antes: int) -> Book:
    return replace(book(), exchange=replace(bought(), price_antes=antes))


def qualifying(qualifier: HandRank, *, ace_low: bool = True) -> Book:
    found = book()
    assert found.dealer is not None
    dealer = replace(found.dealer, qualifies_with=qualifier)
    return replace(found, dealer=dealer, hands=replace(found.hands, ace_low=ace_low))


def test_full_pays_give_the_published_1_04_percent() -> None:
    # beatingbonuses.com
    assert round(float(100 * edge(full_pays()).house_edge), 2) == 1.04


def test_the_book_costs_1_1757_percent() -> None:
    # Computed two ways: with bounds here, and with none in test_no_exchange_is_ruled_out_wrongly.
    found = edge(book())
    assert found.deals == exchange.DEALS == 19_933_230_517_200 * 42
    assert found.net_per_ante == Fraction(-820_231_408_501, 69_766_306_810_200)
    assert sum(found.decisions.values()) == 1


def test_the_same_deals_before_and_after_the_draw() -> None:
    assert DEALER_HANDS * STUB == DRAWS * DEALER_HANDS_AFTER


def test_the_patterns_hold_every_hand_once() -> None:
    hands = {block.category: len(block) * sum(each.ways for each in patterns(block.category)) for block in BLOCKS}
    assert sum(hands.values()) == 2_598_960
    # In all of them the up-card's suit is given, and in each the up-card is not among the player's cards.
    states = 0
    for block in BLOCKS:
        for pattern in patterns(block.category):
            suited = np.zeros(len(block), np.intp)
            for place in pattern.suited:
                suited |= 1 << block.ranks[place]
            states += UP_SUITS * sum(pattern.ways * int((suited >> up & 1 == 0).sum()) for up in range(13))
    assert states == STATES


def test_an_exchange_at_a_hopeless_price_is_never_made() -> None:
    without = replace(book(), exchange=None)
    dear, plain = edge(priced(1000)), edge(without)
    assert dear.decisions == {**plain.decisions, "exchange": 0}
    assert dear.outcomes == {net: STUB * deals for net, deals in plain.outcomes.items()}
    assert dear.risked == plain.risked


@pytest.mark.parametrize("up", ["2", "8", "A"])
@pytest.mark.parametrize("rules", ["as it is", "for nothing"])
def test_no_exchange_is_ruled_out_wrongly(up: str, rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = exchange.ExchangeTable(book() if rules == "as it is" else priced(0))
    bounded = table.exchange(RANKS.index(up))
    everything = np.full((13, 1820), 2**61)
    monkeypatch.setattr(UpCardPlay, "bounds", lambda _: (everything, everything))
    assert table.exchange(RANKS.index(up)) == bounded


@pytest.mark.parametrize(("hand", "up"), CHOSEN[::3])
def test_every_exchange_is_worth_what_its_enumeration_says(hand: str, up: str) -> None:
    five, open_card = cards(hand), card(up)
    dealer = DealerEnumerated(five, open_card, ace_low=True)
    totals = dict.fromkeys(five, Fraction(0))
    for drawn in DECK:
        if drawn not in (*five, open_card):
            rest = dealer.without(drawn)
            for given in five:
                new = tuple(drawn if one == given else one for one in five)
                totals[given] += max(Fraction(-2), rest.bet(book(), new, exchanged=True))
    expected = {f"exchange {name(given)}": total / 46 for given, total in totals.items()}
    assert value(book(), five, open_card).decisions == {"fold": -1, "bet": dealer.bet(book(), five), **expected}


WHAT_IF = {
    "as it is": book(),
    "full pays": full_pays(),
    "for nothing": priced(0),
    "ace never low": qualifying(weakest("A K 4 3 2"), ace_low=False),
    "any hand qualifies": qualifying(weakest("7 5 4 3 2")),
    "tens qualify": qualifying(weakest("T T 4 3 2")),
    "a straight qualifies": qualifying(weakest("7 6 5 4 3")),
    "a flush qualifies": qualifying(rank(cards("9s 5s 4s 3s 2s"))),
}


@pytest.mark.parametrize("rules", WHAT_IF)
@pytest.mark.proof
def test_the_counted_value_of_an_exchange_is_its_enumerated_value(rules: str) -> None:
    random = Random(rules)
    chosen = CHOSEN if rules == "as it is" else random.sample(CHOSEN, 6)
    drawn = [random.sample(DECK, 6) for _ in range(3)]
    for hand, up in [*((cards(hand), card(up)) for hand, up in chosen), *((tuple(six[:5]), six[5]) for six in drawn)]:
        found = value(WHAT_IF[rules], hand, up).decisions
        assert counted(WHAT_IF[rules], hand, up) == {given: found[f"exchange {name(given)}"] for given in hand}


def test_a_draw_to_a_straight_flush_gives_up_the_odd_card() -> None:
    assert value(book(), cards("9h 8h 7h 6h Kd"), card("2s")).best == "exchange Kd"
    assert value(book(), cards("9h 8h 7h 6h 5h"), card("2s")).best == "bet"


def test_with_bought_cards_the_house_keeps_less_than_without() -> None:
    assert edge(full_pays()).house_edge < edge(book()).house_edge < edge(replace(book(), exchange=None)).house_edge


BLOCKS = blocks(ace_low=True)


def counted(rules: Book, hand: tuple[CardId, ...], up: CardId) -> dict[CardId, Fraction]:
    """The value of giving up each card, as the counts have it."""
    table = exchange.ExchangeTable(rules)
    against = table.against(rank_of(up))
    exchanges = Exchanges.joined([_exchange(rules, hand, given, up) for given in hand])
    unit = table.scale * DRAWS * DEALER_HANDS_AFTER
    values = against.value(exchanges).tolist()
    return {given: Fraction(found, unit) for given, found in zip(hand, values, strict=True)}


def _exchange(rules: Book, hand: tuple[CardId, ...], given: CardId, up: CardId) -> Exchanges:
    kept = [one for one in hand if one != given]
    suited = sum(1 << rank_of(one) for one in hand if suit_of(one) == suit_of(up))
    draw = DrawPattern.NONE
    if len({suit_of(one) for one in kept}) == 1:
        draw = DrawPattern.OTHER_SUIT_BROKEN if suit_of(given) == suit_of(kept[0]) else DrawPattern.OTHER_SUIT
        if suit_of(kept[0]) == suit_of(up):
            draw = DrawPattern.UP_SUIT
    held = np.bincount([rank_of(one) for one in kept], minlength=13)
    fours = changes(ace_low=rules.hands.ace_low).fours
    (place,) = np.flatnonzero((fours == held[:, None]).all(axis=0))
    return Exchanges(*(np.array([one]) for one in (place, rank_of(given), suited, int(draw))))
