"""Bad names and ids over a real server: refused in plain words, always answered, never a fault of the server."""

import json
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from aceking.client import House, HouseError
from tests.web.served import PASSWORD, Served

pytestmark = pytest.mark.xdist_group("web")

ID, NAME = "request-1234", "one"
WRONG_IDS = ("{}\n", "\n{}", "{}\r", "{}\u2028", "{}\0", "a\n{}", "", "x" * 65)
WRONG_NAMES = ("{}\n", "\n{}", "{}\r", "{}\u2028", "{}\0", "a\n{}", "", "x" * 41)
#: Every key of a request that holds a name, an id, a day or a currency.
REQUESTS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"ask": "sit", "table": "one", "box": 1}, "table"),
    ({"ask": "sit", "table": "one", "box": 1, "player": "p1"}, "player"),
    ({"ask": "add-person", "name": "new", "role": "player"}, "name"),
    ({"ask": "deposit", "player": "p1", "currency": "EUR", "amount": 1}, "player"),
    ({"ask": "deposit", "player": "p1", "currency": "EUR", "amount": 1}, "currency"),
    ({"ask": "meter", "meter": "m", "act": {"do": "open"}}, "meter"),
    ({"ask": "assign", "table": "one", "role": "dealer", "persons": ["deb"]}, "persons"),
    ({"ask": "close-day", "day": "2020-01-01"}, "day"),
    ({"ask": "bar", "name": "p1", "reason": "a test"}, "name"),
    ({"ask": "set-table", "table": "t", "name": "T", "book": "rws", "ante_min": 1, "ante_max": 2}, "table"),
)


def _post(person: House, body: Any) -> httpx.Response:
    http = person._http
    return http.post("/api/ask", json=body, headers={"x-csrftoken": http.cookies["csrftoken"]})


def _refused(response: httpx.Response, *statuses: int) -> None:
    assert response.status_code in statuses, response.text
    assert response.json()["reason"]


@pytest.mark.parametrize("odd", WRONG_IDS)
def test_a_wrong_id_is_a_plain_400_each_time_it_comes(served: Served, odd: str) -> None:
    with served.person("p1") as person:
        body = {"id": odd.format(ID), "wish": {"ask": "sit", "table": "one", "box": 1}}
        for _ in range(2):
            _refused(_post(person, body), 400)
    assert "Traceback" not in served.told


@pytest.mark.parametrize("odd", WRONG_NAMES)
def test_a_wrong_name_is_a_plain_400_wherever_it_stands(served: Served, odd: str) -> None:
    with served.person("max") as person:
        for number, (body, key) in enumerate(REQUESTS):
            value = body[key]
            wrong = [odd.format(value[0])] if isinstance(value, list) else odd.format(value)
            _refused(_post(person, {"id": f"{ID}-{number}", "wish": {**body, key: wrong}}), 400)
    assert "Traceback" not in served.told


def test_a_live_connection_answers_a_wrong_id_and_a_wrong_name_and_stays(served: Served) -> None:
    with served.person("p1") as person, person.live() as live:
        for odd in WRONG_IDS:
            wrong = odd.format(ID)
            live._socket.send(json.dumps({"is": "ask", "id": wrong, "wish": {"ask": "ready", "table": "one"}}))
            assert _sorry(live)["id"] == (wrong if len(wrong) <= 64 else None)
        for odd in WRONG_NAMES:
            live._socket.send(json.dumps({"is": "watch", "table": odd.format(NAME)}))
            assert _sorry(live)["code"] == "input"
        live._socket.send(json.dumps({"is": "ping", "number": 7}))
        assert json.loads(live._socket.recv(10)) == {"is": "pong", "number": 7}
    assert "Traceback" not in served.told


def _sorry(live: Any) -> dict[str, Any]:
    """The next refusal; a connection begins with a welcome."""
    while (told := json.loads(live._socket.recv(10)))["is"] == "welcome":
        continue
    assert told["is"] == "sorry", told
    return {"id": None, **told}


@pytest.mark.parametrize("odd", WRONG_NAMES)
def test_a_wrong_name_in_an_address_or_a_search_is_refused(served: Served, odd: str) -> None:
    wrong = odd.format(NAME)
    with served.person("aud") as auditor:
        for key in ("table", "player"):
            found = auditor._http.get("/api/audit/rounds", params={key: wrong})
            if wrong:
                _refused(found, 400)
            else:
                assert found.status_code == 200  # nothing is asked of the name
        if wrong:
            for ask in (auditor.table, auditor.returns, auditor.rounds):
                with pytest.raises(HouseError):
                    ask(wrong)
            for path in ("/api/meters/{}", "/api/days/{}", "/api/audit/rounds/{}/1", "/api/lab/books/{}"):
                _refused(auditor._http.get(path.format(quote(wrong, safe=""))), 400, 404)
    assert "Traceback" not in served.told


def test_a_wrong_name_at_the_log_in_is_answered_as_an_unknown_one(served: Served) -> None:
    with House(served.address) as nobody:
        told = set()
        for name in ("nobody", *(odd.format("max") for odd in WRONG_NAMES[:6])):
            with pytest.raises(HouseError) as found:
                nobody.log_in(name, PASSWORD)
            told.add(str(found.value))
    assert len(told) == 1, told
    assert "Traceback" not in served.told


@pytest.mark.parametrize(
    "path",
    ["/api/tables/one/rounds/{}", "/api/log?after={}", "/api/export?after={}", "/api/tables/one/rounds?before={}"],
)
def test_a_number_that_no_database_can_hold_is_refused(served: Served, path: str) -> None:
    with served.person("aud") as person:
        for number in (2**63 - 1, 2**63, 10**30):
            _refused(person._http.get(path.format(number)), 400)
    assert "Traceback" not in served.told
