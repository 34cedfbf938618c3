"""The program and its tests are written in plain words: docs/contributing/how-we-write.md. Each count may only fall."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "aceking"
#: Folders whose docstrings and comments are searched for what is banned.
FOLDERS = ("aceking", "tests", "benchmarks", "mutants", "examples")
TEXTS = {file: file.read_text(encoding="utf-8") for file in sorted(PACKAGE.rglob("*.py"))}
#: What docstrings and comments do not say, and in how many places of a folder they still do.
BANNED = {
    r"\bso (many|much|long)\b": 0,
    r"\bhow manieth\b": 0,
    r"\bwho(m|se)?ever\b": 0,
    r"\b(he|him|his|himself)\b": 0,
    r"\b(is|are) told of\b": 0,
    r"\b(he|they) owes?\b": 0,
    r"\blets? (it|them|him|everybody )?go\b": 0,
    r"\b(body|bodies|bytes|entries)\b.*\bpressed\b": 0,
    r"^(From now on|All of it|Another of them|No more|Its name says it)\.$": 0,
}
#: What the name of a test does not say.
BANNED_NAMES = r"_(he|him|his|himself|who(m|se)?ever|so_(many|much|long)|wish(es)?)(_|$)"
#: Docstrings of fewer than 25 letters, in the package.
SHORT_DOCSTRINGS = 92
#: Variables that are no nouns and live longer than their line.
NO_NOUNS = ("one", "found", "told", "his")
NO_NOUN_BINDINGS = 75


def docstrings(text: str) -> Iterator[str]:
    """Yield every docstring of a module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            said = ast.get_docstring(node)
            if said:
                yield said


def comments(text: str) -> Iterator[str]:
    """Yield every comment of a module without its mark."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("#: ")


def bindings(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each variable that is no noun and lives longer than its line."""
    for node in ast.walk(ast.parse(text)):
        targets: list[ast.expr] = []
        if isinstance(node, ast.For | ast.AsyncFor) and node.body[-1].end_lineno != node.lineno:
            targets = [node.target]
        elif isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr):
            targets = [node.target]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            yield from ((node.lineno, arg.arg) for arg in every if arg.arg in NO_NOUNS)
        for target in targets:
            names = (name.id for name in ast.walk(target) if isinstance(name, ast.Name))
            yield from ((target.lineno, name) for name in names if name in NO_NOUNS)


@cache
def said_in(folder: str) -> tuple[str, ...]:
    """Return each line of the docstrings and comments of a folder, after the name of its file."""
    texts = {file.relative_to(ROOT): file.read_text(encoding="utf-8") for file in sorted((ROOT / folder).rglob("*.py"))}
    return tuple(
        f"{file}: {line}"
        for file, text in texts.items()
        for said in (*docstrings(text), *comments(text))
        for line in said.splitlines()
    )


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("pattern", BANNED)
def test_no_more_riddles_than_before(pattern: str, folder: str) -> None:
    riddles = [line for line in said_in(folder) if re.search(pattern, line.partition(": ")[2], re.IGNORECASE)]
    assert len(riddles) <= BANNED[pattern], "\n".join(riddles)


def test_the_name_of_a_test_is_in_plain_words() -> None:
    names = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in sorted((ROOT / "tests").rglob("test_*.py"))
        for name in re.findall(r"^(?:async )?def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
        if re.search(BANNED_NAMES, name)
    ]
    assert not names, "\n".join(names)


def test_no_more_short_docstrings_than_before() -> None:
    short = [f"{file.relative_to(PACKAGE)}: {said}" for file, text in TEXTS.items() for said in docstrings(text)]
    short = [line for line in short if len(line.partition(": ")[2]) < 25]
    assert len(short) <= SHORT_DOCSTRINGS, "\n".join(short)


def test_no_more_variables_that_are_no_nouns_than_before() -> None:
    bound = [
        f"{file.relative_to(PACKAGE)}:{line} {name}" for file, text in TEXTS.items() for line, name in bindings(text)
    ]
    assert len(bound) <= NO_NOUN_BINDINGS, "\n".join(bound)


def test_what_is_counted_is_found() -> None:
    body = '    """He owes."""\n    # so many\n    told = 1\n    for found in x:\n        y\n    [one for one in x]\n'
    text = f"def add(one):\n{body}"
    assert list(docstrings(text)) == ["He owes."]
    assert list(comments(text)) == ["so many"]
    assert [name for _, name in bindings(text)] == ["one", "told", "found"]
