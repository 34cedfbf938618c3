"""Run by Alembic. The connection and the transaction around all steps are the caller's (store/sql/migrate.py)."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
