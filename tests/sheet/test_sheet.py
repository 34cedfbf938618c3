"""The sheet: the same figures as everywhere else, the same bytes every time, and a page that stands alone."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from aceking.exact.games import changed, edge, edge_data
from aceking.exact.side_bets.bonus import for_bonus, for_main, joint
from aceking.exact.side_bets.progressive import line
from aceking.exact.spread import distribution, expect
from aceking.rules.book import Book
from aceking.rules.options import allowed_values
from aceking.rules.reading.load import load_book
from aceking.rules.review.compare import options_of
from aceking.sheet.data import progressive_data, sheet_data
from aceking.sheet.page import page
from aceking.sheet.svg import DrawnCurve, chart, plot
from aceking.sheet.whatif import option_rows
from aceking.sheet.words import command
from aceking.sheet.write import make_folder, write_data

NAMES = ("section10", "rws", "colorado-required")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("sheets")
    make_folder(where / "first")
    make_folder(where / "again")
    for name in NAMES:
        write_data(sheet_data(load_book(name)), where / "first")
    write_data(sheet_data(load_book("rws")), where / "again")
    return where


def read(folder: Path, name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder / "first" / f"{name}.json").read_text(encoding="utf-8"))
    return data


@pytest.mark.parametrize("name", NAMES)
def test_the_figures_of_the_sheet_are_the_figures(folder: Path, name: str) -> None:
    book, data = load_book(name), read(folder, name)
    assert data["figures"] == edge_data(edge(book))
    assert data["document"]["hash"] == book.digest
    assert {row["option"] for row in data["options"]} == set(book.options)
    rules = {row["rule"]: (row["value"], row["clause"]) for row in data["rules"]}
    assert rules["bet.pays.flush"][1] == book.cite("bet.pays.flush")
    assert data["strategy"]["net_per_ante"] == data["figures"]["net_per_ante"]


@pytest.mark.parametrize("name", NAMES)
def test_every_point_against_a_pay_row_is_a_what_if(folder: Path, name: str) -> None:
    book, data = load_book(name), read(folder, name)
    rows = {row["row"]: row for row in data["pay_rows"]}
    assert {"royal_flush", "pair"} <= set(rows)
    for row in (rows["flush"], rows["pair"], data["pay_rows"][-1]):
        for point in row["points"]:
            other, _ = changed(book, pays={row["row"]: Fraction(point["odds"])})
            assert str(edge(other).house_edge) == point["exact"]
    for row in rows.values():
        edges = [Fraction(point["exact"]) for point in row["points"]]
        assert edges == sorted(edges, reverse=True), "a row that pays more never costs more"
        assert Fraction(row["slope"]) <= 0


def test_the_progressive_of_the_sheet(folder: Path) -> None:
    side = read(folder, "section10")["progressive"]
    assert Fraction(side["break_even"]) == line(load_book("section10")).break_even / 100
    assert side["awards"]["straight flush"] == "10% of the meter"
    at_even = next(point for point in side["points"] if abs(point["meter"] - float(Fraction(side["break_even"]))) < 1)
    assert abs(at_even["side_edge"]) < 1e-5


def test_awards_that_the_book_leaves_open_are_said_to_be_open() -> None:
    washington = load_book("washington")
    open_awards = progressive_data(washington, edge(washington))
    assert open_awards is not None
    assert "separate table" in open_awards["open"]
    given = {
        "royal_flush": "100%",
        "straight_flush": "10%",
        "four_of_a_kind": "500",
        "full_house": "100",
        "flush": "50",
    }
    posted, _ = changed(washington, options={"progressive-paytable": given})
    side = progressive_data(posted, edge(posted))
    assert side is not None
    assert Fraction(side["break_even"]) == Fraction(4_142_900, 19)


def test_the_bonus_and_its_joint_play(folder: Path) -> None:
    book, bonus = load_book("colorado-required"), read(folder, "colorado-required")["bonus"]
    assert bonus["played_for_the_bonus"] == edge_data(for_bonus(book, ratio=Fraction(1)).bonus)
    assert bonus["beside_the_best_main_play"] == edge_data(for_main(book, ratio=Fraction(1)).bonus)
    for row in bonus["together"]:
        best = joint(book, ratio=Fraction(row["ratio"]))
        assert row["net_per_ante"] == str(best.together.net_per_ante)
        assert Fraction(row["net_per_ante"]) >= Fraction(row["as_without_bonus"])


def test_the_blind_bet_is_on_the_sheet_of_the_book_that_has_it(folder: Path) -> None:
    blind = read(folder, "rws")["blind"]
    assert blind["clause"] == "RWS-3.7"
    assert blind["figures"]["decisions"] == {"fold": 0.0, "bet": 1.0}
    assert read(folder, "section10")["blind"] is None


def test_intervals_and_distribution_are_those_of_the_edge(folder: Path) -> None:
    spread, found = read(folder, "rws")["spread"], edge(load_book("rws"))
    row = next(row for row in spread["intervals"] if (row["rounds"], row["confidence"]) == (10_000, 0.95))
    expected = expect(found, rounds=10_000, confidence=0.95)
    assert (row["low"], row["high"]) == (round(expected.low, 2), round(expected.high, 2))
    assert spread["distribution"]["quantiles"]["0.5"] == distribution(found, rounds=10_000).quantile(0.5)
    assert 0.998 < sum(bar["chance"] for bar in spread["distribution"]["bars"]) <= 1


def test_options_that_change_money_are_listed_with_what_they_change() -> None:
    book = load_book("colorado-required")
    rows = {(row["option"], row["value"]): row for row in option_rows(book, edge(book).house_edge)}
    other, _ = changed(book, options={"three-card-ace-low": "not-allowed"})
    assert rows["three-card-ace-low", "not-allowed"]["exact"] == str(edge(other).house_edge)
    assert ("shuffle-method", "automated") not in rows
    # Lines of the book itself that were changed would be set back by an option: then nothing is listed.
    what_if, _ = changed(book, pays={"pair": 2})
    assert option_rows(what_if, edge(what_if).house_edge) == []


def test_the_same_book_gives_the_same_bytes(folder: Path) -> None:
    for name in ("rws.html", "rws.json"):
        assert (folder / "first" / name).read_bytes() == (folder / "again" / name).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_the_page_stands_alone_and_its_pictures_are_well_formed(folder: Path, name: str) -> None:
    text = (folder / "first" / f"{name}.html").read_text(encoding="utf-8")
    assert not re.search(r"<script|<link|<img|@import|src=|href=", text)
    assert set(re.findall(r"https?://[^\"' <]+", text)) == {"http://www.w3.org/2000/svg"}
    pictures = re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL)
    assert len(pictures) > 10
    for picture in pictures:
        ElementTree.fromstring(picture)
        assert "nan" not in picture
    data = read(folder, name)
    for figure in (
        data["document"]["hash"],
        data["figures"]["net_per_ante"].replace("-", "\N{MINUS SIGN}"),
        f"{data['figures']['deals']:,}",
    ):
        assert figure in text
    # Grey only: every colour has three equal parts.
    for colour in re.findall(r"#([0-9a-f]{6})\b", text):
        assert colour[:2] == colour[2:4] == colour[4:]


def test_a_changed_book_says_so_on_its_sheet(tmp_path: Path) -> None:
    book, warnings = changed(load_book("colorado-permissible"), pays={"full_house": 8})
    html, raw = write_data(sheet_data(book, changes=warnings), tmp_path)
    assert warnings
    assert "not the house" in html.read_text(encoding="utf-8")
    assert json.loads(raw.read_text(encoding="utf-8"))["document"]["changes"] == list(warnings)


def test_small_pictures_hold_what_they_are_given() -> None:
    drawn = plot([DrawnCurve("one", [(0, 1), (1, 2)])], across="x", up="y", title="a < b")
    assert "a &lt; b" in drawn
    ElementTree.fromstring(drawn)
    cells = [("hand", [{"fold": 0.25, "bet": 0.75}, {}])]
    ElementTree.fromstring(chart(("2", "3"), cells, ("fold", "bet")))


def test_every_book_of_a_dealer_has_its_rules_on_the_page(folder: Path) -> None:
    book: Book = load_book("section10")
    text = (folder / "first" / "section10.html").read_text(encoding="utf-8")
    assert all(
        clause in text for clause in {rule.clause for key, rule in book.by_key.items() if rule.value is not None}
    )


def words(text: str) -> str:
    """The page as it is read: without its style, its pictures and its tags."""
    text = re.sub(r"<style>.*?</style>|<svg.*?</svg>", " ", text, flags=re.DOTALL)
    return re.sub(r"<[^>]+>", " ", text)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_has_words_for_rules_one_minus_and_no_exponents(folder: Path, name: str) -> None:
    text = words((folder / "first" / f"{name}.html").read_text(encoding="utf-8"))
    assert not re.search(r"\b(hands|bet|dealer|progressive|paytable|ante)\.[a-z_]+", text)
    assert not re.search(r"\d[eE][-+]?\d", re.sub(r"\b[0-9a-f]{16,64}\b", "", text))
    assert not re.search(r"(?<![\w)])-\d", text), "a minus is a minus sign"
    assert "page " in (folder / "first" / f"{name}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_bar_holds_equally_many_results(folder: Path, name: str) -> None:
    bars = read(folder, name)["spread"]["distribution"]["bars"]
    widths = {round(bar["to"] - bar["from"], 6) for bar in bars}
    assert len(widths) == 1
    chances = [bar["chance"] for bar in bars]
    top = chances.index(max(chances))
    # One hill: no bar is high because it happens to hold one result more.
    assert chances[: top + 1] == sorted(chances[: top + 1])
    assert chances[top:] == sorted(chances[top:], reverse=True)


def test_a_curve_has_points_where_it_bends(folder: Path) -> None:
    rows = {row["row"]: row["points"] for row in read(folder, "section10")["pay_rows"]}
    assert len(rows["high_card"]) > len(rows["royal_flush"])
    for points in rows.values():
        odds = [Fraction(point["odds"]) for point in points]
        edges = [Fraction(point["exact"]) for point in points]
        slopes = [
            (later - edge) / (next_ - at)
            for at, next_, edge, later in zip(odds, odds[1:], edges, edges[1:], strict=False)
        ]
        assert slopes == sorted(slopes, reverse=True), "the best of straight lines bends one way"


def test_a_what_if_never_takes_the_name_of_the_house_s_own_sheet(tmp_path: Path) -> None:
    book, _ = changed(load_book("colorado-required"), pays={"full_house": 12}, options={"hand-payout-cap": "60000"})
    html, raw = write_data(sheet_data(book), tmp_path)
    assert html.name == "colorado-required.what-if.html"
    document = json.loads(raw.read_text(encoding="utf-8"))["document"]
    assert [(one["name"], one["allowed"], one["priced"]) for one in document["changed"]] == [
        ("hand-payout-cap", True, False),
        ("full_house", True, True),
    ]
    text = html.read_text(encoding="utf-8")
    assert "<h1>What-if: " in text
    assert "<td>12 to 1 (book: 11 to 1)</td>" in text
    assert "<h2>What-if: Figures" in text
    assert "WHAT-IF, not the house's own book: " in text
    assert "--pays full_house=12" in document["repeat"]
    assert document["repeat"].replace("&", "&amp;") in re.sub("</?span>", "", text)
    assert document["priced"] in text
    (cap,) = document["caps"]
    assert cap.startswith("the most that a bet pays, 60000 USD (CHP-38(m)(3)), is left out of the figures")
    assert cap in text


def test_the_work_is_told_with_its_length(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    sheet_data(load_book("colorado-required"), progress=lambda part, whole: told.append((part, whole)))
    assert told == sorted(told)
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1] > 20


def test_paper_is_named_or_left_to_the_printer(folder: Path) -> None:
    data = read(folder, "rws")
    assert "size: A4;" in page(data, paper="A4")
    assert "size: Letter;" in page(data, paper="Letter")
    assert not re.search(r"@page \{ *size", page(data))


@pytest.mark.parametrize("name", NAMES)
def test_no_line_begins_with_a_percent_sign(folder: Path, name: str) -> None:
    text = words((folder / "first" / f"{name}.html").read_text(encoding="utf-8"))
    assert "\N{NO-BREAK SPACE}%" in text
    assert " %" not in text


def test_where_the_player_is_ahead_there_is_no_meter_below_nothing(folder: Path) -> None:
    data = read(folder, "section10")
    data["figures"]["exact"]["house_edge"] = "-1/5"
    side = data["progressive"]
    side["break_even"] = "-300"
    for row in side["whole_game_even"]:
        row["meter"] = "-300"
    text = words(page(data))
    assert "\N{MINUS SIGN}1/5" in text
    assert "in the player's favour at any meter" in text
    assert not re.search(r"USD [-\N{MINUS SIGN}]", text)


def test_a_side_bet_that_is_ahead_with_nothing_on_the_meter_is_drawn_over_meters() -> None:
    book, _ = changed(load_book("section10"), options={"progressive-paytable": {"full_house": "10000"}})
    side = progressive_data(book, edge(book))
    assert side is not None
    assert Fraction(side["break_even"]) < 0
    meters = [point["meter"] for point in side["points"]]
    assert meters == sorted(set(meters))
    assert meters[0] == 0


def test_the_top_of_a_page_has_room_for_some_changes_and_counts_the_others(folder: Path) -> None:
    data = read(folder, "rws")
    row = {"name": "four_of_a_kind", "value": "21 to 1", "book": "20 to 1", "kind": "pays"}
    data["document"] |= {"changed": [row] * 20, "changes": ["four of a kind is 21 to 1"] * 20}
    top = re.search(r"@top-left \{ content: \"(.*?)\";", page(data))
    assert top is not None
    assert top[1].count("four of a kind 21 to 1") == 7
    assert top[1].endswith("and 13 more, all of them on the first page")


def test_a_command_goes_over_a_line_between_its_words() -> None:
    line = "aceking sheet rws --option 'table=\"a b\"' --pays pair=2"
    assert command(line).count("<span>") == 7
    assert "<span>&#x27;table=&quot;a b&quot;&#x27;</span>" in command(line)


def test_numbers_and_titles_are_whole_in_a_small_picture() -> None:
    wide = plot([DrawnCurve("a", [(0, 1), (400_000, 2)])], across="x", up="y", title="t" * 35, width=230, height=150)
    (last,) = re.findall(r'<text x="([\d.]+)"[^>]*>400,000</text>', wide)
    assert float(last) + 7 * 5.8 / 2 <= 230
    (size,) = re.findall(r'font-size="([\d.]+)" font-weight', wide)
    assert float(size) > 9


def test_options_say_all_that_they_may_be(folder: Path) -> None:
    told = {row["option"]: row["may_be"] for row in read(folder, "rws")["options"]}
    assert told["table-min"] == "none, an amount"
    assert told["max-boxes"] == "a number from 1"
    assert told["layout"] == "appendix-a, appendix-b"
    for option in load_book("section10").options.values():
        assert allowed_values(option)


def test_rows_that_a_house_chose_are_told_in_words() -> None:
    washington = load_book("washington")
    assert options_of(washington)["progressive-paytable"] == "none"
    section10, _ = changed(load_book("section10"), options={"bet-paytable": {"full_house": "8", "flush": "6"}})
    assert options_of(section10)["bet-paytable"] == "full house 8, flush 6"
    assert options_of(section10)["progressive-paytable"] == "as in the book"


@pytest.mark.parametrize("name", NAMES)
def test_no_rule_is_told_twice(folder: Path, name: str) -> None:
    text = (folder / "first" / f"{name}.html").read_text(encoding="utf-8")
    for rule in ("The bet, in antes", "A player may", "The ante pays"):
        assert text.count(f"<td>{rule}</td>") == 1
    assert "All options and other rules are at the end." in text
