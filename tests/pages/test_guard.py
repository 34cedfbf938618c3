"""A choice that has just appeared is not taken for half a second: a second press on what stood there is no request."""

import pytest
from playwright.sync_api import Page, expect

from aceking.client import House
from tests.pages.conftest import Player
from tests.pages.play import act, bet_ante, result, say_ready, settled, take_place
from tests.web.served import Served

pytestmark = pytest.mark.proof


def _dealt(page: Page) -> None:
    """A hand lies there unseen, and the clock of the page stands still: what waits for it waits for the test."""
    page.clock.install()
    take_place(page, 2)
    bet_ante(page)
    say_ready(page)
    expect(act(page, "look")).to_be_visible()
    settled(page)
    page.clock.pause_at(page.evaluate("() => Date.now() + 10_000"))


def _choice(served: Served, table: str) -> tuple[str | None, str]:
    """What the house knows of the box: the decision, and the price of an exchange."""
    with House(served.address) as anybody:  # a second log-in of the player would end the page's session
        [box] = anybody.table(table).rail.common.boxes
        return box.choice, box.fee


def test_a_second_press_where_look_was_does_not_fold_and_a_later_one_does(visit: Player, served: Served) -> None:
    page = visit("/table/guard", "p1")
    _dealt(page)
    place = act(page, "look").bounding_box()
    assert place is not None
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    page.mouse.click(x, y)
    fold = act(page, "fold")
    expect(fold).to_be_visible()
    under = page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('[data-act]')?.dataset.act", [x, y])
    assert under.startswith("fold/"), "in this game Fold stands where Look was"
    for wait in (0, 100, 300):
        page.clock.run_for(wait)
        page.mouse.click(x, y)
        page.mouse.dblclick(x, y)
        page.keyboard.press("f")
        fold.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Space")
        expect(fold).to_be_focused()
        expect(fold).to_have_attribute("aria-disabled", "true")
    assert _choice(served, "guard") == (None, "0")
    assert page.evaluate("() => getComputedStyle(document.querySelector('.choice.fresh')).borderStyle") == "dashed"
    page.clock.run_for(200)
    expect(fold).to_have_attribute("aria-disabled", "false")
    page.mouse.click(x, y)
    page.clock.resume()
    assert result(page) == -1000


@pytest.mark.parametrize("press", ["mouse", "Space", "Enter"])
def test_a_press_that_began_too_early_takes_nothing_however_late_it_ends(
    visit: Player, served: Served, press: str
) -> None:
    table = f"guard-{press.lower()}"
    page = visit(f"/table/{table}", "p3")
    _dealt(page)
    look, fold = act(page, "look").bounding_box(), act(page, "fold")
    assert look is not None
    page.mouse.click(look["x"] + look["width"] / 2, look["y"] + look["height"] / 2)
    expect(fold).to_be_visible()
    fold.focus()
    if press == "mouse":
        page.mouse.down()
    else:
        page.keyboard.down(press)
    page.clock.run_for(600)
    expect(fold).to_have_attribute("aria-disabled", "false")
    if press == "mouse":
        page.mouse.up()
    else:
        page.keyboard.down(press)  # a key that is held repeats
        page.keyboard.up(press)
    settled(page)
    assert _choice(served, table) == (None, "0")
    page.keyboard.press("f")
    page.clock.resume()
    assert result(page) == -1000


def test_every_change_of_the_choices_guards_what_costs_something_and_picking_a_card_none(
    visit: Player, served: Served
) -> None:
    page = visit("/table/guard-keys", "p2")
    _dealt(page)
    page.keyboard.press("l")
    expect(act(page, "exchange")).to_be_visible()
    page.keyboard.press("1")
    for key in ("b", "f", "e"):
        page.keyboard.press(key)
    assert _choice(served, "guard-keys") == (None, "0")
    page.clock.run_for(600)
    settled(page)
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(act(page, "exchange")).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("x")
    expect(act(page, "exchange")).to_have_count(0)
    for key in ("b", "f"):
        page.keyboard.press(key)
    assert _choice(served, "guard-keys") == (None, "10")
    expect(act(page, "fold").locator(".price")).to_have_text("\N{MINUS SIGN}€20")
    page.clock.run_for(600)
    settled(page)
    page.keyboard.press("f")
    page.clock.resume()
    assert result(page) == -2000
