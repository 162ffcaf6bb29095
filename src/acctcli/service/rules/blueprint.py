"""Blueprints: what a document is going to post (docs/interface.md 5.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from acctcli.law.vat_codes import NO_VAT
from acctcli.models.enums import BlueprintType, VatMethod
from acctcli.service.rules.money import from_cents, to_cents


class BlueprintError(ValueError):
    """The blueprint breaks a posting rule; the text says which, in words for people."""


class BlueprintRow(NamedTuple):
    """One row: `amount` in cents of either sign, `vat_rate` in hundredths of a percent."""

    account_id: int | None
    amount: int
    vat_code: int = NO_VAT
    vat_rate: int = 0
    is_net: bool = False
    description: str | None = None


class Blueprint(NamedTuple):
    """Rows by side, and the shortcut accounts that balance them; an account id may be missing in drafts."""

    debit_account_id: int | None = None
    debit_rows: tuple[BlueprintRow, ...] = ()
    credit_account_id: int | None = None
    credit_rows: tuple[BlueprintRow, ...] = ()
    expense_rows: tuple[BlueprintRow, ...] = ()

    @property
    def rows(self) -> Iterator[BlueprintRow]:
        """Every row, in the order of the entries."""
        yield from self.debit_rows
        yield from self.expense_rows
        yield from self.credit_rows

    @property
    def account_ids(self) -> set[int]:
        """Every account named anywhere."""
        named = {row.account_id for row in self.rows}
        named |= {self.debit_account_id, self.credit_account_id}
        return {account_id for account_id in named if account_id is not None}

    @property
    def style(self) -> BlueprintType:
        """SALES, PURCHASE or MANUAL, by the fields that are filled."""
        if self.debit_account_id is not None and not self.debit_rows and self.credit_account_id is None:
            return BlueprintType.SALES
        if self.credit_account_id is not None and not self.credit_rows and self.debit_account_id is None:
            return BlueprintType.PURCHASE
        return BlueprintType.MANUAL


def read_blueprint(wire: Mapping[str, Any]) -> Blueprint:
    """Return the blueprint of a checked wire object; absent and null arrays are empty."""
    return Blueprint(
        wire.get("debet_account_id"),
        _read_rows(wire.get("debet_entries")),
        wire.get("credit_account_id"),
        _read_rows(wire.get("credit_entries")),
        _read_rows(wire.get("expense_entries")),
    )


def _read_rows(rows: Sequence[Mapping[str, Any]] | None) -> tuple[BlueprintRow, ...]:
    return tuple([_read_row(row) for row in rows]) if rows else ()


def _read_row(row: Mapping[str, Any]) -> BlueprintRow:
    return BlueprintRow(
        row["account_id"],
        to_cents(Decimal(row.get("amount", 0))),
        row.get("vat_code", NO_VAT),
        to_cents(Decimal(row.get("vat_rate", 0))),
        row.get("vat_method", VatMethod.GROSS) == VatMethod.NET,
        row.get("description"),
    )


def write_blueprint(blueprint: Blueprint) -> dict[str, Any]:
    """Return the wire object: every key present, amounts and rates as decimals with 2 digits."""
    return {
        "debet_account_id": blueprint.debit_account_id,
        "debet_entries": [_write_row(row) for row in blueprint.debit_rows],
        "credit_account_id": blueprint.credit_account_id,
        "credit_entries": [_write_row(row) for row in blueprint.credit_rows],
        "expense_entries": [_write_row(row) for row in blueprint.expense_rows],
    }


def _write_row(row: BlueprintRow) -> dict[str, Any]:
    return {
        "account_id": row.account_id,
        "description": row.description,
        "vat_code": row.vat_code,
        "vat_rate": from_cents(row.vat_rate),
        "vat_method": int(row.is_net),
        "amount": from_cents(row.amount),
    }
