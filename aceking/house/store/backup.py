"""Copies of a house. A backup is a house in one SQLite file: it can be verified and opened.

It has no sessions, so people log in again after a restore, and no snapshots, which are a cache.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, Select, Table, delete, func, insert, select

from aceking.house.store.check import check
from aceking.house.store.errors import CannotOpen, OlderTables
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Store, Summary
from aceking.house.store.sql.queries import SqlStore
from aceking.house.store.sql.sqlite import SqliteStore
from aceking.house.store.sql.tables import credential, head, log, seal, session, snapshot, touch

_COPIED = (log, head, touch, seal, credential)
_AT_ONCE = 1000
CopyProgress = Callable[[int, int], None]


def backup(store: SqlStore, target: Path, progress: CopyProgress | None = None) -> Summary:
    """Copy a house into a new file, while it runs, and check the copy. Raises CannotOpen if the file exists."""
    if target.exists():
        raise CannotOpen(f"{target}: there is a file already")
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    try:
        os.close(os.open(part, os.O_RDWR | os.O_CREAT, 0o600))
        if isinstance(store, SqliteStore):
            store.copy_to(part)
        copy = SqliteStore(part)
        try:
            with copy.aside() as writing:
                if isinstance(store, SqliteStore):
                    writing.execute(delete(session))
                    writing.execute(delete(snapshot))
                else:
                    with store.still.connect() as reading:
                        _copy(reading, writing)
            summary = check(copy, progress)
        finally:
            copy.close()
        _put(part, target)
    finally:
        for suffix in ("", "-wal", "-shm", ".lock"):
            with suppress(FileNotFoundError):
                os.unlink(f"{part}{suffix}")
    return summary


def restore(source: Path, url: str, progress: CopyProgress | None = None) -> Summary:
    """Copy a backup to an address without a house, and check the copy. Raises CannotOpen if there is one."""
    if not source.exists():
        raise CannotOpen(f"{source}: there is no such file")
    with TemporaryDirectory(prefix="aceking-") as folder, closing(_open_backup(source, Path(folder))) as source_store:
        check(source_store)
        store = open_store(url)
        try:
            with source_store.still.connect() as reading, store.aside() as writing:
                if writing.execute(select(func.count()).select_from(log)).scalar_one():
                    raise CannotOpen("there is a house already; a backup is restored to where there is none")
                _copy(reading, writing)
        finally:
            store.close()
    # Opened again, since the store caches the end of the log.
    store = open_store(url)
    try:
        return check(store, progress)
    finally:
        store.close()


def _open_backup(source: Path, folder: Path) -> SqliteStore:
    """Open a backup to read. One of an earlier version is migrated in a copy and stays as it is."""
    try:
        return SqliteStore(source, only_read=True)
    except OlderTables:
        copy = folder / "brought-forward.db"
        address = f"{source.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as old, closing(sqlite3.connect(copy)) as new:
            old.backup(new)
        return SqliteStore(copy)


def excerpt(store: Store, target: Path, *, upto: int) -> None:
    """Copy the log up to an entry into a new file for `aceking verify`, without passwords, sessions and sealed
    seeds."""
    copy = SqliteStore(target)
    try:
        with store.reading() as reading, copy.aside() as writing:
            for table in (log, touch):
                _rows(reading, writing, table, select(table).where(table.c.seq <= upto))
            newest = select(head.c.stream, head.c.number, func.max(touch.c.version).label("version"))
            newest = newest.where(touch.c.stream == head.c.number, touch.c.seq <= upto)
            _rows(reading, writing, head, newest.group_by(head.c.stream, head.c.number))
    finally:
        copy.close()
        for suffix in ("-wal", "-shm", ".lock"):
            Path(f"{target}{suffix}").unlink(missing_ok=True)


def _copy(reading: Connection, writing: Connection) -> None:
    for table in _COPIED:
        _rows(reading, writing, table, select(table))


def _rows(reading: Connection, writing: Connection, into: Table, query: Select[Any]) -> None:
    rows = reading.execution_options(yield_per=_AT_ONCE).execute(query)
    for page in rows.mappings().partitions():
        writing.execute(insert(into), [dict(row) for row in page])


def _put(part: Path, target: Path) -> None:
    """Give the file its name once all of it is on the disk."""
    with part.open("rb") as file:
        os.fsync(file.fileno())
    os.rename(part, target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
