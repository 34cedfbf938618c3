"""Past rounds are found by table, time, player, amount and hand, as the log has them."""

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from sqlalchemy import delete, select

from aceking.cards.hand import CATEGORY_BY_KEY
from aceking.house.floor.library import book_of
from aceking.house.store import past_rounds
from aceking.house.store.sql.tables import past_hand, past_round, past_upto
from aceking.house.views.finding import Finder, FoundHand, FoundRound, NotUnderstood, RoundSearch
from aceking.house.views.past_round import past_round_view
from aceking.house.views.table_history import recall
from aceking.web.audit import RoundIndexer
from tests.house.evening import Evening

TABLES = {"one": "section10", "two": "exchange", "three": "colorado-permissible"}


def _finder(house: Evening) -> Finder:
    def book(table: str) -> Any:
        return book_of(house.floor.house, house.table(table))

    return Finder(house.store, book, lambda: house.desk.seq)


@pytest.fixture(scope="module")
def house() -> Evening:
    """Three tables that take turns, seven boxes each."""
    found = Evening().found()
    for name, book in TABLES.items():
        found.open(book, name=name, players=4)
    for _ in range(8):
        for name in TABLES:
            found.play(name)
    return found


def _search(house: Evening, most: int = 100, before: int | None = None, **sought: Any) -> list[FoundRound]:
    return [*_finder(house).find(RoundSearch(**sought), {2}, before=before, most=most).rounds]


def _all(house: Evening, holds: Callable[[FoundRound], bool]) -> list[int]:
    return [one.id for one in _search(house) if holds(one)]


def test_every_round_is_found_newest_first_and_page_by_page(house: Evening) -> None:
    whole = _search(house)
    assert [(one.table, one.round) for one in whole] == [
        (table, number) for number in range(8, 0, -1) for table in reversed(TABLES)
    ]
    pages, before = list[FoundRound](), None
    while page := _search(house, most=5, before=before):
        pages += page
        before = page[-1].id
    assert pages == whole
    first = _finder(house).find(RoundSearch(), {2}, most=24)
    assert (len(first.rounds), first.more, first.upto) == (24, False, house.desk.seq)
    assert _finder(house).find(RoundSearch(), {2}, most=23).more


def test_a_round_is_found_as_its_table_shows_it_at_the_end(house: Evening) -> None:
    for one in _search(house):
        book = book_of(house.floor.house, house.table(one.table))
        head = house.floor.versions[f"table/{one.table}"]
        [record] = recall(house.store, one.table, head=head, last=1, before=one.round + 1)
        shown = past_round_view(book, one.table, record).common
        assert (one.began, one.ended, one.first, one.last) == (record.began, record.ended, record.first, record.last)
        hands = {hand.box: hand for hand in one.hands}
        for box in shown.boxes:
            assert hands[box.box].player == box.player
            assert hands[box.box].net == box.net
        if shown.dealer_words is not None:
            assert hands[0].hand is not None
            assert {*hands[0].cards} == {*shown.dealer}
        assert _finder(house).round(one.table, one.round, head=head) == record


def test_rounds_are_found_by_table_time_player_and_what_became_of_them(house: Evening) -> None:
    whole = _search(house)
    middle = whole[10]
    assert [one.id for one in _search(house, table="two")] == [one.id for one in whole if one.table == "two"]
    since, until = whole[15].began, middle.ended
    assert {one.id for one in _search(house, since=since, until=until)} == {
        one.id for one in whole if one.ended >= since and one.began <= until
    }
    assert len(_search(house, player="p4")) == 24
    assert _search(house, player="p7") == []
    assert _search(house, void=True) == []


def test_amounts_are_of_one_hand_and_both_ends_are_in(house: Evening) -> None:
    def of_hand(holds: Callable[[float, float], bool], player: str = "") -> list[int]:
        return _all(
            house,
            lambda one: any(
                hand.box > 0 and player in ("", hand.player) and holds(float(hand.stake), float(hand.net))
                for hand in one.hands
            ),
        )

    assert [one.id for one in _search(house, stake_from="30")] == of_hand(lambda stake, net: stake >= 30)
    assert [one.id for one in _search(house, stake_from="30.01")] == of_hand(lambda stake, net: stake >= 30.01)
    assert [one.id for one in _search(house, net_to="-30")] == of_hand(lambda stake, net: net <= -30)
    assert [one.id for one in _search(house, net_from="0.01", net_to="20", player="p2")] == of_hand(
        lambda stake, net: 0.01 <= net <= 20, "p2"
    )


def test_hands_are_found_by_their_class_their_holder_and_their_cards(house: Evening) -> None:
    def of(key: str, holds: Callable[[FoundHand], bool]) -> list[int]:
        return _all(house, lambda one: any(hand.hand == key and holds(hand) for hand in one.hands))

    for key in CATEGORY_BY_KEY:
        assert [one.id for one in _search(house, hand=key)] == of(key, lambda hand: True)
        assert [one.id for one in _search(house, hand=key, whose="dealer")] == of(key, lambda hand: hand.box == 0)
        assert [one.id for one in _search(house, hand=key, whose="player")] == of(key, lambda hand: hand.box > 0)
        won = of(key, lambda hand: float(hand.net) > 0)
        assert [one.id for one in _search(house, hand=key, whose="winner")] == won
    first, second = _search(house)[3].hands[1].cards[:2]
    assert [one.id for one in _search(house, cards=f"{first} {second}")] == _all(
        house, lambda one: any({first, second} <= {*hand.cards} for hand in one.hands)
    )


@pytest.mark.parametrize(
    ("sought", "why"),
    [
        ({"hand": "five_of_a_kind"}, "there is no hand 'five_of_a_kind': high_card, pair"),
        ({"cards": "As Xx"}, "there is no card"),
        ({"stake_from": "ten"}, "the stake 'ten' is not an amount; write it as in 12.50"),
        ({"net_to": "1-2"}, "is not an amount"),
        ({"stake_from": "20", "stake_to": "10"}, "at least 20 is not at most 10"),
        ({"since": 2, "until": 1}, "ends before it begins"),
    ],
)
def test_what_cannot_be_looked_for_is_told_in_a_sentence(house: Evening, sought: dict[str, Any], why: str) -> None:
    with pytest.raises(NotUnderstood, match=why):
        _search(house, **sought)


def _kept(house: Evening) -> tuple[list[Any], list[Any]]:
    with house.store.reading() as connection:
        rounds = connection.execute(select(past_round).order_by(past_round.c.id)).all()
        return [*rounds], [*connection.execute(select(past_hand).order_by(past_hand.c.round, past_hand.c.box)).all()]


def _forget(house: Evening) -> None:
    """Drop the index of finished rounds. It is a cache: nothing is lost."""
    with house.store.aside() as connection:
        for table in (past_hand, past_round, past_upto):
            connection.execute(delete(table))


@pytest.mark.parametrize("turn", [1, 7, 100_000])
def test_rounds_that_are_read_in_turns_of_any_size_are_indexed_the_same(house: Evening, turn: int) -> None:
    """Also where each turn is another process, which has not seen how the round under way began."""
    _finder(house).find(RoundSearch(), {2})
    whole = _kept(house)
    _forget(house)
    while _finder(house).catch_up(turn):
        pass
    assert _kept(house) == whole


def test_two_processes_that_read_the_same_entries_keep_each_round_once(house: Evening) -> None:
    whole = _kept(house)
    _forget(house)
    one, other = _finder(house), _finder(house)
    for _ in range(1_000):
        if not one.catch_up(40) + other.catch_up(40):
            break
    assert not past_rounds.add(house.store, [], since=1, upto=2)
    assert _kept(house) == whole


@pytest.mark.proof
def test_while_very_much_is_written_the_house_comes_first(house: Evening) -> None:
    _forget(house)
    written = count(0, 1_000)
    busy = [True]
    finder = _finder(house)
    known = finder.known
    indexer = RoundIndexer(finder)

    async def evening() -> None:
        finder.known = lambda: next(written) if busy[0] else known()
        indexer.start()
        await asyncio.sleep(1)
        assert not past_rounds.upto(house.store)  # nothing was read meanwhile
        busy[0] = False
        async with asyncio.timeout(20):
            while past_rounds.upto(house.store) < house.desk.seq:
                await asyncio.sleep(0.05)
        await indexer.stop()

    asyncio.run(evening())
