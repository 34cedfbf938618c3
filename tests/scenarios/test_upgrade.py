"""Scripts of the first edition are understood, and written anew they say the same."""

import tomllib

import pytest

from aceking.rules.reading.load import load_book
from aceking.scenarios.reference import BECAME
from aceking.scenarios.scripts import run_script
from aceking.scenarios.spelling import RENAMED, StepError, command_from, moment, upgraded
from aceking.scenarios.upgrade import upgraded_text

OLD = {
    "book": "section10",
    "start": "new",
    "when": [
        {"do": "notice-given", "note": "rules and limits", "method": "table-signage"},
        {
            "do": "deck-registered",
            "deck": "first",
            "method": "red",
            "count": 52,
            "note": "cutting card (blue), cover card",
        },
        {
            "do": "deck-registered",
            "deck": "x",
            "method": "mixed red",
            "count": 52,
            "note": "",
            "refused": "CSP-10(b)(1)",
        },
    ],
    "then": {"decks": ["first"]},
}


def test_an_old_script_runs_as_it_is_and_in_todays_spelling() -> None:
    assert not run_script(OLD).problems
    text = upgraded_text([OLD])
    new = tomllib.loads(text)
    assert new["when"][0] == {"do": "notice-given", "about": ["rules", "limits"], "where": "table-signage"}
    assert new["when"][1]["back"] == "red"
    assert [one["kind"] for one in new["when"][1]["extras"]] == ["cutting card", "cover card"]
    assert new["when"][2]["uniform"] is False
    assert not run_script(new).problems
    assert upgraded_text([new]) == text


def test_every_renamed_key_is_listed_in_the_reference() -> None:
    for act, keys in RENAMED.items():
        assert set(keys) == set(BECAME[act]), act


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"do": "decision", "box": 1, "choice": "stay", "card": "4d"}, {"do": "stay", "box": 1, "discard": "4d"}),
        ({"do": "ante", "box": 1, "note": "unnoticed"}, {"do": "ante", "box": 1, "noticed": False}),
        ({"do": "side-bet", "box": 1, "note": "dark"}, {"do": "side-bet", "box": 1, "lit": False}),
        ({"do": "stay-seated", "box": 1, "note": "left"}, {"do": "stay-seated", "box": 1, "left": True}),
        (
            {"do": "exchange", "box": 1, "card": "Kd", "draws": "5h"},
            {"do": "exchange", "box": 1, "give": "Kd", "take": "5h"},
        ),
        ({"do": "card-swipe", "box": 1, "method": "executive"}, {"do": "card-swipe", "box": 1, "card": "executive"}),
        ({"do": "talk", "box": 1, "note": "loudly"}, {"do": "talk", "box": 1, "remark": "loudly"}),
        ({"rule": "block-box", "boxes": [4]}, {"rule": "block-affected-box", "boxes": [4]}),
    ],
)
def test_a_step_in_todays_spelling(old: dict[str, object], new: dict[str, object]) -> None:
    assert upgraded(old) == new
    assert upgraded(new) == new


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
        {"do": "decision", "box": 1},
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
