"""A table of a book's TOML, read key by key and by type: what is wrong is noted with its place, and reading goes on."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from aceking.rules.reading.complaints import Complaints, no_word, said
from aceking.rules.reading.did_you_mean import near

#: The longest text of a clause.
MOST_TEXT = 4_000


class Part:
    """One table, with the keys that it may have."""

    def __init__(self, raw: Any, keys: Iterable[str], complaints: Complaints, *place: str, what: str = "") -> None:
        self._raw: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {}
        self._complaints = complaints
        self._place = place
        self.wrong = False
        known = tuple(keys)
        if not isinstance(raw, Mapping):
            self.no(f"{said(raw)} is not a table")
        for key in self._raw:
            if key not in known:
                self.no(f"{said(key)} is no part of {what}{near(key, known)}")

    def no(self, says: str, key: str | None = None) -> None:
        """Notes that something is wrong here."""
        self.wrong = True
        self._complaints.add(says, *self._place, key)

    def __contains__(self, key: str) -> bool:
        return key in self._raw

    def get(self, key: str, default: Any = None) -> Any:
        """The value as TOML has it."""
        return self._raw.get(key, default)

    def text(self, key: str, *, needed: bool = False, most: int = MOST_TEXT) -> str:
        """A text; empty where there is none and none is needed."""
        value = self._raw.get(key, "")
        if key in self._raw and not isinstance(value, str):
            self.no(f"{said(value)} is not a text", key)
            return ""
        if needed and not str(value).strip():
            self.no(f"it has no {key}")
        if len(value) > most:
            self.no(f"it has more than {most} letters", key)
        return str(value)

    def flag(self, key: str, *, needed: bool = False) -> bool:
        """True or false."""
        value = self._raw.get(key, False)
        if not isinstance(value, bool):
            self.no(f"{said(value)} is not true or false", key)
            return False
        if needed and key not in self._raw:
            self.no(f"it has no {key}")
        return value

    def number(self, key: str, least: int, most: int) -> int:
        """A whole number in these limits."""
        value = self._raw.get(key)
        if type(value) is not int or not least <= value <= most:
            self.no(f"{said(value)} is not a whole number from {least} to {most}", key)
            return least
        return value

    def items(self, key: str) -> list[Any]:
        """A list; empty where there is none."""
        value = self._raw.get(key, [])
        if not isinstance(value, list):
            self.no(f"{said(value)} is not a list", key)
            return []
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        found = self.items(key)
        for one in found:
            if not isinstance(one, str) or not one.strip():
                self.no(f"{said(one)} is not a text", key)
        return tuple(one for one in found if isinstance(one, str))

    def table(self, key: str) -> Mapping[str, Any]:
        """A table; empty where there is none."""
        value = self._raw.get(key, {})
        if not isinstance(value, Mapping):
            self.no(f"{said(value)} is not a table", key)
            return {}
        return value

    def word(self, key: str, words: Any, *, default: Any = None) -> Any:
        """One of the words of a type."""
        value = self._raw.get(key, default)
        if not _is_word(value, words):
            self.no(no_word(value, get_args(words), of=key) if value is not None else f"it has no {key}", key)
        return value

    def words(self, key: str, words: Any) -> tuple[Any, ...]:
        """A list of such words, none of them twice."""
        found = self.items(key)
        for place, one in enumerate(found):
            if not _is_word(one, words):
                self.no(no_word(one, get_args(words), of=key), key)
            elif one in found[:place]:
                self.no(f"{one} stands there twice", key)
        return tuple(one for one in found if _is_word(one, words))


def _is_word(value: Any, words: Any) -> bool:
    return isinstance(value, str) and value in get_args(words)
