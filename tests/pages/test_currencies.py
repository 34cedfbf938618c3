"""The pages of a house whose currencies have no decimals, three and four: amounts to the last coin, shown and taken."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from playwright.sync_api import Page, expect

from aceking.house.floor import requests as w
from tests.pages.accessible import PICTURES
from tests.pages.conftest import Player
from tests.pages.play import act, look, say_ready
from tests.web.served import Served, founded, table

pytestmark = pytest.mark.proof

CURRENCIES = {"JPY": 0, "KWD": 3, "CLF": 4}
DAY = datetime.now(UTC).date().isoformat()
#: What the meter shows at first, and what a box buys in for: both end in the smallest coin.
METER = {"JPY": "1,234,567", "KWD": "1,234.567", "CLF": "123.4567"}
CHIPS = {"JPY": "10001", "KWD": "10.001", "CLF": "1.0001"}


def _book(currency: str) -> str:
    decimals = CURRENCIES[currency]
    coin = Decimal(1).scaleb(-decimals)
    return f"""from = "section10"
id = "{currency.lower()}-stud"
title = "Stud in {currency}"
house = "A house abroad"
currency = "{currency}"
decimals = {decimals}

[[clause]]
id = "A-1"
topic = "limits"
actor = "house"
says = "Antes go from a hundred of the smallest coins to five thousand; the progressive stake is ten."
set.ante.min = "{100 * coin}"
set.ante.max = "{5000 * coin}"
set.progressive.stake = "{10 * coin}"
"""


def _opened(number: int, currency: str) -> list[tuple[str, object]]:
    """Its book on file, its meter confirmed and open, its table with chips."""
    name = currency.lower()
    config = {"tables": {name: f"{name}-stud"}, "currency": currency, "base": 1_234_567, "reset": 1000}
    rates = {"rate": "70%", "hidden_rate": "10%", "executive_from": 5000}
    slow = {"pause_seconds": 600, "bet_seconds": 600, "decide_seconds": 600}
    return [
        ("max", w.FileBook(files={f"{name}-stud.toml": _book(currency)})),
        ("sam", w.OnMeter(meter=name, act={"do": "configure", **config, **rates})),
        ("eve", w.Approve(number=2 * number + 1)),
        ("eve", w.OnMeter(meter=name, act={"do": "open"})),
        table(name, f"{name}-stud", ante_min=100, ante_max=5000, meter=name, reset=1000, **slow),
        ("sam", w.Fill(table=name, amount=7_654_321)),
        ("cas", w.Approve(number=2 * number + 2)),
    ]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("abroad")
    url = f"sqlite:///{folder / 'house.db'}"
    requests = [one for number, currency in enumerate(CURRENCIES) for one in _opened(number, currency)]
    with ThreadPoolExecutor(1) as apart:
        apart.submit(founded, url, *requests, currencies=CURRENCIES, quick=True).result()
    one = Served(url, folder).start()
    yield one
    one.stop()


def _units(text: str, currency: str) -> int:
    return int(Decimal(text).scaleb(CURRENCIES[currency]))


def _amount(units: int, currency: str) -> str:
    """As a page writes it: the currency, a thin space, and all its decimals."""
    return f"{currency}\u2009{Decimal(units).scaleb(-CURRENCIES[currency]):,}"


def _meters(visit: Player) -> None:
    """Lobby and displays show every meter to its last coin."""
    lobby = visit("/", "p1")
    for currency, value in METER.items():
        shown = lobby.locator(f'.meters a[href="/meter/{currency.lower()}"] .hidden')
        expect(shown).to_have_text(f"{currency}\u2009{value}")
        expect(lobby.locator(".purse")).to_contain_text(_amount(10**7, currency))
        display = visit(f"/meter/{currency.lower()}")
        expect(display.locator(".value .hidden")).to_have_text(f"{currency}\u2009{value}")
        PICTURES.mkdir(parents=True, exist_ok=True)
        display.screenshot(path=PICTURES / f"meter-{currency}.png")
    lobby.screenshot(path=PICTURES / "lobby-currencies.png")


def _chips(page: Page) -> int:
    return int(page.locator("[data-chips]").get_attribute("data-chips") or "")


def _round(visit: Player, served: Served, currency: str) -> None:
    """A round is bought, bet and paid in the smallest coin, and moves the meter by seven of them."""
    name = currency.lower()
    page = visit(f"/table/{name}", "p2")
    page.get_by_role("button", name="Sit at box 2", exact=True).click()
    form = page.locator(".dock .buy-in")
    form.get_by_role("textbox").fill(f"{CHIPS[currency]}5" if CURRENCIES[currency] else "10001.5")
    expect(form.get_by_role("button", name="Buy in")).to_have_attribute("aria-disabled", "true")
    form.get_by_role("textbox").fill(CHIPS[currency])
    form.get_by_role("button", name="Buy in").click()
    expect(page.locator("[data-chips]")).to_have_attribute("data-chips", "10001")
    expect(page.locator("[data-chips]")).to_contain_text(_amount(10_001, currency))
    page.locator(".chip-button").nth(3 if currency == "JPY" else 0).click()  # a hundred coins
    page.screenshot(path=PICTURES / f"table-{currency}.png")
    page.get_by_role("button", name="Place ante").click()
    expect(page.get_by_text("Your ante is")).to_be_visible()
    act(page, "side-bet").click()
    expect(page.locator(".box.mine .side.on")).to_be_visible()
    say_ready(page)
    look(page)
    act(page, "bet").click()
    told = page.locator("[data-result]")
    expect(told).to_be_visible()
    net = _units(told.get_attribute("data-result") or "", currency)
    assert _chips(page) == 10_001 + net
    with served.person("max") as manager:
        record = manager._http.get(f"/api/meters/{name}").json()
    assert _units(record["view"]["value"], currency) == 1_234_567 + 7  # seventy per cent of the stake of ten
    staff = visit(f"/meters/{name}", "max")
    expect(staff.locator(".shows")).to_contain_text(_amount(1_234_574, currency))
    expect(staff.locator(".identity tfoot td").first).to_have_text(_amount(1_234_575, currency).split("\u2009")[1])
    staff.screenshot(path=PICTURES / f"manager-{currency}.png")


def test_lobby_rounds_pit_and_day_count_in_each_currency(visit: Player, served: Served) -> None:
    """One after the other: each goes on from what the one before has moved."""
    _meters(visit)
    for currency in CURRENCIES:
        _round(visit, served, currency)
    with served.person("sam") as supervisor:
        supervisor.ask(w.Fill(table="kwd", amount=1234))
    pit = visit("/pit", "fay")
    expect(pit.locator(".waits")).to_contain_text("KWD\u20091.234")
    for currency in CURRENCIES:
        shown = pit.locator(f'.totals a[href="/meters/{currency.lower()}"]')
        expect(shown).to_contain_text(_amount(1_234_574, currency))
    with served.person("cas") as cashier:
        cashier.ask(w.Approve(number=7))
    with served.person("eve") as executive:
        executive.ask(w.CloseDay(day=DAY))
        report = executive._http.get(f"/api/days/{DAY}").json()
    day = visit(f"/audit/day/{DAY}", "aud")
    played = [row for row in report["tables"] if row["rounds"]]
    assert {row["currency"] for row in played} == set(CURRENCIES)
    for column, row in enumerate(played):
        currency = row["currency"]
        cell = day.locator('[data-row="handle"] td').nth(column)
        expect(cell).to_have_text(_amount(_units(row["handle"], currency), currency))
    for row in report["meters"]:
        shown = day.locator("table.list tr", has=day.get_by_role("rowheader", name=row["meter"])).locator("td")
        expect(shown).to_have_text(_amount(_units(row["liability"], row["currency"]), row["currency"]))
    day.screenshot(path=PICTURES / "day-currencies.png", full_page=True)


def test_a_table_put_up_from_the_pit_has_its_limits_in_the_currency_of_its_book(visit: Player, served: Served) -> None:
    pit = visit("/pit", "fay")
    pit.locator(".new-table summary").click()
    for field, text in {"table": "jpy-2", "name": "Yen", "least": "500.5", "most": "5000"}.items():
        pit.locator(f'.new-table [name="{field}"]').fill(text)
    pit.locator(".new-table select").first.select_option("jpy-stud")
    put = pit.locator('.new-table button[type="submit"]')
    expect(put).to_have_attribute("aria-disabled", "true")  # there is no half of a yen
    pit.locator('.new-table [name="least"]').fill("500")
    put.click()
    row = pit.locator("table tr", has_text="Yen").first
    expect(row).to_contain_text("JPY\u2009500")
    expect(row).to_contain_text("JPY\u20095,000")
