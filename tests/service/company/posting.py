"""Posting rules written from the page on the interface alone, apart from the service's: Decimal, not cents.

See docs/interface.md 5.4.

Accounts are numbers. A line is positive on the debit side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

CENT = Decimal("0.01")
REVERSE_CHARGE = (7, 8, 9, 11, 14, 15)


class Line(NamedTuple):
    """A line in the books: debit positive, credit negative."""

    account: str
    amount: Decimal
    code: int
    rate: Decimal


class Row(NamedTuple):
    """A row of a blueprint."""

    account: str
    amount: Decimal
    code: int = 3
    rate: Decimal = Decimal("0.00")
    is_net: bool = False


class VatAccounts(NamedTuple):
    """Where a business keeps VAT."""

    receivables: str
    liabilities: str


@dataclass(frozen=True)
class Plan:
    """A blueprint by account numbers."""

    debit_account: str | None = None
    debit: tuple[Row, ...] = ()
    credit_account: str | None = None
    credit: tuple[Row, ...] = ()
    expense: tuple[Row, ...] = field(default=())

    def wire(self, ids: dict[str, int]) -> dict[str, Any]:
        """Write the blueprint as the interface wants it."""

        def rows(side: tuple[Row, ...]) -> list[dict[str, Any]]:
            return [
                {
                    "account_id": ids[row.account],
                    "vat_code": row.code,
                    "vat_rate": row.rate,
                    "vat_method": int(row.is_net),
                    "amount": row.amount,
                }
                for row in side
            ]

        return {
            "debet_account_id": ids[self.debit_account] if self.debit_account else None,
            "debet_entries": rows(self.debit),
            "credit_account_id": ids[self.credit_account] if self.credit_account else None,
            "credit_entries": rows(self.credit),
            "expense_entries": rows(self.expense),
        }


def cents(amount: Decimal) -> Decimal:
    """Round to cents, half away from zero: what Python calls half up works on both sides of zero."""
    return amount.quantize(CENT, ROUND_HALF_UP)


def base_and_vat(row: Row) -> tuple[Decimal, Decimal]:
    """Take a row apart; what the other side pays is the sum, except for reverse charge."""
    if row.code in REVERSE_CHARGE:
        return row.amount, cents(row.amount * row.rate / 100)
    if row.code not in (1, 2):
        return row.amount, Decimal(0)
    if row.is_net:
        return row.amount, cents(row.amount * row.rate / 100)
    vat = cents(row.amount * row.rate / (100 + row.rate))
    return row.amount - vat, vat


def gross(row: Row) -> Decimal:
    """What the other side pays for a row."""
    base, vat = base_and_vat(row)
    return base if row.code in REVERSE_CHARGE else base + vat


def lines_of(plan: Plan, vat_accounts: VatAccounts) -> list[Line]:
    """Return every line of a plan that is not zero."""
    return [line for line in _lines(plan, vat_accounts) if line.amount]


def _lines(plan: Plan, vat_accounts: VatAccounts) -> Iterator[Line]:
    zero = Decimal(0)
    if plan.debit_account:
        total = sum(map(gross, plan.credit), zero) - sum(map(gross, plan.expense), zero)
        yield Line(plan.debit_account, total, 3, zero)
    for row in (*plan.debit, *plan.expense):
        yield from _row_lines(row, 1, vat_accounts)
    for row in plan.credit:
        yield from _row_lines(row, -1, vat_accounts)
    if plan.credit_account:
        yield Line(plan.credit_account, -sum(map(gross, plan.debit), zero), 3, zero)


def _row_lines(row: Row, side: int, vat_accounts: VatAccounts) -> Iterator[Line]:
    base, vat = base_and_vat(row)
    yield Line(row.account, side * base, row.code, row.rate)
    if row.code == 1 or row.code in REVERSE_CHARGE:
        # a sale's VAT stands on the sale's side; a purchase under reverse charge owes it on the other
        yield Line(vat_accounts.liabilities, side * vat if row.code == 1 else -side * vat, row.code, row.rate)
    if row.code == 2 or row.code in REVERSE_CHARGE:
        yield Line(vat_accounts.receivables, side * vat, row.code, row.rate)
