"""A jackpot from the light of a sensor to the win page, by a dealer, a supervisor and an executive, each at a page."""

import re

import pytest
from playwright.sync_api import Page, expect

from aceking.cards.card import card
from aceking.house.floor import requests as w
from aceking.seal import commitment as committed
from tests.pages.accessible import PICTURES, axe
from tests.pages.conftest import Player
from tests.pages.deal import Dealer
from tests.pages.house import JACKPOT, MUST_HIT
from tests.pages.play import act, bet_ante, look, result, say_ready, take_place
from tests.web.served import Served

ROYAL = ("As", "Ks", "Qs", "Js", "Ts")
BANK = ("2c", "7d", "9h", "4c", "Jd")


def _signs(page: Page, words: str) -> None:
    """What is due at the table is done from the pit."""
    button = page.locator(f'[data-due-at="{JACKPOT}"]').get_by_role("button", name=words)
    expect(button).to_be_visible()
    button.click()


@pytest.mark.proof
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


@pytest.mark.proof
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


@pytest.mark.proof
def test_the_display_of_a_must_hit_by_meter_says_by_when_and_what_is_sealed(visit: Player, served: Served) -> None:
    display = visit(f"/meter/{MUST_HIT}")
    expect(display.locator(".meter-display dd")).to_have_text(
        ["$100.60", "$0.60", re.compile("^[0-9a-f]{64}$")]  # where it ends, how far that is, what is sealed
    )
    expect(display.locator("[data-other]")).to_contain_text("Meter section10")
    expect(display.locator(".meter-display dl")).not_to_contain_text("Royal flush")
    assert axe(display) == []
    display.screenshot(path=PICTURES / "meter-must-hit.png")


def test_a_trigger_is_reached_by_a_wager_and_signed_by_two_before_its_win_page_is_whole(
    visit: Player, served: Served
) -> None:
    player, display = visit(f"/table/{MUST_HIT}", "p3"), visit("/meter/section10")
    expect(display.locator("[data-other]")).to_contain_text("Must hit by $100.60")
    expect(player.locator("[data-meter]")).to_have_count(2)
    meter = player.locator(f'[data-meter="{MUST_HIT}"]')
    expect(meter).to_contain_text("Must hit by $100.60, $0.60 to go at the most")
    sealed = meter.locator(".hash").text_content()
    take_place(player, 2)
    for _ in range(3):
        bet_ante(player, fives=1)
        act(player, "side-bet").click()
        expect(player.locator(".box.mine .side.on")).to_be_visible()
        say_ready(player)
        look(player)
        act(player, "fold").click()
        result(player)
        if "$50" in (meter.locator(".meter").text_content() or ""):
            break
        expect(player.locator(".chips")).to_be_visible()
    expect(meter.locator(".due")).to_contain_text("PENDING: $100.")
    assert meter.locator(".hash").text_content() != sealed, "the next trigger is sealed"
    won = meter.locator(".due").inner_text().split()[1]
    supervisor, executive = visit("/pit", "sam"), visit("/pit", "eve")
    expect(supervisor.locator("#pit-title")).to_have_text("Nothing holds a table")
    for signs, words in ((supervisor, "Validate the award"), (executive, "Sign for the award")):
        due = signs.locator(f'[data-due-at="{MUST_HIT}"]')
        due.get_by_role("button", name=words).click()
    expect(meter.locator(".due")).to_have_count(0)
    expect(meter).to_contain_text(f"at {MUST_HIT}: {won}")
    manager = visit(f"/meters/{MUST_HIT}", "max", color_scheme="dark")
    manager.locator("[data-award]").get_by_role("link").click()
    page = manager.locator(".win")
    expect(page).to_have_attribute("data-step", "paid")
    expect(page.locator(".amount")).to_have_text(won)
    expect(page.locator("tr", has_text="Verified by")).to_contain_text("sam")
    expect(page.locator("tr", has_text="Signed by")).to_contain_text("eve")
    commitment, seed = page.locator("code").all_inner_texts()
    assert commitment == (sealed or "").replace(" ", ""), "what the player saw sealed is what was opened"
    assert committed(bytes.fromhex(seed)) == commitment
    assert axe(manager) == []
    manager.emulate_media(media="print", color_scheme="dark")
    ink = """() => [[".win th", "color"], ["html", "backgroundColor"]].map(
      ([where, what]) => getComputedStyle(document.querySelector(where))[what])"""
    assert manager.evaluate(ink) == ["rgb(69, 82, 76)", "rgb(255, 255, 255)"], "it is printed dark on white"
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
