"""`python -m acctcli.service.store.migrations.generate`: write the first revision from the tables declared.

For those who change the schema before a release; later changes are revisions of their own, written by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Dialect, create_mock_engine
from sqlalchemy.dialects import postgresql, sqlite

from acctcli.service.store.migrations import FOLDER, REVISIONS, SEPARATOR
from acctcli.service.store.schema.every import metadata
from acctcli.service.store.schema.triggers import WRITERS
from acctcli.service.store.schema.triggers import statements as triggers

DIALECTS: dict[str, Dialect] = {"sqlite": sqlite.dialect(), "postgresql": postgresql.dialect()}  # type: ignore[no-untyped-call]


def baseline(dialect: str) -> str:
    """Return the statements that make every table, index and trigger, each ended by a separator."""
    made = [_tidy(statement) for statement in _tables(DIALECTS[dialect])]
    return SEPARATOR.join([*made, *triggers(WRITERS[dialect])]) + SEPARATOR


def _tables(dialect: Dialect) -> Iterator[str]:
    found: list[Any] = []
    metadata.create_all(
        create_mock_engine(f"{dialect.name}://", lambda ddl, *_, **__: found.append(ddl)), checkfirst=False
    )
    return (str(ddl.compile(dialect=dialect)) for ddl in found)


def _tidy(statement: str) -> str:
    return "\n".join(line.replace("\t", "  ").rstrip() for line in statement.strip().splitlines())


if __name__ == "__main__":
    for name in DIALECTS:
        (FOLDER / f"{REVISIONS[0]}.{name}.sql").write_text(baseline(name), "utf-8")
