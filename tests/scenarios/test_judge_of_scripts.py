"""The judge of scripts is judged: each thing that a script can expect, once as it is, once with a deliberate error."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.scenarios.judge import ScriptError, StepResult, differences, step_problems
from aceking.scenarios.scripts import read_scripts, run_script
from aceking.scenarios.sheets import default_folder
from aceking.table import event as ev
from aceking.table.dealer.driver import new_table

#: A round of two boxes: Ann bets on a pair of tens with a jackpot bet, Bob folds three sevens, the dealer has ace king.
ROUND: dict[str, Any] = {
    "order": "4h Ts 7s Ah Td 7h Kd 8h 7d 9c 5s Qc 6s 2d 4c 3d",
    "boxes": [
        {"box": 1, "ante": "10", "side": "1", "player": "Ann"},
        {"box": 2, "ante": "10", "play": "fold", "player": "Bob"},
    ],
    "start": "decided",
    "meter": "100000",
    "reset": "10000",
    "when": [{"drive": "finish"}],
}

RIGHT_AND_WRONG = [
    ("net", {"Ann": "29", "Bob": "-10"}, {"Ann": "29", "Bob": "10"}),
    ("net", {"1": "29.00", "2": "-10.00"}, {"1": "29.01"}),
    ("net", {"Bob": "-10"}, {"Bod": "0"}),
    ("net", {"2": "-10"}, {"3": "0"}),
    ("phase", "done", "void"),
    ("hands", {"box 1": "Ts Td 8h 5s 2d"}, {"box 1": "Ts Td 8h 5s 3d"}),
    ("hands", {"dealer": "Ah Kd 9c 6s 3d", "burn": "4h"}, {"dealer": "Ah Kd 9c 6s 3d", "burn": ""}),
    ("hands", {"box 3": ""}, {"box 3": "As"}),
    ("hands", {"7": ""}, {"box 8": ""}),
    ("hands", {"community": ""}, {"comunity": ""}),
    ("up", "3d", "Ah"),
    ("unregulated", False, True),
    ("cites", ["RWS-4.1", "RWS-3.12.1"], ["RWS-4.1", "RWS-3.12.2"]),
    ("violations", 0, 1),
    ("rounds", 1, 2),
    ("open", True, False),
    ("meter", "100000.00", "99999.99"),
    ("lights", [1], [1, 2]),
    ("lights", [1], []),
    ("accounts", {"tray": "-19", "Ann": "29"}, {"tray": "19"}),
    ("accounts", {"meter": "0"}, {"metre": "0"}),
    ("rack", {"box 2": "7s 7h 7d Qc 4c"}, {"box 2": "7s 7h 7d 4c Qc"}),
    ("rack", {"burn": "4h"}, {"brun": ""}),
    ("decks", ["first"], ["first", "second"]),
]


def problems(**changed: Any) -> list[str]:
    return run_script({**ROUND, **changed}, "rws").problems


@pytest.mark.parametrize(("key", "right", "wrong"), RIGHT_AND_WRONG)
def test_what_follows_is_judged(key: str, right: Any, wrong: Any) -> None:
    assert not problems(then={key: right})
    assert len(problems(then={key: wrong})) == 1


def test_every_mistake_is_told() -> None:
    assert len(problems(then={"net": {"Ann": "1", "Bob": "1"}, "up": "Ah", "phase": "void", "rounds": 7})) == 5


@pytest.mark.parametrize(
    "then",
    [
        {"nets": {"Ann": "29"}},
        {"net": "29"},
        {"net": {"Ann": "twenty"}},
        {"phase": True},
        {"hands": {"box 1": "Ts Tx"}},
        {"up": "3"},
        {"unregulated": "no"},
        {"cites": "RWS-4.1"},
        {"violations": False},
        {"rounds": "1"},
        {"open": 1},
        {"meter": "all"},
        {"lights": 1},
        {"decks": "first"},
    ],
    ids=str,
)
def test_an_expectation_that_nobody_could_judge_is_an_error(then: dict[str, Any]) -> None:
    with pytest.raises(ScriptError, match=next(iter(then))):
        problems(then=then)


def test_minus_nothing_is_nothing() -> None:
    raw = {**ROUND, "boxes": [{"box": 1, "ante": "10", "player": "Ann"}], "start": "closed"}
    raw["when"] = [{"report": "foreign-card"}]
    for text in ("0", "-0", "0.00"):
        assert not run_script({**raw, "then": {"net": {"Ann": text}}}, "rws").problems


def test_the_winnings_of_a_box_are_its_players_even_when_the_next_round_has_begun() -> None:
    later = [{"drive": "finish"}, {"drive": "bets"}]
    assert not problems(when=later, then={"net": {"1": "29"}})
    assert problems(when=later, then={"net": {"1": "0"}})


# --- Steps: refusals, breaches, rulings, questions


def refused() -> StepResult:
    """A step that was really refused: a card too many."""
    return run_script({**ROUND, "start": "dealt", "when": [{"do": "card-dealt", "refused": True}]}, "rws").steps[1]


def test_a_refusal_is_judged_by_its_clause_and_its_reason() -> None:
    told = refused()
    assert told.refusal is not None
    clause, reason = told.refusal.clause, told.refusal.reason
    assert clause in load_book("rws").clauses
    for fine in ({"refused": clause}, {"refused": True}, {"refused": clause, "because": reason[3:]}):
        assert not step_problems(told, fine)
    mistakes: list[dict[str, Any]] = [
        {},
        {"refused": "RWS-1.1"},
        {"refused": clause, "because": "the shoe is empty"},
        {"refused": True, "because": "the shoe is empty"},
        {"because": reason},
        *({"refused": clause, key: "continue"} for key in ("violates", "rules", "asks")),
    ]
    for wrong in mistakes:
        assert len(step_problems(told, wrong)) == 1, wrong


def test_a_list_of_the_clauses_that_refuse_is_all_of_them() -> None:
    """Nobody has called for bets yet, there is no ante, and Ann has no box: several clauses stand against it."""
    bet = {"do": "side-bet", "box": 1, "player": "Ann", "amount": "1"}
    every = ["RWS-3.2", "RWS-3.8", "RWS-3.8.1", "RWS-5.11"]
    for right in (every, [*reversed(every)], "RWS-3.2", True):
        assert not problems(start="opened", when=[{**bet, "refused": right}])
    for wrong in (every[:3], every[1:], [*every, "RWS-3.9"], ["RWS-3.2"], "RWS-3.8"):
        assert len(problems(start="opened", when=[{**bet, "refused": wrong}])) == 1, wrong
    allowed = {"do": "look", "box": 1, "refused": ["RWS-3.2", "RWS-3.8"]}
    assert problems(start="dealt", when=[allowed]) == [
        "step 1 (do look, box 1): it was not refused by RWS-3.2, RWS-3.8"
    ]
    told = run_script({**ROUND, "boxes": [], "start": "opened", "when": [{**bet, "refused": True}]}, "rws")
    assert told.cited == tuple(every)


def test_a_refusal_without_a_clause_is_not_one_by_a_clause() -> None:
    told = StepResult(1, "a step", refusal=Refusal("no", clause=""))
    assert step_problems(told, {"refused": "RWS-3.10"})


def test_what_is_allowed_is_not_refused() -> None:
    assert not problems(start="dealt", when=[{"do": "look", "box": 1}])
    unexpected: list[dict[str, Any]] = [{"refused": "RWS-3.10"}, {"refused": True}, {"because": "anything"}]
    for says in unexpected:
        assert len(problems(start="dealt", when=[{"do": "look", "box": 1, **says}])) == 1


@pytest.mark.parametrize(
    "says", [{"refused": ""}, {"refused": False}, {"refused": []}, {"because": ""}, {"because": ["a"]}]
)
def test_an_empty_word_would_match_anything_and_is_an_error(says: dict[str, Any]) -> None:
    with pytest.raises(ScriptError, match=next(iter(says))):
        problems(start="dealt", when=[{"do": "card-dealt", **says}])


@pytest.mark.parametrize("key", ["violates", "rules", "asks"])
@pytest.mark.parametrize("value", ["", True, 1, [""], [1]])
def test_a_word_or_a_list_of_words_is_expected_of_a_step(key: str, value: Any) -> None:
    with pytest.raises(ScriptError, match=key):
        step_problems(StepResult(1, "a step"), {key: value})


@cache
def stories() -> tuple[StepResult, ...]:
    """Every step of every script: what really happens at the tables."""
    scripts = read_scripts(default_folder() / "table")
    return tuple(told for one in scripts for told in run_script(one.raw, one.book).steps[1:])


def breaches(told: StepResult) -> list[str]:
    return [str(one.clause) for one in told.events if isinstance(one, ev.Violated)]


def rulings(told: StepResult) -> list[str]:
    return [one.then for one in told.events if isinstance(one, ev.Ruled | ev.Answered)]


def questions(told: StepResult) -> list[str]:
    return [one.of for one in told.events if isinstance(one, ev.Asked)]


def a_step(**has: int) -> StepResult:
    """A step that really happened, with these numbers of breaches, rulings and questions."""
    count: dict[str, Callable[[StepResult], list[str]]] = {
        "breaches": breaches,
        "rulings": rulings,
        "questions": questions,
    }
    return next(
        one
        for one in stories()
        if one.refusal is None and all(len(set(find(one))) == has.get(name, 0) for name, find in count.items())
    )


@pytest.mark.proof
def test_a_breach_must_be_named() -> None:
    told = a_step(breaches=1)
    assert not step_problems(told, {"violates": breaches(told)[0]})
    assert not step_problems(told, {"violates": breaches(told)})
    assert step_problems(told, {})
    assert step_problems(told, {"violates": "X-1"})
    assert step_problems(told, {"violates": []})
    assert step_problems(told, {"violates": [*breaches(told), "X-1"]})


@pytest.mark.proof
def test_all_breaches_of_a_step_must_be_named() -> None:
    told = a_step(breaches=2)
    assert not step_problems(told, {"violates": breaches(told)})
    for one in breaches(told):
        assert not step_problems(told, {"violates": one})
        assert step_problems(told, {"violates": one}, strict=True)
        assert step_problems(told, {"violates": [one]})


def test_a_ruling_does_not_excuse_a_breach() -> None:
    told = next(one for one in stories() if breaches(one) and "void-round" in rulings(one))
    assert not step_problems(told, {"rules": "void-round", "violates": breaches(told)})
    assert not step_problems(told, {"rules": "void-round"})
    assert step_problems(told, {"rules": "void-round"}, strict=True)


def test_a_breach_that_a_ruling_puts_on_record_is_named_by_the_ruling() -> None:
    told = next(one for one in stories() if breaches(one) and set(rulings(one)) == {"record-violation"})
    assert not step_problems(told, {"rules": "record-violation"})
    assert step_problems(told, {})


@pytest.mark.parametrize(("key", "kind", "find"), [("rules", "rulings", rulings), ("asks", "questions", questions)])
def test_rulings_and_questions_are_judged(key: str, kind: str, find: Callable[[StepResult], list[str]]) -> None:
    told = next(one for one in stories() if len(find(one)) == 1 and not breaches(one))
    assert not step_problems(told, {key: find(told)[0]})
    assert not step_problems(told, {key: find(told)})
    for wrong in ("nobody", ["nobody"], [], [*find(told), "nobody"], find(told) * 2):
        assert step_problems(told, {key: wrong}), wrong


def test_a_list_of_rulings_names_all_of_them() -> None:
    told = a_step(rulings=2)
    assert not step_problems(told, {"rules": rulings(told)})
    assert not step_problems(told, {"rules": rulings(told)[::-1]})
    assert step_problems(told, {"rules": rulings(told)[:1]})


@pytest.mark.parametrize(("under", "fine"), [("RWS-3.13", True), ("RWS-3.12", False), ("none", False)])
def test_an_act_is_done_under_the_clause_that_is_named(under: str, fine: bool) -> None:
    assert bool(problems(when=[{"do": "reveal", "under": under}])) != fine


# --- A runner that accepts everything


@pytest.mark.parametrize(
    "says",
    [
        {},
        {"refused": "RWS-3.10"},
        {"refused": True},
        {"because": "x"},
        {"violates": "RWS-3.7#inform"},
        {"rules": "continue"},
        {"asks": "supervisor"},
        {"under": "RWS-3.10"},
    ],
    ids=str,
)
def test_a_step_of_which_nothing_came_is_not_what_was_expected(says: dict[str, Any]) -> None:
    assert step_problems(StepResult(1, "a step"), says)


@pytest.mark.parametrize(("key", "right"), [(key, right) for key, right, _ in RIGHT_AND_WRONG])
def test_a_story_of_nothing_satisfies_no_script(key: str, right: Any) -> None:
    book = load_book("rws")
    found = differences(book, new_table(book, mode="electronic"), {key: right}, [StepResult(0, "start")], ())
    is_of_nothing = (key, right) in (("unregulated", False), ("violations", 0), ("accounts", {"meter": "0"}))
    assert bool(found) != is_of_nothing


def test_every_script_notices_a_runner_that_accepts_everything_and_does_nothing() -> None:
    unnoticed = []
    for script in read_scripts(default_folder() / "table"):
        book = load_book(script.book)
        says = [{key: raw[key] for key in STEP_KEYS if key in raw} for raw in script.raw.get("when", [])]
        steps = [StepResult(0, "start"), *(StepResult(place, "a step") for place, _ in enumerate(says, start=1))]
        found = [
            problem for told, expects in zip(steps[1:], says, strict=True) for problem in step_problems(told, expects)
        ]
        found += differences(book, new_table(book, mode="electronic"), script.raw.get("then", {}), steps, ())
        if not found:
            unnoticed.append(script.title)
    assert not unnoticed


STEP_KEYS = ("refused", "because", "violates", "rules", "asks", "under")
