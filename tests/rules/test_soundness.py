"""Which games there are, and which rules belong to which."""

import copy
from pathlib import Path
from typing import Any

import pytest

from aceking.rules.book import Book
from aceking.rules.reading.load import resolve
from aceking.rules.reading.soundness import _BELONGS
from aceking.rules.reading.values import may_be_silent, rule_types
from tests.rules.parsed import book_text
from tests.rules.test_inheritance import heir
from tests.rules.test_load import Raw, raw_book

SMALL_METER = """
from = "section10"
id = "small"
[[clause]]
id = "X-1"
topic = "meter"
actor = "house"
says = "The first meter is small."
set.progressive.seed = "10"
set.progressive.reset = "5000"
"""


def without_step(raw: Raw, step: str) -> Raw:
    """A book without a step: its rules, its options, and what stands under a choice of them."""
    raw = copy.deepcopy(raw)
    raw["steps"] = [one for one in raw["steps"] if one != step]
    gone = {
        one["name"]
        for clause in raw["clause"]
        for one in clause.get("option", [])
        if one["rule"].startswith(f"{step}.")
    }
    for clause in raw["clause"]:
        for part in ("set", "read"):
            clause.get(part, {}).pop(step, None)
        for part in ("option", "act", "ruling"):
            clause[part] = [one for one in clause.get(part, []) if not _names(one, gone)]
        clause.setdefault("outside", "A part of a game that is not played here.")
        for part in ("set", "read", "option", "act", "ruling"):
            if not clause.get(part):
                clause.pop(part, None)
        if any(part in clause for part in ("set", "read", "option", "act", "ruling", "defines")):
            del clause["outside"]
    return raw


def _names(part: dict[str, Any], gone: set[str]) -> bool:
    return part.get("name") in gone or bool(gone & set(part.get("when", {})))


@pytest.mark.parametrize("key", _BELONGS)
def test_a_rule_that_belongs_to_some_games_may_be_silent_in_the_others(key: str) -> None:
    assert may_be_silent(rule_types()[key])


def test_a_game_with_an_exchange_and_no_progressive_loads() -> None:
    book = resolve(book_text(without_step(raw_book("exchange"), "progressive")))
    assert isinstance(book, Book)
    assert book.exchange is not None
    assert book.progressive is None


def test_a_new_meter_may_start_below_what_it_returns_to(tmp_path: Path) -> None:
    found = heir(tmp_path, SMALL_METER).progressive
    assert found is not None
    assert (found.seed, found.reset) == (1_000, 500_000)
