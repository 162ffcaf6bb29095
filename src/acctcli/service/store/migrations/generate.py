"""`python -m acctcli.service.store.migrations.generate`: write the first revision from the tables declared.

For those who change the schema before a release; later changes are revisions of their own, written by hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Dialect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from acctcli.service.store.migrations import FOLDER, REVISIONS, SEPARATOR
from acctcli.service.store.schema import metadata
from acctcli.service.store.schema.triggers import WRITERS
from acctcli.service.store.schema.triggers import statements as triggers

DIALECTS: dict[str, Dialect] = {"sqlite": sqlite.dialect(), "postgresql": postgresql.dialect()}  # type: ignore[no-untyped-call]


def baseline(dialect: str) -> str:
    """Return the statements that make every table, index and trigger, each ended by a separator."""
    tables = [_tidy(str(made.compile(dialect=DIALECTS[dialect]))) for made in _declared()]
    return SEPARATOR.join([*tables, *triggers(WRITERS[dialect])]) + SEPARATOR


def _declared() -> Iterator[CreateTable | CreateIndex]:
    """Yield tables in an order that knows what they refer to, each with its indexes by name."""
    for table in metadata.sorted_tables:
        yield CreateTable(table)
        yield from map(CreateIndex, sorted(table.indexes, key=lambda index: str(index.name)))


def _tidy(statement: str) -> str:
    return "\n".join(line.replace("\t", "  ").rstrip() for line in statement.strip().splitlines())


if __name__ == "__main__":
    for name in DIALECTS:
        (FOLDER / f"{REVISIONS[0]}.{name}.sql").write_text(baseline(name), "utf-8")
