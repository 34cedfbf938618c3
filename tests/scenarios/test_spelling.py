"""A step of a script is read as a command, and one that cannot be read is refused in a sentence."""

import pytest

from aceking.rules.reading.load import load_book
from aceking.scenarios.spelling import StepError, command_from, moment


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ({"do": "decision", "box": 1, "choice": "bet"}, "there is no act 'decision'"),
        ({"do": "exchange", "box": 1, "card": "Kd"}, "there is no key `card`"),
        ({"do": "card-swipe", "box": 1, "method": "executive"}, "there is no key `method`"),
        ({"do": "ante", "box": 1, "player": "Ann", "game": 3}, "there is no key `game`; did you mean games?"),
        ({"do": "bet", "box": 1, "discards": "4d"}, "there is no key `discards`; did you mean discard?"),
        ({"rule": "block-box", "boxes": [4], "reason": "so"}, "there is no 'block-box'"),
    ],
)
def test_an_unknown_key_or_word_is_refused_with_the_nearest_one(step: dict[str, object], says: str) -> None:
    with pytest.raises(StepError, match=says.replace("?", r"\?")):
        command_from(load_book("rws"), step)


def test_a_time_is_finer_than_a_second_and_no_finer_than_its_thousandth() -> None:
    assert moment("12.345") == 12_345
    with pytest.raises(StepError):
        moment("12.3456")
    with pytest.raises(StepError):
        moment("soon")


@pytest.mark.parametrize(
    "step",
    [
        {"do": "stare", "box": 1},
        {"do": "look", "box": 1, "means": "chips"},
        {"do": "look", "box": -1},
        {"do": "ante", "box": 1, "amount": "9" * 40},
        {"do": "card-dealt", "to": "the floor"},
        {"choose": "maybe", "box": 1},
        {"report": "no-such-mishap"},
        {"rule": "no-such-remedy", "reason": "so"},
        {"box": 1},
    ],
)
def test_a_step_that_says_nothing_is_one_sentence(step: dict[str, object]) -> None:
    with pytest.raises(StepError) as wrong:
        command_from(load_book("rws"), step)
    assert str(wrong.value).strip()
    assert "\n" not in str(wrong.value)
