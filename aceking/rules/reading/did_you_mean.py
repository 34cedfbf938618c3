"""A suggestion for an unknown word."""

from collections.abc import Iterable


def suggestion(word: object, known: Iterable[object]) -> str:
    """Return `; did you mean flush?`, or an empty text if no known word is near."""
    from difflib import get_close_matches

    matches = get_close_matches(str(word), [str(one) for one in known], n=1)
    return f"; did you mean {matches[0]}?" if matches else ""
