"""Rounds of all games, and everything that a player's connections received: no card and no seed before its time.

`SECRET_ROUNDS=1000` plays as many, over all games together; `make torture` does.
"""

import json
import os
import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from aceking.cards.card import CardId, name
from aceking.house.floor import events as hp
from aceking.house.floor.codec import after_unit, read_events
from aceking.house.floor.states import Floor, FloorTable
from aceking.house.record import read_unit
from aceking.rules.reading.load import book_ids
from tests.web.playing import Robot
from tests.web.served import Served, founded, table

pytestmark = pytest.mark.proof

TABLES = {f"t-{book}": book for book in book_ids()}
#: At each table.
ROUNDS = -(-int(os.environ.get("SECRET_ROUNDS", "150")) // len(TABLES))
_CARD = re.compile(r'"([2-9TJQKA][cdhs])"')
_SECRET = re.compile(r"[0-9a-f]{64}")


def _hidden(one: FloorTable, box: int) -> set[str]:
    """The cards of a round under way that the player of this box may not know while decisions are open."""
    current = one.table.live_round
    if current is None:
        return set()
    if current.phase not in ("betting", "closed", "dealing", "deciding"):
        # What another has laid aside nobody sees, not even at the end.
        aside = [card for other in current.boxes.values() if other.number != box for card in other.aside]
        return {name(CardId(card)) for card in aside}
    own = current.boxes.get(box)
    known = {current.up, *(own.cards if own is not None and own.seen else ()), *((own.give,) if own else ())}
    return {name(CardId(card)) for card in current.sequence if card not in known}


def _entries(served: Served) -> Iterator[tuple[int, str]]:
    with served.person("aud") as auditor:
        after = 0
        while page := auditor._http.get(f"/api/log?after={after}&most=1000").json():
            for entry in page:
                yield entry["seq"], entry["body"]
            after = page[-1]["seq"]


@pytest.mark.timeout(900 + 3 * ROUNDS * len(TABLES))
def test_nothing_that_a_player_receives_has_a_hidden_card_or_a_seed_before_its_time(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    founded(url, *(table(one, book, bet_seconds=300, decide_seconds=300) for one, book in TABLES.items()), quick=True)
    served = Served(url, tmp_path).start()
    try:
        with served.person("p1") as ann, served.person("p2") as ben, ThreadPoolExecutor(2 * len(TABLES)) as threads:
            hers = {one: Robot(ann, "p1", one, 1, ROUNDS, pause=0.002) for one in TABLES}
            others = [Robot(ben, "p2", one, 2, ROUNDS) for one in TABLES]
            playing = [threads.submit(one.plays) for one in (*hers.values(), *others)]
            asked = {one: list(_asks(ann._http, one, playing)) for one in TABLES}
            for done in playing:
                done.result(800 + 3 * ROUNDS * len(TABLES))
        states: dict[tuple[str, int], FloorTable] = {}
        shown: dict[str, tuple[str, int]] = {}  # a seed: where it was shown, and at which version
        floor = Floor()
        for _, body in _entries(served):
            unit = read_unit(body.encode())
            floor = after_unit(floor, unit)
            for one in TABLES:
                if one in floor.tables:
                    states[one, floor.versions[f"table/{one}"]] = floor.tables[one]
            for stream, events in read_events(unit).items():
                for event in events:
                    if isinstance(event, hp.SeedShown):
                        shown[event.seed] = (stream.removeprefix("table/"), floor.versions[stream])
    finally:
        served.ended()
    assert len(shown) >= len(TABLES) * ROUNDS
    watched = 0
    for one, robot in hers.items():
        for text in [*robot.heard, *asked[one]]:
            watched += _held_against(one, text, states, shown)
    assert watched > len(TABLES) * ROUNDS


def _asks(http: Any, one: str, playing: "list[Future[None]]") -> Iterator[str]:
    """What the same player gets over HTTP meanwhile: the table, and the rounds that are over."""
    yield http.get(f"/api/tables/{one}/coach/1").text
    yield http.get("/api/house").text
    for _ in range(60):
        yield http.get(f"/api/tables/{one}").text
        yield http.get(f"/api/tables/{one}/rounds?last=2").text
        if all(done.done() for done in playing):
            return


def _held_against(
    one: str, text: str, states: dict[tuple[str, int], FloorTable], shown: dict[str, tuple[str, int]]
) -> int:
    told = json.loads(text)
    if isinstance(told, list):  # past rounds: each is over, and its seed is the one that the log has of it
        for past in told:
            assert past["seed"] in shown
            assert past["round"] <= max(state.table.rounds for (where, _), state in states.items() if where == one)
        return 0
    if "rail" not in told:
        assert not _CARD.search(text)
        assert not set(_SECRET.findall(text)) & shown.keys()
        return 0
    state = states[one, told["rail"]["version"]]
    hidden = _hidden(state, 1)
    assert not set(_CARD.findall(text)) & hidden, text
    assert not set(_SECRET.findall(text)) & shown.keys(), text
    return bool(hidden)
