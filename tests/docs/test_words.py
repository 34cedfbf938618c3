"""The documents are written in plain words: docs/contributing/how-we-write.md says how."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, WRITTEN, name, prose, without_spans

#: What is not written, and what is written instead.
BANNED = {
    r"\bso many\b": "N, or the number",
    r"\bhow manieth\b": "its position, counted from 1",
    r"\bwhoever\b": "the role: the player, the client, the sender",
    r"\b(he|him|his|himself)\b": "they, or the role",
    r"\bis told of\b": "is sent, is shown",
    r"\bpressed\b.*(Zstandard|dictionary|bytes)|(body|bodies|entries)\b.*\bpressed\b": "compressed",
    r"\b(lying|lies|lie) apart\b": "stored outside the log",
    r"\bwish(es)?\b": "request",
    r"\b(guest|stranger)s?\b": "known address, other address",
    r"\bbells?\b": "pipe, notification",
    r"\bdoors?\b": "log-in, next card, hand-over",
    r"\blet go\b": "closed, dropped, freed",
}
#: The page that shows what not to write.
EXAMPLES = DOCS / "contributing" / "how-we-write.md"


@pytest.mark.parametrize("page", [page for page in WRITTEN if page != EXAMPLES], ids=name)
@pytest.mark.parametrize("pattern", BANNED)
def test_a_page_is_written_in_plain_words(page: Path, pattern: str) -> None:
    found = [
        f"{name(page)}:{number}: {line.strip()}"
        for number, line in prose(page)
        if re.search(pattern, without_spans(line), re.IGNORECASE)
    ]
    assert not found, f"write {BANNED[pattern]}:\n" + "\n".join(found)
