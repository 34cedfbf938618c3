"""What is wrong with a book: all of it at once, each fault with its place."""

from collections.abc import Iterable, Sequence
from typing import Any

from aceking.rules.reading.did_you_mean import near

#: How many words of a list are said; a longer one is looked up.
_SHOWN = 12
#: How much of a wrong value is said back.
_SAID = 60


class BookError(ValueError):
    """A book that cannot be taken: each complaint names the clause and the key that are at fault."""

    def __init__(self, *complaints: str, book: str | None = None) -> None:
        self.complaints = complaints
        many = f"{book or 'the book'}: {len(complaints)} things are wrong"
        told = complaints[0] if len(complaints) == 1 else "\n  ".join((many, *complaints))
        super().__init__(told)


class Complaints:
    """What was found wrong so far in one book."""

    def __init__(self, book: str) -> None:
        self.book = book
        self._found: dict[str, None] = {}  # in the order in which they were found, each once

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, says: str, *place: str | None) -> None:
        """Notes a fault, with the clause, the key or both."""
        self._found[": ".join((self.book, *(one for one in place if one), says))] = None

    def end(self) -> None:
        """Nothing, where nothing was found; else the error with all of it."""
        if self._found:
            raise BookError(*self._found, book=self.book)


def said(value: Any) -> str:
    """A wrong value as it is said back: not all of it, where it is long."""
    try:
        text = repr(value)
    except ValueError:  # a number too long to be written
        text = "a number beyond reason"
    return text if len(text) <= _SAID else f"{text[:_SAID]}…"


def no_word(word: Any, known: Iterable[Any], *, of: str = "") -> str:
    """That something is no word of a list: the list, where it is short, and a near word, where there is one."""
    words: Sequence[str] = [str(one).lower() if isinstance(one, bool) else str(one) for one in known]
    if len(words) <= _SHOWN:
        return f"{said(word)} is not one of {', '.join(words)}{near(word, words)}"
    return f"{said(word)} is not a word of the vocabulary{f' for {of}' if of else ''}{near(word, words)}"
