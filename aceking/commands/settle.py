"""`aceking settle`: read scenarios, write settlements."""

import re
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO, Literal

import click

from aceking.commands.complete import book_names
from aceking.commands.output.streams import OutputError, as_utf8, books_beside, name_of, opened, reason

_CHUNK = 1 << 20
#: Matches the start of a TOML line, and of no line of JSON Lines.
TOML = re.compile(rb"\s*(\[\[?\s*[\w\"'.-]+\s*\]|[\w\"'.-]+\s*=)")
#: The kind of the input; None until enough of it was read.
InputKind = Literal["one", "lines", "sheet", "nothing"] | None


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--book", metavar="BOOK", shell_complete=book_names, help="Settle by this book, not the one in the scenario."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per scenario, one per line.")
def settle(file: str, book: str | None, *, as_json: bool) -> int:
    """Settle one round, or many, by the clauses of their books.

    FILE holds one scenario as a JSON object, one scenario per line (JSON Lines), or scenarios in TOML, such as the
    sheets of disputes; - is standard input. Several lines give one JSON result each, in order; a wrong line gives an
    error in its place. A sheet states the expected results: exit status 1 if one differs. All keys: aceking reference
    scenario.

    \b
    aceking settle examples/jackpot-rws.json
    aceking settle - --json < rounds.jsonl
    aceking settle examples/disputes.toml
    """
    name = name_of(file)
    books_beside(file)
    with opened(file) as stream:
        chunks = _chunks(stream)
        head, kind = b"", _kind(name, b"", ended=False, as_json=as_json)
        while kind is None:
            chunk = next(chunks, b"")
            head += chunk
            kind = _kind(name, head, ended=not chunk, as_json=as_json)
        if kind == "lines":
            return _settle_lines(name, book, chain([head], chunks), alone_is_single=as_json)
        text = head + b"".join(chunks)
    if kind == "nothing":
        raise click.ClickException(f"{name}: there is no scenario")
    if kind == "one":
        return _settle_single(text, name, book, as_json=as_json)
    from aceking.commands.sheets import settle_sheet

    return settle_sheet(text, file, book, as_json=as_json)


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the input as it arrives, in UTF-8, so that results are written before more input is waited for."""
    read = getattr(stream, "read1", stream.read)
    first = True
    while chunk := read(_CHUNK):
        if first:
            first = False
            if chunk[:2] in (b"\xff\xfe", b"\xfe\xff"):
                chunk += stream.read()
            chunk = as_utf8(chunk)
        yield chunk


def _kind(name: str, head: bytes, *, ended: bool, as_json: bool) -> InputKind:
    """Return the kind of the input from its beginning; None if more must be read."""
    lines = [line for line in head.splitlines(keepends=True) if ended or line.endswith(b"\n")]
    lines = [line for line in lines if not _is_blank(line)]
    if not lines:
        return "nothing" if ended else None
    if name.endswith(".toml") or TOML.match(lines[0]):
        return "sheet"
    if _is_object(lines[0]):
        # Without --json, a single scenario is shown in more detail than several.
        return "lines" if as_json or len(lines) > 1 else "one" if ended else None
    if any(_is_object(line, b'"seats"') for line in lines[1:]):
        return "lines"
    if not ended:
        return None
    return "lines" if len(lines) > 1 and all(line.startswith(b"{") for line in lines) else "one"


def _is_blank(line: bytes) -> bool:
    """Return True for blank lines and comments (#)."""
    text = line.strip()
    return not text or text.startswith(b"#")


def _is_object(line: bytes, key: bytes = b"") -> bool:
    """Return True if the line is a whole JSON object that contains `key`."""
    import msgspec

    if key not in line:
        return False
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _settle_lines(name: str, book: str | None, chunks: Iterable[bytes], *, alone_is_single: bool) -> int:
    """Write one result per line whenever the input pauses. A wrong line gives an error in its place."""
    import gc

    from aceking.settlement.scenario_json import settle_line

    # Each line's objects are freed when it is answered, so frequent garbage collection only costs time (10 % measured).
    gc.freeze()
    gc.set_threshold(100_000)
    first, wrong, count = "", 0, 0
    for batch in _numbered(chunks):
        results = []
        for number, text in batch:
            result, error = settle_line(text, f"line {number}", book)
            results.append(result)
            if error is not None:
                first, wrong = first or error, wrong + 1
        count += len(batch)
        _write(results)
    if not wrong:
        return 0
    more = f" (and {wrong - 1} more of {count} lines)" if wrong > 1 else ""
    alone = alone_is_single and count == 1
    raise click.ClickException(f"{name}: {first.removeprefix('line 1: ') if alone else first}{more}")


def _numbered(chunks: Iterable[bytes]) -> Iterator[list[tuple[int, bytes]]]:
    """Yield the lines that are not blank with their numbers, in batches as they arrive."""
    number, rest = 0, b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield [
            (number + place, line)
            for place, line in enumerate(lines, start=1)
            if line.startswith(b"{") or not _is_blank(line)
        ]
        number += len(lines)
    if not _is_blank(rest):
        yield [(number + 1, rest)]


def _write(results: list[bytes]) -> None:
    rest = memoryview(b"".join([one + b"\n" for one in results]))
    out = sys.stdout.buffer
    try:
        # Unbuffered (PYTHONUNBUFFERED), a write to a pipe can be partial.
        while rest:
            rest = rest[out.write(rest) :]
        out.flush()
    except BrokenPipeError:
        raise
    except OSError as failed:
        raise OutputError(reason(failed)) from None


def _settle_single(text: bytes, name: str, book: str | None, *, as_json: bool) -> int:
    from aceking.settlement.scenario_json import INPUT_ERRORS, scenario_from_json, settle_in, settle_line

    if as_json:
        result, error = settle_line(text, name, book)
        _write([result])
        if error is not None:
            raise click.ClickException(error)
        return 0
    from aceking.commands.output.settlement import show_result

    try:
        raw = scenario_from_json(text)
        result_shown = settle_in(raw, book)
    except INPUT_ERRORS as wrong:
        raise click.ClickException(f"{name}: {wrong}") from None
    show_result(raw, result_shown)
    return 0
