"""What the program is given and what it gives: streams and files of any encoding, and never a traceback for them."""

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click

#: What stands for a sign that the reader's terminal or file cannot hold. Of suits the letters are cards again.
_PLAIN = {
    **dict(
        zip(
            "♣♦♥♠▒█─│…→±≤≥·", ("c", "d", "h", "s", "#", "#", "-", "|", "...", "->", "+/-", "<=", ">=", "-"), strict=True
        )
    ),
    **dict.fromkeys(("\N{MINUS SIGN}", "\N{EN DASH}", "\N{EM DASH}"), "-"),
    **dict.fromkeys(("\N{LEFT SINGLE QUOTATION MARK}", "\N{RIGHT SINGLE QUOTATION MARK}"), "'"),
    **dict.fromkeys(("\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}"), '"'),
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{NO-BREAK SPACE}": " ",
}
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


class OutputError(Exception):
    """Standard output does not take what the program writes; the message says why."""


def prepare() -> None:
    """Makes the standard streams safe: none is missing, and what cannot be written is written plainly."""
    codecs.register_error("plain", _plainly)
    # Opened in their order, so that each takes its own number and no file of ours becomes standard output.
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plain")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def _plainly(failed: UnicodeError) -> tuple[str, int]:
    """The plain form of signs that an encoding does not have."""
    if not isinstance(failed, UnicodeEncodeError):
        raise failed
    bad = failed.object[failed.start : failed.end]
    return "".join(_PLAIN.get(one, "?") for one in bad), failed.end


@contextmanager
def opened(file: str) -> Iterator[IO[bytes]]:
    """A file, or standard input for `-`; what cannot be opened or read is one sentence."""
    if file == "-":
        try:
            yield sys.stdin.buffer
        except BrokenPipeError:
            raise
        except OSError as failed:
            raise click.ClickException(f"standard input: {reason(failed)}") from None
        return
    try:
        stream = open(file, "rb")  # noqa: SIM115
    except (OSError, ValueError) as failed:  # ValueError: a name with a null in it
        raise click.ClickException(f"{file}: {reason(failed)}") from None
    with stream:
        try:
            yield stream
        except BrokenPipeError:
            raise
        except OSError as failed:
            raise click.ClickException(f"{file}: {reason(failed)}") from None


def read(file: str) -> bytes:
    """All of a file as UTF-8, whatever mark it begins with."""
    with opened(file) as stream:
        text = stream.read()
    return as_utf8(text)


def as_utf8(text: bytes) -> bytes:
    """The text without its byte order mark, and out of UTF-16 where the mark says so."""
    for mark, encoding in _MARKS:
        if text.startswith(mark):
            return text.decode(encoding, errors="replace").encode()
    return text


def books_beside(file: str | Path) -> None:
    """Until the command ends, books that a file names by a path are looked for beside it first."""
    if file != "-":
        from aceking.rules.reading.load import beside

        click.get_current_context().with_resource(beside(Path(file).parent))


def name_of(file: str) -> str:
    """How a file is called in a sentence."""
    return "standard input" if file == "-" else file


def reason(failed: Exception) -> str:
    """Why a file cannot be used, in the system's words."""
    return getattr(failed, "strerror", None) or str(failed)
