"""`aceking settle`: scenarios in, settlements out."""

import re
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO, Literal

import click

from aceking.commands.complete import book_names
from aceking.commands.output.streams import OutputError, as_utf8, books_beside, name_of, opened, reason

_CHUNK = 1 << 20
#: How a line of TOML begins, and no line of JSON Lines does.
TOML = re.compile(rb"\s*(\[\[?\s*[\w\"'.-]+\s*\]|[\w\"'.-]+\s*=)")
#: What the input is: one scenario, one a line, or a sheet; None while that cannot be told yet.
Kind = Literal["one", "lines", "sheet", "nothing"] | None


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--book", metavar="BOOK", shell_complete=book_names, help="Settle by this book, whatever the scenario names."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else; many: one a line.")
def settle(file: str, book: str | None, *, as_json: bool) -> int:
    """Settle one round, or many, by the clauses of their books.

    FILE holds one scenario as a JSON object, or one scenario a line (JSON Lines), or scenarios in TOML, such as the
    sheets of disputes; - is standard input. Many lines give one JSON result each, in order, and one that is wrong is
    answered by an error in its place. A sheet says what must follow: exit status 1 where it does not. All keys:
    aceking reference scenario.

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
            return _many(name, book, chain([head], chunks), alone_is_single=as_json)
        text = head + b"".join(chunks)
    if kind == "nothing":
        raise click.ClickException(f"{name}: there is no scenario")
    if kind == "one":
        return _one(text, name, book, as_json=as_json)
    from aceking.commands.sheets import settle_sheet

    return settle_sheet(text, file, book, as_json=as_json)


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    """The input as it comes, in UTF-8: what was answered is written before more of it is waited for."""
    read = getattr(stream, "read1", stream.read)
    first = True
    while chunk := read(_CHUNK):
        if first:
            first = False
            if chunk[:2] in (b"\xff\xfe", b"\xfe\xff"):
                chunk += stream.read()
            chunk = as_utf8(chunk)
        yield chunk


def _kind(name: str, head: bytes, *, ended: bool, as_json: bool) -> Kind:
    """What the input is, by what has come of it."""
    lines = [line for line in head.splitlines(keepends=True) if ended or line.endswith(b"\n")]
    lines = [line for line in lines if not _is_blank(line)]
    if not lines:
        return "nothing" if ended else None
    if name.endswith(".toml") or TOML.match(lines[0]):
        return "sheet"
    if _has(lines[0]):
        # To a person one scenario is shown otherwise than many.
        return "lines" if as_json or len(lines) > 1 else "one" if ended else None
    if any(_has(line, b'"seats"') for line in lines[1:]):
        return "lines"
    if not ended:
        return None
    return "lines" if len(lines) > 1 and all(line.startswith(b"{") for line in lines) else "one"


def _is_blank(line: bytes) -> bool:
    """Blank lines and lines that begin with # are for the reader."""
    text = line.strip()
    return not text or text.startswith(b"#")


def _has(line: bytes, key: bytes = b"") -> bool:
    """Whether the line is a JSON object of its own, with that key."""
    import msgspec

    if key not in line:
        return False
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _many(name: str, book: str | None, chunks: Iterable[bytes], *, alone_is_single: bool) -> int:
    """One result a line, written whenever the input pauses; a wrong line is answered in its place, others go on."""
    import gc

    from aceking.settlement.scenario_json import settle_line

    # What a line makes is gone when it is answered: to look for circles seven hundred objects apart takes a tenth more.
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
    """The lines that are not blank with their numbers, as many at a time as have come."""
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
        # Without a buffer, as under PYTHONUNBUFFERED, a pipe takes what it can hold and no more.
        while rest:
            rest = rest[out.write(rest) :]
        out.flush()
    except BrokenPipeError:
        raise
    except OSError as failed:
        raise OutputError(reason(failed)) from None


def _one(text: bytes, name: str, book: str | None, *, as_json: bool) -> int:
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
