"""The consoles over the API: a live table of every book run from first notice to the rack by what they say is due."""

from collections.abc import Iterator
from typing import Any

import pytest

from aceking.client import House, RequestRefusedError
from aceking.house.floor import requests as w
from aceking.rules.reading.load import book_ids, load_book
from tests.web.running import CARDS, LiveTable
from tests.web.served import Served, founded, table

STAFF = ("deb", "fay", "sam", "eve")
#: What a house must post where its book leaves that open.
AWARDS = {"four_of_a_kind": "500", "full_house": "100", "flush": "50"}
WASHINGTON = {"royal_flush": "100%", "straight_flush": "10%", **AWARDS}


def _table(book: str) -> tuple[str, w.SetTable]:
    posted: dict[str, Any] = {"exchange": {"awards": AWARDS}, "washington": {"awards": WASHINGTON}}.get(book, {})
    reset = 1_000_000 if load_book(book).progressive is not None else None
    return table(book, book, mode="live", reset=reset, **posted)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("consoles")
    url = f"sqlite:///{folder / 'house.db'}"
    founded(url, *(_table(book) for book in book_ids()), table("electronic", "section10"), quick=True)
    served = Served(url, folder).start()
    yield served
    served.ended()


@pytest.fixture
def staff(house: Served) -> Iterator[list[House]]:
    people = [house.person(name) for name in STAFF]
    yield people
    for one in people:
        one.close()


@pytest.mark.parametrize("book", book_ids())
def test_a_round_by_what_is_due_and_by_what_is_entered(house: Served, staff: list[House], book: str) -> None:
    live = LiveTable(book, staff)
    live.seat("p1", 2, cash=100_000)
    held = list[int]()
    for _ in range(150):
        before = len(live.cards)
        due = live.console(staff[0]).get("due")
        did = live.step()
        if due is not None and due.get("to") == "box 2":
            held += CARDS[52 - before : 52 - len(live.cards)]
        if did in ("round-ended", "END GAME"):
            break
        if did is None:
            _play(live, next(iter(held), None))
    view = staff[0].table(book).rail
    assert view.common.phase == "done"
    [box] = view.common.boxes
    assert {line.wager for line in box.lines} == {"ante", "bet"}
    assert all(line.clause in load_book(book).clauses for line in box.lines)
    assert float(view.chips["p1"]) == 1000 + float(box.net or "") == 1000 + sum(float(line.net) for line in box.lines)


def _play(live: LiveTable, discard: int | None) -> None:
    """What the player of box 2 does, as far as the console offers it."""
    offers = {one["offer"]["do"]: one for one in live.console(live.staff[0])["entries"]}
    assert all("cards" not in one["offer"] for one in offers.values()), "a player's cards are their own"
    if "bet" in offers and "look" not in offers:
        live.enter("bet", 2, **({"discard": discard} if offers["bet"].get("card") else {}))
    elif "look" in offers:
        live.enter("look", 2)
    else:
        live.enter("ante", 2, amount=1000)


def test_what_was_done_is_told_in_its_order_with_clauses_and_ends_with_the_round(
    house: Served, staff: list[House]
) -> None:
    live = LiveTable("rws", staff)
    while live.step() != "bets-opened":
        pass
    steps = live.console(staff[0])["steps"]
    assert [one["act"] for one in steps][-1] == "bets-opened"
    assert len(steps) < 10  # of this round alone
    assert all(one["by"] for one in steps)
    told = {one["clause"] for one in steps if one.get("clause")}
    assert told, "acts of a round are told with their clauses, whichever round of the evening it is"
    assert told <= load_book("rws").clauses.keys()


def test_the_mishaps_of_a_book_have_its_clauses_and_a_trial_moves_nothing(house: Served, staff: list[House]) -> None:
    console = LiveTable("section10", staff).console(staff[0])
    clauses = load_book("section10").clauses
    assert {one["clause"] for one in console["mishaps"]} <= clauses.keys()
    assert "void-round" not in {one["mishap"] for one in console["mishaps"]}  # nobody reports it
    before = staff[0].table("section10").rail.version
    body = {"report": {"do": "report", "mishap": "walk-away"}}
    headers = {"x-csrftoken": staff[0]._http.cookies["csrftoken"]}
    told = staff[0]._http.post("/api/tables/section10/trial", json=body, headers=headers).json()
    assert told["clause"] in ("BASE-input", "BASE-time")  # which box was it; or there has been no round yet
    assert staff[0].table("section10").rail.version == before
    body = {"report": {"do": "report", "mishap": "walk-away", "by": "eve"}}
    told = staff[0]._http.post("/api/tables/section10/trial", json=body, headers=headers).json()
    assert told["clause"] == "HOUSE-input"  # who reports is not for the request to say


def test_a_dealer_seats_players_at_live_tables_alone(house: Served, staff: list[House]) -> None:
    dealer = staff[0]

    def refused(body: Any) -> str:
        with pytest.raises(RequestRefusedError) as found:
            dealer.ask(body)
        return str(found.value.code)

    assert refused(w.SitRequest(table="electronic", box=1, player="p2")) == "HOUSE-seat"
    assert refused(w.SitRequest(table="washington", box=1)) == "HOUSE-people"
    assert refused(w.SitRequest(table="washington", box=1, player="eve")) == "HOUSE-people"
    dealer.ask(w.SitRequest(table="washington", box=1, player="p2"))
    assert refused(w.Rise(table="washington", box=1, player="p3")) == "HOUSE-seat"
    dealer.ask(w.Rise(table="washington", box=1, player="p2"))
    with house.person("p3") as carol, pytest.raises(RequestRefusedError, match="for themselves"):
        carol.ask(w.SitRequest(table="washington", box=1, player="p2"))


def test_the_pit_sees_every_table_with_what_is_due_and_what_waits(house: Served, staff: list[House]) -> None:
    pit = staff[2]._http.get("/api/pit").json()
    assert {one["id"] for one in pit["tables"]} == {*book_ids(), "electronic"}
    by_id = {one["id"]: one for one in pit["tables"]}
    assert "due" not in by_id["electronic"]  # the program does it
    assert by_id["section10"].get("stub_in", 0) is not None
    staff[0].ask(w.TableAct(table="exchange", act={"do": "report", "mishap": "dispute"}))
    asked = next(one for one in staff[2]._http.get("/api/pit").json()["tables"] if one["id"] == "exchange")
    [question] = asked["questions"]
    assert question["answers"]
