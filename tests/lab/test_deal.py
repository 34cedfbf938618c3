"""One deal under every book: settled by each as `settle` settles it."""

from fractions import Fraction
from functools import partial

import pytest

from aceking.cards.card import CardError, card, cards
from aceking.exact.games import value
from aceking.lab import deal as deals
from aceking.lab.deal import Under
from aceking.lab.question import question_of
from aceking.rules.odds import OddsError
from aceking.rules.options import OptionError
from aceking.rules.reading.load import book_ids, load_book
from aceking.settlement.scenario_json import result_data, scenario_from_data, settle_in

deal = partial(deals.deal, seed=b"of this test")
FLUSH, BANK = "Qs Js Ts 9s 8s", "Ah Kd 9c 5s 2d"


def _under(found: tuple[Under, ...], book: str) -> Under:
    return next(one for one in found if one.book == book and not one.what_if)


def test_a_straight_flush_is_paid_by_every_book_as_its_scenario_is() -> None:
    found = deal(None, player=FLUSH, dealer=BANK, more="4h")
    assert [one.book for one in found.under] == list(book_ids())
    nets = {one.book: one.net for one in found.under}
    assert nets == dict.fromkeys(("exchange", "rws", "section10", "washington"), "1010") | dict.fromkeys(
        ("colorado-permissible", "colorado-required"), "2000"
    )
    for one in found.under:
        told = result_data(None, settle_in(scenario_from_data(_scenario(one.book))))
        seat = told["seats"][0]
        assert (one.net, one.hand) == (seat["net"], seat["hand"])
        assert [(line.wager, line.stake, line.outcome, line.pays, line.clause) for line in one.lines] == [
            (line["wager"], line["stake"], line["outcome"], line["pays"], line["clause"]) for line in seat["lines"]
        ]
        assert all(line.clause in load_book(one.book).clauses for line in one.lines)


def _scenario(book: str) -> dict[str, object]:
    if load_book(book).dealer is not None:
        return {"book": book, "dealer": BANK, "seats": [{"seat": 1, "cards": FLUSH, "ante": "10"}]}
    seat = {"seat": 1, "cards": "Qs Js 4h", "discard": "4h", "ante": "10"}
    return {"book": book, "community": "Ts 9s 8s", "seats": [seat]}


def test_a_book_with_a_moved_line_comes_last_and_pays_by_it() -> None:
    found = deal(question_of("section10", pays=["straight_flush=60"]), player=FLUSH, dealer=BANK)
    *own, moved = found.under
    assert not any(one.what_if for one in own)
    assert moved.what_if
    assert moved.net == "1210"
    assert not deal(question_of("section10"), player=FLUSH, dealer=BANK).under[-1].what_if


def test_the_best_play_of_each_book_is_that_of_value() -> None:
    found = deal(None, player="Qh Jh 9h 8h 2c", dealer="7c Kd 9c 5s 2d", more="Th", how="best")
    exchange = _under(found.under, "exchange")
    assert exchange.did == "exchange 2c, bet"
    assert exchange.hand == "straight flush, queen high"
    assert value(load_book("exchange"), cards("Qh Jh 9h 8h 2c"), card("7c")).best == "exchange 2c"
    assert _under(found.under, "section10").did == "fold"
    assert _under(found.under, "colorado-required").did == "declare"


def test_who_may_not_fold_stays() -> None:
    found = deal(None, player=FLUSH, dealer=BANK, more="4h", how="fold")
    assert _under(found.under, "section10").net == "-10"
    assert _under(found.under, "colorado-permissible").did == "stay discard 4h"


def test_a_side_bet_is_settled_with_the_meter() -> None:
    found = deal(None, player=FLUSH, dealer=BANK, more="4h", side=True, meter="100000")
    assert _under(found.under, "section10").net == "11009"  # a tenth of the meter, less the stake
    assert _under(found.under, "washington").net == "11009"
    assert Fraction(_under(found.under, "colorado-required").net or "0") == 3000


def test_cards_that_are_not_given_are_dealt_from_the_rest() -> None:
    found = deal(None, player=FLUSH)
    all_cards = [*found.player, *found.dealer, found.more]
    assert len(set(all_cards)) == 11
    assert found.player == tuple(FLUSH.split())


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"player": "Qs Js"}, "2 cards, 5 belong here"),
        ({"player": FLUSH, "dealer": "Qs Kd 9c 5d 2d"}, "dealt twice"),
        ({"player": "Qs Js Ts 9s 8x"}, "8x"),
        ({"ante": "x"}, "not an amount"),
        ({"ante": "1" * 10}, "more than any house has"),
        ({"more": "4h 5h"}, "2 cards, 1 belong"),
    ],
)
def test_wrong_input_is_one_sentence(given: dict[str, str], says: str) -> None:
    with pytest.raises((CardError, OddsError, OptionError), match=says):
        deal(None, **given)  # type: ignore[arg-type]


def test_an_ante_of_nothing_is_refused_or_told() -> None:
    found = deal(None, player=FLUSH, dealer=BANK, ante="0")
    assert all(one.says or one.net == "0" for one in found.under)
