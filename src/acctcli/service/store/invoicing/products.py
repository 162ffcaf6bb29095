"""Products: SQL only. A row is a mapping with the names of the columns; amounts are ten-thousandths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.id_lists import among, portions
from acctcli.service.store.listing import Clauses, Listing
from acctcli.service.store.schema.invoices import sales_invoice_row
from acctcli.service.store.schema.products import product

KEY = (product.c.business_id == bindparam("business_id"), product.c.id == bindparam("product_id"))
LISTING = Listing(
    product,
    tuple(product.c),
    (product.c.sort_name, product.c.id),
    {"search": product.c.search_text.like(bindparam("search"), escape="\\")},
)
ONE = select(product).where(*KEY)
ONE_FOR_UPDATE = ONE.with_for_update()
INSERT = insert(product).returning(product.c.id)
UPDATE = update(product).where(
    product.c.business_id == bindparam("of_business"), product.c.id == bindparam("of_product")
)
NAMING = (
    select(sales_invoice_row.c.id)
    .where(
        sales_invoice_row.c.business_id == bindparam("business_id"),
        sales_invoice_row.c.product_id == bindparam("product_id"),
    )
    .limit(1)
)
DELETE = delete(product).where(*KEY)


def list_page(
    conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int
) -> tuple[int, list[dict[str, Any]]]:
    """Return how many products pass the clauses, and one page of them by name, then id."""
    count, rows = LISTING.page(conn, business_id, clauses, limit=limit, offset=offset)
    return count, [dict(row._mapping) for row in rows]


def get(conn: Connection, business_id: int, product_id: int, *, for_update: bool = False) -> dict[str, Any] | None:
    """Return a product of the business, or None."""
    key = {"business_id": business_id, "product_id": product_id}
    row = conn.execute(ONE_FOR_UPDATE if for_update else ONE, key).mappings().one_or_none()
    return None if row is None else dict(row)


@cache
def _known(length: int) -> Prepared:
    these = (product.c.business_id == bindparam("business_id"), among(product.c.id, length))
    return Prepared(select(product.c.id).where(*these))


def known(conn: Connection, business_id: int, product_ids: Iterable[int]) -> set[int]:
    """Return those of the ids that are products of the business."""
    lists = portions(product_ids)
    return {one for length, values in lists for (one,) in _known(length).all(conn, business_id=business_id, **values)}


def create(conn: Connection, business_id: int, values: Mapping[str, Any]) -> int:
    """Insert a product and return its id."""
    return int(conn.execute(INSERT, {"business_id": business_id, **values}).scalar_one())


def change(conn: Connection, business_id: int, product_id: int, values: Mapping[str, Any]) -> None:
    """Write some columns of a product."""
    conn.execute(UPDATE, {**values, "of_business": business_id, "of_product": product_id})


def is_invoiced(conn: Connection, business_id: int, product_id: int) -> bool:
    """Say whether a row of an invoice or a draft names a product."""
    return conn.execute(NAMING, {"business_id": business_id, "product_id": product_id}).first() is not None


def remove(conn: Connection, business_id: int, product_id: int) -> None:
    """Delete a product that no invoice names."""
    conn.execute(DELETE, {"business_id": business_id, "product_id": product_id})
