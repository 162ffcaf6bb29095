"""What is done to a sales invoice without rewriting it: the steps of its life (docs/interface.md 7.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from acctcli.banking.references import national_reference
from acctcli.law.invoices import Line, first_findings, legal_findings
from acctcli.law.vat_codes import OUTPUT_VAT
from acctcli.models.enums import InvoiceStatus
from acctcli.printing.alphabet import paper_findings
from acctcli.service.cases.bodies import kept_cents
from acctcli.service.cases.businesses import show_business
from acctcli.service.cases.documents.guard import name as document_name
from acctcli.service.cases.invoices.books import (
    book_claim,
    book_loss,
    book_payment,
    book_reopened,
    book_sale,
    has_claim,
    refuse_no_money,
    unbook,
)
from acctcli.service.cases.invoices.content import accepted_sums, check_credit, search_text, vat_by_rate
from acctcli.service.cases.invoices.drafts import find, name, refuse_step
from acctcli.service.cases.invoices.payments import (
    claim_of,
    counting_of,
    paid_of,
    payments_of,
    standing_of_sale,
)
from acctcli.service.cases.invoices.prints import kept_language, print_invoice
from acctcli.service.cases.invoices.settlement import follow, move
from acctcli.service.cases.invoices.standings import standing
from acctcli.service.cases.invoices.taken_back import refuse_lost
from acctcli.service.cases.invoices.view import show_invoice, show_stored
from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid, Precondition
from acctcli.service.rules.invoice_books import Key, key_of
from acctcli.service.rules.invoices import REFERENCE_BASE, acceptance_faults, next_status
from acctcli.service.rules.money import from_cents
from acctcli.service.store import contacts
from acctcli.service.store.invoicing import invoice_parts, invoices
from acctcli.service.store.invoicing.invoice_parts import InvoiceLine
from acctcli.service.store.invoicing.invoices import InvoiceRow

if TYPE_CHECKING:
    from decimal import Decimal

    from acctcli.models.enums import Language
    from acctcli.models.invoice import InvoiceAcceptRequest, InvoiceLossRequest, InvoicePaymentRequest, SalesInvoice


def accept_invoice(work: Work, invoice_id: int, body: InvoiceAcceptRequest) -> SalesInvoice:
    """Accept a draft: it gets its number and reference, is booked and printed, and changes no more."""
    row = find(work, invoice_id, for_update=True)
    if next_status(row.status, "accept") is None:
        raise refuse_step(row, "accept")
    if row.is_draft:
        return accept(work, row, body.language)
    if body.language not in {None, language := kept_language(work, row.id)}:
        raise Precondition(f"{name(row)} is accepted, and stays in the language that it has: {language}.")
    return show_invoice(work, row)


def accept(work: Work, row: InvoiceRow, language: Language | None = None) -> SalesInvoice:
    """Accept a draft and return it as it is shown; it is in a language that is asked for, else in the usual one."""
    business = show_business(work)
    _check_acceptance(work, row, business)
    number = invoices.next_number(work.conn, work.business.id)
    reference = row.reference or national_reference(REFERENCE_BASE + number)
    found = search_text(number, reference, row.description)
    sums = accepted_sums(work, row)
    changes = {"invoice_number": number, "reference": reference, "search_text": found, **sums}
    accepted = move(work, row, InvoiceStatus.ACCEPTED, **changes)
    if has_claim(work, accepted, by_claims=business["has_accrual_based_entries_for_invoicing"]):
        book_claim(work, accepted)
    shown = show_invoice(work, accepted)
    original = None if row.is_credit_note_for is None else show_stored(work, row.is_credit_note_for)
    prints = print_invoice(work, shown, business, original, language)
    shown |= {"pdf": prints.pdf, "xrechnung_ubl_xml": prints.xml}
    work.emit("sales_invoice.accepted", shown)
    # nothing can have settled a new claim but what it credits itself
    return shown if row.is_credit_note_for is None else _followed(work, accepted, shown)


def _followed(work: Work, row: InvoiceRow, shown: SalesInvoice) -> SalesInvoice:
    """Let an invoice, and those it has to do with, come to the status that the books say, and show it after that."""
    claim = claim_of(work, row)
    if claim is None:
        return shown
    follow(work, [claim.id])
    return show_stored(work, row.id)


def _check_acceptance(work: Work, row: InvoiceRow, business: Mapping[str, Any]) -> None:
    """Refuse a draft that reaches nobody or would be void, naming all that is missing (docs/interface.md 7.1)."""
    receiver = contacts.of_ids(work.conn, work.business.id, [row.receiver_id])[row.receiver_id]
    rows = invoice_parts.lines(work.conn, work.business.id, [row.id]).get(row.id, ())
    # what a credit note takes back is as it was sold, right or wrong
    sold = map(_line, rows if row.is_credit_note_for is None else ())
    day = row.settlement_date or row.invoicing_date
    findings = list(first_findings(len(rows), receiver, business, work.law))
    findings += legal_findings(sold, receiver, business, work.law, day, row.buyer_reference)
    if row.is_credit_note_for is None:
        findings += paper_findings(row._asdict(), [line._asdict() for line in rows], receiver, business)
    if findings:
        raise Precondition(" ".join(one.sentence for one in findings), fields=acceptance_faults(findings))
    if row.is_credit_note_for is not None:
        check_credit(work, row.is_credit_note_for, row.receiver_id, [line._asdict() for line in rows])
        refuse_lost(work, row.is_credit_note_for, _taken_back(work, row, rows))


def _line(line: InvoiceLine) -> Line:
    return Line(line.name, line.vat_code, from_cents(line.vat_rate), taken_off=line.net_cents < 0)


def _taken_back(work: Work, row: InvoiceRow, lines: Sequence[InvoiceLine]) -> Counter[Key]:
    """Return what a credit note that is not accepted yet takes back, VAT included."""
    coming = row._replace(total_vat_cents=accepted_sums(work, row)["total_vat_cents"])
    found: Counter[Key] = Counter()
    for line in lines:
        found[key_of(line.vat_code, line.vat_rate)] += line.net_cents
    for rate, cents in vat_by_rate(work, coming, lines).items():
        found[key_of(OUTPUT_VAT, rate)] += cents
    return found


def pay_invoice(work: Work, invoice_id: int, body: InvoicePaymentRequest) -> SalesInvoice:
    """Note that an accepted invoice is paid today; where payments post the sale, as the body says."""
    said = {field: value for field in body.model_fields_set if (value := getattr(body, field)) is not None}
    if not said:
        return _step(work, invoice_id, "paid", book_payment, payment_date=work.today)
    row = find(work, invoice_id, for_update=True)
    refuse_no_money(work, row, body.account_id)
    if row.status != InvoiceStatus.ACCEPTED:
        raise refuse_step(row, "paid")
    if claim_of(work, row) is not None:
        raise Precondition(f"{name(row)} is in the books: what pays it is a document that is related to its claim.")
    day = body.date or work.today
    if day > work.today:
        raise Invalid.field("date", f"{day} is not over: a sale is posted when it is paid.")
    is_all = book_sale(work, row, day, _part(work, row, body.amount), body.account_id)
    if not is_all:
        invoices.change(work.conn, work.business.id, row.id, {"updated_at": work.stamp})
        shown = show_stored(work, row.id)
        work.emit("sales_invoice.updated", shown)
        return shown
    last = max(one.day for one in counting_of(work, payments_of(work, row)))
    shown = show_invoice(work, move(work, row, InvoiceStatus.PAID, payment_date=last))
    work.emit("sales_invoice.paid", shown)
    return shown


def _part(work: Work, row: InvoiceRow, amount: Decimal | None) -> int | None:
    """Return what was paid of an invoice with its sign, in cents; refuse more than is open. None is all of it."""
    if amount is None:
        return None
    left = row.total_cents - paid_of(work, payments_of(work, row))
    cents = kept_cents("amount", amount)
    if cents > abs(left):
        raise Invalid.field("amount", f"{name(row)} has {from_cents(abs(left))} open.")
    if cents != abs(left):
        _refuse_part(work, row)
    return cents if left > 0 else -cents


def _refuse_part(work: Work, row: InvoiceRow) -> None:
    """Refuse a part of what was credited: it has shares of all rows, also of those that nobody pays any more."""
    conn, business_id = work.conn, work.business.id
    notes = invoices.lock(conn, business_id, invoices.credited(conn, business_id, row.id))
    if waiting := [note for note in notes if note.status == InvoiceStatus.ACCEPTED]:
        titles = ", ".join(f"{name(note)} (id {note.id})" for note in waiting)
        text = (
            f"{titles} takes back some of what a part of {name(row)} would post: let that be paid first, as a refund."
        )
        raise Precondition(text, fields={"amount": [text]})
    lines = invoice_parts.lines(conn, business_id, [row.id])[row.id]
    if notes and len({key_of(line.vat_code, line.vat_rate) for line in lines}) > 1:
        text = f"{name(row)} was credited and has rows of several rates, so that no part of it tells which are paid."
        raise Precondition(text, fields={"amount": [text]})


def lose_invoice(work: Work, invoice_id: int, body: InvoiceLossRequest) -> SalesInvoice:
    """Give up an accepted invoice that nobody pays, today or on the day that is said."""
    if body.date is not None and (row := find(work, invoice_id)).status == InvoiceStatus.CREDIT_LOSS:
        raise Precondition(f"{name(row)} is given up already: unpaid opens it again, for another day.")
    return _step(work, invoice_id, "credit_loss", partial(book_loss, day=body.date))


def reopen_invoice(work: Work, invoice_id: int) -> SalesInvoice:
    """Take back that an invoice was paid or lost, also where it is open again all the same."""
    row = find(work, invoice_id, for_update=True)
    if row.status == InvoiceStatus.ACCEPTED and unbook(work, row):
        _claim_again(work, row)
        shown = show_stored(work, row.id)
        work.emit("sales_invoice.unpaid", shown)
        return _followed(work, row, shown)
    return _step(work, invoice_id, "unpaid", _reopen, payment_date=None)


def _reopen(work: Work, row: InvoiceRow) -> None:
    """Take back what was booked for an invoice; refuse one that is settled by other documents all the same."""
    claim = claim_of(work, row)
    if claim is None:
        # nothing was posted of a loss, and what was paid before it stays
        if row.status != InvoiceStatus.CREDIT_LOSS:
            _take_payment_back(work, row)
        _claim_again(work, row)
        return
    unbook(work, row)
    if standing(work, row.id, claim.id).settled_on is None:
        return
    raise Precondition(
        f"{name(row)} is settled by a credit note, or by what is related to document {document_name(claim)}: "
        "delete the relation that is wrong, and the invoice is open again."
    )


def _take_payment_back(work: Work, row: InvoiceRow) -> None:
    """Delete the latest payment of a sale; refuse where others pay it all the same."""
    unbook(work, row)
    if standing_of_sale(work, row).settled_on is not None:
        numbers = [one.document_id for one in counting_of(work, payments_of(work, row))]
        documents = ", ".join(map(str, numbers))
        raise Precondition(
            f"{name(row)} is paid without its latest payment, too, by documents {documents}: take back what is wrong "
            f"of it, such as with document reverse {numbers[-1]}, and the invoice is open again."
        )


def _claim_again(work: Work, row: InvoiceRow) -> None:
    if show_business(work)["has_accrual_based_entries_for_invoicing"]:
        book_reopened(work, row)


def disable_recurrence(work: Work, invoice_id: int) -> SalesInvoice:
    """Make a template an invoice like any other; those made of it stay."""
    row = find(work, invoice_id, for_update=True)
    if row.is_active_recurrence_template:
        changes = {"is_active_recurrence_template": False, "updated_at": work.stamp}
        invoices.change(work.conn, work.business.id, row.id, changes)
        shown = show_stored(work, row.id)
        work.emit("sales_invoice.recurrence_disabled", shown)
        return shown
    return show_invoice(work, row)


def _step(
    work: Work, invoice_id: int, action: str, book: Callable[[Work, InvoiceRow], None], **changes: object
) -> SalesInvoice:
    """Take an invoice a step further, in the books as well; nothing happens when it is there already."""
    row = find(work, invoice_id, for_update=True)
    status = next_status(row.status, action)
    if status is None:
        raise refuse_step(row, action)
    if status == row.status:
        return show_invoice(work, row)
    book(work, row)
    moved = move(work, row, status, **changes)
    shown = show_invoice(work, moved)
    work.emit(f"sales_invoice.{action}", shown)
    return _followed(work, moved, shown)
