"""Colorado Hold'em: what both versions cost, and what every decision is worth. No published figure exists."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from aceking.cards.card import CardError, cards
from aceking.cards.deck import DECK
from aceking.cards.hand import Category, rank, weakest
from aceking.exact.community import edge as community
from aceking.exact.figures import Values
from aceking.rules.book import Book
from aceking.rules.odds import Odds, PayTableRow
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal

DEALS = 22_100 * 18_424

#: Computed two ways: by classes and counts here, hand by hand in test_community_plain.
REQUIRED = {1000: 1_636, 200: 7_436, 80: 211_344, 22: 1_003_536, 16: 964_008, 10: 1_725_264, 6: 12_866_568}
REQUIRED |= {5: 1_842_400, 4: 24_651_000, 2: 85_982_808, 0: 45_570_720, -1: 10_464_832, -2: 221_878_848}
PERMISSIBLE = {1000: 72, 500: 1_492, 200: 144, 100: 8_400, 50: 176_112, 25: 36_368, 20: 686_448, 16: 11_664}
PERMISSIBLE |= {10: 340_920, 8: 1_121_528, 6: 7_599_384, 5: 3_594_172, 4: 11_174_760, 3: 5_437_016, 2: 29_513_736}
PERMISSIBLE |= {1: 54_369_456, 0: 32_793_072, -1: 232_901_736, -2: 27_403_920}


def required() -> Book:
    return load_book("colorado-required")


def permissible() -> Book:
    return load_book("colorado-permissible")


def chosen(book: Book, options: Mapping[str, Any]) -> Book:
    found = with_options(book, options)
    assert not isinstance(found, Refusal)
    return found


def paying(book: Book, pays: Mapping[Category, Fraction | int]) -> Book:
    rows: dict[PayTableRow, Fraction] = {**book.bet.pays}
    rows.update({category: Fraction(odds) for category, odds in pays.items()})
    return replace(book, bet=replace(book.bet, pays=rows))


def plain_value(book: Book, text: str, discard: str, *, wagers: int) -> Fraction:
    """The value of going on, by the obvious ranker over all communities."""
    assert book.paytable is not None
    kept = [one for one in cards(text) if one not in cards(discard)]
    total = Fraction(0)
    for shared in combinations([one for one in DECK if one not in cards(text)], 3):
        hand = rank((*kept, *shared), ace_low=book.hands.ace_low)
        if hand >= book.paytable.wins_with:
            total += book.bet.pays[hand.category]
        elif hand < book.paytable.pushes_with:
            total -= 1
    return wagers * total / 18_424


def test_the_required_version_keeps_5_515_percent_of_the_ante() -> None:
    edge = community.edge(required())
    assert edge.net_per_ante == Fraction(-2133, 38675)
    assert edge.deals == DEALS == 407_170_400
    assert edge.outcomes == REQUIRED
    assert edge.decisions == {"bet": Fraction(5358, 5525), "fold": Fraction(142, 5525), "declare": Fraction(1, 221)}
    assert edge.risked == Fraction(10883, 5525)
    assert edge.element_of_risk == Fraction(2133, 38675) / Fraction(10883, 5525)
    assert round(edge.standard_deviation, 4) == 3.9446


def test_the_permissible_version_keeps_2_956_percent_of_the_ante() -> None:
    edge = community.edge(permissible())
    assert edge.net_per_ante == Fraction(-3009197, 101792600)
    assert edge.outcomes == PERMISSIBLE
    assert edge.decisions == {"bet": Fraction(954, 5525), "stay": Fraction(4546, 5525), "declare": Fraction(1, 221)}
    assert edge.risked == 1 + Fraction(954, 5525)
    assert round(edge.standard_deviation, 4) == 2.4714


def test_without_the_ace_low_instant_winner_four_hands_fewer_are_declared() -> None:
    for book, net in ((required(), Fraction(-2858741, 50896300)), (permissible(), Fraction(-11099, 363545))):
        edge = community.edge(chosen(book, {"three-card-ace-low": "not-allowed"}))
        assert edge.net_per_ante == net
        assert edge.decisions["declare"] == Fraction(96, 22_100)


@pytest.mark.parametrize(
    ("text", "discard"), [("Ks Kh 4d", "4d"), ("As Ks Qs", "Qs"), ("7c 4d 2h", "2h"), ("9h 8h 2h", "2h")]
)
def test_a_value_is_that_of_all_communities_ranked_by_the_obvious_ranker(text: str, discard: str) -> None:
    for book in (required(), permissible()):
        values = community.value(book, cards(text)).decisions
        assert values[f"bet discard {discard}"] == plain_value(book, text, discard, wagers=2)
        if not book.bet.required:
            assert values[f"stay discard {discard}"] == plain_value(book, text, discard, wagers=1)


def test_the_required_version_may_bet_or_fold() -> None:
    values = community.value(required(), cards("6c 3d 2h"))
    assert values.best == "fold"
    assert set(values.decisions) == {"fold", "bet discard 6c", "bet discard 3d", "bet discard 2h"}
    assert values.decisions["fold"] == -1


def test_the_permissible_version_may_bet_or_stay_and_not_fold() -> None:
    values = community.value(permissible(), cards("6c 3d 2h"))
    assert values.best.startswith("stay")
    assert len(values.decisions) == 6
    assert "fold" not in values.decisions


def test_an_instant_winner_may_be_declared_or_played() -> None:
    values = community.value(required(), cards("9h 8h 7h"))
    assert values.decisions["declare"] == 5
    assert values.best == "declare"
    assert "declare" not in community.value(required(), cards("9h 8h 6h")).decisions
    assert "declare" not in community.value(required(), cards("9h 8d 7h")).decisions


def test_two_three_ace_is_declared_by_the_option() -> None:
    three = cards("Ah 2h 3h")
    assert community.value(required(), three).best == "declare"
    assert "declare" not in community.value(chosen(required(), {"three-card-ace-low": "not-allowed"}), three).decisions


def test_instant_winners_are_played_where_they_pay_less_than_the_hand_is_worth() -> None:
    book = permissible()
    assert book.instant is not None
    poor = replace(book, instant=replace(book.instant, pays=dict.fromkeys(book.instant.pays, Fraction(0))))
    assert "declare" in community.value(poor, cards("As Ah Ad")).decisions
    assert community.value(poor, cards("As Ah Ad")).best.startswith("bet")


def test_a_book_without_instant_winners_can_be_tried() -> None:
    edge = community.edge(replace(required(), instant=None, bonus=None))
    assert "declare" not in edge.decisions
    assert edge.house_edge > community.edge(required()).house_edge
    assert "declare" not in community.value(replace(required(), instant=None), cards("9h 8h 7h")).decisions


def test_the_order_of_the_cards_does_not_matter_to_the_values() -> None:
    one, other = (community.value(permissible(), cards(text)).decisions for text in ("Qs Js 4d", "4d Js Qs"))
    assert one == other


def test_values_come_best_first() -> None:
    values = community.value(required(), cards("Qs Js 4d"))
    assert isinstance(values, Values)
    assert list(values.decisions.values()) == sorted(values.decisions.values(), reverse=True)
    assert values.best == next(iter(values.decisions)) == "bet discard 4d"


@pytest.mark.parametrize(
    ("text", "says"),
    [("As Ks", "is 2 cards"), ("As Ks Qs Js", "is 4 cards"), ("As Ks As", "has a card twice"), ("", "is 0 cards")],
)
def test_a_hand_that_is_not_three_cards_of_one_deck_is_refused(text: str, says: str) -> None:
    with pytest.raises(CardError, match=says):
        community.value(required(), cards(text))


def test_a_game_against_a_dealer_is_refused() -> None:
    with pytest.raises(ValueError, match="section10 is played against a dealer"):
        community.edge(load_book("section10"))


def test_a_changed_pay_row_moves_the_edge_by_its_share_of_the_deals() -> None:
    # A royal flush pays ante and bet alike, and at 501 to 1 no hand is played otherwise yet.
    before, after = community.edge(required()), community.edge(paying(required(), {Category.ROYAL_FLUSH: 501}))
    assert after.net_per_ante - before.net_per_ante == Fraction(2 * 1_636, DEALS)


def test_halves_and_odd_fractions_stay_exact() -> None:
    pays = {Category.PAIR: Fraction(3, 2), Category.TWO_PAIR: Fraction(17, 7)}
    edge = community.edge(paying(permissible(), pays))
    assert Fraction(3, 2) in edge.outcomes
    assert 2 * Fraction(17, 7) in edge.outcomes
    assert sum(edge.outcomes.values()) == DEALS


def test_pays_too_fine_for_machine_words_give_the_same_play() -> None:
    tiny = Fraction(1, 10**40 + 1)
    fine, plain = community.edge(paying(required(), {Category.PAIR: 1 + tiny})), community.edge(required())
    assert fine.decisions == plain.decisions
    assert fine.net_per_ante - plain.net_per_ante == 2 * tiny * Fraction(plain.outcomes[Fraction(2)], DEALS)


def test_other_thresholds_can_be_tried() -> None:
    book = required()
    assert book.paytable is not None
    sixes, kings = weakest("6 6 4 3 2"), weakest("K K 4 3 2")
    kinder = replace(book, paytable=replace(book.paytable, pushes_with=sixes, loses_below=sixes))
    harder = replace(book, paytable=replace(book.paytable, wins_with=kings))
    assert house_edges(kinder, book, harder) == sorted(house_edges(kinder, book, harder))
    # A pair of sixes pushes for the kinder house and loses for the other.
    assert value_of_sixes(kinder) > value_of_sixes(book)


def test_a_threshold_inside_a_pair_parts_it_by_its_side_cards() -> None:
    book = required()
    assert book.paytable is not None
    picky = replace(book, paytable=replace(book.paytable, wins_with=weakest("T T A 3 2")))
    assert community.edge(picky).house_edge > community.edge(book).house_edge
    values = community.value(picky, cards("Ts Th 4d")).decisions
    assert values["bet discard 4d"] == plain_value(picky, "Ts Th 4d", "4d", wagers=2)


def test_a_hand_that_wins_without_a_row_is_an_error() -> None:
    book = required()
    assert book.paytable is not None
    strange = replace(book, paytable=replace(book.paytable, wins_with=weakest("A K 4 3 2")))
    with pytest.raises(ValueError, match="high card wins, but the pay table has no row"):
        community.edge(strange)


def test_an_ante_at_its_own_odds_is_paid_at_them() -> None:
    book = replace(permissible(), ante=replace(permissible().ante, pays=Odds(Fraction(1))))
    three = cards("Ks Kh 4d")
    own, by_hand = community.value(book, three).decisions, community.value(permissible(), three).decisions
    assert own["stay discard 4d"] < by_hand["stay discard 4d"]
    assert own["bet discard 4d"] - own["stay discard 4d"] == by_hand["stay discard 4d"]


def house_edges(*books: Book) -> list[Fraction]:
    return [community.edge(book).house_edge for book in books]


def value_of_sixes(book: Book) -> Fraction:
    return community.value(book, cards("6s 6h 2d")).decisions["bet discard 2d"]
