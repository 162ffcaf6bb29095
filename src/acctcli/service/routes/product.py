"""Products of a business: `/v1/invoicing/{business_slug}/product/` (wire facts 1.3, 2.11)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from acctcli.service.problems import Invalid, Missing, Precondition
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.filters import search_clauses
from acctcli.service.rules.money import from_cents, from_e4, to_cents, to_e4
from acctcli.service.rules.products import split_price
from acctcli.service.store.books import accounts
from acctcli.service.store.invoicing import products

FIELDS = ("code", "name", "unit", "amount", "vat_rate", "vat_code", "is_vat_inclusive", "account_id", "description")


def list_products(call: Call) -> Page:
    """List products by name, then id; `search` looks into code and name."""
    page, clauses = call.page, search_clauses(call.query)
    count, rows = products.list_page(call.conn, call.business.id, clauses, limit=page.size, offset=page.offset)
    return Page(count, [_shown(row) for row in rows])


def create_product(call: Call) -> dict[str, Any]:
    """Create a product."""
    columns = _columns(call, FIELDS) | {"created_at": call.stamp, "updated_at": call.stamp}
    columns |= _searched(columns)
    product_id = products.create(call.conn, call.business.id, columns)
    shown = _shown(columns | {"id": product_id})
    call.emit("product.created", shown)
    return shown


def get_product(call: Call) -> dict[str, Any]:
    """Show a product."""
    return _shown(_find(call))


def replace_product(call: Call) -> dict[str, Any]:
    """Replace a product: fields that are not sent return to their defaults."""
    return _change(call, FIELDS)


def update_product(call: Call) -> dict[str, Any]:
    """Change the fields that are sent; the body may be empty."""
    return _change(call, call.body.model_fields_set)


def delete_product(call: Call) -> None:
    """Delete a product; one that rows of invoices name stays (412): they are posted to its account."""
    row = _find(call, for_update=True)
    if products.is_invoiced(call.conn, call.business.id, row["id"]):
        raise Precondition(f"Rows of invoices name the product {row['name']}.")
    products.remove(call.conn, call.business.id, row["id"])
    call.emit("product.deleted", {"id": row["id"]})


def _find(call: Call, *, for_update: bool = False) -> dict[str, Any]:
    row = products.get(call.conn, call.business.id, call.ids["product_id"], for_update=for_update)
    if row is None:
        raise Missing("There is no such product.")
    return row


def _change(call: Call, names: Collection[str]) -> dict[str, Any]:
    row = _find(call, for_update=True)
    columns = _columns(call, names)
    if columns.items() <= row.items():
        return _shown(row)
    columns |= _searched(row | columns) | {"updated_at": call.stamp}
    products.change(call.conn, call.business.id, row["id"], columns)
    shown = _shown(row | columns)
    call.emit("product.updated", shown)
    return shown


def _columns(call: Call, names: Collection[str]) -> dict[str, Any]:
    """Return the columns of the fields named, as they were sent."""
    columns = {name: getattr(call.body, name) for name in FIELDS if name in names}
    if "amount" in columns:
        columns["amount_e4"] = to_e4(columns.pop("amount"))
    if "vat_rate" in columns:
        columns["vat_rate"] = to_cents(columns["vat_rate"])
    _require_account(call, columns.get("account_id"))
    return columns


def _require_account(call: Call, account_id: int | None) -> None:
    if account_id is not None and accounts.get(call.conn, call.business.id, account_id) is None:
        raise Invalid.field("account_id", f"Unknown account id {account_id}.")


def _searched(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the columns that lists are ordered and searched by."""
    return {"sort_name": row["name"].casefold(), "search_text": f"{row['code'] or ''}\n{row['name']}".casefold()}


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    price = split_price(row["amount_e4"], row["vat_rate"], is_inclusive=row["is_vat_inclusive"])
    return {
        "id": row["id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "code": row["code"],
        "name": row["name"],
        "unit": row["unit"],
        "amount": from_e4(row["amount_e4"]),
        "vat_exclusive_amount": from_e4(price.exclusive),
        "vat_inclusive_amount": from_e4(price.inclusive),
        "vat_amount": from_e4(price.vat),
        "vat_rate": from_cents(row["vat_rate"]),
        "vat_code": row["vat_code"],
        "is_vat_inclusive": row["is_vat_inclusive"],
        "account_id": row["account_id"],
        "description": row["description"],
    }
