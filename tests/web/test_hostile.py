"""Hostile clients over raw sockets: nothing but clear refusals, no fault, no secret, and the others play on."""

import asyncio
import json
import random
import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from aceking.client import House, HouseError
from aceking.house.floor import requests as w
from aceking.web.sessions import COOKIE
from benchmarks.hostile import CLOSES, Attack, Seen
from tests.web.served import PASSWORD, Served, founded, table

pytestmark = [pytest.mark.proof, pytest.mark.xdist_group("web")]
#: Refusals that a client may get, and what it may be shown.
STATUSES = {200, 400, 401, 403, 404, 405, 411, 413, 414, 415, 429, 431}


def _served(folder: Path, **env: str) -> Served:
    url = f"sqlite:///{folder / 'house.db'}"
    founded(url, table("t0", "section10"), ("p1", w.SitRequest(table="t0", box=1)))
    return Served(url, folder, env={"ACEKING_HEARTBEAT_SECONDS": "2", **env}).start()


def _attack(served: Served, somebody: House, seed: int, addresses: int = 1) -> Attack:
    host, _, port = served.address.removeprefix("http://").partition(":")
    return Attack(host, int(port), somebody._http.cookies[COOKIE], random.Random(seed), addresses)


def _secrets(folder: Path) -> set[bytes]:
    """What lies apart from the log: hashes, tokens, seeds, keys."""
    found: set[bytes] = set()
    with closing(sqlite3.connect(folder / "house.db")) as raw:
        for (name,) in raw.execute("SELECT secret FROM seal").fetchall():
            found |= {name, name.hex().encode()}
        for (name,) in raw.execute("SELECT hash FROM credential").fetchall():
            found.add(name.encode())
    assert len(found) > 2
    return found


def _only_refusals(seen: Seen, served: Served, secrets: set[bytes]) -> None:
    assert set(seen.statuses) <= STATUSES, seen.statuses
    assert set(seen.closes) <= CLOSES, seen.closes
    assert not {"fault", "HOUSE-fault"} & set(seen.messages)
    everything = b"\n".join(seen.texts)
    assert b"Traceback" not in everything
    assert b"HOUSE-fault" not in everything
    assert not [secret for secret in secrets if secret in everything]
    assert "Traceback" not in served.told, served.told
    for text in seen.texts:
        head, _, body = text.partition(b"\r\n\r\n")
        # A client that is refused while it still sends may have lost the end of the answer.
        if re.match(rb"HTTP/1.1 4\d\d .*json", head, re.DOTALL) and body:
            assert {"code", "reason"} <= set(json.loads(body))


@pytest.mark.parametrize(
    ("seed", "refusals_a_minute", "addresses"), [(1, "1000000", 1), (2, "1000000", 1), (3, "300", 1), (4, "300", 36)]
)
def test_every_way_to_mean_no_good_gets_refusals_and_a_witness_plays_on(
    tmp_path: Path, seed: int, refusals_a_minute: str, addresses: int
) -> None:
    """Without the limit per address, so that all of it is tried; with it; and with that of all unknown addresses."""
    served = _served(tmp_path, ACEKING_REFUSALS_A_MINUTE=refusals_a_minute)
    try:
        with served.person("p1") as witness, served.person("p2") as other:
            attack = _attack(served, other, seed, addresses)
            seen = asyncio.run(_meanwhile(attack, witness))
            witness.ask(w.BuyIn(table="t0", amount=1))
            served.person("p3").close()  # others may still come in, though names were guessed at
            _only_refusals(seen, served, _secrets(tmp_path))
            assert len(seen.tried) == len(attack.ways)
            assert seen.statuses.total() > 20
            assert seen.messages["input"]
            assert seen.closes[1002] + seen.closes[1009] + seen.closes[1007] > 0
            assert seen.closes[4429]
    finally:
        served.ended()


async def _meanwhile(attack: Attack, witness: House) -> Seen:
    """The witness asks all the while, and each time it is done."""
    goes_on = asyncio.create_task(attack.goes_on(6, at_once=2))
    asked = 0
    while not goes_on.done():
        await asyncio.to_thread(witness.ask, w.BuyIn(table="t0", amount=1))
        asked += 1
    assert asked > 3
    return await goes_on


def test_a_client_that_sends_half_a_request_is_disconnected_and_keeps_nobody_out(tmp_path: Path) -> None:
    served = _served(tmp_path)
    try:
        with served.person("p2") as other:
            attack = _attack(served, other, 3)

            async def many() -> None:
                async with asyncio.timeout(120):  # each ends because the house ends it
                    await asyncio.gather(*(attack.slow() for _ in range(200)))

            asyncio.run(many())
            assert attack.seen.messages["let go while slow"] == 200
            other.ask(w.SitRequest(table="t0", box=2))
        assert "Traceback" not in served.told
    finally:
        served.ended()


def test_a_session_that_is_over_is_nobodys_wherever_it_is_shown_again(tmp_path: Path) -> None:
    served = _served(tmp_path)
    try:
        with served.person("p2") as first:
            old = dict(first._http.cookies)
            second = served.person("p2")  # one person has one session: the new one ends the old one
            time.sleep(1.1)  # a session is looked up again after a second
            stale = httpx.get(f"{served.address}/api/me", cookies=old)
            assert (stale.status_code, stale.json()["code"]) == (401, "log-in")
            kept = dict(second._http.cookies)
            second.log_out()
            second.close()
            assert httpx.get(f"{served.address}/api/me", cookies=kept).status_code == 401
    finally:
        served.ended()


def test_guesses_lock_a_name_out_even_with_the_right_password_and_tell_nothing(tmp_path: Path) -> None:
    served = _served(tmp_path)
    try:
        told = {_refusal(served, name, f"wrong password {number}") for name in ("p1", "nobody") for number in range(4)}
        assert len(told) == 1, "who exists and who does not is told the same"
        for number in range(3):
            _refusal(served, "p1", f"once more {number}")
        assert _refusal(served, "p1", PASSWORD)
        served.person("p2").close()
    finally:
        served.ended()


def _refusal(served: Served, name: str, password: str) -> tuple[str, str]:
    with pytest.raises(HouseError) as refused:
        House(served.address, name, password)
    return refused.value.code, str(refused.value)


def test_lists_in_lists_are_refused_before_they_come_to_the_log(tmp_path: Path) -> None:
    """A later reader of the log may have less stack left: a request that is not flat is refused."""
    served = _served(tmp_path)
    try:
        with served.person("deb") as dealer, dealer.live() as live:
            live.receive(20)
            before = dealer._http.get("/health").json()["seq"]
            for deep in (25, 900, 970, 5_000):
                request = f'{{"ask":"act","table":"t0","act":{{"do":{"[" * deep}1{"]" * deep}}}}}'
                headers = {"x-csrftoken": dealer._http.cookies["csrftoken"], "content-type": "application/json"}
                body = f'{{"id":"deep-request-{deep}","wish":{request}}}'
                answer = dealer._http.post("/api/ask", content=body, headers=headers)
                assert (answer.status_code, answer.json()["code"]) == (400, "input")
                live._socket.send(f'{{"is":"ask","id":"deep-live-{deep}","wish":{request}}}')
                assert live.receive(20).code == "input"
            assert dealer._http.get("/health").json()["seq"] == before
            with pytest.raises(HouseError):
                dealer.ask(w.TableAct(table="t0", act={"do": "report", "mishap": {"of": [["this", ["depth"]]]}}))
            assert dealer._http.get("/health").json()["seq"] > before  # refused by the floor, and on the record
    finally:
        served.ended()
