"""What the end of a period is looked at by, read once: its days, its books, and what accounts hold at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from acctcli.cli.check.books import Books, Period, read_books
from acctcli.cli.command.dates import Today, calendar_range, choose_range
from acctcli.cli.output.replies import decoded
from acctcli.cli.report.asking import Ask
from acctcli.cli.report.shapes import Statement
from acctcli.cli.session.state import State
from acctcli.errors import UsageError

if TYPE_CHECKING:
    from acctcli.cli.bank.compared import Compared

Days = tuple[date, date]
_DIFFERENCE = "Opening balance difference"
_DRAFT = "DRAFT"
_NOTHING = Decimal("0.00")


@dataclass(frozen=True)
class Closing:
    """A period that is to be closed.

    `books` are narrowed to its days where they name what is open; `held` are the balances of the last day by the
    numbers of accounts, in their natural signs, and `difference` what opening balances leave over. `compared` are
    accounts of money with their statements, by number.
    """

    days: Days
    books: Books
    held: Mapping[str, Decimal]
    difference: Decimal = _NOTHING
    compared: Mapping[str, Compared] = field(default_factory=dict)

    @property
    def last(self) -> date:
        """The day it ends with."""
        return self.days[1]

    def holds(self, number: str) -> Decimal:
        """What an account of the balance sheet holds on the last day, in its natural sign."""
        return self.held.get(number, _NOTHING)


def parse_period(text: str | None, first: str | None, last: str | None, today: Today) -> Days:
    """Return the days of a year, quarter or month, or those named; raise UsageError for anything else.

    The days before and after them are looked at too, so they are neither the first nor the last of the calendar.
    """
    days = _named_days(text, first, last, today)
    if date.min in days or date.max in days:
        lacking = "after" if date.max in days else "before"
        raise UsageError(f"{days[0]} - {days[1]}: the calendar has no day {lacking}")
    return days


def _named_days(text: str | None, first: str | None, last: str | None, today: Today) -> Days:
    if text is None:
        start, end = choose_range(None, first, last, today)
        if start is None or end is None:
            raise UsageError("which days? write --period 2026, or --from 2025-07-01 --to 2026-06-30")
        return start, end
    if first is not None or last is not None:
        raise UsageError("--period does not go with --from or --to")
    if (days := calendar_range(text)) is None:
        raise UsageError(f"--period {text!r}: not a period; write a year 2026, a quarter 2026-Q1 or a month 2026-03")
    return days


def read_closing(here: State, days: Days, files: Sequence[Path], account: str | None) -> Closing:
    """Read what a period is looked at by; raise UsageError for statements of which nobody knows the account."""
    compared = {}
    if files:
        from acctcli.cli.bank.compared import Asked, compare_all

        compared = {one.account.number: one for one in compare_all(here, Asked(files, account, None, None, days))}
    elif account is not None:
        raise UsageError("--account says of which account statements are: name their files")
    held, difference = held_on(here, days[1])
    return Closing(days, _narrowed(read_books(here), days), held, difference, compared)


def held_on(here: State, day: date) -> tuple[dict[str, Decimal], Decimal]:
    """Return what accounts hold at the end of a day, by their numbers, and what opening balances leave over."""
    sheet = decoded(Ask(here, accounts=True)("balance-sheet", [{"date_at": day.isoformat()}]), Statement)
    held = {one.number: one.values[0] for row in sheet.rows for one in row.accounts or () if one.number}
    return held, next((row.values[0] for row in sheet.rows if row.name == _DIFFERENCE), _NOTHING)


def _narrowed(books: Books, days: Days) -> Books:
    """Leave out what lies on other days; invoices that are no drafts stay, as they tell what is a receipt."""

    def within(day: date | None) -> bool:
        return day is not None and days[0] <= day <= days[1]

    return replace(
        books,
        drafts=[one for one in books.drafts if within(one.date)],
        outside=[one for one in books.outside if within(one.date)],
        without_receipt=[one for one in books.without_receipt if within(one.date)],
        invoices=[one for one in books.invoices if one.status != _DRAFT or within(one.invoicing_date)],
    )


def period_of(periods: Sequence[Period], day: date) -> Period | None:
    """Return the accounting period that has a day."""
    return next((one for one in periods if one.start_date <= day <= one.end_date), None)
