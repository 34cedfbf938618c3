"""The documents as the tests read them: pages, code blocks, inline code, and prose without code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from aceking.commands.reference import PAGES

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
#: Made by `make docs`; tests/commands/test_reference.py holds them and runs their examples.
GENERATED = frozenset(DOCS / "reference" / f"{topic}.md" for topic in PAGES)
ALL = sorted([*ROOT.glob("*.md"), *(ROOT / "deploy").glob("*.md"), *DOCS.rglob("*.md")])
WRITTEN = [page for page in ALL if page not in GENERATED]

_FENCE = re.compile(r"^(`{3,})(.*)$")
#: `<!-- book: mine.toml -->` above a block names its file; `<!-- book: mine.toml, more -->` adds to that file.
_NAMED = re.compile(r"^<!-- (book|sheet|scenario|script|meter): ([^ ,]+)(, more)? -->$")
_SPAN = re.compile(r"(`+)(.+?)\1(?!`)")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: what its fence says, and the comment above it if that names a file."""

    line: int  # of the fence, from 1
    language: str
    says: str  # the rest of the fence, such as `no-run: needs a running house`
    text: str
    kind: str = ""  # book, sheet, scenario, script or meter
    file: str = ""
    more: bool = False

    @property
    def no_run(self) -> bool:
        """Whether the block is shown and not run."""
        return self.says.startswith("no-run")


def name(page: Path) -> str:
    """Return the path of a page as people write it, e.g. `docs/index.md`."""
    return page.relative_to(ROOT).as_posix()


def text(page: Path) -> str:
    """Return the page as it is stored."""
    return page.read_text(encoding="utf-8")


def blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page in order."""
    lines = text(page).splitlines()
    fence, start = "", 0
    for number, line in enumerate(lines):
        if not fence and (opened := _FENCE.match(line)):
            fence, start = opened[1], number
        elif fence and line == fence:
            language, _, says = lines[start][len(fence) :].partition(" ")
            named = _NAMED.match(lines[start - 1]) if start else None
            kind, file, more = named.groups() if named else ("", "", None)
            content = "\n".join(lines[start + 1 : number]) + "\n"
            yield Block(start + 1, language, says, content, kind, file, more is not None)
            fence = ""
    assert not fence, f"{name(page)}:{start + 1}: the block is never closed"


def prose(page: Path) -> list[tuple[int, str]]:
    """Return the lines outside fenced blocks, with their numbers."""
    hidden = {
        number for block in blocks(page) for number in range(block.line, block.line + len(block.text.splitlines()) + 2)
    }
    return [(number, line) for number, line in enumerate(text(page).splitlines(), 1) if number not in hidden]


def spans(page: Path) -> Iterator[tuple[int, str]]:
    """Yield the inline code of a page with its line."""
    for number, line in prose(page):
        for found in _SPAN.finditer(line):
            yield number, found[2].strip()


def without_spans(line: str) -> str:
    """Return a line without its inline code."""
    return _SPAN.sub("``", line)
