"""A table under fire: any command by anybody at any time, in all six books, and what must hold after every one.

Hypothesis chooses the book, the options, and each command; `tests/torture.py` walks the same way for hours.
"""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from aceking.rules.reading.load import book_ids
from aceking.table import event as ev
from aceking.table.show.view import Viewer
from tests.table.walk import VIEWERS, Walk, new_walk
from tests.table.walk_commands import answer, anything, by_a_player, mishap, next_step
from tests.torture import walk_once

chances = st.randoms(use_true_random=False)


class TableMachine(RuleBasedStateMachine):
    """Players, dealer, floorperson, supervisor, devices and the house at one table."""

    walk: Walk

    @initialize(book_id=st.sampled_from(book_ids()), chance=chances)
    def sit_down(self, book_id: str, chance: random.Random) -> None:
        self.walk = new_walk(book_id, chance)

    @rule(chance=chances, count=st.integers(1, 30))
    def the_game_goes_on(self, chance: random.Random, count: int) -> None:
        """What a well-run table does next, some steps of it."""
        for _ in range(count):
            self.walk.take(next_step(self.walk, chance))

    @rule(chance=chances)
    def a_player_acts(self, chance: random.Random) -> None:
        self.walk.take(by_a_player(self.walk, chance))

    @rule(chance=chances)
    def somebody_does_anything(self, chance: random.Random) -> None:
        self.walk.take(anything(self.walk.book, self.walk.table, chance))

    @rule(chance=chances)
    def something_goes_wrong(self, chance: random.Random) -> None:
        self.walk.take(mishap(self.walk.book, self.walk.table, chance))

    @rule(chance=chances, right=st.booleans())
    def somebody_answers(self, chance: random.Random, right: bool) -> None:
        self.walk.take(answer(self.walk, chance, right=right))

    @rule(viewer=st.sampled_from(VIEWERS))
    def somebody_looks_at_the_table(self, viewer: Viewer) -> None:
        self.walk.check_view(viewer)

    @invariant()
    def the_record_gives_the_same_table(self) -> None:
        if hasattr(self, "walk"):
            self.walk.check_record()

    def teardown(self) -> None:
        if hasattr(self, "walk"):
            self.walk.check_replay()
            for viewer in VIEWERS:
                self.walk.check_view(viewer)


TableMachine.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
TestTableMachine = TableMachine.TestCase


def test_a_walk_of_every_book_from_fixed_seeds() -> None:
    """Some thousands of steps, the same ones every time."""
    ended = laps = 0
    for book_id in book_ids():
        for seed in range(5):
            walk = walk_once(book_id, 10_000 + seed, steps=200)
            ended += walk.rounds["ended"]
            laps += walk.laps
    assert ended > 50, "the walks play hardly any round to its end"
    assert laps > 100, "hardly any lap was held against the same one card by card"


@pytest.mark.parametrize(
    ("book_id", "act", "least"),
    [("oasis", "exchange", 5), ("russian", "dealer-card-drawn", 3)],
)
def test_a_walk_of_houses_that_sell_several_cards_or_one_for_the_dealer(book_id: str, act: str, least: int) -> None:
    file = Path(__file__).resolve().parent.parent.parent / "examples" / "books" / f"{book_id}.toml"
    walks = [walk_once(str(file), seed, steps=250) for seed in range(8)]
    done = [event for walk in walks for event in walk.events if isinstance(event, ev.Acted) and event.act == act]
    assert len(done) >= least, "the walks hardly do what they are for"


@pytest.mark.parametrize(("book_id", "seed"), [("colorado-required", 20021)])
def test_a_walk_that_once_ended_where_nobody_could_go_on(book_id: str, seed: int) -> None:
    """A hand was declared and put away, and then the record of its cards was corrected: that is still ruled on."""
    assert walk_once(book_id, seed).rounds["ended"]
