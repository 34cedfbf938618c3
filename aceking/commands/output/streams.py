"""Streams and files of any encoding. Errors of reading and writing become one sentence, never a traceback."""

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click

#: Replacements for characters that the output encoding lacks. Suits become letters, so cards can be read again.
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
    """Standard output cannot be written; the message says why."""


def prepare() -> None:
    """Make the standard streams safe: none is missing, and characters that cannot be encoded are replaced."""
    codecs.register_error("plain", _replace_plainly)
    # Opened in this order, so that each gets its own descriptor and no file of ours becomes standard output.
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


def _replace_plainly(failed: UnicodeError) -> tuple[str, int]:
    """Return plain characters for those that an encoding lacks (a codecs error handler)."""
    if not isinstance(failed, UnicodeEncodeError):
        raise failed
    bad = failed.object[failed.start : failed.end]
    return "".join(_PLAIN.get(one, "?") for one in bad), failed.end


@contextmanager
def opened(file: str) -> Iterator[IO[bytes]]:
    """Open a file, or standard input for `-`. Raises ClickException if it cannot be opened or read."""
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
    except (OSError, ValueError) as failed:  # ValueError: a null character in the name
        raise click.ClickException(f"{file}: {reason(failed)}") from None
    with stream:
        try:
            yield stream
        except BrokenPipeError:
            raise
        except OSError as failed:
            raise click.ClickException(f"{file}: {reason(failed)}") from None


def read(file: str) -> bytes:
    """Return the contents of a file as UTF-8 without a byte order mark."""
    with opened(file) as stream:
        text = stream.read()
    return as_utf8(text)


def as_utf8(text: bytes) -> bytes:
    """Return the text without its byte order mark, converted from UTF-16 if the mark says so."""
    for mark, encoding in _MARKS:
        if text.startswith(mark):
            return text.decode(encoding, errors="replace").encode()
    return text


def books_beside(file: str | Path) -> None:
    """Until the command ends, look for books named by a path in the folder of this file first."""
    if file != "-":
        from aceking.rules.reading.load import books_in

        click.get_current_context().with_resource(books_in(Path(file).parent))


def check_folder(out: Path) -> None:
    """Raise ClickException if the folder to write to is a file."""
    if out.exists() and not out.is_dir():
        raise click.ClickException(f"{out} is a file; --out takes a folder")


def name_of(file: str) -> str:
    """Return the name of a file for messages."""
    return "standard input" if file == "-" else file


def reason(failed: Exception) -> str:
    """Return the system's message for an error of a file."""
    return getattr(failed, "strerror", None) or str(failed)
