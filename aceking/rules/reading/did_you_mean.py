"""The word that was meant, for one that is not known."""

from collections.abc import Iterable


def near(word: object, known: Iterable[object]) -> str:
    """`; did you mean flush?`, or nothing where no known word is near."""
    from difflib import get_close_matches

    found = get_close_matches(str(word), [str(one) for one in known], n=1)
    return f"; did you mean {found[0]}?" if found else ""
