"""The tables, brought to this program's version when a store is opened."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from aceking.house.store.errors import CannotOpen, OlderTables
from aceking.house.store.sql.tables import REVISION

_SCRIPTS = Path(__file__).parent / "migrations"


def revision(connection: Connection) -> str | None:
    """The version of the tables; None where there are none. Another program's database is refused."""
    names = inspect(connection).get_table_names()
    if "alembic_version" in names:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        if found is not None:
            return str(found)
    if names:
        raise CannotOpen(f"it is not a house: it has a table {names[0]} of another program")
    return None


def migrate(connection: Connection) -> None:
    """Runs the steps that are missing, in the caller's transaction; a newer database is refused."""
    found = revision(connection)
    if found == REVISION:
        return
    # Only now: alembic takes longer to import than a house to start.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    steps = ScriptDirectory.from_config(config)
    if found is not None and found not in {step.revision for step in steps.walk_revisions()}:
        raise newer(found)
    command.upgrade(config, REVISION)


def current(connection: Connection) -> None:
    """For those who only read: the tables must be of this version already."""
    found = revision(connection)
    if found is None:
        raise CannotOpen("there is no house in it")
    if found > REVISION:
        raise newer(found)
    if found != REVISION:
        raise OlderTables(f"its tables are of version {found}; start the house once, which brings them to {REVISION}")


def newer(found: str) -> CannotOpen:
    """The refusal of a database that a later program has written."""
    return CannotOpen(f"a newer program has written it (tables {found}, this program knows {REVISION})")
