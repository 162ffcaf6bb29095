"""What sales invoices do to the books: a blueprint for each step of their lives (docs/interface.md 7.5).

Amounts are cents of either sign: what a credit note takes back is posted on the other side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from acctcli.models.enums import VatRateLabel
from acctcli.service.rules.blueprint import Blueprint, BlueprintRow


class Sold(NamedTuple):
    """A row of an invoice as the books take it: `total` with VAT."""

    account_id: int
    total: int
    vat_code: int
    vat_rate: int
    name: str


class SalesAccount(NamedTuple):
    """An account that sales may go to."""

    id: int
    vat_code: int
    rate_label: str
    is_shown: bool


def sale(debit_account_id: int, rows: Iterable[Sold]) -> Blueprint:
    """Sell: the customer owes it, or the bank has it."""
    sold = tuple(BlueprintRow(row.account_id, row.total, row.vat_code, row.vat_rate, False, row.name) for row in rows)
    return Blueprint(debit_account_id=debit_account_id, credit_rows=sold)


def settlement(bank_id: int, receivables_id: int, total: int) -> Blueprint:
    """Pay what was owed."""
    return Blueprint(debit_account_id=bank_id, credit_rows=(BlueprintRow(receivables_id, total),))


def loss(bad_debts_id: int, vat_id: int | None, receivables_id: int, total: int, vat: int) -> Blueprint:
    """Write off what was owed; its VAT is taken back from what is owed to the state."""
    debits = [BlueprintRow(bad_debts_id, total - vat)]
    if vat:
        debits.append(BlueprintRow(vat_id, vat))
    return Blueprint(debit_rows=tuple(debits), credit_rows=(BlueprintRow(receivables_id, total),))


def sales_account(accounts: Sequence[SalesAccount], vat_code: int) -> int | None:
    """Return the account for a row that names none: the first that is meant for its VAT code, else the first.

    Those that are shown come before those that are hidden, then of those meant for the code the one of the standard
    rate before the others; `accounts` stand in the order of their numbers.
    """

    def lacks(account: SalesAccount) -> tuple[bool, bool, bool]:
        is_meant = account.vat_code == vat_code
        return not is_meant, not account.is_shown, is_meant and account.rate_label != VatRateLabel.STANDARD

    found = min(accounts, key=lacks, default=None)
    return None if found is None else found.id
