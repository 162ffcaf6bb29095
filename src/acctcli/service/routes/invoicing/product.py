"""Products of a business: `/v1/invoicing/{business_slug}/product/` (docs/interface.md 6.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from acctcli.service.cases.records import Columns, Records
from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid, Precondition
from acctcli.service.routes.operation import INVOICING, INVOICING_READ, INVOICING_WRITE, Area
from acctcli.service.routes.parameters import SEARCH
from acctcli.service.rules.money import from_cents, from_e4, to_cents, to_e4
from acctcli.service.rules.products import split_price
from acctcli.service.store.books import accounts
from acctcli.service.store.invoicing import products

if TYPE_CHECKING:
    from acctcli.models.product import Product


def _columns(work: Work, sent: dict[str, Any], row: Columns) -> dict[str, Any]:
    """Return the columns of what was sent, and those that lists are ordered and searched by."""
    columns = dict(sent)
    if "amount" in columns:
        columns["amount_e4"] = to_e4(columns.pop("amount"))
    if "vat_rate" in columns:
        columns["vat_rate"] = to_cents(columns["vat_rate"])
    _require_account(work, columns.get("account_id"))
    after = {**row, **columns}
    found = f"{after['code'] or ''}\n{after['name']}"
    return columns | {"sort_name": after["name"].casefold(), "search_text": found.casefold()}


def _require_account(work: Work, account_id: int | None) -> None:
    if account_id is not None and accounts.get(work.conn, work.business.id, account_id) is None:
        raise Invalid.field("account_id", f"Unknown account id {account_id}.")


def _refuse_deletion(work: Work, row: Columns) -> None:
    """Keep what rows of invoices name: they are posted to its account."""
    if products.is_invoiced(work.conn, work.business.id, row["id"]):
        raise Precondition(f"Rows of invoices name the product {row['name']}.")


def _shown(row: Columns) -> Product:
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


PRODUCTS = Records("product", products.ROWS, _columns, _shown, _refuse_deletion, is_quiet=True)
AREA = Area(
    "product",
    f"{INVOICING}product/",
    "product",
    read=INVOICING_READ,
    write=INVOICING_WRITE,
    request="product:ProductRequest",
    response="product:Product",
)
AREA.plain(PRODUCTS, SEARCH._replace(description="Code or name."))
