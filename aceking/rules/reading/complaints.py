"""Everything wrong with a book at once, each fault with its place."""

from collections.abc import Iterable, Sequence
from typing import Any

from aceking.rules.reading.did_you_mean import suggestion

#: Words of a list that a message names; a longer list is left out.
_SHOWN = 12
#: Characters of a wrong value that a message quotes.
_QUOTED = 60


#: The clause at fault, or None, and what is wrong.
Complaint = tuple[str | None, str]


class BookError(ValueError):
    """A book that cannot be loaded; each complaint names the clause and the key at fault."""

    def __init__(self, *complaints: str, book: str | None = None) -> None:
        self.complaints = complaints
        heading = f"{book or 'the book'}: {len(complaints)} things are wrong"
        super().__init__(complaints[0] if len(complaints) == 1 else "\n  ".join((heading, *complaints)))


class Complaints:
    """What is wrong with one book, as far as it has been read."""

    def __init__(self, book: str) -> None:
        self.book = book
        self._found: dict[str, None] = {}  # an ordered set

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, says: str, *place: str | None) -> None:
        """Add a fault, with its clause, its key or both as `place`."""
        self._found[": ".join((self.book, *(one for one in place if one), says))] = None

    def raise_any(self) -> None:
        """Raise BookError with all complaints, if there are any."""
        if self._found:
            raise BookError(*self._found, book=self.book)


def short_repr(value: Any) -> str:
    """Return the repr of a wrong value for a message, cut if it is long."""
    try:
        text = repr(value)
    except ValueError:  # an int with more digits than Python writes
        text = "a number with too many digits"
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"


def unknown_word(word: Any, known: Iterable[Any], *, of: str = "") -> str:
    """Return the error text for an unknown word: the allowed words if they are few, and the nearest one."""
    words: Sequence[str] = [str(one).lower() if isinstance(one, bool) else str(one) for one in known]
    if len(words) <= _SHOWN:
        return f"{short_repr(word)} is not one of {', '.join(words)}{suggestion(word, words)}"
    return f"{short_repr(word)} is not a word of the vocabulary{f' for {of}' if of else ''}{suggestion(word, words)}"
