"""What a book may demand of decks, each condition on both sides of its line."""

from typing import Any

import pytest
from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.words import Condition
from aceking.table import commands as c
from aceking.table.dealer.driver import Driver
from aceking.table.procedure.conditions import CONDITIONS
from aceking.table.state import Deck, TableState
from tests.table.test_next_act import chosen
from tests.table.test_out_of_time import at

HOUR = 3_600_000
BOOK = load_book("section10")
OPENED = frozenset(
    {"floorperson-verified", "deck-inspection", "spread", "first-player-inspection", "turn-down", "wash", "stack"}
)


def deck(name: str = "first", back: str = "red", **more: Any) -> Deck:
    return Deck(name=name, back=back, since=0, **more)


def table(*decks: Deck, **more: Any) -> TableState:
    empty = Driver(BOOK).table
    return replace(empty, decks={one.name: one for one in decks}, deck=decks[0].name if decks else None, **more)


def says(word: Condition, there: TableState, act: c.Act, book: Book = BOOK) -> str | None:
    """What the condition has against the act."""
    return CONDITIONS[word](book, there, act)


def test_a_deck_is_fresh_for_the_hours_of_the_book_and_not_a_moment_longer() -> None:
    hours = BOOK.deck.change_hours
    assert hours
    for at_, fresh in ((0, True), (hours * HOUR, True), (hours * HOUR + 1, False)):
        told = says("deck-fresh", table(deck()), c.OpenBets(at=at_))
        assert (told is None) is fresh
        assert (says("deck-fresh", table(deck(), clock=at_), c.OpenBets()) is None) is fresh
    assert told == f"the first deck has lain at the table for more than {hours} hours"
    young = table(deck(), replace(deck("second"), since=5))
    assert says("deck-fresh", young, c.OpenBets(at=hours * HOUR + 5)) is not None
    assert says("deck-fresh", table(replace(deck(), since=5)), c.OpenBets(at=hours * HOUR + 5)) is None


def test_two_decks_have_different_backs() -> None:
    there = table(deck(back="red"))
    assert says("backs-differ", there, c.RegisterDeck(deck="second", back="red")) == "the other deck has red backs too"
    assert says("backs-differ", there, c.RegisterDeck(deck="second", back="blue")) is None
    assert says("backs-differ", there, c.RegisterDeck(deck="first", back="red")) is None
    assert says("backs-differ", there, c.OpenBets()) is None
    assert says("backs-uniform", there, c.RegisterDeck(deck="second", uniform=False)) is not None
    assert says("backs-uniform", there, c.RegisterDeck(deck="second")) is None


def test_a_deck_that_is_put_on_the_register_without_a_back_is_known_by_its_name() -> None:
    for back, known in ((None, "blue"), ("green", "green")):
        driver = at(load_book("washington"), "table-opened")
        driver.must(c.RemoveDeck(deck="first"))
        driver.must(c.RegisterDeck(deck="blue", back=back))
        assert driver.table.decks["blue"].back == known


def test_the_cards_are_spread_face_up_and_in_sequence() -> None:
    there = table(deck())
    assert says("face-up-in-sequence", there, c.SpreadDeck()) is None
    assert says("face-up-in-sequence", there, c.SpreadDeck(face="up")) is None
    assert says("face-up-in-sequence", there, c.SpreadDeck(face="down")) == "the cards are spread face up"
    assert says("face-up-in-sequence", there, c.SpreadDeck(in_sequence=False)) is not None
    assert says("face-up-in-sequence", there, c.OpenBets()) is None


@pytest.mark.parametrize(("count", "enough"), [(9, False), (10, True), (11, True)])
def test_ten_cards_are_cut_and_with_one_hand(count: int, *, enough: bool) -> None:
    assert BOOK.cut is not None
    assert BOOK.cut.cards_min == 10
    told = says("cut-large-enough", table(deck()), c.Cut(count=count))
    assert told == (None if enough else f"at least 10 cards are cut, not {count}")
    assert says("one-handed", table(deck()), c.Cut(count=20, hands=1)) is None
    assert says("one-handed", table(deck()), c.Cut(count=20, hands=2)) == "the cut is made with one hand"
    assert says("cut-large-enough", table(deck()), c.OpenBets()) is None
    assert says("one-handed", table(deck()), c.OpenBets()) is None


def test_decks_take_turns() -> None:
    two = table(deck(), deck("second"), last_deck="first")
    assert (
        says("decks-alternate", two, c.LoadDeck(deck="first"))
        == "the first deck served the last round; the decks take turns"
    )
    assert says("decks-alternate", two, c.LoadDeck(deck="second")) is None
    assert says("decks-alternate", two, c.LoadDeck()) is None
    assert says("decks-alternate", table(deck(), last_deck="first"), c.LoadDeck(deck="first")) is None


def test_the_rack_holds_cards_of_one_deck() -> None:
    racked = table(deck(), deck("second", racked=True))
    assert says("one-deck-in-rack", racked, c.CollectCards(box=1)) == "the rack still holds cards of the second deck"
    assert (
        says("one-deck-in-rack", table(deck(racked=True), deck("second", racked=True)), c.CollectCards(box=1)) is None
    )
    assert says("one-deck-in-rack", table(deck(), deck("second")), c.CollectCards(box=1)) is None
    assert says("one-deck-in-rack", table(), c.CollectCards(box=1)) is None


def test_a_deck_is_shuffled_before_it_is_dealt() -> None:
    assert says("shuffled-since-last-round", table(deck()), c.DealCard()) is not None
    assert says("shuffled-since-last-round", table(deck(shuffled="manual")), c.DealCard()) is None
    assert says("shuffled-since-last-round", table(), c.DealCard()) is not None


def test_cards_are_ready_when_shuffled_and_after_the_hand_cut_with_the_cover_card_in_the_rack() -> None:
    assert BOOK.cut is not None
    by_hand = {"shuffled": BOOK.cut.after}
    assert says("cards-ready", table(deck()), c.OpenBets()) == "the deck is not shuffled"
    assert says("cards-ready", table(), c.OpenBets()) == "the deck is not shuffled"
    assert says("cards-ready", table(deck(**by_hand)), c.OpenBets()) == "the deck still wants cut"
    cut = frozenset({"cut"})
    assert (
        says("cards-ready", table(deck(**by_hand, acts=cut)), c.OpenBets()) == "the deck still wants cover-card-to-rack"
    )
    assert says("cards-ready", table(deck(**by_hand, acts=cut | {"cover-card-to-rack"})), c.OpenBets()) is None
    assert says("cards-ready", table(deck(shuffled="another way")), c.OpenBets()) is None


def test_each_of_two_decks_goes_through_the_opening() -> None:
    ready = deck(acts=OPENED, shuffled="manual")
    missing = says("each-deck-opened", table(ready, deck("second")), c.OpenBets())
    assert missing is not None
    assert missing.startswith("the second deck still wants ")
    wants = says("each-deck-opened", table(ready, deck("second", acts=OPENED)), c.OpenBets())
    assert wants == "the second deck still wants shuffle"
    for served in (
        table(ready, deck("second", acts=OPENED, racked=True)),
        table(ready, deck("second", acts=OPENED), last_deck="second"),
        table(ready, deck("second", acts=OPENED | {"deck-to-shuffler"})),
        table(ready, deck("second", acts=OPENED, shuffled="manual")),
    ):
        assert says("each-deck-opened", served, c.OpenBets()) is None
    assert says("each-deck-opened", table(deck()), c.OpenBets()) is None


def test_the_deck_stays_in_the_hand_that_took_it_up() -> None:
    held = table(deck(acts=frozenset({"deck-held"})), holding_hand="left")
    assert (
        says("same-holding-hand", held, c.HoldDeck(hand="right"))
        == "the deck is held in the left hand for the whole round"
    )
    assert says("same-holding-hand", held, c.HoldDeck(hand="left")) is None
    assert says("same-holding-hand", held, c.HoldDeck()) is None
    assert says("same-holding-hand", table(deck(), holding_hand="left"), c.HoldDeck(hand="right")) is None
    assert says("same-holding-hand", table(deck(acts=frozenset({"deck-held"}))), c.HoldDeck(hand="right")) is None


def test_idle_cards_go_through_the_opening_again_step_by_step() -> None:
    steps = ("first-player-inspection", "turn-down", "wash", "stack")
    done: frozenset[Any] = frozenset({"idle-spread"})
    faces = with_options(BOOK, {"idle-spread": "face-up"}) if "idle-spread" in BOOK.options else BOOK
    assert isinstance(faces, Book)
    assert faces.opening is not None
    turns = ("turn-up",) if faces.opening.idle_spread == "face-down" else ()
    for step in (*turns, *steps, "shuffle"):
        told = says("not-idle", table(deck(acts=done)), c.OpenBets(), faces)
        assert told == f"the cards lay idle; the first deck still wants {step}"
        done |= {step}
    assert says("not-idle", table(deck(acts=OPENED)), c.OpenBets(), faces) is None


def test_a_table_set_up_for_hands_has_no_shuffler() -> None:
    by_hand, by_device = (chosen("section10", shuffle_method=one) for one in ("manual", "automated"))
    told = "the table is set up for a shuffle that is manual"
    assert says("shuffled-as-set-up", table(deck()), c.Shuffle(method="automated"), by_hand) == told
    for act, book in (
        (c.Shuffle(method="manual"), by_hand),
        (c.Shuffle(), by_hand),
        (c.OpenBets(), by_hand),
        (c.Shuffle(method="manual"), by_device),  # whether the device has left is asked elsewhere
        (c.Shuffle(method="automated"), by_device),
        (c.Shuffle(method="automated"), load_book("rws")),  # which has no rule on it
    ):
        assert says("shuffled-as-set-up", table(deck()), act, book) is None


def test_the_layout_is_clear_before_the_deck_is_shuffled_again() -> None:
    driver = at(BOOK, "dealt")
    assert says("layout-clear", driver.table, c.Shuffle()) == "the cards of box 1 still lie on the layout"
    assert says("layout-clear", driver.table, c.Shuffle(deck="second")) is None
    assert says("layout-clear", at(BOOK, "closed").table, c.Shuffle()) is None
    assert says("layout-clear", at(BOOK, "done").table, c.Shuffle()) is None
    current = driver.table.round
    assert current is not None
    swept = replace(current, boxes={n: replace(box, racked=True) for n, box in current.boxes.items()})
    assert (
        says("layout-clear", replace(driver.table, round=swept), c.Shuffle())
        == "the cards of the dealer still lie on the layout"
    )
