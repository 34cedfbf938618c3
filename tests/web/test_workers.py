"""A house that several processes serve: one address, one log, and who is killed is followed by another."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from aceking.client import House, HouseError
from aceking.client.house import Live
from aceking.house.floor import requests as w
from aceking.house.settings import SettingsError, read_settings
from aceking.house.store.open import open_store
from aceking.table import player as pl
from aceking.web.handover import HEAD_BYTES_MAX, Handover, socket_pairs
from aceking.web.live import messages as m
from aceking.web.metrics import Metrics, ServerFigures
from tests.house.conftest import POSTGRESQL
from tests.web.processes import LINUX, children, is_gone, wait_until, who_serves
from tests.web.served import Served, founded, table

pytestmark = [pytest.mark.proof, LINUX]

TABLES = ("one", "two", "three", "four")


def _opening() -> list[tuple[str, object]]:
    seats = [(f"p{place + 1}", name) for place, name in enumerate(TABLES)]
    sat = [step for player, name in seats for step in _sits(player, name)]
    return [*(table(name, "section10") for name in TABLES), *sat]


def _sits(player: str, name: str) -> list[tuple[str, object]]:
    return [(player, w.SitRequest(table=name, box=1)), (player, w.BuyIn(table=name, amount=100_000))]


def _served(url: str, folder: Path, **env: str) -> Served:
    founded(url, *_opening(), quick=True)
    found = Served(url, folder, env={"ACEKING_WORKERS": "2", **env}).start()
    wait_until(lambda: len(children(found.process.pid)) == 2, lambda: found.told)
    return found


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    found = _served(f"sqlite:///{tmp_path / 'house.db'}", tmp_path)
    yield found
    found.ended()
    wait_until(lambda: _is_free(tmp_path), lambda: found.told)


def _is_free(folder: Path) -> bool:
    try:
        open_store(f"sqlite:///{folder / 'house.db'}").close()
    except Exception:  # the process that holds the file has not ended yet
        return False
    return True


def _by(served: Served, live: Live) -> int:
    """The process that serves a connection."""
    port, client = int(served.address.rpartition(":")[2]), live._socket.socket.getsockname()[1]
    (found,) = who_serves(port, client, children(served.process.pid))
    return found


def _ante(name: str) -> w.PlayRequest:
    return w.PlayRequest(table=name, act=pl.PlaceAnte(box=1, amount=1000))


def test_who_comes_for_a_table_is_served_by_the_process_that_has_it(served: Served) -> None:
    by: dict[str, set[int]] = {}
    for _ in range(3):
        for place, name in enumerate(TABLES):
            with served.person(f"p{place + 1}") as one, one.live(name) as live:
                assert isinstance(live.receive(10), m.Welcome)
                assert next(live.views()).rail.id == name
                by.setdefault(name, set()).add(_by(served, live))
    assert [len(one) for one in by.values()] == [1, 1, 1, 1]
    assert by["one"] == by["three"] != by["two"] == by["four"]


def test_a_table_is_seen_through_every_process_and_acts_reach_all_of_them(served: Served) -> None:
    with served.person("p1") as one, served.person("p2") as two, one.live("one") as first, two.live("two") as second:
        assert next(first.views()).rail.id == "one"
        assert next(second.views()).rail.id == "two"
        assert _by(served, first) != _by(served, second)
        first.send(m.Watch(table="two"))
        assert next(view for view in first.views() if view.rail.id == "two").rail.common.boxes == ()
        assert second.ask(_ante("two")).refused is None
        seen = next(view for view in first.views() if view.rail.common.boxes)
        assert (seen.rail.id, seen.rail.common.boxes[0].box) == ("two", 1)
        # And the other way round: what is not decided where it is had is decided all the same.
        assert first.ask(_ante("one")).refused is None
        with served.person("p3") as three, three.live("two") as elsewhere:
            assert _by(served, elsewhere) == _by(served, second)
            assert elsewhere.ask(_ante("three")).refused is None
    assert served.stop() == 0, served.told
    assert _verified(served)["holds"]


def _verified(served: Served) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-m", "aceking", "verify", served.url, "--json"], capture_output=True, check=False, text=True
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_the_same_request_through_two_processes_happens_once(served: Served) -> None:
    with served.person("p1") as one, one.live("one") as here, one.live("two") as there:
        assert _by(served, here) != _by(served, there)
        first = here.ask(_ante("one"), request="the-same")
        assert there.ask(_ante("one"), request="the-same") == first
        with pytest.raises(HouseError, match="was given to another request"):
            there.ask(w.SayReady(table="one"), request="the-same")


@pytest.mark.parametrize("which", [0, 1])
def test_one_that_is_killed_is_followed_by_another_and_nothing_is_lost(which: int, served: Served) -> None:
    before = children(served.process.pid)
    with served.person("p1") as one, served.person("p2") as two:
        for player, name in ((one, "one"), (two, "two")):
            with player.live(name) as live:
                live.ask(_ante(name), request=f"ante-{name}")
        os.kill(before[which], signal.SIGKILL)
        wait_until(
            lambda: before[which] not in (now := children(served.process.pid)) and len(now) == 2, lambda: served.told
        )
        for player, name in ((one, "one"), (two, "two")):
            with player.live(name) as live:
                assert next(live.views()).rail.common.boxes[0].box == 1
                live.ask(_ante(name), request=f"ante-{name}")  # it was, and is answered as it was
                live.ask(w.SayReady(table=name))
    assert f"worker process {before[which]} ended (-9); a new one starts" in served.told
    assert "Traceback" not in served.told
    assert served.stop() == 0, served.told
    assert _verified(served)["holds"]


def test_when_the_parent_is_killed_the_others_end_and_the_house_is_free(served: Served, tmp_path: Path) -> None:
    left = children(served.process.pid)
    served.kill()
    wait_until(lambda: all(is_gone(one) for one in left), lambda: served.told)
    assert served.told.count("the parent of this process is gone") == 2
    again = Served(served.url, tmp_path).start()
    assert again.stop() == 0, again.told


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_told_to_stop_all_end_in_order(by: signal.Signals, served: Served) -> None:
    left = children(served.process.pid)
    assert served.stop(by) == 0, served.told
    assert all(is_gone(one) for one in left)
    assert "Traceback" not in served.told
    with closing(open_store(served.url, only_read=True)) as store:
        assert store.snapshots()["floor"].seq == store.last()[0]


def test_a_second_server_says_so_and_ends(served: Served) -> None:
    for more in ([], ["--workers", "2"]):
        done = subprocess.run(
            [sys.executable, "-m", "aceking", "serve", "--db", served.url, "--listen", "127.0.0.1:0", *more],
            capture_output=True,
            check=False,
            text=True,
        )
        assert done.returncode == 2
        assert re.search(r"another server runs this house \(process \d+\)", done.stderr)
        assert "Traceback" not in done.stderr
    assert httpx.get(f"{served.address}/health").status_code == 200


@pytest.mark.parametrize(
    ("db", "listen", "said"),
    [
        ("sqlite:///{folder}/none.db", "127.0.0.1:0", "there is no such file, and so no house"),
        ("sqlite:///{folder}/house.db", "127.0.0.1:{port}", "cannot listen at"),
        ("mysql://somewhere", "127.0.0.1:0", "an address is sqlite:///PATH"),
        ("nonsense", "127.0.0.1:0", "an address is sqlite:///PATH"),
    ],
)
def test_what_cannot_be_served_is_said_once(db: str, listen: str, said: str, served: Served, tmp_path: Path) -> None:
    port = served.address.rpartition(":")[2]
    if "{port}" in listen:
        (tmp_path / "other").mkdir()
        founded(f"sqlite:///{tmp_path / 'other' / 'house.db'}", quick=True)
        db = f"sqlite:///{tmp_path / 'other' / 'house.db'}"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "aceking", "serve", "--workers", "3"),
            *("--db", db.format(folder=tmp_path), "--listen", listen.format(port=port)),
        ],
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr.count(said)) == (2, 1), done.stderr
    assert not [*tmp_path.glob("none.db*")]
    assert "Traceback" not in done.stderr


def test_the_figures_are_those_of_all_processes(served: Served) -> None:
    with served.person("p1") as one, served.person("p2") as two, one.live("one") as first, two.live("two") as second:
        assert _by(served, first) != _by(served, second)
        first.ask(_ante("one"))
        second.ask(_ante("two"))
        with pytest.raises(HouseError, match="box 1 is not yours"):
            second.ask(_ante("one"))
        told = {_figures(served)["aceking_connections"] for _ in range(10)}
        assert told == {2.0}
        assert {_figures(served)['aceking_requests_total{outcome="done"}'] for _ in range(10)} == {2.0}
        assert _figures(served)['aceking_requests_total{outcome="refused"}'] == 1.0
        assert _figures(served)['aceking_request_seconds_bucket{le="+Inf"}'] == 3.0
        assert _figures(served)["aceking_tables"] == 4.0


def _figures(served: Served) -> dict[str, float]:
    lines = httpx.get(f"{served.address}/metrics").text.splitlines()
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[:1] != "#")}


@POSTGRESQL
def test_several_processes_on_postgresql(database: str, tmp_path: Path) -> None:
    served = _served(database, tmp_path)
    try:
        with (
            served.person("p1") as one,
            served.person("p2") as two,
            one.live("one") as first,
            two.live("two") as second,
        ):
            assert _by(served, first) != _by(served, second)
            first.send(m.Watch(table="two"))
            second.ask(_ante("two"))
            assert next(view for view in first.views() if view.rail.common.boxes).rail.id == "two"
        assert served.stop() == 0, served.told
        assert _verified(served)["holds"]
    finally:
        served.ended()


def test_a_demo_house_is_made_once_and_greeted_once(tmp_path: Path) -> None:
    served = Served(
        f"sqlite:///{tmp_path / 'house.db'}", tmp_path, env={"ACEKING_WORKERS": "3", "ACEKING_DEMO": "1"}
    ).start()
    wait_until(lambda: len(children(served.process.pid)) == 3, lambda: served.told)
    try:
        assert served.told.count("tables at http://") == 1
        assert served.told.count("the passwords are shown only once") == 1
        found = re.search(r"^  ann +player +(\S+)$", served.told, re.MULTILINE)
        assert found is not None
        for _ in range(6):  # whichever process it comes to
            with House(served.address, "ann", found[1]) as ann:
                assert len(ann.house().tables) == 6
        assert served.stop() == 0, served.told
    finally:
        served.ended()


# What the hand-over decides, without a house


@pytest.mark.parametrize(
    ("target", "found"),
    [
        (b"/api/live?table=b", 1),
        (b"/api/live?table=d", 1),
        (b"/api/live?x=1&table=b", 1),
        (b"/api/live?table=a", None),
        (b"/api/live?table=c", None),
        (b"/api/live?table=none", None),
        (b"/api/live?table=", None),
        (b"/api/live", None),
        (b"/api/live?table=%ff", None),
        (b"//[", None),
    ],
)
def test_whose_table_it_is(target: bytes, found: int | None) -> None:
    ends = socket_pairs(2)
    here = Handover(0, ends)
    here.tables = lambda: ["a", "b", "c", "d"]
    assert here.other(target) == found
    for end in (end for pair in ends for end in pair):
        end.close()


def test_what_cannot_be_handed_over_stays() -> None:
    ends = socket_pairs(2)
    here = Handover(0, ends)
    with Path(os.devnull).open("rb") as file:  # any descriptor will do
        assert not here.hand_over(1, file.fileno(), b"x" * (HEAD_BYTES_MAX + 1))
        taken = 0
        while here.hand_over(1, file.fileno(), b"head"):
            taken += 1
        assert taken  # and then its queue is full
    for end in (end for pair in ends for end in pair):
        end.close()


@pytest.mark.parametrize("workers", ["0", "-1", "65", "two"])
def test_a_number_of_workers_that_cannot_serve_is_refused(workers: str) -> None:
    with pytest.raises(SettingsError, match=r"^workers: "):
        read_settings(None, {"ACEKING_WORKERS": workers})


def test_who_comes_in_the_place_of_another_counts_on_and_has_no_connections() -> None:
    figures = ServerFigures(2)
    first = Metrics(figures, 1)
    first.count("done", 0.002)
    first.connected(7)
    Metrics(figures, 0).count("done", 20.0)
    Metrics(figures, 1).count("refused", 0.2)
    sums = figures.sums()
    assert sums[:3] == [2, 1, 0]
    assert sums[-2:] == [pytest.approx(20.202), 0]
