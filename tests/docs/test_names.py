"""What a document names in backquotes exists: modules, functions, clauses, commands."""

import re
import subprocess
from functools import cache
from pathlib import Path

import click
import pytest

from aceking.cli import cli
from aceking.rules.reading.load import book_ids, load_book
from tests.docs.pages import ROOT, WRITTEN, name, spans

_MODULE = re.compile(r"(?:[\w-]+/)*[\w-]+\.(?:py|js|css)")
_FOLDER = re.compile(r"(?:[\w-]+/)+")
_FUNCTION = re.compile(r"(?:\w+\.)*(\w+)\([^()]*\)")
_DOTTED = re.compile(r"aceking(?:\.\w+)+")
_CLAUSE = re.compile(r"(?:A-)?([A-Z]+)-[\w().-]+")
_REQUIREMENT = re.compile(r"R\d+|METER-[a-z-]+")
#: Names of other programs: SQL, the standard library, and what a reader makes.
OTHERS = {"fsync", "getattr"}


@cache
def tracked() -> list[str]:
    """Return every file of the repository, those that are new too."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [f"/{file}" for file in files if (ROOT / file).exists()]


@cache
def source() -> str:
    """Return the text of the package."""
    files = [ROOT / file[1:] for file in tracked() if re.match(r"/aceking/.*\.(py|js)$", file)]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@cache
def functions() -> set[str]:
    """Return the names of all functions, methods and classes."""
    return set(re.findall(r"^\s*(?:(?:async|export|static) )*(?:def|class|function) (\w+)", source(), re.MULTILINE))


@cache
def clauses() -> set[str]:
    """Return the ids of all clauses and anomalies of the shipped books."""
    books = [load_book(book) for book in book_ids()]
    return {one for book in books for one in (*book.clauses, *book.anomalies)}


def fault(word: str) -> str | None:
    """Return what is wrong with a name in backquotes, or None."""
    if _MODULE.fullmatch(word):
        known = word in OTHERS or any(file.endswith(f"/{word}") for file in tracked())
        return None if known else "there is no such file"
    if _FOLDER.fullmatch(word):
        return None if any(f"/{word}" in file for file in tracked()) else "there is no such folder"
    if _DOTTED.fullmatch(word):
        path = word.replace(".", "/")
        if any(file in (f"/{path}.py", f"/{path}/__init__.py") for file in tracked()):
            return None
        return None if re.search(rf"\b{word.rpartition('.')[2]}\b", source()) else "there is no such name"
    if called := _FUNCTION.fullmatch(word):
        return None if called[1] in functions() | OTHERS else "there is no such function"
    if _REQUIREMENT.fullmatch(word):
        return None if f'"{word}"' in source() else "the program cites no such rule"
    if clause := _CLAUSE.fullmatch(word):
        prefixes = {one.removeprefix("A-").partition("-")[0] for one in clauses()}
        wrong = clause[1] in prefixes and word not in clauses()
        return "no book has such a clause" if wrong else None
    if word.startswith("aceking "):
        return command_fault(word.split()[1:])
    return None


def command_fault(words: list[str]) -> str | None:
    """Return what is wrong with a command line, or None: its command, subcommand and options must exist."""
    command: click.Command = cli
    context = click.Context(cli, info_name="aceking")
    while isinstance(command, click.Group) and words and re.fullmatch(r"[a-z][a-z-]*", words[0]):
        below = command.get_command(context, words[0])
        if below is None:
            return f"there is no command {words[0]!r}"
        command, words = below, words[1:]
    known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)} | {"--help", "--version"}
    wrong = [word for word in words if re.match(r"--\w", word) and word.split("=")[0] not in known]
    return f"there is no option {wrong[0]}" if wrong else None


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_what_a_page_names_exists(page: Path) -> None:
    found = [f"{name(page)}:{line}: `{word}`: {wrong}" for line, word in spans(page) if (wrong := fault(word))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "word",
    [
        *("rules/step.py", "link/", "counts_suited()", "RWS-99.1", "A-CSP-999", "R18"),
        *("aceking fly", "aceking settle --fast", "aceking.stud_money"),
    ],
)
def test_a_name_that_does_not_exist_is_found(word: str) -> None:
    assert fault(word)


@pytest.mark.parametrize(
    "word",
    [
        *("settlement/settle.py", "rules/", "settle(book, scenario)", "RWS-4.1", "A-CSP-18", "R16", "aceking.client"),
        *("aceking books new my-house --from rws", "set.x.y", "table/ID", "LAN-1", "7 to 1"),
    ],
)
def test_a_name_that_exists_is_not(word: str) -> None:
    assert fault(word) is None
