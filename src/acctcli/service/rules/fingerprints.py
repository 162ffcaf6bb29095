"""Fingerprints: SHA-256 over the figures of reports, written as lines of a fixed form (docs/interface.md 3.6).

The lines hold figures and what they stand under, no names and no layout: they stay the same in every language, and when
a later release lays a report out in another way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from hashlib import sha256

from acctcli.law.filing import VatGroup
from acctcli.service.rules.accounts import is_balance_sheet, is_debit_positive
from acctcli.service.rules.money import to_cents
from acctcli.service.rules.reports.statement import Account, Cents, Figures

# of the form of the lines; another one is another number
VERSION = 1
REPORTS = ("journal", "ledger", "vat_report", "balance_sheet", "income_statement")

# day, number of the document, account id, 1 for debit, cents, VAT code, hundredths of a percent
Posted = Iterable[tuple[str, str, "int | None", int, int, int, int]]


class Entries:
    """Takes entries as they come: the digest of the journal, and what each account moved on both sides."""

    def __init__(self, accounts: Iterable[Account]) -> None:
        self._numbers = {account.id: account.number for account in accounts}
        self._journal = sha256()
        self._sides: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])

    def take(self, rows: Posted) -> str:
        """Take all entries of a range in the order of the journal and return their digest."""
        numbers, sides, update = self._numbers, self._sides, self._journal.update
        for day, number, account_id, is_debit, cents, code, rate in rows:
            if account_id is None:
                update(f"{day} {number}\n".encode())
                continue
            sides[account_id][1 - is_debit] += cents
            side = "D" if is_debit else "C"
            update(f"{day} {number} {numbers[account_id]} {side} {cents} {code} {rate}\n".encode())
        return self._journal.hexdigest()

    def ledger(self, accounts: Iterable[Account], before: Cents, of_period: Cents) -> str:
        """Return the digest of each account's opening balance, debit less credit, and of both its sides.

        `before` is what was moved before the range, `of_period` what of that lies in the same accounting period.
        """
        lines: list[str] = []
        for account in accounts:
            opening = of_period.get(account.id, 0)
            if is_balance_sheet(account.type):
                own = account.opening if is_debit_positive(account.type) else -account.opening
                opening = own + before.get(account.id, 0)
            debit, credit = self._sides.get(account.id, (0, 0))
            if opening or debit or credit:
                lines.append(f"{account.number} {opening} {debit} {credit}")
        return digest(lines)


def vat_digest(groups: Iterable[VatGroup]) -> str:
    """Return the digest of what a VAT report is made from, by code and rate."""
    return digest(
        f"{group.vat_code} {to_cents(group.rate)} {to_cents(group.base)} {to_cents(group.output_vat)} "
        f"{to_cents(group.input_vat)}"
        for group in groups
    )


def statement_digest(accounts: Iterable[Account], figures: Figures) -> str:
    """Return the digest of the figures of a statement: by account with its type, then what no account holds."""
    held = [
        f"{account.number} {account.type} {figures.accounts[account.id]}"
        for account in accounts
        if figures.accounts.get(account.id)
    ]
    return digest([*held, *_computed(figures.computed)])


def _computed(computed: Mapping[str, int]) -> list[str]:
    return [f"{name} {cents}" for name, cents in sorted(computed.items()) if cents]


def digest(lines: Iterable[str]) -> str:
    """Return the SHA-256 of lines, each ended by a line feed, in UTF-8."""
    made = sha256()
    for line in lines:
        made.update(f"{line}\n".encode())
    return made.hexdigest()
