"""A layer under SQLite that records every write, truncation, sync and deletion of its files, and can make them fail.

SQLite reaches its files through a table of functions, its VFS. The layer replaces some of these functions in this
process through ctypes. They call the real ones unless the layer decides that the disk fails. SQLite, the store and the
house above it are unchanged.
"""

import _sqlite3
import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

Kind = Literal["write", "truncate", "sync", "delete"]
#: SQLite's error codes for a full disk and for a failing one (sqlite3.h).
FULL = 13
_IOERR = 10
BROKEN: dict[Kind, int] = {
    "write": _IOERR | 3 << 8,
    "truncate": _IOERR | 6 << 8,
    "sync": _IOERR | 4 << 8,
    "delete": _IOERR | 10 << 8,
}
_VOID, _INT, _LONG, _TEXT = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_char_p
# SQLite keeps the address of the name that it opens, so the pointer is passed on unchanged.
_OPEN = ctypes.CFUNCTYPE(_INT, _VOID, _VOID, _VOID, _INT, _VOID)
_DELETE = ctypes.CFUNCTYPE(_INT, _VOID, _TEXT, _INT)
_WRITE = ctypes.CFUNCTYPE(_INT, _VOID, _VOID, _INT, _LONG)
_TRUNCATE = ctypes.CFUNCTYPE(_INT, _VOID, _LONG)
_SYNC = ctypes.CFUNCTYPE(_INT, _VOID, _INT)


class _Vfs(ctypes.Structure):
    """The beginning of `sqlite3_vfs`, as far as it is needed."""

    _fields_ = (
        ("version", _INT),
        ("file_size", _INT),
        ("path_most", _INT),
        ("next", _VOID),
        ("name", _TEXT),
        ("data", _VOID),
        ("open", _VOID),
        ("delete", _VOID),
    )


class _Methods(ctypes.Structure):
    """`sqlite3_io_methods`, version 3."""

    _fields_ = (
        ("version", _INT),
        *((name, _VOID) for name in ("close", "read", "write", "truncate", "sync")),
        *((f"other_{number}", _VOID) for number in range(13)),
    )


class Operation(NamedTuple):
    """An operation on a file. `size` is the new length after a truncation."""

    kind: Kind
    file: str
    offset: int = 0
    data: bytes = b""
    size: int = 0


#: Takes the number of an operation, from 1, and its kind. Returns 0, or the SQLite error that it fails with.
Judge = Callable[[int, Kind], int]


class Files:
    """The layer while it is installed. A temporary file of SQLite has no name."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.operations = 0
        self.noted: list[Operation] = []
        self.keeps = False  # whether operations are recorded, with the bytes written
        self._names: dict[int, str] = {}
        self._kept: list[Any] = []  # functions and tables that SQLite refers to by address

    def _asked(self, operation: Operation) -> int:
        self.operations += 1
        found = self.judge(self.operations, operation.kind)
        if not found and self.keeps:
            self.noted.append(operation)
        return found

    def methods(self, real: _Methods) -> _Methods:
        """Return the functions of a file with the write, truncate and sync of the layer."""
        write, truncate, sync = _WRITE(real.write), _TRUNCATE(real.truncate), _SYNC(real.sync)

        def own_write(file: int, data: int, size: int, offset: int) -> int:
            text = ctypes.string_at(data, size) if self.keeps else b""
            bad = self._asked(Operation("write", self._names.get(file, ""), offset, text))
            return bad or write(file, data, size, offset)

        def own_truncate(file: int, size: int) -> int:
            return self._asked(Operation("truncate", self._names.get(file, ""), size=size)) or truncate(file, size)

        def own_sync(file: int, flags: int) -> int:
            return self._asked(Operation("sync", self._names.get(file, ""))) or sync(file, flags)

        own = _Methods.from_buffer_copy(real)
        functions = (_WRITE(own_write), _TRUNCATE(own_truncate), _SYNC(own_sync))
        own.write, own.truncate, own.sync = (ctypes.cast(one, _VOID).value for one in functions)
        self._kept += [own, *functions, write, truncate, sync]
        return own

    def named(self, file: int, name: int | None) -> None:
        """Remember the name of a file that was opened."""
        self._names[file] = Path(ctypes.string_at(name).decode()).name if name else ""

    def deleted(self, name: bytes) -> int:
        """Record a deletion, and return its error code or 0."""
        return self._asked(Operation("delete", Path(name.decode()).name))


@contextmanager
def under_sqlite(judge: Judge = lambda number, kind: 0) -> Iterator[Files]:
    """Install the layer for every file that is opened inside the context; they must be closed before it ends."""
    library = ctypes.CDLL(_sqlite3.__file__)
    library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
    vfs = library.sqlite3_vfs_find(None).contents
    files, tables = Files(judge), dict[int, _Methods]()
    real_open, real_delete = vfs.open, vfs.delete
    opens, deletes = _OPEN(real_open), _DELETE(real_delete)

    def own_open(self: int, name: int | None, file: int, flags: int, out: int) -> int:
        found: int = opens(self, name, file, flags, out)
        place = ctypes.cast(file, ctypes.POINTER(_VOID))
        if not found and place[0]:
            real = place[0]
            if real not in tables:
                tables[real] = files.methods(_Methods.from_address(real))
            files.named(file, name)
            place[0] = ctypes.addressof(tables[real])
        return found

    def own_delete(self: int, name: bytes, and_folder: int) -> int:
        return files.deleted(name) or deletes(self, name, and_folder)

    own = (_OPEN(own_open), _DELETE(own_delete))
    vfs.open, vfs.delete = (ctypes.cast(one, _VOID).value for one in own)
    try:
        yield files
    finally:
        vfs.open, vfs.delete = real_open, real_delete
