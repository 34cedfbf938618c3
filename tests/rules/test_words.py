"""The words of the books are words of the pages: each act, mishap and remedy has its own in both languages."""

import re
from pathlib import Path
from typing import get_args

import pytest

import aceking
from aceking.rules.words import ActName, Mishap, Remedy

WORDS = Path(aceking.__file__).parent / "web" / "static" / "words"
#: What pages have words for, and nobody does by itself or as an act: a report, a decision of any kind.
NO_ACTS = {"report"}
FAMILIES = {"decision"}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("group", "words"),
    [
        ("do", set(get_args(ActName)) - FAMILIES | NO_ACTS),
        ("mishap", set(get_args(Mishap))),
        ("remedy", set(get_args(Remedy))),
    ],
    ids=["acts", "mishaps", "remedies"],
)
def test_every_word_of_the_books_has_its_words_on_the_pages_and_no_other_has(
    language: str, group: str, words: set[str]
) -> None:
    text = "".join((WORDS / file).read_text(encoding="utf-8") for file in (f"{language}.js", f"staff-{language}.js"))
    assert set(re.findall(rf'"{group}\.([^"\n]+)": "', text)) == words
