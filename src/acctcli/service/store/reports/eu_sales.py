"""What was sold to other EU countries, with the contacts it was sold to. SQL only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from acctcli.law.closed_days import Span
from acctcli.law.vat_codes import EU_SALES
from acctcli.models.enums import DocumentType, IdentifierType
from acctcli.service.rules.reports.eu_sales import Buyer, EuSale
from acctcli.service.store.books.vat_entries import VAT_TYPES
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement
from acctcli.service.store.reports.ground import TAGGED

# the codes stand in the statement itself, where an index of just these entries is found by them
CODES = ", ".join(str(code) for code in sorted(EU_SALES))
ON_VAT_ACCOUNT = f"""entry.account_id IN (SELECT id FROM account
    WHERE business_id = :business_id AND type IN ('{VAT_TYPES[0]}', '{VAT_TYPES[1]}'))"""
OF_DOCUMENT = "document.id, document.number, document.date, entry.vat_code"
OF_CONTACT = """contact.name, contact.type, contact.invoicing_tax_code, contact.contact_business_id,
    contact.invoicing_country"""


def _sales(more: str) -> Query[tuple[Any, ...]]:
    return Query(
        tuple,
        f"""SELECT {OF_DOCUMENT}, sum(CASE WHEN entry.is_debit THEN -entry.amount_cents ELSE entry.amount_cents END),
        {OF_CONTACT}
        FROM entry JOIN document ON document.business_id = entry.business_id AND document.id = entry.document_id
        LEFT JOIN contact ON contact.business_id = document.business_id AND contact.id = document.contact_id
        WHERE entry.business_id = :business_id AND entry.vat_code IN ({CODES})
        AND entry.date BETWEEN :first AND :last AND NOT {ON_VAT_ACCOUNT} AND document.type <> {DocumentType.VAT.value}
        {more} GROUP BY {OF_DOCUMENT}, {OF_CONTACT}""",
    )


SALES, SALES_OF_TAGS = _sales(""), _sales(f"AND entry.document_id {TAGGED}")
VAT_ID = Statement(
    f"SELECT value FROM identifier WHERE business_id = :business_id AND type = '{IdentifierType.VAT_CODE.value}'"
)


def sales(conn: Connection, business_id: int, span: Span, tag_ids: Sequence[int] = ()) -> list[EuSale]:
    """Return what each posted document of a range sold under codes 5 and 6, without the order of reports.

    The base stands on accounts other than those of VAT; documents of type 3 are left out. With `tag_ids` only
    documents that carry at least one of the tags count.
    """
    values = {"business_id": business_id, "first": span.start, "last": span.end}
    rows = SALES_OF_TAGS.all(conn, **values, tag_ids=tag_ids) if tag_ids else SALES.all(conn, **values)
    return [_sale(*row) for row in rows]


def _sale(document_id: int, number: str, day: date, vat_code: int, cents: int, *buyer: str | None) -> EuSale:
    name, kind, *texts = buyer
    known = None if name is None or kind is None else Buyer(name, kind, *texts)
    return EuSale(document_id, number, day, vat_code, int(cents), known)


def vat_id(conn: Connection, business_id: int) -> str | None:
    """Return the VAT id of the business itself."""
    found: str | None = VAT_ID.value(conn, business_id=business_id)
    return found
