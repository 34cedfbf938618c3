"""A served house is killed under load again and again: what was acknowledged is there, what was not is done once.

The campaign is tests/house/campaign; `python -m tests.house.campaign --kills 200` runs it as long as one likes.
"""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from aceking.house.views.table import MeterView
from tests.house.campaign.auditor import Verdict, as_sent, problems
from tests.house.campaign.load import opening
from tests.house.campaign.run import Campaign
from tests.house.conftest import POSTGRESQL
from tests.web.forked import Forked
from tests.web.processes import LINUX
from tests.web.served import founded

pytestmark = pytest.mark.proof

#: More than fifty in all.
KILLS = {"sqlite": 20, "two processes on sqlite": 18, "postgresql": 12, "two on postgresql": 12}


def _run(url: str, folder: Path, kills: int, *, servers: int = 1, workers: int = 1, breaks: str = "") -> Verdict:
    founded(url, *opening())
    served = [Forked(url, folder, {"ACEKING_WORKERS": str(workers)}, breaks=breaks) for _ in range(servers)]
    return asyncio.run(Campaign(served, seed=kills).run(kills))


def _kept(verdict: Verdict, kills: int) -> None:
    assert verdict.holds, "\n".join(problems(verdict))
    assert verdict.seen["kills"] >= kills  # a server that is killed while it starts may be killed once more
    assert verdict.seen["acknowledged"] == verdict.seen["requests"] > 20 * kills
    assert verdict.seen["views compared"] > kills
    assert verdict.seen["rounds live at a kill"]
    assert verdict.seen["rounds"]


def test_a_server_on_sqlite_that_is_killed_keeps_its_promises(tmp_path: Path) -> None:
    kills = KILLS["sqlite"]
    _kept(_run(f"sqlite:///{tmp_path / 'house.db'}", tmp_path, kills), kills)


@LINUX
def test_two_processes_on_sqlite_that_are_killed_keep_their_promises(tmp_path: Path) -> None:
    kills = KILLS["two processes on sqlite"]
    found = _run(f"sqlite:///{tmp_path / 'house.db'}", tmp_path, kills, workers=2)
    _kept(found, kills)
    assert all(found.seen[f"of them {how}"] for how in ("all of it", "the parent", "one of several"))


@POSTGRESQL
def test_a_server_on_postgresql_that_is_killed_keeps_its_promises(database: str, tmp_path: Path) -> None:
    kills = KILLS["postgresql"]
    _kept(_run(database, tmp_path, kills), kills)


@POSTGRESQL
def test_one_of_two_processes_is_killed_and_its_people_go_on_through_the_other(database: str, tmp_path: Path) -> None:
    kills = KILLS["two on postgresql"]
    _kept(_run(database, tmp_path, kills, servers=2), kills)


def test_a_server_that_answers_before_it_has_written_is_found(tmp_path: Path) -> None:
    for turn in range(5):  # on a busy machine all kills of a turn may miss the moment between answer and write
        folder = tmp_path / str(turn)
        folder.mkdir()
        verdict = _run(f"sqlite:///{folder / 'house.db'}", folder, 30, breaks="AnswersBeforeItIsWritten")
        if verdict.broken["acknowledged and lost"]:
            return
    pytest.fail("150 kills, and what was acknowledged too early was never lost")


def test_fifty_kills_and_more() -> None:
    assert sum(KILLS.values()) >= 50


def test_a_lobby_with_an_award_is_the_same_when_it_is_read() -> None:
    hit = {"id": "A/1/2", "amount": "100", "at": datetime(2026, 1, 1, tzinfo=UTC)}
    meter = MeterView(id="m", phase="open", value="1", currency="USD", hits=(hit,))
    read = msgspec.json.decode(msgspec.json.encode(meter), type=MeterView)
    assert as_sent(read) == as_sent(meter)
    assert as_sent(read) != as_sent(msgspec.structs.replace(meter, hits=()))
