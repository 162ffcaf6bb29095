"""What the entries of the journal come to by themselves: the second way to every balance that the service tells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from acctcli.cli.report.shapes import Amounts

ZERO = Decimal(0)
# what the types of accounts begin with
DEBITED, HELD, EARNING, EQUITY = ("ASS", "EXP"), ("ASS", "LIA"), ("REV", "EXP"), ("LIA_EQU", "LIA_PRE")
CARRIED = "Profit of previous periods"
# account number -> debit, credit
Moved = Mapping[str, tuple[Decimal, Decimal]]


class Account(Amounts):
    """An account with what the service says that it holds; amounts are those of its own side."""

    number: str
    type: str
    balance: Decimal
    opening_balance: Decimal

    def turned(self, amount: Decimal) -> Decimal:
        """Turn what is on its own side into debit less credit, or back."""
        return amount if self.type.startswith(DEBITED) else -amount


class Entered:
    """Entries added up, one accounting period after the other."""

    def __init__(self, accounts: Iterable[Account]) -> None:
        self.accounts = {account.number: account for account in accounts}
        self._ever: defaultdict[str, Decimal] = defaultdict(lambda: ZERO)
        self._period: Moved = {}
        self._carried = ZERO

    def take(self, moved: Moved) -> None:
        """Take what the next period moved; what accounts of the result moved until then is carried to equity."""
        self._carried = sum((self._ever[one.number] for one in self._of(EARNING)), ZERO)
        self._period = moved
        for number, (debit, credit) in moved.items():
            self._ever[number] += debit - credit

    def balances(self) -> dict[str, Decimal]:
        """Return what each account holds on its own side."""
        return {number: one.opening_balance + one.turned(self._ever[number]) for number, one in self.accounts.items()}

    def balance_sheet(self) -> dict[str, Decimal]:
        """Return what the accounts of a balance sheet on the last day show."""
        held = self.balances()
        return {one.number: held[one.number] for one in self._of(HELD)}

    def income_statement(self) -> dict[str, Decimal]:
        """Return what the accounts of the period's income statement show."""
        moved = {one.number: self._period.get(one.number, (ZERO, ZERO)) for one in self._of(EARNING)}
        return {number: credit - debit for number, (debit, credit) in moved.items()}

    def ledger(self, closing: Mapping[str, Decimal]) -> tuple[dict[str, Decimal], dict[str, Decimal]]:
        """Return what the ledger closes with, and what it should: equity, to one of which results go, in one sum."""
        names = {one.number for one in self._of(EQUITY)} | {CARRIED}
        told = {number: amount for number, amount in closing.items() if number in self.accounts and number not in names}
        told[CARRIED] = sum((amount for name, amount in closing.items() if name in names), ZERO)
        own = {number: self.accounts[number].turned(amount) for number, amount in self.balance_sheet().items()}
        equity = sum((own.pop(one.number) for one in self._of(EQUITY)), self._carried)
        earned = {number: -amount for number, amount in self.income_statement().items()}
        return told, {**own, **earned, CARRIED: equity}

    def _of(self, types: tuple[str, ...]) -> Iterator[Account]:
        return (one for one in self.accounts.values() if one.type.startswith(types))
