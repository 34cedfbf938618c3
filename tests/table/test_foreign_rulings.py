"""A book of somebody else may rule on any mishap what needs a card: a live table asks which, and does not break.

The handlers rule on some mishaps themselves. In our six books no ruling on these needs a card.
"""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from aceking.cards.card import cards
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table.moment import Done
from aceking.table.phases import closing, deciding
from tests.table.moment import TABLE, boxes, dealing, moment

HEIR = """
from = "{older}"
id = "odd"

[[clause]]
id = "ODD-1"
topic = "irregularity"
actor = "dealer"
says = "The deck puts it right."

[[clause.ruling]]
on = "{mishap}"
during = ["this-round"]
given = [{given}]
then = "{then}"
"""


def odd(folder: Path, older: str, mishap: str, given: str = "", then: str = "complete-hand") -> Book:
    """The older book, in which that mishap brings a card into the round."""
    file = folder / "odd.toml"
    file.write_text(HEIR.format(older=older, mishap=mishap, given=given, then=then), encoding="utf-8")
    return load_book(str(file))


def asks(done: Done) -> None:
    assert done == Refusal("name the card", "BASE-input")


#: The dealer lacks a card.
SHORT: dict[str, Any] = {"dealer": (2, 5, 8, 11)}


def test_a_hand_picked_up_early_is_asked_about(tmp_path: Path) -> None:
    book = odd(tmp_path, "section10", "early-pick-up")
    asks(deciding.look(moment(book, **dealing(14)), c.Look(box=1)))
    assert isinstance(deciding.look(moment(book), c.Look(box=1)), list)


def test_a_second_hand_looked_at_is_asked_about(tmp_path: Path) -> None:
    book = odd(tmp_path, "rws", "second-look", given='"dealer-has-four"')
    for seen in (True, False):
        held = boxes(ann={"seen": seen}, bob={"player": "Ann"})
        done = deciding.look(moment(book, boxes=held, **SHORT), c.Look(box=2))
        if seen:
            asks(done)
        else:
            assert isinstance(done, list)


def test_a_player_who_walks_away(tmp_path: Path) -> None:
    book = odd(tmp_path, "section10", "walk-away", given='"decision-owed", "before-reveal"')
    late = replace(TABLE, decide_seconds=0)
    asks(deciding.time_out(moment(book, late, **SHORT), c.TimeOut(box=1)))
    assert isinstance(deciding.time_out(moment(book, late), c.TimeOut(box=1)), list)


@pytest.mark.parametrize(("three", "right"), [("As Kd 4h", False), ("As Ks Qs", True)])
def test_a_hand_declared_that_wins_nothing(tmp_path: Path, three: str, right: bool) -> None:
    book = odd(tmp_path, "colorado-required", "wrong-declaration", then="discard-and-use-next")
    held = boxes(ann={"cards": cards(three), "seen": True}, bob={"cards": cards("2h 3h 4c")})
    now = moment(book, boxes=held, dealer=(), up=None, community=cards("2d 7h 9c"))
    done = deciding.decide_box(now, c.Declare(box=1))
    if right:
        assert isinstance(done, list)
    else:
        asks(done)


@pytest.mark.parametrize("told", [True, False])
def test_a_major_hand_that_was_not_declared_is_asked_about(tmp_path: Path, told: bool) -> None:
    book = odd(tmp_path, "exchange", "major-hand-undeclared")
    royal = {"cards": cards("As Ks Qs Js Ts"), "seen": True, "choice": "bet", "bet": 2000, "claimed": told}
    done = closing.reveal(moment(book, boxes=boxes(ann=royal, bob={"choice": "fold"}), **SHORT), c.Reveal())
    if told:
        assert isinstance(done, list)
    else:
        asks(done)
