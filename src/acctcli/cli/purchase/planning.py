"""What an import of e-invoices is going to do: what is there already, the account of each, and its document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from acctcli.banking.checks import compact
from acctcli.cli.account.chart import Account, Chart, read_chart
from acctcli.cli.account.rates import rates_on
from acctcli.cli.command.body import check
from acctcli.cli.document.bodies import Made
from acctcli.cli.file.uploads import has_content
from acctcli.cli.output.replies import decoded
from acctcli.cli.purchase.known import Known, Sender, find_same, last_account
from acctcli.cli.purchase.posting import Unposted, document_of
from acctcli.cli.purchase.reading import Bill
from acctcli.cli.purchase.vat_of import Cost, rows_of
from acctcli.cli.session.state import State
from acctcli.einvoice.incoming.model import InvoiceFault, Payment
from acctcli.errors import UsageError
from acctcli.models.purchase_invoice import PurchaseInvoiceRequest

THERE = "already there"
PLANNED = (
    "file",
    "sender_name",
    "invoice_number",
    "invoicing_date",
    "due_date",
    "account",
    "vat",
    "amount",
    "text",
    "reason",
)
_CURRENCY, _STANDARD = "EUR", "standard"
_NAME, _REFERENCE, _MESSAGE = 128, 32, 140


class _Identifier(msgspec.Struct):
    type: str
    value: str


class _Business(msgspec.Struct):
    country: str | None = None
    account_vat_receivables: int | None = None
    identifiers: list[_Identifier] = []

    @property
    def vat_ids(self) -> set[str]:
        return {compact(one.value) for one in self.identifiers if one.type == "vat_code"}

    @property
    def seller_ids(self) -> set[str]:
        """The VAT ids that it sells under: a Y-tunnus is one behind the code of the country."""
        digits = (one.value.replace("-", "") for one in self.identifiers if one.type == "y_tunnus")
        return self.vat_ids | {f"{self.country}{one}" for one in digits}


class Plan(NamedTuple):
    """What is to be done with an e-invoice: nothing where `there` stands and is no part of it.

    `made` is its document, `account` what it is posted on; `begun` says that `there` is what an earlier run left.
    """

    bill: Bill
    there: Known | None = None
    begun: bool = False
    account: Account | None = None
    made: Made | None = None


class Planner:
    """Finds out what is to be done with each invoice; without an account it is that of the sender's last one."""

    def __init__(self, here: State, account: str | None) -> None:
        self._here = here
        self._chart: Chart = read_chart(here)
        self._given = None if account is None else self._chart.find(account, "--account")
        self._business = decoded(here.api.businesses.get(here.business()), _Business)
        self._seen: dict[tuple[str, str], Plan] = {}

    def plan(self, bills: Sequence[Bill]) -> list[Plan]:
        """Return what is to be done with each; raise UsageError for what cannot be posted."""
        plans = []
        for bill in bills:
            try:
                self._check_parties(bill)
                plans.append(self._plan(bill))
            except InvoiceFault as fault:
                raise bill.told(fault) from None
            except UsageError as problem:
                problem.message = f"{bill.name}: {problem.message}"
                raise
        return plans

    def _check_parties(self, bill: Bill) -> None:
        """Raise InvoiceFault for an invoice that the business sent itself, or that another one is to pay."""
        invoice, own = bill.invoice, self._business.vat_ids
        if invoice.currency != _CURRENCY:
            raise InvoiceFault(f"is {invoice.currency}: books are in {_CURRENCY}", None, invoice.names["currency"])
        if invoice.issued > self._here.today():
            raise InvoiceFault(f"{invoice.issued} is yet to come", None, invoice.names["issued"])
        if compact(invoice.seller.vat_id) in self._business.seller_ids:
            raise InvoiceFault("is the business's own: this is a sale", None, invoice.names["seller_vat"])
        if own and invoice.buyer.vat_id and compact(invoice.buyer.vat_id) not in own:
            raise InvoiceFault(
                f"{invoice.buyer.vat_id} is another buyer: the business is {', '.join(sorted(own))}",
                None,
                invoice.names["buyer_vat"],
            )

    def _plan(self, bill: Bill) -> Plan:
        invoice, sender = bill.invoice, Sender(bill.invoice.seller.name, bill.invoice.seller.vat_id)
        key = (compact(sender.vat_id or sender.name or ""), compact(invoice.number))
        if key in self._seen:
            raise UsageError(f"it is the same invoice as {self._seen[key].bill.name}: number {invoice.number}")
        there = find_same(self._here, sender, invoice.number)
        begun = there is not None and self._is_begun(bill, there)
        plan = Plan(bill, there, begun)
        if there is None or begun:
            account = self._given or self._last(sender)
            plan = plan._replace(account=account, made=self._document(bill, account))
        self._seen[key] = plan
        return plan

    def _last(self, sender: Sender) -> Account:
        last = last_account(self._here, sender)
        self._here.say(f"note: account {last.account}, as purchase invoice {last.purchase} has it")
        return last.account

    def _is_begun(self, bill: Bill, there: Known) -> bool:
        """Whether an invoice that no document books is what an earlier run left of this file."""
        file = there.original_attachment
        if there.document is not None or file is None or file.name != bill.upload.name:
            return False
        return has_content(self._here, file.file, bill.upload)

    def _document(self, bill: Bill, account: Account) -> Made:
        invoice = bill.invoice
        rates = rates_on(self._here, lambda: invoice.delivered or invoice.issued)
        cost = Cost(
            account,
            self._business.account_vat_receivables,
            self._business.country or "",
            lambda label: rates(label or _STANDARD),
        )
        planned = Unposted(id=0, invoicing_date=invoice.issued, amount=invoice.sums.payable)
        body_of(bill, None)
        return document_of(self._here, planned, list(rows_of(invoice, cost)), invoice.issued, None)

    def rows(self, plan: Plan) -> Iterator[dict[str, object]]:
        """Yield the rows that would be posted of an invoice, or one that says that it is there."""
        invoice = plan.bill.invoice
        head: dict[str, object] = {
            "file": plan.bill.name,
            "sender_name": invoice.seller.name,
            "invoice_number": invoice.number,
            "invoicing_date": invoice.issued,
            "due_date": invoice.due,
        }
        if plan.made is None:
            assert plan.there is not None
            yield {**dict.fromkeys(PLANNED), **head, "amount": plan.there.amount, "reason": f"{THERE}: {plan.there.id}"}
            return
        blueprint = plan.made.body.blueprint
        for row in blueprint.debet_entries or ():
            account = self._chart.by_id.get(row.account_id or 0)
            vat = f"{row.vat_code}/{row.vat_rate.normalize():f}" if row.vat_rate else str(row.vat_code)
            told = {"account": account and account.number, "vat": vat, "amount": row.amount, "text": row.description}
            yield {
                **dict.fromkeys(PLANNED),
                **head,
                **told,
                "reason": f"goes on: {plan.there.id}" if plan.there else None,
            }


def body_of(bill: Bill, file: int | None) -> PurchaseInvoiceRequest:
    """Return the purchase invoice of an e-invoice; its file is the one of the id, once that is there."""
    invoice = bill.invoice
    values: dict[str, Any] = {
        "invoice_number": invoice.number,
        "invoicing_date": invoice.issued,
        "due_date": invoice.due,
        "sender_vat": compact(invoice.seller.vat_id),
        "sender_name": invoice.seller.name[:_NAME],
        "sender_bank_account": compact(invoice.payment.iban),
        "sender_bank_bic": compact(invoice.payment.bic),
        "receiver_vat": compact(invoice.buyer.vat_id),
        "receiver_name": invoice.buyer.name[:_NAME],
        **_told_to_payee(invoice.payment),
        "amount": invoice.sums.payable,
        "currency": invoice.currency,
        "import_source": "UPLOAD",
        "original_attachment": None if file is None else {"id": file},
    }
    # what the invoice does not say stays unsaid
    return check(PurchaseInvoiceRequest, {name: value for name, value in values.items() if value not in (None, "")})


def _told_to_payee(payment: Payment) -> dict[str, str]:
    """Return reference and message; words that are too long for a reference are a message."""
    words = payment.reference
    if len(words) <= _REFERENCE:
        return {"reference": words, "message": payment.message[:_MESSAGE]}
    return {"message": (payment.message or words)[:_MESSAGE]}
