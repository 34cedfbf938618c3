"""Names and ids mean what their patterns say: nothing before them, nothing after them, no line break anywhere."""

import ast
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

import aceking
from aceking.house import login as access
from aceking.house import names
from aceking.house.desk import Request
from aceking.house.floor import requests as w
from aceking.house.floor.states import People, Person
from aceking.house.record import Unit
from aceking.house.store.protocol import Store
from aceking.table import player as pl
from aceking.web.live import messages as m
from aceking.web.routes import AskBody
from tests.house.evening import Evening

#: What a text of each type may be.
GOOD: dict[Any, tuple[str, ...]] = {
    names.Name: ("a", "s10", "ann.b_c-d", "9" * 40),
    names.Currency: ("EUR", "COINS"),
    names.Day: ("2026-09-21",),
    names.RequestId: ("12345678", "p1:Req_2-3.4", "x" * 64),
    pl._CardName: ("As", "2c"),
    pl._CardNames: ("As", "4d 9c"),
    pl._ExchangedCards: ("As", "4d 9c Th Jh Qh"),
}
ENDS = ("\n", "\r", "\r\n", "\u2028", "\x85", "\0", "\t")
PATTERNS = {kind.__metadata__[0].pattern: kind for kind in GOOD}


def _taken(kind: Any, text: str) -> bool:
    try:
        return bool(msgspec.json.decode(msgspec.json.encode(text), type=kind) == text)
    except msgspec.ValidationError:
        return False


@pytest.mark.parametrize("kind", GOOD, ids=lambda kind: kind.__metadata__[0].pattern)
def test_a_pattern_takes_what_it_says_and_nothing_around_it(kind: Any) -> None:
    longest = max(GOOD[kind], key=len)
    for good in GOOD[kind]:
        assert _taken(kind, good)
        for odd in ENDS:
            for wrong in (good + odd, odd + good, good[:1] + odd + good[1:], good + odd + good):
                assert not _taken(kind, wrong), wrong
    assert not _taken(kind, "")
    assert not _taken(kind, longest + longest)
    assert not _taken(kind, longest + longest[-1])


def test_a_day_has_the_digits_of_the_record() -> None:
    assert not _taken(names.Day, "٢٠٢٦-٠٩-٢١")


def _patterns(schema: Any) -> set[str]:
    """Every pattern in a schema, however deep."""
    match schema:
        case {"pattern": str(found), **rest}:
            return {found} | _patterns(rest)
        case dict():
            return set().union(*(_patterns(one) for one in (*schema.keys(), *schema.values())))
        case list() | tuple():
            return set().union(*(_patterns(one) for one in schema))
        case _:
            return set()


def test_every_pattern_of_the_wire_is_among_those_tried_here() -> None:
    types = (AskBody, w.AnyRequest, w.OwnRequest, m.FromClient, pl.PlayerCommand)
    schemas, parts = msgspec.json.schema_components(types)
    assert _patterns([*schemas, parts]) == set(PATTERNS)


def test_no_pattern_of_the_package_ends_before_a_line_break() -> None:
    """`$` alone does; `$(?!\\n)` and `\\Z` do not. What is only searched for or replaced has no `$` at all."""
    found = []
    for path in sorted(Path(aceking.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            of_re = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "re"
            told = [*node.args[:1]] if of_re else [key.value for key in node.keywords if key.arg == "pattern"]
            texts = [one.value for part in told for one in ast.walk(part) if isinstance(one, ast.Constant)]
            loose = [one for one in texts if isinstance(one, str) and re.search(r"(?<!\\)\$(?!\(\?!\\n\))", one)]
            found += [f"{path.name}:{node.lineno}: {one}" for one in loose]
    assert not found


@pytest.mark.parametrize("wrong", ["", "request-1\n", "\nrequest-1", "request\0-1", "\ud800", "x" * 201])
def test_an_id_that_the_log_cannot_hold_is_no_request_and_no_unit(wrong: str) -> None:
    with pytest.raises(ValueError, match="printable"):
        Request(id=wrong, sender=w.HOUSE, body=w.Start(program="0"))
    empty = msgspec.Raw(b"{}")
    with pytest.raises(ValueError, match="printable"):
        Unit(id=wrong, at=1, by="house", asked=empty, reply=empty)


def test_a_request_that_fails_leaves_nothing_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same id must be answered when it comes again."""
    house = Evening().found()
    request = house.request("cas", w.Deposit(player="p1", currency="EUR", amount=100), "deposit-1")
    with monkeypatch.context() as broken:
        broken.setattr("aceking.house.desk.ledger.written", lambda postings: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            house.desk.ask(request, at=house.at)
    assert house.desk.idle
    purse = house.floor.cage.purse("p1", "EUR")
    assert house.ask("cas", request.body, "deposit-1").refused is None
    assert house.floor.cage.purse("p1", "EUR") == purse + 100


@pytest.mark.parametrize("name", ["ann\n", "ann\0", "\0", "Ann", "x" * 41])
def test_what_is_no_name_may_not_log_in_whatever_keeps_the_passwords(store: Store, name: str) -> None:
    """PostgreSQL fails at a text with a NUL."""
    people = People(persons={"ann": Person(name="ann", role="player")})
    assert access.log_in(store, people, name, "a password", at=1) == access.RefusedLogIn(
        name, "nobody of that name may log in"
    )
