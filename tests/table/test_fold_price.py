"""What the offer to fold says that it loses: the chips that are gone once the round is settled, in every book."""

from pathlib import Path

import pytest

from aceking import Table
from aceking.rules.reading.load import book_ids, load_book
from aceking.table import commands as c
from tests.named_sides import with_side
from tests.rules.test_inheritance import heir
from tests.table.test_named_sides import MANY

FOLDING = [name for name in book_ids() if "fold" in load_book(name).decide.choices]
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "books"


def loses(table: Table) -> float:
    [offer] = [one for one in table.offers() if one.do == "fold"]
    assert offer.loses is not None
    return float(offer.loses)


def gone(table: Table, *without: str) -> float:
    """Every stake of the round that did not come back after a fold, without those of some wagers."""
    folded = table.copy().fold().state.round
    assert folded is not None
    lost = [line for line in folded.lines if line.outcome == "lose" or line.consumed]
    return sum(line.stake for line in lost if line.wager not in without) / 100


def test_five_of_the_books_fold() -> None:
    assert sorted(FOLDING) == ["colorado-required", "exchange", "rws", "section10", "washington"]


@pytest.mark.parametrize("book", FOLDING)
def test_a_fold_loses_the_side_bet_and_the_price_of_an_exchange_too(book: str) -> None:
    for seed in range(5):
        assert loses(Table(book, seed=seed).ante(10).deal()) == 10
        table = Table(book, seed=seed).ante(10).side().deal()
        assert loses(table) == gone(table) == 11
        assert table.copy().fold().net() == "-11"
        if table.book.exchange is not None:
            table.exchange(table.seen()[0])
            assert loses(table) == gone(table) == 21
            assert table.copy().fold().net() == "-21"


@pytest.mark.parametrize("book", FOLDING)
def test_the_price_is_what_the_coach_says_that_a_fold_is_worth(book: str) -> None:
    table = Table(book, seed=3).ante(10).side().deal()
    values = table.values()
    assert values is not None
    assert values.decisions["fold"] * 10 == -loses(table)


def test_a_bonus_that_comes_back_is_not_lost() -> None:
    table = Table("colorado-required", options={"bonus-on-fold": "returned"}, seed=3).ante(10).side().deal()
    assert loses(table) == gone(table) == 10


def test_where_a_folded_flush_is_paid_the_stake_is_spent_and_the_award_is_paid_besides() -> None:
    table = Table("section10", options={"folded-progressive": "payable"})
    table.open("As 2c 9s 3d 7s 4h 5s 6d 3s").ante(10).side().deal()
    assert table.hand().words == "flush, ace high"
    assert loses(table) == gone(table) == 11


def test_a_bet_laid_before_the_box_is_asked_goes_back() -> None:
    table = Table("exchange", seed=3).ante(10).side().do(c.Bet(box=1, player="player", amount=2000)).deal()
    assert loses(table) == gone(table) == 11


@pytest.mark.parametrize(
    ("name", "sides", "exchanges"),
    [
        ("lantern", {"five-plus-one": "20", "lantern": None}, False),
        ("gulf", {"jacks": "20", "five-plus-one": None}, False),
        ("riviera", {"first-five": "20", "last-five": None}, True),
    ],
)
def test_side_wagers_by_name_count_if_the_cards_that_were_seen_lose_them(
    name: str, sides: dict[str, str | None], exchanges: bool
) -> None:
    told = set()
    for seed in range(25):
        table = Table(EXAMPLES / f"{name}.toml", seed=seed).ante(10).side()
        for wager, stake in sides.items():
            table.side(wager, stake)
        table.deal()
        assert loses(table) == gone(table)
        told.add(loses(table))
        if exchanges:
            table.exchange(table.seen()[0])
            assert loses(table) == gone(table)
    assert max(told) - min(told) == 20, "some of these hands win the first wager or get its stake back, and some do not"


def test_what_hidden_cards_decide_is_no_part_of_the_price(tmp_path: Path) -> None:
    book = heir(tmp_path, with_side(MANY))
    for seed in range(10):
        table = Table(book, seed=seed).ante(10)
        for wager in ("extra", "beta", "gamma", "delta"):
            table.side(wager)
        table.deal()
        # `extra` goes by the dealer's hand; `beta` comes back; the awards of `gamma` cost its stake in any case.
        assert loses(table) == gone(table, "extra") == 10 + 2 + 2


def test_the_price_of_a_hand_that_nobody_has_seen_does_not_tell_what_it_is() -> None:
    for seed in range(25):
        table = Table(EXAMPLES / "riviera.toml", seed=seed).ante(10).side().side("first-five", "20").side("last-five")
        assert loses(table.deal(look=False)) == 11
