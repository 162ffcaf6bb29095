"""Purchase invoices in the books: a document of what was bought and of the debt, which the invoice then names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

import msgspec

from acctcli.cli.account.chart import read_chart
from acctcli.cli.command.once import base_key
from acctcli.cli.document.blueprints import Legs, read_leg
from acctcli.cli.document.bodies import Made, make_document
from acctcli.cli.document.entries import gross_sum, units_of
from acctcli.cli.document.mirrors import Shown, read_shown, reversal_of
from acctcli.cli.document.rehearsal import rehearsed
from acctcli.cli.document.settling import Found, Posted, create_same, give_way
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent, Reply
from acctcli.errors import AcctcliError, Conflict, UsageError
from acctcli.models.base import partial
from acctcli.models.document import DocumentRequest
from acctcli.models.enums import PurchaseSource
from acctcli.models.purchase_invoice import PurchaseInvoiceRequest

_LONGEST = 256
_CURRENCY = "EUR"  # that of all books


class Named(msgspec.Struct):
    """A record that is named by its id."""

    id: int


class Unposted(msgspec.Struct):
    """A purchase invoice, as far as its document says what it says."""

    id: int
    invoicing_date: date
    amount: Decimal
    currency: str = _CURRENCY
    import_source: str | None = None
    sender_name: str | None = None
    invoice_number: str | None = None
    document: Found | None = None
    original_attachment: Named | None = None
    attachments: list[int] = []
    tag_ids: list[int] = []

    @property
    def title(self) -> str:
        """What its document is described as, by which it is known again."""
        words = " ".join(filter(None, (self.sender_name, self.invoice_number)))
        return f"Purchase invoice {self.id}{': ' if words else ''}{words}"[:_LONGEST]

    @property
    def files(self) -> list[int]:
        """Its own file first."""
        first = [] if self.original_attachment is None else [self.original_attachment.id]
        return list(dict.fromkeys((*first, *self.attachments)))


class Titled(NamedTuple):
    """The documents that are described as that of an invoice, the oldest first: those that stand, and ids of others."""

    standing: list[Found]
    taken_back: list[int]


class _Business(msgspec.Struct):
    account_payables: int | None = None


_read = reader(Found, "a document")


def post(
    here: State, purchase_id: int, accounts: Sequence[str], day: date | None, amount: Decimal | None
) -> Reply | None:
    """Post a purchase invoice and let it name the document; go on with one that an earlier run posted.

    Return the invoice as it is then, None from a rehearsal.

    Raises UsageError for one that is booked already, or in another currency than that of the books, and where accounts
    come to another amount, and Conflict as `let_book` does.
    """
    purchase = decoded(here.api.purchase_invoices.get(purchase_id), Unposted)
    there = booked_by(here, purchase.title)
    if purchase.document is not None:
        _refuse_doubles(here, purchase, purchase.document, there.standing)
        _refuse_reversed(here, purchase, purchase.document)
    check_postable(purchase)
    made = document_of(here, purchase, accounts, day or purchase.invoicing_date, amount)
    if there.standing:
        here.say(f"note: document {there.standing[0]} was posted before; nothing more is posted")
        return let_book(here, purchase, made.body, None)
    posted = None
    with rehearsed(here, made.preview):
        posted = send(here, purchase, made.body, there)
    return let_book(here, purchase, made.body, posted) if posted else None


def send(here: State, purchase: Unposted, body: DocumentRequest, there: Titled) -> Found:
    """Post what books a purchase invoice; raise Conflict where the same user posts it otherwise at this moment.

    What is `there` and was taken back is in the key: the service would tell of that again.
    """

    def refuse() -> None:
        for one in booked_by(here, purchase.title).standing:
            raise Conflict(f"{_told(here, one)}, was posted for it meanwhile", hint=_remedy(one))

    beside = f" beside {there.taken_back}" if there.taken_back else ""
    return create_same(here, body, base_key(here), f"purchase invoice {purchase.id}{beside}", refuse)


def let_book(here: State, purchase: Unposted, body: DocumentRequest, posted: Found | None) -> Reply:
    """Let an invoice name the first of the documents that are posted for it; return the invoice.

    What this run `posted` is deleted where it is not the first: ids are in the order in which all can see documents
    (docs/interface.md 1.6). Raises Conflict where the first posts something else than a body, and where others are
    there that a run which was cut off has left.
    """
    there = {one.id: one for one in (*booked_by(here, purchase.title).standing, *([posted] if posted else ()))}
    first, *others = (there[one] for one in sorted(there))
    if posted is not None and posted.id != first.id:
        give_way(here, posted, first)
    reply = name_document(here, purchase.id, first)
    if posted is not None and posted.id == first.id:
        here.say(f"Document {posted} books purchase invoice {purchase.id}.")
        return reply
    if first.blueprint and not (first.is_same(body) and first.date == body.date):
        raise Conflict(f"{_told(here, first)}, books purchase invoice {purchase.id} already", hint=_remedy(first))
    if posted is None:
        _refuse_doubles(here, purchase, first, others)
    return reply


def _refuse_doubles(here: State, purchase: Unposted, first: Posted, there: Iterable[Found]) -> None:
    """Raise Conflict for what was posted for an invoice besides, and is neither named by it nor taken back."""
    for one in there:
        if one.id != first.id and not one.is_draft and not one.relations:
            raise Conflict(
                f"{_told(here, one)}, is posted for purchase invoice {purchase.id}, too, which document {first} books",
                hint=f"look at both: acctcli document get {one.id}; if it is double: acctcli document delete {one.id}",
            )


def _told(here: State, found: Found) -> str:
    """Name a document with its day and what it puts where, as `--account` would say it."""
    numbers = {one.id: one.number for one in read_chart(here).by_id.values()}
    rows = found.blueprint.get("debet_entries") or ()
    legs = [f"{numbers.get(row['account_id'])}:{rounded(Decimal(str(row['amount'])))}" for row in rows]
    return f"document {found} of {found.date}, on {', '.join(legs)}"


def _remedy(found: Posted) -> str:
    return f"look at it: acctcli document get {found.id}; what is right instead: acctcli document correct {found.id}"


def check_postable(purchase: Unposted) -> None:
    """Raise UsageError for an invoice that no document can book, or one does already."""
    if purchase.document is not None:
        raise UsageError(
            f"document {purchase.document} books purchase invoice {purchase.id} already",
            hint=f"pay it: acctcli purchase pay {purchase.id}",
        )
    if purchase.import_source == PurchaseSource.VAT_PURCHASE_INVOICE:
        raise UsageError(
            f"purchase invoice {purchase.id} is VAT, which the books owe already",
            hint=f"pay it: acctcli purchase pay {purchase.id}",
        )
    if purchase.currency != _CURRENCY:
        # one that is about to be entered has no id yet
        called, before = (
            (f"purchase invoice {purchase.id}", "") if purchase.id else ("the invoice", "enter it without --post, ")
        )
        raise UsageError(
            f"{called} is in {purchase.currency}: documents are in {_CURRENCY}",
            hint=f"{before}post it by hand, and name the document: acctcli document create; acctcli purchase update"
            " --document",
        )


def booked_by(here: State, title: str) -> Titled:
    """Return the documents that are described as that of an invoice: it may not name them yet."""
    found = read_all(here.api.documents.list({"search": title}, Extent(limit=None)), _read)
    titled = sorted((one for one in found if one.description == title), key=lambda one: one.id)
    taken_back = [one.id for one in titled if _reversal_of(here, one) is not None]
    return Titled([one for one in titled if one.id not in taken_back], taken_back)


def _reversal_of(here: State, found: Found) -> Shown | None:
    return reversal_of(here, read_shown(here.api.documents.get(found.id))) if found.relations else None


def _refuse_reversed(here: State, purchase: Unposted, document: Found) -> None:
    """Raise UsageError for an invoice whose document was taken back: what was posted instead may stand for it."""
    if (mirror := _reversal_of(here, document)) is not None:
        raise UsageError(
            f"document {document} books purchase invoice {purchase.id}, and {mirror.called} takes it back",
            hint=f"if nothing was posted instead: acctcli purchase update {purchase.id} --set document=null, then post "
            "it again",
        )


def document_of(here: State, purchase: Unposted, accounts: Sequence[str], day: date, amount: Decimal | None) -> Made:
    """Build the document that books an invoice; raise UsageError where the accounts come to another amount."""
    whole = purchase.amount if amount is None else amount
    legs = [read_leg("--account", one) for one in accounts]
    if len(legs) == 1 and legs[0].amount is None:
        legs = [legs[0]._replace(amount=whole)]
    if bare := next((leg for leg in legs if leg.amount is None), None):
        raise UsageError(f"{bare} has no amount", hint=f"with several accounts: --account {bare.account}:{whole}")
    payables = decoded(here.api.businesses.get(here.business()), _Business).account_payables
    if payables is None:
        raise UsageError(
            "the business has no account set as account_payables",
            hint=f"acctcli business update {here.business()} --set account_payables=ID",
        )
    values = {
        "date": day,
        "description": purchase.title,
        "attachment_ids": purchase.files,
        "tag_ids": purchase.tag_ids,
    }
    # what is deducted is what the invoice says, whenever it is posted; and posted before, it was delivered before
    bought = min(day, purchase.invoicing_date)
    made = make_document(here, values, Legs(tuple(legs), (read_leg("--credit", f"id:{payables}"),), ()), bought)
    rows = [row.model_dump() for row in made.body.blueprint.debet_entries or ()]
    if (total := units_of(gross_sum(rows))) != whole:
        raise UsageError(
            f"the accounts come to {total} with VAT, and the invoice to {whole}",
            hint=f"--amount {total} if that is right" if amount is None else None,
        )
    return made


def name_document(here: State, purchase_id: int, posted: Posted, **fields: bool) -> Reply:
    """Let an invoice name the document that books it, with other `fields`; say what is left where that fails."""
    body = partial(PurchaseInvoiceRequest).model_validate({"document": {"id": posted.id}, **fields})
    try:
        return here.api.purchase_invoices.update(purchase_id, body)
    except AcctcliError as error:
        error.message = f"document {posted} is posted, but does not book the invoice yet: {error.message}"
        error.hint = f"do not post it again: acctcli purchase update {purchase_id} --document {posted.id}"
        raise
