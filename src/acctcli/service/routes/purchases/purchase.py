"""Purchase invoices of a business: `/v1/invoicing/{business_slug}/purchase_invoice/` (wire facts 1.3, 2.13, 5.7).

They come in by e-mail, operator or upload elsewhere; here somebody posts them. Bank account, reference and VAT id are
what the sender wrote, and kept as they came: abroad an account is no IBAN and a reference has no check digit. Only an
account that has the form of an IBAN must be one, lest a slip of the finger pays somebody else.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from acctcli.law.identifiers import check_foreign_account
from acctcli.models.enums import PurchaseSource
from acctcli.service.problems import Invalid, Missing, Precondition
from acctcli.service.routes.amounts import kept_cents
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.documents.guard import name
from acctcli.service.routes.identifiers import refuse_wrong_numbers
from acctcli.service.routes.linking import require_files, require_tags
from acctcli.service.routes.purchases.filters import purchase_clauses
from acctcli.service.routes.purchases.view import is_deletable, show_purchase, show_purchases
from acctcli.service.rules.identifiers import Checks, alone
from acctcli.service.store.books import documents
from acctcli.service.store.invoicing import purchases
from acctcli.service.store.links import unique

PLAIN = ("invoicing_date", "due_date", "currency", "is_paid", "import_source", *purchases.TEXTS)
NAMED = ("original_attachment", "document")
LINKED = {"attachments": purchases.ATTACHMENTS, "tag_ids": purchases.TAGS}
FIELDS = {*PLAIN, "amount", *NAMED, *LINKED}
# read-only on services that file invoices themselves: a PUT written for those says nothing of them
KEPT = {"attachments", "document"}

NUMBERS: Checks = {"sender_bank_account": alone(check_foreign_account)}

# ids by the field that holds them
Ids = dict[str, list[int]]


def list_purchase_invoices(call: Call) -> Page:
    """List purchase invoices, the newest first, narrowed by the filters of wire facts 1.3."""
    page, clauses = call.page, purchase_clauses(call.query, call.today)
    count, rows = purchases.list_page(call.conn, call.business.id, clauses, limit=page.size, offset=page.offset)
    return Page(count, show_purchases(call, rows))


def create_purchase_invoice(call: Call) -> dict[str, Any]:
    """Create a purchase invoice; one that is paid already was paid today."""
    columns, links = _columns(call, FIELDS), _links(call, FIELDS)
    _check_source(columns, is_vat=False)
    refuse_wrong_numbers(NUMBERS, columns)
    columns |= {"payment_date": call.today if columns["is_paid"] else None}
    columns |= {"created_at": call.stamp, "updated_at": call.stamp}
    invoice_id = purchases.create(call.conn, call.business.id, columns)
    _write_links(call, invoice_id, links)
    shown = show_purchase(call, columns | {"id": invoice_id})
    call.emit("purchase_invoice.created", shown)
    return shown


def get_purchase_invoice(call: Call) -> dict[str, Any]:
    """Show a purchase invoice."""
    return show_purchase(call, _find(call))


def replace_purchase_invoice(call: Call) -> dict[str, Any]:
    """Replace a purchase invoice: what is not sent returns to its default, but for its files and its document."""
    return _change(call, FIELDS - (KEPT - call.body.model_fields_set))


def update_purchase_invoice(call: Call) -> dict[str, Any]:
    """Change the fields that are sent; `is_paid` sets and clears the date of payment."""
    return _change(call, call.body.model_fields_set)


def delete_purchase_invoice(call: Call) -> None:
    """Delete a purchase invoice; one that a document books, and the tax of a VAT period, stay (412)."""
    row = _find(call, for_update=True)
    if not is_deletable(row):
        booked = "A document books this purchase invoice."
        raise Precondition(booked if row["document_id"] else "This is the tax of a reported VAT period.")
    purchases.remove(call.conn, call.business.id, row["id"])
    call.emit("purchase_invoice.deleted", {"id": row["id"]})


def _find(call: Call, *, for_update: bool = False) -> dict[str, Any]:
    row = purchases.get(call.conn, call.business.id, call.ids["purchase_invoice_id"], for_update=for_update)
    if row is None:
        raise Missing("There is no such purchase invoice.")
    return row


def _change(call: Call, names: Collection[str]) -> dict[str, Any]:
    row = _find(call, for_update=True)
    columns, links = _columns(call, names), _links(call, names)
    _check_source(row | columns, is_vat=row["import_source"] == PurchaseSource.VAT_PURCHASE_INVOICE)
    refuse_wrong_numbers(NUMBERS, row | columns, row)
    verb = _verb(row, columns)
    if verb != "updated":
        columns["payment_date"] = call.today if columns["is_paid"] else None
    if columns.items() <= row.items() and links == _links_of(call, row["id"], links):
        return show_purchase(call, row)
    changed = row | columns | {"updated_at": call.stamp}
    purchases.change(call.conn, call.business.id, row["id"], changed)
    _write_links(call, row["id"], links)
    shown = show_purchase(call, changed)
    call.emit(f"purchase_invoice.{verb}", shown)
    return shown


def _verb(row: Mapping[str, Any], columns: Mapping[str, Any]) -> str:
    """Return what happens to an invoice, in the word of its event."""
    is_paid = columns.get("is_paid", row["is_paid"])
    if is_paid == row["is_paid"]:
        return "updated"
    return "paid" if is_paid else "unpaid"


def _columns(call: Call, names: Collection[str]) -> dict[str, Any]:
    """Return the columns of the fields named, as they were sent."""
    columns = {field: getattr(call.body, field) for field in PLAIN if field in names}
    if "import_source" in columns:
        columns["import_source"] = str(columns["import_source"])
    if "amount" in names:
        columns["amount_cents"] = kept_cents("amount", call.body.amount)
    for field in NAMED:
        if field in names:
            reference = getattr(call.body, field)
            columns[f"{field}_id"] = None if reference is None else reference.id
    _require_document(call, columns.get("document_id"))
    if (original := columns.get("original_attachment_id")) is not None:
        require_files(call, "original_attachment", [original])
    return columns


def _require_document(call: Call, document_id: int | None) -> None:
    """Refuse a document that is not there, and one that comes and goes with the state of a sales invoice."""
    if document_id is None:
        return
    row = documents.get(call.conn, call.business.id, document_id)
    if row is None:
        raise Invalid.field("document", f"Unknown document id {document_id}.")
    if row.invoice_id is not None:
        raise Invalid.field("document", f"Document {name(row)} belongs to a sales invoice.")


def _check_source(row: Mapping[str, Any], *, is_vat: bool) -> None:
    """Refuse to make the tax of a VAT period out of an invoice, or an invoice out of that: its period points at it."""
    if (row["import_source"] == PurchaseSource.VAT_PURCHASE_INVOICE) != is_vat:
        raise Invalid.field(
            "import_source", "Only a reported VAT period makes a VAT_PURCHASE_INVOICE, which stays one."
        )


def _links(call: Call, names: Collection[str]) -> Ids:
    """Return the files in the order that was sent, and the tags by id."""
    links: Ids = {}
    if "attachments" in names:
        links["attachments"] = unique(call.body.attachments)
        require_files(call, "attachments", links["attachments"])
    if "tag_ids" in names:
        links["tag_ids"] = sorted(unique(call.body.tag_ids))
        require_tags(call, "tag_ids", links["tag_ids"])
    return links


def _links_of(call: Call, invoice_id: int, names: Collection[str]) -> Ids:
    return {field: LINKED[field].of(call.conn, call.business.id, [invoice_id])[invoice_id] for field in names}


def _write_links(call: Call, invoice_id: int, links: Ids) -> None:
    for field, ids in links.items():
        LINKED[field].write(call.conn, call.business.id, invoice_id, ids)
