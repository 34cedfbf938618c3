"""A sentence that remembers how it was made, so that it can be said in another language."""

from typing import Union

import msgspec


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """Words with places, as `box {box} is taken by {player}`, and what stands in them. The words are their own key in
    the catalogue of the pages; as a text it is English."""

    words: str
    values: dict[str, Union[str, "Said"]] = {}

    def __str__(self) -> str:
        return self.words.format_map({key: str(one) for key, one in self.values.items()}) if self.values else self.words


def said(words: str, **values: object) -> Said:
    """A sentence, or a part of one."""
    return Said(words, {key: one if isinstance(one, Said) else str(one) for key, one in values.items()})
