"""Attackers from many addresses: unknown addresses take turns, known ones do not, and a new player can log in."""

import asyncio
import random
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from aceking.web.limits.queue import LOG_IN_SECONDS
from aceking.web.live.endpoint import CLOSED_TOO_MUCH
from aceking.web.sessions import COOKIE
from benchmarks.hostile import Attack
from tests.web.served import PASSWORD, Served, founded, table

pytestmark = [pytest.mark.proof, pytest.mark.xdist_group("web"), pytest.mark.timeout(300)]
KNOWN, UNKNOWN = "127.0.0.30", "127.0.0.20"
_AT_ONCE = 12


@contextmanager
def _served(folder: Path, refusals_a_minute: int) -> Iterator[Served]:
    url = f"sqlite:///{folder / 'house.db'}"
    founded(url, table("t0", "section10"))
    found = Served(
        url, folder, env={"ACEKING_HEARTBEAT_SECONDS": "2", "ACEKING_REFUSALS_A_MINUTE": str(refusals_a_minute)}
    ).start()
    try:
        yield found
        assert "Traceback" not in found.told, found.told
    finally:
        found.ended()


def _from(served: Served, address: str, forwarded: str = "") -> httpx.Client:
    """A client at this address with a new connection for each request, or with a proxy at it."""
    headers = {"Connection": "close", **({"X-Forwarded-For": forwarded} if forwarded else {})}
    there = httpx.HTTPTransport(local_address=address)
    return httpx.Client(transport=there, base_url=served.address, headers=headers, timeout=120)


@contextmanager
def _logged_in(served: Served, address: str, name: str, forwarded: str = "") -> Iterator[httpx.Client]:
    """A player at this address, to whom something is refused now and then, as to anybody."""
    with _from(served, address, forwarded) as found:
        found.get("/api/house").raise_for_status()
        csrf = {"x-csrftoken": found.cookies["csrftoken"]}
        found.post("/api/login", json={"name": name, "password": PASSWORD}, headers=csrf).raise_for_status()
        found.get("/api/me").raise_for_status()
        assert found.get("/api/log").status_code == 403
        yield found


def _nonsense(served: Served, address: str) -> socket.socket:
    """A connection from this address that has sent bytes which are not HTTP."""
    port = int(served.address.rpartition(":")[2])
    raw = socket.create_connection(("127.0.0.1", port), source_address=(address, 0))
    raw.sendall(b"\0nonsense\r\n\r\n")
    return raw


@contextmanager
def _besieged(served: Served) -> Iterator[None]:
    """One bad request from each of twenty addresses: above fifteen, unknown addresses take turns."""
    with ExitStack() as kept:
        for raw in [kept.enter_context(_nonsense(served, f"127.0.0.{number}")) for number in range(100, 120)]:
            assert raw.recv(100).startswith(b"HTTP/1.1 400")
        yield


def _log_ins(client: httpx.Client) -> float:
    """Try to log in many times at once; return the seconds until the last answer."""
    began = time.monotonic()
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        answers = pool.map(lambda _: client.post("/api/login", headers={"Connection": "close"}), range(_AT_ONCE))
        assert {answer.status_code for answer in answers} == {403}
    return time.monotonic() - began


def _goes_first(known: httpx.Client, unknown: httpx.Client, pool: ThreadPoolExecutor) -> None:
    """The known address is served while the unknown one takes turns, which is served too in the end."""
    log_ins = pool.submit(_log_ins, unknown)
    for _ in range(5):
        assert known.get("/api/me").status_code == 200
    assert not log_ins.done()
    assert log_ins.result(120) >= (_AT_ONCE - 1) * LOG_IN_SECONDS


def test_a_known_address_is_served_while_unknown_ones_take_turns_and_those_are_served_in_the_end(
    tmp_path: Path,
) -> None:
    with (
        _served(tmp_path, 60) as served,
        ThreadPoolExecutor(1) as pool,
        _from(served, UNKNOWN) as unknown,
        _logged_in(served, KNOWN, "p1") as known,
        _besieged(served),
    ):
        _goes_first(known, unknown, pool)


def test_an_open_connection_goes_on_until_something_is_refused_over_it(tmp_path: Path) -> None:
    with (
        _served(tmp_path, 60) as served,
        ThreadPoolExecutor(1) as pool,
        _from(served, UNKNOWN) as unknown,
        _from(served, UNKNOWN) as opened,
    ):
        opened.headers["Connection"] = "keep-alive"
        assert opened.get("/api/house").status_code == 200
        with _besieged(served):
            log_ins = pool.submit(_log_ins, unknown)
            assert opened.get("/api/house").status_code == 200
            refused = opened.get("/api/me")
            assert (refused.status_code, refused.headers["connection"]) == (401, "close")
            assert not log_ins.done()
            log_ins.result(120)


def test_behind_a_proxy_the_addresses_are_those_it_names(tmp_path: Path) -> None:
    with (
        _served(tmp_path, 60) as served,
        ThreadPoolExecutor(1) as pool,
        _from(served, "127.0.0.1", "192.0.2.2") as unknown,
        _logged_in(served, "127.0.0.1", "p1", "192.0.2.1") as known,
        _besieged(served),
    ):
        _goes_first(known, unknown, pool)


def test_an_account_that_floods_makes_its_addresses_unknown_and_keeps_its_open_connections(tmp_path: Path) -> None:
    with (
        _served(tmp_path, 60) as served,
        ThreadPoolExecutor(1) as pool,
        _logged_in(served, KNOWN, "p1") as known,
        _logged_in(served, "127.0.0.40", "p2") as other,
    ):
        cookie = f"{COOKIE}={other.cookies[COOKIE]}"
        with _live(served, "127.0.0.40", cookie) as behaves:
            for number in range(41, 45):
                with _live(served, f"127.0.0.{number}", cookie) as floods:
                    assert _flooded(floods) == CLOSED_TOO_MUCH
            with _besieged(served):
                _goes_first(known, other, pool)
            behaves.send('{"is":"ping","number":7}')
            assert '"pong"' in str(behaves.recv(timeout=30))


@contextmanager
def _live(served: Served, address: str, cookie: str) -> Iterator[ClientConnection]:
    url = served.address.replace("http", "ws", 1) + "/api/live"
    with connect(url, additional_headers={"Cookie": cookie}, source_address=(address, 0)) as found:
        assert '"p2"' in str(found.recv(timeout=30))
        yield found


def _flooded(live: ClientConnection) -> int:
    """Send far too many messages; return the code that the connection is closed with."""
    try:
        for _ in range(400):
            live.send('{"is":"ping","number":1}')
        while True:
            live.recv(timeout=30)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd is not None else 0


def test_in_the_midst_of_an_attack_from_many_addresses_a_player_logs_in_from_a_new_one(tmp_path: Path) -> None:
    with _served(tmp_path, 300) as served, _logged_in(served, KNOWN, "p2") as somebody:
        host, _, port = served.address.removeprefix("http://").partition(":")
        attack = Attack(host, int(port), somebody.cookies[COOKIE], random.Random(5), addresses=36)
        attacks = threading.Thread(target=lambda: asyncio.run(attack.goes_on(14, at_once=2)))
        attacks.start()
        while attack.seen.statuses.total() < 30:  # by then there is a queue
            assert attacks.is_alive()
            attacks.join(0.1)
        with _logged_in(served, "127.0.0.200", "p1") as new:
            assert new.get("/api/me").json()["name"] == "p1"
        assert attacks.is_alive()
        attacks.join()
        assert attack.seen.tried.total() > 36
