"""Whether SQLite books fit together.

What is kept beside the rows is what a walk through them finds, tables and triggers are those of the release, rows hold
what their columns take and name rows that are there (docs/interface.md 11.5). PostgreSQL keeps types and references
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import NamedTuple

from acctcli.service.store.businesses import GONE
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.driver import sqlite3
from acctcli.service.store.engine.marks import Marks
from acctcli.service.store.engine.sqlite import SqliteConnection
from acctcli.service.store.events import Mark, without_key

PAGE_SIZE = 4096

DEBIT = "sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END)"
CREDIT = "sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END)"
COUNTED = "SELECT tbl_name FROM sqlite_master WHERE name = tbl_name || '_counted' AND sql LIKE '%INTO tally%'"


def _apart(keys: str, numbers: str, table: str, walked: str, source: str) -> str:
    """Select keys under which the numbers that a table keeps are not those that a walk through the source finds."""
    kept = f"SELECT {keys}, {numbers} FROM {table}"
    found = ", ".join(f"-{one}" for one in walked.split("; "))
    differ = " OR ".join(f"sum({name}) <> 0" for name in numbers.split(", "))
    both = f"{kept} UNION ALL SELECT {keys}, {found} FROM {source} GROUP BY {keys}"
    return f"SELECT 1 FROM ({both}) GROUP BY {keys} HAVING {differ}"


def _monthly(table: str) -> str:
    return f"(SELECT *, substr(date, 1, 7) AS month FROM {table})"


def _there(source: str) -> str:
    """Leave out rows of businesses that are being erased, a portion at a time."""
    return f"(SELECT * FROM {source} WHERE business_id NOT IN (SELECT id FROM business WHERE {GONE}))"


KIND = "business_id, subscription_id, status, event_type"
ALSO = f"UNION ALL SELECT {KIND}, count FROM webhook_tally_part"
IN_BLOCKS = """(SELECT * FROM event WHERE number <= (
    SELECT coalesce(max(until), 0) FROM event_block AS block WHERE block.business_id = event.business_id))"""

# what an accepted invoice says, and nothing changes any more
ACCEPTED = ("invoice_number", "invoicing_date", "currency", "rows", "total_vat_amount", "total_amount")


def _otherwise(*fields: str) -> str:
    """Say that one of these fields is in the print of an invoice another than in the audit trail."""
    differs = "coalesce(json_extract(print.source, '$.invoice.{0}'), '') <> json_extract(data, '$.{0}')"
    return f"CASE WHEN json_valid(source) AND json_valid(data) THEN {' OR '.join(map(differs.format, fields))} END"


# what is wrong, and a query that finds a row when it is; each goes once through the rows, in the order of an index
FAULTS = {
    "documents whose debit and credit differ": f"""SELECT 1 FROM entry GROUP BY business_id, document_id
        HAVING {DEBIT} <> {CREDIT}""",
    "entries of another day than their document, or of a draft": """SELECT 1 FROM entry JOIN document
        ON document.id = entry.document_id WHERE entry.date <> document.date OR document.is_draft""",
    "documents whose total is not that of their entries": f"""SELECT 1 FROM document
        WHERE NOT is_draft AND total_cents <> (SELECT coalesce({DEBIT}, 0) FROM entry
        WHERE entry.business_id = document.business_id AND entry.document_id = document.id)""",
    "accounts that lists put elsewhere": """SELECT 1 FROM account
        WHERE padded_number <> CAST(substr(number || '0000000', 1, 7) AS INTEGER)""",
    "prints of invoices that are not what was accepted": f"""SELECT 1 FROM sales_invoice_print AS print JOIN event
        ON event.business_id = print.business_id AND event.record_id = print.invoice_id
        AND event.type = 'sales_invoice.accepted' WHERE {_otherwise(*ACCEPTED)}""",
    "sums of accounts that are not those of their entries": _apart(
        "business_id, account_id",
        "debit_cents, credit_cents, entry_count",
        "account_total",
        f"{DEBIT}; {CREDIT}; count(*)",
        "entry",
    ),
    "sums of months that are not those of their entries": _apart(
        "business_id, account_id, month",
        "debit_cents, credit_cents",
        "account_month",
        f"{DEBIT}; {CREDIT}",
        _monthly("entry"),
    ),
    "documents that lists do not find": """SELECT 1 FROM document LEFT JOIN document_shape
        ON document_shape.document_id = document.id AND document_shape.business_id = document.business_id
        LEFT JOIN shape ON shape.id = document_shape.shape_id AND shape.business_id = document.business_id
        WHERE document_shape.date IS NOT document.date OR (shape.parts IS 'draft') <> document.is_draft
        OR document_shape.flags IS NOT document.is_flagged + 2 * document.is_locked + 4 * (EXISTS (
            SELECT 1 FROM document_attachment AS file
            WHERE file.business_id = document.business_id AND file.document_id = document.id))
        UNION ALL SELECT 1 FROM document_shape WHERE document_id NOT IN (SELECT id FROM document)""",
    "accounts or VAT of documents that lists do not find": """SELECT 1 FROM entry JOIN document_shape AS placed
        ON placed.document_id = entry.document_id LEFT JOIN shape_part AS part
        ON part.business_id = entry.business_id AND part.account_id = entry.account_id
        AND part.vat_code = entry.vat_code AND part.vat_rate = entry.vat_rate AND part.shape_id = placed.shape_id
        WHERE part.shape_id IS NULL""",
    "documents that searches do not find": """SELECT 1 FROM search_mark AS mark WHERE
        (SELECT coalesce(sum(size), 0) FROM search_block WHERE business_id = mark.business_id)
        <> (SELECT count(*) FROM document WHERE business_id = mark.business_id AND id <= mark.document_id)
        + (SELECT count(*) FROM search_loose AS loose WHERE loose.business_id = mark.business_id
            AND NOT EXISTS (SELECT 1 FROM document WHERE id = loose.document_id))""",
    # a number has the day it was given on, which need not be that of the document any more
    "numbers of documents that could be given again": """SELECT 1 FROM (
        SELECT business_id, substr(number, 1, 6) AS day, max(CAST(substr(number, 8) AS INTEGER)) AS given, 0 AS last
        FROM document WHERE number IS NOT NULL GROUP BY 1, 2
        UNION ALL SELECT business_id, replace(substr(date, 3), '-', ''), 0, last FROM document_counter
        ) GROUP BY business_id, day HAVING max(given) > max(last)""",
    "numbers of invoices that could be given again": """SELECT 1 FROM sales_invoice AS invoice
        LEFT JOIN sales_invoice_counter AS counter ON counter.business_id = invoice.business_id
        WHERE invoice.invoice_number > coalesce(counter.last, 0)""",
    "numbers of deliveries that are not theirs": _apart(
        KIND,
        "count",
        _there(f"(SELECT {KIND}, count FROM webhook_tally {ALSO})"),
        "count(*)",
        _there("webhook_delivery"),
    ),
    "numbers of events that are not theirs": _apart(
        "business_id, type", "count", _there("event_block"), "count(*)", _there(IN_BLOCKS)
    ),
    "numbers of documents that are not those of a month": _apart(
        "business_id, shape_id, flags, month", "count", "document_count", "count(*)", _monthly("document_shape")
    ),
}


def faults(conn: Connection) -> Iterator[str]:
    """Yield what is wrong with the figures of books."""
    queries = dict(FAULTS)
    for (table,) in conn.fetch(COUNTED)[1]:
        queries[f"numbers of rows in {table} that are not theirs"] = _tally(table, "count(*)", table)
    queries["sizes of files that are not theirs"] = _tally("attachment.size", "sum(size)", "attachment")
    return (fault for fault, query in queries.items() if conn.fetch(f"{query} LIMIT 1")[1])


# what no value of a column of such a type is; other types have figures or texts of any kind
WRONG = {
    "DATE": "{0} IS NOT NULL AND date({0}) IS NOT {0}",
    "BOOLEAN": "{0} NOT IN (0, 1)",
    "INTEGER": "typeof({0}) NOT IN ('integer', 'null')",
    "BIGINT": "typeof({0}) NOT IN ('integer', 'null')",
    "VARCHAR": "typeof({0}) NOT IN ('text', 'null')",
    "TEXT": "typeof({0}) NOT IN ('text', 'null')",
}
# columns that hold JSON, and of what type
JSON = {
    "event": {"data": "object"},
    "account": {"name_translations": "array"},
    "header": {"name_translations": "array"},
    "document": {"blueprint": "object"},
    "contact": {"name_aliases": "array"},
    "workflow": {"react_flow_data": "object"},
    "sales_invoice_print": {"source": "object"},
}
NO_JSON = " OR CASE WHEN json_valid({0}) THEN json_type({0}) <> '{1}' ELSE 1 END"
MOST_NAMED = 100
WHOLE = "the database"


class Fault(NamedTuple):
    """What is wrong with a row, or with the database itself."""

    record: str
    text: str


def new_books(page_size: int = PAGE_SIZE, trail_marker: Callable[[], Mark] = without_key) -> sqlite3.Connection:
    """Return empty books of the newest revision, in memory."""
    from acctcli.service.store import migrations

    conn = sqlite3.connect(":memory:", isolation_level=None)
    conn.execute(f"PRAGMA page_size = {page_size}")
    migrations.upgrade(SqliteConnection(conn, Marks()), trail_marker)
    return conn


def odd_objects(conn: Connection) -> list[str]:
    """Return the tables, triggers and indexes that are others than books of the newest revision have."""
    with closing(new_books()) as books:
        expected = _objects(SqliteConnection(books, Marks()))
    return sorted({name for (_, name), _ in _objects(conn) ^ expected})


def _objects(conn: Connection) -> set[tuple[tuple[str, str], str]]:
    rows = conn.fetch("SELECT type, name, coalesce(sql, '') FROM sqlite_master")[1]
    return {((kind, name), " ".join(sql.split())) for kind, name, sql in rows if not name.startswith("sqlite_")}


def _structure(conn: Connection) -> Iterator[Fault]:
    """Yield damage, and tables, triggers and indexes that are others than books have."""
    for name in odd_objects(conn):
        yield Fault(name, "it is not the table or trigger that books have")
    for (text,) in conn.fetch(f"PRAGMA quick_check({MOST_NAMED})")[1]:
        if text != "ok":
            yield Fault(WHOLE, text)


def _rows(conn: Connection) -> Iterator[Fault]:
    """Yield rows that name others which are not there, and rows with values of another type than their columns'."""
    for table, row, parent, _ in conn.fetch("PRAGMA foreign_key_check")[1][:MOST_NAMED]:
        yield Fault(_named(table, row), f"it names a {parent.replace('_', ' ')} that is not there")
    for (table,) in conn.fetch("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")[1]:
        columns = [(name, kind.partition("(")[0]) for _, name, kind, *_ in conn.fetch(f"PRAGMA table_info({table})")[1]]
        wrong = {name: WRONG[kind].format(f'"{name}"') for name, kind in columns if kind in WRONG}
        for name, kind in JSON.get(table, {}).items():
            wrong[name] += NO_JSON.format(f'"{name}"', kind)
        told = " || ".join(f"CASE WHEN {test} THEN ', {name}' ELSE '' END" for name, test in wrong.items())
        where = " OR ".join(f"({test})" for test in wrong.values())
        row = "id" if "id" in wrong else "NULL"
        query = f"SELECT {row}, substr({told}, 3) FROM {table} WHERE {where} LIMIT {MOST_NAMED}"
        for number, names in conn.fetch(query)[1] if wrong else ():
            yield Fault(_named(table, number), f"{names}: of another kind than such a field takes")


def _named(table: str, row: int | None) -> str:
    return table.replace("_", " ") + ("" if row is None else f" {row}")


def _figures(conn: Connection) -> Iterator[Fault]:
    return (Fault(WHOLE, f"it has {fault}") for fault in faults(conn))


# what is looked at, one after the other: of large books each takes its time
PARTS = {"structure": _structure, "rows": _rows, "figures": _figures}


def look_through(conn: Connection, part: str | None = None) -> Iterator[Fault]:
    """Yield what is wrong with books, in one part or in all of them."""
    if conn.dialect == "sqlite":
        for look in PARTS.values() if part is None else (PARTS[part],):
            yield from look(conn)


def _tally(kind: str, number: str, table: str) -> str:
    return _apart("business_id", "count", f"(SELECT * FROM tally WHERE kind = '{kind}')", number, table)
