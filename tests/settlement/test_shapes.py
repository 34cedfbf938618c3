"""Scenarios of hands with two cards laid aside, or with none: what is taken, and each way to be wrong about it."""

from pathlib import Path
from typing import Any

import pytest

from aceking.cards.card import cards
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.scenarios.spelling import command_from
from aceking.settlement.lines import Settlement
from aceking.settlement.other_books import adapted
from aceking.settlement.scenario import ScenarioError
from aceking.settlement.scenario_json import scenario_from_data, to_scenario
from aceking.settlement.settle import settle
from aceking.table import commands as c
from tests.exact.shapes import shaped


def lay(book: Book, *, board: str = "Ah Qs 2c", **seat: Any) -> Settlement | Refusal:
    raw = {"community": board, "seats": [{"seat": 1, "ante": "10", **seat}]}
    found = settle(book, to_scenario(book, scenario_from_data(raw)))
    assert isinstance(found, Settlement | Refusal)
    return found


@pytest.mark.parametrize("aside", ["4d 4c", "4d4c", ["4d", "4c"], ["4c", "4d"]])
def test_two_cards_laid_aside_are_a_text_or_a_list(tmp_path: Path, aside: Any) -> None:
    found = lay(shaped(tmp_path, (4, 3, 2)), cards="As Ks 4d 4c", discard=aside)
    assert isinstance(found, Settlement)
    assert found.seats[0].hand == "pair of aces"


@pytest.mark.parametrize(
    ("aside", "says"),
    [
        ("4d", "seat 1: discard: 2 cards belong here, not 1"),
        (["4d"], "seat 1: discard: 2 cards belong here, not 1"),
        ("4d 4c Ks", "seat 1: discard: 2 cards belong here, not 3"),
        ([], "seat 1: discard: 2 cards belong here, not 0"),
        ("4d 9c", "seat 1: 9c is discarded and is not in the hand"),
        (["4d", "4d"], "seat 1: 4d is discarded twice"),
        ("4d zz", "seat 1: discard: there is no card 'zz'"),
        (5, "discard"),
    ],
)
def test_a_wrong_number_of_cards_is_told_in_one_sentence(tmp_path: Path, aside: Any, says: str) -> None:
    with pytest.raises(ScenarioError, match=says):
        lay(shaped(tmp_path, (4, 3, 2)), cards="As Ks 4d 4c", discard=aside)


def test_who_goes_on_has_laid_two_cards_aside_and_who_folds_none(tmp_path: Path) -> None:
    book = shaped(tmp_path, (4, 3, 2))
    refused = lay(book, cards="As Ks 4d 4c")
    assert isinstance(refused, Refusal)
    assert (refused.reason, refused.clause) == (
        "seat 1: 2 cards must be discarded before the reveal",
        book.cite("bet.antes"),
    )
    folded = lay(book, cards="As Ks 4d 4c", play="fold")
    assert isinstance(folded, Settlement)
    assert folded.seats[0].net == -1000


def test_one_card_and_none_are_as_the_book_has_it(tmp_path: Path) -> None:
    one, none = shaped(tmp_path, (4, 2, 1)), shaped(tmp_path, (3, 2, 0))
    found = lay(one, cards="As Ks 4d 4c", discard="4d", board="Ah Qs")
    assert isinstance(found, Settlement)
    assert found.seats[0].hand == "pair of aces"
    assert isinstance(lay(one, cards="As Ks 4d 4c", discard=["4d"], board="Ah Qs"), Settlement)
    whole = lay(none, cards="As Ks 4d", board="Ah Qs")
    assert isinstance(whole, Settlement)
    with pytest.raises(ScenarioError, match="no card is discarded in this game"):
        lay(none, cards="As Ks 4d", discard="4d", board="Ah Qs")
    for board, says in (("Ah", "community: 2 cards belong here, not 1"), ("Ah Qs Js", "community: 2 .* not 3")):
        with pytest.raises(ScenarioError, match=says):
            lay(none, cards="As Ks 4d", board=board)
    with pytest.raises(ScenarioError, match="seat 1: 3 cards belong here, not 4"):
        lay(none, cards="As Ks 4d 4c", board="Ah Qs")


def test_a_deal_of_five_cards_is_laid_out_for_any_shape(tmp_path: Path) -> None:
    stud = load_book("section10")
    raw = {"dealer": "2c 3c 4c 5c 7d", "seats": [{"seat": 1, "ante": "10", "cards": "As Ks Qs Js Ts"}]}
    scenario = to_scenario(stud, scenario_from_data(raw))
    for shape, note in (
        ((4, 3, 2), "keeps the first two cards, shares the last three"),
        ((4, 2, 1), "keeps the first three cards, shares the last two"),
        ((2, 3, 0), "keeps the first two cards, shares the last three"),
    ):
        found, notes = adapted(shaped(tmp_path, shape), scenario)
        assert (len(found.seats[0].cards), len(found.community), len(found.seats[0].laid_aside)) == shape
        assert {*found.seats[0].kept, *found.community} == {*scenario.seats[0].cards}
        assert notes == (note,)


def test_a_script_lays_one_card_aside_or_two(tmp_path: Path) -> None:
    book = shaped(tmp_path, (4, 3, 2))
    for text, aside in (("4d", cards("4d")[0]), ("4d 4c", cards("4d 4c"))):
        assert command_from(book, {"do": "bet", "box": 1, "discard": text}) == c.Bet(box=1, discard=aside)
