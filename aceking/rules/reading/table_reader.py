"""Read a table of a book's TOML key by key. A wrong value becomes a complaint, and reading goes on."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from aceking.rules.reading.complaints import Complaints, short_repr, unknown_word
from aceking.rules.reading.did_you_mean import suggestion

#: Characters in the longest text of a clause.
MOST_TEXT = 4_000


class TableReader:
    """One table with the keys that it may have. `wrong` is True once something was complained of."""

    def __init__(self, raw: Any, keys: Iterable[str], complaints: Complaints, *place: str, what: str = "") -> None:
        self._raw: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {}
        self._complaints = complaints
        self._place = place
        self.wrong = False
        known = tuple(keys)
        if not isinstance(raw, Mapping):
            self.complain(f"{short_repr(raw)} is not a table")
        for key in self._raw:
            if key not in known:
                self.complain(f"{what} has no key {short_repr(key)}{suggestion(key, known)}")

    def complain(self, says: str, key: str | None = None) -> None:
        self.wrong = True
        self._complaints.add(says, *self._place, key)

    def __contains__(self, key: str) -> bool:
        return key in self._raw

    def get(self, key: str, default: Any = None) -> Any:
        return self._raw.get(key, default)

    def text(self, key: str, *, needed: bool = False, most: int = MOST_TEXT) -> str:
        """Return a text; empty if it is missing or wrong."""
        value = self._raw.get(key, "")
        if key in self._raw and not isinstance(value, str):
            self.complain(f"{short_repr(value)} is not a text", key)
            return ""
        if needed and not str(value).strip():
            self.complain(f"it has no {key}")
        if len(value) > most:
            self.complain(f"it has more than {most} characters", key)
        return str(value)

    def flag(self, key: str, *, needed: bool = False) -> bool:
        value = self._raw.get(key, False)
        if not isinstance(value, bool):
            self.complain(f"{short_repr(value)} is not true or false", key)
            return False
        if needed and key not in self._raw:
            self.complain(f"it has no {key}")
        return value

    def number(self, key: str, least: int, most: int) -> int:
        """Return a whole number within these limits; `least` if it is missing or wrong."""
        value = self._raw.get(key)
        if type(value) is not int or not least <= value <= most:
            self.complain(f"{short_repr(value)} is not a whole number from {least} to {most}", key)
            return least
        return value

    def items(self, key: str) -> list[Any]:
        """Return a list; empty if it is missing or wrong."""
        value = self._raw.get(key, [])
        if not isinstance(value, list):
            self.complain(f"{short_repr(value)} is not a list", key)
            return []
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the texts of a list, without those of another type."""
        items = self.items(key)
        for item in items:
            if not isinstance(item, str) or not item.strip():
                self.complain(f"{short_repr(item)} is not a text", key)
        return tuple(item for item in items if isinstance(item, str))

    def table(self, key: str) -> Mapping[str, Any]:
        """Return a table; empty if it is missing or wrong."""
        value = self._raw.get(key, {})
        if not isinstance(value, Mapping):
            self.complain(f"{short_repr(value)} is not a table", key)
            return {}
        return value

    def word(self, key: str, words: Any, *, default: Any = None) -> Any:
        """Return a word, which must be one of the Literal type `words`."""
        value = self._raw.get(key, default)
        if not _is_word(value, words):
            self.complain(
                unknown_word(value, get_args(words), of=key) if value is not None else f"it has no {key}", key
            )
        return value

    def words(self, key: str, words: Any) -> tuple[Any, ...]:
        """Return the words of a list, without unknown ones; none may be there twice."""
        items = self.items(key)
        for place, item in enumerate(items):
            if not _is_word(item, words):
                self.complain(unknown_word(item, get_args(words), of=key), key)
            elif item in items[:place]:
                self.complain(f"{item} stands there twice", key)
        return tuple(item for item in items if _is_word(item, words))


def _is_word(value: Any, words: Any) -> bool:
    return isinstance(value, str) and value in get_args(words)
