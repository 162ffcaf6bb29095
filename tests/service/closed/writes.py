"""Writes drawn from the declared operations: any record, any field, values that are mostly right."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from random import Random
from typing import Any, NamedTuple

from pydantic import BaseModel

from acctcli.service.routes.operation import Operation, load
from acctcli.service.routes.table import TABLE
from tests.service.actor import Reply
from tests.service.company.plans import draw_day
from tests.service.routes.books import encode
from tests.service.routes.full import Full
from tests.service.routes.test_foreign_ids import KINDS, valid_body

# what opens closed days again, which is what it is for
OPENING = {"unlock_period", "unlock_vat_period", "reopen_vat_period"}
# what closes days, and may post while it does
CLOSING = {"lock_period", "lock_vat_period", "report_vat_period"}
WRITES = [one for one in TABLE if not one.safe and one.scoped and one.name not in OPENING | CLOSING]
FIRST, LAST = date(2025, 6, 1), date(2027, 6, 30)
RATES = ("0", "10", "13.5", "14", "25.5")


class Write(NamedTuple):
    """A request that is about to be sent."""

    operation: Operation
    path: str
    body: Mapping[str, Any] | None


@cache
def schema_of(name: str) -> dict[str, Any]:
    """Return the schema of a request."""
    model: type[BaseModel] = load(name)
    return model.model_json_schema()


class Writer:
    """Draws writes in one business; `known` are the ids of the records there were when they were last looked for."""

    def __init__(self, random: Random, full: Full) -> None:
        self.random = random
        self.full = full
        self.known: dict[str, list[int]] = {}

    def look(self) -> None:
        """Take note of what there is by now."""
        below = {
            "account_id": "account", "header_id": "header", "contact_id": "contacts", "document_id": "document",
            "file_id": "files", "identifier_id": "identifiers", "period_id": "period", "payout_id": "sales_payouts",
            "tag_id": "tags", "vat_period_id": "vat_period", "workflow_id": "workflows",
            "subscription_id": "webhook_subscriptions",
        }  # fmt: skip
        invoicing = {"invoice_id": "invoice", "product_id": "product", "purchase_invoice_id": "purchase_invoice"}
        for books, places in ((self.full.books, below), (self.full.books.invoicing, invoicing)):
            for kind, place in places.items():
                rows = books.get(f"{place}/", page_size="200").body["results"]
                self.known[kind] = [row["id"] for row in rows] or [self.full.ids[kind]]

    def draw(self, operation: Operation) -> Write:
        """Draw a request of an operation."""

        def chosen(found: re.Match[str]) -> str:
            return self.full.slug if found[1] == "business_slug" else str(self._id(found[1]))

        return Write(operation, re.sub(r"\{(\w+)\}", chosen, operation.path), self._body(operation))

    def send(self, write: Write) -> Reply:
        """Send a request."""
        content = None if write.body is None else encode(write.body)
        kind = {"Content-Type": "application/json"} if content is not None else {}
        return self.full.books.actor.send(write.operation.method, write.path, headers=kind, content=content)

    def _id(self, kind: str) -> int:
        return self.random.choice(self.known.get(kind) or [self.full.ids[kind]])

    # --- bodies ---

    def _body(self, operation: Operation) -> dict[str, Any] | None:
        """Return a body that would do, with some fields of it drawn anew; a PATCH has these and no others."""
        if operation.request is None:
            return None
        schema = schema_of(operation.request)
        fields = [field for field in schema["properties"] if field != "slug"]  # by which the test finds its business
        chosen = self.random.sample(fields, min(len(fields), self.random.choice((1, 1, 1, 2, 4))))
        drawn = {field: self._value(field, schema["properties"][field], schema.get("$defs", {})) for field in chosen}
        return drawn if operation.partial else {**valid_body(operation, self.full), **drawn}

    def _value(self, field: str, schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Any:
        if "$ref" in schema:
            return self._value(field, defs[schema["$ref"].rsplit("/", 1)[1]], defs)
        if branches := schema.get("anyOf"):
            return self._value(field, branches[0] if self.random.random() < 0.8 else branches[-1], defs)
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        kind = schema["type"]
        if kind == "array":
            return [self._value(field, schema["items"], defs) for _ in range(self.random.choice((0, 1, 1, 2)))]
        if kind == "object":
            return {name: self._value(name, inner, defs) for name, inner in schema.get("properties", {}).items()}
        if kind == "integer":
            return self._integer(field, schema)
        if kind == "string":
            return self._text(field, schema)
        return {"null": None, "boolean": self.random.random() < 0.5, "number": self._number(field)}[kind]

    def _integer(self, field: str, schema: Mapping[str, Any]) -> int:
        kind = "account_id" if re.fullmatch(r"account_\w+", field) else KINDS.get(field)
        if kind is not None:
            return self._id(kind)
        return self.random.randint(schema.get("minimum", 0), min(schema.get("maximum", 20), 20))

    def _number(self, field: str) -> Decimal:
        if "rate" in field:
            return Decimal(self.random.choice(RATES))
        return Decimal(self.random.randint(-50_000, 500_000)).scaleb(-2)

    def _text(self, field: str, schema: Mapping[str, Any]) -> str:
        if schema.get("format") == "date":
            return draw_day(self.random, FIRST, LAST).isoformat()
        if field == "number":
            return str(self.random.randint(1000, 9999))
        if field in ("key", "invoicing_country", "business_country"):
            return self.random.choice(("fi", "sv", "en") if field == "key" else ("FI", "DE", "SE"))
        return f"x{self.random.randint(0, 10**6)}"[: schema.get("maxLength", 20)]
