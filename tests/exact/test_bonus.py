"""Colorado's bonus: alone, and played together with ante and bet. No published figure exists."""

from dataclasses import replace
from fractions import Fraction

import pytest

from aceking.cards.card import cards
from aceking.cards.hand import Category
from aceking.exact.community import edge as community
from aceking.exact.side_bets import bonus
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal

REQUIRED, PERMISSIBLE = load_book("colorado-required"), load_book("colorado-permissible")
BOTH = pytest.mark.parametrize("book", [REQUIRED, PERMISSIBLE], ids=lambda book: book.id)
TENTH = Fraction(1, 10)  # the chip of 1 beside an ante of 10


def chosen(book: Book, name: str, value: str) -> Book:
    found = with_options(book, {name: value})
    assert not isinstance(found, Refusal)
    return found


def test_the_bonus_of_a_player_who_plays_for_ante_and_bet() -> None:
    # Computed two ways: the same outcomes hand by hand in test_community_plain.
    found = bonus.for_main(REQUIRED, ratio=TENTH)
    assert found.bonus.net_per_ante == Fraction(-666439, 2035852)
    paid = {10_000: 1_636, 1_000: 7_436, 100: 211_344, 15: 1_725_264, 11: 1_003_536, 8: 964_008, 5: 1_842_400}
    assert found.bonus.outcomes == paid | {3: 12_866_568, 1: 24_651_000, 0: 68_586_384, -1: 295_310_824}
    assert bonus.for_main(PERMISSIBLE, ratio=TENTH).bonus.net_per_ante == Fraction(-17190377, 101792600)


def test_the_bonus_of_a_player_who_plays_for_the_bonus() -> None:
    assert bonus.for_bonus(REQUIRED, ratio=TENTH).bonus.net_per_ante == Fraction(-14643637, 50896300)
    assert bonus.for_bonus(PERMISSIBLE, ratio=TENTH).bonus.net_per_ante == Fraction(-371209, 2908360)


def test_the_best_joint_play_of_a_chip_beside_ten() -> None:
    # Computed two ways: test_community_plain.
    found = bonus.joint(REQUIRED, ratio=TENTH)
    assert found.main.net_per_ante == Fraction(-2818063, 50896300)
    assert found.bonus.net_per_ante == Fraction(-32680611, 101792600)
    assert found.together.net_per_ante == Fraction(-89041871, 1017926000)
    assert found.changed == Fraction(18, 1105)
    assert bonus.joint(PERMISSIBLE, ratio=TENTH).together.net_per_ante == Fraction(-11738969, 254481500)


@BOTH
@pytest.mark.parametrize("ratio", [Fraction(1, 100), Fraction(1, 25), TENTH, Fraction(1), Fraction(7, 3)])
def test_joint_play_is_the_best_of_all_and_each_wager_is_best_when_played_for(book: Book, ratio: Fraction) -> None:
    joint, main, side = (play(book, ratio=ratio) for play in (bonus.joint, bonus.for_main, bonus.for_bonus))
    assert joint.together.net_per_ante >= max(main.together.net_per_ante, side.together.net_per_ante)
    assert main.main.net_per_ante >= max(joint.main.net_per_ante, side.main.net_per_ante)
    assert side.bonus.net_per_ante >= max(joint.bonus.net_per_ante, main.bonus.net_per_ante)
    for found in (joint, main, side):
        assert found.together.net_per_ante == found.main.net_per_ante + ratio * found.bonus.net_per_ante
        assert found.together.risked == found.main.risked + ratio


@BOTH
def test_without_a_stake_on_it_the_bonus_changes_nothing(book: Book) -> None:
    assert bonus.joint(book, ratio=Fraction(0)).together == community.edge(book)
    assert bonus.for_main(book, ratio=TENTH).main.net_per_ante == community.edge(book).net_per_ante
    assert bonus.for_main(book, ratio=TENTH).changed == 0


@BOTH
def test_a_great_stake_on_the_bonus_is_played_for_the_bonus(book: Book) -> None:
    million = Fraction(10**6)
    assert bonus.joint(book, ratio=million).main == bonus.for_bonus(book, ratio=million).main


def test_a_stake_on_the_bonus_changes_a_discard_and_saves_a_fold() -> None:
    fold = cards("6s 5d 2h")
    assert community.value(REQUIRED, fold).best == "fold"
    assert bonus.value(REQUIRED, fold, ratio=TENTH).decisions["fold"] == Fraction(-11, 10)
    assert bonus.value(REQUIRED, fold, ratio=Fraction(1)).best.startswith("bet")
    keep = cards("Kh 5h 4h")
    assert community.value(REQUIRED, keep).best != bonus.value(REQUIRED, keep, ratio=Fraction(100)).best


@BOTH
def test_the_value_of_a_decision_is_that_of_both_wagers(book: Book) -> None:
    three = cards("Qs Js 4d")
    both, main = bonus.value(book, three, ratio=TENTH).decisions, community.value(book, three).decisions
    side = bonus.value(book, three, ratio=Fraction(1)).decisions
    for decision, value in main.items():
        assert both[decision] == value + TENTH * (side[decision] - value)


def test_an_instant_winner_takes_its_bonus_along_or_loses_it() -> None:
    three = cards("9h 8h 7h")
    assert bonus.value(REQUIRED, three, ratio=TENTH).decisions["declare"] == 5 + 5 * TENTH
    poor = chosen(REQUIRED, "instant-winner-bonus", "lost")
    assert bonus.value(poor, three, ratio=TENTH).decisions["declare"] == 5 - TENTH
    assert bonus.for_main(poor, ratio=TENTH).bonus.net_per_ante == Fraction(-721711, 2035852)
    # 100 instant winners of 22,100 hands, each six chips worse.
    worse = Fraction(-666439, 2035852) - Fraction(-721711, 2035852)
    assert worse == 6 * Fraction(100, 22_100)


def test_a_folded_bonus_that_goes_back_is_worth_its_folds() -> None:
    kind = chosen(REQUIRED, "bonus-on-fold", "returned")
    gained = bonus.for_main(kind, ratio=TENTH).bonus.net_per_ante - Fraction(-666439, 2035852)
    assert gained == community.edge(REQUIRED).decisions["fold"]
    assert bonus.joint(kind, ratio=TENTH).main.decisions["fold"] > community.edge(REQUIRED).decisions["fold"]


def test_three_of_a_kind_at_even_money_costs_its_share() -> None:
    poor = chosen(REQUIRED, "bonus-required-trips", "1")
    lost = Fraction(-666439, 2035852) - bonus.for_main(poor, ratio=TENTH).bonus.net_per_ante
    assert lost == 2 * Fraction(12_866_568, 407_170_400)


def test_a_changed_row_of_the_bonus_counts_at_once() -> None:
    assert REQUIRED.bonus is not None
    pays = {**REQUIRED.bonus.pays, Category.FLUSH: Fraction(25), Category.FULL_HOUSE: Fraction(50)}
    richer = replace(REQUIRED, bonus=replace(REQUIRED.bonus, pays=pays))
    gained = bonus.for_main(richer, ratio=TENTH).bonus.net_per_ante - Fraction(-666439, 2035852)
    assert gained == Fraction(17 * 964_008 + 39 * 1_003_536, 407_170_400)


def test_a_bonus_that_is_not_offered_is_refused() -> None:
    with pytest.raises(ValueError, match="offers no bonus"):
        bonus.joint(chosen(REQUIRED, "bonus-wager", "not-offered"), ratio=TENTH)
    with pytest.raises(ValueError, match="cannot be less than none"):
        bonus.joint(REQUIRED, ratio=Fraction(-1))
