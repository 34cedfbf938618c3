"""The lab in a real Chromium: sliders that change exact figures, chart, deal, trainer, sheet, keys, axe."""

import json
import re
from fractions import Fraction
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from aceking.cards.card import card, cards
from aceking.exact.games import changed, edge, value
from aceking.exact.side_bets.progressive import line
from aceking.rules.reading.load import book_ids, load_book
from tests.pages.accessible import in_both_themes
from tests.pages.conftest import Player

pytestmark = pytest.mark.proof
COUNTED = 90_000


def _opened(visit: Player, path: str, **how: Any) -> Page:
    """The lab, once its first figures are there."""
    page = visit(path, **how)
    expect(page.locator("[data-edge]")).to_be_visible(timeout=COUNTED)
    return page


def _slider(page: Page, row: str) -> Locator:
    return page.locator(f'input[type="range"][data-row="{row}"]')


def _edge(page: Page, exact: Fraction) -> None:
    expect(page.locator("[data-edge]")).to_have_attribute("data-edge", str(exact), timeout=COUNTED)


def test_a_slider_changes_the_exact_edge_and_the_book_stands_beside_it(visit: Player) -> None:
    page = _opened(visit, "/lab")
    book = load_book("section10")
    _edge(page, edge(book).house_edge)
    slider = _slider(page, "full_house")
    slider.focus()
    for odds in (8, 9, 10):
        page.keyboard.press("ArrowRight")
        moved, _ = changed(book, pays={"full_house": odds})
        exact = edge(moved)
        _edge(page, exact.house_edge)
        expect(page.locator("[data-risk]")).to_have_attribute("data-risk", str(exact.element_of_risk))
        expect(page.locator(".edge")).to_have_text(f"{float(100 * exact.house_edge):.4f}%")
        expect(page.locator("[data-exact]")).to_have_text(str(exact.house_edge))
        own = page.locator(".edge-part .ledger tbody tr").first.locator("td").last
        expect(own).to_have_text(f"{float(100 * edge(book).house_edge):.4f} %")
    expect(slider).to_have_attribute("aria-valuetext", "10 to 1, the book has 7 to 1")
    expect(page.locator(".moved-part")).to_contain_text("A what-if, not the house")
    expect(page.locator(".moved-part li")).to_have_count(1)
    assert "pays=full_house%3D10" in page.url
    page.get_by_role("button", name="Back to the book").click()
    _edge(page, edge(book).house_edge)
    assert page.url.endswith("/lab/section10")


def test_odds_can_be_typed_and_what_the_book_does_not_allow_is_said(visit: Player) -> None:
    page = _opened(visit, "/lab/section10?pays=flush%3D6")
    typed = page.get_by_role("textbox", name="Odds of Pair", exact=True)
    typed.fill("1 to 2")
    typed.press("Enter")
    moved, _ = changed(load_book("section10"), pays={"flush": 6, "pair": "1 to 2"})
    _edge(page, edge(moved).house_edge)
    expect(page.locator(".moved-part li", has_text="pair")).to_contain_text("The book does not allow that.")
    expect(page.locator(".moved-part li", has_text="flush")).not_to_contain_text("does not allow")
    typed.fill("nonsense")
    typed.press("Enter")
    expect(typed).to_have_value("1 to 2")
    page.reload()
    _edge(page, edge(moved).house_edge)


def test_options_and_the_qualifier_change_the_exact_edge(visit: Player) -> None:
    page = _opened(visit, "/lab/colorado-required")
    page.locator('[data-option="three-card-ace-low"]').select_option("not-allowed")
    moved, _ = changed(load_book("colorado-required"), options={"three-card-ace-low": "not-allowed"})
    _edge(page, edge(moved).house_edge)
    page.locator('.shelf-book[data-book="rws"]').click()
    expect(page.locator(".shelf-book[aria-current=true]")).to_contain_text("Casino Stud Poker")
    _edge(page, edge(load_book("rws")).house_edge)
    page.get_by_label("The dealer plays with").select_option("A K Q 3 2")
    moved, _ = changed(load_book("rws"), qualifies_with="A K Q 3 2")
    _edge(page, edge(moved).house_edge)


def test_the_meter_on_a_slider_and_awards_that_a_sign_has(visit: Player) -> None:
    page = _opened(visit, "/lab/section10")
    side = line(load_book("section10"))
    expect(page.locator("[data-even]")).to_have_attribute("data-even", str(side.break_even / 100))
    meter = page.get_by_role("textbox", name="Meter, as an amount")
    meter.fill("300000")
    meter.press("Enter")
    shown = page.locator("[data-side-edge]")
    expect(shown).to_have_attribute("data-side-edge", str(side.house_edge(30_000_000)), timeout=COUNTED)
    expect(shown).to_contain_text("\N{MINUS SIGN}")  # the player is ahead
    page.locator("[data-meter]").focus()
    page.keyboard.press("Home")
    expect(shown).to_have_attribute("data-side-edge", str(side.house_edge(0)), timeout=COUNTED)
    page.locator('[data-award="flush"]').fill("75")
    page.locator('[data-award="flush"]').press("Enter")
    raised, _ = changed(load_book("section10"), options={"progressive-paytable": {"flush": "75"}})
    expect(page.locator("[data-even]")).to_have_attribute(
        "data-even", str(line(raised).break_even / 100), timeout=COUNTED
    )
    page.locator('[data-award="flush"]').fill("20000")
    page.locator('[data-award="flush"]').press("Enter")
    expect(page.locator("[data-even]")).to_have_text("ahead at any meter", timeout=COUNTED)
    expect(page.get_by_role("img", name=re.compile("the player is ahead at any meter"))).to_be_visible()
    page.locator('[data-award="flush"]').fill("25")
    page.locator('[data-award="flush"]').press("Enter")
    expect(page.locator(".lab > .refusal")).to_contain_text("flush pays at least 50")
    page.locator('.shelf-book[data-book="washington"]').click()
    expect(page.locator("[data-even]")).to_have_attribute("data-even", "", timeout=COUNTED)
    page.get_by_role("button", name="Fill in what signs usually have").click()
    expect(page.locator("[data-even]")).to_have_attribute("data-even", "4142900/19", timeout=COUNTED)


def test_the_plots_and_the_chart_follow_what_is_moved(visit: Player) -> None:
    page = _opened(visit, "/lab/section10?pays=full_house%3D8")
    plot = page.get_by_role("img", name=re.compile("Full house, and the edge"))
    expect(plot).to_have_attribute("aria-label", re.compile("8 to 1 5.0575 %"), timeout=COUNTED)
    expect(plot.locator("circle.hollow")).to_have_count(2)
    expect(page.get_by_role("img", name=re.compile("How a round ends"))).to_have_attribute(
        "aria-label", re.compile("\N{MINUS SIGN}1 47.77 %")
    )
    chart = page.locator(".chart")
    expect(chart).to_be_visible(timeout=COUNTED)
    expect(chart.locator("thead th")).to_have_count(14)
    row = chart.locator("tbody tr", has=page.locator("th", has_text=re.compile(r"^A K Q 10 …$")))
    cell = row.locator("td").nth(12)
    expect(cell).to_contain_text("bet")
    cell.click()
    expect(page.locator(".picked-words")).to_contain_text("bet 100.00 %; the next best costs 0.41")
    page.get_by_label("Every kind of hand in its own row").check()
    expect(chart.locator("tbody tr")).to_have_count(156, timeout=COUNTED)


def test_one_deal_is_settled_by_every_book_and_by_the_what_if(visit: Player) -> None:
    page = _opened(visit, "/lab/section10?pays=straight_flush%3D60")
    nets = {"section10": "1010", "colorado-required": "2000", "what-if": "1210"}
    for name, net in nets.items():
        expect(page.locator(f'[data-under="{name}"] [data-net]')).to_have_attribute("data-net", net, timeout=COUNTED)
    expect(page.locator("[data-under]")).to_have_count(len(book_ids()) + 1)
    page.locator('[data-under="rws"] .clause').first.click()
    expect(page.locator(".sheet h2")).to_have_text("§ RWS-3.14.1")
    expect(page.locator(".sheet blockquote")).to_have_text(load_book("rws").clauses["RWS-3.14.1"].says)
    page.keyboard.press("Escape")
    expect(page.locator(".sheet")).to_have_count(0)
    page.locator('[data-cards="player"]').fill("Ah Ah 2c 3c 4c")
    page.get_by_role("button", name="Lay these cards").click()
    expect(page.locator(".deal .refusal")).to_contain_text("Ah is dealt twice")
    page.get_by_role("button", name="Deal others").click()
    expect(page.locator(".deal .refusal")).to_have_count(0)
    expect(page.locator("[data-under] [data-net]")).to_have_count(len(book_ids()) + 1)


def test_the_trainer_deals_a_hand_that_went_wrong_again(visit: Player) -> None:
    page = _opened(visit, "/lab/section10")
    page.get_by_role("button", name="Deal me a hand").click()
    book = load_book("section10")
    wrong = None
    for number in range(1, 6):
        hand, up, choices = _hand(page)
        worth = value(book, cards(" ".join(hand)), card(up))
        if number == 1:
            wrong = hand, up
            page.locator(f'[data-choice="{"fold" if worth.best == "bet" else "bet"}"]').click()
            cost = worth.decisions[worth.best] - min(worth.decisions.values())
            expect(page.locator(".train-verdict")).to_contain_text(f"{float(cost):.6f}")
            expect(page.locator("[data-waiting]")).to_have_attribute("data-waiting", "1")
        else:
            page.locator(f'[data-choice="{worth.best}"]').click()
            expect(page.locator(".train-verdict")).to_contain_text("Right")
        for choice in choices:
            shown = page.locator(f'[data-choice="{choice}"] [data-worth]')
            expect(shown).to_have_attribute("data-worth", str(worth.decisions[choice]))
        expect(page.locator("[data-dealt]")).to_have_attribute("data-dealt", str(number))
        if number == 5:
            break
        expect(page.locator('.trainer [data-key="Enter"]')).to_be_focused()  # the page focuses it after it has painted
        page.keyboard.press("Enter")
        expect(page.locator(".train [data-worth]")).to_have_count(0, timeout=COUNTED)
    # The fifth hand is the first one under other suits, and now it was right.
    assert wrong is not None
    assert sorted(one[0] for one in hand) == sorted(one[0] for one in wrong[0])
    assert up[0] == wrong[1][0]
    expect(page.locator("[data-waiting]")).to_have_attribute("data-waiting", "0")
    kept = json.loads(page.evaluate("() => localStorage.getItem('trainer/section10?')"))
    assert (kept["dealt"], kept["right"]) == (5, 4)


def _hand(page: Page) -> tuple[list[str], str, list[str]]:
    expect(page.locator(".train-cards img")).to_have_count(6, timeout=COUNTED)
    sources = [str(one.get_attribute("src")) for one in page.locator(".train-cards img").all()]
    up, *hand = [found[1] for one in sources if (found := re.search(r"/(\w\w)\.svg$", one))]
    choices = [str(one.get_attribute("data-choice")) for one in page.locator("[data-choice]").all()]
    return hand, up, choices


def test_the_sheet_is_saved_as_the_command_line_writes_it(visit: Player) -> None:
    page = _opened(visit, "/lab/colorado-required?pays=flush%3D9")
    with page.expect_download(timeout=COUNTED) as saved:
        page.locator('[data-sheet="html"]').click()
    assert saved.value.suggested_filename == "colorado-required.what-if.html"
    assert "This is a what-if" in saved.value.path().read_text(encoding="utf-8")


def test_the_lab_by_the_keyboard_alone_without_a_shift(visit: Player) -> None:
    page = _opened(visit, "/lab/section10")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.dataset.row") == "royal_flush":
            break
    else:
        raise AssertionError("the slider is not reached")
    before = page.evaluate("() => document.activeElement.getBoundingClientRect().top")
    page.keyboard.press("ArrowRight")
    moved, _ = changed(load_book("section10"), pays={"royal_flush": 105})
    _edge(page, edge(moved).house_edge)
    assert page.evaluate("() => document.activeElement.getBoundingClientRect().top") == before
    assert page.evaluate("() => document.activeElement.dataset.row") == "royal_flush"


def test_a_book_that_is_none_is_said(visit: Player) -> None:
    page = visit("/lab/nothing")
    expect(page.locator("main")).to_contain_text("There is no book nothing.")


@pytest.mark.parametrize("size", ["laptop", "phone"])
def test_the_lab_has_no_violation_of_axe_and_has_its_pictures(visit: Player, size: str) -> None:
    how: dict[str, Any] = {"reduced_motion": "reduce"}
    if size == "phone":
        how |= {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True}
    found = []
    for name, path in (("stud", "section10?pays=full_house%3D8"), ("hold-em", "colorado-required")):
        page = _opened(visit, f"/lab/{path}", **how)
        expect(page.locator(".chart")).to_be_visible(timeout=COUNTED)
        expect(page.locator(".picture circle").first).to_be_visible(timeout=COUNTED)
        page.get_by_role("button", name="Deal me a hand").click()
        page.locator("[data-choice]").first.click(timeout=COUNTED)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
        found += in_both_themes(page, f"lab-{name}", size, full_page=True)
    assert not found, "\n".join(found)


def test_a_reader_of_german_is_told_in_german(visit: Player) -> None:
    page = _opened(visit, "/lab/section10", locale="de-AT")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Das Labor")
    expect(page.locator("#edge-title")).to_have_text("Hausvorteil, von der Ante")
