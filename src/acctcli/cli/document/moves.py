"""What documents move on an account, and which are related: what tells how claims and debts stand."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from decimal import Decimal

import msgspec

from acctcli.banking.settlement import Movement
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.shapes import Amounts
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent


class _Row(Amounts):
    account_number: str
    is_debet: bool
    amount: Decimal

    @property
    def cents(self) -> int:
        return int(rounded(self.amount).scaleb(2)) * (1 if self.is_debet else -1)


class _Moving(Amounts):
    date: date
    balance: Decimal

    @property
    def cents(self) -> int:
        """What it moves of money, in cents."""
        return int(rounded(self.balance).scaleb(2))


class _Summary(_Moving):
    description: str = ""


class _Relation(msgspec.Struct):
    related_document: int
    related_document_summary: _Summary | None = None


class _Blueprint(msgspec.Struct):
    debet_account_id: int | None = None
    credit_account_id: int | None = None


class Booked(_Moving):
    """A document as far as it tells what settles what; `balance` is what it moves of money."""

    id: int
    blueprint: _Blueprint
    entry_ui_rows: list[_Row] = msgspec.field(default_factory=list)
    relations: list[_Relation] = msgspec.field(default_factory=list)
    is_draft: bool = False
    contact_id: int | None = None

    @property
    def stands_on(self) -> str | None:
        """The number of the account a claim stands on, its first row; None of one that comes to nothing."""
        return self.entry_ui_rows[0].account_number if self.entry_ui_rows else None

    def moves(self, account: str | None) -> int:
        """What it moves on an account, debit less credit, in cents."""
        return sum(row.cents for row in self.entry_ui_rows if row.account_number == account)


_read = reader(Booked, "a document")


def read_moves(
    here: State, number: str, account: int, claims: Collection[int]
) -> tuple[list[Movement], list[tuple[int, int]]]:
    """Read what moves an account, by its number and id, and the pairs that are related: for `settle`."""
    documents = list(read_all(here.api.documents.list({"account": account}, Extent(limit=None)), _read))
    movements = [
        Movement(one.id, one.date, one.moves(number), one.id in claims) for one in documents if not one.is_draft
    ]
    return movements, [(one.id, other.related_document) for one in documents for other in one.relations]
