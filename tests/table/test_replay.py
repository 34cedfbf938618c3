"""The same events give the same state, byte for byte; a table can be saved anywhere; the rack tells every hand."""

import random

import pytest
from msgspec.structs import replace

from aceking.cards.card import cards
from aceking.rules.book import Book
from aceking.rules.reading.load import book_ids, load_book, with_options
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.discard_rack import stub_size
from aceking.table.cards.place import STUB, Pile, Place
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.replay import RecordError, events_from_json_lines, events_to_json_lines, replay
from aceking.table.state import TableState
from tests.table.rebuilt import Rebuilt, reconstruct
from tests.table.saved import dump, load
from tests.table.test_driver import round_of, table_of, whole_round


def driven(book: Book, rounds: int = 5, seed: int = 11) -> Driver:
    driver = Driver(book, table_of(book))
    chance = random.Random(seed)
    for number in range(rounds):
        whole_round(driver, chance, boxes=1 + number % 4)
    return driver


def test_replaying_the_record_gives_the_same_bytes(book: Book) -> None:
    driver = driven(book)
    written = events_to_json_lines(driver.events)
    read = events_from_json_lines(written)
    assert read == tuple(driver.events)
    assert dump(replay(book, table_of(book), read)) == dump(driver.table)
    assert events_to_json_lines(read) == written


def test_a_table_is_saved_and_loaded_after_every_single_event(book: Book) -> None:
    driver = driven(book, rounds=2)
    live = saved = table_of(book)
    for event in driver.events:
        live = replay(book, live, [event])
        saved = replay(book, load(dump(saved)), [event])
        assert dump(saved) == dump(live)


def test_equal_states_are_equal_bytes_whatever_the_order_of_their_sets() -> None:
    book = load_book("section10")
    table = driven(book, rounds=1).table
    assert table.round is not None
    acts = sorted(table.round.acts)
    one = replace(table, round=replace(table.round, acts=frozenset(acts)))
    other = replace(table, round=replace(table.round, acts=frozenset(reversed(acts))))
    assert dump(one) == dump(other)


def test_a_record_of_another_text_of_the_book_is_refused() -> None:
    book = load_book("rws")
    driver = driven(book, rounds=1)
    other = replace(driver.events[0])  # any event: the table itself is of another text
    with pytest.raises(RecordError, match="another text of rws"):
        replay(book, replace(table_of(book), digest="0" * 64), [other])
    opened = next(event for event in driver.events if isinstance(event, ev.RoundOpened))
    with pytest.raises(RecordError, match="round 1 was played by another text of rws: its digest is 00"):
        replay(book, table_of(book), [replace(opened, digest="00")])
    with pytest.raises(RecordError, match="was played by rws, not by washington"):
        replay(load_book("washington"), table_of(book), driver.events)


def test_a_round_stores_its_book_and_the_options_of_its_house() -> None:
    book = with_options(load_book("section10"), {"shuffle-method": "automated"})
    assert isinstance(book, Book)
    driver = driven(book, rounds=1)
    current = round_of(driver)
    assert (current.book, current.digest) == (book.id, book.digest)
    assert current.options == {"shuffle-method": "automated"}


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (b"{", "line 2: "),
        (b'{"is":"dealt","card":52,"to":["dealer"]}', r"line 2: Expected `int` <= 51 - at `\$.card`"),
        (b'{"is":"dealt","card":"As","to":["dealer"]}', "line 2: Expected `int`, got `str`"),
        (b'{"is":"dealt","card":5,"to":["dealer"],"by":"magic"}', "line 2: Object contains unknown field `by`"),
        (b'{"is":"conjured"}', "line 2: Invalid value 'conjured'"),
    ],
)
def test_a_damaged_record_says_which_line(line: bytes, wrong: str) -> None:
    good = events_to_json_lines([ev.RoundOpened(number=1, at=0)])
    with pytest.raises(RecordError, match=wrong):
        events_from_json_lines(good + line + b"\n")


def test_events_that_cannot_follow_are_refused_by_number() -> None:
    book = load_book("rws")
    with pytest.raises(RecordError, match=r"event 1 .* cannot follow"):
        replay(book, table_of(book), [ev.Moved(line=3)])


def test_the_rack_tells_every_hand_of_random_rounds(book: Book) -> None:
    chance = random.Random(5)
    driver = Driver(book, table_of(book))
    for number in range(25):
        whole_round(driver, chance, boxes=1 + number % 5)
        current = round_of(driver)
        hands = reconstruct(current.rack)
        dealt: dict[Pile, set[int]] = {}
        for event in _of_the_last_round(driver):
            if isinstance(event, ev.Dealt):
                dealt.setdefault(_pile(event.to), set()).add(event.card)
        for place, hand in hands.items():
            assert hand.dealt == dealt[place]
        assert {place for place in dealt if place != Pile("burn")} == set(hands)
        for box in current.boxes.values():
            assert hands[Pile("hand", box.number)].discard == box.discard
            assert (hands[Pile("hand", box.number)].gave, hands[Pile("hand", box.number)].took) == (box.gave, box.took)
        racked = [card for _, held in current.rack for card in held]
        assert len(racked) + stub_size(driver.book, current) == 52
        assert set(racked) == set(current.sequence)


def _pile(place: Place) -> Pile:
    return Pile("hand", place.number) if place.kind == "box" else Pile(place.kind)


def _of_the_last_round(driver: Driver) -> list[ev.TableEvent]:
    start = max(place for place, one in enumerate(driver.events) if isinstance(one, ev.RoundOpened))
    return driver.events[start:]


def test_an_exchanged_and_a_discarded_card_go_back_to_their_hand() -> None:
    first, second = cards("As Ks Qs Js Ts"), cards("9c 8d 7h")
    rack = (
        (Pile("exchanged", 1), cards("2d")),
        (Pile("hand", 1), first),
        (Pile("discard", 2), second[2:]),
        (Pile("hand", 2), second[:2]),
        (Pile("dealer"), cards("3c 4c 5c 6c 8c")),
        (STUB, ()),
    )
    hands = reconstruct(rack)
    assert hands[Pile("hand", 1)] == Rebuilt(first, gave=cards("2d"), took=cards("Ts"))
    assert hands[Pile("hand", 1)].dealt == set(cards("As Ks Qs Js 2d"))
    assert hands[Pile("hand", 2)].dealt == set(second)
    assert set(hands) == {Pile("hand", 1), Pile("hand", 2), Pile("dealer")}


def test_a_new_table_of_every_book_survives_saving() -> None:
    for book_id in book_ids():
        table: TableState = new_table(load_book(book_id))
        assert load(dump(table)) == table
        driver = Driver(load_book(book_id), load(dump(table)))
        driver.must(c.GiveNotice(about=("rules",)))
