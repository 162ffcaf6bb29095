"""Documents and invoices as far as posting of lines looks into them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import msgspec

from acctcli.banking.statements.identity import TAG
from acctcli.cli.report.amounts import rounded
from acctcli.errors import UsageError


class Made(msgspec.Struct):
    """What was made."""

    id: int


class Told(msgspec.Struct):
    """A document as it is described, and what it moves of money."""

    id: int
    date: date
    balance: Decimal
    description: str = ""


class Row(msgspec.Struct):
    """A row of a blueprint."""

    amount: Decimal
    account_id: int | None = None
    description: str | None = None


class Blueprint(msgspec.Struct):
    """The rows of a draft."""

    debet_entries: list[Row] | None = None
    credit_entries: list[Row] | None = None


class Draft(msgspec.Struct):
    """The draft of a line; `own` is of the bank's row, which has its tag, the amount with its sign."""

    id: int
    date: date
    blueprint: Blueprint

    @property
    def own(self) -> tuple[int, Decimal]:
        """The id of the bank account, and the amount in currency units; UsageError where the row is gone."""

        for sign, rows in ((1, self.blueprint.debet_entries), (-1, self.blueprint.credit_entries)):
            for row in rows or ():
                if row.account_id is not None and TAG.search(row.description or ""):
                    return row.account_id, sign * rounded(row.amount)
        raise UsageError(f"document {self.id} has no row of a bank account any more")


class Summary(msgspec.Struct):
    """A related document."""

    date: date
    balance: Decimal
    description: str = ""


class Relation(msgspec.Struct):
    """What a document is related to."""

    related_document: int
    related_document_summary: Summary | None = None


class Paid(Told):
    """A document of a payment, or of a sale."""

    relations: list[Relation] = msgspec.field(default_factory=list)


class Settled(msgspec.Struct):
    """An invoice or a purchase invoice, as far as its document tells what became of it."""

    document: Paid | None = None
    is_paid: bool = False
    friendly_name: str = ""
