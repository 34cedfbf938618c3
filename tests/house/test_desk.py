"""The desk: once and only once, in order, whatever the store says of a batch."""

import gc
import random
from typing import Any

import pytest

from aceking.house.desk import Reply
from aceking.house.floor import requests as w
from aceking.house.floor.decide import decide
from aceking.house.floor.states import Floor
from aceking.house.record import Unit, read_unit
from aceking.house.store.errors import StoreFailed
from aceking.house.verify import verify
from aceking.rules.reading.load import book_ids
from aceking.table import player as pl
from tests.house.evening import Evening
from tests.house.store.disk import Crashed, DiskFault
from tests.house.store.memory import MemoryStore


def _house() -> Evening:
    house = Evening().found()
    house.open("section10", players=3)
    return house


def _ante(box: int, amount: int = 1000) -> w.PlayRequest:
    return w.PlayRequest(table="one", act=pl.PlaceAnte(box=box, amount=amount))


def _staked(house: Evening, box: int) -> int:
    current = house.table("one").table.live_round
    assert current is not None
    found = current.boxes.get(box)
    return 0 if found is None else found.ante


def test_the_same_request_twice_happens_once_and_gets_the_same_answer() -> None:
    house = _house()
    first = house.ask("p1", _ante(1), name="mine")
    assert house.ask("p1", _ante(1), name="mine") == first
    assert _staked(house, 1) == 1000


def test_the_same_id_for_another_request_or_by_another_person_is_refused() -> None:
    house = _house()
    house.ask("p1", _ante(1), name="mine")
    for who, body in (("p1", _ante(1, 2000)), ("p2", _ante(1))):
        reply = house.ask(who, body, name="mine")
        assert reply.refused is not None
        assert reply.refused.clause == "HOUSE-id"
    assert _staked(house, 1) == 1000


def test_a_refusal_is_remembered_as_well() -> None:
    house = _house()
    refused = house.ask("p4", _ante(4), name="early")
    assert refused.refused is not None
    house.do("p4", w.SitRequest(table="one", box=4))
    house.do("p4", w.BuyIn(table="one", amount=5000))
    assert house.ask("p4", _ante(4), name="early") == refused
    assert _staked(house, 4) == 0


def test_after_a_restart_the_answers_are_still_known() -> None:
    house = _house()
    first = house.ask("p1", _ante(1), name="mine")
    again = house.again()
    assert again.ask("p1", _ante(1), name="mine") == first
    assert _staked(again, 1) == 1000
    reply = again.ask("p1", _ante(1, 3000), name="mine")
    assert reply.refused is not None
    assert reply.refused.clause == "HOUSE-id"


def test_requests_are_decided_on_each_other_while_a_batch_is_being_written() -> None:
    house = _house()
    house.desk.ask(house.request("p1", _ante(1), "a"), at=house.at)
    flying = house.desk.take()
    house.desk.ask(house.request("p1", _ante(1, -1000), "b"), at=house.at)  # only possible after a
    assert house.desk.take() == []
    assert _staked(house, 1) == 0  # nothing is sure yet
    answers = house.desk.written(house.store.append(flying))
    assert [one.request.id for one in answers] == ["a"]
    assert _staked(house, 1) == 1000
    answers = house.desk.written(house.store.append(house.desk.take()))
    assert [one.reply.refused for one in answers] == [None]
    assert _staked(house, 1) == 0


def test_one_request_that_was_answered_before_does_not_spoil_the_others_of_its_batch() -> None:
    house = _house()
    house.ask("p1", _ante(1), name="a")
    again = house.again()  # it has not the answer in memory, and decides `a` once more
    for who, body, name in (("p1", _ante(1), "a"), ("p2", _ante(2), "b"), ("p3", _ante(3), "c")):
        again.desk.ask(again.request(who, body, name), at=again.at)
    answered = {}
    while units := again.desk.take():
        for one in again.desk.written(again.store.append(units)):
            answered[one.request.id] = one
        if again.desk.behind:
            again.desk.catch_up([])
    assert [(name, answered[name].again, answered[name].reply.refused) for name in "abc"] == [
        ("a", True, None),
        ("b", False, None),
        ("c", False, None),
    ]
    assert [_staked(again, box) for box in (1, 2, 3)] == [1000, 1000, 1000]


def test_who_is_overtaken_by_another_process_is_decided_again() -> None:
    house = _house()
    other = Evening(seed=2, disk=house.disk, at=house.at)
    other.store = house.store
    other.desk.catch_up(house.log(), house.store.sealed())
    house.desk.ask(house.request("p1", _ante(1), "a"), at=house.at)
    other.desk.ask(other.request("p2", _ante(2), "b"), at=other.at)
    house.desk.written(house.store.append(house.desk.take()))
    before = other.desk.seq
    assert other.desk.written(other.store.append(other.desk.take())) == []  # a conflict: it waits
    moved = other.desk.catch_up(((seq, unit) for seq, unit in house.log() if seq > before), house.store.sealed())
    assert moved == {"table/one"}
    answers = other.desk.written(other.store.append(other.desk.take()))
    assert [one.reply.refused for one in answers] == [None]
    assert (_staked(other, 1), _staked(other, 2)) == (1000, 1000)
    assert not other.desk.behind
    house.desk.catch_up(house.log())
    assert house.floor == other.floor


@pytest.mark.parametrize("how", ["full", "broken"])
def test_where_the_disk_fails_nothing_has_happened_and_the_same_request_can_come_again(how: str) -> None:
    house = _house()
    before = house.floor
    house.disk.faults[house.disk.operations + 1] = DiskFault(how)  # type: ignore[arg-type]
    house.desk.ask(house.request("p1", _ante(1), "a"), at=house.at)
    with pytest.raises(StoreFailed):
        house.store.append(house.desk.take())
    assert [one.id for one in house.desk.failed()] == ["a"]
    assert house.floor == before
    house.store = MemoryStore(house.disk)
    assert house.ask("p1", _ante(1), name="a").refused is None
    assert _staked(house, 1) == 1000


def test_a_crash_at_any_write_of_a_round_loses_nothing_that_was_answered() -> None:
    """The disk crashes at its n-th operation, for every n of a round; what was answered is there afterwards, once."""
    whole = _house()
    start = whole.disk.operations
    whole.play()
    operations = whole.disk.operations - start
    assert operations > 20
    for number in range(1, operations + 1, 3):
        house = _house()
        house.disk.faults[start + number] = DiskFault("crash")
        with pytest.raises(Crashed):
            house.play()
        sure = house.floor
        house.disk.crash()
        again = house.again()
        for stream, version in sure.versions.items():
            assert again.floor.versions[stream] >= version
        assert again.desk.seq - house.desk.seq in (0, 1)


def test_a_clock_that_steps_back_stands_still() -> None:
    house = _house()
    house.do("p1", _ante(1))
    moment = house.floor.moment
    house.at -= 3_600_000
    house.do("p2", _ante(2))
    assert house.floor.moment == moment
    assert house.table("one").table.clock <= moment


def test_what_was_decided_on_a_request_that_turns_out_to_be_a_repeated_one_is_decided_again() -> None:
    house = _house()
    house.ask("p1", w.CashOut(table="one", amount=30_000), name="out")  # 70,000 of 100,000 are left
    again = house.again()
    desk, store = again.desk, again.store
    desk.ask(again.request("p1", w.CashOut(table="one", amount=30_000), "out"), at=again.at)
    desk.ask(again.request("p1", w.CashOut(table="one", amount=60_000), "more"), at=again.at)
    answers = desk.written(store.append(desk.take()))
    assert [one.request.id for one in answers] == ["out"]
    desk.catch_up(((one.seq, read_unit(one.body)) for one in store.log(desk.seq)), store.sealed())
    [more] = desk.written(store.append(desk.take()))
    assert more.reply.refused is None
    assert again.table("one").chips("p1") == 10_000
    assert verify(again.log).floor == again.floor


def _other(house: Evening) -> Evening:
    """Another process on the same log."""
    other = Evening(seed=2, disk=house.disk, at=house.at)
    other.store = house.store
    other.desk.catch_up(house.log(), house.store.sealed())
    return other


def _all_written(house: Evening) -> dict[str, Reply]:
    found: dict[str, Reply] = {}
    while units := house.desk.take():
        found |= {one.request.id: one.reply for one in house.desk.written(house.store.append(units))}
        if house.desk.behind:
            house.desk.catch_up(house.log(), house.store.sealed())
    return found


def test_nothing_is_written_that_was_decided_on_a_request_that_was_overtaken() -> None:
    """The other process moved the table by as many events: the number alone would fit."""
    house = _house()
    other = _other(house)
    house.do("p4", w.SitRequest(table="one", box=4))
    other.desk.ask(other.request("p5", w.SitRequest(table="one", box=5), "first"), at=other.at)
    other.desk.ask(other.request("p6", w.SitRequest(table="one", box=4), "second"), at=other.at)
    answers = _all_written(other)
    assert answers["first"].refused is None
    refused = answers["second"].refused
    assert refused is not None
    assert refused.clause == "HOUSE-seat"
    assert other.table("one").seats[4] == "p4"
    assert verify(other.log).floor == other.floor


def test_a_refusal_is_of_the_house_as_it_is_when_it_is_written() -> None:
    house = _house()
    other = _other(house)
    house.do("p4", w.SitRequest(table="one", box=4))
    other.desk.ask(other.request("p4", w.BuyIn(table="one", amount=5000), "chips"), at=other.at)
    assert _all_written(other)["chips"].refused is None  # at the process that was asked, p4 did not sit yet


def test_who_was_barred_at_another_process_does_nothing_more() -> None:
    house = _house()
    other = _other(house)
    house.do("max", w.Bar(name="p1", reason="a word too many"))
    other.desk.ask(other.request("p1", _ante(1), "late"), at=other.at)
    refused = _all_written(other)["late"].refused
    assert refused is not None
    assert refused.clause == "HOUSE-access"


def test_a_request_that_comes_again_while_it_is_under_way_is_decided_once() -> None:
    house = _house()
    for _ in range(2):
        assert house.desk.ask(house.request("p1", _ante(1), "mine"), at=house.at) is None
    house.desk.ask(house.request("p1", _ante(1, -1000), "back"), at=house.at)
    assert [unit.id for unit in house.desk.take()] == ["mine", "back"]
    assert [one.id for one in house.desk.failed()] == ["mine", "back"]
    house.desk.ask(house.request("p1", _ante(1), "mine"), at=house.at)
    assert _all_written(house)["mine"].refused is None


def test_a_day_is_closed_over_every_table_that_stands_when_it_is_written() -> None:
    house = _house()
    other = _other(house)
    house.open("section10", name="two", players=0)
    other.desk.ask(other.request("eve", w.CloseDay(day="2026-09-21"), "close"), at=other.at)
    assert _all_written(other)["close"].refused is None
    assert other.floor.house.days["2026-09-21"].tables.keys() == {"one", "two"}
    assert verify(other.log).floor == other.floor


def _and_another_table() -> Evening:
    house = _house()
    house.open("section10", name="two", players=0)
    for box in (4, 5):
        house.do(f"p{box}", w.SitRequest(table="two", box=box))
        house.do(f"p{box}", w.BuyIn(table="two", amount=100_000))
    return house


@pytest.fixture
def decided(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whose requests were decided, one after another."""
    names: list[str] = []

    def counted(floor: Floor, sender: w.Sender, *about: Any, **more: Any) -> Any:
        names.append(sender.name)
        return decide(floor, sender, *about, **more)

    monkeypatch.setattr("aceking.house.desk.decide", counted)
    return names


def test_only_who_was_decided_on_what_another_process_moved_is_decided_again(decided: list[str]) -> None:
    house = _and_another_table()
    other = _other(house)
    there = w.PlayRequest(table="two", act=pl.PlaceAnte(box=5, amount=1000))
    for who, body, name in (("p1", _ante(1), "a"), ("p5", there, "b"), ("p1", _ante(1, -1000), "c")):
        other.desk.ask(other.request(who, body, name), at=other.at)
    house.do("p4", w.PlayRequest(table="two", act=pl.PlaceAnte(box=4, amount=1000)))
    decided.clear()
    other.desk.catch_up(house.log(), house.store.sealed())
    assert decided == ["p5"]
    assert [one.refused for one in _all_written(other).values()] == [None, None, None]
    assert (_staked(other, 1), other.table("two").chips("p5")) == (0, 99_000)
    assert verify(other.log).floor == other.floor


def test_who_was_decided_on_somebody_who_is_decided_again_is_so_too(decided: list[str]) -> None:
    house = _and_another_table()
    other = _other(house)
    other.desk.ask(other.request("p1", w.BuyIn(table="one", amount=500), "a"), at=other.at)
    other.desk.ask(other.request("p2", _ante(2), "b"), at=other.at)  # of the cage it knows nothing
    house.do("cas", w.Deposit(player="p7", currency="USD", amount=1))
    decided.clear()
    other.desk.catch_up(house.log(), house.store.sealed())
    assert decided == ["p1", "p2"]


def test_who_waits_and_was_decided_on_a_repeated_request_is_decided_again(decided: list[str]) -> None:
    house = _and_another_table()
    house.ask("p1", _ante(1), name="a")
    again = house.again()
    again.desk.ask(again.request("p1", _ante(1), "a"), at=again.at)
    flying = again.desk.take()
    again.desk.ask(again.request("p2", _ante(2), "b"), at=again.at)
    decided.clear()
    [told] = again.desk.written(again.store.append(flying))
    assert (told.again, decided) == (True, ["p2"])


def test_seeds_of_a_batch_that_was_written_in_part_are_known() -> None:
    house = _house()
    house.play()
    house.open("section10", name="two", players=0)
    house.do("p4", w.SitRequest(table="two", box=4))
    house.ask("p4", w.BuyIn(table="two", amount=500), name="a")
    again = house.again()
    again.at += 3_600_000
    again.desk.ask(again.request("p4", w.BuyIn(table="two", amount=500), "a"), at=again.at)
    again.desk.ask(again.request("house", w.Tick(table="one", what="next-round"), "b"), at=again.at)
    before = again.store.sealed()
    first, second = again.desk.written(again.store.append(again.desk.take()))
    assert (first.again, second.again, second.reply.refused) == (True, False, None)
    assert again.desk.seeds == again.store.sealed() != before


def test_what_was_written_and_not_read_when_the_log_failed_is_read_as_anothers() -> None:
    """Found by the simulator: who came after the failure was decided without it, and was taken to stand on it."""
    house = _and_another_table()
    other = _other(house)
    other.desk.ask(other.request("p1", _ante(1), "a"), at=other.at)
    flying = other.desk.take()
    house.do("p4", w.PlayRequest(table="two", act=pl.PlaceAnte(box=4, amount=1000)))
    other.desk.written(other.store.append(flying))
    assert other.desk.behind
    other.desk.failed()  # the log could not be read
    other.desk.ask(other.request("p2", _ante(2), "b"), at=other.at)
    other.desk.catch_up(house.log(), house.store.sealed())
    current = other.desk.newest.tables["one"].table.live_round
    assert current is not None
    assert [current.boxes[box].ante for box in (1, 2)] == [1000, 1000]
    assert _all_written(other)["b"].refused is None
    assert verify(other.log).floor == other.floor


def test_what_was_written_behind_entries_of_another_process_is_as_it_was_decided() -> None:
    house = _and_another_table()
    other = _other(house)
    other.desk.ask(other.request("p1", _ante(1), "a"), at=other.at)
    flying = other.desk.take()
    other.desk.ask(other.request("p2", _ante(2), "b"), at=other.at)  # waits, decided on what flies
    house.do("p4", w.PlayRequest(table="two", act=pl.PlaceAnte(box=4, amount=1000)))
    [answer] = other.desk.written(other.store.append(flying))
    assert (answer.request.id, other.desk.behind, _staked(other, 1)) == ("a", True, 0)
    assert other.desk.own_unit(answer.seq) is flying[0]
    assert other.desk.catch_up(house.log(), house.store.sealed()) == {"table/one", "table/two"}
    assert other.desk.own_unit(answer.seq) is None
    assert _all_written(other)["b"].refused is None
    assert [_staked(other, box) for box in (1, 2)] == [1000, 1000]
    assert verify(other.log).floor == other.floor


@pytest.mark.parametrize("seed", range(30))
def test_two_processes_in_any_order_come_to_one_floor_and_answer_everybody_once(seed: int) -> None:
    dice, house = random.Random(seed), _and_another_table()
    desks = [house, _other(house)]
    asked: dict[str, Evening] = {}
    answers: list[str] = []
    flying: dict[int, list[Unit]] = {}
    boxes = {"p1": ("one", 1), "p2": ("one", 2), "p3": ("one", 3), "p4": ("two", 4), "p5": ("two", 5)}

    def steps(number: int) -> None:
        one = desks[number]
        one.at += dice.randrange(30)
        match dice.choice(["ask", "ask", "ask", "take", "write", "hear"]):
            case "ask":
                who = dice.choice([*boxes])
                table, box = boxes[who]
                requests: list[Any] = [
                    w.PlayRequest(table=table, act=pl.PlaceAnte(box=box, amount=dice.choice((1000, 2000, -1000)))),
                    w.CashOut(table=table, amount=dice.choice((100, 60_000))),
                    w.BuyIn(table=table, amount=500),
                    w.SayReady(table=table),
                    w.PlayRequest(table=table, act=dice.choice((pl.SeeHand, pl.GiveUp))(box=box)),
                ]
                asked[f"r{len(asked)}"] = one
                one.desk.ask(one.request(who, dice.choice(requests), f"r{len(asked) - 1}"), at=one.at)
            case "take" if number not in flying and not one.desk.behind:
                flying[number] = one.desk.take(dice.randrange(1, 6))
            case "write" if number in flying:
                answers.extend(told.request.id for told in one.desk.written(one.store.append(flying.pop(number))))
                if one.desk.behind:
                    one.desk.catch_up(one.log(), one.store.sealed())
            case "hear" if number not in flying:
                one.desk.catch_up(one.log(), one.store.sealed())
            case _:
                pass
        assert not one.desk.faults

    for _ in range(250):
        steps(dice.randrange(2))
    for number, units in flying.items():
        answers.extend(told.request.id for told in desks[number].desk.written(desks[number].store.append(units)))
        desks[number].desk.catch_up(desks[number].log(), desks[number].store.sealed())
    for one in desks:
        answers.extend(_all_written(one))
    for one in desks:
        one.desk.catch_up(one.log(), one.store.sealed())
    assert sorted(answers) == sorted(asked)
    assert desks[0].floor == desks[1].floor == verify(house.log).floor
    assert desks[0].desk.seeds == desks[1].desk.seeds == house.store.sealed()


@pytest.mark.parametrize("book", book_ids())
def test_nothing_of_a_round_waits_for_the_collector_of_cycles(book: str) -> None:
    """A server collects seldom: what held itself would stay, with all the states of the floor that it saw."""
    house = Evening().found()
    house.open(book, players=3)
    house.play()
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        house.play()
        gc.collect()
        left = {type(one).__qualname__ for one in gc.garbage if type(one).__module__.startswith("aceking")}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
    assert not left
