"""Fingerprints of closed periods, and the entries they are taken of. SQL only; every statement names the business."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from datetime import date
from typing import NamedTuple

from acctcli.law.closed_days import Span
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, columns, delete, insert
from acctcli.service.store.listing import Pages

# day as text, number of the document; account id, 1 for debit, cents, VAT code, hundredths of a percent; a document
# without entries is one row without an account
PostedRow = tuple[str, str, "int | None", int, int, int, int]


class FingerprintRow(NamedTuple):
    """A fingerprint as it is stored: a SHA-256 of each report; `kind` is the table of the period."""

    id: int
    created_at: str
    updated_at: str
    kind: str
    period_id: int
    start_date: date
    end_date: date
    version: int
    author: str
    journal: str
    ledger: str
    vat_report: str
    balance_sheet: str
    income_statement: str

    @property
    def span(self) -> Span:
        """The days of it."""
        return Span(self.start_date, self.end_date)


COLUMNS = columns(FingerprintRow)
list_page = Pages(FingerprintRow, COLUMNS, "fingerprint", "end_date DESC, id").page
ONE = Query(FingerprintRow, f"SELECT {COLUMNS} FROM fingerprint WHERE business_id = :business_id AND id = :id")
# in index order, so that nothing is sorted
POSTED = Query[PostedRow](
    tuple,
    """SELECT CAST(document.date AS varchar), document.number, entry.account_id, CAST(entry.is_debit AS integer),
    entry.amount_cents, entry.vat_code, entry.vat_rate
    FROM document LEFT JOIN entry ON entry.business_id = document.business_id AND entry.document_id = document.id
    WHERE document.business_id = :business_id AND NOT document.is_draft
    AND document.date BETWEEN :first AND :last ORDER BY document.date, document.id, entry.position""",
)


def get(conn: Connection, business_id: int, fingerprint_id: int) -> FingerprintRow | None:
    """Return a fingerprint of the business, or None."""
    return ONE.one(conn, business_id=business_id, id=fingerprint_id)


def keep(conn: Connection, business_id: int, kind: str, period_id: int, values: Mapping[str, object]) -> None:
    """Store the fingerprint of a period in place of any that it has."""
    drop(conn, business_id, kind, period_id)
    insert(conn, "fingerprint", {"business_id": business_id, "kind": kind, "period_id": period_id, **values})


def drop(conn: Connection, business_id: int, kind: str, period_id: int) -> None:
    """Delete the fingerprint of a period."""
    delete(conn, "fingerprint", business_id=business_id, kind=kind, period_id=period_id)


def posted(conn: Connection, business_id: int, span: Span) -> Generator[PostedRow, None, None]:
    """Yield the entries of the posted documents of a range, by day, id of the document and place in it."""
    return POSTED.stream(conn, business_id=business_id, first=span.start, last=span.end)
