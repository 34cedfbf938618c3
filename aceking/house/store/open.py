"""Open a store by its address: `sqlite:///house.db`, `postgresql://user@host/house`."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from aceking.house.store.check import check_tail
from aceking.house.store.errors import CannotOpen
from aceking.house.store.sql.queries import SqlStore

if TYPE_CHECKING:
    from aceking.house.store.sql.shared_file import FileShare


def open_store(url: str, *, only_read: bool = False, makes: bool = True, share: "FileShare | None" = None) -> SqlStore:
    """Open a store, create or migrate its tables, and check the end of its log.

    Raises CannotOpen, or Damaged if the log is not what was written; then nothing was changed. With `only_read` it
    may be opened beside a server that writes, if its tables are up to date. Without `makes` the file must exist.
    `share` is for one of several processes on one file.
    """
    store = _opened(url, only_read=only_read, makes=makes, share=share)
    try:
        check_tail(store)
    except BaseException:
        store.close()
        raise
    return store


def file_of(url: str) -> Path | None:
    """Return the file of a store; None if it is not in a file."""
    with suppress(ArgumentError):
        address = make_url(url)
        if address.drivername == "sqlite" and address.database:
            return Path(address.database)
    return None


def _opened(url: str, *, only_read: bool, makes: bool, share: "FileShare | None" = None) -> SqlStore:
    try:
        address = make_url(url)
    except ArgumentError:
        raise CannotOpen(f"{url}: {_WANTED}") from None
    match address.drivername:
        case "sqlite" if address.database and address.database != ":memory:":
            if share is not None:
                from aceking.house.store.sql.shared_file import SharedSqliteStore

                return SharedSqliteStore(Path(address.database), share, makes=makes)
            from aceking.house.store.sql.sqlite import SqliteStore

            return SqliteStore(Path(address.database), only_read=only_read, makes=makes)
        case "postgresql" | "postgresql+psycopg":
            from aceking.house.store.sql.postgres import PostgresStore

            return PostgresStore(address, only_read=only_read)
        case _:
            raise CannotOpen(f"{address.render_as_string()}: {_WANTED}")


_WANTED = "an address is sqlite:///PATH or postgresql://USER@HOST/DATABASE"
