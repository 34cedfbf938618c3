"""What all tests share: the books, loaded once; and which worker of pytest-xdist has which tests, in which order."""

import os
from pathlib import Path

import pytest

from aceking.rules.book import Book
from aceking.rules.reading.load import book_ids, load_book

pytest_plugins = ("tests.gears",)

#: The modules that take longest, the longest first: no worker is left with one when the others have nothing more to do.
LONG = (
    *("pages/test_pages.py", "web/test_killed.py", "house/test_campaign.py", "pages/test_rounds.py"),
    *("pages/test_lab.py", "cards/test_array.py", "web/test_workers.py", "house/test_wire_fails.py"),
    *("web/test_hostile.py", "pages/test_dealer.py", "pages/test_jackpot.py", "house/test_campaign_ends.py"),
    *("pages/test_pit.py", "web/test_evening.py", "web/test_consoles.py", "web/test_schema.py"),
    *(
        "house/test_simulator.py",
        "pages/test_currencies.py",
        "exact/test_strategy_exchange.py",
        "commands/test_streams.py",
    ),
    *(
        "house/test_house_cli.py",
        "commands/test_figures_cli.py",
        "commands/test_currencies_cli.py",
        "sheet/test_sheet.py",
    ),
    *("exact/test_named_sides.py", "simulation/test_named_sides.py", "web/test_api.py", "pages/test_audit.py"),
)
#: Modules whose tests are long and share nothing: each test goes to the next free worker.
APART = frozenset({"web/test_killed.py", "house/test_campaign.py", "web/test_workers.py"})
_TESTS = Path(__file__).parent


@pytest.fixture(params=book_ids())
def book(request: pytest.FixtureRequest) -> Book:
    """Each of the six books in turn."""
    return load_book(request.param)


@pytest.hookimpl(optionalhook=True)  # also where pytest runs without pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """Three for two processors: a test waits for servers, browsers and clocks for a good part of its time."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return processors + (processors + 1) // 2


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads who belongs together
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of a module stay together: what one has worked out or started is there for the next."""
    ranks = {name: place for place, name in enumerate(LONG)}
    modules = {path: path.relative_to(_TESTS).as_posix() for path in {item.path for item in items}}
    items.sort(key=lambda item: ranks.get(modules[item.path], len(LONG)))
    for item in items:
        module = modules[item.path]
        if "visit" in getattr(item, "fixturenames", ()) and item.get_closest_marker("proof") is None:
            item.add_marker(pytest.mark.xdist_group("served"))  # one founding, and one Chromium at a time
        elif module not in APART and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(module))
