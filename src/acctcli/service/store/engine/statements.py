"""SQL as text, written once for both databases.

A statement names its parameters `:name`; every value is bound. What the two spell differently is written in one way,
and put into the form of each when it first runs there:

* `IN (:ids...)` takes a list of any length, as JSON on SQLite and as an array on PostgreSQL;
* `AS "name [boolean]"` says that an expression is yes or no, which SQLite cannot know: columns it knows by their table;
* `string_agg(…)` is `group_concat`, and `octet_length(column)` that of a BLOB, as every SQLite has it;
* `FOR UPDATE` and `FOR NO KEY UPDATE` at the end, also with `SKIP LOCKED`, are left out on SQLite: it has one writer.

Text is put together from constants of the modules only; a test reads the source for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping
from functools import cache
from operator import itemgetter
from typing import Any, Generic, TypeVar, cast

import msgspec

from acctcli.service.store.engine.connection import Connection, DatabaseFault, Look, Values

R = TypeVar("R", bound="tuple[Any, ...] | dict[str, Any]")
Pick = Callable[[Mapping[str, Any]], Values]
# the text for a driver, and what picks the values as it takes them
Form = tuple[str, Pick]

LISTS = re.compile(r"IN \(:(\w+)\.\.\.\)")
PARAMETER = re.compile(r"(?<!:):([a-z]\w*)")
FLAG = re.compile(r'AS "(\w+) \[boolean\]"')
OCTETS = re.compile(r"octet_length\((\w+)\)")
LOCK = re.compile(r" FOR (NO KEY )?UPDATE( SKIP LOCKED)?$")
# letters of a text that is read with its row
LONGEST = 2**15
COLUMN = re.compile(r"[a-z][a-z0-9_]*")
WRITTEN = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)")
# What a connection remembers does not depend on what is written into these, nor on what their triggers write; it is
# forgotten before a write into any other table.
APART = frozenset(
    {
        "document",
        "document_attachment",
        "document_counter",
        "document_shape",
        "document_tag",
        "entry",
        "event",
        "event_block",
        "shape",
        "shape_part",
        "stored_reply",
        "webhook_delivery",
        "webhook_position",
        "webhook_tally",
        "webhook_tally_part",
        "trail_head",  # what is remembered of a trail is what was written there (store/events.py)
    }
)


def _for_sqlite(text: str) -> Form:
    """Number the parameters: to look a hundred of them up by name takes the driver as long as a small statement."""
    known = OCTETS.sub(r"length(CAST(\1 AS BLOB))", text.replace("string_agg(", "group_concat("))
    named = LOCK.sub("", LISTS.sub(r"IN (SELECT value FROM json_each(:\1))", known))
    places = {name: place for place, name in enumerate(dict.fromkeys(PARAMETER.findall(named)), 1)}
    return PARAMETER.sub(lambda found: f"?{places[found[1]]}", named), _picking(*places)


def _picking(*names: str) -> Pick:
    """Return what picks the values of these names, in their order."""
    if len(names) > 1:
        return itemgetter(*names)
    return lambda values: tuple(values[name] for name in names)


def _for_postgresql(text: str) -> Form:
    plain = FLAG.sub(r"AS \1", LISTS.sub(r"= ANY(:\1)", text.replace("%", "%%")))
    return PARAMETER.sub(r"%(\1)s", plain), _named


def _named(values: Mapping[str, Any]) -> Values:
    return values


def _as_json(items: list[Any]) -> str:
    return msgspec.json.encode(items).decode()


def _may_change_what_is_known(text: str) -> bool:
    """Whether a statement may write what a connection remembers."""
    written = WRITTEN.match(text)
    return text.split(None, 1)[0] != "SELECT" if written is None else written[1] not in APART


FORMS: dict[str, Callable[[str], Form]] = {"sqlite": _for_sqlite, "postgresql": _for_postgresql}


class Statement:
    """A statement whose rows nobody reads, or only their first column."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lists = frozenset(LISTS.findall(text))
        self._forms: dict[str, Form] = {}
        self._forgets = True

    def run(self, conn: Connection, /, **values: Any) -> int:
        """Run and return the number of rows it touched."""
        return conn.run(*self.bound(conn, values))

    def many(self, conn: Connection, rows: Iterable[Mapping[str, Any]]) -> None:
        """Run once for each of the rows."""
        text, pick = self.form(conn)
        if self._forgets:
            conn.memory.clear()
        conn.run_many(text, list(map(pick, rows)))

    def values(self, conn: Connection, /, **values: Any) -> list[Any]:
        """Run and return the first column of every row."""
        return [row[0] for row in conn.fetch(*self.bound(conn, values))[1]]

    def value(self, conn: Connection, /, **values: Any) -> Any:
        """Run and return the first column of the first row; None without a row."""
        rows = conn.fetch(*self.bound(conn, values))[1]
        return rows[0][0] if rows else None

    def bound(self, conn: Connection, values: Mapping[str, Any]) -> tuple[str, Values]:
        """Return text and values as the driver takes them; DatabaseFault when one is missing."""
        text, pick = self.form(conn)
        if self._forgets:
            conn.memory.clear()
        if self._lists:
            pack: Callable[[list[Any]], Any] = _as_json if conn.dialect == "sqlite" else list
            values = {**values, **{name: pack(list(values[name])) for name in self._lists}}
        try:
            return text, pick(values)
        except KeyError as missing:
            raise DatabaseFault(missing, None) from missing

    def form(self, conn: Connection) -> Form:
        """Return the text for the driver of a connection, and what picks its values."""
        form = self._forms.get(conn.dialect)
        if form is None:
            form = self._forms[conn.dialect] = FORMS[conn.dialect](self.text)
            self._forgets = _may_change_what_is_known(self.text)
        return form


class Query(Statement, Generic[R]):
    """A statement whose rows are read: as named tuples, as plain tuples, or as dictionaries by column."""

    def __init__(self, row: type[R], text: str) -> None:
        super().__init__(text)
        self._row = row
        self._make: Callable[[Any], R] | None = getattr(row, "_make", None)

    def all(self, conn: Connection, /, **values: Any) -> list[R]:
        """Run and return every row."""
        columns, rows = conn.fetch(*self.bound(conn, values))
        if self._make is not None:
            return list(map(self._make, rows))
        if self._row is dict:
            names = [column[0] for column in columns]
            return cast("list[R]", [dict(zip(names, row, strict=True)) for row in rows])
        return cast("list[R]", rows)

    def one(self, conn: Connection, /, **values: Any) -> R | None:
        """Run and return the first row, None when there is none."""
        rows = self.all(conn, **values)
        return rows[0] if rows else None

    def stream(self, conn: Connection, look: Look | None = None, /, **values: Any) -> Generator[R, None, None]:
        """Run and yield plain tuples, taken and looked at in parts; to be closed before the transaction ends."""
        return cast("Generator[R, None, None]", conn.stream(*self.bound(conn, values), look))


def columns(row: type[tuple[Any, ...]], table: str = "") -> str:
    """List the fields of a named tuple as columns, of a table if it is named.

    Its `long_texts` are read empty where they are long: a page of such rows would fill the memory.
    """
    fields: tuple[str, ...] = row._fields  # type: ignore[attr-defined]
    of_table = f"{table}." if table else ""
    long = row.long_texts() if hasattr(row, "long_texts") else ()
    return ", ".join(_short(of_table, field) if field in long else of_table + field for field in fields)


def _short(of_table: str, field: str) -> str:
    return f"CASE WHEN length({of_table}{field}) > {LONGEST} THEN '' ELSE {of_table}{field} END AS {field}"


def insert(conn: Connection, table: str, row: Mapping[str, Any]) -> int:
    """Insert a row and return its id."""
    return conn.insert(*_insertion(table, tuple(row)).bound(conn, row))


def insert_many(conn: Connection, table: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Insert rows, all with the columns of the first."""
    listed = list(rows)
    if listed:
        _insertion(table, tuple(listed[0])).many(conn, listed)


def update(conn: Connection, table: str, row: Mapping[str, Any], **where: Any) -> int:
    """Write some columns of the rows that have these values, and return how many there are."""
    statement = _change(table, tuple(row), tuple(where))
    return statement.run(conn, **row, **{f"of_{name}": value for name, value in where.items()})


def delete(conn: Connection, table: str, **where: Any) -> int:
    """Delete the rows that have these values, and return how many there were."""
    return _deletion(table, tuple(where)).run(conn, **{f"of_{name}": value for name, value in where.items()})


@cache
def _insertion(table: str, names: tuple[str, ...]) -> Statement:
    values = ", ".join(f":{name}" for name in _known(names))
    return Statement(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({values})")


@cache
def _change(table: str, names: tuple[str, ...], where: tuple[str, ...]) -> Statement:
    values = ", ".join(f"{name} = :{name}" for name in _known(names))
    return Statement(f"UPDATE {table} SET {values} WHERE {_equal(where)}")


@cache
def _deletion(table: str, where: tuple[str, ...]) -> Statement:
    return Statement(f"DELETE FROM {table} WHERE {_equal(where)}")


def _equal(names: tuple[str, ...]) -> str:
    return " AND ".join(f"{name} = :of_{name}" for name in _known(names))


def _known(names: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse what cannot be a column: these names stand in the text of a statement."""
    if not all(COLUMN.fullmatch(name) for name in names):
        raise ValueError(f"no columns: {names}")
    return names
