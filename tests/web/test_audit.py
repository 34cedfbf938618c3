"""Past rounds over the API: found, told act by act, entries that hash, and a file that verifies without the house."""

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from aceking.client import House
from aceking.house.views.printed import clauses
from aceking.rules.reading.load import load_book
from tests.web.playing import Robot
from tests.web.served import Served, founded, table

TABLES = {"stud": "section10", "holdem": "colorado-permissible", "swap": "exchange"}
ROUNDS = 3


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Three rounds at each of three tables."""
    folder = tmp_path_factory.mktemp("audit")
    url = f"sqlite:///{folder / 'house.db'}"
    founded(url, *(table(name, book, bet_seconds=300, decide_seconds=300) for name, book in TABLES.items()), quick=True)
    served = Served(url, folder).start()
    with served.person("p1") as ann:
        for name in TABLES:
            Robot(ann, "p1", name, 1, ROUNDS).plays()
    yield served
    served.ended()


@pytest.fixture
def auditor(played: Served) -> Iterator[House]:
    with played.person("aud") as one:
        yield one


def _get(one: House, path: str, status: int = 200) -> Any:
    answer = one._http.get(path)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_rounds_are_found_and_paged_over_the_api(auditor: House) -> None:
    found = _get(auditor, "/api/audit/rounds?player=p1&most=4")
    assert [(one["table"], one["round"]) for one in found["rounds"]] == [
        ("swap", 3),
        ("swap", 2),
        ("swap", 1),
        ("holdem", 3),
    ]
    assert found["more"]
    assert found["upto"] == found["entries"]
    rest = _get(auditor, f"/api/audit/rounds?player=p1&before={found['rounds'][-1]['id']}")
    assert len(rest["rounds"]) == 5
    assert not rest["more"]
    assert _get(auditor, "/api/audit/rounds?table=stud&net_from=-1000&stake_from=10")["rounds"]
    wrong = _get(auditor, "/api/audit/rounds?cards=1x", 400)
    assert wrong["reason"].startswith("there is no card '1x'")
    assert (
        _get(auditor, "/api/audit/rounds/stud/99", 404)["reason"] == "round 99 of 'stud' is not over, or does not exist"
    )


@pytest.mark.parametrize("name", TABLES)
def test_a_round_is_told_act_by_act_with_clauses_that_have_words(auditor: House, name: str) -> None:
    book = load_book(TABLES[name])
    one = _get(auditor, f"/api/audit/rounds/{name}/2")
    acts, states = one["acts"], one["states"]
    assert (one["round"], one["book"], one["currency"]) == (2, book.id, book.currency)
    assert [act["at"] for act in acts] == sorted(act["at"] for act in acts)
    assert "p1" in {act["by"] for act in acts}
    assert "wants no more time to bet" in " ".join(act["told"] for act in acts)
    assert acts[-1]["told"].startswith("The round is over")
    cited = {clause for act in acts for clause in act.get("clauses", ())}
    assert len(cited) > 5
    assert cited <= clauses(book).keys()
    for act in acts:
        assert all(clause in act["told"] for clause in act.get("clauses", ()))
        assert one["first"] <= act["entry"] <= one["last"]
    for state in states:  # every cent is somewhere at every step
        assert sum(round(float(amount) * 100) for amount in state["own"].get("accounts", {}).values()) == 0
    dealt = next(states[act["state"]] for act in acts if act["told"].startswith("The cards fall"))
    assert all(dealt["own"]["boxes"][0]["cards"])  # face up for the auditor alone
    assert not any(dealt["common"]["boxes"][0]["cards"])


def test_the_entries_of_a_round_hash_and_have_all_that_is_told(auditor: House) -> None:
    told = _get(auditor, "/api/audit/rounds/holdem/2")
    entries = _get(auditor, "/api/audit/rounds/holdem/2/chain")
    assert (entries[0]["seq"], entries[-1]["seq"]) == (told["first"], told["last"])
    events = []
    for entry in entries:
        whole = bytes.fromhex(entry["before"]) + entry["body"].encode()
        assert hashlib.sha256(whole).hexdigest() == entry["hash"]
        for part in json.loads(entry["body"])["parts"]:
            events += [(entry["seq"], event) for event in part["events"] if part["stream"] == "table/holdem"]
    for act in told["acts"]:
        assert (act["entry"], act["event"]) in events
    assert told["seed"]


def test_the_file_verifies_offline_and_has_no_secret_in_it(auditor: House, tmp_path: Path) -> None:
    told = _get(auditor, "/api/audit/rounds/stud/3")
    answer = auditor._http.get(f"/api/audit/file?upto={told['last']}")
    assert re.search(r'filename="aceking-\d+\.db"', answer.headers["content-disposition"])
    taken = tmp_path / "taken.db"
    taken.write_bytes(answer.content)
    command = [sys.executable, "-m", "aceking", "verify", str(taken), "--round", "stud/3", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert (found["holds"], found["entries"]) == (True, [told["first"], told["last"]])
    assert found["seed"] == told["seed"]
    engine = create_engine(f"sqlite:///{taken}")
    with engine.connect() as connection:
        for secret in ("seal", "credential", "session"):
            assert connection.execute(text(f"SELECT count(*) FROM {secret}")).scalar() == 0
    engine.dispose()
    assert _get(auditor, "/api/audit/file?upto=999999", 404)["reason"] == "the log has no entry 999999 yet"


def test_who_may_find_rounds_may_not_have_the_log(played: Served) -> None:
    with played.person("sam") as supervisor, played.person("p1") as player:
        assert _get(supervisor, "/api/audit/rounds/stud/1")["round"] == 1
        _get(supervisor, "/api/audit/rounds/stud/1/chain", 403)
        _get(supervisor, "/api/audit/file", 403)
        _get(player, "/api/audit/rounds", 403)


def test_a_damaged_entry_is_named(played: Served, tmp_path: Path) -> None:
    """Somebody changes a past round behind the back of the house."""
    with played.person("aud") as auditor:
        told = _get(auditor, "/api/audit/rounds/swap/1")
        entry = told["acts"][3]["entry"]
        engine = create_engine(played.url)
        with engine.begin() as connection:
            connection.execute(text("UPDATE log SET hash = zeroblob(32) WHERE seq = :seq"), {"seq": entry})
        engine.dispose()
        wrong = _get(auditor, "/api/audit/rounds/swap/1/chain", 409)
        assert wrong["reason"].startswith(f"entry {entry} of the log is damaged")
