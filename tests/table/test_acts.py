"""The one table of acts, the base procedure, and every remedy: nothing is there that does nothing."""

from typing import get_args

import pytest

from aceking.rules.book import Book
from aceking.rules.reading.load import book_ids, load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.rules.words import ActName, Circumstance, Remedy
from aceking.table import commands as c
from aceking.table.acts import ACTS, NAMES
from aceking.table.base_procedure import BASE, RULES
from aceking.table.cards.shoe import NO_SHOE
from aceking.table.dealer.driver import Driver
from aceking.table.decide import decide
from aceking.table.mishaps.circumstances import FINDINGS, KNOWN, REPORTERS
from aceking.table.mishaps.consequences import _REMEDIES, GOES_ON
from aceking.table.state import TableState
from tests.table.saved import knows
from tests.table.test_driver import FULL


def test_every_act_that_a_book_can_name_is_in_the_table_once() -> None:
    # `decision` is what bet, stay, fold and declare have in common; nobody does it by itself.
    assert set(ACTS) == set(get_args(ActName)) - {"decision"}
    assert len(NAMES) == len(ACTS)
    for name, entry in ACTS.items():
        assert entry.command.__struct_config__.tag == name
        assert entry.by


def test_the_base_procedure_gives_a_reason_for_each_act() -> None:
    assert set(BASE) <= set(ACTS)
    assert all(reason for _, reason in BASE.values())
    assert all(text.endswith(".") for text in RULES.values())


COLORADO = {"colorado-permissible", "colorado-required"}
STUD = {"exchange", "rws", "section10", "washington"}
#: What only some of the books have by the base procedure: where there is a dealer's hand, a meter, a card to buy …
BASE_OF = {
    "deck-loaded": COLORADO | STUD - {"washington"},
    "deck-held": {"washington"},
    "side-bet": COLORADO | STUD,
    "no-more-bets": COLORADO | STUD - {"washington"},
    "round-ended": COLORADO | STUD - {"washington"},
    "up-card": STUD,
    "compare": STUD,
    "claim": STUD,
    "select-winner": STUD,
    "supervisor-validated": STUD,
    "pay-award": STUD,
    "manual-adjustment": STUD,
    "award-locked": STUD,
    "exchange": {"exchange"},
    "discard": COLORADO,
    "buy-dealer-card": set(),
    "dealer-card-drawn": set(),
}


def test_the_base_procedure_of_each_book_is_that_of_its_game() -> None:
    for name, (holds, _) in BASE.items():
        found = {book_id for book_id in book_ids() if holds(load_book(book_id))}
        if name in BASE_OF:
            assert found == BASE_OF[name], name
        elif name not in ("burn", "packet-dealt", "stub-to-rack"):
            assert found == COLORADO | STUD, name


@pytest.mark.parametrize(
    ("book_id", "act", "options", "known"),
    [
        ("section10", "packet-dealt", {"dealing-method": "automated-shoe", "shuffle-method": "automated"}, True),
        ("section10", "packet-dealt", {"dealing-method": "manual-shoe"}, False),
        ("section10", "stub-to-rack", {}, True),
        ("rws", "stub-to-rack", {}, False),
    ],
)
def test_the_base_procedure_follows_the_way_of_dealing(
    book_id: str, act: ActName, options: dict[str, object], *, known: bool
) -> None:
    book = with_options(load_book(book_id), options)
    assert isinstance(book, Book)
    assert BASE[act][0](book) is known


def test_every_remedy_has_its_effect_or_lets_play_go_on() -> None:
    # Worked out with the ruling or the answer itself: a miscount ruled on as such, a record corrected.
    elsewhere = ("as-miscount", "as-reported", "correct-record")
    assert sorted([*_REMEDIES, *GOES_ON, *elsewhere]) == sorted(get_args(Remedy)), "each once"


def test_every_circumstance_has_one_owner() -> None:
    assert KNOWN | set(REPORTERS) == set(get_args(Circumstance))
    assert not KNOWN & set(REPORTERS)
    assert set(REPORTERS) >= FINDINGS
    assert all(REPORTERS.values())


@pytest.mark.parametrize("name", book_ids())
def test_what_neither_book_nor_base_knows_is_refused(name: str) -> None:
    book = load_book(name)
    driver = Driver(book)
    driver.open_table()
    for act, entry in ACTS.items():
        if knows(book, act) or (entry.command.__struct_fields__ and _wants(entry.command)):
            continue
        refused = driver.do(entry.command())
        assert isinstance(refused, Refusal), act
        assert refused.clause in book.clauses or refused.clause == "BASE-known", act


def _wants(command: type[c.Act]) -> bool:
    """Whether a command cannot be made without saying more."""
    try:
        command()
    except TypeError:
        return True
    return False


@pytest.mark.parametrize("name", book_ids())
def test_no_part_does_what_is_by_nature_another_ones(name: str) -> None:
    """A player neither shuffles, deals, reveals nor pays, and nobody but a player decides."""
    book = load_book(name)
    driver = Driver(book)
    driver.open_bets(FULL)
    driver.must(c.Ante(box=1, player="Ann", amount=1000))
    for act in (c.Shuffle(role="player"), c.CloseBets(role="player"), c.Reveal(role="player"), c.Pay(role="player")):
        refused = driver.do(act)
        assert isinstance(refused, Refusal)
        assert refused.clause
    refused = driver.do(c.Fold(box=1, role="dealer"))
    assert isinstance(refused, Refusal)


def test_a_malformed_command_leaves_the_same_table() -> None:
    book = load_book("rws")
    driver = Driver(book)
    driver.open_bets(FULL)
    table: TableState = driver.table
    for command in (
        c.Ante(box=99, player="Ann", amount=1000),
        c.Ante(box=1, amount=1000),
        c.Ante(box=1, player="tray", amount=1000),
        c.Ante(box=1, player="Ann", amount=0),
        c.GiveRuling(question=7, then="continue", reason="so"),
        c.Choose(question=7, box=1, go_on=True),
        c.Report(mishap="player-miscount", boxes=(99,)),
        c.OpenBets(at=0),
    ):
        result = decide(book, table, command, NO_SHOE)
        assert isinstance(result, Refusal), command
        assert result.reason
        assert result.clause
    assert driver.table is table
