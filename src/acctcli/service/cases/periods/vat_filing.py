"""What follows from reporting a VAT period: the VAT accounts are netted, and the tax is owed.

See docs/interface.md 9.3.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any

from acctcli.law.filing import FOREIGN_WAY_OUT, NOWHERE, ZERO
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.enums import AccountType, DocumentType, PurchaseSource, VatPostingMethod
from acctcli.service.cases.bodies import kept_cents
from acctcli.service.cases.closed import refuse_closed_day
from acctcli.service.cases.documents.content import DocumentContent
from acctcli.service.cases.documents.guard import find, name, outside
from acctcli.service.cases.documents.posting import insert, work_out
from acctcli.service.cases.documents.view import show_document
from acctcli.service.cases.documents.writing import delete_document
from acctcli.service.cases.purchases import get_purchase
from acctcli.service.cases.vat_movements import untold_money, vat_of, vat_to_declare
from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid, Precondition
from acctcli.service.rules.blueprint import Blueprint, BlueprintRow
from acctcli.service.rules.posting import VatAccounts
from acctcli.service.rules.vat_sums import VatMovement, vat_sums
from acctcli.service.store import businesses
from acctcli.service.store.books import postings, vat_periods
from acctcli.service.store.books.vat_periods import VatPeriodRow
from acctcli.service.store.invoicing import purchases
from acctcli.service.store.invoicing.purchases import VatDebt

if TYPE_CHECKING:
    from acctcli.law.filing import VatReturn
    from acctcli.models.report import Untold
    from acctcli.models.vat_period import VatFilingRequest

_WITHOUT_VAT = {0, NO_VAT}
LONGEST_NAME = 128  # of a purchase invoice; a business may be called longer


def file_vat(work: Work, row: VatPeriodRow, asked: VatFilingRequest) -> tuple[dict[str, Any], Untold]:
    """File the return, net the VAT accounts, owe the tax.

    Returns the columns of the VAT period that say so, and the money that is in no return.
    """
    settings = businesses.get(work.conn, work.business.id, work.today)
    vat = vat_of(work, row.span)
    filled = _fill_in(work, row, vat.moved, asked, has_extension=settings["has_dauerfristverlaengerung"])
    filed = kept_cents("special_prepayment", filled.result)
    is_net = settings["vat_posting_method"] == VatPostingMethod.NET
    netted = _netted(vat.moved, asked, work.law.filing().owed_to_others) if is_net else 0
    columns: dict[str, Any] = {"filing_tax_cents": filed, "netting_document_id": None}
    if netted:
        columns["netting_document_id"] = _net(work, row, netted)
    # what a period that was reopened keeps as filed has been settled already
    if (owed := filed - (row.filing_tax_cents or 0)) > 0:
        columns["purchase_invoice_id"] = _owe(work, row, owed, settings)
    return columns, untold_money(work, row.span, vat.ledger)


def unfile_vat(work: Work, row: VatPeriodRow) -> dict[str, Any]:
    """Take back what reporting made: the netting, and the tax as long as it is not paid.

    The period is open already. Returns its columns: what stays filed is what has been settled of it. Locked where the
    days are closed by another period, Precondition where the netting is related to other documents, or where something
    else stands in its place or in that of the tax: whoever writes the database could have things deleted so.
    """
    vat_periods.change(work.conn, work.business.id, row.id, {"netting_document_id": None})
    refuse_closed_day(work, row.end_date)
    if row.netting_document_id is not None:
        netting = find(work, row.netting_document_id)
        if netting.type != DocumentType.VAT or netting.date != row.end_date:
            raise Precondition(f"Document {name(netting)} is not what reporting this period posted.")
        delete_document(work, netting.id)
    settled = row.filing_tax_cents or 0
    if row.purchase_invoice_id is None:
        return {"filing_tax_cents": settled}
    debt = purchases.get(work.conn, work.business.id, row.purchase_invoice_id, for_update=True)
    if debt is None or debt["is_paid"] or debt["document_id"] is not None:
        return {"filing_tax_cents": settled}
    if debt["import_source"] != PurchaseSource.VAT_PURCHASE_INVOICE:
        raise Precondition(f"Purchase invoice {debt['id']} is not what reporting this period owed.")
    vat_periods.change(work.conn, work.business.id, row.id, {"purchase_invoice_id": None})
    purchases.remove(work.conn, work.business.id, debt["id"])
    work.emit("purchase_invoice.deleted", {"id": debt["id"]})
    return {"filing_tax_cents": settled - debt["amount_cents"]}


def _fill_in(
    work: Work, row: VatPeriodRow, moved: list[VatMovement], asked: VatFilingRequest, *, has_extension: bool
) -> VatReturn:
    """Fill in the return of a period; refuse one that people would not be let to file."""
    form = work.law.filing()
    prepaid = asked.special_prepayment or ZERO
    if asked.adjustments not in {None, *form.adjustable}:
        raise Invalid.field("adjustments", f"Adjustments go to one of {', '.join(form.adjustable)}.")
    if prepaid < 0:
        raise Invalid.field("special_prepayment", "Nobody prepays less than nothing.")
    if prepaid and (fault := form.prepayment_fault(*row.span, has_extension=has_extension)):
        raise Invalid.field("special_prepayment", fault)
    filled = form.fill_return({**form.report_vat(vat_to_declare(work, row.span, moved))}, asked.adjustments, prepaid)
    if filled.objection is not None:
        raise Precondition(f"The VAT return of {row.span} cannot be filed: {filled.objection}.{_way_out(filled)}")
    return filled


def _way_out(filled: VatReturn) -> str:
    return f" {FOREIGN_WAY_OUT}." if filled.has_foreign_tax else ""


def _owe(work: Work, row: VatPeriodRow, cents: int, settings: dict[str, Any]) -> int:
    debt = VatDebt(
        invoicing_date=work.today,
        due_date=row.due_date,
        amount_cents=cents,
        message=_title(row),
        sender_name=settings["finanzkasse_recipient_name"],
        sender_bank_account=settings["finanzkasse_iban"],
        receiver_name=settings["name"][:LONGEST_NAME],
    )
    debt_id = purchases.create_vat_debt(work.conn, work.business.id, debt, work.stamp)
    work.emit("purchase_invoice.created", get_purchase(work, debt_id))
    return debt_id


def _netted(moved: list[VatMovement], asked: VatFilingRequest, owed_to_others: Container[int]) -> int:
    """Return what can be netted: what the return leaves out, such as money of the tax office, is of no period.

    Nor is output VAT of the codes that are `owed_to_others`, such as customs.
    """
    return vat_sums(
        one
        for one in moved
        if (asked.adjustments != NOWHERE or one.vat_code not in _WITHOUT_VAT)
        and not (one.vat_account == AccountType.LIA_VAT and one.vat_code in owed_to_others)
    ).netted


def _net(work: Work, row: VatPeriodRow, cents: int) -> int:
    """Post the document that takes the smaller sum from both VAT accounts, on the last day, locked from the start."""
    if row.is_locked:
        # for its own netting alone; reporting locks it again in the same transaction
        vat_periods.change(work.conn, work.business.id, row.id, {"is_locked": False})
    ground = postings.ground(work.conn, work.business.id, row.end_date, ())
    if ground.is_closed:
        refuse_closed_day(work, row.end_date)
    if not ground.has_period:
        raise outside(work, row.end_date)
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
