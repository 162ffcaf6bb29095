"""What accounts are: their natural side, their names, their balances (docs/interface.md 4.1, 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from acctcli.models.enums import AccountType

# what an account must be that a business points at: VAT is told by the type of the account that it stands on, and what
# customers owe, too, where VAT follows payments
TYPE_OF_ROLE = {
    "account_vat_receivables": AccountType.ASS_VAT,
    "account_vat_liabilities": AccountType.LIA_VAT,
    "account_trade_receivables": AccountType.ASS_DUE,
}


class Name(NamedTuple):
    """A name in one language."""

    language: str
    text: str


def is_debit_positive(account_type: str) -> bool:
    """Say whether the account grows on the debit side, as assets and expenses do."""
    return account_type.startswith(("ASS", "EXP"))


def is_balance_sheet(account_type: str) -> bool:
    """Say whether the account carries its balance from year to year; only these open with one."""
    return account_type.startswith(("ASS", "LIA"))


def natural_balance(account_type: str, opening: int, debit: int, credit: int) -> int:
    """Return opening plus movements in cents, positive on the account's own side (docs/interface.md 4.3)."""
    return opening + (debit - credit if is_debit_positive(account_type) else credit - debit)


def shown_name(names: Sequence[Name], language: str | None) -> str:
    """Return the name in the language asked for, else in English, else the first one given."""
    for wanted in (language, "en"):
        for name in names:
            if name.language == wanted:
                return name.text
    return names[0].text
