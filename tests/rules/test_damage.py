"""Damaged books are told apart from games, and never end in a traceback."""

import random
from importlib.resources import files

from aceking.rules.load import book_ids, resolve
from aceking.rules.source import Handed
from aceking.rules.text import read_book
from aceking.rules.wrong import BookError
from tests.rules.damage import damaged, try_book, whole


def test_what_is_damaged_is_refused_or_still_a_game() -> None:
    books = {name: whole(name) for name in book_ids()}
    found = []
    for number in range(240):
        chance = random.Random(f"ci/{number}")
        found.append(try_book(damaged(books[chance.choice(sorted(books))], chance), chance))
    assert found.count("refused") > 180
    assert set(found) == {"refused", "loaded"}


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
