"""Alembic runs this. The connection, and the transaction around all steps, are the opener's (store/sql/migrate.py)."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
