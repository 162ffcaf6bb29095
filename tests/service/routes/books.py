"""The books of one business as tests see them: requests in, exact JSON out."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from copy import copy
from decimal import Decimal
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

import msgspec

from tests.service.actor import Actor, Reply

Row = dict[str, Any]

encode = msgspec.json.Encoder(decimal_format="number").encode


# what the law wants an invoice to say of its seller
SELLER = {
    "invoicing_street": "Satama 1",
    "invoicing_postal_code": "00100",
    "invoicing_city": "Helsinki",
    "invoicing_vat_exemption_reason": "Exempt, AVL 44 and 58 §",
}


class Books:
    """One business over HTTP, as somebody."""

    def __init__(self, actor: Actor, slug: str) -> None:
        self.actor = actor
        self.path = f"/v1/business/{slug}/"
        self._accounts = f"{self.path}account/?page_size=200"
        self.business_id: int = self.get("").body["id"]

    @cached_property
    def ids(self) -> dict[str, int]:
        """The ids of the accounts that there are when somebody asks first, by number."""
        return {account["number"]: account["id"] for account in self.actor.get(self._accounts)["results"]}

    @property
    def invoicing(self) -> Books:
        """The same business below `/v1/invoicing/`: invoices and products."""
        below = copy(self)
        below.path = self.path.replace("/business/", "/invoicing/")
        return below

    def send(self, method: str, path: str, body: object = None) -> Reply:
        """Send a request below the business; Decimals keep their digits."""
        if body is None:
            return self.actor.send(method, self.path + path)
        kind = {"Content-Type": "application/json"}
        return self.actor.send(method, self.path + path, headers=kind, content=encode(body))

    def get(self, path: str, **query: str | list[str]) -> Reply:
        """Read."""
        return self.send("GET", f"{path}?{urlencode(query, doseq=True)}" if query else path)

    def create(self, path: str, body: object = None) -> Any:
        """POST to a collection and return what was created."""
        reply = self.send("POST", path, body)
        assert reply.status == 201, reply
        return reply.body

    def closed(self, period: Any) -> Any:
        """Return what the trail keeps of closing a period: its reply, and the fingerprint that was taken."""
        listed = self.get("fingerprint/").body["results"]
        kind = "vat_period" if "due_date" in period else "period"
        (kept,) = [one for one in listed if (one["kind"], one["period_id"]) == (kind, period["id"])]
        names = ("version", "journal", "ledger", "vat_report", "balance_sheet", "income_statement")
        return {**period, "fingerprint": {name: kept[name] for name in names}}

    def act(self, path: str, body: object = None) -> Any:
        """POST an action that must succeed and return its reply."""
        reply = self.send("POST", path, body)
        assert reply.status == 200, reply
        return reply.body

    def change(self, path: str, **fields: object) -> Any:
        """PATCH what must be accepted."""
        reply = self.send("PATCH", path, fields)
        assert reply.status == 200, reply
        return reply.body

    # --- blueprints ---

    def row(self, number: str, amount: str, code: int = 3, rate: str = "0.00", method: int = 0) -> Row:
        """Make a blueprint row on an account by its number."""
        return {
            "account_id": self.ids[number],
            "description": None,
            "vat_code": code,
            "vat_rate": Decimal(rate),
            "vat_method": method,
            "amount": Decimal(amount),
        }

    def sales(self, debit: str, rows: list[Row], expense: list[Row] | None = None) -> Row:
        """Make a blueprint of style SALES."""
        return blueprint(debet_account_id=self.ids[debit], credit_entries=rows, expense_entries=expense or [])

    def purchase(self, credit: str, rows: list[Row]) -> Row:
        """Make a blueprint of style PURCHASE."""
        return blueprint(credit_account_id=self.ids[credit], debet_entries=rows)

    def simple(self, amount: str, debit: str = "1910", credit: str = "3900") -> Row:
        """Make a blueprint that moves an amount without VAT."""
        return self.sales(debit, [self.row(credit, amount)])

    # --- accounting periods ---

    def keep_books(self, first: int, last: int = 2026) -> None:
        """Add the calendar years from one to another beside those there are, of which none is left out."""
        periods = self.get("period/", page_size="200").body["results"]
        years = {int(period["start_date"][:4]) for period in periods}
        for year in [*range(min(years) - 1, first - 1, -1), *range(max(years) + 1, last + 1)]:
            self.create("period/", {"start_date": f"{year:04}-01-01", "end_date": f"{year:04}-12-31"})

    # --- what documents refer to ---

    def contact(self, name: str = "Birch Oy", **fields: object) -> int:
        """Create a contact and return its id."""
        return int(self.create("contacts/", {"name": name, **fields})["id"])

    def tag(self, name: str) -> int:
        """Create a tag and return its id."""
        return int(self.create("tags/", {"name": name})["id"])

    def file(self, name: str) -> int:
        """Upload a file and return its id."""
        return int(self.act("file_upload/", {"name": name, "file": base64.b64encode(name.encode()).decode()})["id"])

    # --- what came of it ---

    def document(self, day: str, amount: str, **fields: object) -> Any:
        """Create a simple document."""
        return self.create("document/", {"date": day, "blueprint": self.simple(amount), **fields})

    def entries(self, document_id: int) -> list[tuple[str, str, str, int, str]]:
        """Return the entries of a document: side, account, amount, VAT code and rate."""
        reply = self.get(f"document/{document_id}/entry/", page_size="200")
        return [
            (
                "D" if entry["is_debet"] else "C",
                entry["account_number"],
                str(entry["amount"]),
                entry["vat_code"],
                entry["vat_rate"],
            )
            for entry in reply.body["results"]
        ]

    def account(self, number: str) -> Any:
        """Show an account by its number."""
        return self.get(f"account/{self.ids[number]}/").body

    def balance(self, number: str) -> str:
        """Return the balance of an account as it is written."""
        return str(self.account(number)["balance"])

    def numbers(self, **query: str | list[str]) -> list[str]:
        """Return the numbers of listed accounts."""
        return [account["number"] for account in self.get("account/", page_size="200", **query).body["results"]]

    def listed(self, **query: str | list[str]) -> list[int]:
        """Return the ids of listed documents."""
        reply = self.get("document/", **query)
        assert reply.status == 200, reply
        assert reply.body["count"] == len(reply.body["results"])
        return [document["id"] for document in reply.body["results"]]


def open_books(bookkeeper: Actor, **fields: object) -> Books:
    """Create a company that may invoice and open its books: a Finnish one, on payment basis, unless told otherwise."""
    official = "0112038-9" if str(fields.get("form", "FI_OY")).startswith("FI") else "181/815/08155"
    usual = {"form": "FI_OY", "has_accrual_based_entries_for_invoicing": False, "business_id": official, **SELLER}
    return Books(bookkeeper, bookkeeper.create_business("Example Oy", **{**usual, **fields})["slug"])


def blueprint(**fields: object) -> Row:
    """Return a blueprint with every key."""
    empty: Mapping[str, object] = {
        "debet_account_id": None,
        "debet_entries": [],
        "credit_account_id": None,
        "credit_entries": [],
        "expense_entries": [],
    }
    return {**empty, **fields}
