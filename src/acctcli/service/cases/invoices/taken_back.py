"""What is left of a sale by VAT code and rate: what was credited or lost is not taken back again.

See docs/interface.md 7.3 and 7.5. Amounts are cents, VAT included, as the documents posted them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from acctcli.law.vat_codes import OUTPUT_VAT
from acctcli.models.enums import InvoiceStatus
from acctcli.printing.numbers import plain_rate
from acctcli.service.cases.documents.content import stored_blueprint, whole_row
from acctcli.service.cases.documents.guard import find
from acctcli.service.cases.invoices.standings import ACCRUAL
from acctcli.service.cases.work import Work
from acctcli.service.problems import Precondition
from acctcli.service.rules.blueprint import Blueprint, BlueprintRow
from acctcli.service.rules.invoice_books import Key, key_of
from acctcli.service.rules.money import from_cents, rate_text
from acctcli.service.store.books import documents, relations
from acctcli.service.store.books.documents import DocumentRow
from acctcli.service.store.invoicing import invoice_parts, invoices
from acctcli.service.store.invoicing.invoices import InvoiceRow


def left_of(work: Work, row: InvoiceRow, claim: DocumentRow) -> dict[Key, int]:
    """Return what a claim posted, less its credit notes and its losses, with the sign it was sold with.

    Where more was taken back than was sold, nothing is left.
    """
    notes = invoice_parts.credit_notes(work.conn, work.business.id, [row.id]).get(row.id, ())
    credited = documents.of_invoices(work.conn, work.business.id, notes)
    sold = _sold(work, claim)
    left = sold.copy()
    for note in credited:
        if note.invoice_role == ACCRUAL:
            left.update(_sold(work, note))
    left.subtract(_lost(work, claim))
    return {key: cents for key, cents in left.items() if cents * sold[key] > 0}


def refuse_lost(work: Work, original_id: int, credited: Counter[Key]) -> None:
    """Refuse to credit what was lost, whose VAT was given back with the loss.

    `credited` is what a credit note takes back, with its sign. The invoice is kept from others meanwhile.
    """
    (original,) = invoices.lock(work.conn, work.business.id, [original_id])
    booked = documents.of_invoices(work.conn, work.business.id, [original_id])
    claim = next((one for one in booked if one.invoice_role == ACCRUAL), None)
    if claim is None:
        if original.status == InvoiceStatus.CREDIT_LOSS:
            raise _refused(original, "it was lost whole")
        return
    lost, left, sold = _lost(work, claim), left_of(work, original, claim), _sold(work, claim)
    for key, taken in sorted(credited.items()):
        of_it = left.get(key, 0)
        if lost[key] and (of_it + taken) * sold[key] < 0:
            raise _refused(original, f"{from_cents(abs(of_it))} is left of it at {plain_rate(rate_text(key[1]))} %")


def _refused(original: InvoiceRow, why: str) -> Precondition:
    text = (
        f"Invoice {original.invoice_number} was given up as a credit loss, and {why}: what was lost is not credited as "
        f"well. Take the loss back first (invoice unpaid {original.id}), then credit it."
    )
    return Precondition(text, fields={"is_credit_note_for": [text]})


def _sold(work: Work, claim: DocumentRow) -> Counter[Key]:
    return _summed(stored_blueprint(whole_row(work, claim)).credit_rows)


def _lost(work: Work, claim: DocumentRow) -> Counter[Key]:
    """Return what the documents related to a claim took back of it: losses, those posted by hand with VAT, too."""
    conn, business_id = work.conn, work.business.id
    related = [find(work, one.related_id) for one in relations.of_document(conn, business_id, claim.id)]
    settling = [
        (one, stored_blueprint(whole_row(work, one)))
        for one in related
        if not one.is_draft and one.invoice_role != ACCRUAL
    ]
    # a payment debits the bank, a loss bad debts by rate; what takes a loss back is related to it
    losses = {one.id for one, posted in settling if one.invoice_role and posted.debit_account_id is None}
    losses |= {one.related_id for rows in relations.of_documents(conn, business_id, losses).values() for one in rows}
    found: Counter[Key] = Counter()
    for one, posted in settling:
        found.update(_summed(_taken(posted, is_loss=one.id in losses)))
    return found


def _taken(blueprint: Blueprint, *, is_loss: bool) -> Iterator[BlueprintRow]:
    for row in blueprint.debit_rows:
        if is_loss or row.vat_code == OUTPUT_VAT:
            yield row
    for row in blueprint.credit_rows:
        if row.vat_code == OUTPUT_VAT:
            yield row._replace(amount=-row.amount)


def _summed(rows: Iterable[BlueprintRow]) -> Counter[Key]:
    found: Counter[Key] = Counter()
    for row in rows:
        found[key_of(row.vat_code, row.vat_rate)] += row.amount
    return found
