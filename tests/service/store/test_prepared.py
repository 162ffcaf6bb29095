"""Prepared statements do what SQLAlchemy's own execution does, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Date,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    bindparam,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError

from acctcli.service.store.engine.database import Database
from acctcli.service.store.engine.prepared import Prepared

table = Table(
    "sample",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("a", Integer, unique=True),
    Column("d", Date),
    Column("b", Boolean),
    Column("s", LargeBinary),
)
INSERT = Prepared(insert(table).returning(table.c.id), "a", "d", "b", "s")
MANY = Prepared(insert(table), "a", "d", "b", "s")
QUERY = select(table.c.a, table.c.d, table.c.b, table.c.s).where(table.c.a >= bindparam("least")).order_by(table.c.a)
FIND = Prepared(QUERY)
CLEAR = Prepared(update(table).where(table.c.a == bindparam("which")).values(b=False, d=None))
SHARE = Prepared(text("SELECT 10 % 4, CAST(:a AS INTEGER)"))
FIRST = {"a": 1, "d": date(2026, 1, 2), "b": True, "s": b"one"}
SECOND = {"a": 2, "d": None, "b": None, "s": None}


@pytest.fixture
def conn(database: Database) -> Iterator[Connection]:
    with database.exclusive() as made:
        table.create(made)
        yield made


def test_values_of_every_type_come_back_as_sqlalchemy_gives_them(conn: Connection) -> None:
    assert INSERT.one(conn, **FIRST) is not None
    MANY.many(conn, [SECOND])
    rows = FIND.all(conn, least=0)
    assert rows == [tuple(row) for row in conn.execute(QUERY, {"least": 0})]
    assert rows == [tuple(FIRST.values()), tuple(SECOND.values())]
    assert FIND.one(conn, least=2) == tuple(SECOND.values())
    assert FIND.one(conn, least=3) is None


def test_constants_of_a_statement_are_sent_with_it(conn: Connection) -> None:
    INSERT.one(conn, **FIRST)
    assert CLEAR.run(conn, which=1) == 1
    assert CLEAR.run(conn, which=7) == 0
    assert FIND.all(conn, least=0) == [(1, None, False, b"one")]


def test_per_cent_signs_are_plain(conn: Connection) -> None:
    assert SHARE.one(conn, a=3) == (2, 3)


def test_errors_are_those_of_sqlalchemy(conn: Connection) -> None:
    INSERT.one(conn, **FIRST)
    with pytest.raises(IntegrityError), conn.begin_nested():
        INSERT.one(conn, **FIRST)
    assert len(FIND.all(conn, least=0)) == 1


def test_a_missing_value_is_a_fault_of_the_program(conn: Connection) -> None:
    with pytest.raises(KeyError):
        FIND.all(conn)
