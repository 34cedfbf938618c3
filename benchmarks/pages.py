"""The pages in a browser: the size of the first one, the time until it can be used, and an act shown on 200 of them.

Some of the 200 are pages in a real Chromium, where an act counts once it is drawn. The others are connections that read
what a page would. House, browser and connections share the cores of the machine.

python -m benchmarks.pages
"""

import asyncio
import statistics
import tempfile
import time
import uuid
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright

from aceking.house.floor import requests as w
from aceking.web.sessions import COOKIE
from benchmarks import crowd as people
from benchmarks.limits import at_most, note, summary
from tests.pages.browser import MISSING, chromium, flags

PAGES = 8  # in the browser, of 200
EVENTS = 40
VISITS = 5
#: Records when an element first appears, in milliseconds since the visit began.
_FIRST = """new MutationObserver((_, self) => {
  if (!document.querySelector("SELECTOR")) return;
  self.disconnect();
  requestAnimationFrame(() => (window.there = performance.now()));
}).observe(document, {childList: true, subtree: true});"""
#: Records when the player's chips were drawn, by the machine's clock.
_DRAWN = """() => {
  window.drawn = {};
  const chips = document.querySelector("[data-chips]");
  new MutationObserver(() => (window.drawn[chips.dataset.chips] = performance.timeOrigin + performance.now()))
    .observe(chips, {attributes: true, attributeFilter: ["data-chips"]});
  return Number(chips.dataset.chips);
}"""
_WEIGHT = """() => performance.getEntriesByType("resource").filter((one) => !one.name.includes("/cards/"))
  .reduce((all, one) => all + (one.encodedBodySize || 0), 0)"""


async def first_visits(browser: Browser, address: str, path: str, there: str) -> tuple[float, float]:
    """Return the seconds until a new visitor can use a page, and its size in kilobytes."""
    took, weight = [], 0.0
    for _ in range(VISITS):
        context = await browser.new_context()
        await context.add_init_script(_FIRST.replace("SELECTOR", there))
        page = await context.new_page()
        await page.goto(address + path)
        await page.wait_for_function("() => window.there")
        took.append(await page.evaluate("() => window.there") / 1000)
        weight = await page.evaluate(_WEIGHT) / 1000
        await context.close()
    return statistics.median(took), weight


async def act_on_all(browser: Browser, server: people.Server, address: str, tokens: dict[str, str]) -> None:
    """Let one player act repeatedly: their pages draw it, and all other connections receive it."""
    actor, table, _ = next(people.FULL.places())
    watching = people.PLAYERS[1 : 1 + len(people.PLAYERS) - PAGES]
    eyes, hand, sockets = [people.Eye(table) for _ in watching], people.Eye(table), []
    for eye, player in zip(eyes, watching, strict=True):
        sockets.append(await people.connect(server, eye.hears, tokens[player]))
        sockets[-1].send({"is": "watch", "table": table})
    context = await browser.new_context()
    await context.add_cookies([{"name": COOKIE, "value": tokens[actor], "url": address}])
    pages, chips = list[Page](), 0
    for _ in range(PAGES):
        page = await context.new_page()
        await page.goto(f"{address}/table/{table}")
        await page.wait_for_selector("[data-chips]", state="attached")
        chips = await page.evaluate(_DRAWN)
        pages.append(page)
    asking = await people.connect(server, hand.hears, tokens[actor])
    heard, drawn = [], []
    for number in range(1, EVENTS + 1):
        await asyncio.sleep(0.2)
        began, moment = time.perf_counter(), time.time() * 1000
        asking.send({"is": "ask", "id": uuid.uuid4().hex, "wish": w.BuyIn(table=table, amount=100)})
        _, version = await asyncio.wait_for(hand.answers.get(), 10)
        heard += [1000 * (await eye.sees(version) - began) for eye in eyes]
        shown = f"() => window.drawn[{chips + 100 * number}]"
        drawn += [await (await page.wait_for_function(shown)).json_value() - moment for page in pages]
    for socket in (asking, *sockets):
        socket.close()
    await context.close()
    at_most(f"an act drawn by {len(pages)} pages in a browser", statistics.median(drawn), "ms", 100)
    at_most(f"the same heard by {len(eyes)} other connections", statistics.median(heard), "ms", 100)


async def measured(server: people.Server, tokens: dict[str, str]) -> None:
    """Run all parts in one browser."""
    program = chromium()
    if program is None:
        raise SystemExit(MISSING)
    address = f"http://{server.host}:{server.port}"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=flags())
        lobby, weight = await first_visits(browser, address, "/", ".row")
        at_most("the first page, without cards", weight, "KB", 200)
        at_most("the first page can be used, on loopback", lobby, "s", 1)
        table, weight = await first_visits(browser, address, "/table/t0", ".box")
        note("a table, without cards", weight, "KB")
        at_most("a table can be used, on loopback", table, "s", 1)
        await act_on_all(browser, server, address, tokens)
        await browser.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        url = f"sqlite:///{name}/house.db"
        tokens = people.make_house(url)
        with people.served(url, Path(name)) as server:
            asyncio.run(measured(server, tokens))
    summary()


if __name__ == "__main__":
    main()
