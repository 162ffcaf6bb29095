"""Payments that were handed to the bank: each is a draft until the bank says what became of it (docs/payments.md 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec

from acctcli.banking.payments.identity import PaymentId, payment_ids
from acctcli.cli.command.body import check
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.shapes import Amounts
from acctcli.cli.session.state import State
from acctcli.client.messages import LARGEST_PAGE, Extent
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.document import DocumentRequest

_LONGEST = 256


class _Row(Amounts):
    account_id: int | None = None
    description: str | None = None
    amount: Decimal | None = None


class _Blueprint(msgspec.Struct):
    credit_account_id: int | None = None
    debet_entries: list[_Row] | None = None
    credit_entries: list[_Row] | None = None

    @property
    def rows(self) -> list[_Row]:
        return [*(self.debet_entries or ()), *(self.credit_entries or ())]


class _Summary(Amounts):
    balance: Decimal


class _Related(msgspec.Struct):
    related_document: int
    related_document_summary: _Summary | None = None


class _Document(Amounts):
    id: int
    date: date
    balance: Decimal
    number: str | None = None
    description: str | None = None
    is_draft: bool = False
    blueprint: _Blueprint | None = None
    relations: list[_Related] = msgspec.field(default_factory=list)

    @property
    def texts(self) -> Iterator[str]:
        """All that may name a payment."""
        rows = [] if self.blueprint is None else self.blueprint.rows
        return (text for text in (self.description, *(row.description for row in rows)) if text)

    @property
    def debts(self) -> Iterator[int]:
        """What each of its debts is settled by, in cents."""
        rows = [] if self.blueprint is None else self.blueprint.debet_entries or []
        return (_cents(row.amount) for row in rows if row.amount is not None)

    @property
    def taken_back_by(self) -> int | None:
        """The related document that moves as much the other way."""
        some = ((one.related_document, one.related_document_summary) for one in self.relations if self.balance)
        return next((number for number, one in some if one is not None and one.balance == -self.balance), None)

    @property
    def waits(self) -> bool:
        """Whether it is the line of a statement that waits for an account, which may name a payment, too."""
        return (
            self.is_draft and self.blueprint is not None and any(row.account_id is None for row in self.blueprint.rows)
        )


class Handed(NamedTuple):
    """A payment of a file as its document has it: cents that leave, from the account `bank` of the chart by its id.

    `parts` are what the document pays of each debt, several where the bank paid them in one sum. `related` are the
    documents that it is related to, `taken_back_by` the one of these that takes it back.
    """

    id: PaymentId
    document: int
    number: str | None
    day: date
    cents: int
    parts: tuple[int, ...]
    is_draft: bool
    bank: int | None = None
    related: frozenset[int] = frozenset()
    taken_back_by: int | None = None

    def __str__(self) -> str:
        return f"document {self.number or self.document}"


_read = reader(_Document, "a document")


def read_handed(here: State, query: dict[str, Any]) -> dict[PaymentId, Handed]:
    """Return the payments that documents name; of two that name one, as when one takes it back, the older one's."""
    found: dict[PaymentId, Handed] = {}
    # others hand over meanwhile
    listing = here.api.documents.list(query, Extent(None, LARGEST_PAGE)).while_it_grows()
    for document in read_all(listing, _read):
        for one in _payments(document):
            if one.id not in found or one.document < found[one.id].document:
                found[one.id] = one
    return found


def _cents(amount: Decimal) -> int:
    return int(rounded(amount).scaleb(2))


def _payments(document: _Document) -> Iterator[Handed]:
    named = set[PaymentId]() if document.waits else {one for text in document.texts for one in payment_ids(text)}
    cents = _cents(-document.balance)
    for one in named:
        yield Handed(
            one,
            document.id,
            document.number,
            document.date,
            cents,
            (cents,) if len(named) == 1 else tuple(document.debts),
            document.is_draft,
            None if document.blueprint is None else document.blueprint.credit_account_id,
            frozenset(related.related_document for related in document.relations),
            document.taken_back_by,
        )


def on_their_way(found: Iterable[Handed], claims: dict[int, int]) -> dict[int, Handed]:
    """Return by purchase invoices the payments of which the bank has not said what became of them.

    Also one that is posted and not related yet to the document that books the invoice (`claims`, by invoice).
    """
    return {
        one.id.purchase: one
        for one in found
        if one.is_draft or (one.id.purchase in claims and not one.related and one.document != claims[one.id.purchase])
    }


def draft_of(one: PaymentId, title: str, day: date, amount: Decimal, debt: int, bank: int) -> DocumentRequest:
    """Return the document of a payment, as `purchase pay` posts it, and a draft; accounts are those of the chart by id.

    Its row names the payment, too: that is what stays when somebody writes another description.
    """
    room = _LONGEST - len(str(one)) - len("Payment: ") - 1
    told = f"Payment: {title[:room]} {one}"
    rows = [{"account_id": debt, "description": told, "vat_code": NO_VAT, "amount": amount}]
    blueprint = {"credit_account_id": bank, "debet_entries": rows}
    return check(DocumentRequest, {"date": day, "description": told, "is_draft": True, "blueprint": blueprint})
