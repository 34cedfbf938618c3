"""One catalogue of words: both languages have all of it, and no page says what is not in it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.pages.conftest import Player

pytestmark = pytest.mark.proof
CATALOGUES = ("preact-htm.js", "en.js", "de.js", "staff-en.js", "staff-de.js", "told-de.js")
STATIC = Path(__file__).parents[2] / "aceking" / "web" / "static"


def _catalogue(visit: Player) -> dict[str, dict[str, str]]:
    page = visit("/")
    source = "() => document.querySelector('script[type=module]').src.replace('main.js', 'words/')"
    base = page.evaluate(source)
    load = """async (base) => {
      const words = async (file) => (await import(base + file)).default;
      const of = async (files) => Object.assign({}, ...await Promise.all(files.map(words)));
      return {en: await of(['en.js', 'staff-en.js']), de: await of(['de.js', 'staff-de.js'])};
    }"""
    found: dict[str, dict[str, str]] = page.evaluate(load, base)
    return found


def test_both_languages_have_the_same_words_with_the_same_places(visit: Player) -> None:
    found = _catalogue(visit)
    assert found["en"].keys() == found["de"].keys()
    for key, text in found["en"].items():
        places = set(re.findall(r"\{\w+\}", text))
        assert places == set(re.findall(r"\{\w+\}", found["de"][key])), key
        assert text.strip(), key


def test_no_page_says_what_the_catalogue_has_not_and_the_catalogue_has_nothing_unsaid(visit: Player) -> None:
    found = _catalogue(visit)["en"]
    code = "\n".join(file.read_text() for file in STATIC.rglob("*.js") if file.name not in CATALOGUES)
    literals = set(re.findall(r'"([^"\n]+)"', code)) | set(re.findall(r"`([^`\n]+)`", code))
    literals |= set(re.findall(r'"([^"\n]+)"', code.replace('""', "")))
    said = set(re.findall(r'say\("([^"]+)"', code))
    assert said <= found.keys()
    groups = {text.split("${")[0] for text in literals if "${" in text and "." in text.split("${")[0]}
    groups |= {f"{group}." for group in re.findall(r'called\("([^"]+)"', code)}
    groups |= set(re.findall(r"say\(`([^`$]+)\$\{", code))
    unsaid = {key for key in found if key not in literals and not any(key.startswith(one) for one in groups)}
    assert {key for key in unsaid if not key.endswith(".one")} == set()


def test_an_amount_is_typed_with_a_point_or_a_comma_and_never_misread(visit: Player) -> None:
    page = visit("/", locale="de-AT")
    read = """async (texts) => {
      const at = document.querySelector('script[type=module]').src.replace('main.js', 'money.js');
      const { typed } = await import(at);
      return texts.map((text) => typed(text, 2, { below: text.startsWith('-') }));
    }"""
    amounts = {
        "12": 1200,
        " 7.5 ": 750,
        "7,50": 750,
        "-0,70": -70,
        "7.555": None,
        "1.000": None,
        "1,000.00": None,
        "": None,
    }
    assert page.evaluate(read, list(amounts)) == list(amounts.values())


def test_a_reader_of_german_is_told_in_german(visit: Player) -> None:
    page = visit("/", locale="de-AT")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Tische")
    page.locator(".settings summary").click()
    page.get_by_label("Sprache").select_option("en")
    expect(page.get_by_role("heading", level=1)).to_contain_text("tables")
