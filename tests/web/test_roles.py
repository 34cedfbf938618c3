"""Who may do what: every route, request and message is tried in every role and without a log-in."""

import json
from collections.abc import Iterator
from typing import Any, get_args

import httpx
import msgspec
import pytest

from aceking.client import House, HouseError, RequestRefusedError
from aceking.house.floor import requests as w
from aceking.table import player as pl
from aceking.web.live import messages as m
from tests.web.served import Served, founded, table

#: Somebody of each part, and nobody.
WHO = {
    "nobody": None,
    "player": "p1",
    "dealer": "deb",
    "floorperson": "fay",
    "supervisor": "sam",
    "executive": "eve",
    "manager": "max",
    "cashier": "cas",
    "auditor": "aud",
    "device": "dev",
}
ALL = {*WHO}
KNOWN = ALL - {"nobody"}
PIT = {"floorperson", "supervisor", "executive", "manager"}
REPORTS = {"auditor", "executive", "manager", "supervisor"}

#: Each route with what is sent, who gets this answer, and the answer; all others who are logged in get 403, nobody 401.
ROUTES: dict[tuple[str, str], tuple[str, Any, set[str], int]] = {
    ("get", "/health"): ("/health", None, ALL, 200),
    ("get", "/api/schema/asyncapi.json"): ("/api/schema/asyncapi.json", None, ALL, 200),
    ("get", "/api/schema/openapi"): ("/api/schema/openapi", None, ALL, 200),
    ("get", "/api/house"): ("/api/house", None, ALL, 200),
    ("get", "/api/meters"): ("/api/meters", None, ALL, 200),
    ("get", "/api/tables/{table}"): ("/api/tables/one", None, ALL, 200),
    ("get", "/api/tables/{table}/rounds"): ("/api/tables/one/rounds", None, ALL, 200),
    ("get", "/api/tables/{table}/rounds/{number}"): ("/api/tables/one/rounds/1", None, ALL, 404),
    ("get", "/api/tables/{table}/returns"): ("/api/tables/one/returns", None, ALL, 200),
    ("get", "/api/tables/{table}/printed"): ("/api/tables/one/printed", None, ALL, 200),
    ("get", "/api/tables/{table}/clauses"): ("/api/tables/one/clauses", None, ALL, 200),
    ("get", "/api/lab/books"): ("/api/lab/books", None, ALL, 200),
    ("get", "/api/lab/books/{book}"): ("/api/lab/books/rws", None, ALL, 200),
    ("get", "/api/lab/books/{book}/clauses"): ("/api/lab/books/rws/clauses", None, ALL, 200),
    ("get", "/api/lab/price/{book}"): ("/api/lab/price/colorado-required", None, ALL, 200),
    ("get", "/api/lab/curve/{book}"): ("/api/lab/curve/colorado-required?row=flush", None, ALL, 200),
    ("get", "/api/lab/chart/{book}"): ("/api/lab/chart/colorado-required", None, ALL, 200),
    ("get", "/api/lab/deal"): ("/api/lab/deal", None, ALL, 200),
    ("get", "/api/lab/trainer/{book}"): ("/api/lab/trainer/colorado-required", None, ALL, 200),
    ("get", "/api/lab/sheet/{book}"): ("/api/lab/sheet/nothing", None, ALL, 404),
    ("get", "/api/tables/{table}/coach/{box}"): ("/api/tables/one/coach/1", None, {"player"}, 404),
    ("get", "/api/tables/{table}/console"): ("/api/tables/one/console", None, PIT | {"dealer"}, 200),
    ("post", "/api/tables/{table}/trial"): (
        "/api/tables/one/trial",
        {"report": {"do": "report", "mishap": "dispute"}},
        PIT | {"dealer"},
        200,
    ),
    ("get", "/api/meters/{meter}"): ("/api/meters/none", None, PIT | {"auditor"}, 404),
    ("get", "/api/meters/{meter}/history"): ("/api/meters/none/history", None, PIT | {"auditor"}, 404),
    ("get", "/api/pit"): ("/api/pit", None, PIT, 200),
    ("get", "/api/books"): ("/api/books", None, ALL, 200),
    ("get", "/api/me"): ("/api/me", None, KNOWN, 200),
    ("get", "/api/purse"): ("/api/purse", None, {"player"}, 200),
    ("get", "/api/waiting"): ("/api/waiting", None, PIT | {"cashier"}, 200),
    ("get", "/api/log"): ("/api/log", None, {"auditor"}, 200),
    ("get", "/api/export"): ("/api/export", None, {"auditor"}, 200),
    ("get", "/api/days"): ("/api/days", None, REPORTS, 200),
    ("get", "/api/days/{day}"): ("/api/days/2020-01-01", None, REPORTS, 404),
    ("get", "/api/audit/rounds"): ("/api/audit/rounds", None, REPORTS, 200),
    ("get", "/api/audit/rounds/{table}/{number}"): ("/api/audit/rounds/one/1", None, REPORTS, 404),
    ("get", "/api/audit/rounds/{table}/{number}/chain"): ("/api/audit/rounds/one/1/chain", None, {"auditor"}, 404),
    ("get", "/api/audit/file"): ("/api/audit/file?upto=1", None, {"auditor"}, 200),
    ("post", "/api/login"): ("/api/login", {"name": "stranger", "password": "let me in"}, ALL, 401),
    ("post", "/api/ask"): ("/api/ask", {"id": "route-{}", "wish": {"ask": "ready", "table": "one"}}, KNOWN, 200),
    ("post", "/api/password"): ("/api/password", {"old": "wrong", "new": "another password"}, set(), 204),
    ("post", "/api/logout"): ("/api/logout", None, KNOWN, 204),
}

#: An example of each request, and the roles that may send it. The floor decides whether it is done; any other role
#: gets HOUSE-access.
REQUESTS: tuple[tuple[Any, set[str]], ...] = (
    (w.PlayRequest(table="one", act=pl.GiveUp(box=1)), {"player"}),
    (w.TableAct(table="one", act={"do": "report", "mishap": "interruption"}), PIT | {"dealer", "device"}),
    (w.SitRequest(table="one", box=9), {"player", "dealer"}),
    (w.Rise(table="one", box=9), {"player", "dealer"}),
    (w.BuyIn(table="one", amount=100), {"player", "dealer"}),
    (w.CashOut(table="one", amount=100), {"player"}),
    (w.AddWord(table="one", word="luck"), {"player"}),
    (w.SayReady(table="one"), {"player"}),
    (w.Read(table="one", card=1), {"device"}),
    (w.SetTable(table="one", name="again", book="section10", ante_min=1000, ante_max=2000), PIT),
    (w.Assign(table="one", role="dealer"), PIT),
    (w.CloseTable(table="one", back=True), PIT),
    (w.FileBook(files={}), {"manager", "executive"}),
    (w.Deposit(player="p1", currency="USD", amount=1), {"cashier"}),
    (w.Withdraw(player="p1", currency="USD", amount=1), {"cashier"}),
    (w.Fill(table="one", amount=100), PIT),
    (w.PutFloat(currency="USD", amount=100), {"cashier"}),
    (w.Approve(number=999), PIT | {"cashier"}),
    (w.OnMeter(meter="m", act={"do": "open"}), PIT),
    (w.AddPerson(name="p1", role="player"), {"manager", "executive"}),
    (w.GiveRole(name="nobody", role="player"), {"manager", "executive"}),
    (w.Bar(name="nobody", reason="to see"), {"manager", "executive"}),
    (w.CloseDay(day="2999-01-01"), {"executive", "auditor"}),
)
#: What the house asks of itself: no page can.
OWN = ("tick", "gone", "back", "found", "start", "sign-day", "note")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("roles")
    url = f"sqlite:///{folder / 'house.db'}"
    founded(url, table("one", "section10"), quick=True)
    served = Served(url, folder).start()
    yield served
    served.ended()


def _enter(house: Served, part: str) -> House:
    name = WHO[part]
    return House(house.address) if name is None else house.person(name)


def _expected(part: str, who: set[str], status: int) -> int:
    return status if part in who else 401 if part == "nobody" else 403


def test_the_tables_above_have_every_route_request_and_message(house: Served) -> None:
    paths = httpx.get(f"{house.address}/api/schema/openapi").json()["paths"]
    assert {(method, path) for path, methods in paths.items() for method in methods} == ROUTES.keys()
    assert {type(request) for request, _ in REQUESTS} == set(get_args(w.AnyRequest))
    assert set(OWN) == {kind.__struct_config__.tag for kind in get_args(w.OwnRequest)}
    assert set(get_args(m.FromClient)) == {m.Ask, m.Watch, m.Unwatch, m.Follow, m.WatchFloor, m.Ping}


@pytest.mark.parametrize("part", WHO)
def test_every_route_answers_each_role_as_the_table_says(house: Served, part: str) -> None:
    with _enter(house, part) as somebody:
        found, wanted = {}, {}
        for (method, path), (sent, body, who, status) in ROUTES.items():
            text = None if body is None else json.dumps(body).replace("{}", part)
            headers = {"x-csrftoken": somebody._http.cookies["csrftoken"], "content-type": "application/json"}
            answer = somebody._http.request(method, sent, content=text, headers=headers)
            found[method, path] = answer.status_code
            wanted[method, path] = _expected(part, who, status)
            if not answer.is_success:
                assert set(answer.json()) >= {"code", "reason"}
        assert found == wanted


@pytest.mark.parametrize("part", WHO)
def test_every_request_is_refused_to_the_roles_that_may_not_send_it(house: Served, part: str) -> None:
    with _enter(house, part) as somebody:
        for request, who in REQUESTS:
            told = _asked(somebody, request)
            if part == "nobody":
                assert told == "log-in", request
            else:
                assert (told != "HOUSE-access") == (part in who), (request, told)
            assert told != "HOUSE-fault"
        for tag in OWN:
            body = {"id": f"own-{part}-{tag}", "wish": {"ask": tag, "table": "one"}}
            headers = {"x-csrftoken": somebody._http.cookies["csrftoken"]}
            assert somebody._http.post("/api/ask", json=body, headers=headers).status_code == _expected(
                part, KNOWN, 400
            )


def _asked(somebody: House, body: Any) -> str:
    """The code of a refusal, or nothing where it was done."""
    try:
        somebody.ask(body)
    except (RequestRefusedError, HouseError) as refused:
        return refused.code
    return ""


@pytest.mark.parametrize("part", WHO)
def test_every_live_message_answers_each_role(house: Served, part: str) -> None:
    with _enter(house, part) as somebody, somebody.live() as live:
        welcome = live.receive(5)
        assert (welcome.name, welcome.role) == (WHO[part], None if part == "nobody" else part)
        live.send(m.Watch(table="one"))
        assert isinstance(live.receive(5), m.TableIs)
        live.send(m.Unwatch(table="one"))
        live.send(m.Ping(number=1))
        assert live.receive(5) == m.Pong(number=1)
        live.send(m.WatchFloor())
        floor = live.receive(5)
        assert isinstance(floor, m.FloorIs)
        assert bool(floor.purse) == (part == "player")
        live.send(m.Follow(after=welcome.seq - 1))
        wanted = m.Entry if part == "auditor" else m.Sorry
        assert isinstance(live.receive(5), wanted)
        live.send(m.Ask(id=f"live-{part}", wish=w.Approve(number=999)))
        while isinstance(answer := live.receive(5), m.Entry | m.FloorIs):
            pass
        if part == "nobody":
            assert answer == m.Sorry(code="log-in", reason="log in first", id="live-nobody")
        else:
            assert (answer.reply.refused.clause == "HOUSE-access") == (part not in PIT | {"cashier"})


def test_refused_access_is_on_the_record(house: Served) -> None:
    with house.person("deb") as dealer:
        assert dealer._http.get("/api/export").status_code == 403
        assert _asked(dealer, w.Deposit(player="p1", currency="USD", amount=1)) == "HOUSE-access"
    with house.person("aud") as auditor:
        log = auditor._http.get("/api/log?most=1000").json()
    units = [json.loads(entry["body"]) for entry in log]
    events = [event for unit in units for part in unit.get("parts", ()) for event in part["events"]]
    wanted = {(event["name"], event["what"]) for event in events if event["is"] == "access-refused"}
    assert ("deb", "/api/export") in wanted
    refused = [unit for unit in units if unit["by"] == "deb" and "HOUSE-access" in json.dumps(unit["reply"])]
    assert any(unit["asked"]["ask"] == "deposit" for unit in refused)


def test_a_request_under_another_persons_id_gets_neither_their_answer_nor_anything_done(house: Served) -> None:
    with house.person("p2") as ben, house.person("p3") as carol:
        sit = w.SitRequest(table="one", box=5)
        ben.ask(sit, request="bens-own-request")
        assert _asked_as(carol, sit, "bens-own-request") == "HOUSE-id"
        assert carol.table("one").rail.seats[5] == "p2"
        assert msgspec.to_builtins(ben.ask(sit, request="bens-own-request"))["done"]


def _asked_as(somebody: House, body: Any, request: str) -> str:
    with pytest.raises(RequestRefusedError) as refused:
        somebody.ask(body, request=request)
    return refused.value.code
