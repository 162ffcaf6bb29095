"""Every table of the first release: people, books, invoices, the outbox and stored replies.

Revision 0001 was never released, and nothing leads from it to here.
"""

from __future__ import annotations

from acctcli.service.store.migrations.statements import run

revision = "0002"
down_revision = None


def upgrade() -> None:
    """Run the statements of this revision."""
    run(revision)
