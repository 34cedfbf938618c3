"""The lab over HTTP, for who has not logged in: exact answers, wrong input in a sentence, a house that goes on."""

import json
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import httpx
import pytest

from aceking.exact.games import changed, edge
from aceking.rules.reading.load import book_ids, load_book
from tests.web.served import Served

pytestmark = pytest.mark.proof


def _get(served: Served, path: str, **query: Any) -> httpx.Response:
    """Get a page of the lab; after a 429, ask again."""
    for _ in range(60):
        found = httpx.get(f"{served.address}/api/lab/{path}", params=query, timeout=60)
        if found.status_code != 429:
            return found
        assert int(found.headers["retry-after"]) >= 1
        time.sleep(1)
    raise AssertionError(f"{path}: never counted")


def test_the_books_and_what_can_be_moved_in_them(served: Served) -> None:
    assert [one["book"] for one in _get(served, "books").json()] == list(book_ids())
    for name in book_ids():
        assert _get(served, f"books/{name}").json()["book"]["title"] == load_book(name).title
        words = _get(served, f"books/{name}/clauses").json()
        assert words.keys() == load_book(name).clauses.keys()


def test_a_price_is_exact_and_kept(served: Served) -> None:
    moved, _ = changed(load_book("section10"), pays={"full_house": 8, "pair": "3 to 2"})
    query = {"pays": ["full_house=8", "pair=3 to 2"], "meter": "250000"}
    found = _get(served, "price/section10", **query).json()
    assert Fraction(found["now"]["figures"]["house_edge"]) == edge(moved).house_edge
    assert found["what_if"]
    begun = time.perf_counter()
    assert _get(served, "price/section10", **query).json() == found
    assert time.perf_counter() - begun < 2


def test_curve_chart_trainer_and_deal_answer(served: Served) -> None:
    curve = _get(served, "curve/section10", row="flush", pays="flush=6").json()
    assert [one["odds"] for one in curve["points"] if one.get("now")] == ["6"]
    chart = _get(served, "chart/colorado-required").json()
    assert len(chart["rows"]) == 13
    hand = _get(served, "trainer/section10", family="border").json()
    assert hand["family"] == "border"
    assert {one["choice"] for one in hand["choices"]} == {"bet", "fold"}
    deal = _get(served, "deal", player="Qs Js Ts 9s 8s", dealer="Ah Kd 9c 5s 2d", how="best").json()
    assert [one["book"] for one in deal["under"]] == list(book_ids())
    assert deal["more"] not in deal["player"] + deal["dealer"]
    moved = _get(served, "deal", book="section10", pays="straight_flush=60", player="Qs Js Ts 9s 8s").json()
    assert moved["under"][-1]["what_if"]


def test_the_sheet_is_a_file_to_be_saved(served: Served) -> None:
    page = _get(served, "sheet/colorado-required", pays="flush=9")
    assert page.headers["content-disposition"] == 'attachment; filename="colorado-required.what-if.html"'
    assert page.headers["content-type"].startswith("text/html")
    assert "This is a what-if" in page.text
    data = _get(served, "sheet/colorado-required", pays="flush=9", form="json")
    assert json.loads(data.text)["document"]["book"] == "colorado-required"


@pytest.mark.parametrize(
    ("path", "query", "status", "says"),
    [
        ("price/nothing", {}, 404, "there is no book 'nothing'"),
        ("books/nothing", {}, 404, "there is no book"),
        ("books/nothing/clauses", {}, 404, "there is no book"),
        ("price/..%2F..%2Fetc%2Fpasswd", {}, 404, ""),
        ("price/section10", {"pays": "full_hous=8"}, 400, "did you mean"),
        ("price/section10", {"pays": "full_house=100001"}, 400, "more than 100,000"),
        ("price/section10", {"pays": "x" * 5000}, 400, ""),
        ("price/section10", {"pays": ["flush=6"] * 100}, 400, "more than a book has"),
        ("price/section10", {"option": "progressive-paytable={}x"}, 400, "JSON"),
        ("price/section10", {"meter": "-5"}, 400, "not an amount"),
        ("price/section10", {"meter": "9" * 20}, 400, ""),
        ("price/section10", {"ante": "0"}, 400, "the ante cannot be 0"),
        ("curve/section10", {"row": "nothing"}, 400, "no pay row"),
        ("curve/section10", {}, 400, ""),
        ("trainer/section10", {"family": "pair"}, 400, "no hands of the family"),
        ("trainer/section10", {"family": "nonsense"}, 400, ""),
        ("trainer/section10", {"like": "Ah"}, 400, "6 different cards"),
        ("deal", {"player": "Ah Ah Kd Qc 2s"}, 400, "twice"),
        ("deal", {"how": "sleep"}, 400, ""),
        ("sheet/section10", {"form": "exe"}, 400, ""),
    ],
)
def test_wrong_input_is_told_in_a_sentence(
    served: Served, path: str, query: dict[str, Any], status: int, says: str
) -> None:
    found = _get(served, path, **query)
    assert found.status_code == status, found.text
    told = found.json()
    assert told["code"] in ("input", "unknown")
    assert says in told["reason"]


def test_the_house_answers_while_the_lab_counts(served: Served) -> None:
    """A chart of a book with an exchange takes many seconds; meanwhile the house is asked, again and again."""
    with ThreadPoolExecutor(1) as apart:
        chart = apart.submit(_get, served, "chart/exchange", pays="pair=2")
        time.sleep(0.5)
        slowest = 0.0
        for _ in range(40):
            begun = time.perf_counter()
            assert httpx.get(f"{served.address}/health", timeout=10).status_code == 200
            slowest = max(slowest, time.perf_counter() - begun)
            time.sleep(0.02)
        assert slowest < 2, "on a machine with other work; on a quiet one it is milliseconds"
        assert len(chart.result().json()["rows"]) > 20


def test_after_a_server_that_was_killed_no_counting_is_left(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("killed")
    from tests.web.served import founded, table

    url = f"sqlite:///{folder / 'house.db'}"
    founded(url, table("one", "section10"), quick=True)
    one = Served(url, folder).start()
    try:
        assert _get(one, "price/colorado-required").status_code == 200
        workers = _children(one.process.pid)
        assert workers
    finally:
        os.kill(one.process.pid, signal.SIGKILL)
        one.process.wait(30)
    ends = time.monotonic() + 30
    while any(_alive(pid) for pid in workers):
        assert time.monotonic() < ends, "a process outlives its server"
        time.sleep(0.2)


def _children(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(one) for one in file.read().split()]


def _alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
