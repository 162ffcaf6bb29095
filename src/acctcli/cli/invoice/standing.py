"""What is open of invoices on a day: by their documents where they are in the books, else by their status.

A few invoices that nothing was related to and nothing credited are open as they stand. Anything else needs the other
invoices and the documents of the accounts they stand on (docs/interface.md 7.5), which are read only then.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import msgspec

from acctcli.banking.paid_sales import Payment, counting
from acctcli.banking.settlement import settle
from acctcli.banking.statements.identity import without_tags
from acctcli.cli.document.moves import Booked, read_moves
from acctcli.cli.invoice.reminded import Message
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.shapes import Amounts
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent

ACCEPTED, PAID, LOST = "ACCEPTED", "PAID", "CREDIT_LOSS"
_NOTHING = Decimal("0.00")
_CURRENCY = "EUR"  # that of all books
_CREDIT_NOTE = re.compile(r"Credit note \d+")


class Receiver(msgspec.Struct):
    """Who owes it."""

    name: str
    name_aliases: list[str] = msgspec.field(default_factory=list)


class Invoice(Amounts):
    """An invoice, or a credit note with its negative amount."""

    id: int
    receiver: int
    receiver_info: Receiver
    due_date: date
    total_amount: Decimal
    status: str
    friendly_name: str = ""
    invoice_number: int | None = None
    currency: str | None = None
    invoicing_date: date | None = None
    payment_date: date | None = None
    is_credit_note_for: int | None = None
    credit_notes: list[int] = msgspec.field(default_factory=list)
    document: Booked | None = None
    external_status_messages: list[Message] | None = None
    updated_at: str | None = None

    @property
    def claim(self) -> Booked | None:
        """The document of what it claims; one that moves money is the sale itself, posted when it was paid."""
        return None if self.document is None or self.document.balance else self.document

    @property
    def title(self) -> str:
        """What people call it, and the id that commands take, which is not its number."""
        return f"{self.friendly_name} (id {self.id})"

    @property
    def is_foreign(self) -> bool:
        """Whether nothing says what it comes to in the currency of the books."""
        return self.claim is None and self.currency not in {None, _CURRENCY}

    @property
    def is_paid_by_sale(self) -> bool:
        """Whether it is open and its payments post the sale: nothing in the books claims it."""
        return self.status == ACCEPTED and self.claim is None

    def is_owed(self, day: date) -> bool:
        """Whether it was owed at the end of a day by its status: it is still, or was paid later."""
        return self.status == ACCEPTED or (self.payment_date is not None and self.payment_date > day)

    def left(self, day: date) -> Decimal:
        """What is open of it at the end of a day where no claim says so: its total, less the payments of the sale.

        These are called like it, behind which may stand for which line of a statement they are. What takes one back,
        and what is posted instead, is called otherwise (docs/interface.md 7.5); what belongs to a credit note is not
        meant.
        """
        left = rounded(self.total_amount)
        if self.document is None or self.claim is not None:
            return left
        own, others = [Payment(self.document.id, self.document.date, self.document.cents)], list[Payment]()
        for one in self.document.relations:
            if (shown := one.related_document_summary) is None:
                continue
            moved, called = Payment(one.related_document, shown.date, shown.cents), without_tags(shown.description)
            if called == self.friendly_name:
                own.append(moved)
            elif not _CREDIT_NOTE.fullmatch(called):
                others.append(moved)
        paid = counting((one for one in own if one.day <= day), (one for one in others if one.day <= day))
        return left - Decimal(sum(one.amount for one in paid)).scaleb(-2)

    @property
    def is_alone(self) -> bool:
        """Whether nothing can have settled it in part."""
        linked = self.credit_notes or self.is_credit_note_for or (self.claim and self.claim.relations)
        return self.claim is None or not linked


class _Business(msgspec.Struct):
    account_trade_receivables: int | None = None


class _Basis(msgspec.Struct):
    status: str
    document: msgspec.Raw


def is_unbooked(invoice: bytes) -> bool:
    """Say whether an invoice is open and no document has it; whoever shows what is no invoice says so."""
    try:
        found = msgspec.json.decode(invoice, type=_Basis)
    except (msgspec.DecodeError, RecursionError):
        return False
    return found.status == ACCEPTED and bytes(found.document) == b"null"


read_invoice = reader(Invoice, "an invoice")


def open_on(here: State, day: date) -> Iterator[tuple[Invoice, Decimal]]:
    """Yield the invoices that are open at the end of a day, each with how much; what is over is negative.

    Whoever paid later had not paid then, and what was given up later was still owed. Raises Incomplete when the
    invoices or documents cannot be read as one whole.
    """
    found = _by_status(here, day)
    if all(one.is_alone for one in found.values()) and not _has_later(here, found.values(), day):
        yield from ((one, left) for one in found.values() if (left := one.left(day)))
        return
    every = list(read_all(here.api.invoices.list({"status": [ACCEPTED, PAID, LOST]}, Extent(limit=None)), read_invoice))
    booked = open_by_books(here, every, day)
    for one in every:
        amount = booked.get(one.id, one.left(day) if one.id in found else _NOTHING)
        if amount:
            yield one, amount


def open_of(here: State, invoices: Collection[Invoice], day: date = date.max) -> dict[int, Decimal]:
    """Return what was open of invoices at the end of a day that is past, as `open_on` says, else of all that is posted.

    Who may have paid or been let off since, or in part, is looked for in the books.
    """
    is_past = day < here.today()
    if all(one.is_alone and not (is_past and one.status == LOST) for one in invoices):
        last = day if is_past else date.max
        return {one.id: one.left(last) if one.is_owed(last) else _NOTHING for one in invoices}
    if is_past:
        then = {one.id: amount for one, amount in open_on(here, day)}
        return {one.id: then.get(one.id, _NOTHING) for one in invoices}
    every = list(read_all(here.api.invoices.list({"status": [ACCEPTED, PAID, LOST]}, Extent(limit=None)), read_invoice))
    booked = open_by_books(here, every, date.max)
    return {one.id: booked.get(one.id, _NOTHING) for one in invoices}


def open_by_books(here: State, invoices: Collection[Invoice], day: date) -> dict[int, Decimal]:
    """Return what is open of invoices by their documents; one whose status the books do not bear out is left out."""
    claims = {one.claim.id: one for one in invoices if one.claim is not None and one.claim.stands_on is not None}
    credited = _credited(invoices)
    found = {}
    for account, account_id in _accounts(claims.values()).items():
        movements, related = read_moves(here, account, account_id, claims)
        now = settle(movements, related, credited)
        for document_id, then in settle(movements, related, credited, until=day).items():
            invoice = claims[document_id]
            if invoice.status == ACCEPTED or not now[document_id].open:
                found[invoice.id] = Decimal(then.open).scaleb(-2)
    return found


def _credited(invoices: Iterable[Invoice]) -> list[tuple[int, int]]:
    claims = {one.id: one.claim.id for one in invoices if one.claim is not None}
    pairs = ((claims.get(one.is_credit_note_for or 0), claims.get(one.id)) for one in invoices)
    return [(original, note) for original, note in pairs if original is not None and note is not None]


def _accounts(invoices: Iterable[Invoice]) -> dict[str, int]:
    """Return the accounts that claims stand on: their ids by number."""
    claims = (one.claim for one in invoices if one.claim is not None)
    found = ((one.stands_on, one.blueprint.debet_account_id) for one in claims)
    return {number: account_id for number, account_id in found if number is not None and account_id is not None}


def _has_later(here: State, invoices: Iterable[Invoice], day: date) -> bool:
    """Say whether the books go beyond the day: then who has paid may owe on it, or have paid before the invoice."""
    if day == date.max:
        return False
    later = {"date_from": (day + timedelta(days=1)).isoformat()}
    usual = decoded(here.api.businesses.get(here.business()), _Business).account_trade_receivables
    accounts = {*_accounts(invoices).values(), *([] if usual is None else [usual])}
    listings = (here.api.documents.list({**later, "account": one}, Extent(limit=1)) for one in sorted(accounts))
    return any(rows for listing in listings for rows in listing)


def _by_status(here: State, day: date) -> Mapping[int, Invoice]:
    """Read the invoices of a day; those paid or given up since are asked for only where the day is past."""
    is_past = day < here.today()
    found = {}
    for one in _list(here, day, {"status": [ACCEPTED, PAID] if is_past else [ACCEPTED]}):
        if one.is_owed(day):
            found[one.id] = one
    if is_past:
        # no field says when a claim was given up
        since = (day + timedelta(days=1)).isoformat()
        lost = {"status": [LOST], "status_changed_to": LOST, "status_changed_at_gte": since}
        found |= {one.id: one for one in _list(here, day, lost) if one.status == LOST}
    return found


def _list(here: State, day: date, query: dict[str, Any]) -> Iterator[Invoice]:
    query = {**query, "invoicing_date_lte": day.isoformat()}
    return read_all(here.api.invoices.list(query, Extent(limit=None)), read_invoice)
