"""The campaign's own check: what it must notice it notices, also after a pause, and in the database's own death."""

import asyncio
import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from aceking.house.desk import Request
from aceking.house.floor import requests as w
from aceking.house.running import Running, SystemClock
from aceking.house.store.errors import Damaged
from aceking.house.store.open import open_store
from aceking.house.store.sql.sqlite import SqliteStore
from aceking.web.live import messages as m
from tests.house.campaign.auditor import Auditor, problems
from tests.house.campaign.database import database
from tests.house.campaign.load import APART, Sender, opening
from tests.house.campaign.run import Campaign
from tests.web.forked import Forked
from tests.web.served import founded

pytestmark = pytest.mark.proof

CASHIER = w.Sender("cas", "cashier")


class Told:
    """A house in a file, and a cashier who notes every answer."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.cashier = Sender("cas", "a", "", random.Random(1))
        self.auditor = Auditor(f"sqlite:///{file}")

    def asks(self, *requests: Any, again: str = "") -> None:
        """Get an answer to each request. With `again`, an id that was used before, the cashier notes nothing."""

        async def asked() -> None:
            with closing(open_store(f"sqlite:///{self.file}")) as store:
                house = Running(store, clock=SystemClock(), draw=os.urandom)
                await house.start()
                for body in requests:
                    key = again or self.cashier.wants(body)
                    reply = await house.ask(Request(id=key, sender=CASHIER, body=body))
                    assert reply.refused is None
                    if not again:
                        self.cashier.remembers(m.Answer(id=key, reply=reply))
                await house.stop()

        asyncio.run(asked())

    def looks(self, *, whole: bool = False) -> list[str]:
        """What the auditor finds; raises Damaged."""
        self.auditor.looks([self.cashier], whole=whole)
        self.auditor.purses([self.cashier])
        return [promise for promise, instances in self.auditor.verdict.broken.items() if instances]


def _paid(amount: int) -> w.Deposit:
    return w.Deposit(player="p1", currency=APART, amount=amount)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house as it was founded."""
    file = tmp_path_factory.mktemp("founded") / "house.db"
    founded(f"sqlite:///{file}", *opening(), quick=True)
    return file


@pytest.fixture
def told(house: Path, tmp_path: Path) -> Told:
    """One in which a cashier was told three things, all of them true."""
    shutil.copy(house, tmp_path / "house.db")
    found = Told(tmp_path / "house.db")
    found.asks(_paid(5), _paid(6), _paid(7))
    assert found.looks(whole=True) == []
    assert found.auditor.verdict.seen["acknowledged"] == 3
    return found


def test_a_command_that_was_acknowledged_and_is_not_in_the_log_is_lost(told: Told, tmp_path: Path) -> None:
    before = tmp_path / "before.db"
    shutil.copy(told.file, before)
    told.asks(_paid(8))
    shutil.copy(before, told.file)
    assert told.looks() == ["acknowledged and lost", "done twice"]  # and the purse lacks the deposit


def test_a_log_that_has_lost_what_was_looked_at_already_is_damaged(told: Told, house: Path) -> None:
    shutil.copy(house, told.file)
    with pytest.raises(Damaged):
        told.looks()


def test_a_command_that_was_told_one_thing_and_has_another_in_the_log_is_lost(told: Told) -> None:
    told.asks(_paid(8))
    key = told.cashier.fresh[-1]
    told.cashier.answered[key] = told.cashier.answered[next(iter(told.cashier.answered))]
    assert told.looks() == ["acknowledged and lost"]


def test_an_act_that_is_done_again_under_its_own_id_is_found(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SqliteStore, "_known", lambda self, units: {})
    told.asks(_paid(7), again=[*told.cashier.asked][-1])
    with pytest.raises(Damaged, match="was answered in entry"):
        told.looks()
    assert told.auditor.verdict.broken["done twice"]


def test_an_act_that_is_done_again_under_another_id_is_found_by_what_is_in_the_purse(told: Told) -> None:
    told.asks(_paid(7), again="the-same-act-once-more")
    assert told.looks() == ["done twice"]


def _change_a_byte(file: Path, seq: int) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as raw:
        (body,) = raw.execute("SELECT body FROM log WHERE seq = ?", (seq,)).fetchone()
        middle = len(body) // 2
        changed = body[:middle] + bytes([body[middle] ^ 1]) + body[middle + 1 :]
        raw.execute("UPDATE log SET body = ? WHERE seq = ?", (changed, seq))


def test_a_byte_that_changed_in_what_is_new_is_found_at_once_and_in_what_is_old_by_who_reads_all(told: Told) -> None:
    _change_a_byte(told.file, 3)
    assert told.looks() == []
    with pytest.raises(Damaged):
        told.looks(whole=True)


def test_a_byte_that_changed_in_the_last_entry_is_found_at_the_next_look(told: Told) -> None:
    told.asks(_paid(8))
    _change_a_byte(told.file, told.auditor.seq + 1)
    with pytest.raises(Damaged):
        told.looks()


def _campaign(folder: Path) -> Campaign:
    return Campaign([Forked(f"sqlite:///{folder / 'house.db'}", folder)], seed=5, kept=folder)


def test_a_campaign_goes_on_where_it_was_stopped_and_knows_what_it_was_told_before(house: Path, tmp_path: Path) -> None:
    shutil.copy(house, tmp_path / "house.db")
    first = asyncio.run(_campaign(tmp_path).run(2))
    assert first.holds, "\n".join(problems(first))
    with (tmp_path / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"is":"ask","id":"p1.a.99')  # and the writer was killed
    after = asyncio.run(_campaign(tmp_path).run(4))
    assert after.holds, "\n".join(problems(after))
    assert after.seen["kills"] >= 4
    assert after.seen["pauses"] == 1
    assert after.seen["acknowledged"] == after.seen["requests"] > first.seen["requests"]


def test_what_is_lost_in_a_pause_is_found(house: Path, tmp_path: Path) -> None:
    shutil.copy(house, tmp_path / "house.db")
    asyncio.run(_campaign(tmp_path).run(1))
    for old in tmp_path.glob("house.db*"):
        old.unlink()
    shutil.copy(house, tmp_path / "house.db")
    after = asyncio.run(_campaign(tmp_path).run(9))
    assert after.broken["acknowledged and lost"]
    assert after.broken["chain, versions or indexes broken"]
    assert after.seen["kills"] < 9


def test_the_database_is_killed_under_a_house_and_nothing_is_lost(tmp_path: Path) -> None:
    async def killed(campaign: Campaign, times: int) -> None:
        await campaign.begins()
        assert campaign.database is not None
        for _ in range(times):
            await campaign._kill_database(campaign.database)
        await campaign.ends()

    with database() as server:
        url = server.house("house")
        founded(url, *opening(), quick=True)
        campaign = Campaign([Forked(url, tmp_path) for _ in range(2)], seed=2, database=server)
        try:
            asyncio.run(killed(campaign, 3))
        finally:
            campaign.leaves()
    verdict = campaign.verdict
    assert verdict.holds, "\n".join(problems(verdict))
    assert verdict.seen["kills of the database"] == 3
    assert verdict.seen["acknowledged"] == verdict.seen["requests"] > 0
