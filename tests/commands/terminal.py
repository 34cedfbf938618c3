"""A real terminal for tests: a pseudo-terminal of a given size, typed into prompt by prompt.

`python -m tests.commands.terminal` writes docs/terminal anew: the recorded sessions and the figures of each book.
Tests compare the program with them.
"""

import fcntl
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORDED = ROOT / "docs" / "terminal"
#: What a session on record is: the options, and every line that is typed.
SESSIONS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "section10": (["--seed", "5"], ["10", "v", "f", "s", "", "b", "l", "", "q", "n", "q", "y"]),
    "washington": (["--seed", "5"], ["n 2", "10", "b", "r", "s", "", "f", "w", "q"]),
    "rws": (["--seed", "5", "--boxes", "2"], ["10", "2", "b", "b", "n 1", "s", "", "f", "", "q", "y"]),
    "exchange": (["--seed", "5", "--coach", "values"], ["s", "10", "x", "1", "v", "b", "", "exchange", "2d", "f", "q"]),
    "colorado-required": (["--seed", "103", "--side"], ["10", "v", "b", "n", "d", "", "d", "n", "f", "g", "q"]),
    "colorado-permissible": (
        ["--seed", "5", "--side"],
        ["h", "10", "v", "b", "1", "", "s", "Th", "s", "4h", "", "q", "y"],
    ),
}
_STUD = ("--cards", "K♠ J♠ 9♠ 5♠ 4♦", "--up", "7c")
_COMMUNITY = ("--cards", "K♦ 4♠ 4♦")
#: The hand of each book whose value is on record, before the edge of the book.
HANDS: dict[str, Sequence[str]] = {book: _COMMUNITY if book.startswith("colorado") else _STUD for book in SESSIONS}
CTRL_C = "\x03"
_PATIENCE = 100  # seconds; the machine may be busy
_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
#: The program waits for a line when its last words are a question.
_ASKS = re.compile(r"(\?|\]) \Z")


def typed(
    words: Sequence[str],
    lines: Sequence[str],
    *,
    columns: int = 80,
    rows: int = 24,
    python: Sequence[str] = (),
    cwd: Path = ROOT,
    **environment: str,
) -> tuple[str, int]:
    """What `aceking WORDS` shows on a terminal of that size while these lines are typed, and its status."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **environment}
    for name in ("COLUMNS", "LINES", "NO_COLOR"):
        env.pop(name, None)
    command = [sys.executable, *python, "-m", "aceking", *words]
    # Tests that run in the background ignore Ctrl-C, and so would the program that they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd, env=env) as program:
        os.close(theirs)
        raw = b""
        left = list(lines)
        end = time.monotonic() + _PATIENCE
        interrupted = False
        while time.monotonic() < end:
            if not select.select([ours], [], [], 3)[0]:
                if interrupted:  # a signal right before the program begins to read waits for the next: press again
                    program.send_signal(signal.SIGINT)
                continue
            interrupted = False
            try:
                raw += os.read(ours, 65_536)
            except OSError:  # the program has gone
                break
            if left and _ASKS.search(_shown(raw)):
                if (line := left.pop(0)) == CTRL_C:
                    program.send_signal(signal.SIGINT)
                    interrupted = True
                else:
                    os.write(ours, f"{line}\n".encode())
        else:
            program.kill()
            raw += b"\n(the program waits for ever)"
    os.close(ours)
    return "\n".join(line.rstrip() for line in _shown(raw).split("\n")), program.returncode


def _shown(raw: bytes) -> str:
    """What stands on the terminal: the program moves no cursor, so the text is the screen."""
    return _CODES.sub("", raw.decode(errors="replace")).replace("\r\n", "\n")


def session(book: str, folder: Path, *, columns: int = 80, python: Sequence[str] = ()) -> tuple[str, int]:
    """The session of a book that is on record, played anew."""
    options, lines = SESSIONS[book]
    words = ["play", book, *options, "--record", "night.jsonl"]
    return typed(words, lines, columns=columns, python=python, cwd=folder)


def figures(book: str, folder: Path) -> str:
    """The values of a hand and the edge of its book as a terminal shows them, without the time that they took."""
    shown = []
    for words in (("value", book, *HANDS[book]), ("edge", book)):
        text, status = typed(words, (), cwd=folder, XDG_CACHE_HOME=str(folder))
        assert status == 0, text
        # Behind a carriage return stands what is left when the progress is wiped.
        lines = [re.sub(r"; [0-9.]+ s$", "", line.rpartition("\r")[2]) for line in text.rstrip().split("\n")]
        shown.append("\n".join([f"$ aceking {shlex.join(words)}", *lines, ""]))
    return "\n".join(shown)


def main() -> None:
    """Writes the recorded sessions and figures."""
    for book, (options, _) in SESSIONS.items():
        with tempfile.TemporaryDirectory() as folder:
            shown, _ = session(book, Path(folder))
            (RECORDED / f"{book}.txt").write_text(figures(book, Path(folder)), encoding="utf-8")
        head = f"$ aceking play {book} {' '.join(options)} --record night.jsonl\n"
        (RECORDED / f"play-{book}.txt").write_text(head + shown, encoding="utf-8")


if __name__ == "__main__":
    main()
