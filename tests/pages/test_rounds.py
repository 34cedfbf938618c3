"""Rounds on the page in a real Chromium: of each game, by clicks, to the payment, and what may go wrong on the way."""

import pytest
from playwright.sync_api import Page, expect

from aceking.client import House
from aceking.rules.reading.load import load_book
from tests.pages.conftest import Player
from tests.pages.house import BOOKS, CHOSEN, NAMED
from tests.pages.play import act, bet_ante, chips, look, press, result, say_ready, settled, take_place
from tests.web.served import Served


@pytest.mark.parametrize("name", BOOKS)
def test_a_round_of_each_game_by_clicks_to_its_payment(visit: Player, served: Served, name: str) -> None:
    book = load_book(name)
    page = visit(f"/table/{name}", "p1")
    take_place(page, 2)
    bet_ante(page)
    side = act(page, "side-bet")
    expect(side).to_be_visible()
    side.click()
    expect(page.locator(".box.mine .side.on")).to_be_visible()
    say_ready(page)
    look(page)
    if book.exchange is not None:
        expect(act(page, "exchange")).to_have_attribute("aria-disabled", "true")
        page.locator(".own .card").first.click()
        act(page, "exchange").click()
        expect(act(page, "exchange")).to_have_count(0)
        expect(page.locator(".box.mine .spot.exchange .sum")).to_be_visible()
    if book.hands.discards:
        expect(act(page, "bet")).to_have_attribute("aria-disabled", "true")
        page.locator(".own .card").first.click()
    act(page, "bet").click()
    net = result(page)
    lines = page.locator(".panel > .lines")
    assert net == round(float(lines.locator("[data-net]").get_attribute("data-net") or "") * 100)
    with House(served.address) as anybody:  # a second log-in of the player would end the page's session
        view = anybody.table(name).rail
        [box] = view.common.boxes
        assert round(float(box.net or "") * 100) == net
        # The cards are random: an award of the meter for a flush or better waits until somebody signs it.
        of_meter = sum(round(float(line.pays) * 100) for line in box.lines if line.wager == "side")
        assert 50_000 + net - chips(page) in (0, of_meter)
        rows = lines.locator("tbody tr")
        expect(rows).to_have_count(len(box.lines))
        for number, line in enumerate(box.lines):
            rows.nth(number).locator(".clause").click()
            expect(page.locator(".sheet blockquote")).to_have_text(book.clauses[line.clause].says)
            page.keyboard.press("Escape")
            expect(rows.nth(number).locator(".clause")).to_be_focused()
    expect(page.locator(".shuffle [data-checked]")).to_have_attribute("data-checked", "true")
    history = page.locator(".history details").first
    history.locator("summary").click()
    history.get_by_role("button", name="Next act").click()
    expect(history.locator(".story li")).to_have_count(2)


@pytest.mark.proof
def test_several_cards_are_picked_and_given_at_once_at_their_price(visit: Player) -> None:
    page = visit("/table/oasis", "p1")
    expect(page.locator('[data-returns="none"]')).to_contain_text("What this game returns is not counted")
    take_place(page, 2)
    bet_ante(page)
    say_ready(page)
    look(page)
    cards, exchange = page.locator(".own .card"), act(page, "exchange")
    expect(exchange).to_have_attribute("aria-disabled", "true")
    for place in (3, 0, 1, 3):  # the last one is put back
        cards.nth(place).click()
    expect(page.locator(".own .card.picked")).to_have_count(2)
    expect(exchange).to_have_count(1)
    expect(exchange).to_contain_text("20")
    given = [name for name in (cards.nth(place).get_attribute("aria-label") for place in (0, 1)) if name]
    exchange.click()
    expect(exchange).to_have_count(0)
    expect(page.locator(".box.mine .spot.exchange .sum")).to_contain_text("20")
    assert not {cards.nth(place).get_attribute("aria-label") for place in range(5)} & set(given)
    act(page, "fold").click()
    assert result(page) == -(1000 + 2000)


@pytest.mark.proof
def test_a_card_is_bought_for_a_dealer_without_a_hand(visit: Player) -> None:
    page = visit("/table/russian", "p2")
    take_place(page, 2, chips=2000)
    buy = page.locator('.dock [data-act^="buy-dealer-card/"]')
    for number in range(20):
        bet_ante(page, fives=0 if number else 2)  # the page proposes what was staked before
        say_ready(page)
        look(page)
        act(page, "bet").click()
        expect(buy.first.or_(page.locator("[data-result]"))).to_be_visible()
        if buy.count():
            break
    expect(buy).to_have_count(2)
    buy.first.click()
    expect(page.locator(".panel > .lines")).to_contain_text("dealer's card")


@pytest.mark.proof
def test_two_players_see_each_others_acts_and_not_each_others_cards(visit: Player) -> None:
    ann, ben = visit("/table/pair", "p2"), visit("/table/pair", "p3")
    take_place(ann, 4)
    expect(ben.locator(".box.other .who b", has_text="p2")).to_be_visible()
    take_place(ben, 5)
    bet_ante(ann, fives=3)
    expect(ben.locator(".box.other .spot.ante .sum")).to_have_text("ante S$15")
    bet_ante(ben)
    say_ready(ann)
    say_ready(ben)
    look(ann)
    expect(ben.locator(".box.other .small-card")).to_have_count(5)
    expect(ben.locator(".box.other .small-card:not(.down)")).to_have_count(0)
    act(ann, "fold").click()
    expect(ben.locator(".box.other .who", has_text="folded")).to_be_visible()
    look(ben)
    act(ben, "fold").click()
    assert (result(ann), result(ben)) == (-1500, -1000)


@pytest.mark.proof
def test_a_double_click_bets_once(visit: Player, served: Served) -> None:
    page = visit("/table/double", "p4")
    take_place(page, 3)
    page.locator(".chip-button").nth(1).dblclick()
    page.get_by_role("button", name="Place ante").dblclick()
    expect(page.get_by_text("Your ante is $10")).to_be_visible()
    act(page, "side-bet").dblclick()
    expect(page.locator(".box.mine .side.on")).to_be_visible()
    page.wait_for_timeout(300)
    with served.person("aud") as auditor:
        [box] = [one for one in auditor.table("double").rail.common.boxes if one.box == 3]
        assert (box.ante, [one.stake for one in box.sides]) == ("10", ["1"])
    assert chips(page) == 48_900


@pytest.mark.proof
def test_a_refusal_stands_next_to_what_was_clicked_with_its_clause(visit: Player) -> None:
    page = visit("/table/refusal", "p4")
    take_place(page, 6)
    page.get_by_role("button", name="Sit at box 7", exact=True).click()
    bet_ante(page)
    page.locator("summary", has_text="Your chips").click()
    page.get_by_role("button", name="Leave box 6").click()
    told = page.locator(".leave", has_text="Leave box 6").locator("+ .refusal")
    expect(told).to_be_visible()
    told.locator(".clause").click()
    expect(page.locator(".sheet h2")).to_contain_text("HOUSE-seat")
    expect(page.locator(".sheet blockquote")).to_contain_text("A box is taken by one player")


@pytest.mark.proof
def test_a_player_chooses_how_much_to_bet_by_click_and_by_key(visit: Player, served: Served) -> None:
    page = visit(f"/table/{CHOSEN[0]}", "p2")
    expect(page.locator(".cloth-words")).to_contain_text("The least bet is one ante")
    take_place(page, 2)
    bet_ante(page)
    say_ready(page)
    look(page)
    bets = act(page, "bet")
    expect(bets).to_have_count(3)
    for antes in (1, 2, 3):  # each with its price, its meaning, its clause and its key
        expect(bets.nth(antes - 1)).to_contain_text(f"${10 * antes}")
        expect(bets.nth(antes - 1)).to_have_attribute("data-key", str(antes))
    assert [one.locator("b").inner_text() for one in bets.all()] == [
        f"Bet {antes}\N{MULTIPLICATION SIGN}" for antes in (1, 2, 3)
    ]
    top = {round(one["y"]) for one in [box.bounding_box() for box in page.locator(".dock .choice").all()] if one}
    assert len(top) == 1, "the four choices stand beside each other"
    bets.nth(2).dblclick()
    net = result(page)
    expect(page.locator(".box.mine .spot.bet .sum")).to_contain_text("$30")
    assert chips(page) == 50_000 + net
    with House(served.address) as anybody:
        [box] = anybody.table(CHOSEN[0]).rail.common.boxes
        assert (box.bet, box.choice) == ("30", "bet")


def _lies(page: Page, wager: str, stake: str) -> None:
    """The stake is taken, and lies on the spot of the wager."""
    expect(page.locator(f'.box.mine .side-spot.on[data-side="{wager}"]')).to_contain_text(stake)


@pytest.mark.proof
def test_side_wagers_by_name_have_spots_on_the_felt_and_take_any_stake_that_the_book_allows(
    visit: Player, served: Served
) -> None:
    page = visit(f"/table/{NAMED[0]}", "p1")
    take_place(page, 2)
    bet_ante(page)
    plus, lamp = (page.locator(f'.box.mine [data-side="{one}"]') for one in ("five-plus-one", "lantern"))
    place = page.locator('.dock [data-act^="side-bet/five-plus-one/"]')
    expect(place).to_contain_text("$1 to $100")
    plus.click()
    expect(place).to_have_attribute("aria-disabled", "true")
    expect(place).to_contain_text("At least $1")
    for chip in (2, 1, 0):
        page.locator(".chip-button").nth(chip).click()
    expect(page.locator(".chip-button").nth(3)).to_have_attribute("aria-disabled", "true")  # the book takes 100
    expect(plus).to_contain_text("$31")
    assert chips(page) == 49_000, "chips that are not placed are the player's"
    place.dblclick()
    _lies(page, "five-plus-one", "$31")
    lamp.click()
    _lies(page, "lantern", "$5")
    lamp.click()  # and back
    expect(page.locator(".box.mine .side-spot.on")).to_have_count(1)
    lamp.click()
    _lies(page, "lantern", "$5")
    assert chips(page) == 50_000 - 1000 - 3100 - 500
    say_ready(page)
    look(page)
    act(page, "bet").click()
    net = result(page)
    with House(served.address) as anybody:
        [box] = anybody.table(NAMED[0]).rail.common.boxes
        assert {one.wager: one.stake for one in box.sides} == {"five-plus-one": "31", "lantern": "5"}
        assert round(float(box.net or "") * 100) == net
        rows = page.locator(".panel > .lines tbody tr")
        expect(rows).to_have_count(len(box.lines))
        for wager, clause in (("Five plus one", "LAN-1"), ("Lantern", "LAN-2")):
            rows.filter(has_text=wager.lower()).locator(".clause").click()
            expect(page.locator(".sheet h2")).to_have_text(f"\N{SECTION SIGN} {clause}")
            page.keyboard.press("Escape")
    page.get_by_role("button", name="Same again: $10 and $36").click()
    _lies(page, "five-plus-one", "$31")
    _lies(page, "lantern", "$5")


@pytest.mark.proof
def test_side_wagers_by_name_by_the_keyboard_alone_on_a_phone(visit: Player) -> None:
    page = visit(f"/table/{NAMED[1]}", "p2", viewport={"width": 390, "height": 844}, color_scheme="dark")
    take_place(page, 1)
    row = "() => document.querySelector('.boxes-row').getBoundingClientRect().height"
    bet_ante(page)
    high = page.evaluate(row)
    spot = page.locator('[data-side="five-plus-one"]')
    group = page.get_by_role("group", name="Chips onto five plus one")
    for chip, stake in (("3", "$25"), ("2", "$5")):
        page.keyboard.press("1")
        expect(group).to_be_focused()
        page.keyboard.press(chip)
        expect(spot).to_contain_text(stake)
        if chip == "3":
            page.keyboard.press("Escape")  # not that much
            expect(group).to_have_count(0)
    page.keyboard.press("2")
    expect(spot).to_contain_text("$10")
    page.keyboard.press("Enter")
    _lies(page, "five-plus-one", "$10")
    settled(page)
    page.keyboard.press("2")
    _lies(page, "lantern", "$5")
    assert page.evaluate(row) == high, "nothing shifts"
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    page.keyboard.press("1")
    expect(page.locator(".box.mine .side-spot.on")).to_have_count(1)  # the first is taken back
    assert chips(page) == 50_000 - 1000 - 500


@pytest.mark.parametrize("antes", [1, 2])
@pytest.mark.proof
def test_a_chosen_bet_by_the_keyboard_alone(visit: Player, served: Served, antes: int) -> None:
    page = visit(f"/table/{CHOSEN[antes]}", f"p{antes + 2}")
    take_place(page, 1)
    bet_ante(page)
    page.locator("body").evaluate("() => document.activeElement.blur()")
    settled(page)
    page.keyboard.press("r")
    expect(act(page, "look")).to_be_visible()
    page.keyboard.press("l")
    expect(act(page, "bet")).to_have_count(3)
    settled(page)
    page.keyboard.press(str(antes))
    result(page)
    with House(served.address) as anybody:
        [box] = anybody.table(CHOSEN[antes]).rail.common.boxes
        assert box.bet == str(10 * antes)


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
@pytest.mark.proof
def test_nothing_shifts_through_a_round(visit: Player, size: tuple[int, int]) -> None:
    page = visit(
        f"/table/still-{size[0]}", "p4", viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce"
    )
    zones = """() => ['.dealer', '.cloth-words', '.boxes-row', '.own', '.dock'].map((one) => {
      const { top, height } = document.querySelector(one).getBoundingClientRect();
      return [one, Math.round(top), Math.round(height)];
    })"""
    take_place(page, 3)
    first = page.evaluate(zones)
    bet_ante(page)
    assert page.evaluate(zones) == first
    say_ready(page)
    expect(act(page, "look")).to_be_visible()
    assert page.evaluate(zones) == first
    look(page)
    assert page.evaluate(zones) == first
    press(page, act(page, "bet"))
    result(page)
    assert page.evaluate(zones) == first
