"""Everything that is wrong with a book is told at once, and what is no book at all in one sentence."""

import copy
import os
from pathlib import Path
from typing import Any

import pytest

from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import load_book, resolve
from aceking.rules.reading.source import MOST_BYTES
from tests.rules.parsed import book_text
from tests.rules.test_inheritance import complaints
from tests.rules.test_load import Raw, clause, raw_book


def told(raw: Raw) -> tuple[str, ...]:
    with pytest.raises(BookError) as refused:
        resolve(book_text(raw))
    return refused.value.complaints


def test_all_faults_of_form_and_value_come_together() -> None:
    raw = copy.deepcopy(raw_book("rws"))
    raw["currency"] = "dollars"
    raw["decimals"] = 5
    raw["steps"].append("zzz")
    clause(raw, "RWS-1.3")["actor"] = "croupier"
    clause(raw, "RWS-1.14")["set"]["dealer"]["qualifies_with"] = "A K"
    clause(raw, "RWS-4.1")["set"]["bet"]["pays"].update(flush="6 for 1")
    del clause(raw, "RWS-4.1")["set"]["bet"]["pays"]["straight"]
    clause(raw, "RWS-3.12.2")["set"]["bet"]["antes"] = -1
    clause(raw, "RWS-2.1").pop("outside")
    found = told(raw)
    for one in (
        "rws: currency: 'dollars' is not three to five capitals, as in 'EUR'",
        "rws: decimals: 5 is not a whole number from 0 to 4",
        "rws: steps: 'zzz' is not a step",
        "rws: RWS-1.3: actor: 'croupier' is not one of player, dealer, supervisor, floorperson, device, house",
        "rws: RWS-1.14: dealer.qualifies_with: 'A K' is not a hand of five ranks, as in 'A K 4 3 2'",
        "rws: RWS-4.1: bet.pays.flush: '6 for 1' is not odds; write them as in '7 to 1'",
        "rws: RWS-4.1: there is no row bet.pays.straight",
        "rws: RWS-3.12.2: bet.antes: -1 is not a number of antes from 1 to 100",
        "rws: RWS-2.1: it neither sets nor governs anything, and does not say why it is outside",
    ):
        assert one in found
    assert len(found) == 9


@pytest.mark.parametrize("name", ["RWS-1.3\n", "RWS\0", "\x1b[31mRWS", "RWS\u2028", "R" * 81])
def test_the_id_of_a_clause_is_short_and_printable(name: str) -> None:
    raw = copy.deepcopy(raw_book("rws"))
    clause(raw, "RWS-2.1")["id"] = name
    assert any("is not of 1 to 80 printable characters" in one for one in told(raw))


@pytest.mark.parametrize(
    ("step", "key", "value", "says"),
    [
        ("deck", "size", 48, "48 is not one of 52"),
        ("deck", "size", -3, "-3 is not one of 52"),
        ("deck", "decks", 6, "6 is not one of 1, 2"),
        (
            "hands",
            "cards",
            2,
            "hands.cards: 2 cannot be dealt, settled and priced; against a dealer's hand it is 5 cards",
        ),
        ("hands", "community", 5, "hands.community: 5 cannot be dealt"),
        ("hands", "discards", 2, "hands.discards: 2 cannot be dealt"),
        ("bet", "antes", 0, "0 is not a number of antes from 1 to 100"),
        ("bet", "required", False, "bet.required: against a dealer's hand a player without a bet has folded"),
        ("ante", "pays", "by-hand", "against a dealer's hand the ante has odds of its own"),
        ("progressive", "stake", "0", "'0' is not an amount above 0, as in '5000'"),
        ("progressive", "exchanged", "not-payable", "it means nothing in a game without an exchange"),
        ("decide", "choices", ["bet"], "decide.choices: fold: the step fold without its choice"),
        ("decide", "choices", ["bet", "fold", "exchange"], "exchange: a choice without its step exchange"),
        ("decide", "choices", ["bet", "fold", "stay"], "stay is for games in which no bet is required"),
        ("table", "seats_max", 11, "11 boxes take 60 cards, and the deck has 52"),
    ],
)
def test_a_shape_that_cannot_be_dealt_is_refused(step: str, key: str, value: Any, says: str) -> None:
    raw = copy.deepcopy(raw_book("section10"))
    for one in raw["clause"]:
        for part in ("set", "read"):
            one.get(part, {}).get(step, {}).pop(key, None)
        one["option"] = [each for each in one.get("option", []) if each["rule"] != f"{step}.{key}"]
        if not any(one.get(part) for part in ("set", "read", "option", "act", "ruling", "defines", "outside")):
            one["outside"] = "It set what is tried here."
    raw["clause"].append(
        {"id": "TRY-1", "topic": "trial", "actor": "house", "says": "Something else.", "set": {step: {key: value}}}
    )
    found = told(raw)
    assert any("TRY-1" in one and says in one for one in found), found


WRONG = [48, [1], {"a": 1}, True, 1.5, -1, 10**30]


@pytest.mark.parametrize("value", WRONG)
@pytest.mark.parametrize("key", ["id", "title", "house", "version", "source", "currency", "steps", "clause", "anomaly"])
def test_a_header_of_the_wrong_type_is_told(key: str, value: Any) -> None:
    assert any(f": {key}: " in one for one in told({**copy.deepcopy(raw_book("rws")), key: value}))


@pytest.mark.parametrize("value", [*WRONG[:-1], "2", 5])
def test_decimals_are_a_number_up_to_four(value: Any) -> None:
    assert any(": decimals: " in one for one in told({**copy.deepcopy(raw_book("rws")), "decimals": value}))


@pytest.mark.parametrize("value", [1, {}, [1], ["x"], "x"])
@pytest.mark.parametrize("key", ["set", "read", "option", "act", "ruling", "defines", "refers", "reading", "outside"])
def test_a_part_of_a_clause_of_the_wrong_type_is_told(key: str, value: Any) -> None:
    if (key, value) in (("set", {}), ("read", {}), ("defines", ["x"]), ("refers", ["x"]), ("outside", "x")):
        return  # that it may have
    raw = copy.deepcopy(raw_book("rws"))
    clause(raw, "RWS-1.3")[key] = value
    assert any(one.startswith("rws: RWS-1.3: ") for one in told(raw))


def test_what_is_no_file_with_a_book_is_told_in_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    for name, data, says in (
        ("latin.toml", "title = 'caf\xe9'".encode("latin-1"), "a book is a text in UTF-8"),
        ("long.toml", b"decimals = " + b"9" * 10_000, "a number has more than 4300 digits"),
        ("deep.toml", b"a = " + b"[" * 5_000 + b"]" * 5_000, "it is nested too deeply"),
        ("big.toml", b"#" * (MOST_BYTES + 1), "a book has at most"),
        ("list.toml", b"clause = 7", "clause: 7 is not a list of tables; write [[clause]]"),
        ("empty.toml", b"", "the header has no id"),
        ("broken.toml", b"id = ", "broken.toml: this is not TOML: Invalid value"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(BookError) as refused:
            load_book(str(tmp_path / name))
        assert any(says in one for one in refused.value.complaints), refused.value
    for name, says in (("folder.toml", "Is a directory"), ("pipe.toml", "this is not a regular file")):
        with pytest.raises(BookError, match=says):
            load_book(str(tmp_path / name))


def test_what_is_included_has_clauses_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "part.toml").write_text('id = "part"\n[[clause]]\nid = "P-1"\n', encoding="utf-8")
    (tmp_path / "whole.toml").write_text('id = "whole"\nincludes = "part.toml"\n', encoding="utf-8")
    with pytest.raises(BookError) as refused:
        load_book(str(tmp_path / "whole.toml"))
    found = refused.value.complaints
    assert "whole: part.toml: an included file has no key 'id'; it has clause and anomaly" in found
    assert "whole: P-1: it has no topic" in found


def test_a_rule_that_is_taken_away_with_none_leaves_no_hole(tmp_path: Path) -> None:
    """Found by damage: `bet.unlisted = "none"` let rows be missing, and a least rate of none was compared."""
    text = """
from = "section10"
id = "holes"
[[clause]]
id = "H-1"
topic = "pays"
actor = "house"
says = "A flush has no row, and nothing says what becomes of it."
set.bet.unlisted = "none"
set.bet.pays.flush = "none"
set.progressive.rate_min = "none"
"""
    assert complaints(tmp_path, text) == ("holes: CSP-10(l)(3): there is no row bet.pays.flush",)
