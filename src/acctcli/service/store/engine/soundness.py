"""Whether the figures of SQLite books fit together: what is kept beside the rows is what a walk through them finds."""

from __future__ import annotations

from collections.abc import Iterator

from acctcli.service.store.engine.connection import Connection

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


# what is wrong, and a query that finds a row when it is; each goes once through the rows, in the order of an index
FAULTS = {
    "documents whose debit and credit differ": f"""SELECT 1 FROM entry GROUP BY business_id, document_id
        HAVING {DEBIT} <> {CREDIT}""",
    "entries of another day than their document, or of a draft": """SELECT 1 FROM entry JOIN document
        ON document.id = entry.document_id WHERE entry.date <> document.date OR document.is_draft""",
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


def _tally(kind: str, number: str, table: str) -> str:
    return _apart("business_id", "count", f"(SELECT * FROM tally WHERE kind = '{kind}')", number, table)
