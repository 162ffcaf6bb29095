"""${message}."""

from __future__ import annotations

from acctcli.service.store.migrations.statements import run

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Run the statements of this revision."""
    run(revision)
