"""What a book may demand of machines, decks and changes of the house, each condition on both sides of its line."""

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from aceking.award.steps import Award
from aceking.rules.book import Book
from aceking.rules.odds import Amount
from aceking.rules.reading.load import load_book
from aceking.rules.words import Actor, Condition
from aceking.settlement.lines import Line
from aceking.table import commands as c
from aceking.table.commands.cards import ExtraCard
from aceking.table.procedure.cases import CASES
from aceking.table.state import Deck, Device, TableState
from tests.table.test_deck_conditions import deck, says, table
from tests.table.test_next_act import chosen
from tests.table.test_out_of_time import at

STUD, WASHINGTON = load_book("section10"), load_book("washington")
BARE = table()


def with_devices(**devices: Any) -> TableState:
    return replace(BARE, devices={name.replace("_", " "): Device(status=status) for name, status in devices.items()})


def of_deal(book: Book = STUD, **changes: Any) -> Book:
    return dataclasses.replace(book, deal=dataclasses.replace(book.deal, **changes))


def of_system(**changes: Any) -> Book:
    assert WASHINGTON.system is not None
    system = dataclasses.replace(
        WASHINGTON.system, first=("Link 2.1", "Box"), second=("Link 3.0", "Cable"), maker="Acme"
    )
    return dataclasses.replace(WASHINGTON, system=dataclasses.replace(system, chosen="first"), **changes)


def test_a_table_dealt_by_hand_has_its_procedure_on_file() -> None:
    why = "no house procedure for shuffling and dealing is on file"
    set_up = replace(BARE, did=frozenset({"table-configured"}))
    filed = of_deal(method="hand", procedure="ours")
    assert says("procedure-on-file", set_up, c.OpenTable(), filed) is None
    assert says("procedure-on-file", BARE, c.OpenTable(), filed) == why
    assert says("procedure-on-file", set_up, c.OpenTable(), of_deal(method="hand", procedure=None)) == why
    assert says("procedure-on-file", BARE, c.OpenTable(), of_deal(method="manual-shoe", procedure=None)) is None


def test_a_shuffler_that_is_dealt_from_or_that_shuffles_is_on_the_register() -> None:
    dealt_from = of_deal(method="electronic-shuffler")
    word: Condition = "shuffler-registered"
    why = "the table is dealt from a shuffler, and no approved one is on its register"
    fitted = with_devices(shuffler="fitted")
    for there, absent in (
        (fitted, False),
        (with_devices(shuffler="jammed"), True),
        (with_devices(shoe="fitted"), True),
    ):
        assert says(word, there, c.OpenTable(), dealt_from) == (why if absent else None)
    assert says("shuffler-registered", BARE, c.OpenTable()) is None
    no_machine = "no approved shuffler is on the register"
    cases: list[tuple[c.Act, bool]] = [
        (c.Shuffle(role="device"), True),
        (c.Shuffle(method="automated", role="dealer"), True),
        (c.Shuffle(method="manual", role="dealer"), False),
        (c.Shuffle(), False),
        (c.WashDeck(role="device"), False),
    ]
    for act, by_machine in cases:
        assert says("shuffler-fitted", BARE, act) == (no_machine if by_machine else None)
        assert says("shuffler-fitted", fitted, act) is None


def test_the_parts_of_a_system_are_of_one_set_and_new_enough() -> None:
    book = of_system()

    def first(device: str, version: str | None = None) -> str | None:
        act = c.RegisterDevice(device=device, version=version)
        assert says("of-second-set", BARE, act, book) is None, "that set is not in use"
        return says("of-first-set", BARE, act, book)

    assert first("Link", "2.1") is None
    assert first("LINK", "2.10") is None
    assert first("Link", "2.0") == "Link must be version 2.1 or higher, not 2.0"
    assert first("Link") == "Link must be version 2.1 or higher, not None"
    assert first("Box") is None
    assert first("Cable") == "Cable does not go with the system in use"
    assert first("lamp") is None
    assert says("of-first-set", BARE, c.OpenTable(), book) is None
    assert says("of-first-set", BARE, c.RegisterDevice(device="Cable")) is None, "a book without a system"
    assert book.system is not None
    second = dataclasses.replace(book, system=dataclasses.replace(book.system, chosen="second"))
    assert says("of-first-set", BARE, c.RegisterDevice(device="Box"), second) is None
    assert says("of-second-set", BARE, c.RegisterDevice(device="Box"), second) == (
        "Box does not go with the system in use"
    )
    assert says("of-second-set", BARE, c.RegisterDevice(device="Link", version="2.9"), second) == (
        "Link must be version 3.0 or higher, not 2.9"
    )


def test_a_part_of_the_progressive_is_approved_and_of_its_maker() -> None:
    book = of_system()

    def approved(device: str, maker: str | None = None) -> str | None:
        return says("approved-system", BARE, c.RegisterDevice(device=device, maker=maker), book)

    for part in ("link", "Box", "CABLE"):
        assert approved(part) is None
        assert approved(part, "ACME") is None
        assert approved(part, "Other") == "the system must be Acme's, not Other's"
    assert approved("sensor") == "sensor is no part of an approved progressive system"
    assert approved("shuffler", "Other") is None
    assert approved("display", "Other") is None
    assert says("approved-system", BARE, c.OpenTable(), book) is None
    assert says("approved-system", BARE, c.RegisterDevice(device="sensor")) is None
    assert says("system-complete", BARE, c.OpenTable(), book) == "the progressive system has no link"
    assert says("system-complete", with_devices(link="fitted"), c.OpenTable(), book) == (
        "the progressive system has no box"
    )
    assert says("system-complete", with_devices(link="fitted", box="fitted"), c.OpenTable(), book) is None


def test_a_display_is_plain_and_of_a_known_source() -> None:
    book = of_system()
    assert book.system is not None
    system = dataclasses.replace(book.system, display_functions=("clock",), display_source="bally", maker="Acme Ltd")
    book = dataclasses.replace(book, system=system)
    plain = c.RegisterDevice(device="display", functions=("clock",))
    assert says("plain-display", BARE, plain, book) is None
    more = replace(plain, functions=("clock", "sound"))
    assert says("plain-display", BARE, more, book) == "a display with sound is not a plain monitor"
    assert says("plain-display", BARE, replace(more, device="shuffler"), book) is None
    assert says("plain-display", BARE, more) is None
    assert says("plain-display", BARE, c.OpenTable(), book) is None
    for maker, own in ((None, True), ("Operator", True), ("ACME", True), ("Acme Ltd", True), ("Other", False)):
        found = says("display-of-source", BARE, replace(plain, maker=maker), book)
        assert found == (None if own else "the display is Acme Ltd's or the operator's, not Other's")
    foreign = replace(plain, maker="Other")
    anybodys = dataclasses.replace(book, system=dataclasses.replace(system, display_source="operator"))
    assert says("display-of-source", BARE, foreign, anybodys) is None
    assert says("display-of-source", BARE, replace(foreign, device="shuffler"), book) is None
    assert says("display-of-source", BARE, foreign) is None
    assert says("display-of-source", BARE, c.OpenTable(), book) is None


def test_cards_are_dealt_from_what_the_book_knows() -> None:
    book = of_deal(methods=("manual-shoe", "card-shoe"), shoe="clear")

    def dealt_from(device: str, model: str | None = None, *, for_dealing: bool = True) -> str | None:
        act = c.RegisterDevice(device=device, model=model, for_dealing=for_dealing)
        return says("dealing-device", BARE, act, book)

    assert dealt_from("manual-shoe", "black") is None
    assert dealt_from("card-shoe") is None
    assert dealt_from("card-shoe", "clear") is None
    assert dealt_from("card-shoe", "black") == "the house deals from a shoe that is clear, not black"
    assert dealt_from("hat") == "cards are dealt from a manual-shoe or card-shoe, not from a hat"
    assert dealt_from("hat", for_dealing=False) is None
    assert says("dealing-device", BARE, c.OpenTable(), book) is None
    any_shoe = of_deal(book, shoe=None)
    assert (
        says("dealing-device", BARE, c.RegisterDevice(device="card-shoe", model="black", for_dealing=True), any_shoe)
        is None
    )


def test_a_shoe_that_stopped_in_mid_deal_stays_until_it_is_ruled_on() -> None:
    book = chosen("section10", dealing_method="automated-shoe", shuffle_method="automated")
    jammed = {"automated shoe": Device(status="jammed")}
    stopped = replace(at(book, "dealing").table, devices=jammed)
    away = c.RemoveDevice(device="automated shoe")
    why = "the shoe has stopped in mid-deal: that is reported, and the round ruled on"
    assert says("jam-ruled-on", stopped, away, book) == why
    assert says("jam-ruled-on", replace(at(book, "dealt").table, devices=jammed), away, book) is None
    assert says("jam-ruled-on", stopped, c.OpenTable(), book) is None
    assert CASES["for-stopped-shoe"](book, stopped, away)
    assert not CASES["for-stopped-shoe"](book, stopped, c.RegisterDevice(device="automated shoe"))
    assert not CASES["for-stopped-shoe"](book, at(book, "dealing").table, away)


def test_the_layout_is_the_approved_one() -> None:
    book = dataclasses.replace(STUD, table=dataclasses.replace(STUD.table, layout="Board-Form"))
    assert says("layout-approved", BARE, c.ConfigureTable(layout="board form"), book) is None
    assert says("layout-approved", BARE, c.ConfigureTable(layout="other"), book) == "the layout is not Board-Form"
    assert says("layout-approved", BARE, c.ConfigureTable(), book) is None
    assert says("layout-approved", BARE, c.OpenTable(), book) is None
    free = dataclasses.replace(STUD, table=dataclasses.replace(STUD.table, layout=None))
    assert says("layout-approved", BARE, c.ConfigureTable(layout="other"), free) is None


def test_what_nobody_may_do_and_what_is_held_elsewhere() -> None:
    assert says("never", BARE, c.WashDeck()) == "wash is not allowed"
    elsewhere: tuple[Condition, ...] = ("assigned-to-table", "paid-in-order", "deal-in-order")
    for word in elsewhere:
        assert says(word, BARE, c.WashDeck()) is None


# Decks


def test_a_deck_is_whole_and_has_its_extra_cards() -> None:
    size = STUD.deck.size
    for count, whole in ((None, True), (size, True), (size - 1, False), (size + 1, False)):
        found = says("deck-complete", BARE, c.RegisterDeck(deck="first", count=count))
        assert found == (None if whole else f"a deck has {size} cards, not {count}")
    assert says("deck-complete", BARE, c.WashDeck()) is None
    kinds = STUD.deck.extra_cards
    assert len(kinds) == 2
    both = tuple(ExtraCard(kind=kind, colour="green") for kind in kinds)
    assert says("extra-cards-present", BARE, c.RegisterDeck(deck="first", extras=both)) is None
    assert (
        says("extra-cards-present", BARE, c.RegisterDeck(deck="first", extras=both[:1])) == f"the {kinds[1]} is missing"
    )
    assert says("extra-cards-present", BARE, c.RegisterDeck(deck="first")) == f"the {kinds[0]} is missing"
    assert says("extra-cards-present", BARE, c.WashDeck()) is None


@pytest.mark.parametrize("place", [0, 1])
def test_both_extra_cards_are_opaque_solid_and_of_another_colour(place: int) -> None:
    kinds = STUD.deck.extra_cards
    act = c.RegisterDeck(deck="first", back="red", edges="white")
    for changes, distinct in (
        ({"colour": "green"}, True),
        ({"colour": None}, True),
        ({"colour": "red"}, False),
        ({"colour": "white"}, False),
        ({"opaque": False}, False),
        ({"solid": False}, False),
    ):
        extras = [ExtraCard(kind=kind, colour="green") for kind in kinds]
        extras[place] = replace(extras[place], **changes)
        found = says("extra-cards-distinct", BARE, replace(act, extras=tuple(extras)))
        why = f"the {kinds[place]} is opaque, of one solid colour, and of another than backs and edges"
        assert found == (None if distinct else why), changes
    assert says("extra-cards-distinct", BARE, c.WashDeck()) is None


def test_a_second_deck_comes_where_the_house_has_chosen_it_and_shuffles_by_machine() -> None:
    one, two = table(deck()), table(deck(), deck("second", "blue"))
    second = c.RegisterDeck(deck="second")
    book = chosen("section10", shuffle_method="automated", second_deck="two-deck")
    assert says("second-deck-allowed", one, second, book) is None
    assert says("second-deck-allowed", two, c.RegisterDeck(deck="third"), book) == "the table plays with 2 decks"
    assert says("second-deck-allowed", two, second, book) is None
    assert says("second-deck-allowed", one, second) == "the table plays with 1 deck"
    assert says("second-deck-allowed", one, c.RegisterDeck(deck="first")) is None
    assert says("second-deck-allowed", one, c.OpenTable()) is None
    assert says("second-deck-allowed", two, c.OpenTable()) == "the table plays with 1 deck"
    assert book.shuffle is not None
    by_hand = dataclasses.replace(book, shuffle=dataclasses.replace(book.shuffle, method="manual"))
    assert says("second-deck-allowed", one, second, by_hand) == "a second deck needs an automated shuffler"
    free = dataclasses.replace(by_hand, deck=dataclasses.replace(by_hand.deck, second_deck_needs=None))
    assert says("second-deck-allowed", one, second, free) is None


def test_the_other_deck_is_being_mixed_while_one_is_dealt() -> None:
    book = chosen("section10", shuffle_method="automated", second_deck="two-deck")
    closed, dealt = at(book, "closed").table, at(book, "dealing").table
    why = "the second deck is not in the shuffler while the other is dealt"

    def with_other(there: TableState, **more: Any) -> TableState:
        return replace(there, decks={**there.decks, "second": Deck("second", "blue", 0, **more)}, deck="first")

    word: Condition = "other-deck-in-shuffler"
    assert says(word, with_other(closed), c.DealCard(), book) == why
    assert says(word, with_other(closed, shuffled="automated"), c.DealCard(), book) is None
    assert says(word, with_other(closed, acts=frozenset({"deck-to-shuffler"})), c.DealCard(), book) is None
    assert says(word, with_other(dealt), c.DealCard(), book) is None, "told once, not for each card"
    assert says(word, with_other(dealt), c.DealPacket(), book) is None
    assert says(word, with_other(dealt), c.Reveal(), book) == why
    assert says(word, with_other(replace(closed, round=None)), c.DealCard(), book) is None


def test_cards_are_shuffled_by_a_machine_that_stands_there() -> None:
    book = chosen("section10", shuffle_method="automated")
    gone = with_devices(shuffler="removed")
    assert says("shuffled-by-machine", BARE, c.Shuffle(), book) is None
    assert says("shuffled-by-machine", BARE, c.Shuffle()) == "the cards are shuffled by hand"
    assert says("shuffled-by-machine", gone, c.Shuffle(), book) == "the shuffler is off the table"
    assert says("shuffled-by-machine", gone, c.WashDeck(), book) is None
    none = dataclasses.replace(book, shuffle=None)
    assert says("shuffled-by-machine", BARE, c.Shuffle(), none) is None


# Closing


def test_the_round_before_is_settled() -> None:
    assert says("previous-round-settled", at(STUD, "done").table, c.OpenBets()) is None
    assert says("previous-round-settled", at(STUD, "staked").table, c.OpenBets()) == "the round before is not settled"


AWARD = Line(1, "side", 100, "win", 500_000, "A", consumed=True)


def awarded(step: str = "signed", **more: Any) -> TableState:
    """A round in which box 1 has an award that has come so far."""
    driver = at(WASHINGTON, "dealt")
    assert driver.table.round is not None
    award = Award(seat=1, hand="flush", amount=500_000, step=step)  # type: ignore[arg-type]
    return replace(driver.table, round=replace(driver.table.round, lines=(AWARD,), awards={1: award}, **more))


def test_what_a_signature_ends_and_what_waits_for_it() -> None:
    done = "the award is signed and logged; only a manual adjustment undoes it"
    word: Condition = "not-after-signature"
    for step, signed in (("selected", False), ("verified", False), ("signed", True), ("paid", True)):
        there = awarded(step)
        assert says(word, there, c.SelectWinner(box=1), WASHINGTON) == (done if signed else None), step
        for act in (c.Reseed(box=1), c.Reseed()):
            assert says("award-signed", there, act, WASHINGTON) == (None if signed else "no award is signed"), step
        assert says("award-signed", there, c.Reseed(box=2), WASHINGTON) == "no award is signed"
        assert says(word, there, c.SelectWinner(box=2), WASHINGTON) is None
    bare = replace(BARE, round=None)
    assert says("award-signed", bare, c.Reseed(), WASHINGTON) == "no award is signed"
    assert says("award-signed", bare, c.Reseed(box=1), WASHINGTON) == "no award is signed"
    assert says(word, bare, c.SelectWinner(box=1), WASHINGTON) is None


def test_a_large_award_takes_the_card_of_an_executive_and_its_own_amount() -> None:
    progressive = WASHINGTON.progressive
    assert progressive is not None
    word: Condition = "right-card-for-amount"
    large = "an award of this size takes an executive's card"
    for level, needs in ((Amount(500_000), True), (Amount(500_001), False), (None, False)):
        book = dataclasses.replace(WASHINGTON, progressive=dataclasses.replace(progressive, executive_from=level))
        swipe = c.SwipeCard(box=1, card="supervisor")
        assert says(word, awarded(), swipe, book) == (large if needs else None)
        assert says(word, awarded(), replace(swipe, card="executive"), book) is None
        for amount, right in ((500_000, True), (499_999, False)):
            act = replace(swipe, card="executive", amount=amount)
            assert says(word, awarded(), act, book) == (None if right else "the award is another amount")
        assert says(word, awarded(), replace(swipe, box=2), book) is None
        assert says(word, awarded(), c.PayAward(box=1), book) is None
        assert says(word, replace(BARE, round=None), swipe, book) is None


def test_a_hand_is_turned_before_its_wagers_move() -> None:
    driver = at(STUD, "dealt")
    current = driver.table.round
    assert current is not None

    def there(**what: Any) -> TableState:
        return replace(driver.table, round=replace(current, boxes={1: replace(current.boxes[1], **what)}))

    why = "the hand of box 1 is not turned"
    assert says("hand-turned", there(), c.Pay(box=1)) == why
    for what in ({"acts": frozenset({"turn-hand"})}, {"choice": "fold"}, {"choice": "declare"}, {"void": True}):
        assert says("hand-turned", there(**what), c.Pay(box=1)) is None, what
    assert says("hand-turned", there(choice="bet"), c.Pay(box=1)) == why
    assert says("hand-turned", there(), c.Pay(box=7)) is None
    assert says("hand-turned", there(), c.Pay()) is None


@pytest.mark.parametrize(
    ("house", "lit", "claimed", "why"),
    [
        ("all", False, False, None),
        ("progressive-bettors-only", True, False, None),
        ("progressive-bettors-only", False, True, "the hand of box 1 stays face down: it has no progressive wager"),
        ("none", False, True, None),
        ("none", True, False, "the hand of box 1 stays face down: its player announced no jackpot"),
    ],
)
def test_against_no_hand_only_those_are_turned_that_the_house_turns(
    house: str, why: str | None, *, lit: bool, claimed: bool
) -> None:
    assert STUD.dealer is not None
    dealer = dataclasses.replace(STUD.dealer, turn_unqualified=house)  # type: ignore[arg-type]
    book = dataclasses.replace(STUD, dealer=dealer)
    driver = at(STUD, "dealt")
    current = driver.table.round
    assert current is not None
    box = replace(current.boxes[1], claimed=claimed, sides=current.boxes[1].sides if lit else {})
    there = replace(driver.table, round=replace(current, boxes={1: box}))
    assert says("turned-if-due", there, c.TurnHand(box=1), book) == why
    assert says("turned-if-due", there, c.TurnHand(box=7), book) is None
    without = dataclasses.replace(book, dealer=None)
    assert says("turned-if-due", there, c.TurnHand(box=1), without) is None


# Cases


def holds(word: str, act: c.Act, there: TableState = BARE) -> bool:
    return CASES[word](STUD, there, act)


@pytest.mark.parametrize(
    ("device", "words"),
    [
        ("shuffler", {"for-shuffler"}),
        ("display", {"for-display"}),
        ("sensor", {"for-system-part"}),
        ("Link", {"for-system-part"}),
        ("shoe", set()),
        ("automated shoe", set()),
    ],
)
def test_the_cases_of_a_device(device: str, words: set[str]) -> None:
    for word in ("for-shuffler", "for-display", "for-system-part"):
        assert holds(word, c.RegisterDevice(device=device)) is (word in words)
        assert not holds(word, c.RemoveDevice(device=device))


def test_the_cases_of_stubs_boxes_and_placed_wagers() -> None:
    dealt = at(STUD, "dealt").table
    assert dealt.round is not None
    for counted in (False, True):
        there = replace(dealt, round=replace(dealt.round, counted=counted))
        assert holds("for-counted-stub", c.RackStub(), there) is counted
        assert holds("for-uncounted-stub", c.RackStub(), there) is not counted
    assert not holds("for-counted-stub", c.RackStub(), replace(dealt, round=None))
    assert holds("for-uncounted-stub", c.RackStub(), replace(dealt, round=None))
    for box in (None, 0, 1):
        assert holds("for-named-box", c.Compare(box=box)) is (box is not None)
        assert holds("for-no-box", c.Compare(box=box)) is (box is None)
    role: Actor = "dealer"
    for wager in ("ante", "side", "bet"):
        act = c.PlaceForPlayer(box=1, wager=wager, amount=100, role=role)
        for other in ("ante", "side", "bet"):
            assert holds(f"for-placed-{other}", act) is (other == wager)
    assert not holds("for-placed-ante", c.Ante(box=1, player="Ann", amount=100))
