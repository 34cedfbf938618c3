"""A damaged log is refused by its entry and left as it is; a second server on one file says so and ends."""

import asyncio
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from aceking.house.floor import requests as w
from aceking.house.store.errors import Damaged
from aceking.house.store.open import open_store
from aceking.web.serving import check_old_entries
from tests.web.served import Served, founded, table

pytestmark = pytest.mark.proof


def _serve(url: str, *more: str, listen: str = "127.0.0.1:0") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "aceking", "serve", "--db", url, "--listen", listen, *more],
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )


def _changed(file: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(file)
    connection.execute(statement, values)
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


@pytest.mark.parametrize("where", ["body", "hash", "gone"])
def test_a_damaged_log_refuses_to_start_names_the_entry_and_changes_nothing(tmp_path: Path, where: str) -> None:
    file = tmp_path / "house.db"
    founded(f"sqlite:///{file}", table("one", "section10"), ("p1", w.SitRequest(table="one", box=1)), quick=True)
    connection = sqlite3.connect(file)
    [last], [body] = zip(*connection.execute("SELECT seq, body FROM log ORDER BY seq DESC LIMIT 1"), strict=True)
    connection.close()
    bad = last - 2
    match where:
        case "body":
            _changed(file, "UPDATE log SET body = ? WHERE seq = ?", body, bad)
        case "hash":
            _changed(file, "UPDATE log SET hash = ? WHERE seq = ?", bytes(32), bad)
        case _:
            _changed(file, "DELETE FROM log WHERE seq = ?", bad)
    before = file.read_bytes()
    ended = _serve(f"sqlite:///{file}")
    assert ended.returncode == 2, ended.stderr
    assert f"damaged at entry {bad}" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert file.read_bytes() == before


def test_damage_far_back_ends_a_house_that_runs_already(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    founded(f"sqlite:///{file}", table("one", "section10"), quick=True)
    with closing(open_store(f"sqlite:///{file}")) as store:
        asyncio.run(check_old_entries(store, back=2))
        _changed(file, "UPDATE log SET hash = ? WHERE seq = 3", bytes(32))
        with pytest.raises(Damaged, match="entry 3"):
            asyncio.run(check_old_entries(store, back=2))


def test_where_the_port_is_taken_no_house_is_made_whose_passwords_nobody_has_seen(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = f"127.0.0.1:{other.getsockname()[1]}"
        ended = _serve(url, "--demo", listen=taken)
    assert ended.returncode == 2, ended.stderr
    assert f"cannot listen at {taken}: Address already in use" in ended.stderr
    with closing(open_store(url)) as store:
        assert store.last()[0] == 0


def test_a_second_server_on_one_file_says_so_and_ends(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    founded(url, table("one", "section10"), quick=True)
    first = Served(url, tmp_path).start()
    try:
        second = _serve(url)
        assert second.returncode == 2, second.stderr
        assert "another" in second.stderr
        assert "Traceback" not in second.stderr
        with first.person("p1") as ann:
            ann.ask(w.SitRequest(table="one", box=1))  # the first goes on
    finally:
        assert first.stop() == 0
