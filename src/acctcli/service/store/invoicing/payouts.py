"""Sales payouts and their items: SQL only. Rows are mappings with the names of the columns; amounts are cents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, insert
from acctcli.service.store.links import LinkTable
from acctcli.service.store.rows import Record, Rows

ATTACHMENTS = LinkTable("sales_payout_attachment", "sales_payout_id", "attachment_id")
ROWS = Rows[Record](
    dict,
    "sales_payout",
    "id DESC",
    {
        "external_id": "external_id = :external_id",
        "source": "source = :source",
        "date_from": "date >= :date_from",
        "date_to": "date <= :date_to",
    },
    has_unique=True,
)
# a payout is created without its items
list_page, get, create = ROWS.list_page, ROWS.get, ROWS.create
ITEMS = Query[Record](
    dict,
    """SELECT * FROM sales_payout_item
    WHERE business_id = :business_id AND sales_payout_id IN (:ids...) ORDER BY position""",
)


def items(conn: Connection, business_id: int, payout_ids: Iterable[int]) -> dict[int, list[Record]]:
    """Return the items of payouts in the order they were given."""
    found: dict[int, list[Record]] = {}
    for row in ITEMS.all(conn, business_id=business_id, ids=payout_ids):
        found.setdefault(row["sales_payout_id"], []).append(row)
    return found


def add_items(conn: Connection, business_id: int, payout_id: int, rows: Sequence[Mapping[str, Any]]) -> list[Record]:
    """Insert the items of a payout in their order and return them with their ids."""
    these = {"business_id": business_id, "sales_payout_id": payout_id}
    whole = [{**these, **row, "position": place} for place, row in enumerate(rows)]
    return [{**row, "id": insert(conn, "sales_payout_item", row)} for row in whole]
