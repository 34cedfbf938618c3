"""Every code block of the documents runs: doctests, scripts, commands with their output, and files that are named."""

import contextlib
import doctest
import io
import json
import re
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from aceking import cli
from tests.docs.pages import ROOT, WRITTEN, Block, blocks, name

#: Blocks that say `no-run` with a reason; a change may only lower the number.
NO_RUN_MOST = 4
LANGUAGES = {"pycon", "python", "console", "toml", "json", "sh", "text", ""}
#: How a file that a comment names is read: `<!-- book: mine.toml -->` above its block.
READERS = {
    "book": ("books", "check", "--rounds", "1"),
    "sheet": ("settle",),
    "scenario": ("settle",),
    "script": ("round",),
    "meter": ("meter", "run"),
}
WITH_BLOCKS = [page for page in WRITTEN if any(block.language for block in blocks(page))]


def run(words: list[str]) -> tuple[int, str]:
    """Run a command in this process; return its status and output, with standard error if it fails."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = cli._run(words)
    return status, out.getvalue() + (err.getvalue() if status else "")


def matches(shown: str, printed: str) -> bool:
    """Return whether output is as shown: a line `…` or `...` is any lines, `…` in a line any text."""
    pattern = ""
    for line in _lines(shown):
        if line in ("…", "..."):
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in line.split("…")) + r"\n"
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _lines(printed))) is not None


def _lines(output: str) -> list[str]:
    return [" ".join(line.split()) for line in output.splitlines() if line.strip()]


def console(block: Block) -> None:
    """Run each `$ aceking …` of a block and compare what it prints with the lines below it."""
    commands = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not commands[0], "the first line of a console block is a command"
    for part in commands[1:]:
        line, _, shown = part.partition("\n")
        program, *words = shlex.split(line, comments=True)
        assert program == "aceking", f"{line}: only aceking can be run here"
        _, printed = run(words)
        assert matches(shown, printed), f"$ {line}\n{printed}"


def pycon(block: Block, names: dict[str, Any]) -> None:
    """Run a block as a doctest; what it binds is bound for the blocks below it."""
    test = doctest.DocTestParser().get_doctest(block.text, names, "block", None, block.line)
    report = io.StringIO()
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.write, clear_globs=False)
    assert test.examples, "a pycon block has >>>"
    names |= test.globs
    assert not failed, report.getvalue()


def load(block: Block) -> None:
    """Parse a block of data; if a comment names it, keep it under that name and read it as the program does."""
    if block.language == "toml":
        tomllib.loads(block.text)
    elif block.kind != "meter":
        json.loads(block.text)
    if block.kind:
        file = Path(block.file)
        file.parent.mkdir(exist_ok=True)
        before = file.read_text(encoding="utf-8") + "\n" if block.more else ""
        file.write_text(before + block.text, encoding="utf-8")
        status, printed = run([*READERS[block.kind], block.file])
        assert status == 0, printed


def run_block(block: Block, names: dict[str, Any]) -> None:
    """Run a block in its language, in the namespace of its page."""
    match block.language:
        case "pycon":
            pycon(block, names)
        case "python":
            exec(compile(block.text, "block", "exec"), names)
        case "console":
            console(block)
        case "toml" | "json":
            load(block)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples in it, as a reader of the page has one."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ACEKING_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ACEKING_SESSIONS", str(tmp_path / "sessions"))
    return tmp_path


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=name)
def test_the_blocks_of_a_page_run(page: Path, folder: Path) -> None:
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks(page):
        place = f"{name(page)}:{block.line}"
        assert block.language in LANGUAGES, f"{place}: a block in {block.language!r} is not known"
        if block.no_run:
            assert re.fullmatch(r"no-run: \S.{7,}", block.says), f"{place}: no-run takes a reason"
            continue
        try:
            run_block(block, names)
        except AssertionError as wrong:
            raise AssertionError(f"{place}: {wrong}") from None


def test_the_number_of_blocks_that_are_not_run_only_falls() -> None:
    found = [f"{name(page)}:{block.line}" for page in WRITTEN for block in blocks(page) if block.no_run]
    assert len(found) <= NO_RUN_MOST, found


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a  b\n", "\n a b \n\n", True),
        ("a\n…\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\n", "a\n", True),
        ("a … d\n", "a b c d\n", True),
        ("a\n", "a\nb\n", False),
        ("a.c\n", "abc\n", False),
        ("", "a\n", False),
    ],
)
def test_the_runner_sees_what_differs(shown: str, printed: str, same: bool) -> None:
    assert matches(shown, printed) is same


@pytest.mark.parametrize(
    "block",
    [
        Block(1, "console", "", "$ aceking books list\nno books\n"),
        Block(1, "console", "", "aceking books list\n"),
        Block(1, "pycon", "", ">>> 1 + 1\n3\n"),
        Block(1, "pycon", "", "1 + 1\n"),
        Block(1, "json", "", '{"book": "rws"}', "scenario", "round.json"),
        Block(1, "toml", "", 'from = "rws"\nid = "mine"\ncolour = 1\n', "book", "mine.toml"),
    ],
    ids=["other output", "no command", "other value", "no prompt", "no scenario", "no book"],
)
def test_the_runner_refuses_a_block_that_does_not_hold(block: Block, folder: Path) -> None:
    with pytest.raises(AssertionError):
        run_block(block, {})
