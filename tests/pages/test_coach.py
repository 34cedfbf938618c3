"""The coach, the same stakes again, past rounds on the felt, and sounds that are off until asked for."""

from fractions import Fraction

import pytest
from playwright.sync_api import expect

from tests.pages.conftest import Player
from tests.pages.play import act, bet_ante, look, say_ready, settled, take_place
from tests.web.served import Served

pytestmark = pytest.mark.proof


def test_the_coach_values_every_choice_exactly_and_keeps_count_of_what_mistakes_cost(
    visit: Player, served: Served
) -> None:
    page = visit("/table/coach", "p1")
    take_place(page, 3)
    bet_ante(page)
    say_ready(page)
    look(page)
    expect(page.locator(".coach [data-choice]")).to_have_count(0)  # silent until asked for
    expect(page.locator(".choice.best")).to_have_count(0)
    page.get_by_role("switch").click()
    rows = page.locator(".coach [data-choice]")
    expect(rows).to_have_count(2)
    worth = {one.get_attribute("data-choice"): Fraction(one.get_attribute("data-worth") or "") for one in rows.all()}
    assert worth["fold"] == -1
    best = max(worth, key=lambda one: worth[one])
    told = page.evaluate("async () => (await fetch('/api/tables/coach/coach/3')).json()")
    assert {choice: Fraction(value) for choice, value in told["values"].items()} == worth
    assert told["best"] == best
    expect(page.locator(".choice.best")).to_have_attribute("data-act", f"{best}/3///")
    assert page.evaluate("async () => (await fetch('/api/tables/coach/coach/4')).status") == 404  # another's box
    worse = min(worth, key=lambda one: worth[one] or 0)
    act(page, str(worse)).click()
    cost = worth[best] - worth[worse]
    expect(page.locator("[data-cost]")).to_have_attribute("data-cost", str(cost))
    expect(page.locator("[data-tally]")).to_have_attribute("data-tally", "0/1")


def test_the_same_stakes_again_and_a_past_round_on_the_felt(visit: Player, served: Served) -> None:
    page = visit("/table/again", "p2")
    take_place(page, 2)
    bet_ante(page)
    act(page, "side-bet").click()
    expect(page.locator(".box.mine .side.on")).to_be_visible()
    say_ready(page)
    look(page)
    act(page, "fold").click()
    expect(page.locator('[data-act="again"]')).to_be_visible()  # the next round follows at once
    settled(page)
    page.keyboard.press("s")
    expect(page.get_by_text("Your ante is")).to_be_visible()
    expect(page.locator(".box.mine .side.on")).to_be_visible()
    page.locator(".history summary").first.click()
    page.locator("[data-replay]").first.click()
    expect(page.locator(".felt.past")).to_be_visible()
    steps = int(page.locator(".on-felt .say b").inner_text().split(" of ")[1])
    for _ in range(steps - 1):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".on-felt small")).to_contain_text("The round is over")
    expect(page.locator(".dealer .card.up")).to_have_count(5)
    page.keyboard.press("Escape")
    expect(page.locator(".felt.past")).to_have_count(0)
    expect(page.get_by_text("Your ante is")).to_be_visible()


def test_a_sound_is_made_only_when_it_was_asked_for(visit: Player) -> None:
    page = visit("/table/sound", "p3")
    take_place(page, 1)
    bet_ante(page)
    assert page.locator("html").get_attribute("data-sound") is None
    page.locator(".settings summary").click()
    page.get_by_label("Sound").select_option("on")
    page.locator(".settings summary").click()
    say_ready(page)
    expect(page.locator("html")).to_have_attribute("data-sound", "turn")
