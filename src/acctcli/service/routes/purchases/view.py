"""How purchase invoices are shown (wire facts 2.13, 5.7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from acctcli.banking.barcode import bank_barcode
from acctcli.models.enums import PurchaseSource
from acctcli.service.routes.call import Call
from acctcli.service.routes.documents.view import show_documents
from acctcli.service.routes.file import show_file
from acctcli.service.routes.invoices.view import embedded
from acctcli.service.rules.money import from_cents
from acctcli.service.store import attachments
from acctcli.service.store.books import documents
from acctcli.service.store.invoicing import purchases

Row = Mapping[str, Any]


def show_purchase(call: Call, row: Row) -> dict[str, Any]:
    """Return one purchase invoice as it is shown."""
    return show_purchases(call, [row])[0]


def show_purchases(call: Call, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return purchase invoices as they are shown; what they refer to is looked up for all of them at once."""
    conn, business_id, ids = call.conn, call.business.id, [row["id"] for row in rows]
    tags = purchases.TAGS.of(conn, business_id, ids)
    files = purchases.ATTACHMENTS.of(conn, business_id, ids)
    originals = _files(call, {row["original_attachment_id"] for row in rows} - {None})
    booked = _documents(call, {row["document_id"] for row in rows} - {None})
    return [
        _own(row, call.today)
        | {
            "original_attachment": originals.get(row["original_attachment_id"]),
            "attachments": files[row["id"]],
            "document": booked.get(row["document_id"]),
            "tag_ids": tags[row["id"]],
        }
        for row in rows
    ]


def is_deletable(row: Row) -> bool:
    """Say whether an invoice may go: one that a document books, and the tax of a VAT period, stay."""
    return row["document_id"] is None and row["import_source"] != PurchaseSource.VAT_PURCHASE_INVOICE


def _files(call: Call, ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    rows = attachments.several(call.conn, call.business.id, ids)
    return {row.id: show_file(call, row, is_used=True) for row in rows}


def _documents(call: Call, ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    rows = documents.several(call.conn, call.business.id, ids)
    return {row.id: embedded(shown) for row, shown in zip(rows, show_documents(call, rows), strict=True)}


def _own(row: Row, today: date) -> dict[str, Any]:
    """Return every field in the order of the interface, those that other tables hold as null."""
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
        "original_attachment": None,
        "amount": from_cents(row["amount_cents"]),
        "currency": row["currency"],
        "virtuaaliviivakoodi": _barcode(row),
        "is_paid": row["is_paid"],
        "is_past_due": not row["is_paid"] and row["due_date"] is not None and row["due_date"] < today,
        "is_deletable": is_deletable(row),
        "attachments": None,
        "import_source": row["import_source"],
        "payment": None,
        "payment_date": row["payment_date"],
        "bank_transaction": None,
        "document": None,
        "tag_ids": None,
        "pis_payment": None,
    }


def _barcode(row: Row) -> str | None:
    """Return the 54 digits a bank reads, where account, reference and amount can be put into them."""
    account, reference = row["sender_bank_account"], row["reference"]
    if not account or not reference or row["currency"] != "EUR":
        return None
    return bank_barcode(account, from_cents(row["amount_cents"]), reference, row["due_date"])
