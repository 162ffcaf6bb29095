"""The entries a blueprint is going to make, worked out before anything is sent (docs/interface.md 5.4).

The service makes the entries in the end; the tests hold these against its own. Everything is integer cents, rounded
half away from zero once a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from acctcli.law.vat_codes import INPUT_VAT, NO_VAT, OUTPUT_VAT, REVERSE_CHARGE

BEARS_VAT = REVERSE_CHARGE | {OUTPUT_VAT, INPUT_VAT}
# 100 % in hundredths of a percent
_WHOLE = 10_000

BlueprintRow = Mapping[str, Any]


class VatAccounts(NamedTuple):
    """Where the business keeps VAT: ids of accounts, None when not set."""

    receivables: int | None
    liabilities: int | None


class Split(NamedTuple):
    """A row's amount in cents: what its account gets, the VAT, and what the other side pays."""

    base: int
    vat: int
    gross: int


class PlannedEntry(NamedTuple):
    """One entry: cents >= 0 on one side; the account is None where VAT has none to go to."""

    account_id: int | None
    is_debit: bool
    cents: int
    description: str = ""
    vat_code: int = NO_VAT
    vat_rate: int = 0


def split(row: BlueprintRow) -> Split:
    """Take the amount of a blueprint row apart by its VAT code, rate and method."""
    amount, rate = cents_of(row.get("amount", 0)), cents_of(row.get("vat_rate", 0))
    code, is_net = row.get("vat_code", NO_VAT), row.get("vat_method", 0) == 1
    if code not in BEARS_VAT:
        return Split(amount, 0, amount)
    on_top = _divide(amount * rate, _WHOLE)
    if code in REVERSE_CHARGE:
        # the seller charges no VAT: the amount is the base and the price
        return Split(amount, on_top, amount)
    if is_net:
        return Split(amount, on_top, amount + on_top)
    inside = _divide(amount * rate, _WHOLE + rate)
    return Split(amount - inside, inside, amount)


def gross_sum(rows: Iterable[BlueprintRow]) -> int:
    """Add up what rows come to with VAT, in cents."""
    return sum(split(row).gross for row in rows)


def entries_of(blueprint: BlueprintRow, vat_accounts: VatAccounts) -> list[PlannedEntry]:
    """Return the entries in the order of the books: no line of zero, no negative amount."""
    return [line for line in _lines(blueprint, vat_accounts) if line.cents]


def _lines(blueprint: BlueprintRow, vat_accounts: VatAccounts) -> Iterator[PlannedEntry]:
    debit, expense, credit = (blueprint.get(f"{side}_entries") or [] for side in ("debet", "expense", "credit"))
    if (account := blueprint.get("debet_account_id")) is not None:
        # fees are taken out of what the account receives
        yield _line(account, True, gross_sum(credit) - gross_sum(expense))
    for is_debit, rows in ((True, debit), (True, expense), (False, credit)):
        for row in rows:
            if row["account_id"] is not None:
                yield from _row_lines(row, is_debit, vat_accounts)
    if (account := blueprint.get("credit_account_id")) is not None:
        yield _line(account, False, gross_sum(debit))


def _row_lines(row: BlueprintRow, is_debit: bool, vat_accounts: VatAccounts) -> Iterator[PlannedEntry]:
    base, vat, _ = split(row)
    yield _line(row["account_id"], is_debit, base, row)
    code = row.get("vat_code", NO_VAT)
    if vat and code != OUTPUT_VAT:
        yield _line(vat_accounts.receivables, is_debit, vat, row)
    if vat and code != INPUT_VAT:
        # under reverse charge the buyer owes what is deducted
        yield _line(vat_accounts.liabilities, is_debit == (code == OUTPUT_VAT), vat, row)


def _line(account_id: int | None, is_debit: bool, cents: int, row: BlueprintRow | None = None) -> PlannedEntry:
    """Make a line; a negative amount changes sides."""
    line = PlannedEntry(account_id, is_debit == (cents >= 0), abs(cents))
    if row is None:
        return line
    rate = cents_of(row.get("vat_rate", 0))
    return line._replace(description=row.get("description") or "", vat_code=row.get("vat_code", NO_VAT), vat_rate=rate)


def cents_of(amount: Decimal | int) -> int:
    """Return currency units, or a rate in percent, in hundredths; both have at most two decimals."""
    return int(Decimal(amount).scaleb(2))


def units_of(cents: int) -> Decimal:
    """Return hundredths with their two decimals."""
    return Decimal(cents).scaleb(-2)


def _divide(numerator: int, denominator: int) -> int:
    size = (2 * abs(numerator) + denominator) // (2 * denominator)
    return size if numerator >= 0 else -size
