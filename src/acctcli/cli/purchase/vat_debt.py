"""Payments of the tax of a VAT period: documents that no return counts, of what the books still owe of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from acctcli.cli.account.chart import Account, Chart, read_chart
from acctcli.cli.business.home import Home
from acctcli.cli.command.body import check
from acctcli.cli.document.moves import Booked
from acctcli.cli.document.settling import Posted, key_of_moment, money_account, post, refuse_several
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.purchase.posting import name_document
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.asked import check_asked
from acctcli.cli.report.books import Ledger
from acctcli.cli.report.shapes import Amounts
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent, Reply
from acctcli.errors import Forbidden, Incomplete, UsageError
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.document import DocumentRequest
from acctcli.models.enums import DocumentType, PurchaseSource

if TYPE_CHECKING:
    from acctcli.client.urls import Query

_NOTHING = Decimal(0)
_EVERY = Extent(limit=None)
_PART = re.compile(r"Part of Payment: (.*) \(purchase invoice (\d+)\)", re.DOTALL)


class Debt(NamedTuple):
    """The tax of a VAT period, as it was filed."""

    id: int
    amount: Decimal
    message: str
    due_date: date | None


class _Business(Home):
    account_vat_liabilities: int | None = None


class _Related(msgspec.Struct):
    related_document: int


class _Earlier(Posted):
    description: str = ""
    relations: list[_Related] = msgspec.field(default_factory=list)


class _Part(NamedTuple):
    """The purchase invoice of which a part is paid."""

    message: str
    debt_id: int


class VatPayment(Booked):
    """A document as far as it tells what was paid to the tax office, or came of it."""

    type: int = 0
    number: str | None = None
    description: str = ""

    @property
    def is_of_vat(self) -> bool:
        """Whether money moves without being in any return; a netting moves none."""
        return self.type == DocumentType.VAT and bool(self.balance) and not self.is_draft

    @property
    def is_taken_back(self) -> bool:
        """Whether a related document moves as much money the other way."""
        told = (one.related_document_summary for one in self.relations)
        return any(one and one.cents == -self.cents for one in told)

    def is_refund(self, accounts: Collection[str]) -> bool:
        """Whether it is what came of the tax office, also as an ordinary document, on `accounts` of VAT alone.

        What was taken back is none, nor is what took back a payment.
        """
        if self.is_draft or self.cents <= 0 or self.is_taken_back:
            return False
        return self.is_of_vat or -sum(map(self.moves, accounts)) == self.cents

    @property
    def part(self) -> _Part | None:
        """What it says that it pays a part of; None of what was taken back."""
        said = _PART.fullmatch(self.description)
        return _Part(said[1], int(said[2])) if said and not self.relations else None


class Rounded(NamedTuple):
    """A row of what was rounded, its amount debit positive, and its text, by which it is known again."""

    account: Account
    amount: Decimal
    text: str


class _RoundingRow(Amounts):
    amount: Decimal
    account_id: int | None = None
    description: str | None = None


class _RoundingRows(Amounts):
    debet_entries: list[_RoundingRow] | None = None
    credit_entries: list[_RoundingRow] | None = None


class _Rounding(Amounts):
    blueprint: _RoundingRows
    is_draft: bool = False

    def credited(self, account: int, text: str) -> Decimal:
        """Return what rows of a text put on an account, credit positive."""
        sides = ((1, self.blueprint.credit_entries), (-1, self.blueprint.debet_entries))
        rows = ((sign, row) for sign, some in sides for row in some or ())
        found = (sign * row.amount for sign, row in rows if (row.account_id, row.description) == (account, text))
        return rounded(sum(found, _NOTHING))


class _Named(msgspec.Struct):
    id: int


class _Other(msgspec.Struct):
    id: int
    due_date: date | None = None
    document: _Named | None = None


class _Period(msgspec.Struct):
    start_date: date
    end_date: date
    due_date: date
    purchase_invoice_id: int | None = None


_read_earlier = reader(_Earlier, "a document")
_read_rounding = reader(_Rounding, "a document")
read_payment = reader(VatPayment, "a document")
_read_other = reader(_Other, "a purchase invoice")
_read_period = reader(_Period, "a VAT period")


class _Open(NamedTuple):
    """What is open of a debt, and the documents that paid of it without its naming them."""

    amount: Decimal
    paid_by: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        return f" (paid before: {', '.join(self.paid_by)})" if self.paid_by else ""


def pay_vat(here: State, debt: Debt, day: date, account: str | None, amount: Decimal | None) -> Reply:
    """Post what the tax office was paid to the account that is for it: what is open, or a part of that.

    What an earlier run posted is not posted again. Raises UsageError for more than is open.
    """
    to, whole = _account(here), f"Payment: {debt.message} (purchase invoice {debt.id})"
    alike = _described_so(here, whole)
    if begun := [one for one in alike if one.description == whole and not one.relations]:
        here.say(f"note: document {begun[0]} was posted before; nothing more is posted")
        return name_document(here, debt.id, begun[0], is_paid=True)
    owed = _open(here, debt, to)
    paid = owed.amount if amount is None else amount
    if paid > owed.amount or not owed.amount:
        raise UsageError(
            f"{rounded(owed.amount)} is open of the {rounded(debt.amount)} of purchase invoice {debt.id}{owed.why}",
            hint=f"acctcli purchase update {debt.id} --paid"
            if not owed.amount
            else f"acctcli purchase pay {debt.id}, for all that is open",
        )
    is_part = paid < owed.amount
    title = f"Part of {whole}" if is_part else whole
    rounding = [] if is_part else _rounding(here, debt)
    rows = [{"account_id": to.id, "description": title, "vat_code": NO_VAT, "amount": paid}]
    rows += [
        {"account_id": one.account.id, "description": one.text, "vat_code": NO_VAT, "amount": one.amount}
        for one in rounding
    ]
    blueprint = {"credit_account_id": money_account(here, account), "debet_entries": rows}
    values = {"date": day, "description": title, "type": DocumentType.VAT.value, "blueprint": blueprint}
    before = {one.id for one in alike}
    base = key_of_moment(here, f"payment of VAT {debt.id}", before)
    posted = post(here, check(DocumentRequest, values), base, before)
    said = f"Document {posted} is posted: {rounded(paid)} of VAT is paid on account {to.number}"
    if is_part:
        here.say(f"{said}, and {rounded(owed.amount - paid)} is open.")
        reply = here.api.purchase_invoices.get(debt.id)
    else:
        reply = name_document(here, debt.id, posted, is_paid=True)
        rounded_off = "".join(f", {one.amount} rounded off account {one.account.number}" for one in rounding[:1])
        here.say(f"{said}{rounded_off}{owed.why}.")
    # also with a key: a bank import pays under one, and that of another user is another one
    refuse_several({one.id for one in _described_so(here, whole) if not one.relations} - before)
    return reply


def _rounding(here: State, debt: Debt) -> list[Rounded]:
    """Return the rows that take what no return asks for off the account on which VAT is owed."""
    business, chart = decoded(here.api.businesses.get(here.business()), _Business), read_chart(here)
    owed, period = chart.by_id.get(business.account_vat_liabilities or 0), _period(here, debt)
    if owed is None or period is None:
        return []
    return rounding_rows(here, chart, owed, (period.start_date, period.end_date))


def rounding_rows(here: State, chart: Chart, owed: Account, days: tuple[date, date]) -> list[Rounded]:
    """Return the rows that take off an account what bases in whole units leave of the tax booked (docs/law.md 2.3).

    What was taken off before, with the payment of a return that was corrected since, is not taken once more. None where
    the account for that is not in the chart, or some of the tax is in no box: then nothing tells how it was filed.
    """
    from acctcli.cli.vat import filing

    business = decoded(here.api.businesses.get(here.business()), _Business)
    follows = business.chart(chart.types)
    to = chart.numbered(follows.vat_rounding) if follows and follows.vat_rounding else None
    if to is None or business.law is None:
        return []
    try:
        report = filing.fetch_vat_report(here, *days)
        with filing.reading():
            filled = business.law.filing().fill_return(report, None, _NOTHING)
    except (Forbidden, Incomplete):
        return []
    text = f"VAT {days[0]} - {days[1]}"
    left = filled.rounding - _rounded_before(here, to, days[1], text)
    return [Rounded(owed, left, text), Rounded(to, -left, text)] if left and filled.objection is None else []


def _rounded_before(here: State, to: Account, since: date, text: str) -> Decimal:
    """Return what documents behind a period took off for it, by the rows that say so."""
    query: Query = {"account": to.id, "date_from": str(since)}
    every = (one for one in read_all(here.api.documents.list(query, _EVERY), _read_rounding) if not one.is_draft)
    return sum((one.credited(to.id, text) for one in every), _NOTHING)


def _described_so(here: State, title: str) -> list[_Earlier]:
    """Read the payments of a debt, whole and of parts; what is related to a document has been taken back."""
    return list(read_all(here.api.documents.list({"search": title}, _EVERY), _read_earlier))


def _account(here: State) -> Account:
    """Return the account that payments of VAT go to."""
    business, chart = decoded(here.api.businesses.get(here.business()), _Business), read_chart(here)
    found = chart.numbered(number_of_payments(business, chart) or "")
    found = found or chart.by_id.get(business.account_vat_liabilities or 0)
    if found is None:
        raise UsageError(
            "the business has no account set as account_vat_liabilities",
            hint=f"acctcli business update {here.business()} --set account_vat_liabilities=ID",
        )
    return found


def number_of_payments(business: Home, chart: Chart) -> str | None:
    """Return the number of the account that payments of VAT go to; None for the one on which it is owed."""
    follows = business.chart(chart.types)
    return follows.vat_payments if follows else None


def _open(here: State, debt: Debt, to: Account) -> _Open:
    """Return what is open of a debt: less the parts that were paid of it, and no more than the books owe of it.

    That is asked once somebody paid without saying of what: what was owed at the end of the period less what was paid
    since, but for the debts of later periods, which were owed by nothing that the period had.
    """
    period = _period(here, debt)
    if period is None:
        return _Open(debt.amount)
    end = period.end_date
    since: Query = {"account": to.id, "date_from": str(end + timedelta(days=1))}
    payments = [one for one in read_all(here.api.documents.list(since, _EVERY), read_payment) if one.is_of_vat]
    if not payments:
        return _Open(debt.amount)
    debts = {one.id: one for one in _others(here)}
    named = {one.document.id: one for one in debts.values() if one.document is not None}
    unnamed = [one for one in payments if one.id not in named]
    if sum(one.moves(to.number) for one in unnamed) <= 0:
        return _Open(debt.amount)
    own = [one for one in unnamed if one.part and _is_of(one.part, debt, debts)]
    paid = {one.id: named.get(one.id) or (debts.get(one.part.debt_id) if one.part else None) for one in payments}
    later = [one for one in payments if _is_later(paid[one.id], debt)]
    left = max(_owed_at(here, end, to) - _sum(payments, to) + _sum(later, to), _NOTHING)
    told = [one for one in unnamed if one in own or one.part is None]
    return _Open(min(debt.amount - _sum(own, to), left), tuple(one.number or str(one.id) for one in told))


def _is_of(part: _Part, debt: Debt, debts: Collection[int]) -> bool:
    """Say whether a part was paid of a debt; once its period is filed anew, the debt it names is there no more."""
    return part.debt_id == debt.id or (part.debt_id not in debts and part.message == debt.message)


def _sum(payments: Iterable[VatPayment], to: Account) -> Decimal:
    return Decimal(sum(one.moves(to.number) for one in payments)).scaleb(-2)


def _period(here: State, debt: Debt) -> _Period | None:
    """Return the VAT period of a debt."""
    for one in read_all(here.api.vat_periods.list({}, _EVERY), _read_period):
        if debt.id == one.purchase_invoice_id or debt.due_date == one.due_date:
            return one
    return None


def _others(here: State) -> Iterator[_Other]:
    query = {"import_source": PurchaseSource.VAT_PURCHASE_INVOICE.value}
    yield from read_all(here.api.purchase_invoices.list(query, _EVERY), _read_other)


def _is_later(other: _Other | None, debt: Debt) -> bool:
    if other is None or other.due_date is None or debt.due_date is None:
        return False
    return other.due_date > debt.due_date


def _owed_at(here: State, day: date, to: Account) -> Decimal:
    """Return what the accounts of VAT that is owed, and of its payments, hold at the end of a day."""
    business, chart = decoded(here.api.businesses.get(here.business()), _Business), read_chart(here)
    owed = chart.by_id.get(business.account_vat_liabilities or 0)
    numbers = {to.number} | ({owed.number} if owed else set())
    column = {"date_from": day.isoformat(), "date_to": day.isoformat()}
    ledger = Ledger(here.api.ledger(day, day, partial(check_asked, "ledger", [column])))
    closing = (part.sums.balance for part in ledger if part.is_last and part.account.number in numbers)
    return -sum(map(rounded, closing), _NOTHING)
