"""The dealer's console in a real Chromium: a round by keys, something wrong, record and claim."""

import pytest
from playwright.sync_api import expect

from aceking.cards.card import CardId, name
from aceking.client import House
from tests.pages.conftest import Player
from tests.pages.deal import Dealer
from tests.web.served import Served


def test_a_round_of_a_live_table_by_keys_from_the_first_notice_to_the_rack(visit: Player, served: Served) -> None:
    dealer = Dealer(visit("/dealer/deal-keys", "deb"), served, "deal-keys")
    dealer.begin("p1", 2)
    dealer.until("go-ahead")
    dealer.once()
    expect(dealer.page.locator(".next")).to_contain_text("The players act now")
    dealer.enter("look", 2)
    dealer.enter("bet", 2)
    expect(dealer.page.locator('[data-box="2"] em')).to_have_text("bet")
    dealer.page.keyboard.press("Escape")
    expect(dealer.page.locator('[data-due="reveal"]')).to_be_visible()
    dealer.until("round-ended")
    dealer.once()
    # A pair of aces beats a pair of tens, which qualifies.
    expect(dealer.page.locator('[data-box="2"] em')).to_have_text("+S$30")
    with served.person("p1") as ann:
        view = ann.table("deal-keys").rail
        assert (view.common.phase, view.chips["p1"]) == ("done", "530")
    steps = dealer.page.locator(".steps li")
    expect(steps).to_have_count(0)  # of the round that is over


@pytest.mark.proof
def test_an_exchange_of_several_cards_is_entered_by_keys_at_its_price(visit: Player, served: Served) -> None:
    page = visit("/dealer/deal-several", "deb")
    dealer = Dealer(page, served, "deal-several")
    dealer.begin("p1", 2)
    while dealer.due:  # until the players act
        dealer.once()
    dealer.enter("look", 2)
    exchange = page.locator('.entries [data-act^="entry/exchange/"]')
    expect(exchange).to_have_attribute("aria-disabled", "true")
    with served.person("p1") as ann:
        [hand] = ann.table("deal-several").own.boxes
        held = [one for one in hand.cards if one is not None]
        assert len(held) == 5
        for count, price in ((1, "10"), (2, "20"), (3, "30"), (4, "20"), (5, "10")):
            for key in held[count - 1]:
                page.keyboard.press(key)
            expect(page.locator(".entries .entered img")).to_have_count(count)
            expect(exchange).to_contain_text(f"€{price}")
        for count in (4, 3):
            page.keyboard.press("Backspace")
            expect(page.locator(".entries .entered img")).to_have_count(count)
        page.keyboard.press("x")
        expect(exchange).to_contain_text("3 cards to go")
        new = [name(CardId(dealer.cards.pop(0))) for _ in range(3)]
        for count, came in enumerate(new, start=1):
            for key in came:
                page.keyboard.press(key)
            expect(page.locator(".entries .entered img")).to_have_count(count)
        page.keyboard.press("Enter")
        expect(page.locator('[data-box="2"]')).to_contain_text("€30")
        [hand] = ann.table("deal-several").own.boxes
        assert set(hand.cards) == {*held[3:], *new}
    dealer.enter("bet", 2)
    expect(page.locator('[data-box="2"] em')).to_have_text("bet")
    page.keyboard.press("Escape")
    expect(page.locator('[data-due="reveal"]')).to_be_visible()
    dealer.until("round-ended")
    dealer.once()
    expect(page.locator('[data-box="2"] em')).to_contain_text("€")


@pytest.mark.proof
def test_a_side_wager_by_name_is_entered_with_the_stake_that_lies_there(visit: Player, served: Served) -> None:
    page = visit("/dealer/deal-named", "deb")
    dealer = Dealer(page, served, "deal-named")
    dealer.begin("p2", 3)
    page.locator('[data-box="3"]').click()
    stake = page.locator('[data-stake="five-plus-one"]')
    stake.fill("101")
    stake.press("Enter")
    expect(page.locator(".entries .refusal")).to_contain_text("100")
    stake.fill("7.5")
    stake.press("Enter")
    expect(page.locator('[data-box="3"]')).to_contain_text("$7.50")


@pytest.mark.proof
def test_something_wrong_leads_through_the_book_to_its_ruling_and_the_stakes_go_back(
    visit: Player, served: Served
) -> None:
    page = visit("/dealer/deal-wrong", "deb")
    dealer = Dealer(page, served, "deal-wrong")
    for box, player in ((2, "p1"), (4, "p2")):
        dealer.seat(player, box)
        page.keyboard.press("Escape")
    dealer.until("bets-opened")
    dealer.once()
    for box, amount in ((2, 10), (4, 25)):
        page.locator(f'[data-box="{box}"]').click()
        dealer.ante(box, amount)
    dealer.until("go-ahead")
    # What the record refutes becomes a question, with record and claim side by side, and nothing moves.
    page.locator('[data-mishap="player-miscount"]').click()
    page.locator(".report .toggle", has_text="2").click()
    expect(page.locator(".verdict .differ")).to_contain_text("box 2 has 5 cards")
    expect(page.locator(".verdict .differ")).to_contain_text("deb reports player miscount")
    page.keyboard.press("Escape")
    # A hole card of the dealer was seen: the book voids the round, and says what goes back to whom.
    page.locator('[data-mishap="hole-card-exposed"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_contain_text("The round is void")
    expect(page.locator("[data-returned]")).to_have_attribute("data-returned", "3500")
    page.locator(".verdict .clause").first.click()
    expect(page.locator(".sheet blockquote")).not_to_be_empty()
    page.locator(".sheet .plain-button").click()
    page.locator('[data-act="report"]').click()
    expect(page.locator(".next")).to_contain_text("Reported. It is on the record.")
    with House(served.address) as anybody:
        view = anybody.table("deal-wrong").rail
        assert view.common.phase == "void"
        assert view.chips == {"p1": "500", "p2": "500"}


@pytest.mark.proof
def test_a_report_that_is_tried_out_leaves_no_trace(visit: Player, served: Served) -> None:
    page = visit("/dealer/deal-claim", "deb")
    expect(page.locator("[data-due]")).to_be_visible()
    with served.person("aud") as auditor:
        before = auditor._http.get("/api/log?after=0&most=1000").json()[-1]["seq"]
        page.locator('[data-mishap="dispute"]').click()
        expect(page.locator(".verdict")).to_be_visible()
        page.locator('[data-act="never-mind"]').click()
        log = auditor._http.get(f"/api/log?after={before}&most=100").json()
    assert not [one for one in log if "dispute" in one["body"]]


@pytest.mark.proof
def test_the_console_is_for_those_who_run_the_table(visit: Player) -> None:
    page = visit("/dealer/deal-claim", "p4")
    expect(page.locator("main")).to_contain_text("for the people who run the table")
    expect(page.locator("[data-due]")).to_have_count(0)
