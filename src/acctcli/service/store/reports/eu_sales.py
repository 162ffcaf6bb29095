"""What was sold to other EU countries, with the contacts it was sold to. SQL only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from sqlalchemy import Connection, and_, bindparam, case, func, literal_column, select

from acctcli.law.vat_codes import EU_SALES
from acctcli.models.enums import DocumentType, IdentifierType
from acctcli.service.rules.periods import Span
from acctcli.service.rules.reports.eu_sales import Buyer, EuSale
from acctcli.service.store.books.vat_entries import VAT_TYPES
from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.reports.ground import BUSINESS, tagged
from acctcli.service.store.schema.books import document, entry
from acctcli.service.store.schema.business import identifier
from acctcli.service.store.schema.chart import account
from acctcli.service.store.schema.contacts import contact

# the codes stand in the statement itself, where an index of just these entries is found by them
SOLD = entry.c.vat_code.in_([literal_column(str(code)) for code in sorted(EU_SALES)])
ON_VAT_ACCOUNT = entry.c.account_id.in_(
    select(account.c.id).where(
        account.c.business_id == BUSINESS,
        account.c.type.in_([literal_column(f"'{kind}'") for kind in VAT_TYPES]),
    )
)
NET = func.sum(case((entry.c.is_debit, -entry.c.amount_cents), else_=entry.c.amount_cents))
OF_DOCUMENT = (document.c.id, document.c.number, document.c.date, entry.c.vat_code)
OF_CONTACT = (
    contact.c.name,
    contact.c.type,
    contact.c.invoicing_tax_code,
    contact.c.contact_business_id,
    contact.c.invoicing_country,
)
STATEMENT = (
    select(*OF_DOCUMENT, NET, *OF_CONTACT)
    .select_from(entry)
    .join(document, and_(document.c.business_id == entry.c.business_id, document.c.id == entry.c.document_id))
    .outerjoin(contact, and_(contact.c.business_id == document.c.business_id, contact.c.id == document.c.contact_id))
    .where(
        entry.c.business_id == BUSINESS,
        SOLD,
        entry.c.date.between(bindparam("first"), bindparam("last")),
        ~ON_VAT_ACCOUNT,
        document.c.type != literal_column(str(DocumentType.VAT.value)),
    )
    .group_by(*OF_DOCUMENT, *OF_CONTACT)
)
SALES = Prepared(STATEMENT)
VAT_ID = Prepared(
    select(identifier.c.value).where(
        identifier.c.business_id == BUSINESS,
        identifier.c.type == literal_column(f"'{IdentifierType.VAT_CODE.value}'"),
    )
)


def sales(conn: Connection, business_id: int, span: Span, tag_ids: Sequence[int] = ()) -> list[EuSale]:
    """Return what each posted document of a range sold under codes 5 and 6, without the order of reports.

    The base stands on accounts other than those of VAT; documents of type 3 are left out. With `tag_ids` only
    documents that carry at least one of the tags count.
    """
    statement = Prepared(STATEMENT.where(tagged(entry.c.document_id, tag_ids))) if tag_ids else SALES
    rows = statement.all(conn, business_id=business_id, first=span.start, last=span.end)
    return [_sale(*row) for row in rows]


def _sale(document_id: int, number: str, day: date, vat_code: int, cents: int, *buyer: str | None) -> EuSale:
    name, kind, *texts = buyer
    known = None if name is None or kind is None else Buyer(name, kind, *texts)
    return EuSale(document_id, number, day, vat_code, int(cents), known)


def vat_id(conn: Connection, business_id: int) -> str | None:
    """Return the VAT id of the business itself."""
    row = VAT_ID.one(conn, business_id=business_id)
    return None if row is None else str(row[0])
