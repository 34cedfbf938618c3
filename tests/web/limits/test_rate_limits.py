"""Who is refused again and again waits for turns; others do not, and sessions that are made up help nobody."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from aceking.web.limits.leaky_bucket import KEPT, LeakyBucket
from aceking.web.limits.queue import REQUEST_SECONDS
from aceking.web.limits.rate_limits import KNOWN_EACH, KNOWN_SECONDS, RateLimits, address_of
from aceking.web.sessions import COOKIE
from tests.web.limits.test_queue import SetClock
from tests.web.served import Served, founded

#: With 60 refusals a minute: what one address, and what all unknown addresses together may be refused at once.
EACH, ALL = 10, 15


def _limits() -> tuple[RateLimits, SetClock]:
    clock = SetClock()
    return RateLimits(60, clock), clock


# Buckets


def test_a_bucket_leaks_and_has_a_limit_and_a_capacity() -> None:
    clock = SetClock()
    bucket = LeakyBucket(1.0, limit=10, capacity=40, clock=clock)
    bucket.add("here", 10)
    assert (bucket.level("here"), bucket.over("here"), bucket.over("there")) == (10, False, False)
    bucket.add("here", 1_000)
    assert (bucket.level("here"), bucket.over("here")) == (40, True)
    clock.now = 29.9
    assert bucket.over("here")
    clock.now = 30
    assert not bucket.over("here")
    clock.now = 1_000
    assert bucket.level("here") == 0


def test_of_too_many_keys_the_oldest_is_forgotten() -> None:
    bucket = LeakyBucket(1.0, limit=10, capacity=40, clock=SetClock())
    for number in range(KEPT - 1):
        bucket.add(f"{number}", 5)
    bucket.add("0", 1)
    bucket.add("the last", 5)
    assert len(bucket) == KEPT
    bucket.add("one more", 5)
    assert len(bucket) == KEPT
    assert [bucket.level(key) for key in ("0", "1", "2", "one more")] == [6, 0, 5, 5]


# Addresses


def test_a_few_refusals_cost_nothing_and_many_limit_their_address_for_a_while() -> None:
    limits, clock = _limits()
    for _ in range(EACH):
        limits.refused("here")
    assert not limits.limited("here")
    limits.refused("here")
    assert limits.limited("here")
    assert not limits.limited("elsewhere")
    clock.now = 2
    assert not limits.limited("here")


def test_one_address_limits_nobody_else_however_long_it_goes_on() -> None:
    limits, clock = _limits()
    for _ in range(1_000):
        for _ in range(5):
            limits.refused("here")
        assert not limits.limited("elsewhere")
        clock.now += 0.1
    assert limits.limited("here")


def test_many_addresses_together_limit_all_unknown_addresses() -> None:
    limits, clock = _limits()
    for number in range(ALL):
        limits.refused(f"192.0.2.{number}")
    assert not limits.limited("elsewhere")
    limits.refused("192.0.2.99")
    assert limits.limited("elsewhere")
    for number in range(100):  # and as long as they go on
        clock.now += 0.5
        limits.refused(f"192.0.2.{number}")
    assert limits.limited("elsewhere")
    clock.now += 5
    assert not limits.limited("elsewhere")


def _besiege(limits: RateLimits) -> None:
    for number in range(ALL + 5):
        limits.refused(f"attacker {number}")
    assert limits.limited("elsewhere")


def test_a_known_address_is_not_limited_by_what_others_are_refused_nor_they_by_what_it_is() -> None:
    limits, _ = _limits()
    limits.served("at home", "ann")
    for _ in range(1_000):
        limits.refused("at home")
    assert not limits.limited("elsewhere")
    limits.served("at work", "ann")
    _besiege(limits)
    assert not limits.limited("at work")
    assert limits.limited("at home")  # for itself it is


def test_an_address_is_known_for_as_long_as_a_session_lasts() -> None:
    limits, clock = _limits()
    limits.served("at home", "ann")
    clock.now = KNOWN_SECONDS
    assert limits.known("at home")
    clock.now += 1
    assert not limits.known("at home")
    limits.served("at home", "ann")
    assert limits.known("at home")


def test_an_account_makes_the_last_few_addresses_known_that_it_was_served_at() -> None:
    limits, _ = _limits()
    homes = [f"home {number}" for number in range(KNOWN_EACH)]
    for home in homes:
        limits.served(home, "ann")
    limits.served(homes[0], "ann")
    assert all(limits.known(home) for home in homes)
    limits.served("one more", "ann")
    assert [home for home in homes if not limits.known(home)] == [homes[1]]
    assert limits.known("one more")


def test_an_account_over_its_limit_makes_no_address_known() -> None:
    limits, clock = _limits()
    limits.served("here", "bob")
    for number in range(EACH):
        limits.refused(f"anywhere {number}", account="bob")
    assert limits.known("here")
    limits.refused("anywhere else", account="bob")
    assert not limits.known("here")
    limits.served("there", "bob")
    assert not limits.known("there")
    clock.now = 1
    assert limits.known("here")
    assert not limits.known("there")
    limits.served("there", "bob")
    assert limits.known("there")


@pytest.mark.parametrize("first", ["ann", "bob"])
def test_an_address_shared_with_an_account_over_its_limit_stays_known_by_the_other(first: str) -> None:
    limits, _ = _limits()
    limits.served("the bar", first)
    limits.served("the bar", "ann")
    for _ in range(EACH + 1):
        limits.refused("elsewhere", account="bob")
    limits.served("the bar", "ann")
    assert limits.known("the bar")


def test_of_too_many_known_addresses_the_oldest_is_forgotten() -> None:
    limits, _ = _limits()
    for number in range(KEPT + 1):
        limits.served(f"home {number}", f"account {number}")
    assert not limits.known("home 0")
    assert limits.known("home 1")


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (("192.0.2.7", 5), "192.0.2.7"),
        (("2001:db8:1:2:3::4", 5), "2001:db8:1:2::/64"),
        (("a name", 5), "a name"),
        (None, "nowhere"),
    ],
)
def test_of_ipv6_a_whole_network_is_one_address(client: tuple[str, int] | None, address: str) -> None:
    assert address_of(client) == address


# Served


@pytest.fixture
def served(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    founded(url)
    found = Served(url, tmp_path, env=request.param).start()
    yield found
    found.ended()


def _from(address: str) -> httpx.Client:
    return httpx.Client(transport=httpx.HTTPTransport(local_address=address), timeout=30)


def _seconds(client: httpx.Client, url: str, *, at_once: int) -> float:
    """Return the seconds that the slowest of these requests takes, each on a connection of its own."""

    def once(_: int) -> float:
        began = time.monotonic()
        client.get(url, headers={"Connection": "close"})
        return time.monotonic() - began

    with ThreadPoolExecutor(at_once) as pool:
        return max(pool.map(once, range(at_once)))


@pytest.mark.proof
@pytest.mark.parametrize("served", [{"ACEKING_REFUSALS_A_MINUTE": "60"}], indirect=True)
def test_connections_from_an_address_over_its_limit_take_turns_and_others_do_not(served: Served) -> None:
    url = f"{served.address}/api/me"
    with _from("127.0.0.2") as limited, _from("127.0.0.3") as other:
        for _ in range(40):
            assert limited.get(url).status_code == 401
        assert _seconds(limited, url, at_once=30) >= 20 * REQUEST_SECONDS
        assert min(_seconds(other, f"{served.address}/health", at_once=30) for _ in range(3)) < 20 * REQUEST_SECONDS


@pytest.mark.proof
@pytest.mark.parametrize("served", [{"ACEKING_REFUSALS_A_MINUTE": "6"}], indirect=True)
def test_a_refusal_over_the_limit_closes_its_connection(served: Served) -> None:
    with _from("127.0.0.2") as limited:
        answers = [limited.get(f"{served.address}/api/me") for _ in range(4)]
    assert [answer.headers.get("connection") for answer in answers] == [None, "close", "close", "close"]


@pytest.mark.proof
@pytest.mark.parametrize("served", [{"ACEKING_REFUSALS_A_MINUTE": "60"}], indirect=True)
def test_bytes_that_are_not_http_count_too_and_wait(served: Served) -> None:
    port = int(served.address.rpartition(":")[2])
    began = time.monotonic()
    for _ in range(40):
        with socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.2", 0)) as raw:
            raw.sendall(b"\x00nonsense\r\n\r\n")
            assert raw.recv(100).startswith(b"HTTP/1.1 400")
    assert time.monotonic() - began >= 20 * REQUEST_SECONDS
    with _from("127.0.0.2") as limited:
        assert _seconds(limited, f"{served.address}/health", at_once=30) >= 20 * REQUEST_SECONDS


@pytest.mark.proof
@pytest.mark.parametrize("served", [{"ACEKING_REQUESTS_A_MINUTE": "20"}], indirect=True)
def test_sessions_that_are_made_up_count_for_the_address_that_makes_them_up(served: Served) -> None:
    with _from("127.0.0.2") as limited:
        statuses = [
            limited.get(f"{served.address}/api/house", headers={"Cookie": f"{COOKIE}=made-up-{number}"}).status_code
            for number in range(30)
        ]
    assert statuses[:15] == [200] * 15
    assert statuses[-1] == 429
