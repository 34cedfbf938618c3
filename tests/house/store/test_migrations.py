"""The tables are those of the migrations; a database of a newer program is refused."""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

import aceking.house.store.sql.migrate as migrating
from aceking.house.store.errors import CannotOpen
from aceking.house.store.open import open_store
from aceking.house.store.sql.queries import SqlStore
from aceking.house.store.sql.tables import REVISION, metadata
from tests.house.conftest import POSTGRESQL
from tests.house.store.places import Database, opened
from tests.house.store.units import step


def test_the_steps_end_where_the_tables_say() -> None:
    config = Config()
    config.set_main_option("script_location", str(migrating._SCRIPTS))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_current_head() == REVISION


def test_the_steps_make_the_tables(real: Database) -> None:
    with opened(real) as store:
        assert isinstance(store, SqlStore)
        with store.engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_an_up_to_date_house_is_opened_as_it_is(real: Database) -> None:
    with opened(real) as store:
        store.append([step(0)])
    with opened(real) as store:
        assert store.heads() == {"table/1": 1}


@pytest.mark.parametrize("only_read", [False, True])
def test_a_newer_database_is_refused_in_a_sentence(real: Database, only_read: bool) -> None:
    with opened(real) as store, store.aside() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0999'"))
    with pytest.raises(
        CannotOpen, match=rf"a newer program has written it \(tables 0999, this program knows {REVISION}\)"
    ):
        open_store(real.url, only_read=only_read)


@POSTGRESQL
def test_who_only_reads_does_not_make_tables(database: str) -> None:
    with pytest.raises(CannotOpen, match="there is no house in it"):
        open_store(database, only_read=True)
