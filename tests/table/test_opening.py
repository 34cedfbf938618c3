"""Before the deal: what a handler does by itself, before any clause: its events to the last field, or its refusal."""

from collections.abc import Callable

from msgspec.structs import replace

from aceking.cards.deck import DECK
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.dealer.driver import Driver
from aceking.table.moment import Done, Moment
from aceking.table.phases import opening
from aceking.table.state import Device
from tests.table.handled import EXCHANGE, RWS, STUD, WASHINGTON, at_table, events, no, now
from tests.table.test_next_act import chosen
from tests.table.test_out_of_time import at


def test_decks_come_and_go_between_the_rounds() -> None:
    driver = at(STUD, "table-opened")
    added = ev.DeckAdded(deck="second", back="blue", at=7, clause="X")
    register = c.RegisterDeck(deck="second", back="blue")
    assert opening.register_deck(now(driver, "X"), register) == [added]
    assert opening.register_deck(now(driver, "X"), c.RegisterDeck(deck="second")) == [replace(added, back="second")]
    known = opening.register_deck(now(driver), c.RegisterDeck(deck="first", back="red"))
    no(known, "BASE-deck", "the first deck is at the table already")
    dealing_ = at(STUD, "dealing")
    no(opening.register_deck(now(dealing_), register), "BASE-deck", "no deck is added while cards are dealt")
    assert isinstance(opening.register_deck(now(at(STUD, "closed")), register), list)
    gone = ev.DeckGone(deck="first", clause="X")
    assert opening.remove_deck(now(driver, "X"), c.RemoveDeck()) == [gone]
    fresh = ev.DeckAdded(deck="first", back="red", at=7, clause="X")
    assert opening.change_deck(now(driver, "X"), c.ChangeDeck(deck="first")) == [gone, fresh]
    handlers: list[tuple[Callable[..., Done], c.Act]] = [
        (opening.remove_deck, c.RemoveDeck()),
        (opening.change_deck, c.ChangeDeck()),
        (opening.shuffle, c.Shuffle()),
        (opening.cut, c.Cut(count=20)),
        (opening.recut, c.OrderRecut()),
        (opening.prepare, c.StackDeck()),
        (opening.disturb, c.WashDeck()),
        (opening.load, c.LoadDeck()),
        (opening.device_count, c.CountByDevice(count=52)),
    ]
    for handler, act in handlers:
        no(handler(now(dealing_), act), "BASE-deck", "that deck is in play")
        no(handler(at_table(driver, decks={}, deck=None), act), "BASE-deck", "there is no deck at the table")
        third: c.Act = replace(act, deck="third")
        no(handler(now(driver), third), "BASE-deck", "there is no third deck at the table")
        assert isinstance(handler(uncut(at(STUD, "bets-opened")), act), list)


def uncut(driver: Driver) -> Moment:
    """The moment with a deck that is not cut."""
    deck = driver.table.decks["first"]
    return at_table(driver, decks={"first": replace(deck, acts=deck.acts - {"cut"})})


def test_a_deck_is_shuffled_cut_and_held() -> None:
    driver = at(STUD, "table-opened")
    mixed = ev.Shuffled(deck="first", method="manual", sealed=True, clause="X")
    assert opening.shuffle(now(driver, "X"), c.Shuffle(sealed=True)) == [mixed]
    assert opening.shuffle(now(driver), c.Shuffle(method="automated")) == [
        ev.Shuffled(deck="first", method="automated")
    ]
    assert opening.shuffle(now(at(RWS, "table-opened")), c.Shuffle()) == [ev.Shuffled(deck="first", method="automated")]
    for done in (opening.cut(now(driver), c.Cut(count=20)), opening.recut(now(driver), c.OrderRecut())):
        no(done, "BASE-deck", "there is no shuffled deck to cut")
    assert opening.disturb(now(driver), c.WashDeck()) == []
    driver.shuffle(DECK)
    assert opening.disturb(now(driver, "X"), c.WashDeck()) == [ev.Unshuffled(deck="first", clause="X")]
    assert opening.recut(now(driver, "X"), c.OrderRecut()) == [ev.Uncut(deck="first", clause="X")]
    for count in (1, 51):
        assert opening.cut(uncut(driver), c.Cut(count=count)) == [ev.WasCut(deck="first", count=count)]
    for count in (0, 52):
        no(opening.cut(uncut(driver), c.Cut(count=count)), "BASE-input", "a cut leaves cards on both sides: 1 to 51")
    twice = opening.cut(now(driver), c.Cut(count=20))
    no(twice, STUD.cite("cut.recut_by"), "the deck is cut; another cut is a supervisor's to order")
    # Where the book leaves another cut to nobody, it may be done.
    free = at(EXCHANGE, "bets-opened")
    assert opening.cut(now(free), c.Cut(count=20)) == [ev.WasCut(deck="first", count=20)]
    assert opening.load(now(driver), c.LoadDeck()) == []
    assert opening.load(now(driver), c.HoldDeck()) == []
    assert opening.load(now(driver, "X"), c.HoldDeck(hand="left")) == [ev.Held(hand="left", clause="X")]
    held = at(WASHINGTON, "dealing")
    assert opening.load(now(held), c.HoldDeck(hand="left")) == []
    assert opening.device_count(now(driver), c.CountByDevice(count=52)) == []
    wrong = events(opening.device_count(now(driver), c.CountByDevice(count=51)))
    assert isinstance(wrong[0], ev.Ruled | ev.Asked)
    assert wrong[0].mishap == "device-count-wrong"
    two = at(chosen("section10", shuffle_method="automated", second_deck="two-deck"), "dealing")
    other = opening.load(now(two), c.LoadDeck(deck="second"))
    no(other, "BASE-deck", "a round is being dealt from the other deck")


def test_devices_notices_approvals_and_options_are_put_on_file() -> None:
    driver = at(STUD, "table-opened")
    fitted = ev.DeviceSet(device="shoe", status="fitted", version="2", model="M", side="left", clause="X")
    act = c.RegisterDevice(device="shoe", version="2", model="M", side="left")
    assert opening.register_device(now(driver, "X"), act) == [fitted]
    assert opening.jam(now(driver), c.JamDevice(device="shoe")) == [ev.DeviceSet(device="shoe", status="jammed")]
    gone: dict[str, Device] = {"shoe": Device(status="removed")}
    for devices, name in ((gone, "shoe"), ({}, "shuffler"), ({}, "lamp")):
        no(
            opening.remove_device(at_table(driver, devices=devices), c.RemoveDevice(device=name)),
            "BASE-known",
            f"there is no {name} on the table",
        )
    # What the house deals from stands there, registered or not.
    removed = ev.DeviceSet(device="shoe", status="removed")
    for devices in ({}, {"shoe": Device(status="fitted")}):
        there = at_table(driver, devices=devices)
        assert opening.remove_device(there, c.RemoveDevice(device="shoe")) == [removed]
    notice = c.GiveNotice(about=("limits",), option="bet-paytable", where="layout")
    shown = ev.NoticeShown(about=("limits",), option="bet-paytable", where="layout", clause="X")
    assert opening.give_notice(now(driver, "X"), notice) == [shown]
    filed = ev.ApprovalFiled(of="maker", model="M", clause="X")
    assert opening.record_approval(now(driver, "X"), c.RecordApproval(of="maker", model="M")) == [filed]
    clause = STUD.options["shuffle-method"].clause
    change = c.ChangeOption(option="shuffle-method", value="automated")
    new = ev.OptionChanged(option="shuffle-method", value="automated", clause=clause)
    assert opening.change_option(now(driver), change) == [new]
    driver.shuffle(DECK)
    again = ev.Unshuffled(deck="first", clause=clause)
    assert opening.change_option(now(driver), change) == [new, again]
    other = c.ChangeOption(option="absent-player", value="fold")
    assert len(events(opening.change_option(now(driver), other))) == 1
    two = c.ChangeOption(option="second-deck", value="two-deck")
    needs = STUD.cite("deck.second_deck_needs")
    no(opening.change_option(now(driver), two), needs, "a second deck needs an automated shuffler")
    automated = at(chosen("section10", shuffle_method="automated"), "table-opened")
    assert isinstance(opening.change_option(now(automated), two), list)
    refused = opening.change_option(now(driver), c.ChangeOption(option="shuffle-method", value="by feet"))
    assert isinstance(refused, Refusal)
    assert refused.clause == clause
