"""A chart with one account of every type, for tests of statements."""

from __future__ import annotations

from acctcli.models.enums import AccountType
from acctcli.service.rules.reports.statement import Account

# account type -> id; the number is a thousand more
IDS = {kind: place for place, kind in enumerate(AccountType, 1)}


def chart(**opening: int) -> list[Account]:
    """Return the accounts, some with an opening balance in cents on their own side."""
    return [Account(place, f"{1000 + place}", kind, kind, opening.get(kind, 0)) for kind, place in IDS.items()]


def moved(**cents: int) -> dict[int, int]:
    """Return debit less credit by account id, given by type."""
    return {IDS[AccountType(kind)]: amount for kind, amount in cents.items()}
