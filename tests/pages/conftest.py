"""One served house and one Chromium for the tests of the pages."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.gears import run_seed
from tests.pages.browser import MISSING, chromium, flags
from tests.pages.house import requests
from tests.web.seeded import SEEDS
from tests.web.served import PASSWORD, Served, copied, founded

#: A machine with other work is slow; nothing here is measured by it.
PATIENCE_MS = float(os.environ.get("PAGES_TIMEOUT_MS", "120000"))
#: How late every answer comes but those of the socket: what two answers show together is then seen apart.
LATENCY_MS = float(os.environ.get("PAGES_LATENCY_MS", "0"))
#: How many times slower the browser's processor is than this one.
SLOWER = float(os.environ.get("PAGES_SLOWER", "1"))
expect.set_options(timeout=PATIENCE_MS)
#: A page that does what the policy forbids says so in its console, where every test hears it.
POLICY_EAR = """addEventListener("securitypolicyviolation", (event) =>
  console.error(`forbidden by the policy: ${event.violatedDirective} ${event.blockedURI}`));"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real Chromium. Playwright keeps a loop in this thread: it is closed before another module runs its own."""
    program = chromium()
    if program is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=flags())
        yield found
        found.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a house with a table of each book; its clocks leave all the time that a test wants."""
    file = tmp_path_factory.mktemp("founded") / "house.db"
    before = SEEDS.seed
    SEEDS.plant(f"{run_seed(proof=False)}/pages")  # whichever test is first
    with ThreadPoolExecutor(1) as apart:  # this thread may have the loop of the browser
        apart.submit(founded, f"sqlite:///{file}", *requests(), quick=True).result()
    SEEDS.plant(before)
    return file


@pytest.fixture(scope="module")
def served(house: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The house as it was founded, served to the tests of a module."""
    folder = tmp_path_factory.mktemp("house")
    one = Served(copied(house, folder), folder).start()
    yield one
    if one.process.poll() is None:
        one.stop()


Player = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, served: Served) -> Iterator[Player]:
    """Opens a page as somebody, or as nobody; whatever the page says to the console is a fault."""
    opened = []
    faults: list[str] = []

    def go(path: str, name: str | None = None, **how: object) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, "locale": "en-US", **how})  # type: ignore[arg-type]
        opened.append(context)
        context.add_init_script(POLICY_EAR)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        devices = context.new_cdp_session(page)
        if LATENCY_MS:
            late = {"offline": False, "latency": LATENCY_MS, "downloadThroughput": -1, "uploadThroughput": -1}
            devices.send("Network.emulateNetworkConditions", late)
        if SLOWER > 1:
            devices.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda told: faults.extend(_faults(told)))
        if name is not None:
            log_in(context, served, name)
        page.goto(f"{served.address}{path}")
        expect(page.locator("main").first).to_be_visible()
        return page

    yield go
    for context in opened:
        context.close()
    assert faults == []


def log_in(context: BrowserContext, served: Served, name: str) -> None:
    """As the page of the log-in does, without that page: it has tests of its own."""
    context.request.get(f"{served.address}/health")
    [token] = [one["value"] for one in context.cookies() if one["name"] == "csrftoken"]
    said = {"name": name, "password": PASSWORD}
    reply = context.request.post(f"{served.address}/api/login", data=said, headers={"x-csrftoken": token})
    assert reply.ok, reply.text()


def _faults(told: ConsoleMessage) -> list[str]:
    """What a breach of the policy or a broken script says; a request that the house refuses, or a house that is gone,
    is no fault of the page."""
    harmless = "Failed to load resource" in told.text or "WebSocket connection" in told.text
    return [told.text] if told.type == "error" and not harmless else []
