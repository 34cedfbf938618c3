"""What stands at a table: which kind a device is, whether it is there, and what becomes of a shoe that stops."""

from typing import Any

import pytest
from msgspec.structs import replace

from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.devices import at_table, has_stopped_in_deal, is_device, kind_of, of_kind, set_up, was_removed
from aceking.table.phases import dealing, opening
from aceking.table.required_machines import components, missing_components, required_components
from aceking.table.state import Device, TableState
from tests.table.handled import at_table as with_table
from tests.table.handled import events, no, now
from tests.table.test_next_act import chosen
from tests.table.test_out_of_time import at

STUD, EXCHANGE, WASHINGTON = load_book("section10"), load_book("exchange"), load_book("washington")
AUTOMATED = chosen("section10", dealing_method="automated-shoe", shuffle_method="automated")
BARE = TableState(id="t", book="section10", digest="d", mode="live")


def with_devices(**devices: Any) -> TableState:
    """A table with these devices, each with its status."""
    return replace(BARE, devices={name.replace("_", " "): Device(status=status) for name, status in devices.items()})


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("shuffler", "shuffler"),
        ("Shuffling machine", "shuffler"),
        ("shoe", "shoe"),
        ("manual-shoe", "shoe"),
        ("automated shoe", "automated shoe"),
        ("Automatic Shoe", "automated shoe"),
        ("display", "display"),
        ("big Monitor", "display"),
        ("progressive display", "display"),
        *((word, "jackpot") for word in ("jackpot", "progressive", "acceptor", "sensor", "controller", "keypad")),
        ("automatic lamp", None),
        ("hand", None),
    ],
)
def test_a_device_is_of_a_kind_whatever_the_house_calls_it(name: str, kind: str | None) -> None:
    assert kind_of(name) == kind


def test_a_table_has_devices_of_a_kind_and_the_parts_of_its_system() -> None:
    assert WASHINGTON.system is not None
    parts = {**components(WASHINGTON.system.first), **components(WASHINGTON.system.second)}
    unusual = [part for part in parts if kind_of(part) is None]
    for part in parts:
        assert is_device(WASHINGTON, part)
        assert is_device(WASHINGTON, part.upper())
    for part in unusual:
        assert not is_device(STUD, part), part
    assert is_device(STUD, "shuffler")
    assert not is_device(STUD, "lamp")


def test_the_parts_of_a_system_have_their_least_versions() -> None:
    assert components(("Controller 2 2.6.0", "progressive display", "Link")) == {
        "controller 2": "2.6.0",
        "progressive display": "",
        "link": "",
    }
    assert required_components(STUD) == {}
    assert WASHINGTON.system is not None
    chosen_parts = WASHINGTON.system.first if WASHINGTON.system.chosen == "first" else WASHINGTON.system.second
    assert required_components(WASHINGTON) == components(chosen_parts)
    names = list(components(chosen_parts))
    assert missing_components(WASHINGTON, BARE) == names
    fitted = {name.upper(): Device(status="fitted") for name in names[1:]}
    assert missing_components(WASHINGTON, replace(BARE, devices=fitted)) == names[:1]
    faulty = {name: Device(status="faulty") for name in names}
    assert missing_components(WASHINGTON, replace(BARE, devices=faulty)) == names


def test_what_the_house_chose_stands_there() -> None:
    assert set_up(STUD) == {"shoe"}
    assert set_up(AUTOMATED) == {"shuffler", "automated shoe"}
    assert set_up(chosen("section10", shuffle_method="automated")) == {"shoe", "shuffler"}
    assert set_up(chosen("section10", dealing_method="hand", shuffle_method="automated")) == {"shuffler"}


def test_a_device_is_there_until_it_is_taken_away() -> None:
    both = with_devices(shuffler_one="fitted", shuffler_two="removed", shoe="jammed")
    assert of_kind(both, "shuffler") == ["shuffler one"]
    assert of_kind(both, "shoe") == ["shoe"]
    assert of_kind(both, "display") == []
    assert not was_removed(both, "shuffler")
    assert not was_removed(both, "display")
    assert was_removed(with_devices(shuffler_one="removed", shuffler_two="removed", shoe="fitted"), "shuffler")
    # Under its own name, under that of its kind, or because the house deals or shuffles by it.
    assert at_table(STUD, both, "shuffler one") == "shuffler one"
    assert at_table(STUD, both, "shuffler two") is None
    assert at_table(STUD, both, "shuffler") == "shuffler one"
    assert at_table(STUD, both, "lamp") is None
    assert at_table(STUD, BARE, "shoe") == "shoe"
    assert at_table(STUD, BARE, "shuffler") is None
    assert at_table(AUTOMATED, BARE, "shuffler") == "shuffler"
    assert at_table(AUTOMATED, with_devices(shuffler_one="removed"), "shuffler") is None


def test_a_shoe_stops_in_the_deal_when_it_jams_between_the_first_card_and_the_last() -> None:
    jammed = {"automated shoe": Device(status="jammed")}
    stops = at(AUTOMATED, "dealing")
    for driver, stopped in (
        (at(AUTOMATED, "closed"), False),
        (stops, True),
        (at(AUTOMATED, "dealt"), False),
        (at(AUTOMATED, "done"), False),
    ):
        table = replace(driver.table, devices=jammed)
        assert has_stopped_in_deal(AUTOMATED, table, "automated shoe") is stopped
    for devices, name in (
        ({"automated shoe": Device(status="fitted")}, "automated shoe"),
        ({"shuffler": Device(status="jammed")}, "shuffler"),
        ({"automated shoe": Device(status="removed")}, "automated shoe"),
        ({}, "automated shoe"),
    ):
        assert not has_stopped_in_deal(AUTOMATED, replace(stops.table, devices=devices), name)
    single = replace(at(STUD, "dealing").table, devices=jammed)
    assert not has_stopped_in_deal(STUD, single, "automated shoe")


def test_who_names_no_device_means_the_one_at_work() -> None:
    for moment, device in (
        ("bets-opened", "shuffler"),
        ("closed", "automated shoe"),
        ("dealing", "automated shoe"),
        ("dealt", "shuffler"),
    ):
        done = opening.jam(now(at(AUTOMATED, moment), "X"), c.JamDevice())
        assert done == [ev.DeviceSet(device=device, status="jammed", clause="X")]
    no(opening.jam(now(at(STUD, "dealing")), c.JamDevice()), "BASE-known", "there is no shuffler on the table")
    named = opening.jam(now(at(STUD, "dealing")), c.JamDevice(device="shoe"))
    assert named == [ev.DeviceSet(device="shoe", status="jammed")]


def test_no_shoe_is_changed_while_cards_are_dealt() -> None:
    shoe = c.RegisterDevice(device="automated shoe")
    fitted = [ev.DeviceSet(device="automated shoe", status="fitted")]
    for moment in ("closed", "dealt", "done"):
        assert opening.register_device(now(at(AUTOMATED, moment)), shoe) == fitted
    driver = at(AUTOMATED, "dealing")
    no(opening.register_device(now(driver), shoe), "BASE-time", "no shoe is changed while cards are dealt")
    other = opening.register_device(now(driver), c.RegisterDevice(device="shuffler"))
    assert other == [ev.DeviceSet(device="shuffler", status="fitted")]
    lamp = opening.register_device(now(driver), c.RegisterDevice(device="lamp"))
    no(lamp, "BASE-known", "no table has such a device as lamp")


def test_nothing_comes_from_a_shoe_that_is_off_the_table() -> None:
    gone = {"automated shoe": Device(status="removed")}
    driver = at(AUTOMATED, "dealing")
    off = dealing.deal_packet(with_table(driver, devices=gone), c.DealPacket())
    no(off, "BASE-deck", "the automated shoe is off the table")
    assert len(events(dealing.deal_packet(now(driver), c.DealPacket()))) == 5
    opened = at(AUTOMATED, "bets-opened")
    no(opening.load(with_table(opened, devices=gone), c.LoadDeck()), "BASE-deck", "the automated shoe is off the table")
    assert opening.load(with_table(opened, devices=gone), c.HoldDeck()) == []
    assert opening.load(with_table(at(STUD, "bets-opened"), devices=gone), c.LoadDeck()) == []


def test_devices_that_the_house_chose_before_stand_there_until_they_are_taken_away() -> None:
    before = at(AUTOMATED, "table-opened")
    manual = c.ChangeOption(option="dealing-method", value="manual-shoe")
    clause = AUTOMATED.options["dealing-method"].clause
    new = ev.OptionChanged(option="dealing-method", value="manual-shoe", clause=clause)
    left = ev.DeviceSet(device="automated shoe", status="fitted", clause=clause)
    configured = with_table(before, did=before.table.did | {"table-configured"})
    stays = opening.change_option(configured, manual)
    assert stays == [new, left]
    # What is on the register says by itself whether it stands there; and at a table not set up nothing does.
    known = replace(configured.table, devices={"automated shoe": Device(status="removed")})
    assert opening.change_option(replace(configured, table=known), manual) == [new]
    bare = with_table(before, did=before.table.did - {"table-configured"})
    assert opening.change_option(bare, manual) == [new]
    running = opening.change_option(now(at(AUTOMATED, "staked")), manual)
    no(running, clause, "nothing is changed while a round runs")
    nothing = opening.change_option(now(before), c.ChangeOption(option="colour", value="red"))
    no(nothing, "BASE-input", "the book leaves no such choice as colour")


def test_what_the_cards_are_dealt_by_may_need_a_shuffler() -> None:
    held = at(chosen("section10", dealing_method="hand", shuffle_method="automated"), "table-opened")
    refused = opening.change_option(now(held), c.ChangeOption(option="shuffle-method", value="manual"))
    assert isinstance(refused, Refusal)
    assert refused.clause == held.book.cite("deal.needs_automated_shuffle")
    assert refused.reason == "dealing by hand needs an automated shuffler"


def test_cards_lie_idle_as_they_were_laid_or_as_the_house_lays_them() -> None:
    opened = at(STUD, "table-opened")
    for face in ("up", "down"):
        laid = ev.LaidIdle(deck="first", face=face, clause="X")
        assert opening.spread_idle(now(opened, "X"), c.SpreadIdle(face=face)) == [laid]
    for book in (STUD, EXCHANGE):
        usual: c.Face = "down" if book.opening is not None and book.opening.idle_spread == "face-down" else "up"
        driver = at(book, "table-opened")
        assert opening.spread_idle(now(driver), c.SpreadIdle()) == [ev.LaidIdle(deck="first", face=usual)]
    # Cards that were shuffled are no shuffled deck any more.
    mixed = at(STUD, "bets-opened")
    done = opening.spread_idle(now(mixed, "X"), c.SpreadIdle(face="up"))
    assert done == [ev.Unshuffled(deck="first", clause="X"), ev.LaidIdle(deck="first", face="up", clause="X")]
    no(opening.spread_idle(now(at(STUD, "dealing")), c.SpreadIdle()), "BASE-deck", "that deck is in play")
