"""SQL of tests, built from the declared tables: a second opinion on what the store writes by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Executable
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql import psycopg
from sqlalchemy.engine import IteratorResult, Result
from sqlalchemy.engine.result import SimpleResultMetaData

from acctcli.service.store.engine.connection import Connection

DIALECTS = {"sqlite": sqlite.dialect(paramstyle="named"), "postgresql": psycopg.dialect()}  # type: ignore[no-untyped-call]


def execute(conn: Connection, statement: Executable, values: Mapping[str, Any] | None = None) -> Result[Any]:
    """Run a statement on a connection of the store."""
    keys = list(values) if values else None
    form: Any = statement.compile(  # type: ignore[attr-defined]
        dialect=DIALECTS[conn.dialect], column_keys=keys, compile_kwargs={"render_postcompile": True}
    )
    arguments = form.construct_params(values)
    if not form.statement.is_select and not form.effective_returning and not form.statement.is_text:
        conn.run(str(form), arguments)
        return IteratorResult(SimpleResultMetaData([]), iter(()))
    columns, rows = conn.fetch(str(form), arguments)
    return IteratorResult(SimpleResultMetaData([column[0] for column in columns or ()]), iter(rows))
