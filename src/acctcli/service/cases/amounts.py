"""Amounts on their way into the database."""

from __future__ import annotations

from decimal import Decimal

from acctcli.service.problems import Invalid
from acctcli.service.rules.money import LARGEST_CENTS, from_cents, to_cents


def kept_cents(field: str, amount: Decimal) -> int:
    """Return an amount as integer cents; refuse one that 64 bits do not hold, naming the field."""
    cents = to_cents(amount)
    if abs(cents) > LARGEST_CENTS:
        raise Invalid.field(field, f"Amounts go up to {from_cents(LARGEST_CENTS)}.")
    return cents
