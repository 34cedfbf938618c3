"""A jackpot from the light of a sensor to the win page, by a dealer, a supervisor and an executive, each at a page."""

import re

import pytest
from playwright.sync_api import Page, expect

from aceking.cards.card import card
from aceking.house.floor import wishes as w
from tests.pages.accessible import axe
from tests.pages.conftest import PICTURES, Player
from tests.pages.deal import Dealer
from tests.pages.house import JACKPOT, MUST_HIT
from tests.web.served import Served

pytestmark = [pytest.mark.xdist_group("web"), pytest.mark.timeout(400)]
ROYAL = ("As", "Ks", "Qs", "Js", "Ts")
BANK = ("2c", "7d", "9h", "4c", "Jd")


def _signs(page: Page, words: str) -> None:
    """What is due at the table is done from the pit."""
    button = page.locator(f'[data-due-at="{JACKPOT}"]').get_by_role("button", name=words)
    expect(button).to_be_visible()
    button.click()


def test_a_jackpot_from_sensor_to_signature_to_win_page_by_three_people(visit: Player, served: Served) -> None:
    page, display = visit(f"/dealer/{JACKPOT}", "deb"), visit(f"/meter/{JACKPOT}")
    expect(display.locator("[data-value]")).to_have_attribute("data-value", "50000")
    dealt = [card(one) for pair in zip(ROYAL, BANK, strict=True) for one in pair]
    dealer = Dealer(page, served, JACKPOT, cards=[int(one) for one in dealt])
    dealer.seat("p1", 2)
    page.keyboard.press("Escape")
    dealer.until("bets-opened")
    dealer.once()
    with served.person("dev") as sensor:
        sensor.ask(w.Read(table=JACKPOT, box=2, on=True))
    page.locator('[data-box="2"]').click()
    dealer.ante(2)
    dealer.enter("side-bet", 2)
    expect(page.locator('[data-box="2"]')).to_contain_text("progressive")
    page.keyboard.press("Escape")
    dealer.counts = "1"
    dealer.until("go-ahead")
    dealer.once()
    expect(display.locator("[data-value]")).to_have_attribute("data-value", "50000.70")
    dealer.enter("look", 2)
    dealer.enter("bet", 2)
    expect(page.locator('[data-box="2"] em')).to_have_text("bet")
    page.keyboard.press("Escape")
    supervisor, executive = visit("/pit", "sam"), visit("/pit", "eve")
    expect(page.locator('[data-due="reveal"]')).to_be_visible()
    dealer.until("supervisor-validated")
    expect(display.locator(".pending")).to_contain_text(f"PENDING at table {JACKPOT}")
    PICTURES.mkdir(parents=True, exist_ok=True)
    display.screenshot(path=PICTURES / "meter-pending.png")
    supervisor.screenshot(path=PICTURES / "pit-award.png")
    _signs(supervisor, "Validate the award")
    expect(supervisor.locator(f'[data-due-at="{JACKPOT}"]')).to_contain_text("not for you")
    _signs(executive, "Sign for the award")
    expect(display.locator(".pending")).to_have_count(0)
    expect(page.locator('[data-due="pay-award"]')).to_be_visible()
    dealer.until("round-ended")
    manager = visit(f"/meters/{JACKPOT}", "max")
    expect(manager.locator("[data-difference]")).to_have_attribute("data-difference", re.compile(r"^0([.]0+)?$"))
    row = manager.locator("[data-award]")
    expect(row).to_contain_text("deb, sam, eve")
    row.get_by_role("link").click()
    expect(manager.locator(".win")).to_have_attribute("data-step", "paid")
    expect(manager.locator(".win .amount")).to_have_text("$50,000.70")
    expect(manager.locator(".win .card.up")).to_have_count(5)
    for theme in ("light", "dark"):
        for size, (width, height) in {"laptop": (1440, 900), "phone": (390, 844)}.items():
            manager.set_viewport_size({"width": width, "height": height})
            manager.emulate_media(color_scheme=theme, reduced_motion="reduce")
            manager.screenshot(path=PICTURES / f"win-{theme}-{size}.png", full_page=True)
            assert axe(manager) == []
    manager.goto(f"{served.address}/meters/{JACKPOT}")
    manager.set_viewport_size({"width": 1440, "height": 900})
    since = manager.locator(".since")
    expect(since).to_have_attribute("data-last", "10000")
    expect(since.locator("svg")).to_have_attribute("aria-label", re.compile("with 1 awards?;"))
    since.locator("summary").click()
    expect(since.locator('[data-step="award"]')).to_contain_text("\N{MINUS SIGN}$50,000.70")
    manager.screenshot(path=PICTURES / "manager-history.png", full_page=True)
    assert axe(manager) == []


def test_an_adjustment_is_asked_for_by_one_and_moves_the_meter_when_another_agrees(
    visit: Player, served: Served
) -> None:
    asks, agrees = visit("/meters/washington", "sam"), visit("/pit", "eve")
    asks.get_by_label("By how much").fill("-0.70")
    asks.get_by_label("Reason, for the record").fill("a chip counted twice")
    asks.get_by_role("button", name="Ask for it").click()
    expect(asks.get_by_role("status")).to_contain_text("It waits in the pit")
    card = agrees.locator("[data-waiting]", has_text="Meter washington: adjust")
    card.get_by_role("button", name="Agree").click()
    expect(card).to_have_count(0)
    expect(asks.locator(".identity")).to_contain_text("\N{MINUS SIGN}0.70")
    expect(asks.locator("[data-difference]")).to_have_attribute("data-difference", re.compile(r"^0([.]0+)?$"))


def test_the_display_of_a_must_hit_by_meter_says_by_when_and_what_is_sealed(visit: Player, served: Served) -> None:
    display = visit(f"/meter/{MUST_HIT}")
    expect(display.locator(".meter-display dd").first).to_have_text("$51,000.00")
    expect(display.locator(".meter-display dd code")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    expect(display.locator(".meter-display dl")).not_to_contain_text("Royal flush")
    assert axe(display) == []
    display.screenshot(path=PICTURES / "meter-must-hit.png")
