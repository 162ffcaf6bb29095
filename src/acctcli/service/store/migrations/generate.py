"""`python -m acctcli.service.store.migrations.generate REVISION [TABLE ...]`: write a revision of declared tables.

Of the tables named with their indexes and triggers, which makes the revision of a new table; without names of all.
Other changes are written by hand; a test finds where revisions and declared tables differ.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator

from sqlalchemy import Dialect, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from acctcli.service.store.migrations import FOLDER, SEPARATOR
from acctcli.service.store.schema import metadata
from acctcli.service.store.schema.triggers import WRITERS
from acctcli.service.store.schema.triggers import statements as triggers

DIALECTS: dict[str, Dialect] = {"sqlite": sqlite.dialect(), "postgresql": postgresql.dialect()}  # type: ignore[no-untyped-call]


def script(dialect: str, names: Collection[str] = ()) -> str:
    """Return the statements that make tables, in an order that knows what they refer to, each ended by a separator."""
    tables = [table for table in metadata.sorted_tables if not names or table.name in names]
    made = [_tidy(str(one.compile(dialect=DIALECTS[dialect]))) for table in tables for one in _parts(table)]
    return SEPARATOR.join([*made, *triggers(WRITERS[dialect], {table.name for table in tables})]) + SEPARATOR


def _parts(table: Table) -> Iterator[CreateTable | CreateIndex]:
    yield CreateTable(table)
    yield from map(CreateIndex, sorted(table.indexes, key=lambda index: str(index.name)))


def _tidy(statement: str) -> str:
    return "\n".join(line.replace("\t", "  ").rstrip() for line in statement.strip().splitlines())


def main(revision: str, *names: str) -> None:
    """Write the files of a revision; SystemExit for tables that nobody declares, and for a revision there is."""
    if unknown := set(names) - metadata.tables.keys():
        sys.exit(f"no such table: {', '.join(sorted(unknown))}")
    files = {FOLDER / f"{revision}.{dialect}.sql": script(dialect, names) for dialect in DIALECTS}
    if there := [path.name for path in files if path.exists()]:
        sys.exit(f"{', '.join(there)}: a revision that is there does not change")
    for path, text in files.items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
