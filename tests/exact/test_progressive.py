"""The progressive: what a chip on it is worth, and the meter that makes it, or the whole game, even."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from aceking.cards.card import CardId, cards
from aceking.cards.deck import DECK
from aceking.cards.fast import ranker
from aceking.cards.hand import Category
from aceking.exact.side_bets import progressive
from aceking.rules.book import Book
from aceking.rules.odds import Amount, AwardAmount, Fixed, Share
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal

SECTION10, RWS, EXCHANGE, WASHINGTON = (load_book(name) for name in ("section10", "rws", "exchange", "washington"))
#: Perfect play of section10, published: 1,041,372,912,372 antes lost over all deals.
MAIN = Fraction(-1_041_372_912_372, 19_933_230_517_200)


def dollars(quads: int, full_house: int, flush: int) -> Mapping[Category, AwardAmount]:
    amounts = {Category.FOUR_OF_A_KIND: quads, Category.FULL_HOUSE: full_house, Category.FLUSH: flush}
    return {category: Fixed(Amount(100 * amount)) for category, amount in amounts.items()}


def break_even(quads: int, full_house: int, flush: int) -> Fraction:
    """Return the meter at which the wager is even, in dollars."""
    return progressive.line(SECTION10, dollars(quads, full_house, flush)).break_even / 100


def test_published_break_even_meters() -> None:
    """As printed in the published article: $1, royal flush 100 %, straight flush 10 %."""
    assert int(break_even(100, 75, 50)) == 263_205
    assert int(break_even(150, 100, 50)) == 246_784


def test_two_meters_of_that_article_are_misprinted() -> None:
    # Printed $217,047: one digit is wrong, the meter is $218,047.37.
    assert break_even(500, 100, 50) == Fraction(4_142_900, 19)
    assert round(break_even(500, 100, 50) * 100) == 218_047_37
    # Printed $176,613: a flush at 75 gives that to the dollar, so the line was most likely worked out with 75, not 50.
    assert round(break_even(500, 150, 50) * 100) == 193_415_79
    assert int(break_even(500, 150, 75)) == 176_613


def test_the_awards_of_the_books_themselves() -> None:
    assert progressive.line(SECTION10).break_even == break_even(500, 100, 50) * 100
    # rws pays 500/200/100: (2,598,960 - 624 x 500 - 3,744 x 200 - 5,108 x 100) / 7.6
    assert progressive.line(RWS).break_even == Fraction(1_027_360 * 100) / Fraction(76, 10)


@pytest.mark.parametrize("ace_low", [True, False])
def test_the_frequencies_are_those_of_all_hands(ace_low: bool) -> None:
    table = ranker(ace_low=ace_low)
    counted = Counter(map(table.strength, combinations(DECK, 5)))
    by_category: Counter[Category] = Counter()
    for strength, number in counted.items():
        by_category[table.categories[strength]] += number
    assert progressive.frequencies(ace_low=ace_low) == by_category


def test_the_value_is_a_line_in_the_meter() -> None:
    line = progressive.line(SECTION10)
    assert line.slope == Fraction(4 * 10 + 36, 10) / 2_598_960 / 100
    assert line.constant == Fraction(624 * 500 + 3_744 * 100 + 5_108 * 50, 2_598_960) - 1
    assert line.net(line.break_even) == 0
    assert line.house_edge(0) == -line.constant
    assert line.house_edge(0) > line.house_edge(10_000_000)


def test_the_meter_at_which_the_whole_game_is_even() -> None:
    line = progressive.line(SECTION10)
    for ante in (500, 1_000, 2_500):
        meter = line.even_with(MAIN, ante=ante)
        assert ante * MAIN + line.stake * line.net(meter) == 0
        assert meter > line.break_even
    # Five dollars lose 26.12 cents on ante and bet; each dollar on the meter brings 0.0002924 cents of it back.
    assert round(line.even_with(MAIN, ante=500)) == 307_374_75


def test_the_edge_against_the_meter() -> None:
    line = progressive.line(SECTION10)
    points = progressive.against_meter(line, MAIN, ante=500, meters=[0, 21_804_737, 30_737_475])
    assert [point.meter for point in points] == [0, 21_804_737, 30_737_475]
    assert [point.side_edge for point in points] == [line.house_edge(point.meter) for point in points]
    assert points[0].whole_edge == -MAIN + line.house_edge(0) / 5
    assert abs(points[1].side_edge) < Fraction(1, 10**6)
    assert abs(points[2].whole_edge) < Fraction(1, 10**6)


def test_no_paid_hand_is_ever_folded() -> None:
    for book in (SECTION10, RWS, EXCHANGE, WASHINGTON):
        assert [category for category in Category if progressive.never_folded(book, category)] == [
            category for category in Category if category >= Category.STRAIGHT
        ]


def bet_value(book: Book, hand: tuple[CardId, ...], up: CardId) -> Fraction:
    """The value of a bet by all 163,185 dealer hands."""
    assert book.dealer is not None
    table = ranker(ace_low=book.hands.ace_low)
    own = table.strength(hand)
    qualifies = table.strength_of(book.dealer.qualifies_with)
    gain = 1 + book.bet.antes * book.bet.pays[table.categories[own]]
    total = Fraction(0)
    for rest in combinations([one for one in DECK if one not in (*hand, up)], 4):
        dealer = table.strength((up, *rest))
        if dealer < qualifies:
            total += 1
        elif dealer < own:
            total += gain
        elif dealer > own:
            total -= 1 + book.bet.antes
    return total / 163_185


def test_the_bound_holds_for_the_weakest_flush_against_an_ace() -> None:
    value = bet_value(SECTION10, cards("7h 5h 4h 3h 2h"), cards("As")[0])
    # At most 9,516 hands of the deck are a flush or better.
    assert value > -3 * Fraction(9_516, 163_185) > -1


def test_no_paid_hand_of_the_exchange_book_is_ever_exchanged() -> None:
    for category in (category for category in Category if category >= Category.FLUSH):
        assert progressive.never_exchanged(EXCHANGE, category)


def test_awards_on_a_sign_must_be_given() -> None:
    with pytest.raises(ValueError, match="exchange: the award for four of a kind is posted by the house"):
        progressive.line(EXCHANGE)
    with pytest.raises(ValueError, match="washington: the awards are on a separate table"):
        progressive.line(WASHINGTON)
    given = progressive.line(EXCHANGE, dollars(500, 150, 75))
    assert int(given.break_even / 100) == 176_613
    everything = {Category.ROYAL_FLUSH: Share(Fraction(1)), Category.STRAIGHT_FLUSH: Share(Fraction(1, 10))}
    assert progressive.line(WASHINGTON, {**everything, **dollars(500, 100, 50)}).break_even == Fraction(414_290_000, 19)


def test_an_award_for_a_hand_that_may_be_folded_needs_the_number_of_hands_played() -> None:
    awards = {Category.THREE_OF_A_KIND: Fixed(Amount(300))}
    with pytest.raises(ValueError, match="three of a kind has an award, but it is not proved"):
        progressive.line(SECTION10, awards)
    line = progressive.line(SECTION10, awards, paid={Category.THREE_OF_A_KIND: 54_912})
    assert line.constant == progressive.line(SECTION10).constant + 3 * Fraction(54_912, 2_598_960)


def test_where_folded_hands_are_payable_every_hand_counts() -> None:
    assert SECTION10.progressive is not None
    payable = replace(SECTION10, progressive=replace(SECTION10.progressive, folded="payable"))
    line = progressive.line(payable, {Category.THREE_OF_A_KIND: Fixed(Amount(300))})
    assert line.constant == progressive.line(SECTION10).constant + 3 * Fraction(54_912, 2_598_960)


def test_a_hand_worth_exchanging_is_not_taken_for_granted() -> None:
    assert EXCHANGE.exchange is not None
    pays = {**EXCHANGE.exchange.pays, Category.ROYAL_FLUSH: Fraction(1000)}
    tempting = replace(EXCHANGE, exchange=replace(EXCHANGE.exchange, pays=pays))
    with pytest.raises(ValueError, match="flush has an award, but it is not proved"):
        progressive.line(tempting, dollars(500, 150, 75))


def test_a_stake_that_goes_back_to_those_who_exchange_needs_to_know_how_often() -> None:
    assert EXCHANGE.exchange is not None
    kind = replace(EXCHANGE, exchange=replace(EXCHANGE.exchange, side="returned"))
    with pytest.raises(ValueError, match="say how often"):
        progressive.line(kind, dollars(500, 150, 75))
    line = progressive.line(kind, dollars(500, 150, 75), exchanged=Fraction(1, 10))
    assert line.constant == progressive.line(EXCHANGE, dollars(500, 150, 75)).constant + Fraction(1, 10)


def test_no_meter_helps_where_no_award_is_a_share_of_it() -> None:
    flat = {Category.ROYAL_FLUSH: Fixed(Amount(10)), Category.STRAIGHT_FLUSH: Fixed(Amount(10))}
    with pytest.raises(ValueError, match="no award is a share of the meter"):
        _ = progressive.line(SECTION10, flat).break_even


def test_a_book_without_a_progressive_is_refused() -> None:
    with pytest.raises(ValueError, match="colorado-required has no progressive"):
        progressive.line(load_book("colorado-required"))


def test_a_fixed_award_for_the_straight_flush_is_an_option_of_section10() -> None:
    fixed = with_options(SECTION10, {"progressive-straight-flush": "fixed"})
    assert not isinstance(fixed, Refusal)
    assert progressive.line(fixed).slope == Fraction(4, 2_598_960 * 100)
