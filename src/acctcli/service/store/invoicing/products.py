"""Products: SQL only. A row is a mapping with the names of the columns; amounts are ten-thousandths."""

from __future__ import annotations

from collections.abc import Iterable

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Statement
from acctcli.service.store.rows import Record, Rows

ROWS = Rows[Record](dict, "product", "sort_name, id", searched="search_text")
NAMING = Statement(
    "SELECT id FROM sales_invoice_row WHERE business_id = :business_id AND product_id = :product_id LIMIT 1"
)
KNOWN = Statement("SELECT id FROM product WHERE business_id = :business_id AND id IN (:ids...)")


def known(conn: Connection, business_id: int, product_ids: Iterable[int]) -> set[int]:
    """Return those of the ids that are products of the business."""
    return set(KNOWN.values(conn, business_id=business_id, ids=product_ids))


def is_invoiced(conn: Connection, business_id: int, product_id: int) -> bool:
    """Say whether a row of an invoice or a draft names a product."""
    return NAMING.value(conn, business_id=business_id, product_id=product_id) is not None
