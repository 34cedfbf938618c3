"""A sentence with placeholders, so that it can be translated."""

from typing import Union

import msgspec


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """Words with placeholders, as in `box {box} is taken by {player}`, and their values. The words are the key in the
    catalogue of the pages; `str()` gives the English sentence."""

    words: str
    values: dict[str, Union[str, "Said"]] = {}

    def __str__(self) -> str:
        return self.words.format_map({key: str(one) for key, one in self.values.items()}) if self.values else self.words


def said(words: str, **values: object) -> Said:
    """Return a sentence, or a part of one; a value may be a part itself."""
    return Said(words, {key: one if isinstance(one, Said) else str(one) for key, one in values.items()})
