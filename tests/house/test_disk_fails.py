"""The disk under a real house fails or loses power in a round with a jackpot: some of what the campaigns do to all."""

import random
from pathlib import Path

import pytest

from tests.house.campaign import power, writes
from tests.house.campaign.evening import found_in, jackpot

pytestmark = pytest.mark.proof


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house before the round, in a file."""
    path = tmp_path_factory.mktemp("before") / "before.db"
    found_in(path)
    return path


def test_whatever_write_fails_the_log_is_the_one_without_a_fault(house: Path, tmp_path: Path) -> None:
    number = writes.operations(house, tmp_path)
    assert number > 300
    seen = writes.campaign(range(3, number, number // 12), house, tmp_path)
    assert seen["rounds"] >= 12 * len(writes.TROUBLES)
    assert seen["requests told that nothing was written"] > seen["starts after a fault"] > 12


def test_every_kind_of_operation_is_among_those_that_fail(house: Path, tmp_path: Path) -> None:
    recording = power.recorded(house, tmp_path)
    assert {one.kind for one in recording.operations} == {"write", "sync", "truncate"}
    assert {one.file for one in recording.operations} == {"house.db", "house.db-wal"}
    asked, begins = jackpot()
    assert len(recording.acknowledged) == len(asked) - begins


def test_what_was_acknowledged_is_there_when_the_power_is_back(house: Path, tmp_path: Path) -> None:
    recording = power.recorded(house, tmp_path)
    at = power.moments(recording.operations, step=6)
    seen = power.campaign(power.states(house, recording.operations, at, random.Random(3)), recording, tmp_path)
    assert seen["losses of power"] > 60
    assert seen["of them with an entry that nobody was told of yet"]


def test_a_house_that_does_not_sync_is_found_by_a_loss_of_power(house: Path, tmp_path: Path) -> None:
    recording = power.recorded(house, tmp_path, "synchronous = OFF")
    at = power.moments(recording.operations, step=3)
    with pytest.raises(power.Broken):
        power.campaign(power.states(house, recording.operations, at, random.Random(3)), recording, tmp_path)
