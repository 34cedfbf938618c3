"""One word, one thing: no two public types share a name, folders stay small, and a term leads to its module."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "aceking"
TERMS = ROOT / "docs" / "contributing" / "find-by-name.md"
#: Modules in one folder of the package, `__init__` not counted.
FOLDER_MAX = 16
ROW = re.compile(r"^\| (?P<term>[^|]+?) \| `(?P<path>[^`]+)` \|$", re.MULTILINE)


def types_of(tree: ast.Module) -> Iterator[str]:
    """Yield the public types that a module defines: classes, and aliases that begin with a capital."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name[0].isupper() and not name.isupper():
                yield name


def shared(modules: dict[str, str]) -> dict[str, list[str]]:
    """Return the public types that two or more modules define, with the modules, from the texts by module."""
    owners = defaultdict(list)
    for module, text in modules.items():
        for name in types_of(ast.parse(text)):
            owners[name].append(module)
    return {name: where for name, where in owners.items() if len(where) > 1}


def test_no_two_public_types_share_a_name() -> None:
    texts = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in PACKAGE.rglob("*.py")}
    assert len(texts) > 300
    assert shared(texts) == {}


def test_a_name_that_stands_for_two_types_is_noticed() -> None:
    texts = {
        "a": "class Table: ...",
        "b": "Table = int",
        "c": "class _Own: ...\nMAX = 1",
        "d": "class _Own: ...\nMAX = 2",
    }
    assert shared(texts) == {"Table": ["a", "b"]}


def test_no_folder_of_the_package_has_too_many_modules() -> None:
    folders = [PACKAGE, *(folder for folder in PACKAGE.rglob("*") if folder.is_dir())]
    modules = {folder: [file for file in folder.glob("*.py") if file.stem != "__init__"] for folder in folders}
    assert not {folder.name: len(files) for folder, files in modules.items() if len(files) > FOLDER_MAX}


def terms() -> list[tuple[str, str]]:
    """Return the terms of the page and the module each is in."""
    return [(row["term"], row["path"]) for row in ROW.finditer(TERMS.read_text(encoding="utf-8"))]


def test_the_page_has_at_least_twenty_terms() -> None:
    assert len(terms()) >= 20


@pytest.mark.parametrize(("term", "path"), terms(), ids=[term for term, _ in terms()])
def test_the_name_of_the_file_says_the_term(term: str, path: str) -> None:
    assert (PACKAGE / path).is_file()
    parts = set(re.findall(r"[a-z]{3,}", Path(path).stem))
    words = set(re.findall(r"[a-z]{3,}", f"{term} {term.replace('-', '')}".lower())) - {"and", "the"}
    assert any(word.startswith(part) or part.startswith(word) for word in words for part in parts), (term, path)
