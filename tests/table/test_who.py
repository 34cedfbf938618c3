"""Who may do an act: every act of every book in every part, against a table that was read from the documents."""

import tomllib
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from aceking.rules.book import Book
from aceking.rules.reading.load import book_ids, load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.rules.words import Actor
from aceking.table import commands as c
from aceking.table.acts import ACTS
from aceking.table.dealer.driver import new_table
from aceking.table.gate import gate

READ = tomllib.loads(Path(__file__).with_name("who.toml").read_text(encoding="utf-8"))
#: What a command says that cannot be made without; nothing of it is asked before who acts.
SAID: dict[str, Any] = {
    "box": 1,
    "deck": "first",
    "count": 20,
    "amount": 0,
    "card": 0,
    "give": (0,),
    "device": "shuffler",
    "of": "model",
    "model": "M-1",
    "option": "none of the book's",
    "value": "yes",
}
Parts = tuple[frozenset[str], str]  # who, and the clause that another is told


def told(name: str, options: dict[str, Any]) -> dict[str, Parts]:
    """Each act that is done at a table of the book, by whom."""
    own = READ[name]
    nearer = [one for one in READ["variant"] if name in one["book"].split() and one["options"] == options]
    layers = [*([READ[own["like"]]] if "like" in own else []), own, *nearer]
    prefix = next(one["prefix"] for one in layers if "prefix" in one)
    found = {act: (frozenset(roles.split()), "BASE") for roles, acts in READ["base"].items() for act in acts.split()}
    for layer in layers:
        for roles, acts in layer.items():
            if isinstance(acts, dict) and roles != "options":
                for act, clause in acts.items():
                    full = clause if clause in ("?", "BASE") else prefix + clause
                    found[act] = frozenset(roles.split()), full
        for act in layer.get("nobody", "").split():
            found.pop(act, None)
    return found


CASES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in book_ids()),
    *((name, one["options"]) for one in READ["variant"] for name in one["book"].split()),
]


def chosen(name: str, options: dict[str, Any]) -> Book:
    book = with_options(load_book(name), options)
    assert not isinstance(book, Refusal)
    return book


def command(act: str, role: Actor) -> c.Act:
    kind = ACTS[act].command  # type: ignore[index]
    wanted = {one.name: SAID[one.name] for one in msgspec.structs.fields(kind) if one.required}
    return kind(**wanted, role=role)


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_an_act_is_for_those_whom_the_document_names_and_for_nobody_else(name: str, options: dict[str, Any]) -> None:
    book = chosen(name, options)
    table = new_table(book)
    parts = told(name, options)
    for act in ACTS:
        may, clause = parts.get(act, (frozenset[str](), "nobody's"))
        for role in get_args(Actor):
            passed = gate(book, table, command(act, role))
            assert isinstance(passed, Refusal) == (role not in may), f"{act} by the {role}"
            if isinstance(passed, Refusal):
                expected = {"BASE": "BASE-people", "nobody's": "BASE-known", "?": passed.clause}.get(clause, clause)
                known = passed.clause in book.clauses or passed.clause == expected
                assert known, f"{act} by the {role}: {passed.clause}"
                if clause != "nobody's":
                    assert passed.clause == expected, f"{act} by the {role}"
                    assert passed.reason.startswith(f"{act} is for the "), passed.reason


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_where_nobody_is_named_an_act_is_done_in_the_part_that_the_document_gives_it(
    name: str, options: dict[str, Any]
) -> None:
    book = chosen(name, options)
    for act, (may, _) in told(name, options).items():
        passed = gate(book, new_table(book), msgspec.structs.replace(command(act, "player"), role=None))
        assert not isinstance(passed, Refusal), act
        assert passed.role in may, act


def test_the_table_of_parts_names_acts_and_parts_that_there_are() -> None:
    for name, options in CASES:
        for act, (roles, _) in told(name, options).items():
            assert act in ACTS
            assert roles <= set(get_args(Actor)), f"{name}: {act}: {sorted(roles)}"
