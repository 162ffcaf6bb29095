"""What follows from reporting a VAT period: the VAT accounts are netted, and the tax is owed.

See docs/interface.md 9.3.
"""

from __future__ import annotations

from typing import Any

from acctcli.models.enums import DocumentType, VatPostingMethod
from acctcli.service.cases.closed import refuse_closed_day
from acctcli.service.cases.documents.content import DocumentContent
from acctcli.service.cases.documents.posting import insert, work_out
from acctcli.service.cases.documents.view import show_document
from acctcli.service.cases.work import Work
from acctcli.service.problems import Precondition
from acctcli.service.rules.blueprint import Blueprint, BlueprintRow
from acctcli.service.rules.posting import VatAccounts
from acctcli.service.rules.vat_sums import VatSums, vat_sums
from acctcli.service.store import businesses
from acctcli.service.store.books import postings, vat_entries, vat_periods
from acctcli.service.store.books.vat_periods import VatPeriodRow
from acctcli.service.store.invoicing import purchases
from acctcli.service.store.invoicing.purchases import VatDebt

LONGEST_NAME = 128  # of a purchase invoice; a business may be called longer


def file_vat(work: Work, row: VatPeriodRow) -> dict[str, Any]:
    """Net the VAT accounts and owe the tax; return the columns of the VAT period that say so."""
    settings = businesses.get(work.conn, work.business.id, work.today)
    moved = vat_entries.movements(work.conn, work.business.id, row.start_date, row.end_date)
    sums = vat_sums(moved)
    netted = sums.netted if settings["vat_posting_method"] == VatPostingMethod.NET else 0
    return {
        "filing_tax_cents": sums.payable,
        "netting_document_id": _net(work, row, netted) if netted else None,
        "purchase_invoice_id": _owe(work, row, sums, settings) if sums.payable > 0 else None,
    }


def _owe(work: Work, row: VatPeriodRow, sums: VatSums, settings: dict[str, Any]) -> int:
    debt = VatDebt(
        invoicing_date=work.today,
        due_date=row.due_date,
        amount_cents=sums.payable,
        message=_title(row),
        sender_name=settings["finanzkasse_recipient_name"],
        sender_bank_account=settings["finanzkasse_iban"],
        receiver_name=settings["name"][:LONGEST_NAME],
    )
    return purchases.create_vat_debt(work.conn, work.business.id, debt, work.stamp)


def _net(work: Work, row: VatPeriodRow, cents: int) -> int:
    """Post the document that takes the smaller sum from both VAT accounts, on the last day, locked from the start."""
    if row.is_locked:
        # for its own netting alone; reporting locks it again in the same transaction
        vat_periods.change(work.conn, work.business.id, row.id, {"is_locked": False})
    ground = postings.ground(work.conn, work.business.id, row.end_date, ())
    if ground.is_closed:
        refuse_closed_day(work, row.end_date)
    blueprint = _netting(ground.vat_accounts, cents)
    content = DocumentContent(row.end_date, description=_title(row), type=DocumentType.VAT.value, blueprint=blueprint)
    made = insert(work, content, work_out(content, ground), is_locked=True, locked_by=row.id)
    work.emit("document.created", show_document(work, made))
    return made.id


def _netting(accounts: VatAccounts, cents: int) -> Blueprint:
    if accounts.liabilities is None or accounts.receivables is None:
        raise Precondition("The business has no accounts set as account_vat_liabilities and account_vat_receivables.")
    return Blueprint(
        debit_rows=(BlueprintRow(accounts.liabilities, cents),),
        credit_rows=(BlueprintRow(accounts.receivables, cents),),
    )


def _title(row: VatPeriodRow) -> str:
    return f"VAT {row.span}"
