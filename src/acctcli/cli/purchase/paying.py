"""Payments of purchase invoices: a document that is related to the one that books the invoice."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from acctcli.banking.payments.identity import PREFIX
from acctcli.cli.account.chart import Account, read_chart
from acctcli.cli.command.body import check
from acctcli.cli.command.many import key_of_one
from acctcli.cli.document.mirrors import read_shown, reversal_of
from acctcli.cli.document.moves import Booked
from acctcli.cli.document.settling import (
    Posted,
    key_of_moment,
    money_account,
    post_once,
    refuse_others,
    relate,
    settled_by,
)
from acctcli.cli.output.replies import decoded
from acctcli.cli.purchase.debts import by_account, debt_account, every_purchase, open_now
from acctcli.cli.purchase.handed import Handed, read_handed
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.shapes import Amounts
from acctcli.cli.session.state import State
from acctcli.client.messages import Reply
from acctcli.errors import UsageError
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.base import partial
from acctcli.models.document import DocumentRequest
from acctcli.models.enums import PurchaseSource
from acctcli.models.purchase_invoice import PurchaseInvoiceRequest

_LONGEST = 256


class _Purchase(Amounts):
    id: int
    is_paid: bool = False
    sender_name: str | None = None
    invoice_number: str | None = None
    document: Booked | None = None
    amount: Decimal = Decimal(0)
    import_source: str | None = None
    message: str | None = None
    due_date: date | None = None

    @property
    def is_vat(self) -> bool:
        """Whether it is the tax of a VAT period, which is owed in the books already."""
        return self.import_source == PurchaseSource.VAT_PURCHASE_INVOICE

    @property
    def title(self) -> str:
        return f"Payment: {self._words}"[:_LONGEST]

    @property
    def refund_title(self) -> str:
        return f"Refund: {self._words}"[:_LONGEST]

    @property
    def _words(self) -> str:
        words = " ".join(filter(None, (self.sender_name, self.invoice_number)))
        return words or f"purchase invoice {self.id}"


class Said(NamedTuple):
    """What somebody says of a payment; `is_over` where more than is open is meant."""

    day: date | None
    account: str | None
    amount: Decimal | None
    is_over: bool = False


class _Debt(NamedTuple):
    """A debt in the books: its document, its account, and what was related to it `before` anything is posted."""

    document: Booked
    account: Account
    before: set[int]


def pay(here: State, purchase_id: int, said: Said) -> Reply:
    """Post a payment of what is open, or of an amount, and return the invoice: paid when nothing is left.

    Raises UsageError where nothing is open, or less than is paid and that was not meant, and where the invoice is not
    in the books but something is said of that.
    """
    purchase, debt = _read(here, purchase_id)
    if purchase.is_vat and purchase.is_paid:
        raise _settled(purchase)
    if purchase.is_vat and purchase.document is None:
        from acctcli.cli.purchase.vat_debt import Debt, pay_vat

        debt_of_vat = Debt(purchase.id, rounded(purchase.amount), purchase.message or "VAT", purchase.due_date)
        return pay_vat(here, debt_of_vat, said.day or here.day("--date"), said.account, said.amount)
    if debt is None:
        return _say_paid(here, purchase, said)
    owed = _open(here, debt.document, debt.account)
    if not owed and purchase.is_paid:
        raise _settled(purchase)
    if not owed:
        _refuse_reversed(here, purchase, debt)
    _check_amount(purchase, owed, said)
    paid = _post(here, purchase, debt, owed, said) if owed else Decimal(0)
    if paid:
        _say_handed_over(here, purchase.id)
    return _ended(here, purchase, debt, is_settled=paid >= owed)


def _read(here: State, purchase_id: int) -> tuple[_Purchase, _Debt | None]:
    """Read an invoice and its debt; None where it is no debt in the books.

    The invoice once more after what settles it: a payment in between would be known as one, and it as open.
    """
    purchase = decoded(here.api.purchase_invoices.get(purchase_id), _Purchase)
    if purchase.document is None:
        return purchase, None
    before = {one.related_document for one in settled_by(here, purchase.document.id)}
    purchase = decoded(here.api.purchase_invoices.get(purchase_id), _Purchase)
    account = None if purchase.document is None else debt_account(read_chart(here), purchase.document)
    if purchase.document is None or account is None:
        return purchase, None
    return purchase, _Debt(purchase.document, account, before)


def pay_noted(here: State, one: Handed, day: date, base: str) -> bool:
    """Post the payment of a file that the bank has made on a day, and relate it: the invoice is paid when all is.

    Say whether anything had to be done: what an earlier run posted is not posted again (docs/payments.md 3). Raises
    UsageError where less is open than was paid, and Incomplete where somebody else paid it at the same moment.
    """
    purchase = decoded(here.api.purchase_invoices.get(one.id.purchase), _Purchase)
    debt = None if purchase.document is None else debt_account(read_chart(here), purchase.document)
    if purchase.document is None or debt is None:
        raise UsageError(f"purchase invoice {purchase.id} is no debt in the books any more")
    owed, paid = _open(here, purchase.document, debt), Decimal(one.cents).scaleb(-2)
    if one.is_draft:
        if owed < paid:
            raise UsageError(f"{owed} is open of purchase invoice {purchase.id}, and {paid} is paid: is it paid twice?")
        posted = check(partial(DocumentRequest), {"is_draft": False, "date": day})
        here.api.documents.update(one.document, posted)
    is_related = purchase.document.id in one.related
    if not is_related:
        title = f"document {purchase.document.id}, which books the invoice"
        relate(here, Posted(one.document), purchase.document.id, key_of_one(base, f"{one.id} {one.document}"), title)
        owed -= paid
    is_said = not owed and not purchase.is_paid
    if is_said:
        set_paid(here, purchase.id, is_paid=True)
    if not is_related:
        refuse_others(here, [purchase.document.id], {other.related_document for other in purchase.document.relations})
    return is_said or one.is_draft or not is_related


def refund(here: State, purchase_id: int, said: Said) -> Reply:
    """Post what a supplier gave back of what was credited or paid too much, and return the invoice.

    Raises UsageError where the supplier owes nothing, or less than that, by the books.
    """
    purchase, debt = _read(here, purchase_id)
    if debt is None:
        raise UsageError(
            f"purchase invoice {purchase_id} is no debt in the books: nothing tells what the supplier owes",
            hint="post what was given back as what it is: acctcli document create",
        )
    due = -_open(here, debt.document, debt.account)
    if due <= 0 or (said.amount or due) > due:
        raise UsageError(
            f"the supplier owes {max(due, Decimal(0))} of purchase invoice {purchase_id} by the books",
            hint="post what was given back beyond that as what it is: acctcli document create"
            if due > 0
            else f"acctcli purchase get {purchase_id}",
        )
    back = _post(here, purchase, debt, -due, said)
    return _ended(here, purchase, debt, is_settled=back == due)


def _ended(here: State, purchase: _Purchase, debt: _Debt, *, is_settled: bool) -> Reply:
    """Return an invoice as it is then, said to be paid when it is; raise Incomplete where another one paid it, too."""
    if is_settled and not purchase.is_paid:
        reply = set_paid(here, purchase.id, is_paid=True)
    else:
        reply = here.api.purchase_invoices.get(purchase.id)
    if here.options.idempotency_key is None:
        refuse_others(here, [debt.document.id], debt.before)
    return reply


def _say_handed_over(here: State, purchase_id: int) -> None:
    """Say that a file for the bank has the invoice, too: the money would leave twice (docs/payments.md 2)."""
    for one in read_handed(here, {"is_draft": True, "search": PREFIX}):
        if one.purchase == purchase_id:
            here.say(
                f"note: {one} pays it, too, and may be at the bank; if the bank has not got it: "
                f"acctcli purchase withdraw {one.file} {purchase_id}"
            )


def _check_amount(purchase: _Purchase, owed: Decimal, said: Said) -> None:
    if owed < 0:
        raise UsageError(
            f"the supplier owes {-owed} of purchase invoice {purchase.id}: it cannot be paid",
            hint=f"what was given back: acctcli purchase refund {purchase.id}",
        )
    if said.amount is not None and said.amount > owed and not said.is_over:
        raise UsageError(
            f"purchase invoice {purchase.id} has {owed} open, and {said.amount} is more",
            hint="give --overpaid if that much was paid; acctcli purchase refund posts what comes back",
        )


def _refuse_reversed(here: State, purchase: _Purchase, debt: _Debt) -> None:
    """Raise UsageError for a debt that is none as its document was taken back, and nothing else came of it."""
    document = read_shown(here.api.documents.get(debt.document.id)) if len(debt.before) == 1 else None
    mirror = None if document is None else reversal_of(here, document)
    if document is not None and mirror is not None:
        raise UsageError(
            f"{document.called} books purchase invoice {purchase.id}, and {mirror.called} takes it back: nothing is "
            "open",
            hint=f"to book it anew: acctcli purchase update {purchase.id} --set document=null; acctcli purchase post "
            f"{purchase.id} --account NUMBER",
        )


def _settled(purchase: _Purchase) -> UsageError:
    return UsageError(
        f"purchase invoice {purchase.id} is paid: nothing is open", hint=f"acctcli purchase get {purchase.id}"
    )


def set_paid(here: State, purchase_id: int, *, is_paid: bool) -> Reply:
    """Say that an invoice is paid, or that it is not."""
    return here.api.purchase_invoices.update(purchase_id, partial(PurchaseInvoiceRequest)(is_paid=is_paid))


def unpay_open(here: State, documents: Collection[int]) -> bool:
    """Say of invoices that these documents book that they are not paid, where the books have them open; if any was."""
    booked = [one for one in every_purchase(here, is_paid=True) if one.booked and one.booked.id in documents]
    is_any = False
    for account, debts in by_account(read_chart(here), (one for one in booked if not one.is_tax)):
        opens = open_now(here, account, [document for _, document in debts])
        for one, document in debts:
            # what was paid too much is no debt
            if opens[document.id] * document.moves(account.number) > 0:
                set_paid(here, one.id, is_paid=False)
                here.say(f"note: purchase invoice {one.id} ({one.title}) is open again.")
                is_any = True
    return is_any


def _say_paid(here: State, purchase: _Purchase, said: Said) -> Reply:
    """Say that an invoice is paid whose debt is not in the books."""
    where = "no document books it" if purchase.document is None else "its document took the money at once"
    if said != Said(None, None, None):
        raise UsageError(
            f"purchase invoice {purchase.id} is no debt in the books: {where}",
            hint=f"acctcli purchase post {purchase.id} --account NUMBER"
            if purchase.document is None
            else f"acctcli purchase pay {purchase.id}",
        )
    reply = set_paid(here, purchase.id, is_paid=True)
    if purchase.document is None:
        here.say(f"Purchase invoice {purchase.id} is said to be paid; no document books it.")
    return reply


def _open(here: State, document: Booked, debt: Account) -> Decimal:
    """Return what is open of a debt; negative where the supplier owes."""
    return Decimal(-open_now(here, debt, [document])[document.id]).scaleb(-2)


def _post(here: State, purchase: _Purchase, debt: _Debt, owed: Decimal, said: Said) -> Decimal:
    """Post a payment, or what a supplier gives back, and return how much it is."""
    paid = abs(owed) if said.amount is None else said.amount
    title = purchase.title if owed > 0 else purchase.refund_title
    rows = [{"account_id": debt.account.id, "description": title, "vat_code": NO_VAT, "amount": paid}]
    money = money_account(here, said.account)
    blueprint: dict[str, Any] = (
        {"credit_account_id": money, "debet_entries": rows}
        if owed > 0
        else {"debet_account_id": money, "credit_entries": rows}
    )
    values = {"date": said.day or here.day("--date"), "description": title, "blueprint": blueprint}
    base = key_of_moment(here, f"payment of debt {debt.document.id}", debt.before)
    posted = post_once(here, check(DocumentRequest, values), base, debt.before)
    relate(here, posted, debt.document.id, base, f"document {debt.document.id}, which books the invoice")
    here.say(f"Document {posted} is posted, and related to what books purchase invoice {purchase.id}.")
    return paid
