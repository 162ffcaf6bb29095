"""Purchase invoices: what the business is invoiced for (docs/interface.md 8.1).

They come in by e-mail, operator or upload elsewhere; here somebody posts them. Bank account, reference and VAT id are
what the sender wrote, and kept as they came: abroad an account is no IBAN and a reference has no check digit. Only an
account that has the form of an IBAN must be one, lest a slip of the finger pays somebody else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from typing import TYPE_CHECKING, Any

from acctcli.banking.barcode import bank_barcode
from acctcli.law.identifiers import check_bic, check_foreign_account
from acctcli.models.enums import PurchaseSource
from acctcli.service.cases.bodies import kept_cents, refuse_wrong_numbers, require_files, require_tags
from acctcli.service.cases.documents.guard import name
from acctcli.service.cases.documents.view import ROW_LETTERS, embed_documents
from acctcli.service.cases.files import show_file
from acctcli.service.cases.work import Work, found
from acctcli.service.problems import Invalid, Precondition
from acctcli.service.rules.identifiers import Checks, alone
from acctcli.service.rules.money import from_cents
from acctcli.service.store import attachments
from acctcli.service.store.books import documents
from acctcli.service.store.invoicing import purchases
from acctcli.service.store.links import unique

if TYPE_CHECKING:
    from acctcli.models.document import EmbeddedDocument
    from acctcli.models.file import Attachment
    from acctcli.models.purchase_invoice import PurchaseInvoice, PurchaseInvoiceRequest

PLAIN = ("invoicing_date", "due_date", "currency", "is_paid", "import_source", *purchases.TEXTS)
NAMED = ("original_attachment", "document")
LINKED = {"attachments": purchases.ATTACHMENTS, "tag_ids": purchases.TAGS}
FIELDS = {*PLAIN, "amount", *NAMED, *LINKED}
# read-only on services that file invoices themselves: a PUT written for those says nothing of them
KEPT = {"attachments", "document"}

NUMBERS: Checks = {"sender_bank_account": alone(check_foreign_account), "sender_bank_bic": alone(check_bic)}

# ids by the field that holds them
Ids = dict[str, list[int]]
PurchaseRow = Mapping[str, Any]


def create_purchase(work: Work, body: PurchaseInvoiceRequest) -> PurchaseInvoice:
    """Create a purchase invoice; one that is paid already was paid today."""
    columns, links = _columns(work, body, FIELDS), _links(work, body, FIELDS)
    _check_source(columns, is_vat=False)
    refuse_wrong_numbers(NUMBERS, columns)
    columns |= {"payment_date": work.today if columns["is_paid"] else None, **work.born}
    invoice_id = purchases.create(work.conn, work.business.id, columns)
    _write_links(work, invoice_id, links)
    shown = show_purchase(work, columns | {"id": invoice_id})
    work.emit("purchase_invoice.created", shown)
    return shown


def get_purchase(work: Work, purchase_id: int) -> PurchaseInvoice:
    """Show a purchase invoice."""
    return show_purchase(work, find(work, purchase_id))


def delete_purchase(work: Work, purchase_id: int) -> None:
    """Delete a purchase invoice; one that a document books, and the tax of a VAT period, stay (412)."""
    row = find(work, purchase_id, for_update=True)
    if not is_deletable(row):
        booked = "A document books this purchase invoice."
        raise Precondition(booked if row["document_id"] else "This is the tax of a reported VAT period.")
    purchases.remove(work.conn, work.business.id, row["id"])
    work.emit("purchase_invoice.deleted", {"id": row["id"]})


def find(work: Work, purchase_id: int, *, for_update: bool = False) -> dict[str, Any]:
    """Return a purchase invoice."""
    return found(purchases.get(work.conn, work.business.id, purchase_id, for_update=for_update), "purchase invoice")


def change_purchase(
    work: Work, purchase_id: int, body: PurchaseInvoiceRequest, names: AbstractSet[str]
) -> PurchaseInvoice:
    """Write the fields of these names, files and document only if sent; `is_paid` moves the date of payment."""
    row = find(work, purchase_id, for_update=True)
    names = names - (KEPT - body.model_fields_set)
    columns, links = _columns(work, body, names), _links(work, body, names)
    if row["document_id"] is not None and _is_vat(row) and columns.get("document_id", 0) is None:
        columns.setdefault("is_paid", False)  # it named its payment
    _check_source(row | columns, is_vat=_is_vat(row))
    refuse_wrong_numbers(NUMBERS, row | columns, row)
    verb = _verb(row, columns)
    if verb != "updated":
        columns["payment_date"] = work.today if columns["is_paid"] else None
    if columns.items() <= row.items() and links == _links_of(work, row["id"], links):
        return show_purchase(work, row)
    return _write(work, row | columns, links, verb)


def open_taken_back(work: Work, document_ids: Iterable[int]) -> None:
    """Open the tax of VAT periods again whose payment is one of these documents and has been taken back."""
    for purchase_id in purchases.vat_debts_unpaid(work.conn, work.business.id, document_ids):
        row = find(work, purchase_id, for_update=True)
        columns = {"is_paid": False, "payment_date": None, "document_id": None}
        _write(work, row | columns, {}, _verb(row, columns))


def _write(work: Work, values: Mapping[str, Any], links: Ids, verb: str) -> PurchaseInvoice:
    changed = {**values, "updated_at": work.stamp}
    purchases.change(work.conn, work.business.id, changed["id"], changed)
    _write_links(work, changed["id"], links)
    shown = show_purchase(work, changed)
    work.emit(f"purchase_invoice.{verb}", shown)
    return shown


def _is_vat(row: Mapping[str, Any]) -> bool:
    """Say whether an invoice is the tax of a VAT period; the document it names is its payment."""
    return bool(row["import_source"] == PurchaseSource.VAT_PURCHASE_INVOICE)


def _verb(row: Mapping[str, Any], columns: Mapping[str, Any]) -> str:
    """Return what happens to an invoice, in the word of its event."""
    is_paid = columns.get("is_paid", row["is_paid"])
    if is_paid == row["is_paid"]:
        return "updated"
    return "paid" if is_paid else "unpaid"


def _columns(work: Work, body: PurchaseInvoiceRequest, names: Collection[str]) -> dict[str, Any]:
    """Return the columns of the fields named, as they were sent."""
    columns = {field: getattr(body, field) for field in PLAIN if field in names}
    if "import_source" in columns:
        columns["import_source"] = str(columns["import_source"])
    if "amount" in names:
        columns["amount_cents"] = kept_cents("amount", body.amount)
    for field in NAMED:
        if field in names:
            reference = getattr(body, field)
            columns[f"{field}_id"] = None if reference is None else reference.id
    _require_document(work, columns.get("document_id"))
    if (original := columns.get("original_attachment_id")) is not None:
        require_files(work, "original_attachment", [original])
    return columns


def _require_document(work: Work, document_id: int | None) -> None:
    """Refuse a document that is not there, and one that comes and goes with the state of a sales invoice."""
    if document_id is None:
        return
    row = documents.get(work.conn, work.business.id, document_id)
    if row is None:
        raise Invalid.field("document", f"Unknown document id {document_id}.")
    if row.invoice_id is not None:
        raise Invalid.field("document", f"Document {name(row)} belongs to a sales invoice.")


def _check_source(row: Mapping[str, Any], *, is_vat: bool) -> None:
    """Refuse to make the tax of a VAT period out of an invoice, or an invoice out of that: its period points at it."""
    if _is_vat(row) != is_vat:
        raise Invalid.field(
            "import_source", "Only a reported VAT period makes a VAT_PURCHASE_INVOICE, which stays one."
        )


def _links(work: Work, body: PurchaseInvoiceRequest, names: Collection[str]) -> Ids:
    """Return the files in the order that was sent, and the tags by id."""
    links: Ids = {}
    if "attachments" in names:
        links["attachments"] = unique(body.attachments)
        require_files(work, "attachments", links["attachments"])
    if "tag_ids" in names:
        links["tag_ids"] = sorted(unique(body.tag_ids))
        require_tags(work, "tag_ids", links["tag_ids"])
    return links


def _links_of(work: Work, invoice_id: int, names: Collection[str]) -> Ids:
    return {field: LINKED[field].of(work.conn, work.business.id, [invoice_id])[invoice_id] for field in names}


def _write_links(work: Work, invoice_id: int, links: Ids) -> None:
    for field, ids in links.items():
        LINKED[field].write(work.conn, work.business.id, invoice_id, ids)


# --- showing ---


def show_purchase(work: Work, row: PurchaseRow) -> PurchaseInvoice:
    """Return one purchase invoice as it is shown."""
    return show_purchases(work, [row])[0]


def weigh_purchases(work: Work, rows: Sequence[PurchaseRow]) -> list[int]:
    """Say of each purchase invoice how many rows its document may have."""
    ids = {row["document_id"] for row in rows} - {None}
    lengths = documents.sizes(work.conn, work.business.id, ids) if ids else {}
    return [lengths.get(row["document_id"], 0) // ROW_LETTERS for row in rows]


def show_purchases(work: Work, rows: Sequence[PurchaseRow]) -> list[PurchaseInvoice]:
    """Return purchase invoices as they are shown; what they refer to is looked up for all of them at once."""
    conn, business_id, ids = work.conn, work.business.id, [row["id"] for row in rows]
    tags = purchases.TAGS.of(conn, business_id, ids)
    files = purchases.ATTACHMENTS.of(conn, business_id, ids)
    originals = _files(work, {row["original_attachment_id"] for row in rows} - {None})
    booked = _documents(work, {row["document_id"] for row in rows} - {None})
    return [
        _shown(
            row,
            work.today,
            original=originals.get(row["original_attachment_id"]),
            attachments=files[row["id"]],
            document=booked.get(row["document_id"]),
            tag_ids=tags[row["id"]],
        )
        for row in rows
    ]


def is_deletable(row: PurchaseRow) -> bool:
    """Say whether an invoice may go: one that a document books, and the tax of a VAT period, stay."""
    return row["document_id"] is None and not _is_vat(row)


def _files(work: Work, ids: Iterable[int]) -> dict[int, Attachment]:
    rows = attachments.several(work.conn, work.business.id, ids)
    return {row.id: show_file(work, row, is_used=True) for row in rows}


def _documents(work: Work, ids: Iterable[int]) -> dict[int, EmbeddedDocument]:
    rows = documents.several(work.conn, work.business.id, ids)
    return dict(zip((row.id for row in rows), embed_documents(work, rows), strict=True))


def _shown(
    row: PurchaseRow,
    today: date,
    *,
    original: Attachment | None,
    attachments: Sequence[int],
    document: EmbeddedDocument | None,
    tag_ids: Sequence[int],
) -> PurchaseInvoice:
    return {
        "id": row["id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "invoice_number": row["invoice_number"],
        "invoicing_date": row["invoicing_date"],
        "due_date": row["due_date"],
        "sender_vat": row["sender_vat"],
        "sender_name": row["sender_name"],
        "sender_bank_account": row["sender_bank_account"],
        "sender_bank_bic": row["sender_bank_bic"],
        "receiver_vat": row["receiver_vat"],
        "receiver_name": row["receiver_name"],
        "reference": row["reference"],
        "message": row["message"],
        "original_invoice_xml": None,
        "original_attachment": original,
        "amount": from_cents(row["amount_cents"]),
        "currency": row["currency"],
        "virtuaaliviivakoodi": _barcode(row),
        "is_paid": row["is_paid"],
        "is_past_due": not row["is_paid"] and row["due_date"] is not None and row["due_date"] < today,
        "is_deletable": is_deletable(row),
        "attachments": attachments,
        "import_source": row["import_source"],
        "payment": None,
        "payment_date": row["payment_date"],
        "bank_transaction": None,
        "document": document,
        "tag_ids": tag_ids,
        "pis_payment": None,
    }


def _barcode(row: PurchaseRow) -> str | None:
    """Return the 54 digits a bank reads, where account, reference and amount can be put into them."""
    account, reference = row["sender_bank_account"], row["reference"]
    if not account or not reference or row["currency"] != "EUR":
        return None
    return bank_barcode(account, from_cents(row["amount_cents"]), reference, row["due_date"])
