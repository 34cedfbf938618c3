"""Log-in and lobby, a connection that drops, what the pages weigh, how files are kept, and axe on every page."""

import json
import re
import urllib.parse
from fractions import Fraction
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from aceking.house.floor import requests as w
from aceking.house.views.returns import returns_of
from aceking.rules.reading.load import load_book
from tests.pages.accessible import axe, in_both_themes
from tests.pages.conftest import POLICY_EAR, Player
from tests.pages.deal import Dealer
from tests.pages.house import BOOKS, CHOSEN, JACKPOT, LIVE, MORE, MUST_HIT, NAMED, QUICK, SOLD
from tests.pages.play import act, bet_ante, look, say_ready, take_place
from tests.web.served import Served


def test_a_wrong_password_is_told_and_a_log_in_leads_to_no_other_site(visit: Player, served: Served) -> None:
    page = visit(f"/login?next={urllib.parse.quote('//elsewhere.example/')}")
    page.get_by_label("Name").fill("p1")
    page.get_by_label("Password").fill("not the password")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_have_text("Name or password is wrong.")
    page.get_by_label("Password").fill("a password for tests")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{served.address}/")
    page.locator(".settings summary", has_text="p1").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.locator(".settings summary")).to_have_text("Settings")


def test_the_lobby_shows_every_table_with_limits_boxes_meter_and_exact_returns(visit: Player) -> None:
    page = visit("/", "p1")
    rows = page.locator(".row")
    expect(rows).to_have_count(
        len(BOOKS) + len(MORE) + len(LIVE) + len((QUICK, *CHOSEN, *SOLD, *NAMED, JACKPOT, MUST_HIT))
    )
    expect(page.locator(".where .purse")).to_contain_text("€100,000.00")
    for name in BOOKS:
        book, row = load_book(name), page.locator(".row", has=page.get_by_role("heading", name=name, exact=True))
        expect(row).to_contain_text(re.compile(r"\S?\$?5 to \S*100"))
        expect(row).to_contain_text(f"{book.table.seats_max} of {book.table.seats_max} open")
        edge = Fraction(returns_of(book).main_exact)
        main = row.locator(".figure b[title]").first
        expect(main).to_have_attribute("title", str(1 - edge))
        expect(main).to_have_text(f"{float(100 * (1 - edge)):.4f} %")
        if book.progressive is not None:
            expect(row).to_contain_text("50,000.00")
    for name in SOLD:  # several cards for a price, and a card for the dealer: played, and not counted
        row = page.locator(".row", has=page.get_by_role("heading", name=name, exact=True))
        expect(row).to_contain_text("not counted")
    # The progressive of Section 10 at a meter of 50,000, worked out from its line.
    line = returns_of(load_book("section10")).sides["progressive"]
    back = 1 + Fraction(line["constant"]) + Fraction(line["slope"]) * 50_000
    row = page.locator(".row", has=page.get_by_role("heading", name="section10", exact=True))
    expect(row.locator(".figure b[title]").nth(1)).to_have_attribute("title", str(back))


@pytest.mark.proof
def test_a_connection_that_drops_comes_back_without_a_trace(visit: Player, served: Served) -> None:
    page = visit("/table/drop", "p2")
    take_place(page, 1)
    bet_ante(page)
    say_ready(page)
    look(page)
    served.kill()  # as when the line is cut, and the machine with it
    expect(page.locator(".lost")).to_be_visible()
    act(page, "fold").click()  # asked while nobody hears it
    served.listen = served.address.removeprefix("http://")
    served.start()
    expect(page.locator(".lost")).to_have_count(0, timeout=120_000)
    expect(page.locator("[data-result]")).to_have_attribute("data-result", "-10")
    with served.person("aud") as auditor:
        asked = [
            json.loads(one["body"]) for one in auditor._http.get("/api/log?most=1000").json() if '"fold"' in one["body"]
        ]
        assert len([one for one in asked if one.get("by") == "p2"]) == 1


@pytest.mark.proof
def test_a_stale_page_says_so_next_to_what_was_clicked_and_recovers(visit: Player) -> None:
    page = visit("/table/stale", "p3")
    lines: list[WebSocketRoute] = []
    held: list[str | bytes] = []
    slow = False

    def line(client: WebSocketRoute) -> None:
        """A line that at a time brings answers but no views."""
        house = client.connect_to_server()

        def heard(told: str | bytes) -> None:
            if slow and '"is":"table"' in str(told):
                held.append(told)
            else:
                client.send(told)

        house.on_message(heard)
        client.on_message(house.send)
        lines.append(client)

    page.route_web_socket(re.compile("/api/live"), line)
    page.reload()
    take_place(page, 5)
    bet_ante(page)
    other = page.context.new_page()
    other.goto(page.url)
    slow = True
    say_ready(other)
    expect(act(other, "look")).to_be_visible()
    back = page.locator(".wrap", has=page.get_by_role("button", name="Take back"))
    back.get_by_role("button", name="Take back").click()
    expect(back.locator(".refusal")).to_contain_text("no longer betting")
    expect(back.locator(".refusal .clause")).to_contain_text("stale")
    slow = False
    for one in held:
        lines[-1].send(one)
    expect(act(page, "look")).to_be_visible()


@pytest.mark.proof
def test_files_are_kept_for_ever_under_their_digest_and_pages_are_asked_for_each_time(served: Served) -> None:
    page = httpx.get(f"{served.address}/")
    assert page.headers["cache-control"] == "no-cache"
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert "unsafe" not in page.headers["content-security-policy"]
    address = re.search(r'src="(/static/[0-9a-f]{16}/main\.js)"', page.text)
    assert address is not None
    file = httpx.get(f"{served.address}{address[1]}")
    assert "immutable" in file.headers["cache-control"]
    assert file.headers["content-encoding"] == "gzip"
    assert httpx.get(f"{served.address}/static/{'0' * 16}/main.js").status_code == 404
    assert httpx.get(f"{served.address}{address[1].replace('main.js', '..%2f..%2fapp.py')}").status_code == 404


@pytest.mark.proof
def test_what_the_policy_forbids_is_heard_by_every_test(browser: Browser, served: Served) -> None:
    """The check of all pages is checked: a style, a script and a picture of another site are each reported."""
    context = browser.new_context()
    context.add_init_script(POLICY_EAR)
    page = context.new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.goto(f"{served.address}/login")
    for forbidden in (
        "document.body.setAttribute('style', 'color: red')",
        "document.body.append(Object.assign(document.createElement('script'), {textContent: '1'}))",
        "document.body.append(Object.assign(document.createElement('img'), {src: 'http://127.0.0.2/'}))",
    ):
        page.evaluate(forbidden)
    page.wait_for_timeout(300)
    heard = " ".join(one for one in told if one.startswith("forbidden by the policy"))
    context.close()
    assert all(directive in heard for directive in ("style-src", "script-src", "img-src")), told


@pytest.mark.proof
def test_the_first_page_weighs_less_than_200_kb(visit: Player) -> None:
    fresh = visit("/")
    expect(fresh.locator(".row").first).to_be_visible()
    weight = fresh.evaluate(
        "() => performance.getEntriesByType('resource').filter((one) => !one.name.includes('/cards/'))"
        ".reduce((all, one) => all + (one.encodedBodySize || 0), 0)"
    )
    assert 10_000 < weight < 200_000


def test_six_pages_have_no_violation_of_axe_by_day(visit: Player) -> None:
    found = []
    for path, name, shown in (
        ("/login", None, "main"),
        ("/", "p1", ".row"),
        ("/table/section10", "p1", ".felt, .dealer"),
        ("/dealer/deal-keys", "deb", ".console main"),
        ("/pit", "sam", '[data-table="rws"]'),
        ("/meter/section10", None, "[data-value]"),
    ):
        page = visit(path, name, reduced_motion="reduce")
        expect(page.locator(shown).first).to_be_visible()
        found += [f"{path}: {one}" for one in axe(page)]
    assert not found, "\n".join(found)


_DAYS = ("2026-01-01", "2026-01-02")


@pytest.mark.parametrize(("number", "size"), [(0, "laptop"), (1, "phone")])
@pytest.mark.proof
def test_no_page_has_a_violation_of_axe_and_each_has_its_pictures(
    visit: Player, served: Served, number: int, size: str
) -> None:
    how: dict[str, Any] = {"reduced_motion": "reduce"}
    if size == "phone":
        how |= {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True}
    player, box = "p4", number + 1
    found: list[str] = []

    def seen(page: Page, name: str) -> None:
        found.extend(in_both_themes(page, name, size))

    page = visit("/login", **how)
    seen(page, "log-in")
    page = visit("/", player, **how)
    expect(page.locator(".row").first).to_be_visible()
    expect(page.locator(".figure span", has_text="…")).to_have_count(0, timeout=120_000)
    seen(page, "lobby")
    for name in ("picture-stud", "picture-exchange", "picture-hold-em"):
        page = visit(f"/table/{name}-{number}", player, **how)
        expect(page.locator(".felt, .dealer").first).to_be_visible()
        seen(page, f"{name}-empty")
        take_place(page, box)
        seen(page, f"{name}-betting")
        bet_ante(page)
        seen(page, f"{name}-staked")
        say_ready(page)
        look(page)
        page.locator(".own button.card").first.click() if name != "picture-stud" else None
        seen(page, f"{name}-deciding")
        if name == "picture-stud":
            page.get_by_role("switch").click()
            expect(page.locator(".choice.best")).to_be_visible(timeout=120_000)
            seen(page, f"{name}-coach")
        act(page, "bet").click()
        expect(page.locator("[data-result]")).to_be_visible()
        expect(page.locator(".shuffle [data-checked]")).to_be_attached()
        seen(page, f"{name}-paid")
        page.locator(".panel > .lines .clause").first.click()
        expect(page.locator(".sheet blockquote")).to_be_visible()
        seen(page, f"{name}-clause")
    console = Dealer(visit(f"/dealer/picture-live-{number}", "deb", **how), served, f"picture-live-{number}")
    console.seat("p1", 2)
    seen(console.page, "dealer-entry")
    console.page.keyboard.press("Escape")
    seen(console.page, "dealer")
    console.page.locator('[data-mishap="dispute"]').click()
    expect(console.page.locator(".verdict")).to_be_visible()
    seen(console.page, "dealer-wrong")
    page = visit("/pit", "sam", **how)
    page.locator('[data-table="rws"] button').click()
    expect(page.locator("[data-manage]")).to_be_visible()
    seen(page, "pit")
    page = visit(f"/table/picture-stud-{number}", "sam", **how)
    expect(page.locator(".boxes-row")).to_be_visible()
    seen(page, "watching")
    page = visit("/meters/section10", "sam", **how)
    expect(page.locator("[data-difference]")).to_be_visible()
    seen(page, "manager")
    page = visit("/meter/section10", **how)
    expect(page.locator("[data-value]")).to_be_visible()
    expect(page.locator(".meter-display dd").first).to_be_visible()
    seen(page, "meter")
    page = visit("/audit", "aud", **how)
    expect(page.locator("[data-round]").first).to_be_visible()
    seen(page, "audit")
    page = visit(f"/audit/picture-stud-{number}/1", "aud", **how)
    expect(page.locator('[data-chain="true"]')).to_be_attached()
    for _ in range(page.locator(".acts [data-step]").count() * 2 // 3):
        page.keyboard.press("ArrowRight")
    seen(page, "audited")
    with served.person("eve") as executive:
        executive.ask(w.CloseDay(day=_DAYS[number]))
    page = visit(f"/audit/day/{_DAYS[number]}", "aud", **how)
    expect(page.locator(".signed")).to_be_visible()
    seen(page, "day")
    assert not found, "\n".join(found)
