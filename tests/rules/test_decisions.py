"""What a choice of the player must have besides its entry: words in both languages, a book, a free letter.

That it has a command, an arm of settlement and a sentence in the story is asserted where these stand, at import.
"""

import re
from pathlib import Path

import pytest

import aceking
from aceking.rules.decisions import CHOICES, DECISIONS, BookChoice
from aceking.rules.reading.load import book_ids, load_book
from aceking.table.acts import ACTS
from aceking.table.show.phrases import DECISIONS as STORY

WORDS = Path(aceking.__file__).parent / "web" / "static" / "words"
#: What a player may enter at the terminal besides a choice.
TERMINAL = frozenset("cghlqrvw")


def keys(*files: str) -> set[str]:
    """The keys of catalogues of words."""
    return {key for file in files for key in re.findall(r'"([^"\n]+)": "', (WORDS / file).read_text(encoding="utf-8"))}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("choice", DECISIONS)
def test_a_choice_has_its_words_in_both_languages(choice: BookChoice, language: str) -> None:
    entry = DECISIONS[choice]
    wanted = {f"act.{choice}", f"meaning.{choice}", f"do.{choice}"}
    if choice in CHOICES:
        wanted.add(f"choice.{choice}")
    if entry.takes_cards:
        wanted |= {f"act.{choice}.card", f"card.first.{choice}"}
    if entry.priced:
        wanted.add(f"decision.{choice}")
    assert wanted - keys(f"{language}.js", f"staff-{language}.js") == set()


def test_the_story_of_every_choice_is_told_in_german() -> None:
    assert set(STORY.values()) - keys("told-de.js") == set()


def test_every_choice_is_an_act_of_the_player() -> None:
    assert {ACTS[choice].by for choice in DECISIONS} == {("player",)}


def test_every_choice_is_offered_by_some_book() -> None:
    offered = {choice for name in book_ids() for choice in load_book(name).decide.choices}
    assert offered == set(DECISIONS)


def test_no_letter_of_a_choice_means_something_else_at_the_terminal() -> None:
    assert TERMINAL.isdisjoint(one.letter for one in DECISIONS.values())


@pytest.mark.parametrize("name", book_ids())
def test_the_rule_of_a_choice_is_one_of_a_book_that_has_the_choice(name: str) -> None:
    book = load_book(name)
    assert [one for one in book.decide.choices if DECISIONS[one].rule not in book.by_key] == []
