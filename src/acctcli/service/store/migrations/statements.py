"""Revisions are written as SQL, one file for each database, and frozen once released.

The file of a revision is `sql/<revision>.<dialect>.sql`; statements end with a line that holds only `--;`, because
triggers have semicolons inside.
"""

from __future__ import annotations

from pathlib import Path

from alembic import op

SEPARATOR = "\n--;\n"


def run(revision: str) -> None:
    """Run the statements of a revision on the connection of the migration."""
    conn = op.get_bind()
    path = Path(__file__).parent / "sql" / f"{revision}.{conn.dialect.name}.sql"
    for statement in path.read_text("utf-8").split(SEPARATOR):
        if statement.strip():
            conn.exec_driver_sql(statement)
