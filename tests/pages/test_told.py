"""Sentences of the house in another language: the catalogue held against what the engine says, and read on a page."""

import ast
import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import expect

from aceking.cards.card import CardId
from aceking.rules.reading.load import load_book
from aceking.settlement.judge import judge
from aceking.table.acts import ACTS
from aceking.table.show import phrases
from aceking.table.show.view import few_words
from tests.pages.accessible import axe
from tests.pages.conftest import Player
from tests.pages.play import act, bet_ante, look, take_place

ACEKING = Path(__file__).parents[2] / "aceking"
#: Where the sentences stand that a reader of German is told in German.
SPEAK = (
    *(ACEKING / "table").rglob("*.py"),
    *(ACEKING / "house" / "floor").rglob("*.py"),
    *(ACEKING / "meter").rglob("*.py"),
    *(ACEKING / "award").rglob("*.py"),
    ACEKING / "house" / "views" / "audit.py",
)
#: Which argument of a call is the sentence.
_MAKES = {"said": 0, "refusal": 0, "Refusal": 0, "no": 0, "base": 1, "house_refusal": 1}
_PLACE = re.compile(r"\{(\w+)\}")


def _literals(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp():
            yield from (*_literals(node.body), *_literals(node.orelse))


def _calls() -> Iterator[tuple[str, ast.Call]]:
    for file in SPEAK:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield getattr(node.func, "id", getattr(node.func, "attr", "")), node


def _sentences() -> set[str]:
    """All that the engine says in words: in the calls that make sentences, in `words` before them, and in tables."""
    tables = (phrases._RULINGS, phrases.OUTCOMES, phrases.DECISIONS, phrases.PLACES)
    found = {*(text for one in tables for text in one.values()), "ante", "bet"}
    found |= {f"{one.text}{{cite}}." for one in ACTS.values() if one.text}
    for made, call in _calls():
        if made in _MAKES and len(call.args) > _MAKES[made]:
            found |= set(_literals(call.args[_MAKES[made]]))
    for file in SPEAK:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "words":
                found |= {one for one in _literals(node.value) if "{" in one}
    # Where only places and signs are, every language is the same.
    return {one for one in found if re.search("[a-z]", _PLACE.sub("", one), re.IGNORECASE)}


def _german() -> dict[str, str]:
    text = (ACEKING / "web" / "static" / "words" / "told-de.js").read_text(encoding="utf-8")
    inside = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE).strip().removeprefix("export default").rstrip(";")
    found: dict[str, str] = json.loads(re.sub(r",\s*}$", "}", inside))
    return found


def test_german_has_every_sentence_of_table_floor_and_meter_and_none_that_nobody_says() -> None:
    assert _german().keys() == _sentences()


def test_a_sentence_has_the_same_places_in_german() -> None:
    for english, german in _german().items():
        assert sorted(_PLACE.findall(english)) == sorted(_PLACE.findall(german)), english


def test_a_sentence_is_given_what_its_places_want() -> None:
    for made, call in _calls():
        if made == "said" and isinstance(call.args[0], ast.Constant) and all(one.arg for one in call.keywords):
            assert {one.arg for one in call.keywords} == set(_PLACE.findall(str(call.args[0].value))), ast.unparse(call)


def _hands() -> list[str]:
    """The words for every hand of five cards, and of three."""
    book, colorado = load_book("section10"), load_book("colorado-required")
    fives = {judge(book).words_at(strength) for strength in range(7462)}
    threes = {few_words(colorado, tuple(CardId(one) for one in three)) for three in combinations(range(52), 3)}
    return sorted({*fives, *(one for one in threes if one is not None)})


@pytest.mark.proof
def test_every_hand_has_german_words_of_its_own(visit: Player) -> None:
    page = visit("/", locale="de-AT")
    said = page.evaluate(
        """async (hands) => {
          const base = document.querySelector('script[type=module]').src.replace('main.js', 'words/');
          const { heldWords, rowWords } = await import(base + 'hands.js');
          const rows = ['pair of jacks or better', 'ace high or better', 'pair'].map(rowWords);
          return [...rows, ...hands.map(heldWords)];
        }""",
        hands := _hands(),
    )
    rows, said = said[:3], said[3:]
    assert rows == ["Paar Buben oder besser", "Ass hoch oder besser", "Paar"]
    assert None not in said
    assert len(set(said)) == len(hands)
    told = dict(zip(hands, said, strict=True))
    assert told["two pair, aces and fours"] == "Zwei Paare, Asse und Vierer"
    assert told["ace king high"] == "Ass König hoch"
    assert told["straight, five high"] == "Straße, Fünf hoch"


@pytest.mark.proof
def test_a_refusal_and_a_round_are_told_in_german_and_what_is_english_says_so(visit: Player) -> None:
    page = visit("/table/german", "p3")
    take_place(page, 4)
    bet_ante(page)
    page.evaluate("() => localStorage.setItem('language', 'de')")
    page.reload()
    expect(page.locator("[data-chips]")).to_have_text("S$490,00")
    expect(page.locator(".panel .figure").first).to_have_text(re.compile(r"^9\d,\d{4} %$"))
    page.locator("summary", has_text="Deine Chips").click()
    page.get_by_role("button", name="Box 4 verlassen").click()
    refusal = page.locator(".panel .refusal")
    expect(refusal).to_contain_text("Deine Einsätze sind im Spiel: nimm sie zurück oder spiel die Runde zu Ende")
    expect(refusal.locator("[lang=en]")).to_have_count(0)
    page.get_by_role("button", name="Bereit", exact=True).click()
    look(page)
    expect(page.locator(".own .words")).not_to_have_attribute("lang", "en")
    expect(page.locator(".own .words")).to_contain_text(
        re.compile("hoch|Paar|Drilling|Straße|Flush|Full House|Vierling")
    )
    act(page, "fold").click()
    page.locator(".history summary").first.click()
    for _ in range(20):
        if page.locator(".replay button").last.get_attribute("aria-disabled") == "true":
            break
        page.locator(".replay button").last.click()
    story = page.locator(".story")
    expect(story).to_contain_text("p3 setzt 10 auf Ante, Box 4")
    expect(story).to_contain_text("p3 passt mit Box 4")
    expect(story).to_contain_text("Die Runde ist zu Ende. Netto: p3 -10.")
    english = set(story.locator("[lang=en]").all_inner_texts())
    book = load_book("rws")
    quoted = {one.says.rstrip(".") for one in book.clauses.values()} | {
        book.title,
        book.wagers.opens,
        book.wagers.closes,
    }
    assert english <= quoted, english - quoted
    page.set_viewport_size({"width": 390, "height": 844})
    assert axe(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "a phone shows all of it"
