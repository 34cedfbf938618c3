"""A script that cannot be read says so in a sentence; it is no fault of the program."""

from typing import Any

import pytest

from aceking.scenarios.judge import ScriptError
from aceking.scenarios.scripts import run_script

_SCRIPT: dict[str, Any] = {"book": "section10", "start": "betting", "boxes": [{"box": 1, "ante": "10"}], "when": []}


@pytest.mark.parametrize(
    ("key", "wrong", "sentence"),
    [
        ("order", 5, "order: it is a text"),
        ("awards", "x", "awards: it is a table of keys"),
        ("then", 5, "then: it is a table of keys"),
        ("book", 5, "book: it is a text"),
        ("people", {"dealer": 5}, "people: dealer: it is a list of names"),
        ("rounds", "x", "rounds: it is a number from 0 on"),
        ("rounds", -1, "rounds: it is a number from 0 on"),
        ("rounds", 1.5, "rounds: it is a number from 0 on"),
        ("seconds", 0, "seconds: it is a number from 1 on"),
        ("attended", "no", "attended: it is true or false"),
        ("meter", "-5", "'-5' is below nothing"),
        ("meter", "x", "'x' is not an amount"),
        ("limits", {"min": "100", "max": "10"}, "limits: the minimum is above the maximum"),
    ],
)
def test_a_value_of_the_wrong_kind_is_named_with_its_key(key: str, wrong: Any, sentence: str) -> None:
    with pytest.raises(ScriptError, match=sentence):
        run_script({**_SCRIPT, key: wrong})


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ({"drive": "cards"}, "step 1: count: it is a number from 1 on, not None"),
        ({"drive": "deal", "count": "x"}, "step 1: count: it is a number from 1 on"),
        ({"drive": "bets", "order": 5}, "step 1: order: it is a text"),
        ({"report": "boxed-card", "cards": 5}, "step 1: cards is a text"),
        ({"do": "card-dealt", "to": 5}, "step 1: to is a text"),
        ({"do": "card-dealt", "card": 5}, "step 1: card is a text"),
        ({"rule": "correct-record", "corrects": 5, "reason": "x"}, "step 1: corrects is a list"),
        ({"rule": "correct-record", "corrects": [5], "reason": "x"}, "step 1: corrects is a list"),
        ({"rule": "correct-record", "corrects": [{"place": 5}], "reason": "x"}, "place and cards of a correction"),
    ],
)
def test_a_step_with_a_value_of_the_wrong_kind_is_named_with_its_number(step: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ScriptError, match=sentence):
        run_script({**_SCRIPT, "when": [step]})


def test_one_person_may_be_named_without_a_list() -> None:
    story = run_script({**_SCRIPT, "people": {"dealer": "Dora"}, "when": [{"do": "no-more-bets", "by": "Dora"}]})
    assert not story.problems
