"""An exchange of several cards: what a book may say of their number and prices, and what is refused with a sentence."""

from pathlib import Path

import pytest

from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import load_book

HEIR = """
from = "exchange"
id = "several"
[[clause]]
id = "SV-1"
topic = "decisions"
actor = "player"
says = "Several cards may be exchanged."
{sets}
"""


def written(folder: Path, *sets: str) -> str:
    file = folder / "several.toml"
    file.write_text(HEIR.format(sets="\n".join(f"set.{one}" for one in sets)), encoding="utf-8")
    return str(file)


def complaint(folder: Path, *sets: str) -> str:
    with pytest.raises(BookError) as refused:
        load_book(written(folder, *sets))
    return str(refused.value)


def test_a_price_list_has_a_price_for_every_number_of_cards(tmp_path: Path) -> None:
    book = load_book(written(tmp_path, "table.seats_max = 5", "exchange.cards = 3", 'exchange.prices = [1, "150%", 2]'))
    assert book.exchange is not None
    assert [str(one) for one in book.exchange.prices or ()] == ["1", "3/2", "2"]
    assert (book.cite("exchange.prices"), book.cite("exchange.price_antes")) == ("SV-1", "EUR-exchange-1")


def test_the_books_that_exchange_one_card_have_no_list_and_may_have_one(tmp_path: Path) -> None:
    plain = load_book("exchange").exchange
    assert plain is not None
    assert (plain.cards, plain.price_antes, plain.prices) == (1, 1, None)
    listed = load_book(written(tmp_path, "exchange.prices = [1]")).exchange
    assert listed is not None
    assert listed.prices == (1,)


@pytest.mark.parametrize(
    ("sets", "says"),
    [
        (["exchange.cards = 6"], "exchange.cards: 6 is not a number from 1 to 5"),
        (["exchange.cards = 0"], "exchange.cards: 0 is not a number from 1 to 5"),
        (
            ["table.seats_max = 6", "exchange.cards = 2"],
            "exchange.prices: 1 to 2 cards may be exchanged, and nothing says at which prices",
        ),
        (
            ["table.seats_max = 6", "exchange.cards = 2", "exchange.prices = [1]"],
            "exchange.prices: 1 prices, and 1 to 2 cards may be exchanged (exchange.cards)",
        ),
        (
            ["exchange.prices = [1, 2]"],
            "exchange.prices: 2 prices, and 1 to 1 cards may be exchanged (exchange.cards)",
        ),
        (
            ["table.seats_max = 6", "exchange.cards = 2", "exchange.prices = [2, 2]"],
            "exchange.prices: the first is that of one card, 1 (exchange.price_antes)",
        ),
        (
            ["table.seats_max = 6", "exchange.cards = 2", 'exchange.prices = [1, "0%"]'],
            "exchange.prices: an exchange has a price above 0",
        ),
        (
            ["table.seats_max = 6", "exchange.cards = 2", "exchange.prices = [1, -1]"],
            "-1 is not a number of antes from 1 to 100",
        ),
        (
            ["exchange.cards = 2", "exchange.prices = [1, 2]"],
            "7 boxes take 54 cards, and the deck has 52, counting 2 that each box may exchange",
        ),
    ],
)
def test_what_cannot_be_dealt_or_paid_is_refused_with_its_clause(tmp_path: Path, sets: list[str], says: str) -> None:
    told = complaint(tmp_path, *sets)
    assert says in told
    assert "SV-1" in told or "EUR-p2-seats" in told


def test_the_last_table_that_one_deck_serves_is_taken(tmp_path: Path) -> None:
    for seats, cards, prices in ((6, 2, "[1, 2]"), (4, 5, "[1, 2, 3, 2, 1]")):
        sets = (f"table.seats_max = {seats}", f"exchange.cards = {cards}", f"exchange.prices = {prices}")
        folder = tmp_path / str(seats)
        folder.mkdir()
        assert load_book(written(folder, *sets)).table.seats_max == seats
    assert "5 boxes take 55 cards" in complaint(
        tmp_path, "table.seats_max = 5", "exchange.cards = 5", "exchange.prices = [1, 2, 3, 2, 1]"
    )
