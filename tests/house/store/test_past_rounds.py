"""What past rounds are found by, in both databases: rows in once, and found by each thing that can be asked."""

from typing import Any

import pytest

from aceking.house.store import past_rounds
from tests.house.store.places import Database, opened

ACE, KING, TWO = 1 << 51, 1 << 47, 1 << 0


def _row(number: int, *hands: past_rounds.PastHand, table: str = "one", void: bool = False) -> past_rounds.PastRow:
    return past_rounds.PastRow(
        id=number * past_rounds.ROUNDS_OF_ENTRY,
        table=table,
        number=number,
        began=number * 100,
        ended=number * 100 + 50,
        first=number,
        after=number,
        version=number + 1,
        decimals=2,
        void=void,
        hands=hands,
    )


def _hand(box: int, player: str = "", **told: Any) -> past_rounds.PastHand:
    return past_rounds.PastHand(box=box, player=player, **told)


ROWS = (
    _row(1, _hand(0, hand=1, cards=KING), _hand(3, "ann", stake=1000, net=-1000, hand=5, cards=ACE | KING)),
    _row(2, _hand(0, hand=5, cards=ACE), _hand(3, "ben", stake=3000, net=3000, hand=1, cards=TWO), table="two"),
    _row(3, _hand(3, "ann", stake=0, net=0, cards=ACE | TWO), _hand(4, "ben", stake=9000, net=-9000), void=True),
)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, [3, 2, 1]),
        ({"table": "two"}, [2]),
        ({"since": 250, "until": 300}, [3, 2]),
        ({"since": 251, "until": 299}, []),
        ({"void": True}, [3]),
        ({"void": False}, [2, 1]),
        ({"player": "ann"}, [3, 1]),
        ({"player": "ann", "stake": past_rounds.AmountRange({2: 3000})}, []),
        ({"stake": past_rounds.AmountRange({2: 1000}, {2: 3000})}, [2, 1]),
        ({"net": past_rounds.AmountRange(None, {2: -1000})}, [3, 1]),
        ({"net": past_rounds.AmountRange({0: 1, 2: 3000})}, [2]),
        ({"net": past_rounds.AmountRange({0: 1})}, []),
        ({"hand": 5}, [2, 1]),
        ({"hand": 5, "whose": "dealer"}, [2]),
        ({"hand": 5, "whose": "winner"}, []),
        ({"hand": 1, "whose": "winner"}, [2]),
        ({"cards": ACE}, [3, 2, 1]),
        ({"cards": ACE | KING}, [1]),
        ({"cards": ACE, "whose": "player"}, [3, 1]),
    ],
)
def test_rounds_are_found_by_what_is_asked(real: Database, wanted: dict[str, Any], found: list[int]) -> None:
    with opened(real) as store:
        assert past_rounds.upto(store) == 0
        assert past_rounds.add(store, ROWS, since=0, upto=30)
        assert past_rounds.upto(store) == 30
        rows = past_rounds.find(store, past_rounds.RoundQuery(**wanted), before=None, most=10)
        assert [row.number for row in rows] == found
        assert all(row in ROWS for row in rows)


def test_a_page_follows_the_one_before_and_a_round_has_its_number(real: Database) -> None:
    with opened(real) as store:
        past_rounds.add(store, ROWS, since=0, upto=30)
        assert [row.number for row in past_rounds.find(store, past_rounds.RoundQuery(), before=ROWS[2].id, most=1)] == [
            2
        ]
        one = past_rounds.by_number(store, "two", 2)
        assert one is not None
        assert (one.id, one.last, one.after, one.version) == (2000, 2, 2, 3)
        assert past_rounds.by_number(store, "two", 3) is None


def test_of_two_who_read_the_same_entries_one_is_too_late(real: Database) -> None:
    with opened(real) as store:
        assert past_rounds.add(store, ROWS[:1], since=0, upto=10)
        assert not past_rounds.add(store, ROWS[:1], since=0, upto=10)
        assert past_rounds.add(store, ROWS[1:2], since=10, upto=20)
        assert not past_rounds.add(store, ROWS[1:], since=10, upto=30)
        assert [row.number for row in past_rounds.find(store, past_rounds.RoundQuery(), before=None, most=10)] == [2, 1]
