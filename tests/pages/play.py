"""What a player does on the page: clicks, in the words that stand there."""

from playwright.sync_api import Locator, Page, expect


def take_place(page: Page, box: int, *, chips: int = 500) -> None:
    """Sit down at a box and buy chips, in whole units."""
    page.get_by_role("button", name=f"Sit at box {box}", exact=True).click()
    form = page.locator(".dock .buy-in")
    form.get_by_role("textbox").fill(str(chips))
    form.get_by_role("button", name="Buy in").click()
    expect(page.locator("[data-chips]")).to_have_attribute("data-chips", str(chips * 100))


def bet_ante(page: Page, *, fives: int = 2) -> None:
    """Clicks chips of five onto the ante and places it."""
    for _ in range(fives):
        press(page, page.locator(".chip-button").nth(1))
    press(page, page.get_by_role("button", name="Place ante"))
    expect(page.get_by_text("Your ante is")).to_be_visible()


def act(page: Page, do: str) -> Locator:
    """Return the control that offers an act."""
    return page.locator(f'.dock [data-act^="{do}/"]')


def settled(page: Page) -> None:
    """Waits until what is offered has been there for half a second, and every choice is taken."""
    expect(page.locator(".dock .fresh")).to_have_count(0)


def press(page: Page, button: Locator) -> None:
    """Clicks a button of the dock where it stands. `Locator.click` scrolls the page while a button is not ready."""
    settled(page)
    expect(button).to_have_attribute("aria-disabled", "false")
    place = button.bounding_box()
    assert place is not None
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)


def say_ready(page: Page) -> None:
    """Say that no more time to bet is wanted."""
    press(page, page.get_by_role("button", name="Ready", exact=True))


def look(page: Page) -> None:
    """Turns the cards to oneself; where the game lays one aside, the last is picked."""
    press(page, act(page, "look"))
    expect(page.locator(".own .card.up").first).to_be_visible()


def result(page: Page) -> int:
    """What the round came to, as the dock tells it, in minor units."""
    told = page.locator("[data-result]")
    expect(told).to_be_visible()
    return round(float(told.get_attribute("data-result") or "") * 100)


def chips(page: Page) -> int:
    """What lies before the player, in minor units."""
    return int(page.locator("[data-chips]").get_attribute("data-chips") or "")
