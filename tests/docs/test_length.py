"""Pages are as short as they are meant to be, and lines can be read."""

from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT, WRITTEN, name, prose, text

#: The most words of each page; a page that is not here has the default of its folder.
WORDS = {
    "README.md": 600,
    "CHANGELOG.md": 1_500,
    "CONTRIBUTING.md": 600,
    "deploy/README.md": 400,
    "docs/index.md": 400,
    "docs/start.md": 400,
    "docs/contributing/find-by-name.md": 400,
    "docs/contributing/how-we-write.md": 700,
    "docs/contributing/tests.md": 400,
    "docs/decisions/index.md": 3_000,
    "docs/explanation/architecture.md": 700,
    "docs/explanation/a-book-is-the-program.md": 500,
    "docs/explanation/exact.md": 2_400,
    "docs/explanation/house.md": 1_200,
    "docs/explanation/pages.md": 700,
    "docs/explanation/progressive.md": 1_200,
    "docs/explanation/reliability.md": 900,
    "docs/explanation/simulation.md": 900,
    "docs/explanation/table.md": 800,
    "docs/reference/figures.md": 1_000,
    "docs/reference/glossary.md": 700,
    "docs/reference/writing-books.md": 1_300,
    "docs/tutorials/operator.md": 900,
    "docs/tutorials/rule-writer.md": 1_000,
}
FOLDERS = {"decisions": 120, "explanation": 500, "how-to": 350, "measured": 1_000, "tutorials": 1_000, "reference": 500}
#: All that people wrote, without docs/reference.
TOTAL = 20_500
LETTERS = 120


def count(page: Path) -> int:
    """Return the number of words, code included."""
    return len(text(page).split())


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_a_page_is_as_short_as_it_should_be(page: Path) -> None:
    most = WORDS.get(name(page)) or FOLDERS.get(page.parent.name)
    assert most is not None, f"{name(page)} has no length in tests/docs/test_length.py"
    assert count(page) <= most


def test_all_pages_together_are_short() -> None:
    counted = {name(page): count(page) for page in WRITTEN if page.parent != DOCS / "reference"}
    assert sum(counted.values()) <= TOTAL, counted


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_no_line_is_too_long_to_read(page: Path) -> None:
    in_table = {number for number, line in prose(page) if line.startswith("|")}
    long = [
        f"{name(page)}:{number}: {len(line)} letters"
        for number, line in enumerate(text(page).splitlines(), 1)
        if len(line) > LETTERS and number not in in_table
    ]
    assert not long, "\n".join(long)


def test_every_length_is_of_a_page() -> None:
    assert not [page for page in WORDS if not (ROOT / page).exists()]
