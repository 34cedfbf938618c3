"""Values that decide money or procedure without being named on a line, each as the reading of its document has it."""

from dataclasses import replace
from typing import Any

import pytest

from aceking.rules.book import Book
from aceking.rules.odds import Amount
from aceking.rules.reading.load import book_ids, load_book, what_if, with_options
from aceking.rules.refusal import Refusal
from aceking.settlement.stakes import check_cap

#: What holds where the house says nothing: the recommended reading, else the value that is marked, else the first.
DEFAULTS: dict[str, dict[str, str]] = {
    "colorado-permissible": {
        "second-deck": "one-deck",
        "three-card-ace-low": "allowed",
        "hand-dealt-deck-change": "8h-as-policy",
        "shuffle-method": "manual",
        "idle-spread": "face-up",
        "match-play-coupon": "not-offered",
        "positions-per-player": "1",
        "bonus-wager": "offered",
        "dealing-method": "manual-shoe",
        "stub-count-clock": "either",
        "stub-count": "manual-every-5",
        "boxed-card-in-stack": "all-void",
        "community-card-exposed": "supervisor",
        "void-scope": "whole-round",
        "bonus-on-wrong-declaration": "returned",
        "auto-shoe-jam-after-delivery": "play-on",
        "instant-winner-bonus": "paid-at-declaration",
        "cap-on-layout": "no",
        "cap-scope": "ante-plus-bet-of-one-hand",
    },
    "colorado-required": {
        "second-deck": "one-deck",
        "three-card-ace-low": "allowed",
        "hand-dealt-deck-change": "8h-as-policy",
        "shuffle-method": "manual",
        "idle-spread": "face-up",
        "match-play-coupon": "not-offered",
        "positions-per-player": "1",
        "bonus-wager": "offered",
        "dealing-method": "manual-shoe",
        "stub-count-clock": "either",
        "stub-count": "manual-every-5",
        "boxed-card-in-stack": "all-void",
        "community-card-exposed": "supervisor",
        "void-scope": "whole-round",
        "bonus-on-wrong-declaration": "returned",
        "auto-shoe-jam-after-delivery": "play-on",
        "absent-player": "supervisor-then-fold",
        "bonus-on-fold": "lost",
        "instant-winner-bonus": "paid-at-declaration",
        "cap-on-layout": "no",
        "cap-scope": "ante-plus-bet-of-one-hand",
    },
    "exchange": {
        "ace-low-straight": "allowed",
        "folded-bonus": "not-payable",
        "bonus-on-exchange": "lost",
        "void-contribution": "kept",
        "exchange-fee-on-player-void": "retained",
        "undeclared-major": "pay-if-shown",
        "mixed-majors": "each-of-frozen",
        "void-scope": "whole-round",
        "early-pickup-void-scope": "round",
        "bad-deck": "void-round",
        "replacement-void-scope": "round",
    },
    "rws": {
        "card-shoe": "electronic",
        "sf-award-from-meter": "deduct",
        "void-contribution": "kept",
        "rebuild-from-shoe": "house-decides",
        "layout": "appendix-a",
        "ecs-burn": "off",
        "dealing-method": "card-shoe",
        "ecs-up-card-position": "last",
        "unclaimed-jackpot-hand": "not-payable",
        "unseen-player-miscount": "void-hand",
        "exposed-after-look": "continue",
        "boxed-card-to-dealer": "becomes-up-card",
        "exposed-dealer-and-player-card": "becomes-up-card",
        "jackpot-fault-later-rounds": "close-table",
    },
    "section10": {
        "second-deck": "one-deck",
        "shuffle-method": "manual",
        "idle-spread": "face-up",
        "match-play-coupon": "not-offered",
        "progressive-funding": "progressive-coupon",
        "absent-player": "supervisor-then-fold",
        "dealing-method": "manual-shoe",
        "stub-count-clock": "either",
        "misdeal-found-by-stub-count": "all-void",
        "stub-count": "manual-every-5",
        "folded-progressive": "not-payable",
        "no-qualify-turn-player-hands": "all",
        "cap-floor-basis": "ante-plus-bet",
        "progressive-meter-deduction": "percentage-awards",
        "meter-on-void": "keep",
        "hole-card-exposed-window": "until-last-decision",
        "boxed-card-in-stack": "short-hand-by-(m)(4)",
        "void-scope": "whole-round",
        "auto-shoe-jam-after-delivery": "play-on",
    },
    "washington": {
        "four-games-count": "wagers-on-one-hand",
        "four-games-notice": "layout",
        "dealing-method": "hand",
        "boxes-per-player": "one",
        "up-card-method": "dealt-face-up",
        "folded-hand-progressive": "not-eligible",
        "paytable-display": "table-signage",
        "progressive-system": "option-1",
        "display-source": "bally",
        "multi-meter-pay-order": "right-counterclockwise",
    },
}


@pytest.mark.parametrize("name", book_ids())
def test_where_the_house_says_nothing_the_recommended_reading_holds(name: str) -> None:
    book = load_book(name)
    choices = {one.name: str(one.default) for one in book.options.values() if one.kind == "choice"}
    assert {key: value for key, value in choices.items() if key not in book.fixed} == DEFAULTS[name]


def test_a_void_round_is_void_for_all() -> None:
    """RWS-5.22: every stake of the round goes back."""
    assert (load_book("rws").void.scope, load_book("rws").void.stakes) == ("whole-round", "returned")


def test_a_hand_is_made_of_five_cards(book: Book) -> None:
    assert book.hands.cards - book.hands.discards + book.hands.community == 5


def test_nothing_lies_between_a_losing_hand_and_one_that_rests(book: Book) -> None:
    """CHP-38(k)(3) and (l)(5) say from both sides where the push begins."""
    if book.paytable is not None:
        assert book.paytable.loses_below == book.paytable.pushes_with


@pytest.mark.parametrize(
    ("name", "fixed"),
    [
        ("section10", False),
        ("rws", True),
        ("exchange", True),
        ("washington", True),
        ("colorado-required", False),
        ("colorado-permissible", False),
    ],
)
def test_odds_are_fixed_or_the_least_that_may_be_paid(name: str, fixed: bool) -> None:
    """CSP-10(l)(3), CHP-38(m)(2) and (n)(2) set minimums; RWS-4.1, EUR-p14 and WA-show-b fix what is paid."""
    _, more = what_if(load_book(name), options={}, pays={"flush": "60"}, qualifies_with=None)
    _, less = what_if(load_book(name), options={}, pays={"flush": "0"}, qualifies_with=None)
    assert bool(more) == fixed
    assert ("fixed odds" in less[0]) == fixed


# --- The least that a house may post, a coin under it and at it


@pytest.mark.parametrize(
    ("name", "option", "under", "least"),
    [
        ("section10", "bet-payout-cap", "4999.99", "5000"),
        ("section10", "progressive-straight-flush", "9.99%", "10%"),
        ("section10", "progressive-straight-flush", "4999.99", "5000"),
        ("section10", "progressive-paytable", {"straight_flush": "9.99%"}, {"straight_flush": "10%"}),
        ("section10", "progressive-paytable", {"four_of_a_kind": "499.99"}, {"four_of_a_kind": "500"}),
        ("section10", "progressive-paytable", {"full_house": "99.99"}, {"full_house": "100"}),
        ("section10", "progressive-paytable", {"flush": "49.99"}, {"flush": "50"}),
        ("section10", "progression-rate", "69.99%", "70%"),
        ("colorado-required", "hand-payout-cap", "49999.99", "50000"),
        ("colorado-permissible", "hand-payout-cap", "49999.99", "50000"),
        ("rws", "max-boxes", "0", "1"),
    ],
)
def test_a_house_may_not_go_under_the_books_least(name: str, option: str, under: Any, least: Any) -> None:
    refused = with_options(load_book(name), {option: under})
    assert isinstance(refused, Refusal)
    assert refused.clause == load_book(name).options[option].clause
    assert not isinstance(with_options(load_book(name), {option: least}), Refusal)


@pytest.mark.parametrize(
    ("name", "least"), [("section10", 5000_00), ("colorado-required", 50_000_00), ("colorado-permissible", 50_000_00)]
)
def test_a_cap_under_the_floor_is_refused_at_the_table_too(name: str, least: int) -> None:
    """CSP-10(l)(4), CHP-38(m)(3) and (n)(3)."""
    book = load_book(name)
    assert check_cap(replace(book, bet=replace(book.bet, cap=Amount(least))), None) is None
    under = replace(book, bet=replace(book.bet, cap=Amount(least - 1)))
    refused = check_cap(under, None)
    assert isinstance(refused, Refusal)
    assert refused.clause == book.cite("bet.cap")


@pytest.mark.parametrize(("word", "award"), [("percent", "10%"), ("fixed", "5000")])
def test_the_form_of_an_award_that_the_internal_controls_name(word: str, award: str) -> None:
    """CSP-10(l)(5): ten percent of the jackpot, or 5,000."""
    named, given = (with_options(load_book("section10"), {"progressive-straight-flush": one}) for one in (word, award))
    assert not isinstance(named, Refusal)
    assert not isinstance(given, Refusal)
    assert named.progressive is not None
    assert given.progressive is not None
    assert named.progressive.awards == given.progressive.awards


def test_seventy_percent_of_the_stakes_feed_the_meter_and_no_less() -> None:
    """CSP-10(l)(6)."""
    book = load_book("section10")
    assert book.progressive is not None
    assert str(book.progressive.rate_min) == "7/10"
    assert str(book.progressive.increment) == "7/10"


@pytest.mark.parametrize(
    ("name", "option", "word", "feed"),
    [
        ("section10", "meter-on-void", "keep", "kept"),
        ("section10", "meter-on-void", "back-out", "reversed"),
        ("rws", "void-contribution", "kept", "kept"),
        ("rws", "void-contribution", "reversed", "reversed"),
        ("exchange", "void-contribution", "kept", "kept"),
        ("exchange", "void-contribution", "reversed", "reversed"),
    ],
)
def test_what_a_void_round_fed_stays_on_the_meter_or_is_taken_back(
    name: str, option: str, word: str, feed: str
) -> None:
    book = with_options(load_book(name), {option: word})
    assert not isinstance(book, Refusal)
    assert book.progressive is not None
    assert book.progressive.void_feed == feed
