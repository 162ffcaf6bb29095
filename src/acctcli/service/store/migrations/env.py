"""Alembic's entry: run the revisions on the connection, and in the transaction, that `upgrade` was given."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"], transaction_per_migration=False)
context.run_migrations()
