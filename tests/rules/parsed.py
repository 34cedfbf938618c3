"""The text of a book from parsed TOML, so that a test may change it without writing a file."""

from collections.abc import Mapping
from typing import Any

from aceking.rules.reading.clauses import BookText, _name, _read, _with_lists
from aceking.rules.reading.complaints import Complaints
from aceking.rules.reading.inheritance import Heritage


def book_text(raw: Mapping[str, Any]) -> BookText:
    """Return the text of a book that neither includes others nor starts from one."""
    complaints = Complaints(_name(raw))
    return _read(_with_lists(dict(raw), complaints), Heritage(), complaints)
