"""The package does not grow beyond what it was before its rooms were made."""

import ast
import io
import tokenize
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "aceking"
#: Lines of code that the package may have; `lines_of_code` counted 45,059 on 17 November 2026.
CEILING = 44_772
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def lines_of_code(text: str) -> int:
    """Return the number of lines that hold code: no blank lines, no comments, no docstrings."""
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _NO_CODE:
            code |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        match node:
            case (
                ast.Module(body=[first, *_])
                | ast.ClassDef(body=[first, *_])
                | ast.FunctionDef(body=[first, *_])
                | ast.AsyncFunctionDef(body=[first, *_])
            ) if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str):
                code -= set(range(first.lineno, (first.end_lineno or 0) + 1))
    return len(code)


def test_code_is_counted_without_blank_lines_comments_and_docstrings() -> None:
    text = (
        '"""Module.\n\nMore.\n"""\n\n# why\nx = """a\nb"""\n\ndef f() -> None:\n    """Says."""\n    return  # here\n'
    )
    assert lines_of_code(text) == 4


def test_the_package_stays_below_its_ceiling() -> None:
    assert sum(lines_of_code(file.read_text(encoding="utf-8")) for file in PACKAGE.rglob("*.py")) <= CEILING
