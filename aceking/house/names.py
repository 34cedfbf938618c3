"""The patterns of names and ids, each once.

A pattern ends in `$(?!\\n)`: in Python `$` alone also matches before a line break at the end of the text. The regular
expressions of JSON Schema have no `\\Z`, and take this form in the same meaning.
"""

import re
from typing import Annotated

import msgspec

#: The id of a unit in the log: a client's request id, or one that the house makes itself.
ID_LENGTH = 200
_NAME = r"^[a-z0-9][a-z0-9._-]{0,39}$(?!\n)"

#: A person, a table or a meter.
Name = Annotated[str, msgspec.Meta(pattern=_NAME)]
Currency = Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{3,5}$(?!\n)")]
#: A gaming day, as 2026-09-21; the close of the day checks that the date exists.
Day = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$(?!\n)")]
#: The id that a client gives its request, never used twice.
RequestId = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._:-]{8,64}$(?!\n)")]


def is_name(text: str) -> bool:
    """Return True if a person, a table or a meter may have this name."""
    return re.search(_NAME, text) is not None


def check_id(text: str) -> None:
    """Raise ValueError if the log cannot hold this id."""
    if not (0 < len(text) <= ID_LENGTH and text.isprintable()):
        raise ValueError(f"the id of a command has 1 to {ID_LENGTH} printable characters")
