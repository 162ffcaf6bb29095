"""Users, businesses, accounts, documents with their entries, the outbox and stored replies."""

from __future__ import annotations

from acctcli.service.store.migrations.statements import run

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Run the statements of this revision."""
    run(revision)
