"""The same seed deals the same cards again, over the wire."""

from pathlib import Path
from typing import Any

import pytest

from tests.web.playing import Robot
from tests.web.seeded import Seeds
from tests.web.served import Served, founded, table

pytestmark = pytest.mark.proof
ROUNDS = 2


def _dealt(folder: Path, seed: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The cards of some rounds of a new house."""
    folder.mkdir()
    seeds = Seeds()
    seeds.plant(seed)
    monkeypatch.setattr("tests.web.served.SEEDS", seeds)
    url = f"sqlite:///{folder / 'house.db'}"
    founded(url, table("one", "section10", bet_seconds=300, decide_seconds=300), quick=True)
    served = Served(url, folder).start()
    try:
        with served.person("p1") as ann:
            Robot(ann, "p1", "one", 1, ROUNDS).plays()
        with served.person("aud") as auditor:
            found = auditor._http.get("/api/audit/rounds?table=one").json()["rounds"]
    finally:
        served.ended()
    assert len(found) == ROUNDS
    return [[hand["cards"] for hand in one["hands"]] for one in found]


def test_a_house_with_the_same_seed_deals_the_same_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = _dealt(tmp_path / "first", "a seed", monkeypatch)
    assert _dealt(tmp_path / "again", "a seed", monkeypatch) == first
    assert _dealt(tmp_path / "other", "another seed", monkeypatch) != first
