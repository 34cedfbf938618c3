"""Damaged books are told apart from games, and never end in a traceback."""

import random
from importlib.resources import files

from aceking.rules.reading.clauses import read_book
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import resolve
from aceking.rules.reading.source import Handed
from tests.rules.damage import books, damaged, try_book


def test_what_is_damaged_is_refused_or_still_a_game() -> None:
    found = []
    for number in range(240):
        chance = random.Random(f"ci/{number}")
        found.append(try_book(damaged(books()[chance.choice(sorted(books()))], chance), chance, prices=number < 40))
    assert found.count("refused") > 180
    assert {"refused", "loaded"} <= set(found) <= {"refused", "loaded", "loaded, not priced"}


def test_the_examples_are_among_what_is_damaged() -> None:
    """Books that start from another are written out, and are books before anything is done to them."""
    chance = random.Random("whole")
    found = {name: try_book(raw, chance) for name, raw in books().items() if name in ("lantern", "oasis", "quartet")}
    assert found == {"lantern": "loaded", "oasis": "loaded, not priced", "quartet": "loaded"}


def test_a_text_with_bytes_changed_is_refused_or_a_book() -> None:
    text = (files("aceking.books") / "rws.toml").read_text(encoding="utf-8")
    refused = 0
    for number in range(60):
        chance = random.Random(f"bytes/{number}")
        place = chance.randrange(len(text))
        changed = text[:place] + chance.choice(('"', "[", "=", "\n", "\x00", "9" * 5_000, "é", "")) + text[place + 1 :]
        try:
            resolve(read_book(Handed("rws.toml", {"rws.toml": changed})))
        except BookError as wrong:
            refused += bool(wrong.complaints)
    assert refused > 20
