"""Every total by a second way: entries of the journal against ledger, statements, VAT report and balances kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from functools import partial
from typing import Any

from acctcli.cli.check.books import Books, Period, read_again
from acctcli.cli.check.entered import ZERO, Account, Entered, Moved
from acctcli.cli.check.findings import Finding, caught
from acctcli.cli.check.looks import TOTALS, Difference, compared, lasting
from acctcli.cli.check.months import Months
from acctcli.cli.output.replies import decoded
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.asked import check_asked
from acctcli.cli.report.asking import Ask
from acctcli.cli.report.books import account_parts
from acctcli.cli.report.checks import (
    Sums,
    check_balance_sheet,
    check_balances,
    check_documents,
    check_income_statement,
    check_vat,
)
from acctcli.cli.report.shapes import JournalDocument, Statement, VatReport, decode
from acctcli.cli.session.state import State
from acctcli.errors import NotFound

NOTHING = (ZERO, ZERO)


def check_totals(here: State, books: Books) -> list[Finding]:
    """Compare all that reports and accounts say with the entries of the journal, period by period.

    What differs is looked at again with books that are read anew.
    """
    found: list[Finding] = []
    first = _look(here, books, found)
    # what one reply contradicts in itself others do not bring about
    return [*found, *lasting(here, first, lambda: _look(here, read_again(here, books), []))]


def _look(here: State, books: Books, found: list[Finding]) -> list[Difference]:
    """Return the totals that differ, and put to what is found what replies contradict in themselves."""
    differing: list[Difference] = []
    entered = Entered(_kept(here, books))
    for period in books.periods:
        months = Months(entered.accounts, entered.balance_sheet())
        moved = _check_journal(here, books, period, months, found)
        entered.take(moved)
        closing = _check_ledger(here, period, moved, months, found, differing)
        sheet = _check_statements(here, period, entered, found, differing)
        # what lies outside of every period is in balances, and in no journal of one
        if not books.outside:
            days = _days(period)
            differing += compared("balance sheet", sheet, entered.balance_sheet(), f"acctcli report ledger {days}")
            differing += compared("ledger", *entered.ledger(closing), f"acctcli report ledger {days}")
        if here.is_local_service:
            differing += months.differing(here, period, has_balances=not books.outside)
    if not books.outside:
        shown = {number: account.balance for number, account in entered.accounts.items()}
        differing += compared("account itself", shown, entered.balances(), "acctcli account balances")
    return differing


def _kept(here: State, books: Books) -> Iterator[Account]:
    """Yield the accounts of the chart; one that was deleted since has nothing."""
    for account_id in books.chart.by_id:
        with suppress(NotFound):
            yield decoded(here.api.accounts.get(account_id), Account)


def check_entries(here: State, books: Books) -> Iterator[Finding]:
    """Name the documents whose entries in the journal are not what their blueprints post."""
    if books.planned is not None:
        yield from books.planned.confirmed(here)


def _column(period: Period) -> dict[str, Any]:
    return {"date_from": period.start_date.isoformat(), "date_to": period.end_date.isoformat()}


def _days(period: Period) -> str:
    return f"--from {period.start_date} --to {period.end_date}"


def _check_journal(here: State, books: Books, period: Period, months: Months, found: list[Finding]) -> Moved:
    """Add up the entries of a period, document by document; return what each account moved."""
    planned = books.planned
    moved: defaultdict[str, tuple[Decimal, Decimal]] = defaultdict(lambda: NOTHING)
    for page in Ask(here).stream("journal", [_column(period)], "documents"):
        for raw in page:
            document = decode(raw, JournalDocument)
            with caught(found, TOTALS, f"document {document.number}", f"acctcli document get {document.document_id}"):
                check_documents([document])
            months.take(document)
            if planned is not None:
                planned.compare(document)
            for entry in document.entries:
                debit, credit = moved[entry.account_number or ""]
                moved[entry.account_number or ""] = debit + (entry.debet or ZERO), credit + (entry.credit or ZERO)
    return moved


def _check_statements(
    here: State, period: Period, entered: Entered, found: list[Finding], differing: list[Difference]
) -> dict[str, Decimal]:
    """Add up the statements of a period and its VAT report; return what accounts show on the balance sheet."""
    column, ask, days = _column(period), Ask(here, accounts=True), _days(period)
    income = decoded(ask("income-statement", [column]), Statement)
    sheet = decoded(ask("balance-sheet", [{"date_at": period.end_date.isoformat()}]), Statement)
    with caught(found, TOTALS, f"income statement {period}", f"acctcli report income-statement {days}"):
        check_income_statement(income)
    with caught(found, TOTALS, f"balance sheet {period.end_date}", "acctcli report balance-sheet"):
        check_balance_sheet(sheet)
    with caught(found, TOTALS, f"VAT report {period}", f"acctcli report vat {days}"):
        check_vat(decoded(Ask(here)("vat-report", [column]), VatReport))
    earned = entered.income_statement()
    differing += compared("income statement", _accounts(income), earned, f"acctcli report income-statement {days}")
    return _accounts(sheet)


def _check_ledger(
    here: State, period: Period, moved: Moved, months: Months, found: list[Finding], differing: list[Difference]
) -> dict[str, Decimal]:
    """Compare the ledger of a period with what its entries moved; return what accounts close with."""
    closing: dict[str, Decimal] = {}
    check = partial(check_asked, "ledger", [_column(period)])
    told = dict.fromkeys(moved, NOTHING)
    before: Sums | None = None
    is_sound = True
    for account, goes_on in account_parts(here.api.ledger(period.start_date, period.end_date, check)):
        if here.is_local_service:
            differing += months.misdated(account)
        if is_sound:  # else it is named already, by a part before this
            is_sound = False
            with caught(found, TOTALS, f"account {account.number}", f"acctcli account statement {account.number}"):
                before = check_balances(account, before)
                closing[account.number or account.name] = before.balance
                told[account.number] = before.debit, before.credit
                is_sound = True
        if not goes_on:
            before, is_sound = None, True
    for number, sides in told.items():
        other = moved.get(number, NOTHING)
        if sides != other and number:
            problem = f"the ledger of {period} moves {_told(sides)}, the journal {_told(other)}"
            remedy = f"acctcli account statement {number}"
            finding = Finding(TOTALS, f"account {number}", problem, remedy, is_fault=True)
            by = sides[0] - other[0], sides[1] - other[1]
            differing.append(Difference(f"account {number}, ledger of {period} and journal", by, finding))
    return closing


def _told(sides: tuple[Decimal, Decimal]) -> str:
    return f"{rounded(sides[0])} in debit and {rounded(sides[1])} in credit"


def _accounts(sheet: Statement) -> dict[str, Decimal]:
    return {one.number: one.values[0] for row in sheet.rows for one in row.accounts or () if one.number}
