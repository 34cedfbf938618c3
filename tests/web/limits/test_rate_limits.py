"""Who is refused again and again is heard late; others are not, and sessions that are made up help nobody."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from aceking.web.limits.rate_limits import ALONE, LATE_SECONDS, MOMENT_SECONDS, Addresses, place_of
from aceking.web.sessions import COOKIE
from tests.web.served import Served, founded


def test_a_few_refusals_cost_nothing_many_are_waited_for_and_waiting_pays_them_off() -> None:
    now = [0.0]
    owed = Addresses(60, clock=lambda: now[0])
    for _ in range(10):
        owed.refused("here")
    assert owed.late("here") == 0
    owed.refused("here")
    assert owed.late("here") == MOMENT_SECONDS
    assert owed.late("here", guess=True) == LATE_SECONDS
    owed.waiting["here"] = ALONE
    assert owed.late("here") == LATE_SECONDS
    assert owed.late("elsewhere") == 0
    now[0] = 2
    assert owed.late("here") == 0


def test_a_debt_has_an_end() -> None:
    now = [0.0]
    owed = Addresses(60, clock=lambda: now[0])
    for _ in range(10_000):
        owed.refused("here", 10)
    now[0] = 29
    assert owed.late("here") == MOMENT_SECONDS
    now[0] = 31
    assert owed.late("here") == 0


@pytest.mark.parametrize(
    ("client", "place"),
    [
        (("192.0.2.7", 5), "192.0.2.7"),
        (("2001:db8:1:2:3::4", 5), "2001:db8:1:2::/64"),
        (("a name", 5), "a name"),
        (None, "nowhere"),
    ],
)
def test_of_ipv6_a_whole_network_is_one_place(client: tuple[str, int] | None, place: str) -> None:
    assert place_of(client) == place


@pytest.fixture
def served(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    founded(url)
    found = Served(url, tmp_path, env=request.param).start()
    yield found
    found.ended()


def _from(address: str) -> httpx.Client:
    return httpx.Client(transport=httpx.HTTPTransport(local_address=address), timeout=30)


def _took(client: httpx.Client, url: str, *, at_once: int = 1) -> float:
    """How long the slowest of so many requests takes."""

    def once(_: int) -> float:
        began = time.monotonic()
        client.get(url, headers={"Connection": "close"})
        return time.monotonic() - began

    with ThreadPoolExecutor(at_once) as pool:
        return max(pool.map(once, range(at_once)))


@pytest.mark.parametrize("served", [{"ACEKING_REFUSALS_A_MINUTE": "60"}], indirect=True)
def test_an_address_from_which_much_is_refused_waits_and_another_does_not(served: Served) -> None:
    url = f"{served.address}/api/me"
    with _from("127.0.0.2") as stranger, _from("127.0.0.3") as other:
        for _ in range(14):
            assert stranger.get(url).status_code == 401
        assert _took(stranger, url, at_once=12) >= LATE_SECONDS
        assert MOMENT_SECONDS <= min(_took(stranger, url) for _ in range(5)) < LATE_SECONDS / 2
        assert min(_took(other, f"{served.address}/api/house", at_once=12) for _ in range(3)) < LATE_SECONDS


@pytest.mark.parametrize("served", [{"ACEKING_REFUSALS_A_MINUTE": "60"}], indirect=True)
def test_what_is_no_http_is_owed_for_too(served: Served) -> None:
    port = int(served.address.rpartition(":")[2])
    for _ in range(14):
        with socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.2", 0)) as raw:
            raw.sendall(b"\x00nonsense\r\n\r\n")
            assert raw.recv(100).startswith(b"HTTP/1.1 400")
    with _from("127.0.0.2") as stranger:
        assert _took(stranger, f"{served.address}/health", at_once=12) >= LATE_SECONDS


@pytest.mark.parametrize("served", [{"ACEKING_REQUESTS_A_MINUTE": "20"}], indirect=True)
def test_sessions_that_are_made_up_count_for_the_address_that_makes_them_up(served: Served) -> None:
    with _from("127.0.0.2") as stranger:
        told = [
            stranger.get(f"{served.address}/api/house", headers={"Cookie": f"{COOKIE}=made-up-{number}"}).status_code
            for number in range(30)
        ]
    assert told[:15] == [200] * 15
    assert told[-1] == 429
