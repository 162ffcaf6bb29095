"""What somebody should look at: numbers left out, drafts, days outside of periods, receipts, clearing, receivables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import suppress
from decimal import Decimal
from itertools import pairwise

import msgspec

from acctcli.banking.payments.identity import payment_ids
from acctcli.banking.statements.identity import TAG as LINE
from acctcli.cli.check.books import EVERY, Books, Document, documents, serial_of
from acctcli.cli.check.findings import Finding
from acctcli.cli.document.accruing import TAG
from acctcli.cli.document.moves import Booked
from acctcli.cli.document.reversing import REVERSAL
from acctcli.cli.invoice.standing import ACCEPTED, LOST, PAID, open_of, read_invoice
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.purchase.debts import Debts
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.shapes import Amounts
from acctcli.cli.session.state import State
from acctcli.cli.vat import filing
from acctcli.errors import NotFound
from acctcli.models.enums import DocumentType

NUMBERS, DRAFTS, DAYS = "numbers", "drafts", "periods"
RECEIPTS, CLEARING, RECEIVABLES, PAYABLES = "receipts", "clearing", "receivables", "payables"
UNCLAIMED = "unclaimed money"
# how accounts that only pass something on are called, in the languages of the charts
CLEARING_WORDS = ("clearing", "selvitt", "avräkn", "verrechnung", "geldtransit", "in transit", "durchlaufend")
MOST_NAMED = 10
# what only passes between these is proved by the statement of the bank, or by the invoice
_PROVED_ELSEWHERE = {"ASS_PAY", "ASS_DUE", "LIA_DUE", "ASS_VAT", "LIA_VAT"}


class _Balance(Amounts):
    balance: Decimal


class _Opening(Amounts):
    opening_balance: Decimal


class _Payment(Booked):
    number: str | None = None


class _Deleted(msgspec.Struct):
    data: dict[str, msgspec.Raw] = {}


_read_payment = reader(_Payment, "a document")
_read_deleted = reader(_Deleted, "a record of the audit trail")


def check_numbers(here: State, books: Books) -> Iterator[Finding]:
    """Name the numbers that documents and invoices leave out; of a document that was deleted the trail tells."""
    days = [day for day, (highest, count) in books.serials.items() if highest != count]
    deleted = _deleted(here) if days else {}
    for day in sorted(days):
        given = {document.number for document in documents(here, search=f"{day}-")} | deleted.get(day, set())
        for missing in _left_out({serial for one in given if one and (serial := serial_of(one, day)) is not None}):
            problem = "no document has this number, and none that had it was deleted"
            yield Finding(NUMBERS, f"document {day}-{missing}", problem, "acctcli audit list --type document.deleted")
    for missing in _left_out({one.invoice_number for one in books.invoices if one.invoice_number is not None}):
        yield Finding(NUMBERS, f"invoice {missing}", "no invoice has this number", "acctcli invoice list --all")


def _left_out(given: Collection[int]) -> Iterator[str]:
    """Yield the numbers from 1 on that are not given; very many that follow each other as the first and the last."""
    for before, after in pairwise([0, *sorted(one for one in given if one > 0)]):
        if after - before - 1 > MOST_NAMED:
            yield f"{before + 1} to {after - 1}"
        else:
            yield from map(str, range(before + 1, after))


def _deleted(here: State) -> dict[str, set[str]]:
    """Return the numbers of documents that the trail says were deleted, by the days in them."""
    found: dict[str, set[str]] = defaultdict(set)
    if here.is_local_service:
        listing = here.api.audit.list({"type": "document.deleted"}, EVERY)
        for number in (record.data.get("number") for record in read_all(listing, _read_deleted)):
            if number and bytes(number) != b"null":
                text = msgspec.json.decode(number, type=str)
                found[text.rpartition("-")[0]].add(text)
    return found


def check_drafts(here: State, books: Books) -> Iterator[Finding]:
    """Name what was begun and never posted, and invoices that were never accepted."""
    del here
    for document in books.drafts:
        remedy = f"acctcli document update {document.id} --posted"
        if document.lacks_account and LINE.search(document.description):
            remedy = "acctcli bank review"
        for payment in payment_ids(document.description):
            remedy = f"acctcli bank confirm FILE, with what the bank says of {payment}"
        yield Finding(DRAFTS, document.name, f"a draft of {document.date} that is not posted", remedy)
    for invoice in books.invoices:
        if invoice.status == "DRAFT":
            remedy = f"acctcli invoice accept {invoice.id}"
            yield Finding(DRAFTS, f"draft invoice {invoice.id}", "it is not accepted", remedy)


def check_days(here: State, books: Books) -> Iterator[Finding]:
    """Name posted documents on days that no accounting period has."""
    del here
    for document in books.outside:
        problem = f"no accounting period has its day, {document.date}"
        yield Finding(DAYS, f"document {document.name}", problem, "acctcli period create")


def check_receipts(here: State, books: Books) -> Iterator[Finding]:
    """Name documents without a file that nothing else proves, as an invoice does what books it."""
    invoices = {invoice.friendly_name for invoice in books.invoices}
    lacking = [one for one in books.without_receipt if one.description not in invoices and _needs_receipt(one, books)]
    if not books.keeps_receipts:
        if lacking:
            here.say("no document has a file: receipts are kept elsewhere, and were not looked for")
        return
    for document in lacking:
        problem = f"it has no receipt ({document.description or document.date})"
        remedy = f"acctcli file upload FILE, then acctcli document attach {document.id} ID"
        yield Finding(RECEIPTS, f"document {document.name}", problem, remedy)


def _needs_receipt(document: Document, books: Books) -> bool:
    """Say whether a document is proved by a receipt alone: payments are not, nor what is worked out."""
    accounts = (books.chart.numbered(row.account_number) for row in document.entry_ui_rows)
    is_between = {account and account.type for account in accounts} <= _PROVED_ELSEWHERE
    # what takes an accrual back: that has the receipt
    takes_back = document.description.startswith(REVERSAL) and TAG.search(document.description)
    return document.type == DocumentType.NORMAL and not takes_back and not is_between


def check_clearing(here: State, books: Books) -> Iterator[Finding]:
    """Name accounts that only pass something on and hold something."""
    for account in books.chart.by_id.values():
        if not any(word in account.name.casefold() for word in CLEARING_WORDS):
            continue
        balance = Decimal(0)
        with suppress(NotFound):  # deleted since
            balance = decoded(here.api.accounts.get(account.id), _Balance).balance
        if balance:
            problem = f"{account.name} holds {rounded(balance)}: something on it has no counterpart"
            yield Finding(CLEARING, f"account {account.number}", problem, f"acctcli account statement {account.number}")


def check_receivables(here: State, books: Books) -> Iterator[Finding]:
    """Compare the account of trade receivables with the open invoices, where accepting an invoice posts to it."""
    account = books.chart.by_id.get(books.settings.account_trade_receivables or 0)
    is_kept = books.settings.has_accrual_based_entries_for_invoicing
    if account is None or not is_kept or not any(one.invoice_number for one in books.invoices):
        return
    listed = read_all(here.api.invoices.list({"status": [ACCEPTED, PAID, LOST]}, EVERY), read_invoice)
    # what is beside the books, from before they were kept by claims, is open all the same
    accepted = [one for one in listed if one.claim is not None]
    claimed = rounded(sum(open_of(here, accepted).values(), Decimal(0)))
    # earlier claims may stand on another account than those of today
    earlier = {one.claim.blueprint.debet_account_id for one in accepted if one.claim is not None}
    ids = [account.id, *sorted(one for one in earlier if one is not None and one != account.id)]
    balance = rounded(sum((decoded(here.api.accounts.get(one), _Balance).balance for one in ids), Decimal(0)))
    if balance != claimed:
        named = ", ".join(books.chart.by_id[one].number if one in books.chart.by_id else str(one) for one in ids)
        problem = f"it holds {balance}, the open invoices come to {claimed}"
        yield Finding(RECEIVABLES, f"account {named}", problem, "acctcli invoice aging")


def check_payables(here: State, books: Books) -> Iterator[Finding]:
    """Name purchase invoices that say that they are paid, and are open by the books."""
    del books
    yield from contradicted(Debts(here, here.today()))


def contradicted(debts: Debts) -> Iterator[Finding]:
    """Name purchase invoices that say that they are paid, which the books do not bear out."""
    for one, amount in debts.contradicted:
        problem = f"{one.title} says that it is paid, and {amount} of it is open by the books"
        remedy = f"acctcli purchase unpay {one.id}; or relate its payment: acctcli document relation create"
        yield Finding(PAYABLES, f"purchase invoice {one.id}", problem, remedy)


def check_unclaimed(here: State, books: Books) -> Iterator[Finding]:
    """Name money of customers that no claim of theirs takes, related or not: VAT of what is prepaid is owed at once.

    Where VAT follows payments, the report tells of it, and of money that went back.
    """
    if filing.fetch_business(here).is_on_payment_basis:
        yield from _untold(here, books)
        return
    account = books.chart.by_id.get(books.settings.account_trade_receivables or 0)
    if account is None:
        return
    moved: dict[int | None, int] = defaultdict(int)
    payments: dict[int | None, list[_Payment]] = defaultdict(list)
    for one in read_all(here.api.documents.list({"account": account.id}, EVERY), _read_payment):
        if not one.is_draft:
            moved[one.contact_id] += one.moves(account.number)
            if one.balance > 0 and one.moves(account.number) < 0 and not one.relations:
                payments[one.contact_id].append(one)
    moved[None] += int(rounded(decoded(here.api.accounts.get(account.id), _Opening).opening_balance).scaleb(2))
    for contact, paid in payments.items():
        # whoever is not named may have paid for anybody, and what is claimed of nobody may be paid by anybody
        others = sum(cents for other, cents in moved.items() if (other is None) != (contact is None) and cents > 0)
        left = min(-moved[contact] - others, -sum(one.moves(account.number) for one in paid))
        if left > 0:
            names = ", ".join(one.number or str(one.id) for one in paid[:MOST_NAMED])
            problem = f"no claim takes {Decimal(left).scaleb(-2)} of this money: VAT of what is prepaid is owed at once"
            remedy = f"acctcli document correct {paid[0].id}, with the VAT code and rate of the sale"
            yield Finding(UNCLAIMED, f"document {names}", problem, remedy)


def _untold(here: State, books: Books) -> Iterator[Finding]:
    if not books.periods:
        return
    report = filing.fetch_vat_report(here, books.periods[0].start_date, books.periods[-1].end_date)
    for one in report["unclaimed_money"] or ():
        problem = f"no claim takes {rounded(one.amount)} of this money: VAT of what is prepaid is owed at once"
        remedy = (
            f"acctcli document relation create {one.document_id}, to what it pays, or to its sale where that was lost; "
            f"what is prepaid: acctcli document correct {one.document_id}, with the VAT code and rate of the sale"
        )
        yield Finding(UNCLAIMED, f"document {one.number}", problem, remedy)
    for one in report["returned_money"] or ():
        problem = f"nothing tells which sale {rounded(one.amount)} of this money is given back of: no VAT is"
        remedy = f"acctcli document relation create {one.document_id}, to its credit note or claim"
        yield Finding(UNCLAIMED, f"document {one.number}", problem, remedy)
