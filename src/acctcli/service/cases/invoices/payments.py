"""The documents of an invoice, and what counts of those that paid a sale (docs/interface.md 7.5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import count

from acctcli.banking.paid_sales import Payment, counting
from acctcli.banking.settlement import Standing
from acctcli.service.cases.invoices.standings import ACCRUAL, PART
from acctcli.service.cases.work import Work
from acctcli.service.store.books import documents, relations
from acctcli.service.store.books.documents import DocumentRow
from acctcli.service.store.invoicing.invoices import InvoiceRow


def claim_of(work: Work, row: InvoiceRow) -> DocumentRow | None:
    """Return the document of what an invoice claims."""
    return document_of(work, row.id, ACCRUAL)


def document_of(work: Work, invoice_id: int, role: str) -> DocumentRow | None:
    """Return the document that has a role in the life of an invoice."""
    found = documents.of_invoices(work.conn, work.business.id, [invoice_id])
    return next((document for document in found if document.invoice_role == role), None)


def payments_of(work: Work, row: InvoiceRow) -> list[DocumentRow]:
    """Return the documents of what was paid or lost of an invoice, the latest last."""
    found = documents.of_invoices(work.conn, work.business.id, [row.id])
    return [document for document in found if document.invoice_role != ACCRUAL]


def counting_of(work: Work, payments: Iterable[DocumentRow]) -> list[Payment]:
    """Return what counts as paid of a sale that its payments post, by its documents and what is related to them."""
    own = {one.id: Payment(one.id, one.date, one.balance_cents) for one in payments}
    related = relations.of_documents(work.conn, work.business.id, own)
    near = {
        one.related_id: Payment(one.related_id, one.date, one.balance_cents)
        for rows in related.values()
        for one in rows
        if one.invoice_id is None and not one.is_draft
    }
    return counting(own.values(), near.values())


def counted_of(work: Work, payments: Sequence[DocumentRow]) -> list[DocumentRow]:
    """Return the payments that nothing takes back, the latest last."""
    counted = {one.document_id for one in counting_of(work, payments)}
    return [one for one in payments if one.id in counted]


def paid_of(work: Work, payments: Iterable[DocumentRow]) -> int:
    """Return what was paid of a sale, in cents."""
    return sum(one.amount for one in counting_of(work, payments))


def standing_of_sale(work: Work, row: InvoiceRow) -> Standing:
    """Return how an invoice stands whose payments post the sale: what is paid too much leaves nothing open."""
    counted = counting_of(work, payments_of(work, row))
    left = row.total_cents - sum(one.amount for one in counted)
    if counted and left * row.total_cents <= 0:
        return Standing(0, max(one.day for one in counted))
    return Standing(left, None)


def free_role(others: Collection[DocumentRow], wanted: str) -> str:
    """Return the role of a new payment: the one wanted, else the first part that no other one is."""
    taken = {one.invoice_role for one in others}
    parts = (f"{PART}{number}" for number in count(1))
    return wanted if wanted not in taken else next(one for one in parts if one not in taken)
