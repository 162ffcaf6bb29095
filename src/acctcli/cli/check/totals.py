"""Every total by a second way: entries of the journal against ledger, statements, VAT report and balances kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

from acctcli.cli.check.books import Books, Period
from acctcli.cli.check.findings import Finding, caught
from acctcli.cli.output.replies import decoded
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.asked import check_asked
from acctcli.cli.report.asking import Ask
from acctcli.cli.report.checks import (
    check_balance_sheet,
    check_balances,
    check_document,
    check_income_statement,
    check_vat,
)
from acctcli.cli.report.shapes import Amounts, JournalDocument, LedgerAccount, Statement, VatReport, decode
from acctcli.cli.session.state import State

TOTALS = "totals"
ZERO = Decimal(0)
# account number -> debit, credit
Moved = dict[str, tuple[Decimal, Decimal]]


class _Account(Amounts):
    balance: Decimal
    opening_balance: Decimal
    type: str


def check_totals(here: State, books: Books) -> Iterator[Finding]:
    """Compare all that reports and accounts say with the entries of the journal, period by period."""
    found: list[Finding] = []
    ever: defaultdict[str, Decimal] = defaultdict(lambda: ZERO)
    for period in books.periods:
        moved = _check_journal(here, period, found)
        _check_period(here, period, moved, found)
        for number, (debit, credit) in moved.items():
            ever[number] += debit - credit
    if not books.outside:
        _check_accounts(here, books, ever, found)
    yield from found


def _column(period: Period) -> dict[str, Any]:
    return {"date_from": period.start_date.isoformat(), "date_to": period.end_date.isoformat()}


def _check_journal(here: State, period: Period, found: list[Finding]) -> Moved:
    """Add up the entries of a period, document by document; return what each account moved."""
    moved: defaultdict[str, tuple[Decimal, Decimal]] = defaultdict(lambda: (ZERO, ZERO))
    for page in Ask(here).stream("journal", [_column(period)], "documents"):
        for raw in page:
            document = decode(raw, JournalDocument)
            with caught(found, TOTALS, f"document {document.number}", f"acctcli document get {document.document_id}"):
                check_document(document)
            for entry in document.entries:
                debit, credit = moved[entry.account_number or ""]
                moved[entry.account_number or ""] = debit + (entry.debet or ZERO), credit + (entry.credit or ZERO)
    return moved


def _check_period(here: State, period: Period, moved: Moved, found: list[Finding]) -> None:
    column, ask = _column(period), Ask(here, accounts=True)
    days = f"--from {period.start_date} --to {period.end_date}"
    closing = _check_ledger(here, period, moved, found)
    income = decoded(ask("income-statement", [column]), Statement)
    sheet = decoded(ask("balance-sheet", [{"date_at": period.end_date.isoformat()}]), Statement)
    with caught(found, TOTALS, f"income statement {period}", f"acctcli report income-statement {days}"):
        check_income_statement(income)
    with caught(found, TOTALS, f"balance sheet {period.end_date}", "acctcli report balance-sheet"):
        check_balance_sheet(sheet)
    with caught(found, TOTALS, f"VAT report {period}", f"acctcli report vat {days}"):
        check_vat(decoded(Ask(here)("vat-report", [column]), VatReport))
    earned = {number: credit - debit for number, (debit, credit) in moved.items()}
    _compare(found, "income statement", _accounts(income), earned, f"acctcli report income-statement {days}")
    _compare(found, "balance sheet", _accounts(sheet), closing, f"acctcli report ledger {days}")


def _check_ledger(here: State, period: Period, moved: Moved, found: list[Finding]) -> dict[str, Decimal]:
    """Compare the ledger of a period with what its entries moved; return what accounts close with, by either sign."""
    closing: dict[str, Decimal] = {}
    check = partial(check_asked, "ledger", [_column(period)])
    told = dict.fromkeys(moved, (ZERO, ZERO))
    for page in here.api.ledger(period.start_date, period.end_date, check):
        for raw in page:
            account = decode(raw, LedgerAccount)
            with caught(found, TOTALS, f"account {account.number}", f"acctcli account statement {account.number}"):
                debit, credit, balance = check_balances(account)
                closing[account.number] = balance
                told[account.number] = debit, credit
    for number, sides in told.items():
        if sides != moved.get(number, (ZERO, ZERO)) and number:
            problem = (
                f"the ledger of {period} moves {_told(sides)}, the journal {_told(moved.get(number, (ZERO, ZERO)))}"
            )
            remedy = f"acctcli account statement {number}"
            found.append(Finding(TOTALS, f"account {number}", problem, remedy, is_fault=True))
    return closing


def _told(sides: tuple[Decimal, Decimal]) -> str:
    return f"{rounded(sides[0])} in debit and {rounded(sides[1])} in credit"


def _accounts(sheet: Statement) -> dict[str, Decimal]:
    return {one.number: one.values[0] for row in sheet.rows for one in row.accounts or () if one.number}


def _compare(
    found: list[Finding], report: str, stated: Mapping[str, Decimal], computed: Mapping[str, Decimal], remedy: str
) -> None:
    """Compare the accounts of a statement with the same by another way; signs are those of each report."""
    for number, value in stated.items():
        other = computed.get(number, ZERO)
        if abs(rounded(value)) != abs(rounded(other)):
            problem = f"the {report} says {rounded(value)}, its entries come to {rounded(other)}"
            found.append(Finding(TOTALS, f"account {number}", problem, remedy, is_fault=True))


def _check_accounts(here: State, books: Books, ever: Mapping[str, Decimal], found: list[Finding]) -> None:
    """Compare the balance that each account shows with its opening balance and all that was posted to it."""
    for account in books.chart.by_id.values():
        if not ever.get(account.number):
            continue
        shown = decoded(here.api.accounts.get(account.id), _Account)
        net = ever[account.number]
        computed = shown.opening_balance + (net if shown.type.startswith(("ASS", "EXP")) else -net)
        if rounded(shown.balance) != rounded(computed):
            problem = f"it shows a balance of {rounded(shown.balance)}, its entries come to {rounded(computed)}"
            remedy = f"acctcli account statement {account.number}"
            found.append(Finding(TOTALS, f"account {account.number}", problem, remedy, is_fault=True))
