"""The power is lost under PostgreSQL in a round with a jackpot: some of what the campaign does to all of it."""

from pathlib import Path

import pytest

from aceking.house.store.sql import postgres
from tests.house.campaign import wal
from tests.house.campaign.database import database
from tests.house.campaign.power import Broken
from tests.house.conftest import POSTGRESQL

pytestmark = POSTGRESQL


def _recorded(folder: Path) -> wal.Recorded:
    with database() as server:
        return wal.recorded(server, folder)


def test_what_was_acknowledged_is_there_when_the_power_is_back(tmp_path: Path) -> None:
    recording = _recorded(tmp_path)
    each = list(wal.losses(recording, step=1))
    assert len(each) > 100
    assert {one.lost for one in each[60:63]} == {"all", "some", "between"}
    assert wal.campaign(recording, each[60:63], seed=3)["losses of power"] == 3


def test_a_house_that_does_not_wait_for_the_sync_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "_SETTINGS", "SELECT set_config('synchronous_commit', 'off', false)")
    recording = _recorded(tmp_path)
    with pytest.raises(Broken, match="entries are there"):
        wal.campaign(recording, list(wal.losses(recording, step=1))[-3:-2], seed=3)
