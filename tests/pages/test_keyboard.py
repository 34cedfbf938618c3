"""A whole round by the keyboard alone, from the log-in to the payment, and what a listener is told."""

import pytest
from playwright.sync_api import Page, expect

from tests.pages.conftest import Player
from tests.pages.play import result, settled
from tests.web.served import PASSWORD, Served

pytestmark = pytest.mark.proof


def _tab_to(page: Page, label: str) -> None:
    """Tab until what has the focus is called so."""
    for _ in range(80):
        page.keyboard.press("Tab")
        named = page.evaluate(
            "() => { const it = document.activeElement;"
            " return it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ??"
            " (it === document.body ? '' : it.textContent + (it.querySelector('img')?.alt ?? '')) }"
        )
        if label in named:
            return
    raise AssertionError(f"the keyboard does not reach {label!r}")


def test_a_whole_round_by_keyboard_alone(visit: Player, served: Served) -> None:
    page = visit("/login?next=/table/keys")
    _tab_to(page, "Name")
    page.keyboard.type("p1")
    _tab_to(page, "Password")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/keys")
    expect(page.locator(".felt")).to_be_visible()
    _tab_to(page, "Sit at box 9")
    page.keyboard.press("Enter")
    expect(page.locator(".dock .buy-in")).to_be_visible()
    _tab_to(page, "Chips for your purse")
    page.keyboard.type("300")
    page.keyboard.press("Enter")
    expect(page.locator(".chips")).to_be_visible()
    page.locator("body").evaluate("() => document.activeElement.blur()")
    page.keyboard.press("2")
    page.keyboard.press("2")
    page.keyboard.press("2")
    settled(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your ante is $15")).to_be_visible()
    voice = page.locator("[data-voice]")
    settled(page)
    page.keyboard.press("j")
    expect(page.locator(".box.mine .side.on")).to_be_visible()
    page.keyboard.press("r")
    expect(page.locator('[data-act^="look"]')).to_be_visible()
    page.keyboard.press("l")
    expect(page.locator(".own .card.up")).to_have_count(3)
    expect(voice).to_contain_text("You hold")
    expect(voice).to_contain_text("It is for you to decide")
    page.keyboard.press("1")
    expect(page.locator(".own .card.picked")).to_have_count(1)
    page.keyboard.press("Space")
    expect(page.locator(".own .card.picked")).to_have_count(0)
    page.keyboard.press("3")
    expect(page.locator(".own .card.picked")).to_have_count(1)
    settled(page)
    page.keyboard.press("b")
    net = result(page)
    assert net % 100 == 0
    expect(voice).to_contain_text("The round is over")
