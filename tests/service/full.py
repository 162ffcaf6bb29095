"""A business that has one of everything, each record marked, so that a leak can be told by a word."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tests.service.actor import Actor
from tests.service.routes.books import Books

# the name of an id in paths -> where such records are listed
PLACES = {
    "identifier_id": "identifiers",
    "account_id": "account",
    "header_id": "header",
    "contact_id": "contacts",
    "tag_id": "tags",
    "file_id": "files",
    "document_id": "document",
    "relation_id": "document/{document_id}/relation",
    "payout_id": "sales_payouts",
    "period_id": "period",
    "vat_period_id": "vat_period",
    "workflow_id": "workflows",
    "subscription_id": "webhook_subscriptions",
}
# the same below `/v1/invoicing/`
INVOICING_PLACES = {
    "invoice_id": "invoice",
    "product_id": "product",
    "purchase_invoice_id": "purchase_invoice",
}


@dataclass(frozen=True)
class Full:
    """A business and the ids of what is in it, by the name such an id has in paths."""

    slug: str
    business_id: int
    mark: str
    ids: dict[str, int]
    books: Books


def open_books(actor: Actor, slug: str) -> Books:
    """Read and write a business as somebody."""

    def send(method: str, path: str, body: bytes) -> tuple[int, bytes]:
        headers = {"Content-Type": "application/json"} if body else {}
        reply = actor.send(method, path, content=body, headers=headers)
        return reply.status, reply.raw

    return Books(send, slug)


def fill(owner: Actor, mark: str) -> Full:
    """Create a business with one of everything; every text in it holds the mark."""
    made = owner.create_business(f"{mark} Oy", form="FI_OY", default_vat_period=0)
    books = open_books(owner, made["slug"])
    names = [{"key": "fi", "value": f"{mark} name"}]
    header = books.create("header/", {"name_translations": names, "type": "B"})
    account = books.create("account/", {"number": "1999", "name_translations": names, "header_id": header["id"]})
    contact = books.create("contacts/", {"name": f"{mark} contact", "invoicing_tax_code": "SE556677889901"})
    tag = books.create("tags/", {"name": f"{mark} tag"})
    content = base64.b64encode(mark.encode()).decode()
    file = books.send("POST", "file_upload/", {"name": f"{mark}.txt", "file": content})
    assert file.status == 200, file
    books.ids["1999"] = account["id"]
    day = "2026-03-10"
    document = books.create(
        "document/",
        {
            "date": day,
            "description": f"{mark} document",
            "contact_id": contact["id"],
            "tag_ids": [tag["id"]],
            "attachment_ids": [file.body["id"]],
            "blueprint": books.sales("1700", [books.row("3380", "500.00", 6)]),
        },
    )
    paid = books.create(
        "document/",
        {
            "date": day,
            "description": f"{mark} payment",
            "blueprint": books.sales("1910", [books.row("1700", "500.00")]),
        },
    )
    pair = {"related_document": paid["id"], "role": "ACCRUAL", "type": "ACCRUAL_PAIR"}
    relation = books.create(f"document/{document['id']}/relation/", pair)
    workflow = books.create("workflows/", {"name": f"{mark} workflow"})
    target = f"https://{mark}.example/"
    webhook = books.create("webhook_subscriptions/", {"name": f"{mark} webhook", "target_url": target})
    identifier = books.create("identifiers/", {"type": "vat_code", "value": "FI01120389"})
    product = books.invoicing.create("product/", {"name": f"{mark} product", "unit": "h", "amount": 1})
    bill = {"invoicing_date": day, "amount": 1, "import_source": "UPLOAD", "sender_name": f"{mark} sender"}
    purchase = books.invoicing.create("purchase_invoice/", bill)
    row = {"name": f"{mark} row", "unit": "h", "amount": 1, "product_count": 1, "vat_rate": 0, "vat_code": 3}
    sold = {"receiver": contact["id"], "invoicing_date": day, "payment_condition_days": 14, "rows": [row]}
    invoice = books.invoicing.create("invoice/", sold)
    message = books.invoicing.create(f"invoice/{invoice['id']}/status_messages/", {"message": f"{mark} message"})
    item = {"amount": 1, "account_number": "3000"}
    paid_out = {"external_id": f"{mark} payout", "source": "shop", "date": day, "amount": 1, "items": [item]}
    payout = books.create("sales_payouts/", paid_out)
    ids = {
        "identifier_id": identifier["id"],
        "account_id": account["id"],
        "header_id": header["id"],
        "contact_id": contact["id"],
        "tag_id": tag["id"],
        "file_id": file.body["id"],
        "document_id": document["id"],
        "relation_id": relation["id"],
        "payout_id": payout["id"],
        "invoice_id": invoice["id"],
        "message_id": message["id"],
        "product_id": product["id"],
        "purchase_invoice_id": purchase["id"],
        "period_id": _first(books, "period/"),
        "vat_period_id": _first(books, "vat_period/"),
        "workflow_id": workflow["id"],
        "subscription_id": webhook["id"],
    }
    return Full(made["slug"], made["id"], mark, ids, books)


def _first(books: Books, path: str) -> int:
    number: int = books.get(path).body["results"][0]["id"]
    return number


def snapshot(full: Full) -> dict[str, Any]:
    """Return everything a business shows of itself, to see that nothing has changed."""
    shown = {name: full.books.get(f"{place.format(**full.ids)}/").body for name, place in PLACES.items()}
    invoicing = {name: full.books.invoicing.get(f"{place}/").body for name, place in INVOICING_PLACES.items()}
    year = {"columns": [{"date_from": "2026-01-01", "date_to": "2026-12-31"}]}
    return {**shown, **invoicing, "journal": full.books.send("POST", "report/journal/", year).body, "cash": Decimal(0)}
