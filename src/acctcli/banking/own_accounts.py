"""The accounts of the chart that hold money: which is in transit, and which is meant where none is named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from acctcli.banking.checks import compact
from acctcli.banking.matching.words import folded, says_words

# what an account of money in transit is called, folded
_TRANSIT = ("money in transit", "cash in transit", "rahaa matkalla", "pengar pa vag", "geldtransit")


class MoneyAccount(Protocol):
    """An account of money; `told` is what people wrote about it: name and description."""

    @property
    def id(self) -> int:
        """Its id."""

    @property
    def told(self) -> str:
        """Its name and its description."""

    @property
    def is_shown(self) -> bool:
        """Whether lists show it."""


def is_transit(told: str) -> bool:
    """Whether an account is called one of what has left one own account for another (docs/bank.md 6.1)."""
    words = folded(told)
    return any(says_words(words, called) for called in _TRANSIT)


def usual_bank(accounts: Sequence[MoneyAccount], cash_id: int | None, iban: str | None) -> int | None:
    """Return the account that money comes to and goes from where none is named (docs/interface.md 7.5).

    It is the one that says the IBAN of the business's invoices, else the first one; hidden ones come behind those that
    are shown, and money in transit behind both. `accounts` stand in the order of their numbers; that for cash is none.
    """
    wanted = compact(iban or "")

    def lacks(one: MoneyAccount) -> tuple[bool, bool, bool]:
        return not wanted or wanted not in compact(one.told), is_transit(one.told), not one.is_shown

    found = min((one for one in accounts if one.id != cash_id), key=lacks, default=None)
    return None if found is None else found.id
