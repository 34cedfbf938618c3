"""What the choices of a box are worth at a table: against enumeration and settlement, side bets counted."""

from fractions import Fraction
from itertools import combinations
from typing import cast

import pytest

from aceking import Table, value
from aceking.cards.card import CardId, card, cards, name
from aceking.cards.deck import DECK
from aceking.exact.choices import choice_of, choices, cost, forfeits
from aceking.exact.games import value as value_of
from aceking.rules.decisions import Choice
from aceking.rules.odds import Amount
from aceking.rules.reading.load import load_book
from aceking.settlement.lines import Settlement
from aceking.settlement.scenario import Scenario, Seat, Swap
from aceking.settlement.settle import settle
from aceking.table import commands as c
from tests.exact.dealer_hands import DealerEnumerated

#: All hands are ranked once for those who need them.
pytestmark = pytest.mark.xdist_group("every hand")

ANTE = 10


@pytest.mark.parametrize(
    ("hand", "up", "gave", "took"),
    [
        ("Qh Jh 9h 8h 2c", "7c", "2c", "Ts"),
        ("Ks Js 9s 5s 4d", "7c", "4d", "2s"),
        ("Ks Kd 9s 5s 4d", "Ac", "4d", "Kh"),
        ("Ah Kd 9c 5s 2d", "9h", "2d", "3d"),
    ],
)
def test_after_an_exchange_a_bet_is_worth_what_its_enumeration_says(hand: str, up: str, gave: str, took: str) -> None:
    book = load_book("exchange")
    dealt, given, came = cards(hand), card(gave), card(took)
    held = tuple(came if one == given else one for one in dealt)
    dealer = DealerEnumerated(dealt, card(up), ace_low=book.hands.ace_low).without(came)
    found = value("exchange", hand, up, exchanged=(gave, took))
    assert found.decisions == {"bet": dealer.bet(book, held, exchanged=True), "fold": Fraction(-2)}


def test_an_exchange_is_worth_the_average_of_what_is_left_after_each_card() -> None:
    hand, up = cards("Qh Jh 9h 8h 2c"), card("7c")
    book = load_book("exchange")
    unseen = [one for one in DECK if one not in hand and one != up]
    left = [value_of(book, hand, up, exchanged=Swap((hand[4],), (one,))) for one in unseen]
    average = sum((one.decisions[one.best] for one in left), Fraction(0)) / len(unseen)
    assert average == value("exchange", "Qh Jh 9h 8h 2c", "7c").decisions["exchange 2c"]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("book", ["section10", "rws", "washington", "exchange"])
def test_without_a_side_bet_the_choices_are_those_of_the_hand(book: str, seed: int) -> None:
    table = Table(book, seed=seed).ante(ANTE).deal()
    assert table.values() == value(book, table.seen(), table.up)


@pytest.mark.parametrize("book", ["rws", "exchange"])
def test_an_award_is_counted_for_the_choices_that_keep_it(book: str) -> None:
    # A flush with a side bet of 1: 100 by the book of rws, 75 by the sign of the other table; ten chips are an ante.
    seed, award = {"rws": (259, 100), "exchange": (1, 75)}[book]
    table = Table(book, seed=seed).ante(ANTE).side().deal()
    plain, found = value(book, table.seen(), table.up), table.values()
    assert found is not None
    for choice, worth in found.decisions.items():
        paid = award if choice == "bet" else 0
        assert worth == plain.decisions[choice] + Fraction(paid - 1, ANTE)
    lost = forfeits(table.book, table.state, 1)
    assert {choice: (one.amount, one.grave) for choice, one in lost.items()} == {
        choice: (award * 100, True) for choice in ("fold", "exchange") if choice in table.book.decide.choices
    }


def test_where_a_folded_hand_is_paid_a_fold_gives_up_nothing() -> None:
    for chosen, gives_up in (("not-payable", True), ("payable", False)):
        table = Table("section10", options={"folded-progressive": chosen})
        table.open("As 2c 9s 3d 7s 4h 5s 6d 3s").ante(ANTE).side().deal()
        assert table.hand().words == "flush, ace high"
        assert ("fold" in forfeits(table.book, table.state, 1)) is gives_up
        found = table.values()
        assert found is not None
        assert found.decisions["fold"] == -1 + Fraction(-1 if gives_up else 49, ANTE)


@pytest.mark.parametrize("book", ["colorado-required", "colorado-permissible"])
@pytest.mark.parametrize("cards_of", ["8c 2c 8d 3c 8h", "Jc 2c Jd 3c 4h", "2h 9c 7d 5c Ts"])
def test_with_a_bonus_down_every_choice_is_worth_what_all_communities_settle_to(book: str, cards_of: str) -> None:
    table = Table(book).open(cards_of).ante(ANTE).side().deal()
    held = tuple(CardId(int(one)) for one in table.seen())
    found = table.values()
    assert found is not None
    unseen = [one for one in DECK if one not in held]
    for choice, worth in found.decisions.items():
        play, _, aside = choice.partition(" discard ")
        some = list(combinations(unseen, 3)) if aside else [tuple(unseen[:3])]
        if len(some) > 1 and choice != found.best:
            continue  # 18,424 settlements each: the best is enough
        total = sum((_net(table, held, cast(Choice, play), aside, community) for community in some), 0)
        assert worth == Fraction(total, len(some) * ANTE * 100)


def _net(table: Table, held: tuple[CardId, ...], play: Choice, aside: str, community: tuple[CardId, ...]) -> int:
    seat = Seat(
        number=1,
        cards=held,
        ante=Amount(ANTE * 100),
        play=play,
        bet=None,
        side=Amount(100),
        claims=True,
        swap=None,
        discard=card(aside) if aside else None,
        player=None,
    )
    done = settle(table.book, Scenario(seats=(seat,), community=community))
    assert isinstance(done, Settlement)
    return sum(line.net for line in done.lines)


def test_a_wrong_declaration_is_no_advice_and_costs_what_it_loses() -> None:
    # With a bonus down it loses less than a fold (docs/decisions/index.md), and is not recommended for that.
    table = Table("colorado-required").open("2h 9c 7d 5c Ts").ante(ANTE).side().deal()
    found = table.values()
    assert found is not None
    assert "declare" not in found.decisions
    best = found.decisions[found.best]
    assert cost(table.book, table.state, 1, "declare", among=found) == best - -1
    lost = forfeits(table.book, table.state, 1)["declare"]
    assert (lost.amount, lost.clause, lost.grave) == (1000, "CHP-38(o)(4)", True)
    assert cost(table.book, table.state, 1, found.best, among=found) == 0


def test_an_instant_winner_that_is_not_declared_gives_its_pay_up() -> None:
    table = Table("colorado-permissible").open("8c 2c 8d 3c 8h").ante(ANTE).deal()
    lost = forfeits(table.book, table.state, 1)
    assert {choice: one.amount for choice, one in lost.items()} == {"bet": 5000, "stay": 5000}
    found = table.values()
    assert found is not None
    assert found.best == "declare"
    assert found.decisions["declare"] == 5


def test_a_hand_that_nobody_has_seen_or_that_has_decided_has_no_values() -> None:
    table = Table("rws", seed=5).ante(ANTE).ante(ANTE, box=2).deal()
    assert choices(table.book, table.state, 1) is not None
    assert choices(table.book, table.state, 2) is None
    assert forfeits(table.book, table.state, 2) == {}
    assert choices(table.book, table.state, 3) is None
    assert choices(table.book, table.fold(box=1).state, 1) is None


def test_a_choice_has_one_name_at_the_table_and_among_the_values() -> None:
    king = card("Kd")
    acts = (c.Bet(box=1), c.Fold(box=1), c.Declare(box=1), c.Exchange(box=1, give=(king,)))
    assert [choice_of(one, 10) for one in acts] == ["bet", "fold", "declare", "exchange Kd"]
    assert choice_of(c.Bet(box=1, discard=king), 10) == f"bet discard {name(king)}"
    assert choice_of(c.Stay(box=1, discard=king), 10) == "stay discard Kd"
    assert choice_of(c.Bet(box=1, amount=30), 10) == "bet 3"
