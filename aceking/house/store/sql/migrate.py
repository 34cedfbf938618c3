"""Migrate the tables to this program's version when a store is opened."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from aceking.house.store.errors import CannotOpen, OlderTables
from aceking.house.store.sql.tables import REVISION

_SCRIPTS = Path(__file__).parent / "migrations"


def revision(connection: Connection) -> str | None:
    """Return the version of the tables, or None if there are none. Raises CannotOpen for another program's database."""
    names = inspect(connection).get_table_names()
    if "alembic_version" in names:
        version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        if version is not None:
            return str(version)
    if names:
        raise CannotOpen(f"it is not a house: it has a table {names[0]} of another program")
    return None


def migrate(connection: Connection) -> None:
    """Run the missing migrations in the caller's transaction. Raises CannotOpen if a newer program wrote the tables."""
    version = revision(connection)
    if version == REVISION:
        return
    # Imported only when needed: alembic takes longer to import than a house to start.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    steps = ScriptDirectory.from_config(config)
    if version is not None and version not in {step.revision for step in steps.walk_revisions()}:
        raise newer(version)
    command.upgrade(config, REVISION)


def current(connection: Connection) -> None:
    """Raise CannotOpen unless the tables have this version, for stores opened only to read."""
    version = revision(connection)
    if version is None:
        raise CannotOpen("there is no house in it")
    if version > REVISION:
        raise newer(version)
    if version != REVISION:
        raise OlderTables(f"its tables are of version {version}; start the house once, which brings them to {REVISION}")


def newer(version: str) -> CannotOpen:
    """Return the error for a database that a newer program has written."""
    return CannotOpen(f"a newer program has written it (tables {version}, this program knows {REVISION})")
