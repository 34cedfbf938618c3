"""The lab prices what the exact code prices: a book with any line moved, beside the book as it is."""

from fractions import Fraction

import pytest

from aceking.cards.card import CardError
from aceking.exact.changes import changes_of
from aceking.exact.games import changed, edge
from aceking.exact.side_bets.progressive import line
from aceking.lab.movable_lines import bench, shelf
from aceking.lab.price import curve, price
from aceking.lab.question import UnknownBook, question_of
from aceking.rules.odds import OddsError
from aceking.rules.options import OptionError
from aceking.rules.reading.load import book_ids, load_book


def test_the_shelf_has_every_book() -> None:
    assert [one.book for one in shelf()] == list(book_ids())


@pytest.mark.parametrize("name", book_ids())
def test_every_row_and_choice_of_a_bench_can_be_moved(name: str) -> None:
    book, laid = load_book(name), bench(name)
    rows = [row for table in laid.pays for row in table.rows]
    assert len({row.row for row in rows}) == len(rows) > 8
    for row in rows:
        steps = Fraction(row.odds) / Fraction(row.step)
        assert steps.denominator == 1, "the book's own odds are a place of the slider"
        assert Fraction(row.odds) < row.high
        moved, _ = changed(book, pays={row.row: Fraction(row.odds) + 1})
        (change,) = changes_of(moved)
        assert change.allowed == (not row.fixed)
        if row.least is not None:
            assert Fraction(row.least) == Fraction(row.odds), "a book at its least, as printed"
    for choice in laid.options:
        for value in choice.values:
            changed(book, options={choice.option: value})
        assert choice.clause in book.clauses


def test_a_moved_row_is_priced_exactly_and_the_book_stands_beside_it() -> None:
    found = price(question_of("section10", pays=["full_house=8"]))
    book = load_book("section10")
    moved, _ = changed(book, pays={"full_house": 8})
    now, own = edge(moved), edge(book)
    assert found.what_if
    assert Fraction(found.now.figures.house_edge) == now.house_edge == Fraction(162495803, 3212964300)
    assert Fraction(found.own.figures.house_edge) == own.house_edge
    assert Fraction(found.now.figures.element_of_risk) == now.element_of_risk
    assert {Fraction(one.net): one.deals for one in found.now.figures.outcomes} == now.outcomes
    (change,) = found.moved
    assert (change.name, change.value, change.own, change.allowed) == ("full_house", "8 to 1", "7 to 1", True)
    assert found.repeat == "aceking edge section10 --pays full_house=8"


def test_a_book_as_it_is_has_nothing_moved() -> None:
    found = price(question_of("section10"))
    assert not found.what_if
    assert found.moved == ()
    assert found.now == found.own
    # A row put where the book has it is no change either.
    assert not price(question_of("section10", pays=["full_house=7"])).what_if


def test_what_a_book_does_not_allow_is_said() -> None:
    found = price(question_of("section10", pays=["full_house=6"], qualifier="A Q 4 3 2"))
    assert {one.name: one.allowed for one in found.moved} == {"full_house": False, "qualifier": False}
    moved, _ = changed(load_book("section10"), pays={"full_house": 6}, qualifies_with="A Q 4 3 2")
    assert Fraction(found.now.figures.house_edge) == edge(moved).house_edge
    assert found.repeat == "aceking edge section10 --qualifier 'A Q 4 3 2' --pays full_house=6"


def test_the_meter_is_priced_exactly_and_even_where_it_says() -> None:
    asked = question_of("section10")
    found = price(asked, meter="250000", ante="25").now.progressive
    side, main = line(load_book("section10")), edge(load_book("section10"))
    assert found is not None
    assert found.at is not None
    assert Fraction(found.at.side_edge) == side.house_edge(25_000_000)
    assert Fraction(found.at.whole_edge) == -(main.net_per_ante + side.net(25_000_000) / 25)
    assert found.break_even == "4142900/19"
    assert Fraction(found.break_even) * 100 == side.break_even
    assert len(found.line) == 21
    even = next(one for one in found.whole_even if one.ante == "25")
    assert -main.net_per_ante * 25 == side.net(Fraction(even.meter) * 100)


def test_awards_that_a_sign_has_are_asked_for_and_then_priced() -> None:
    open_ = price(question_of("exchange")).now.progressive
    assert open_ is not None
    assert open_.open == "the awards for four of a kind, full house and flush are posted by the house"
    given = 'jackpot-fixed-awards={"four_of_a_kind": "500", "full_house": "100", "flush": "50"}'
    posted = price(question_of("exchange", options=[given])).now.progressive
    assert posted is not None
    assert posted.open is None
    assert posted.break_even is not None


def test_a_side_bet_that_is_ahead_at_any_meter_is_drawn_over_meters_that_there_are() -> None:
    given = 'jackpot-fixed-awards={"four_of_a_kind": "50000", "full_house": "10000", "flush": "5000"}'
    found = price(question_of("exchange", options=[given])).now.progressive
    assert found is not None
    assert found.break_even is not None
    assert Fraction(found.break_even) < 0
    meters = [Fraction(one.meter) for one in found.line]
    assert meters[0] == 0
    assert meters[-1] == 100_000
    assert meters == sorted(meters)


def test_a_stake_of_nothing_is_no_stake() -> None:
    with pytest.raises(OptionError, match="option PJ-amount: '0' is not an amount above 0"):
        price(question_of("rws", options=["PJ-amount=0"]))


def test_the_curve_goes_through_the_prices() -> None:
    found = curve(question_of("section10", pays=["full_house=8"]), "full_house")
    assert [point.odds for point in found.points] == ["5", "6", "7", "8", "9", "10", "11"]
    assert [point.allowed for point in found.points] == [False, False, True, True, True, True, True]
    assert [point.odds for point in found.points if point.own] == ["7"]
    assert [point.odds for point in found.points if point.now] == ["8"]
    for point in found.points:
        moved, _ = changed(load_book("section10"), pays={"full_house": Fraction(point.odds)})
        assert Fraction(point.house_edge) == edge(moved).house_edge


def test_the_curve_of_a_row_never_goes_below_nothing() -> None:
    found = curve(question_of("colorado-required", pays=["pair=0"]), "pair")
    assert found.points[0].odds == "0"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"pays": ["full_hous=8"]}, "no pay row"),
        ({"pays": ["full_house"]}, "write it as name=value"),
        ({"pays": ["full_house=x"]}, "not odds"),
        ({"pays": ["full_house=1 to 0"]}, "divides by zero"),
        ({"pays": ["full_house=100001"]}, "more than 100,000 to 1"),
        ({"pays": ["full_house=8", "full_house=9"]}, "given twice"),
        ({"pays": ["flush=8"] * 61}, "more than a book has"),
        ({"pays": [f"flush={'8' * 600}"]}, "too long"),
        ({"options": ["nothing=1"]}, "has no option"),
        ({"options": ['progressive-paytable={"flush": 1']}, "rows are written as JSON"),
        ({"options": ['progressive-paytable={"flush": [1]}']}, "rows are written as JSON"),
        ({"options": ['progressive-paytable={"flush": "25"}']}, "pays at least 50"),
        ({"qualifier": "nonsense"}, "qualifier"),
        ({"qualifier": "A" * 601}, "too long"),
    ],
)
def test_wrong_input_is_one_sentence(given: dict[str, list[str]], says: str) -> None:
    with pytest.raises((OptionError, OddsError, CardError), match=says):
        price(question_of("section10", **given))  # type: ignore[arg-type]


def test_the_lab_reads_no_files() -> None:
    for name in ("../aceking/books/rws.toml", "/etc/passwd", "", "Section10"):
        with pytest.raises(UnknownBook, match="there is no book"):
            question_of(name)


@pytest.mark.parametrize(("meter", "ante", "says"), [("x", "10", "not an amount"), ("1", "0", "the ante cannot be 0")])
def test_a_meter_and_an_ante_are_amounts(meter: str, ante: str, says: str) -> None:
    with pytest.raises((OptionError, OddsError), match=says):
        price(question_of("section10"), meter=meter, ante=ante)
