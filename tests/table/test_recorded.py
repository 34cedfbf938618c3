"""The commands of evenings on record come to what they came to, step by step: see tests/table/recorded."""

from pathlib import Path

import msgspec
import pytest

from aceking.rules.reading.load import book_ids
from tests.table.recorded import EVENINGS, FOLDER, read

FILES = sorted(FOLDER.glob("*.txt"))


def test_every_book_has_its_evenings() -> None:
    assert [path.stem for path in FILES] == sorted(f"{book}-{n + 1}" for book in book_ids() for n in range(EVENINGS))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_evening_goes_as_it_went(path: Path) -> None:
    for number, (step, came_to) in enumerate(read(path).replayed(), 1):
        if came_to != step.came_to:
            command = msgspec.json.encode(step.command).decode()
            pytest.fail(
                f"step {number} came to {step.came_to!r}, and now to {came_to!r}: {command}\n"
                "If that is meant: python -m tests.table.recorded --write, and look at what git diff shows."
            )
