"""Payments as documents: posted, related to what they settle, each write under a key of its own.

The key of each is made of that of the command: the same command with the same key goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from decimal import Decimal

import msgspec

from acctcli.banking.settlement import Movement
from acctcli.cli.account.chart import account_id
from acctcli.cli.command.body import check
from acctcli.cli.command.many import key_of_one
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.shapes import Amounts
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import AcctcliError, UsageError
from acctcli.models.document import DocumentRequest
from acctcli.models.relation import RelationRequest

MONEY = "ASS_PAY"


class _Row(Amounts):
    account_number: str
    is_debet: bool
    amount: Decimal

    @property
    def cents(self) -> int:
        return int(rounded(self.amount).scaleb(2)) * (1 if self.is_debet else -1)


class _Relation(msgspec.Struct):
    related_document: int


class _Blueprint(msgspec.Struct):
    debet_account_id: int | None = None
    credit_account_id: int | None = None


class Booked(Amounts):
    """A document as far as it tells what settles what; `balance` is what it moves of money."""

    id: int
    date: date
    balance: Decimal
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


class Posted(msgspec.Struct):
    """A document that was posted."""

    id: int
    number: str | None = None

    def __str__(self) -> str:
        return self.number or str(self.id)


class _Account(msgspec.Struct):
    id: int
    number: str
    type: str
    is_shown: bool = True


class _Business(msgspec.Struct):
    account_cash_payment: int | None = None


_read_account, _read_document = reader(_Account, "an account"), reader(Booked, "a document")


def read_moves(
    here: State, number: str, account: int, claims: Collection[int]
) -> tuple[list[Movement], list[tuple[int, int]]]:
    """Read what moves an account, by its number and id, and the pairs that are related: for `settle`."""
    documents = list(read_all(here.api.documents.list({"account": account}, Extent(limit=None)), _read_document))
    movements = [
        Movement(one.id, one.date, one.moves(number), one.id in claims) for one in documents if not one.is_draft
    ]
    return movements, [(one.id, other.related_document) for one in documents for other in one.relations]


def post(here: State, body: DocumentRequest, base: str) -> Posted:
    """Post the document of a command."""
    return decoded(here.api.documents.create(body, key_of_one(base, "document")), Posted)


def relate(here: State, posted: Posted, claim_id: int, base: str, left: str) -> None:
    """Relate a payment to what it settles; where that fails, say that it is posted and what is `left`."""
    body = check(RelationRequest, {"related_document": claim_id, "role": "SETTLEMENT"})
    try:
        here.api.relations(posted.id).create(body, key_of_one(base, f"relation {claim_id}"))
    except AcctcliError as error:
        error.message = f"document {posted} is posted, but not related to {left} yet: {error.message}"
        error.hint = (
            f"do not pay again; relate it: acctcli document relation create {posted.id} --related {claim_id} "
            f"--role settlement; or run the same command with --idempotency-key {base}"
        )
        raise


def money_account(here: State, written: str | None) -> int:
    """Return the account named, else the first one of money that is not for cash, a hidden one only if all are."""
    if written is not None:
        return account_id(here, written, "--account")
    cash = decoded(here.api.businesses.get(here.business()), _Business).account_cash_payment
    accounts = read_all(here.api.accounts.list({}, Extent(limit=None)), _read_account)
    banks = sorted(
        (one for one in accounts if one.type == MONEY and one.id != cash),
        key=lambda one: (not one.is_shown, one.number.ljust(7, "0"), one.id),
    )
    if not banks:
        raise UsageError("the business has no bank account, of type ASS_PAY and not the one for cash", hint="--account")
    return banks[0].id
