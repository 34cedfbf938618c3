"""The pit in a real Chromium: what waits, rulings with their reason, fills by two persons, tables that come and go."""

import json

import pytest
from playwright.sync_api import expect

from aceking.client import House
from aceking.house.floor import requests as w
from tests.pages.conftest import Player
from tests.web.running import LiveTable
from tests.web.served import Served

pytestmark = pytest.mark.proof


def test_what_is_due_of_the_house_is_done_from_the_pit_and_shows_at_once_to_others(
    visit: Player, served: Served
) -> None:
    executive, floor = visit("/pit", "eve"), visit("/pit", "fay")
    mine = executive.locator('[data-due-at="pit-live"]')
    expect(mine).to_contain_text("Display the notices")
    theirs = floor.locator('[data-due-at="pit-live"]')
    expect(theirs).to_contain_text("For the house, not for you")
    for told in ("Display the notices", "Bring a deck", "Set the table up", "Open the table"):
        expect(mine).to_contain_text(told)
        mine.get_by_role("button", name=told).click()
    expect(theirs).not_to_contain_text("Open the table")
    row = executive.locator('[data-table="pit-live"]')
    expect(row).to_contain_text("between rounds")


def test_a_question_is_answered_with_a_reason_by_who_has_the_rank(visit: Player, served: Served) -> None:
    with served.person("deb") as dealer:
        dealer.ask(w.TableAct(table="pit-ruling", act={"do": "report", "mishap": "dispute"}))
    page = visit("/pit", "sam")
    expect(page.locator("#pit-title")).to_have_text("One thing holds a table")
    card = page.locator("article", has_text="pit-ruling").first
    answer = card.locator("[data-then]").first
    expect(answer).to_have_attribute("aria-disabled", "true")
    card.get_by_label("Reason, for the record").fill("looked at the cameras")
    answer.click()
    expect(page.locator("#pit-title")).to_have_text("Nothing holds a table")


def _until(live: LiveTable, act: str) -> None:
    """What is due is done, and player 1 antes at box 2 with a chip on the side, until this is due."""
    live.seat("p1", 2, cash=100_000)
    for _ in range(150):
        due = live.console(live.staff[0]).get("due")
        if due is not None and due["do"] == act:
            return
        if live.step() in (None, "bets-opened"):
            for do, told in (("ante", {"amount": 1000}), ("side-bet", {"amount": 100})):
                if do in {one["offer"]["do"] for one in live.console(live.staff[0])["entries"]}:
                    live.enter(do, 2, **told)
    raise AssertionError(f"{act} never came: {live.done}")


@pytest.mark.parametrize(
    ("table", "act", "mishap", "what", "was", "who"),
    [
        ("pit-light", "lock-out", "unlit-chip", "light", "no", "sam"),
        ("pit-look", "go-ahead", "early-pick-up", "look", "yes", "eve"),
    ],
)
def test_a_look_or_a_light_of_the_record_is_corrected_from_the_pit(
    visit: Player, served: Served, table: str, act: str, mishap: str, what: str, was: str, who: str
) -> None:
    with served.person("deb") as dealer, served.person("fay") as floor, served.person("eve") as executive:
        _until(LiveTable(table, [dealer, floor, executive]), act)
        dealer.ask(w.TableAct(table=table, act={"do": "report", "mishap": mishap, "boxes": [2]}))
        [question] = dealer.table(table).rail.common.questions
    assert question.record  # the record says otherwise
    page = visit("/pit", who)
    card = page.locator("article", has_text=table).first
    card.get_by_label("Reason, for the record").fill("the camera has it")
    card.locator('[data-then="correct-record"]').click()
    card.locator('[name="what"]').select_option(what)
    send = card.get_by_role("button", name="Correct the record")
    expect(send).to_have_attribute("aria-disabled", "true")
    card.locator('[name="where"]').select_option("2")
    card.locator('[name="was"]').select_option(was)
    send.click()
    expect(page.locator(f'article[data-question="{question.question}"]', has_text=table)).to_have_count(0)
    with served.person("aud") as auditor:
        events = [
            event
            for entry in auditor._http.get("/api/log?after=0&most=1000").json()
            for part in json.loads(entry["body"]).get("parts", ())
            if part["stream"] == f"table/{table}"
            for event in part["events"]
        ]
    [corrected] = [one for one in events if one["is"] == "corrected"]
    assert corrected["now"] == {"what": what, "box": 2, "lit" if what == "light" else "seen": was == "yes"}
    assert (corrected["by"], corrected["reason"]) == (who, "the camera has it")
    assert [one["mishap"] for one in events if one["is"] == "ruled"] == [mishap]


def test_a_fill_is_asked_by_one_and_confirmed_by_another(visit: Player, served: Served) -> None:
    page = visit("/pit", "sam")
    page.locator('[data-table="rws"] button').click()
    manage = page.locator('[data-manage="rws"]')
    expect(manage).to_contain_text("S$50,000.00")
    manage.get_by_label("Chips from the cage, SGD").fill("250")
    manage.get_by_role("button", name="Ask for a fill").click()
    waits = page.locator("[data-waiting]", has_text="Fill rws: S$250.00")
    expect(waits).to_contain_text("You asked; another confirms.")
    expect(waits.get_by_role("button", name="Agree")).to_have_count(0)
    number = waits.get_attribute("data-waiting")
    with served.person("cas") as cashier:
        cashier._http.post(
            "/api/ask",
            json={"id": f"fill-{number}-confirmed", "wish": {"ask": "approve", "number": int(number or 0)}},
            headers={"x-csrftoken": cashier._http.cookies["csrftoken"]},
        )
    expect(manage).to_contain_text("S$50,250.00")
    expect(waits).to_have_count(0)


def test_a_table_is_put_up_closed_and_left_open(visit: Player, served: Served) -> None:
    page = visit("/pit", "fay")
    page.locator(".new-table summary").click()
    form = page.locator(".new-table form")
    form.locator('[name="table"]').fill("fresh")
    form.locator('[name="name"]').fill("Fresh one")
    form.get_by_label("Rule book").select_option("washington")
    form.get_by_role("button", name="Put it on the floor").click()
    row = page.locator('[data-table="fresh"]')
    expect(row).to_contain_text("Fresh one")
    row.get_by_role("button").click()
    page.locator('[data-manage="fresh"] [data-act="close-table"]').click()
    expect(row).to_have_count(0)  # nothing was in play
    page.locator('[data-table="pit-live"] button').click()
    manage = page.locator('[data-manage="pit-live"]')
    manage.get_by_label("Name of the dealer").fill("p1")
    manage.get_by_role("button", name="Assign the dealer").click()
    expect(manage.locator(".refusal")).to_contain_text("p1 cannot act as dealer")
    manage.get_by_label("Name of the dealer").fill("deb")
    manage.get_by_role("button", name="Assign the dealer").click()
    expect(page.locator('[data-table="pit-live"]')).to_contain_text("deb")


def test_the_pit_is_not_for_players(visit: Player, served: Served) -> None:
    page = visit("/pit", "p4")
    expect(page.locator("main")).to_contain_text("for the people who run the table")
    with House(served.address) as nobody:
        assert nobody._http.get("/api/pit").status_code == 401
