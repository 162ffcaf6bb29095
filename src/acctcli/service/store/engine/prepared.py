"""Statements of the hot path: written in SQLAlchemy, compiled once a dialect, run on the driver itself.

SQLAlchemy's own execution costs about three times what SQLite needs for a small statement, and a request runs ten
of them. Types are converted by SQLAlchemy's processors and errors are SQLAlchemy's: callers see no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from typing import Any

from sqlalchemy import Connection, Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.base import Executable
from sqlalchemy.types import TypeEngine

Convert = Callable[[Any], Any]
Row = tuple[Any, ...]

# rows taken at a time from a long result, and numbers for the cursors that PostgreSQL keeps them behind
PART = 2000
CURSORS = count()


@dataclass(frozen=True, slots=True)
class _Form:
    """A statement as one dialect's driver takes it."""

    text: str
    binds: tuple[tuple[str, Convert | None], ...]
    results: tuple[tuple[int, Convert], ...]
    constants: Mapping[str, Any]
    positional: bool

    def arguments(self, values: Mapping[str, Any]) -> Any:
        """The parameters in the driver's form."""
        if self.constants:
            values = {**self.constants, **values}
        if self.positional:
            return [values[name] if convert is None else convert(values[name]) for name, convert in self.binds]
        return {name: values[name] if convert is None else convert(values[name]) for name, convert in self.binds}

    def convert(self, row: Sequence[Any]) -> Row:
        """A row with the values of the statement's types."""
        if not self.results:
            return tuple(row)
        cells = list(row)
        for position, convert in self.results:
            cells[position] = convert(cells[position])
        return tuple(cells)


class Prepared:
    """A statement with every value bound by name; for an insert, `columns` are the names it gets."""

    def __init__(self, statement: Executable, *columns: str) -> None:
        self._statement = statement
        self._columns = columns
        self._forms: dict[str, _Form] = {}

    def one(self, conn: Connection, /, **values: Any) -> Row | None:
        """Run and return the first row, None when there is none."""
        form, cursor = self._run(conn, values)
        row = cursor.fetchone()
        cursor.close()
        return None if row is None else form.convert(row)

    def all(self, conn: Connection, /, **values: Any) -> list[Row]:
        """Run and return every row."""
        form, cursor = self._run(conn, values)
        return [form.convert(row) for row in cursor.fetchall()]

    def stream(self, conn: Connection, /, **values: Any) -> Generator[Row, None, None]:
        """Run and yield the rows, taken a part at a time; to be closed before the transaction ends."""
        form = self._form(conn.dialect)
        name = None if form.positional else f"rows_{next(CURSORS)}"
        with closing(self._guarded(conn, "execute", form.text, form.arguments(values), name)) as cursor:
            while rows := self._fetched(conn, cursor, form.text):
                yield from map(form.convert, rows) if form.results else rows

    def run(self, conn: Connection, /, **values: Any) -> int:
        """Run and return the number of rows it touched."""
        cursor = self._run(conn, values)[1]
        count: int = cursor.rowcount
        cursor.close()
        return count

    def many(self, conn: Connection, rows: Iterable[Mapping[str, Any]]) -> None:
        """Run once for each of the rows."""
        form = self._form(conn.dialect)
        self._guarded(conn, "executemany", form.text, [form.arguments(row) for row in rows])

    def _run(self, conn: Connection, values: Mapping[str, Any]) -> tuple[_Form, Any]:
        form = self._form(conn.dialect)
        return form, self._guarded(conn, "execute", form.text, form.arguments(values))

    @staticmethod
    def _fetched(conn: Connection, cursor: Any, text: str) -> list[Row]:
        try:
            rows: list[Row] = cursor.fetchmany(PART)
        except conn.dialect.loaded_dbapi.Error as error:
            raise _translated(conn, cursor, text, error) from error
        return rows

    @staticmethod
    def _guarded(conn: Connection, how: str, text: str, arguments: Any, name: str | None = None) -> Any:
        cursor = conn.connection.cursor() if name is None else conn.connection.cursor(name)
        try:
            getattr(cursor, how)(text, arguments)
        except conn.dialect.loaded_dbapi.Error as error:
            raise _translated(conn, cursor, text, error) from error
        return cursor

    def _form(self, dialect: Dialect) -> _Form:
        form = self._forms.get(dialect.name)
        if form is None:
            form = self._forms[dialect.name] = _compiled(self._statement, dialect, self._columns)
        return form


def _translated(conn: Connection, cursor: Any, text: str, error: Any) -> BaseException:
    """The error as SQLAlchemy would raise it; a connection that was lost does not go back to the pool."""
    lost = conn.dialect.is_disconnect(error, conn.connection, cursor)
    if lost:
        conn.invalidate(error)
    base = conn.dialect.loaded_dbapi.Error
    translated: BaseException = DBAPIError.instance(
        text, None, error, base, connection_invalidated=lost, dialect=conn.dialect
    )
    return translated


def _compiled(statement: Executable, dialect: Dialect, columns: Sequence[str]) -> _Form:
    compiled: Any = statement.compile(dialect=dialect, column_keys=list(columns) or None)  # type: ignore[attr-defined]
    binds = {name: _bind(bind.type, dialect) for name, bind in compiled.binds.items()}
    returned = getattr(statement, "exported_columns", None) or ()
    results = [_result(column.type, dialect) for column in returned]
    return _Form(
        text=str(compiled),
        binds=tuple((name, binds[name]) for name in compiled.positiontup or binds),
        results=tuple((position, convert) for position, convert in enumerate(results) if convert is not None),
        constants={name: bind.value for name, bind in compiled.binds.items() if not bind.required},
        positional=compiled.positional,
    )


def _bind(kind: TypeEngine[Any], dialect: Dialect) -> Convert | None:
    return kind.dialect_impl(dialect).bind_processor(dialect)


def _result(kind: TypeEngine[Any], dialect: Dialect) -> Convert | None:
    return kind.dialect_impl(dialect).result_processor(dialect, None)
