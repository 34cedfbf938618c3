"""The tables are those of the migrations; older tables are brought forward, and those of a newer program refused."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

import aceking.house.store.sql.migrate as migrating
from aceking.house.store.backup import backup, restore
from aceking.house.store.check import check
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


_NEXT = f'''
import sqlalchemy as sa
from alembic import op

revision = "9998"
down_revision = "{REVISION}"


def upgrade() -> None:
    op.create_table("later", sa.Column("number", sa.Integer, primary_key=True))
'''


@pytest.fixture
def brought_forward(real: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Database:
    """A house of this program with a backup beside it, and then the next program, whose tables are of 9998."""
    with opened(real) as store:
        assert isinstance(store, SqlStore)
        store.append([step(0), step(1)])
        backup(store, tmp_path / "copy.db")
    scripts = tmp_path / "migrations"
    shutil.copytree(migrating._SCRIPTS, scripts)
    (scripts / "versions" / "r9998_later.py").write_text(_NEXT, encoding="utf-8")
    monkeypatch.setattr(migrating, "_SCRIPTS", scripts)
    monkeypatch.setattr(migrating, "REVISION", "9998")
    return real


def test_older_tables_are_brought_forward_once_and_the_log_stays(brought_forward: Database) -> None:
    with pytest.raises(CannotOpen, match=f"its tables are of version {REVISION}; start the house once"):
        open_store(brought_forward.url, only_read=True)
    for seq in (2, 3):
        with opened(brought_forward) as store:
            assert isinstance(store, SqlStore)
            assert "later" in inspect(store.engine).get_table_names()
            assert check(store).seq == seq
            store.append([step(seq)])
    with closing(open_store(brought_forward.url, only_read=True)) as store:
        assert store.last()[0] == 4


def test_a_backup_with_older_tables_is_restored_and_stays_as_it_is(brought_forward: Database, tmp_path: Path) -> None:
    before = (tmp_path / "copy.db").read_bytes()
    assert restore(tmp_path / "copy.db", f"sqlite:///{tmp_path / 'again.db'}").seq == 2
    assert (tmp_path / "copy.db").read_bytes() == before
