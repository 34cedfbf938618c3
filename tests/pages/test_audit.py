"""The audit in a real Chromium: rounds found, stepped through, checked in the browser and taken along; day reports."""

import json
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from aceking.client import House
from aceking.house.floor import requests as w
from aceking.rules.reading.load import load_book
from tests.pages.conftest import Player
from tests.web.playing import Robot
from tests.web.served import Served

TABLE, ROUNDS = "again", 3
DAY = datetime.now(UTC).date().isoformat()


@pytest.fixture(scope="module")
def played(served: Served) -> Served:
    """Some rounds, and a gaming day that is over."""
    with served.person("p1") as ann:
        Robot(ann, "p1", TABLE, 3, ROUNDS).plays()
    with served.person("p2") as ben:  # at a game that is not priced
        ben.ask(w.SitRequest(table="oasis", box=1))
        ben.ask(w.BuyIn(table="oasis", amount=10_000))
    with served.person("eve") as executive:
        executive.ask(w.CloseDay(day=DAY))
    return served


def _told(served: Served, path: str) -> Any:
    with served.person("max") as manager:
        return manager._http.get(path).json()


@pytest.mark.proof
def test_rounds_are_found_by_what_one_knows_of_them(visit: Player, played: Served) -> None:
    rounds = _told(played, f"/api/audit/rounds?table={TABLE}")["rounds"]
    page = visit("/audit", "aud")
    rows = page.locator("[data-round]")
    expect(rows).to_have_count(len(rounds))
    expect(rows.first).to_have_attribute("data-round", f"{TABLE}/{ROUNDS}")
    page.locator('[name="player"]').fill("p2")
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.locator(".found .nothing")).to_have_text("No round is like that.")
    page.get_by_role("button", name="Clear").click()
    expect(rows).to_have_count(len(rounds))
    cards = rounds[1]["hands"][1]["cards"][:3]
    page.get_by_label("With these cards").fill(" ".join(cards))
    page.get_by_label("Whose").select_option("player")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Find", exact=True).click()
    expect(rows).to_have_count(1)
    expect(rows.first).to_have_attribute("data-round", f"{TABLE}/{rounds[1]['round']}")
    page.reload()  # what is looked for stands in the address
    expect(rows).to_have_count(1)
    page.get_by_label("With these cards").fill("Ax")
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.locator(".search .refusal")).to_contain_text("there is no card 'Ax'")
    page.go_back()
    expect(rows).to_have_count(1)
    rows.first.get_by_role("link").click()
    expect(page.locator(".audited h1")).to_contain_text(f"Round {rounds[1]['round']}")


def test_a_round_is_stepped_through_with_the_words_of_each_clause(visit: Player, played: Served) -> None:
    told = _told(played, f"/api/audit/rounds/{TABLE}/2")
    book = load_book("section10")
    page = visit(f"/audit/{TABLE}/2", "aud")
    acts = page.locator(".acts [data-step]")
    expect(acts).to_have_count(len(told["acts"]))
    expect(page.locator("[data-chain]")).to_have_attribute("data-chain", "true")
    expect(page.locator(".proof [data-checked]")).to_have_attribute("data-checked", "true")
    expect(page.locator(".audited .top .good")).to_contain_text("verified")
    for number, act in enumerate(told["acts"]):
        expect(page.locator("[data-at]")).to_have_attribute("data-at", str(number + 1))
        quotes = [book.clauses[one].says for one in act.get("clauses", ()) if one in book.clauses]
        if quotes:
            expect(page.locator(".proof blockquote").first).to_have_text(quotes[0])
        accounts = told["states"][act["state"]]["own"].get("accounts", {})
        layout = round(float(accounts.get("layout", "0")) * 100)
        shown = page.locator(".sums > div").nth(1).locator("dd").first.inner_text()
        assert round(float(re.sub("[^0-9.]", "", shown)) * 100) == abs(layout)
        page.keyboard.press("ArrowRight")
    expect(page.locator("#act-title")).to_contain_text("The round is over")
    paid = next(
        place for place, act in enumerate(told["acts"]) if "of the ante" in act["told"] or "The ante" in act["told"]
    )
    page.locator(f'[data-step="{paid}"] + .clause').click()
    expect(page.locator("#words-title")).to_be_focused()
    expect(page.locator("[data-at]")).to_have_attribute("data-at", str(paid + 1))


def _meddled(page: Page, path: str, change: Any) -> None:
    """Somebody between house and reader changes what is told."""

    def between(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        change(told)
        route.fulfill(response=answer, body=json.dumps(told))

    page.route(re.compile(f"{path}$"), between)


@pytest.mark.proof
def test_the_browser_finds_what_was_changed_and_says_where(visit: Player, played: Served) -> None:
    page = visit(f"/audit/{TABLE}/1", "aud")
    expect(page.locator("[data-chain]")).to_have_attribute("data-chain", "true")
    entries = page.evaluate(f"async () => (await fetch('/api/audit/rounds/{TABLE}/1/chain')).json()")
    middle = len(entries) // 2

    def body(told: Any) -> None:
        told[middle]["body"] = told[middle]["body"].replace('"by":"p1"', '"by":"p2"')

    _meddled(page, f"/{TABLE}/1/chain", body)
    page.reload()
    wrong = page.locator('[data-chain="false"]')
    expect(wrong).to_have_attribute("data-entry", str(entries[middle]["seq"]))
    expect(wrong).to_contain_text("its hash is not that of what it says")
    expect(page.locator(".audited .top .bad")).to_have_text("does not hold")
    expect(page.locator(".acts .wrong-act")).to_have_count(1)
    page.unroute_all()

    def act(told: Any) -> None:
        staked = next(one for one in told["acts"] if one["event"]["is"] == "staked")
        staked["event"]["amount"] *= 2

    _meddled(page, f"/api/audit/rounds/{TABLE}/1", act)
    page.reload()
    expect(wrong).to_contain_text("which is said to have it")
    page.unroute_all()

    def card(told: Any) -> None:
        told["sequence"][0], told["sequence"][1] = told["sequence"][1], told["sequence"][0]

    _meddled(page, f"/api/audit/rounds/{TABLE}/1", card)
    page.reload()
    expect(page.locator(".proof [data-checked]")).to_have_attribute("data-checked", "false")


@pytest.mark.proof
def test_the_file_of_a_round_is_taken_along_and_verifies_without_the_house(
    visit: Player, played: Served, tmp_path: Path
) -> None:
    page = visit(f"/audit/{TABLE}/{ROUNDS}", "aud")
    with page.expect_download() as coming:
        page.get_by_role("link", name="Take the file").click()
    command = page.locator(".take code").inner_text().split()
    taken = tmp_path / coming.value.suggested_filename
    coming.value.save_as(taken)
    assert command[:3] == ["aceking", "verify", taken.name]
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, timeout=200, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Everything holds" in done.stdout
    assert f"round: {TABLE}/{ROUNDS}" in done.stdout


@pytest.mark.proof
def test_a_day_has_its_report_to_read_to_print_and_to_take_along(visit: Player, played: Served) -> None:
    page = visit("/audit", "aud")
    row = page.locator(f'[data-day="{DAY}"]')
    expect(row).to_contain_text("eve")
    with page.expect_download() as coming:
        row.get_by_role("link", name="Tables").click()
    assert Path(coming.value.path()).read_text().startswith("day,table,book")
    page.locator('[name="day"]').fill(DAY)
    page.get_by_role("button", name="Close the day").click()
    expect(page.locator(".days .refusal")).to_contain_text("HOUSE-day")  # a second time
    row.get_by_role("link", name=DAY).click()
    report = _told(played, f"/api/days/{DAY}")
    shown = [one for one in report["tables"] if one["rounds"] or float(one["drop"])]
    index = [one["table"] for one in shown].index(TABLE)
    cells = page.locator('[data-row="rounds"] td')
    expect(cells).to_have_count(len(shown))
    expect(cells.nth(index)).to_have_text(str(ROUNDS))
    expect(page.locator('[data-row="expected_win"] td').nth(index)).to_contain_text(
        shown[index]["expected_win"].lstrip("-")
    )
    unpriced = [one["table"] for one in shown].index("oasis")
    expect(page.locator('[data-row="expected_win"] td').nth(unpriced)).to_have_text("not counted")
    expect(page.locator('[data-row="hold_of_handle"] td').nth(unpriced)).to_have_text("nothing to divide by")
    expect(page.locator(".signed")).to_contain_text("Signature")


@pytest.mark.proof
def test_the_audit_is_for_those_who_may_and_the_log_for_the_auditor(visit: Player, played: Served) -> None:
    page = visit("/audit", "p4")
    expect(page.locator("main")).to_contain_text("Records are for the auditor")
    page = visit(f"/audit/{TABLE}/1", "sam")
    expect(page.locator(".chain")).to_contain_text("The log itself is for the auditor")
    expect(page.get_by_role("link", name="Take the file")).to_have_count(0)
    page = visit(f"/audit/{TABLE}/999", "aud")
    expect(page.locator(".refusal")).to_contain_text("is not over, or does not exist")
    with House(played.address) as nobody:
        assert nobody._http.get("/api/audit/rounds").status_code == 401
