"""Sales invoices in the books: the documents that come and go with their steps (docs/interface.md 7.5).

Locks: nothing is posted into a locked period, nor taken out of one. The document of the claim keeps its invoice from
being paid only when it was locked by itself: were the lock of its period enough, no invoice whose VAT is reported could
be paid, which is most of them.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from acctcli.banking.own_accounts import usual_bank
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.enums import InvoiceStatus, RelationRole, RelationType
from acctcli.service.cases.closed import refuse_closed_day
from acctcli.service.cases.documents.content import DocumentContent, stored_blueprint, whole_row
from acctcli.service.cases.documents.guard import name, refuse_locked_alone
from acctcli.service.cases.documents.posting import Posting, insert, open_ground, work_out
from acctcli.service.cases.documents.view import render_relation, show_document
from acctcli.service.cases.invoices.content import vat_by_rate
from acctcli.service.cases.invoices.payments import claim_of, counted_of, document_of, free_role, paid_of, payments_of
from acctcli.service.cases.invoices.settlement import follow
from acctcli.service.cases.invoices.standings import ACCRUAL, CLOSING, PART, standing
from acctcli.service.cases.invoices.taken_back import left_of
from acctcli.service.cases.invoices.view import show_stored
from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid, Locked, Precondition
from acctcli.service.rules.blueprint import Blueprint
from acctcli.service.rules.invoice_books import Sold, loss, part, sale, sales_account, settlement, shares
from acctcli.service.rules.invoices import friendly_name
from acctcli.service.rules.money import from_cents
from acctcli.service.rules.relations import pair_up
from acctcli.service.store.books import documents, relations
from acctcli.service.store.books.documents import DocumentRow
from acctcli.service.store.invoicing import invoice_books, invoice_parts, invoices
from acctcli.service.store.invoicing.invoice_books import InvoiceAccounts
from acctcli.service.store.invoicing.invoice_parts import InvoiceLine
from acctcli.service.store.invoicing.invoices import InvoiceRow


class Plan(NamedTuple):
    """A document of an invoice that can be posted, and is not yet."""

    content: DocumentContent
    posting: Posting


def book_claim(work: Work, row: InvoiceRow) -> int:
    """Post what an accepted invoice claims, on its own date, and return the id of the document."""
    return _enter(work, row, ACCRUAL, _claim(work, row))


def has_claim(work: Work, row: InvoiceRow, *, by_claims: bool) -> bool:
    """Say whether an accepted invoice is posted as a claim; `by_claims` is how the business keeps its books.

    A credit note goes where its invoice is: without a sale in the books there is no VAT in them to give back, and what
    is claimed there is not owed any more.
    """
    if row.is_credit_note_for is None:
        return by_claims
    booked = documents.of_invoices(work.conn, work.business.id, [row.is_credit_note_for])
    if any(one.invoice_role == ACCRUAL for one in booked):
        return True
    sold = invoices.get(work.conn, work.business.id, row.is_credit_note_for)
    # a sale that payments post is in the books whole when they have paid all of it
    return by_claims and bool(booked) and sold is not None and sold.status == InvoiceStatus.PAID


def book_open_claims(work: Work) -> None:
    """Post what open invoices claim that are not in the books yet; those that cannot be posted stay as they are.

    For a business that keeps its books by claims from now on. Days that are closed take nothing any more. An invoice
    and its credit notes are posted together or not at all.
    """
    booked = []
    rows = invoices.open_without_claim(work.conn, work.business.id)
    sold = {row.id for row in rows}
    together: dict[int, list[InvoiceRow]] = {}
    for row in rows:
        together.setdefault(row.is_credit_note_for if row.is_credit_note_for in sold else row.id, []).append(row)
    for first, *notes in together.values():
        if not has_claim(work, first, by_claims=True):
            continue
        try:
            planned = [(row, _claim(work, row)) for row in (first, *notes)]
        except (Locked, Precondition):
            continue
        for row, plan in planned:
            booked.append(_enter(work, row, ACCRUAL, plan))
            invoices.change(work.conn, work.business.id, row.id, {"updated_at": work.stamp})
            work.emit("sales_invoice.updated", show_stored(work, row.id))
    follow(work, booked)


def book_reopened(work: Work, row: InvoiceRow) -> None:
    """Post what an invoice claims that is open again and in no book any more, with its open credit notes.

    For a business that keeps its books by claims; Precondition where its day, or that of a note, takes nothing.
    """
    if payments_of(work, row) or claim_of(work, row) or not has_claim(work, row, by_claims=True):
        return
    notes = [
        one for one in invoices.open_without_claim(work.conn, work.business.id) if one.is_credit_note_for == row.id
    ]
    for one in (row, *notes):
        try:
            book_claim(work, one)
        except (Locked, Precondition) as why:
            raise Precondition(
                f"{invoice_name(row)} would be open and in no book, because {invoice_name(one)} cannot be posted on "
                f"{one.invoicing_date}: {why} Unlock what is locked, or add the period that is missing, and do "
                "this again; or leave it as it is, and post what is paid of it as a sale on the day of the payment."
            ) from None
        if one is not row:
            invoices.change(work.conn, work.business.id, one.id, {"updated_at": work.stamp})
            work.emit("sales_invoice.updated", show_stored(work, one.id))


def book_payment(work: Work, row: InvoiceRow) -> None:
    """Post a payment of today: it settles what is open of the claim that was posted, else it is the sale itself."""
    claim = claim_of(work, row)
    if claim is None:
        book_sale(work, row, work.today, None, None)
        return
    bank = _bank(_accounts(work, row))
    if owed := _open(work, row, claim):
        _close(work, row, claim, work.today, settlement(bank, _claimed_on(work, claim), owed))


def book_sale(work: Work, row: InvoiceRow, day: date, amount: int | None, bank_id: int | None) -> bool:
    """Post the sale by a payment, all that is open of it or an amount; say whether that is all.

    What was posted of it before is a document each, and the first of them is related to all others.
    """
    accounts = _accounts(work, row)
    bank = bank_id or _bank(accounts)
    before = payments_of(work, row)
    paid = paid_of(work, before)
    after = row.total_cents if amount is None else paid + amount
    is_all = after == row.total_cents
    made = _post(
        work,
        row,
        free_role(before, CLOSING if is_all else f"{PART}1"),
        day,
        _sale(work, row, accounts, bank, (paid, after)),
    )
    if before:
        _relate(work, made, before[0])
    return is_all


def refuse_no_money(work: Work, row: InvoiceRow, account_id: int | None) -> None:
    """Refuse an account that is none of money, or of another business."""
    if account_id is not None and account_id not in {one.id for one in _accounts(work, row).money}:
        raise Invalid.field("account_id", "It is no account of money, of type ASS_PAY.")


def book_loss(work: Work, row: InvoiceRow, day: date | None) -> None:
    """Write off what is open of the claim that was posted, today or on the day that is said.

    Without a claim there is nothing in the books to lose, and no day is taken.
    """
    claim = claim_of(work, row)
    if day is not None:
        _check_loss_day(work, row, claim, day)
    if claim is not None and (owed := _open(work, row, claim)):
        number = work.chart.bad_debts
        found = invoice_books.numbered(work.conn, work.business.id, number)
        bad_debts = _account(found, f"account {number} for bad debts")
        lost = shares(owed, _losable(work, row, claim, owed))
        _close(work, row, claim, day or work.today, loss(bad_debts, _claimed_on(work, claim), lost))


def _check_loss_day(work: Work, row: InvoiceRow, claim: DocumentRow | None, day: date) -> None:
    if claim is None:
        raise Invalid.field("date", f"{invoice_name(row)} is in no books: its loss is not posted on any day.")
    if not claim.date <= day <= work.today:
        raise Invalid.field("date", f"A loss of {invoice_name(row)} is of {claim.date} to {work.today}.")


def _open(work: Work, row: InvoiceRow, claim: DocumentRow) -> int:
    """Return what is open of a claim, in cents; refuse one that was paid more than it was."""
    refuse_locked_alone(claim)
    owed = standing(work, row.id, claim.id).open
    if owed * row.total_cents < 0:
        title, excess = invoice_name(row), from_cents(abs(owed))
        raise Precondition(
            f"{title} was settled with {excess} more than it comes to: give that back, or relate it anew."
        )
    return owed


def _losable(work: Work, row: InvoiceRow, claim: DocumentRow, owed: int) -> list[tuple[int, int, int]]:
    """Return code, rate and total of what is left of a sale; what is open beyond that has no VAT to take back."""
    left = [(*key, cents) for key, cents in left_of(work, row, claim).items()]
    beyond = owed - sum(cents for _, _, cents in left)
    return [*left, (NO_VAT, 0, beyond)] if beyond * owed > 0 else left


def _close(work: Work, row: InvoiceRow, claim: DocumentRow, day: date, blueprint: Blueprint) -> None:
    """Post what closes a claim, and relate it to the claim; what closed it before stays with it, too."""
    before = payments_of(work, row)
    _relate(work, _post(work, row, free_role(before, CLOSING), day, blueprint), claim)


def _relate(work: Work, closing_id: int, claim: DocumentRow) -> None:
    pair = pair_up(closing_id, RelationRole.SETTLEMENT, claim.id)
    made = relations.create(work.conn, work.business.id, pair, RelationType.ACCRUAL_PAIR, work.stamp)
    rows = relations.of_document(work.conn, work.business.id, closing_id)
    shown = render_relation(next(row for row in rows if row.id == made))
    work.emit("relation.created", {**shown, "document": closing_id})
    documents.note_related(work.conn, work.business.id, [claim.id])


def unbook(work: Work, row: InvoiceRow) -> bool:
    """Delete the document of the latest payment or loss, and what relates it; say whether there was one.

    Precondition where something else is related to it, as what takes it back: that would stay, and count once more.
    """
    payments, claim = payments_of(work, row), claim_of(work, row)
    left = payments if claim else counted_of(work, payments)
    if not left:
        return False
    closing = left[-1]
    if closing.is_locked:
        raise Locked(f"Document {name(closing)} is locked.")
    refuse_closed_day(work, closing.date)
    if claim is not None:
        refuse_locked_alone(claim)
    related = relations.of_document(work.conn, work.business.id, closing.id)
    own = {one.id for one in (*payments, *([] if claim is None else [claim]))}
    if others := [one for one in related if one.related_id not in own]:
        named = ", ".join(one.number or str(one.related_id) for one in others)
        raise Precondition(
            f"Document {name(closing)} is related to {named}, which would stay in the books: if that takes it back, "
            "this was done already, else delete the relation of the two first."
        )
    documents.remove(work.conn, work.business.id, closing.id)
    work.emit("document.deleted", {"id": closing.id, "number": closing.number})
    documents.note_related(work.conn, work.business.id, [one.related_id for one in related])
    return True


def _accounts(work: Work, row: InvoiceRow) -> InvoiceAccounts:
    return invoice_books.accounts(work.conn, work.business.id, row.id)


def _bank(accounts: InvoiceAccounts) -> int:
    found = usual_bank(accounts.money, accounts.cash, accounts.iban)
    return _account(found, "bank account, of type ASS_PAY and not the one for cash")


def _account(account_id: int | None, what: str) -> int:
    if account_id is None:
        raise Precondition(f"The business has no {what}.")
    return account_id


def _setting(account_id: int | None, field: str) -> int:
    if account_id is None:
        raise Precondition(f"The business has no account set as {field}.", fields={field: ["No account is set."]})
    return account_id


def _sale(
    work: Work, row: InvoiceRow, accounts: InvoiceAccounts, debit_id: int, paid: tuple[int, int] | None = None
) -> Blueprint:
    """Return what an invoice posts: each row to its own account, its product's, or the usual one, with its one VAT.

    `paid` are what was paid before and after the payment that posts a part of it.
    """
    lines = invoice_parts.lines(work.conn, work.business.id, [row.id]).get(row.id, [])
    rows = [
        Sold(_sales_account(work, row, line, accounts), line.net_cents, line.vat_code, line.vat_rate, line.name)
        for line in lines
    ]
    if any(one.account_id == debit_id for one in rows):
        text = (
            f"A row of {invoice_name(row)} posts to the account that the whole of it is posted to: name one of sales."
        )
        raise Precondition(text, fields={"rows": [text]})
    vats = vat_by_rate(work, row, lines)
    if any(vats.values()):
        _setting(accounts.vat, "account_vat_liabilities")
    if paid is not None and row.total_cents:
        rows, vats = part(rows, vats, *paid)
    return sale(debit_id, rows, accounts.vat, vats)


def _sales_account(work: Work, row: InvoiceRow, line: InvoiceLine, accounts: InvoiceAccounts) -> int:
    of_product = accounts.products.get(line.product_id) if line.product_id else None
    label = work.law.label_of(line.vat_rate, row.invoicing_date) if work.law.sells_by_rate else None
    found = line.account_id or of_product or sales_account(accounts.sales, line.vat_code, label)
    return _account(found, "account for sales, of type REV_SAL")


def _claimed_on(work: Work, claim: DocumentRow) -> int:
    """Return the account the claim stands on, whichever one the business has set by now."""
    account_id = stored_blueprint(whole_row(work, claim)).debit_account_id
    assert account_id is not None
    return account_id


def invoice_name(row: InvoiceRow) -> str:
    """Return what people call an accepted invoice."""
    return friendly_name(row.invoice_number, is_credit_note=row.is_credit_note_for is not None)


def _claim(work: Work, row: InvoiceRow) -> Plan:
    """Work out what an invoice claims; Locked or Precondition when that cannot be posted on its date."""
    accounts = _accounts(work, row)
    sold = None if row.is_credit_note_for is None else document_of(work, row.is_credit_note_for, ACCRUAL)
    # what settles a claim is posted where that stands
    receivables = _claimed_on(work, sold) if sold else _setting(accounts.receivables, "account_trade_receivables")
    return _plan(work, row, row.invoicing_date, _sale(work, row, accounts, receivables))


def _post(work: Work, row: InvoiceRow, role: str, day: date, blueprint: Blueprint) -> int:
    """Post a document of an invoice and return its id."""
    return _enter(work, row, role, _plan(work, row, day, blueprint))


def _plan(work: Work, row: InvoiceRow, day: date, blueprint: Blueprint) -> Plan:
    content = DocumentContent(day, description=invoice_name(row), contact_id=row.receiver_id, blueprint=blueprint)
    return Plan(content, work_out(content, open_ground(work, content)))


def _enter(work: Work, row: InvoiceRow, role: str, plan: Plan) -> int:
    made = insert(work, *plan, invoice_id=row.id, invoice_role=role)
    work.emit("document.created", show_document(work, made))
    return made.id
