"""From blueprint to entries (docs/interface.md 5.4).

Every amount is integer cents. Rounding is half away from zero, once per row, so that a row and its negative
post the same cents on opposite sides.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from acctcli.law.vat_codes import INPUT_VAT, NO_VAT, OUTPUT_VAT, REVERSE_CHARGE
from acctcli.models.enums import AccountType
from acctcli.service.rules.blueprint import Blueprint, BlueprintError, BlueprintRow
from acctcli.service.rules.money import LARGEST_CENTS, WHOLE, divide_half_away, from_cents


class NoVatAccountError(LookupError):
    """The blueprint carries VAT and the business names no account for it; `args[0]` is the setting."""


class VatAccounts(NamedTuple):
    """Where the business keeps VAT: ids of accounts, None when not set."""

    receivables: int | None
    liabilities: int | None


class VatSplit(NamedTuple):
    """A row's amount taken apart, in cents: what its account gets, the VAT, and what the other side pays."""

    base: int
    vat: int
    gross: int


class EntryLine(NamedTuple):
    """One line in the books: cents >= 0 on one side of one account."""

    account_id: int
    is_debit: bool
    amount: int
    description: str
    vat_code: int
    vat_rate: int


class UiRow(NamedTuple):
    """A blueprint row as people see it: gross cents >= 0; an account may be missing in drafts."""

    account_id: int | None
    is_debit: bool
    amount: int
    vat_code: int
    vat_rate: int


@lru_cache(maxsize=1024)  # a document takes each of its rows apart four times
def split_vat(row: BlueprintRow) -> VatSplit:
    """Take a row's amount apart by its code, rate and method."""
    if row.vat_code in REVERSE_CHARGE:
        # the seller charges none: the whole amount is the base, whichever method
        return VatSplit(row.amount, divide_half_away(row.amount * row.vat_rate, WHOLE), row.amount)
    if row.vat_code not in (OUTPUT_VAT, INPUT_VAT):
        return VatSplit(row.amount, 0, row.amount)
    if row.is_net:
        vat = divide_half_away(row.amount * row.vat_rate, WHOLE)
        return VatSplit(row.amount, vat, row.amount + vat)
    vat = divide_half_away(row.amount * row.vat_rate, WHOLE + row.vat_rate)
    return VatSplit(row.amount - vat, vat, row.amount)


def gross_of(row: BlueprintRow) -> int:
    """Return what a row comes to with its VAT, which is on top of a net amount alone."""
    return split_vat(row).gross if row.is_net else row.amount


def post(
    blueprint: Blueprint, known: Container[int], vat_accounts: VatAccounts, *, is_draft: bool = False
) -> list[EntryLine]:
    """Return the entries of a blueprint: debit = credit, no line of zero, order as in docs/interface.md 5.4.

    `known` holds the ids of the business's accounts, at least those the blueprint names. A draft may be
    unfinished: rows without an account and VAT without an account post nothing, the sides need not agree.
    Raises BlueprintError, and NoVatAccountError for VAT that has nowhere to go.
    """
    _check_form(blueprint)
    _check_accounts(blueprint, known, is_draft)
    lines = [line for line in _lines(blueprint, vat_accounts, is_draft) if line.amount]
    _check_sums(lines, is_draft)
    return lines


def _check_form(blueprint: Blueprint) -> None:
    if blueprint.debit_account_id is not None and blueprint.debit_rows:
        raise BlueprintError("debet_account_id and debet_entries exclude each other.")
    if blueprint.credit_account_id is not None and blueprint.credit_rows:
        raise BlueprintError("credit_account_id and credit_entries exclude each other.")
    if blueprint.expense_rows and blueprint.debit_account_id is None:
        raise BlueprintError("expense_entries need debet_account_id.")


def _check_accounts(blueprint: Blueprint, known: Container[int], is_draft: bool) -> None:
    for account_id in sorted(blueprint.account_ids):
        if account_id not in known:
            raise BlueprintError(f"Unknown account id {account_id}.")
    if not is_draft and any(row.account_id is None for row in blueprint.rows):
        raise BlueprintError("Every row needs an account unless the document is a draft.")


def _check_sums(lines: list[EntryLine], is_draft: bool) -> None:
    debit = sum(line.amount for line in lines if line.is_debit)
    credit = sum(line.amount for line in lines if not line.is_debit)
    if debit != credit and not is_draft:
        raise BlueprintError(f"Debit {from_cents(debit)} and credit {from_cents(credit)} differ.")
    if max(debit, credit) > LARGEST_CENTS:
        raise BlueprintError(f"The sum {from_cents(max(debit, credit))} is beyond what the books can hold.")


def _lines(blueprint: Blueprint, vat_accounts: VatAccounts, is_draft: bool) -> Iterator[EntryLine]:
    debit, credit = shortcut_amounts(blueprint)
    if blueprint.debit_account_id is not None:
        yield _line(blueprint.debit_account_id, True, debit)
    for is_debit, rows in _sides(blueprint):
        for row in rows:
            if row.account_id is not None:
                yield from _row_lines(row, row.account_id, is_debit, vat_accounts, is_draft)
    if blueprint.credit_account_id is not None:
        yield _line(blueprint.credit_account_id, False, credit)


def _sides(blueprint: Blueprint) -> tuple[tuple[bool, tuple[BlueprintRow, ...]], ...]:
    return (True, blueprint.debit_rows), (True, blueprint.expense_rows), (False, blueprint.credit_rows)


def shortcut_amounts(blueprint: Blueprint) -> tuple[int, int]:
    """Return what the shortcut lines balance, debit and credit, in cents of either sign.

    Expenses are taken out of the debit line: the bank receives what is left after the fees (docs/interface.md 5.4).
    """
    expense = sum(map(gross_of, blueprint.expense_rows))
    credit_rows = sum(map(gross_of, blueprint.credit_rows))
    return credit_rows - expense, sum(map(gross_of, blueprint.debit_rows))


def _row_lines(
    row: BlueprintRow, account_id: int, is_debit: bool, vat_accounts: VatAccounts, is_draft: bool
) -> Iterator[EntryLine]:
    split = split_vat(row)
    yield _line(account_id, is_debit, split.base, row)
    if not split.vat:
        return
    for setting, side in _vat_sides(row.vat_code, is_debit):
        vat_account = getattr(vat_accounts, setting)
        if vat_account is not None:
            yield _line(vat_account, side, split.vat, row)
        elif not is_draft:
            raise NoVatAccountError(f"account_vat_{setting}")


def _vat_sides(vat_code: int, is_debit: bool) -> tuple[tuple[str, bool], ...]:
    """Return which VAT accounts a row moves, on which side; reverse charge moves both."""
    if vat_code == OUTPUT_VAT:
        return (("liabilities", is_debit),)
    if vat_code == INPUT_VAT:
        return (("receivables", is_debit),)
    return ("receivables", is_debit), ("liabilities", not is_debit)


def _line(account_id: int, is_debit: bool, amount: int, row: BlueprintRow | None = None) -> EntryLine:
    """Make a line; a negative amount changes sides, so that stored amounts are never negative."""
    side = is_debit if amount >= 0 else not is_debit
    if row is None:
        return EntryLine(account_id, side, abs(amount), "", NO_VAT, 0)
    return EntryLine(account_id, side, abs(amount), row.description or "", row.vat_code, row.vat_rate)


def document_balance(lines: Iterable[EntryLine], types: Mapping[int, str]) -> int:
    """Return the net effect on money accounts in cents, debit minus credit: money out is negative."""
    return sum(
        line.amount if line.is_debit else -line.amount
        for line in lines
        if types[line.account_id] == AccountType.ASS_PAY
    )


def ui_rows(blueprint: Blueprint) -> list[UiRow]:
    """Return one row per blueprint row at its gross amount, with the shortcut lines, without VAT lines."""
    rows = [
        _ui_row(row.account_id, is_debit, gross_of(row), row) for is_debit, side in _sides(blueprint) for row in side
    ]
    if blueprint.debit_account_id is None and blueprint.credit_account_id is None:
        return rows
    debit, credit = shortcut_amounts(blueprint)
    if blueprint.debit_account_id is not None and debit:
        rows.insert(0, _ui_row(blueprint.debit_account_id, True, debit))
    if blueprint.credit_account_id is not None and credit:
        rows.append(_ui_row(blueprint.credit_account_id, False, credit))
    return rows


def _ui_row(account_id: int | None, is_debit: bool, amount: int, row: BlueprintRow | None = None) -> UiRow:
    side = is_debit if amount >= 0 else not is_debit
    if row is None:
        return UiRow(account_id, side, abs(amount), NO_VAT, 0)
    return UiRow(account_id, side, abs(amount), row.vat_code, row.vat_rate)
