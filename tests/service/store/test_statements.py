"""Statements written once do the same on both databases, and no value ever stands in their text."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from acctcli.service import store
from acctcli.service.store.engine.connection import Connection, DatabaseFault, IntegrityFault
from acctcli.service.store.engine.database import Database
from acctcli.service.store.engine.statements import (
    FORMS,
    Query,
    Statement,
    columns,
    delete,
    insert,
    insert_many,
    update,
)
from tests.databases import Factory


class Sample(NamedTuple):
    a: int
    d: date | None
    b: bool | None
    s: bytes | None


BLOB = {"sqlite": "BLOB", "postgresql": "BYTEA"}
SERIAL = {"sqlite": "INTEGER PRIMARY KEY", "postgresql": "SERIAL PRIMARY KEY"}
FIND = Query(Sample, f"SELECT {columns(Sample)} FROM sample WHERE a >= :least ORDER BY a")
AS_RECORDS = Query[dict[str, Any]](dict, 'SELECT *, a > 1 AS "is_large [boolean]" FROM sample ORDER BY a FOR UPDATE')
AMONG = Statement("SELECT a FROM sample WHERE a IN (:these...) AND NOT s IS NULL ORDER BY a")
NAMED = Statement("SELECT count(*) FROM sample WHERE CAST(a AS varchar) IN (:names...)")
SHARE = Query[tuple[Any, ...]](tuple, "SELECT 10 % 4, CAST(:a AS integer), '%s'")
FIRST: dict[str, Any] = {"a": 1, "d": date(2026, 1, 2), "b": True, "s": b"one"}
SECOND: dict[str, Any] = {"a": 2, "d": None, "b": None, "s": None}
ROWS = [Sample(**FIRST), Sample(**SECOND)]


@pytest.fixture
def conn(database: Database) -> Iterator[Connection]:
    with database.exclusive() as made:
        kind = made.dialect
        made.run(f"CREATE TABLE sample (id {SERIAL[kind]}, a INTEGER UNIQUE, d DATE, b BOOLEAN, s {BLOB[kind]})")
        insert_many(made, "sample", [FIRST, SECOND])
        yield made


def test_values_of_every_type_come_back_as_they_went(conn: Connection) -> None:
    assert FIND.all(conn, least=0) == ROWS
    assert FIND.one(conn, least=2) == ROWS[1]
    assert FIND.one(conn, least=3) is None
    assert list(FIND.stream(conn, least=0)) == [tuple(row) for row in ROWS]


def test_rows_come_by_column_and_what_is_said_to_be_yes_or_no_is(conn: Connection) -> None:
    first, second = AS_RECORDS.all(conn)
    assert first == {**FIRST, "id": first["id"], "is_large": False}
    assert second == {**SECOND, "id": second["id"], "is_large": True}
    assert isinstance(first["is_large"], bool)


@pytest.mark.together
@pytest.mark.parametrize(("these", "found"), [([], []), ([1], [1]), ([3, 2, 1], [1]), (range(5000), [1])])
def test_lists_have_any_length(conn: Connection, these: Any, found: list[int]) -> None:
    assert AMONG.values(conn, these=these) == found
    assert NAMED.value(conn, names=[str(one) for one in these]) == len({1, 2} & set(these))


def test_rows_are_written_by_their_columns(conn: Connection) -> None:
    new = insert(conn, "sample", {"a": 3})
    assert update(conn, "sample", {"a": 4, "d": date(2026, 2, 3)}, id=new) == 1
    assert FIND.one(conn, least=3) == (4, date(2026, 2, 3), None, None)
    assert delete(conn, "sample", id=new, a=3) == 0
    assert delete(conn, "sample", id=new, a=4) == 1
    insert_many(conn, "sample", [])
    assert FIND.all(conn, least=0) == ROWS


@pytest.mark.together
@pytest.mark.parametrize("name", ["a = 1; --", "a b", "A", "", "1a", 'a"'])
def test_only_columns_stand_in_a_statement(conn: Connection, name: str) -> None:
    with pytest.raises(ValueError, match="no columns"):
        insert(conn, "sample", {name: 1})
    with pytest.raises(ValueError, match="no columns"):
        update(conn, "sample", {"a": 1}, **{name: 1})


def test_per_cent_signs_are_plain(conn: Connection) -> None:
    assert SHARE.one(conn, a=3) == (2, 3, "%s")


def test_a_savepoint_takes_back_its_block_only(conn: Connection) -> None:
    insert(conn, "sample", {"a": 3})

    def half() -> None:
        with conn.savepoint():
            insert(conn, "sample", {"a": 4})
            insert(conn, "sample", FIRST)

    with pytest.raises(IntegrityFault):
        half()
    assert [row.a for row in FIND.all(conn, least=0)] == [1, 2, 3]


def test_a_missing_value_is_a_fault_of_the_program(database: Database) -> None:
    with database.read() as conn, pytest.raises(DatabaseFault):
        Statement("SELECT :a").value(conn)


# --- no value of a request can stand in a text: texts are put together while modules are imported ---

FOLDER = Path(store.__file__).parent
MAKERS = {"Statement", "Query", "Rows", "Listing", "Pages", "LinkTable", "Parts", "Sums"}
# what is put together later, and of what
LATER = {
    "_places": "what the law of each country calls its identifier",
    "_insertion": "names of columns, checked",
    "_change": "names of columns, checked",
    "_deletion": "names of columns, checked",
    "_statements": "clauses of a listing, by names it knows",
    "_rows": "the same",
    "_first": "what a listing is given while modules are imported",
    "_from": "the same",
    "_choice": "clauses of shapes, by names it knows",
    "_passing": "clauses of documents, by names it knows",
    "_reading": "names of columns that the module has",
    "_page": "clauses of businesses, by names it knows",
    "_unused_named": "a number",
    "_of_lanes": "a number",
    "_all_of": "clauses of deliveries, by names it knows",
    "_of_event": "the same",
    "_count_of_event": "the same",
    "__init__": "what Rows, Pages and LinkTable are given while modules are imported",
}


def called(node: ast.AST) -> str:
    """The name of what a call calls; of `Query[...](...)` it is `Query`."""
    if not isinstance(node, ast.Call):
        return ""
    what = node.func.value if isinstance(node.func, ast.Subscript) else node.func
    return what.id if isinstance(what, ast.Name) else ""


def makers_in(tree: ast.Module) -> set[str]:
    """Functions of a module that make statements, directly or by calling one that does."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    found: set[str] = set()
    while True:
        names = MAKERS | found
        names -= LATER.keys()
        more = {one.name for one in functions if any(called(node) in names for node in ast.walk(one))}
        if more == found:
            return found
        found = more


def test_texts_are_put_together_while_modules_are_imported() -> None:
    for path in FOLDER.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        for name in makers_in(tree) - LATER.keys():
            assert name.startswith("_"), f"{path.name}: {name}"
            assert name in called_outside(tree), f"{path.name}: {name}"
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in {"fetch", "run", "run_many", "stream"}:
                assert not (isinstance(node.value, ast.Name) and node.value.id == "conn") or path.parent.name in {
                    "engine",
                    "migrations",
                }, f"{path.name} goes around the statements"


def called_outside(tree: ast.Module) -> set[str]:
    """Names of what is called outside of functions, where no request has a say."""
    inside = inside_functions(tree)
    return {called(node) for node in ast.walk(tree) if id(node) not in inside}


def inside_functions(tree: ast.Module) -> set[int]:
    """The ids of all nodes inside of functions."""
    return {id(node) for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) for node in ast.walk(one)}


# --- who declares the rows of a plain resource names its table and columns, and writes no SQL ---

NAMES = re.compile(r"[a-z_]+(, [a-z_]+)*( DESC)?")


def test_rows_are_declared_by_names_outside_of_the_store() -> None:
    declared = 0
    for path in FOLDER.parent.rglob("*.py"):
        source = path.read_text("utf-8")
        tree = ast.parse(source if "Rows" in source and not path.is_relative_to(FOLDER) else "")
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call) or called(call) != "Rows":
                continue
            assert id(call) not in inside_functions(tree), f"{path.name}: {ast.unparse(call)}"
            for given in (*call.args[1:], *(one.value for one in call.keywords)):
                assert isinstance(given, ast.Constant), f"{path.name}: {ast.unparse(given)}"
                assert given.value is True or NAMES.fullmatch(str(given.value)), f"{path.name}: {ast.unparse(given)}"
            declared += 1
    assert declared >= 2


def statements() -> Iterator[tuple[str, Statement]]:
    """The statements for SQLite that modules of the store have at hand, by their places."""
    for found in pkgutil.walk_packages(store.__path__, f"{store.__name__}."):
        module = importlib.import_module(found.name)
        for name, one in vars(module).items():
            if isinstance(one, Statement) and not found.name.endswith(".postgres"):
                yield f"{found.name}.{name}", one


def test_the_sqlite_of_python_knows_all_statements(sqlite_factory: Factory) -> None:
    path = sqlite_factory.fresh().removeprefix("sqlite:///")
    refused = {}
    with closing(sqlite3.connect(path)) as conn:
        for place, one in statements():
            text = FORMS["sqlite"](one.text)[0]
            try:
                conn.execute(f"EXPLAIN {text}", [None] * len(set(re.findall(r"\?\d+", text))))
            except sqlite3.Error as error:
                refused[place] = str(error)
    # that one asks books of before 0.2.0
    assert set(refused) == {f"{store.__name__}.migrations.NUMBER_BEFORE"}, refused
    assert len(list(statements())) > 100
