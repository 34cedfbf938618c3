"""`aceking settle`: scenarios in, settlements out."""

import sys
from collections.abc import Iterator
from typing import BinaryIO

import click


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--book", help="Settle by this book, whatever the scenario names.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def settle(file: str, book: str | None, *, as_json: bool) -> int:
    """Settle one round, or many, by the clauses of their books.

    FILE holds one scenario as a JSON object, or one scenario a line (JSON Lines); - is standard input. Many
    scenarios give one JSON result a line, in order.

    \b
    aceking settle examples/jackpot-rws.json
    aceking settle - --json < rounds.jsonl
    """
    if file == "-":
        return _settle(sys.stdin.buffer, "standard input", book, as_json=as_json)
    try:
        with open(file, "rb") as stream:
            return _settle(stream, file, book, as_json=as_json)
    except OSError as missing:
        raise click.ClickException(f"{file}: {missing.strerror}") from None


def _settle(stream: BinaryIO, name: str, book: str | None, *, as_json: bool) -> int:
    lines = _numbered(stream)
    first = next(lines, None)
    if first is None:
        raise click.ClickException(f"{name}: there is no scenario")
    if _is_object(first[1]):
        second = None if as_json else next(lines, None)
        if as_json or second is not None:
            return _many(name, book, [first, *([second] if second else [])], lines, alone_is_single=as_json)
        return _one(first[1], name, book, as_json=False)
    rest = list(lines)
    whole = b"\n".join([first[1], *(text for _, text in rest)])
    if rest and not _is_object(whole) and any(_is_object(text) for _, text in rest):
        return _many(name, book, [first], iter(rest), alone_is_single=False)
    return _one(whole, name, book, as_json=as_json)


def _numbered(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers."""
    for number, text in enumerate(stream, start=1):
        if text.strip():
            yield number, text.rstrip(b"\r\n")


def _is_object(text: bytes) -> bool:
    import msgspec

    try:
        return isinstance(msgspec.json.decode(text), dict)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False


def _many(
    name: str,
    book: str | None,
    first: list[tuple[int, bytes]],
    rest: Iterator[tuple[int, bytes]],
    *,
    alone_is_single: bool,
) -> int:
    """One result a line, as the lines come in; a wrong line is answered in its place, and the others go on."""
    from itertools import chain

    from aceking.wire import settle_line

    wrong: list[str] = []
    count = 0
    out = sys.stdout.buffer
    for number, text in chain(first, rest):
        result, error = settle_line(text, f"line {number}", book)
        out.write(result + b"\n")
        out.flush()
        count += 1
        if error is not None:
            wrong.append(error)
    if not wrong:
        return 0
    more = f" (and {len(wrong) - 1} more of {count} lines)" if len(wrong) > 1 else ""
    alone = alone_is_single and count == 1
    raise click.ClickException(f"{name}: {wrong[0].removeprefix('line 1: ') if alone else wrong[0]}{more}")


def _one(text: bytes, name: str, book: str | None, *, as_json: bool) -> int:
    from aceking.wire import INPUT_ERRORS, scenario_from_json, settle_in, settle_line

    if as_json:
        result, error = settle_line(text, name, book)
        sys.stdout.buffer.write(result + b"\n")
        if error is not None:
            raise click.ClickException(error)
        return 0
    from aceking.commands.show import show_result

    try:
        raw = scenario_from_json(text)
        show_result(raw, settle_in(raw, book))
    except INPUT_ERRORS as wrong:
        raise click.ClickException(f"{name}: {wrong}") from None
    return 0
