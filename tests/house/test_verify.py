"""The verifier: a true log holds, and whatever is changed in one is named at its entry."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from aceking.house.floor import requests as w
from aceking.house.record import StreamPart, Unit
from aceking.house.verify import Wrong, verify
from tests.house.evening import Evening


@pytest.fixture(scope="module")
def evening() -> Evening:
    house = Evening().found()
    house.open("section10", players=3)
    house.do("p1", w.AddWord(table="one", word="luck"))
    house.play(rounds=2)
    house.open("exchange", name="two", players=2)
    house.play("two")
    house.no("p1", w.CashOut(table="one", amount=10**9))
    house.bets()  # a round that is not over
    return house


def test_a_true_log_holds_and_every_unit_is_decided_again(evening: Evening) -> None:
    found = verify(evening.log)
    assert found.floor == evening.floor
    assert (found.seen.rounds, found.seen.shuffles, found.seen.older) == (3, 3, 0)
    # What was drawn for rounds that are not over, and what came after it there, waits for its seed.
    assert found.seen.sealed > 0
    assert found.seen.decided + found.seen.sealed == found.seen.entries == evening.desk.seq


Change = Callable[[dict[str, Any]], None]


def _set(key: str, value: Any) -> Change:
    return lambda event: event.__setitem__(key, value)


TAMPERED = {
    "a card dealt": ("dealt", _set("card", 51)),
    "an ante": ("staked", _set("amount", 2000)),
    "a payment left out": ("moved", None),
    "a line of money": ("settled", lambda event: event["lines"][0].update(stake=1)),
    "a decision": ("decided", _set("choice", "stay")),
    "a commitment": ("committed", _set("commitment", "0" * 64)),
    "a seed": ("seed-shown", _set("seed", "0" * 64)),
    "a word": ("word-added", _set("word", "other")),
    "chips bought": ("bought-in", _set("amount", 100_001)),
    "who sat down": ("seated", _set("player", "p3")),
    "a deposit": ("deposited", _set("amount", 2_000_000)),
    "a person's part": ("person-added", _set("role", "executive")),
    "an act of procedure": ("acted", _set("by", "sam")),
    "a clause": ("looked", _set("clause", "CSP-10(a)(1)(i)")),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_is_changed_in_an_event_is_named_at_its_entry(evening: Evening, what: str) -> None:
    tag, change = TAMPERED[what]
    log = list(evening.log())
    places = [
        (number, part, place)
        for number, (_, unit) in enumerate(log)
        for part in range(len(unit.parts))
        for place, event in enumerate(unit.parts[part].events)
        if msgspec.json.decode(event)["is"] == tag
    ]
    number, part, place = places[0]
    seq, unit = log[number]
    log[number] = (seq, _changed(unit, part, place, change))
    with pytest.raises(Wrong) as wrong:
        verify(lambda: log)
    if tag not in ("committed", "seed-shown", "word-added"):  # a seed is judged when it is shown
        assert wrong.value.seq == seq
    assert str(wrong.value).startswith(f"entry {wrong.value.seq}: ")


def _changed(unit: Unit, part: int, place: int, change: Change | None) -> Unit:
    events = list(unit.parts[part].events)
    if change is None:
        del events[place]
    else:
        event = msgspec.json.decode(events[place])
        change(event)
        events[place] = msgspec.Raw(msgspec.json.encode(event, order="deterministic"))
    parts = list(unit.parts)
    parts[part] = StreamPart(parts[part].stream, parts[part].after, tuple(events))
    return replace(unit, parts=tuple(parts))


def test_money_posted_otherwise_than_it_moved_is_found(evening: Evening) -> None:
    log = list(evening.log())
    number = next(number for number, (_, unit) in enumerate(log) if "purse/USD/p1" in unit.postings)
    seq, unit = log[number]
    posted = {**unit.postings, "purse/USD/p1": 5, "purse/USD/p2": -5}
    log[number] = (seq, replace(unit, postings=posted))
    with pytest.raises(Wrong, match=f"entry {seq}:"):
        verify(lambda: log)


def test_a_refusal_that_the_rules_do_not_give_is_found_and_so_is_a_unit_out_of_order(evening: Evening) -> None:
    log = list(evening.log())
    number = next(number for number, (_, unit) in enumerate(log) if b"deposited" in msgspec.json.encode(unit.parts))
    seq, unit = log[number]
    with pytest.raises(Wrong, match="it was refused, and the rules do not refuse it"):
        verify(lambda: [*log[:number], (seq, replace(unit, parts=(), postings={})), *log[number + 1 :]])
    with pytest.raises(Wrong):
        verify(lambda: [*log[:number], *log[number + 1 :]])
