"""A script of the wrong shape is one sentence with its place, never a fault of the program."""

from typing import Any

import pytest

from aceking.rules.reading.load import load_book
from aceking.scenarios.judge import ScriptError
from aceking.scenarios.scripts import run_script
from aceking.scenarios.spelling import StepError, command_from

_SCRIPT: dict[str, Any] = {
    "book": "rws",
    "order": "4h Ts Ah Td Kd 8h 9c 5s 6s 2d 3d",
    "boxes": [{"box": 1, "ante": "10", "player": "Ann"}],
    "start": "closed",
    "when": [{"drive": "deal"}],
}


def test_the_script_that_the_others_spoil_is_right() -> None:
    assert not run_script(_SCRIPT).problems


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"book": 7}, "book: it is a text, not 7"),
        ({"order": 7}, "order: it is a text"),
        ({"start": ["x"]}, "start: it is a text"),
        ({"start": "yesterday"}, "start: 'yesterday' is not one of"),
        ({"mode": "by post"}, "mode: a table is"),
        ({"options": 7}, "options: it is a table of keys, not 7"),
        ({"awards": 7}, "awards: it is a table of keys"),
        ({"awards": {"flush": 7}}, "awards, flush: it is a text"),
        ({"then": 7}, "then: it is a table of keys"),
        ({"people": {"dealer": 7}}, "people: dealer: it is a name or a list of names"),
        ({"people": {"dealer": [7]}}, "people: dealer: it is a name or a list of names"),
        ({"attended": "no"}, "attended: it is true or false"),
        ({"limits": {"min": "100", "max": "10"}}, "limits: the minimum is above the maximum"),
        ({"meter": "-5"}, "'-5' is negative"),
        ({"meter": "x"}, "'x' is not an amount"),
        ({"meter": "x", "start": "new", "when": []}, "'x' is not an amount"),
        ({"rounds": -1}, "rounds: it is a number from 0 up"),
        ({"rounds": "x"}, "rounds: it is a number from 0 up"),
        ({"rounds": 1.5}, "rounds: it is a number from 0 up"),
        ({"seconds": 0}, "seconds: it is a number from 1 up"),
        ({"seconds": True}, "seconds: it is a number from 1 up"),
        ({"when": "x"}, "when: it is a list"),
        ({"when": [7]}, "step 1: it is a table of keys"),
        ({"when": [{"do": ["look"]}]}, "step 1: do: it is a text"),
        ({"when": [{"drive": ["deal"]}]}, "step 1: drive: it is a text"),
        ({"when": [{"drive": "deal", "count": "x"}]}, "step 1: count: it is a number from 1 up"),
        ({"when": [{"drive": "deal", "count": 0}]}, "step 1: count: it is a number from 1 up"),
        ({"when": [{"drive": "cards"}]}, "step 1: count: it is a number from 1 up, not None"),
        ({"when": [{"drive": "bets", "order": 7}]}, "step 1: order: it is a text"),
        ({"boxes": [7]}, "boxes, entry 1: it is a table of keys"),
        ({"boxes": [{"ante": "10"}]}, "boxes, entry 1: there must be a key `box`"),
    ],
)
def test_what_has_the_wrong_kind_is_named(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ScriptError) as error:
        run_script(_SCRIPT | wrong)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ({"report": "cards-exposed", "cards": 7}, "cards: it is a text"),
        ({"do": "card-dealt", "card": 7}, "card: it is a text"),
        ({"do": "card-dealt", "to": 7}, "to: it is a text"),
        ({"rule": "correct-record", "reason": "x", "corrects": "all"}, "corrects: it is a list"),
        ({"rule": "correct-record", "reason": "x", "corrects": [7]}, "corrects: it is a list"),
        ({"rule": "correct-record", "reason": "x", "corrects": [{"place": 7}]}, "place: it is a text"),
        (
            {"rule": "correct-record", "reason": "x", "corrects": [{"place": "box 1", "cards": 7}]},
            "cards: it is a text",
        ),
    ],
)
def test_so_is_a_part_of_a_step(step: dict[str, Any], sentence: str) -> None:
    with pytest.raises(StepError) as error:
        command_from(load_book("rws"), step)
    assert sentence in str(error.value)


def test_a_step_of_the_wrong_shape_is_named_with_its_number() -> None:
    with pytest.raises(ScriptError, match="step 2: cards: it is a text"):
        run_script(_SCRIPT | {"when": [{"drive": "deal"}, {"report": "boxed-card", "cards": 5}]})


def test_one_person_may_be_named_without_a_list() -> None:
    call = {"do": "no-more-bets", "by": "Dora"}
    story = run_script(_SCRIPT | {"people": {"dealer": "Dora"}, "start": "betting", "when": [call]})
    assert not story.problems


def test_the_meter_of_a_script_is_read_out_when_its_first_round_closes_and_not_later() -> None:
    steps = [{"do": "no-more-bets"}, {"drive": "deal"}, {"do": "fold", "box": 1}, {"drive": "finish"}]
    again = [{"drive": "bets"}, {"do": "ante", "box": 1, "player": "Ann", "amount": "10"}, {"drive": "close"}]
    script = _SCRIPT | {"meter": "1000", "start": "betting", "when": steps[:1]}
    first = run_script(script).table.round
    assert first is not None
    assert first.meter == 100000
    second = run_script(script | {"when": [*steps, *again]}).table.round
    assert second is not None
    assert second.number == 2
    assert second.meter is None
    said = run_script(script | {"when": [{"drive": "close", "meter": "7"}]}).table.round
    assert said is not None
    assert said.meter == 700
