"""Where the text of a book lies: shipped with the program, in a file, or among texts that somebody handed in."""

import stat
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.parse_cache import BOOKS, compiled

#: No book comes near it; what is longer is something else.
MOST_BYTES = 4_000_000


class Source(Protocol):
    """A text that can be read, and finds others that lie beside it."""

    @property
    def name(self) -> str:
        """As messages have it."""

    @property
    def place(self) -> str:
        """What tells it from every other."""

    def read(self) -> bytes:
        """The bytes; raises BookError."""

    def beside(self, name: str) -> "Source":
        """The text of this name in the same place."""


@dataclass(frozen=True)
class Shipped:
    """A text that comes with the program."""

    name: str

    @property
    def place(self) -> str:
        """Its name says it."""
        return f"shipped {self.name}"

    def read(self) -> bytes:
        """The bytes."""
        file = BOOKS / self.name
        if not file.is_file():
            raise BookError(f"{self.name}: there is no such file")
        return file.read_bytes()

    def beside(self, name: str) -> "Shipped":
        """Another shipped text."""
        return Shipped(_inside(self.name, name))


@dataclass(frozen=True)
class OnDisk:
    """A file."""

    path: Path
    #: This file and all beside it that were read, with what tells whether they are still the same.
    stamps: dict[Path, tuple[int, int]] = field(default_factory=dict, compare=False)

    @property
    def name(self) -> str:
        """As it was asked for."""
        return str(self.path)

    @cached_property
    def place(self) -> str:
        """Where it really lies."""
        return str(self.path.resolve())

    def read(self) -> bytes:
        """The bytes; a folder, a pipe or a device is no book."""
        try:
            if self.path.is_dir():
                raise BookError(f"{self.name}: Is a directory")
            if not stat.S_ISREG(self.path.stat().st_mode):
                raise BookError(f"{self.name}: this is not a file with a text")
            if self.path.stat().st_size > MOST_BYTES:
                raise BookError(f"{self.name}: a book has at most {MOST_BYTES:,} bytes")
            self.stamps[self.path] = stamp(self.path)
            return self.path.read_bytes()
        except FileNotFoundError:
            raise BookError(f"{self.name}: there is no such file") from None
        except (OSError, ValueError) as failed:
            raise BookError(f"{self.name}: {getattr(failed, 'strerror', None) or failed}") from None

    def beside(self, name: str) -> "OnDisk":
        """A file in the same folder, or below it."""
        return OnDisk(self.path.parent / name, self.stamps)


def stamp(file: Path) -> tuple[int, int]:
    """When a file was last written, and its size."""
    found = file.stat()
    return found.st_mtime_ns, found.st_size


@dataclass(frozen=True)
class Handed:
    """One of several texts that were handed in together."""

    name: str
    texts: Mapping[str, str]

    @property
    def place(self) -> str:
        """Its name among them."""
        return f"handed {self.name}"

    def read(self) -> bytes:
        """The bytes."""
        if self.name not in self.texts:
            raise BookError(f"{self.name}: there is no such file among those handed in")
        return self.texts[self.name].encode()

    def beside(self, name: str) -> "Handed":
        """Another of them."""
        return Handed(_inside(self.name, name), self.texts)


def _inside(file: str, name: str) -> str:
    """The name of a text beside another, by the folders of their names."""
    return str(PurePosixPath(file).parent / name)


def parsed(source: Source) -> dict[str, Any]:
    """The TOML of a text; BookError with one sentence where it is none."""
    data = source.read()
    if len(data) > MOST_BYTES:
        raise BookError(f"{source.name}: a book has at most {MOST_BYTES:,} bytes")
    try:
        return compiled(source.name, data) if isinstance(source, Shipped) else tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BookError(f"{source.name}: a book is a text in UTF-8") from None
    except tomllib.TOMLDecodeError as broken:
        raise BookError(f"{source.name}: {broken}") from None
    except RecursionError:
        raise BookError(f"{source.name}: it is nested deeper than any book") from None
    except ValueError:
        raise BookError(f"{source.name}: a number has more than {sys.get_int_max_str_digits()} digits") from None
