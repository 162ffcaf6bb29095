"""A business that sells: its customers, its invoices, and what its books say of them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tests.service.actor import Reply
from tests.service.routes.books import Books

D = Decimal
ADDRESS = {
    "invoicing_street": "Hämeenkatu 1",
    "invoicing_city": "Tampere",
    "invoicing_postal_code": "33100",
    "invoicing_country": "FI",
}
# the rows of docs/interface.md 7.2 and what they come to
EXAMPLES = (("100.00", "2", "25.50"), ("19.99", "3", "13.50"), ("33.33", "1.5", "10.00"))
COME_TO = (("51.00", "251.00"), ("8.10", "68.07"), ("5.00", "55.00"))


def row(price: str = "100.00", count: str = "2", rate: str = "25.50", **fields: object) -> dict[str, Any]:
    """Make a row; 2 times 100.00 at 25.5 % come to 251.00."""
    usual = {"name": "Consulting", "unit": "h", "amount": D(price), "product_count": D(count), "vat_rate": D(rate)}
    return {**usual, "vat_code": 1, **fields}


class Shop:
    """One business and its invoices."""

    def __init__(self, books: Books) -> None:
        self.books = books
        self.invoicing = books.invoicing
        self.customer = self.new_customer()

    def new_customer(self, name: str = "Birch Oy", **fields: object) -> int:
        """Create somebody who can be invoiced."""
        return self.books.contact(name, **{"is_invoicing_enabled": True, **ADDRESS, **fields})

    def body(self, *rows: dict[str, Any], **fields: object) -> dict[str, Any]:
        """Make the body of an invoice of 2026-04-01."""
        usual = {"receiver": self.customer, "invoicing_date": "2026-04-01", "payment_condition_days": 14}
        return {**usual, "rows": list(rows or (row(),)), **fields}

    def draft(self, *rows: dict[str, Any], **fields: object) -> Any:
        """Create a draft."""
        return self.invoicing.create("invoice/", self.body(*rows, **fields))

    def accepted(self, *rows: dict[str, Any], **fields: object) -> Any:
        """Create an invoice and accept it."""
        return self.act(self.draft(*rows, **fields), "accept")

    def act(self, invoice: Any, action: str) -> Any:
        """Do what must succeed."""
        return self.invoicing.act(f"invoice/{invoice['id']}/actions/{action}/")

    def try_act(self, invoice: Any, action: str) -> Reply:
        """Do what may be refused."""
        return self.invoicing.send("POST", f"invoice/{invoice['id']}/actions/{action}/")

    def get(self, invoice: Any) -> Any:
        """Read an invoice anew."""
        return self.invoicing.get(f"invoice/{invoice['id']}/").body

    def listed(self, **query: str | list[str]) -> list[int]:
        """Return the ids of listed invoices."""
        reply = self.invoicing.get("invoice/", **query)
        assert reply.status == 200, reply
        assert reply.body["count"] == len(reply.body["results"])
        return [invoice["id"] for invoice in reply.body["results"]]

    def keep_accruals(self) -> None:
        """Keep the books by claims from now on."""
        self.books.change("", has_accrual_based_entries_for_invoicing=True)

    def documents(self) -> list[tuple[str, str, list[tuple[str, str, str, int, str]]]]:
        """Return every document, the oldest first: its date, what it says, its entries."""
        found = self.books.get("document/", page_size="200").body["results"]
        found.sort(key=lambda document: document["id"])
        return [(one["date"], one["description"], self.books.entries(one["id"])) for one in found]

    def owed(self) -> str:
        """Return the sum of open invoices and credit notes."""
        found = self.invoicing.get("invoice/", status="ACCEPTED", page_size="200").body["results"]
        return str(sum((invoice["total_amount"] for invoice in found), D("0.00")))
