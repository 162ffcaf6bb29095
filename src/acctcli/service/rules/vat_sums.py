"""What a range of days moves on the VAT accounts, and what of it is owed (docs/interface.md 9.3, 10.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from acctcli.law.filing import VatGroup
from acctcli.law.vat_codes import SALES
from acctcli.models.enums import AccountType
from acctcli.service.rules.money import from_cents


class VatMovement(NamedTuple):
    """The posted entries of a range that share code, rate, kind of account and side, in cents >= 0.

    `vat_account` is LIA_VAT (output VAT), ASS_VAT (input VAT), or None for accounts of every other type: what is
    posted there is the base. `vat_rate` is hundredths of a percent. Documents of type 3 (VAT posting) are left out.
    `is_apart` marks bases that forms state apart as well, by what their account is for.
    """

    vat_code: int
    vat_rate: int
    vat_account: AccountType | None
    is_debit: bool
    cents: int
    is_apart: bool = False


class VatSums(NamedTuple):
    """What a range moved on the VAT accounts, each in its natural sign, in cents.

    `liabilities`: credit less debit of LIA_VAT; `receivables`: debit less credit of ASS_VAT.
    """

    liabilities: int
    receivables: int

    @property
    def payable(self) -> int:
        """What is owed; negative is a refund."""
        return self.liabilities - self.receivables

    @property
    def netted(self) -> int:
        """What can be taken from both accounts, so that the net remains on one; nothing unless both are positive."""
        return max(min(self.liabilities, self.receivables), 0)


def vat_sums(movements: Iterable[VatMovement]) -> VatSums:
    """Add up what moved on the VAT accounts."""
    sums = {AccountType.LIA_VAT: 0, AccountType.ASS_VAT: 0}
    for movement in movements:
        if movement.vat_account is not None:
            natural = movement.is_debit == (movement.vat_account == AccountType.ASS_VAT)
            sums[movement.vat_account] += movement.cents if natural else -movement.cents
    return VatSums(sums[AccountType.LIA_VAT], sums[AccountType.ASS_VAT])


def vat_groups(movements: Iterable[VatMovement]) -> list[VatGroup]:
    """Add up movements by code and rate, in that order: what a country's VAT report is made from."""
    output, deducted = AccountType.LIA_VAT, AccountType.ASS_VAT
    found: dict[tuple[int, int], dict[AccountType | None, int]] = {}
    apart: Counter[tuple[int, int]] = Counter()
    for movement in movements:
        key, debit = movement[:2], movement.cents if movement.is_debit else -movement.cents
        debits = found.setdefault(key, {None: 0, output: 0, deducted: 0})
        debits[movement.vat_account] += debit
        if movement.is_apart:
            apart[key] += debit
    return [
        VatGroup(
            code,
            from_cents(rate),
            from_cents(-debits[None] if code in SALES else debits[None]),
            from_cents(-debits[output]),
            from_cents(debits[deducted]),
            from_cents(-apart[code, rate] if code in SALES else apart[code, rate]),
        )
        for (code, rate), debits in sorted(found.items())
    ]
