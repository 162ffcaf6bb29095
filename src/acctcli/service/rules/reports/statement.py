"""Statements: rows by a fixed plan, a column of figures for each range or day asked for (docs/interface.md 10.2).

Names of rows are part of the interface and stay English; whoever shows them translates them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from acctcli.models.enums import AccountType
from acctcli.service.rules.money import WHOLE, divide_half_away, from_cents

if TYPE_CHECKING:
    from acctcli.models.report import ReportRow, Statement

CHANGE, CHANGE_PERCENT = "change", "change %"

EQUITY = (AccountType.LIA_EQU, AccountType.LIA_PRE)

# account id -> cents
Cents = Mapping[int, int]


class Account(NamedTuple):
    """An account as reports see it; `opening` is in cents, positive on its own side."""

    id: int
    number: str
    name: str
    type: str
    opening: int


# the account of what earlier accounting periods earned, where a chart has none
PREVIOUS_PROFIT = Account(0, "", "Profit of previous periods", AccountType.LIA_PRE, 0)


def profit_account(accounts: Sequence[Account], set_id: int | None) -> Account:
    """Return the account that results of earlier periods stand on: the one of the business's settings, if it is one of
    equity, else the first of its type.
    """
    for account in accounts:
        if account.id == set_id and account.type in EQUITY:
            return account
    return next((account for account in accounts if account.type == AccountType.LIA_PRE), PREVIOUS_PROFIT)


class Carried(NamedTuple):
    """What accounts of the result moved in the accounting period that ended before a day, debit less credit."""

    day: date
    results: Cents


class Role(Enum):
    """What a row of a plan is: `SUM` adds up the parts since the last heading."""

    HEADING = 1
    PART = 2
    SUM = 3


class StatementLine(NamedTuple):
    """A row of a plan: the account types it holds, and the computed figures it holds by name.

    An `is_optional` row is left out where it is zero in every column.
    """

    name: str
    level: int = 0
    types: Collection[AccountType] = ()
    computed: Collection[str] = ()
    role: Role = Role.PART
    is_optional: bool = False


class Figures(NamedTuple):
    """One column: cents by account id, and by name what no account holds; both in the sign of the report."""

    accounts: Cents
    computed: Mapping[str, int] = {}


class Detail(NamedTuple):
    """An account behind a row."""

    number: str
    name: str
    values: list[int]


class StatementRow(NamedTuple):
    """A row of a statement, cents by column."""

    name: str
    level: int
    is_sum: bool
    values: list[int]
    accounts: list[Detail]


def build_rows(
    plan: Iterable[StatementLine], accounts: Sequence[Account], columns: Sequence[Figures]
) -> list[StatementRow]:
    """Return the rows of a plan, each with the accounts behind it that are not zero throughout."""
    rows: list[StatementRow] = []
    parts = [0] * len(columns)
    for line in plan:
        members = [account for account in accounts if account.type in line.types]
        values = [_value(line, members, figures) for figures in columns]
        if line.role is Role.HEADING:
            parts = [0] * len(columns)
        elif line.role is Role.SUM:
            values = add(parts, values)
        else:
            parts = add(parts, values)
        if any(values) or not line.is_optional:
            details = list_details(members, [figures.accounts for figures in columns])
            rows.append(StatementRow(line.name, line.level, line.role is Role.SUM, values, details))
    return rows


def _value(line: StatementLine, members: Iterable[Account], figures: Figures) -> int:
    of_accounts = sum(figures.accounts.get(account.id, 0) for account in members)
    return of_accounts + sum(figures.computed[name] for name in line.computed)


def list_details(members: Iterable[Account], columns: Sequence[Cents]) -> list[Detail]:
    """Return the accounts that are not zero in every column."""
    details = (
        Detail(account.number, account.name, [column.get(account.id, 0) for column in columns]) for account in members
    )
    return [detail for detail in details if any(detail.values)]


def add(first: Iterable[int], second: Iterable[int]) -> list[int]:
    """Add up two rows."""
    return [one + other for one, other in zip(first, second, strict=True)]


class Layout(NamedTuple):
    """How rows go to the wire: the labels of their columns, with accounts or not, with two columns compared or not."""

    labels: Sequence[str]
    has_accounts: bool
    has_comparison: bool

    def render(self, rows: Iterable[StatementRow]) -> Statement:
        """Return `labels` and `rows` as a report has them, amounts in currency units."""
        labels = [*self.labels, CHANGE, CHANGE_PERCENT] if self.has_comparison else list(self.labels)
        return {"labels": labels, "rows": [self._row(row) for row in rows]}

    def _row(self, row: StatementRow) -> ReportRow:
        details = row.accounts if self.has_accounts else []
        return {
            "name": row.name,
            "level": row.level,
            "is_sum_row": row.is_sum,
            "values": self._values(row.values),
            "accounts": [
                {"number": detail.number, "name": detail.name, "values": self._values(detail.values)}
                for detail in details
            ],
        }

    def _values(self, values: list[int]) -> list[Decimal]:
        shown = [*values, *compare(*values)] if self.has_comparison else values
        return [from_cents(value) for value in shown]


def compare(first: int, second: int) -> tuple[int, int]:
    """Return first less second, and that in hundredths of a percent of the second's size; 0 % of nothing."""
    change = first - second
    return change, divide_half_away(change * WHOLE, abs(second)) if second else 0
