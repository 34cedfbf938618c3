"""The sources of a book's text: shipped with the program, a file, or texts handed in by a caller."""

import stat
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.parse_cache import BOOKS, compiled

#: Far more than any book has; a longer file is not a book.
MOST_BYTES = 4_000_000


@cache
def shipped_books() -> tuple[str, ...]:
    """Return the ids of the books that come with the program."""
    return tuple(sorted(one.name.removesuffix(".toml") for one in BOOKS.iterdir() if one.name.endswith(".toml")))


class Source(Protocol):
    """A text that can be read, and finds other texts beside it."""

    @property
    def name(self) -> str:
        """The name used in error messages."""

    @property
    def place(self) -> str:
        """A label that no other source has, to find a book that starts from itself."""

    def read(self) -> bytes:
        """Return the bytes. Raises BookError."""

    def beside(self, name: str) -> "Source":
        """Return the text at a path relative to this one."""


@dataclass(frozen=True)
class Shipped:
    """A text that comes with the program."""

    name: str

    @property
    def place(self) -> str:
        return f"shipped {self.name}"

    def read(self) -> bytes:
        file = BOOKS / self.name
        if not file.is_file():
            raise BookError(f"{self.name}: there is no such file")
        return file.read_bytes()

    def beside(self, name: str) -> "Shipped":
        return Shipped(_inside(self.name, name))


@dataclass(frozen=True)
class OnDisk:
    path: Path
    #: The stamps of this file and of all files read beside it, to see whether one has changed.
    stamps: dict[Path, tuple[int, int]] = field(default_factory=dict, compare=False)

    @property
    def name(self) -> str:
        return str(self.path)

    @cached_property
    def place(self) -> str:
        return str(self.path.resolve())

    def read(self) -> bytes:
        """Return the bytes. Raises BookError, also for a folder, a pipe or a device."""
        try:
            if self.path.is_dir():
                raise BookError(f"{self.name}: Is a directory")
            if not stat.S_ISREG(self.path.stat().st_mode):
                raise BookError(f"{self.name}: this is not a regular file")
            if self.path.stat().st_size > MOST_BYTES:
                raise BookError(f"{self.name}: a book has at most {MOST_BYTES:,} bytes")
            self.stamps[self.path] = stamp(self.path)
            return self.path.read_bytes()
        except FileNotFoundError:
            raise BookError(f"{self.name}: there is no such file") from None
        except (OSError, ValueError) as failed:
            raise BookError(f"{self.name}: {getattr(failed, 'strerror', None) or failed}") from None

    def beside(self, name: str) -> "OnDisk":
        return OnDisk(self.path.parent / name, self.stamps)


def stamp(file: Path) -> tuple[int, int]:
    """Return the time of the last write in nanoseconds, and the size."""
    status = file.stat()
    return status.st_mtime_ns, status.st_size


@dataclass(frozen=True)
class Handed:
    """One of several texts that were handed in together."""

    name: str
    texts: Mapping[str, str]

    @property
    def place(self) -> str:
        return f"handed {self.name}"

    def read(self) -> bytes:
        if self.name not in self.texts:
            raise BookError(f"{self.name}: there is no such file among those handed in")
        return self.texts[self.name].encode()

    def beside(self, name: str) -> "Handed":
        return Handed(_inside(self.name, name), self.texts)


def _inside(file: str, name: str) -> str:
    """Return a path relative to the folder of another one."""
    return str(PurePosixPath(file).parent / name)


def parsed(source: Source) -> dict[str, Any]:
    """Return the parsed TOML of a text. Raises BookError if it is not valid."""
    data = source.read()
    if len(data) > MOST_BYTES:
        raise BookError(f"{source.name}: a book has at most {MOST_BYTES:,} bytes")
    try:
        return compiled(source.name, data) if isinstance(source, Shipped) else tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BookError(f"{source.name}: a book is a text in UTF-8") from None
    except tomllib.TOMLDecodeError as broken:
        raise BookError(f"{source.name}: this is not TOML: {broken}") from None
    except RecursionError:
        raise BookError(f"{source.name}: it is nested too deeply") from None
    except ValueError:
        raise BookError(f"{source.name}: a number has more than {sys.get_int_max_str_digits()} digits") from None
