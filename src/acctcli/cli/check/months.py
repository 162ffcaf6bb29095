"""Months of an accounting period by a second way: the sums that the service keeps of them, and the days of entries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from acctcli.cli.check.entered import EARNING, HELD, ZERO, Account
from acctcli.cli.check.findings import Finding
from acctcli.cli.check.looks import TOTALS, Difference, compared
from acctcli.cli.output.replies import decoded
from acctcli.cli.report.asking import Ask
from acctcli.cli.report.shapes import JournalDocument, LedgerAccount, Statement
from acctcli.law.calendar import months_between

if TYPE_CHECKING:
    from acctcli.cli.check.books import Period
    from acctcli.cli.session.state import State


class Months:
    """What documents of a period move in each month of their days, and which day each has."""

    def __init__(self, accounts: Mapping[str, Account], held: Mapping[str, Decimal]) -> None:
        self._accounts = accounts
        self._held = {number: accounts[number].turned(amount) for number, amount in held.items()}
        self._moved: dict[str, dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
        self._days: set[int] = set()
        self._named: set[str | None] = set()

    def take(self, document: JournalDocument) -> None:
        """Take note of a document of the journal."""
        self._days.add(hash((document.number, document.date)))
        moved = self._moved[(document.date or "")[:7]]
        for entry in document.entries:
            moved[entry.account_number or ""] += (entry.debet or ZERO) - (entry.credit or ZERO)

    def misdated(self, account: LedgerAccount) -> Iterator[Difference]:
        """Yield the documents of which the ledger has entries of other days than the journal."""
        for entry in account.entries:
            if hash((entry.number, entry.date)) not in self._days and entry.number not in self._named:
                self._named.add(entry.number)
                problem = f"it has entries of {entry.date} in the ledger, which is not its day in the journal"
                remedy = f"acctcli document list --search {entry.number}"
                finding = Finding(TOTALS, f"document {entry.number}", problem, remedy, is_fault=True)
                yield Difference(f"document {entry.number}, day", (Decimal(1),), finding)

    def differing(self, here: State, period: Period, *, has_balances: bool) -> Iterator[Difference]:
        """Compare the statements of each month with the entries of its days; balances only where they follow."""
        spans = _months(period)
        ranges = [{"date_from": first.isoformat(), "date_to": last.isoformat()} for first, last in spans]
        income = self._columns(here, "income-statement", ranges)
        for (first, last), stated in zip(spans, income, strict=True):
            moved = self._moved[f"{first:%Y-%m}"]
            earned = {number: -moved.get(number, ZERO) for number in self._of(EARNING)}
            yield from compared(f"income statement of {first:%Y-%m}", stated, earned, _remedy(first, last))
        if has_balances:
            points = [{"date_at": last.isoformat()} for _, last in spans]
            for (first, last), stated in zip(spans, self._columns(here, "balance-sheet", points), strict=True):
                for number, amount in self._moved[f"{first:%Y-%m}"].items():
                    self._held[number] = self._held.get(number, ZERO) + amount
                held = {number: self._accounts[number].turned(self._held[number]) for number in self._of(HELD)}
                yield from compared(f"balance sheet of {last}", stated, held, _remedy(first, last))

    def _of(self, types: tuple[str, ...]) -> list[str]:
        return [number for number, account in self._accounts.items() if account.type.startswith(types)]

    def _columns(self, here: State, report: str, columns: list[dict[str, Any]]) -> Iterator[dict[str, Decimal]]:
        """Yield what accounts show in each column of a statement."""
        statement = decoded(Ask(here, accounts=True)(report, columns), Statement)
        accounts = [one for row in statement.rows for one in row.accounts or () if one.number]
        return ({one.number: one.values[place] for one in accounts} for place in range(len(columns)))


def _months(period: Period) -> list[tuple[date, date]]:
    """Return the months of a period, of the first and the last of them the days that are in it."""
    found = months_between(period.start_date, period.end_date)
    return [(max(first, period.start_date), min(last, period.end_date)) for first, last in found]


def _remedy(first: date, last: date) -> str:
    return f"acctcli report ledger --from {first} --to {last}"
