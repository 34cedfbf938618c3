"""The API over real sockets: log-ins, who may what, limits, records, live connections."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from aceking.client import House, HouseError, Live, RequestRefusedError
from aceking.house.floor import requests as w
from aceking.table import player as pl
from aceking.web.live import messages as m
from tests.web.served import PASSWORD, Served


def _code(error: pytest.ExceptionInfo[HouseError]) -> str:
    return error.value.code


def test_everybody_sees_the_house_and_who_logs_in_is_known(served: Served) -> None:
    with House(served.address) as nobody:
        assert {one.id for one in nobody.house().tables} == {"one", "two", "live", "paused"}
        with pytest.raises(HouseError) as error:
            nobody.me()
        assert _code(error) == "log-in"
        with pytest.raises(HouseError) as error:
            nobody.ask(w.SitRequest(table="one", box=1))
        assert _code(error) == "log-in"
    with served.person("p1") as ann:
        assert (ann.me().name, ann.me().role) == ("p1", "player")
        ann.log_out()
        with pytest.raises(HouseError):
            ann.me()


def test_a_wrong_password_is_told_no_more_than_that_and_locks_after_five(served: Served) -> None:
    with House(served.address) as somebody:
        for name in ("p4", "nobody-at-all"):
            with pytest.raises(HouseError, match="name or password is wrong") as error:
                somebody.log_in(name, "wrong")
            assert _code(error) == "log-in"
        for _ in range(3):
            with pytest.raises(HouseError, match="name or password is wrong"):
                somebody.log_in("p4", "wrong")
        with pytest.raises(HouseError, match="locked") as error:
            somebody.log_in("p4", "wrong")
        assert _code(error) == "too-many"
        with pytest.raises(HouseError, match="locked"):
            somebody.log_in("p4", PASSWORD)
    events = [event for entry in _log(served) for event in entry.get("people", ())]
    refused = [event for event in events if event["is"] == "access-refused" and event["name"] == "p4"]
    assert len(refused) >= 5
    assert any(event["is"] == "locked-out" and event["name"] == "p4" for event in events)


def _log(served: Served) -> list[dict[str, Any]]:
    """The events of every entry, by stream, as the auditor reads them."""
    with served.person("aud") as auditor:
        found: list[dict[str, Any]] = []
        after = 0
        while True:
            page = auditor._http.get(f"/api/log?after={after}&most=1000").json()
            if not page:
                return found
            for one in page:
                found.append({part["stream"]: part["events"] for part in json.loads(one["body"]).get("parts", ())})
                after = one["seq"]


@pytest.mark.proof
def test_one_person_has_one_session(served: Served) -> None:
    with served.person("p3") as first, served.person("p3") as second:
        time.sleep(1.2)
        with pytest.raises(HouseError):
            first.me()
        assert second.me().name == "p3"


def test_what_another_sites_page_sends_or_what_has_no_token_is_refused(served: Served) -> None:
    with served.person("p1") as ann:
        body = {"id": "forged-request", "wish": {"ask": "sit", "table": "one", "box": 7}}
        token = {"x-csrftoken": ann._http.cookies["csrftoken"]}
        assert ann._http.post("/api/ask", json=body).status_code == 403
        assert ann._http.post("/api/ask", json=body, headers={"x-csrftoken": "0" * 128}).status_code == 403
        foreign = ann._http.post("/api/ask", json=body, headers={**token, "origin": "https://elsewhere.example"})
        assert (foreign.status_code, foreign.json()["code"]) == (403, "origin")
        assert ann.table("one").rail.seats.get(7) is None
    cookies = "; ".join(f"{one.name}={one.value}" for one in ann._http.cookies.jar)
    headers = {"Cookie": cookies, "Origin": "https://elsewhere.example"}
    with connect(served.address.replace("http", "ws") + "/api/live", additional_headers=headers) as socket:
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=60)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4403


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b'{"id": "12345678"}', 400),
        (b'{"id": "12345678", "wish": {"ask": "rule the world"}}', 400),
        (b'{"id": "12345678", "wish": {"ask": "sit", "table": "one", "box": 0}}', 400),
        (b'{"id": "12345678", "wish": {"ask": "sit", "table": "one", "box": 1, "by": "eve"}}', 400),
        (b'{"id": "short", "wish": {"ask": "ready", "table": "one"}}', 400),
        (b'{"id": "12345678", "wish": {"ask": "tick", "table": "one", "what": "decision"}}', 400),
        (b'{"id": "12345678", "wish": {"ask": "note", "event": {}}}', 400),
        (b'{"id": "' + b"x" * 600_000 + b'"}', 413),
        (b'{"id": "12345678", "wish": ' + b"[" * 50_000 + b"]" * 50_000 + b"}", 400),
    ],
)
def test_bad_input_is_one_sentence_and_never_a_fault(served: Served, body: bytes, status: int) -> None:
    with served.person("p2") as ben:
        headers = {"x-csrftoken": ben._http.cookies["csrftoken"], "content-type": "application/json"}
        answer = ben._http.post("/api/ask", content=body, headers=headers)
        assert answer.status_code == status, answer.text
        assert set(answer.json()) >= {"code", "reason"}
        assert "Traceback" not in answer.text


def test_unknown_paths_and_methods_and_tables_are_told_so(served: Served) -> None:
    with served.person("p2") as ben:
        assert ben._http.get("/api/nothing").status_code == 404
        assert ben._http.get("/api/tables/nowhere").status_code == 404
        assert ben._http.put("/api/ask", headers={"x-csrftoken": ben._http.cookies["csrftoken"]}).status_code == 405
        with pytest.raises(RequestRefusedError) as refused:
            ben.ask(w.SitRequest(table="nowhere", box=1))
        assert _code(refused) == "HOUSE-table"


def test_every_answer_has_the_headers_that_keep_pages_apart(served: Served) -> None:
    answer = httpx.get(f"{served.address}/api/house")
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "server" not in answer.headers
    with served.person("p1") as ann:
        cookie = ann._http.cookies.jar
        session = next(one for one in cookie if one.name == "aceking")
        assert session.has_nonstandard_attr("HttpOnly")
        assert session.get_nonstandard_attr("SameSite") == "strict"


def test_a_round_by_two_players_who_see_each_other_live(served: Served) -> None:
    with served.person("p1") as ann, served.person("p2") as ben, ann.live("one") as anns, ben.live("one") as bens:
        for box, (live, name) in enumerate(((anns, "p1"), (bens, "p2")), start=1):
            live.ask(w.SitRequest(table="one", box=box))
            live.ask(w.BuyIn(table="one", amount=50_000))
            assert ann.table("one").rail.seats[box] == name
        for box, live in ((1, anns), (2, bens)):
            live.ask(w.PlayRequest(table="one", act=pl.PlaceAnte(box=box, amount=1000)))
        for live in (anns, bens):
            live.ask(w.SayReady(table="one"))
        anns.ask(w.PlayRequest(table="one", act=pl.SeeHand(box=1)))
        mine, theirs = ann.table("one"), ben.table("one")
        assert len([card for card in mine.own.boxes[0].cards if card]) == 5
        assert theirs.own.boxes == ()  # ben has not looked
        assert all(card is None for card in theirs.rail.common.boxes[0].cards)
        assert mine.rail.seal is not None
        anns.ask(w.PlayRequest(table="one", act=pl.GiveUp(box=1)))
        bens.ask(w.PlayRequest(table="one", act=pl.GiveUp(box=2)))
        seen = _until(bens, lambda view: view.rail.common.phase == "done" or (view.rail.common.round or 0) > 1)
        assert seen.rail.version > theirs.rail.version
        [past] = ann.rounds("one", last=1)
        assert (past.round, past.commitment) == (1, mine.rail.seal.commitment)
        assert len(bytes.fromhex(past.seed)) == 32
        assert len(past.events) > 50


def _until(live: Any, holds: Any) -> m.TableIs:
    for view in live.views():
        if holds(view):
            return view  # type: ignore[no-any-return]
    raise AssertionError("the connection ended")


def test_the_same_request_over_two_ways_is_done_once(served: Served) -> None:
    with served.person("p3") as carol, carol.live("two") as live:
        live.ask(w.SitRequest(table="two", box=3))
        first = carol.ask(w.BuyIn(table="two", amount=7_000), request="only-once-please")
        assert live.ask(w.BuyIn(table="two", amount=7_000), request="only-once-please") == first
        assert carol.table("two").rail.chips["p3"] == "70"
        with pytest.raises(RequestRefusedError) as refused:
            carol.ask(w.BuyIn(table="two", amount=8_000), request="only-once-please")
        assert _code(refused) == "HOUSE-id"


_DEEP = '{"is":"ask","id":"12345678","wish":' + "[" * 5_000 + "]" * 5_000 + "}"


def test_a_bad_message_is_answered_and_the_connection_stays(served: Served) -> None:
    with served.person("p2") as ben, ben.live() as live:
        assert isinstance(live.receive(5), m.Welcome)
        for text in (
            "{",
            "[]",
            '{"is":"dance"}',
            '{"is":"ask","id":"12345678","wish":{"ask":"sit"}}',
            "x" * 20_000,
            _DEEP,
        ):
            live._socket.send(text)
            assert isinstance(live.receive(5), m.Sorry)
        live._socket.send(b'{"is":"ping","number":3}')  # a text in a binary frame is read all the same
        assert live.receive(5) == m.Pong(number=3)
        live._socket.send(b"\xff\xfe")
        assert isinstance(live.receive(5), m.Sorry)
        live.send(m.Watch(table="nowhere"))
        assert isinstance(live.receive(5), m.Sorry)
        live.send(m.Follow())
        assert live.receive(5) == m.Sorry(code="access", reason="the log is for the auditor")


def test_a_connection_that_sends_too_much_is_closed_and_no_other_is(served: Served) -> None:
    with served.person("p2") as ben, ben.live() as loud, ben.live() as quiet:
        with pytest.raises((HouseError, ConnectionClosed)):
            _shout(loud)
        quiet.send(m.Ping(number=7))
        assert isinstance(quiet.receive(5), m.Welcome)
        assert quiet.receive(5) == m.Pong(number=7)


def _shout(live: Live) -> None:
    for number in range(2_000):
        live.send(m.Ping(number=number))
    for _ in range(2_000):
        live.receive(5)


def test_the_auditor_follows_the_log_from_the_entry_they_name(served: Served) -> None:
    with served.person("aud") as auditor, auditor.live() as live:
        welcome = live.receive(5)
        assert isinstance(welcome, m.Welcome)
        live.send(m.Follow(after=welcome.seq - 3))
        entries = [live.receive(5) for _ in range(3)]
        assert [one.seq for one in entries] == [welcome.seq - 2, welcome.seq - 1, welcome.seq]
        with served.person("cas") as cashier:
            cashier.ask(w.Deposit(player="p1", currency="EUR", amount=5))
        seen = b""
        while b'"deposited"' not in seen:
            seen = bytes(live.receive(5).body)


def test_reports_and_records_are_for_those_who_may(served: Served) -> None:
    paths = ("/api/days", "/api/export", "/api/log", "/api/waiting")
    answers = {}
    for name in ("p1", "deb", "cas", "aud", "eve"):
        with served.person(name) as somebody:
            answers[name] = [somebody._http.get(path).status_code for path in paths]
    assert answers == {
        "p1": [403, 403, 403, 403],
        "deb": [403, 403, 403, 403],
        "cas": [403, 403, 403, 200],
        "aud": [200, 200, 200, 403],
        "eve": [200, 403, 403, 200],
    }
    events = [event for entry in _log(served) for event in entry.get("people", ())]
    assert any(event["is"] == "access-refused" and event["name"] == "deb" for event in events)


@pytest.mark.proof
def test_the_robot_of_thirty_lines_plays_its_rounds(served: Served) -> None:
    root = Path(__file__).resolve().parent.parent.parent
    robot = [sys.executable, str(root / "examples" / "robot.py"), served.address, "paused", "p3", PASSWORD]
    done = subprocess.run(robot, capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("before me") == 3


def test_the_documents_of_the_api_are_there(served: Served) -> None:
    routes = httpx.get(f"{served.address}/api/schema/openapi").json()
    assert {"/api/ask", "/api/login", "/api/tables/{table}", "/health"} <= set(routes["paths"])
    live = httpx.get(f"{served.address}/api/schema/asyncapi.json").json()
    assert live["asyncapi"] == "3.0.0"
    page = httpx.get(f"{served.address}/api/reference").text
    for kind in msgspec.inspect.type_info(w.AnyRequest).types:  # type: ignore[attr-defined]
        assert f"<code>{kind.tag}</code>" in page
    metrics = httpx.get(f"{served.address}/metrics").text
    assert "aceking_log_entries" in metrics
