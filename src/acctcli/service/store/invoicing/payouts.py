"""Sales payouts and their items: SQL only. Amounts are cents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, bindparam, insert, select
from sqlalchemy.exc import IntegrityError

from acctcli.service.store.id_lists import among, portions
from acctcli.service.store.links import LinkTable
from acctcli.service.store.listing import Clauses, Listing
from acctcli.service.store.schema.payouts import sales_payout, sales_payout_attachment, sales_payout_item

Row = dict[str, Any]

ATTACHMENTS = LinkTable(sales_payout_attachment, "sales_payout_id", "attachment_id")
FILTERS = {
    "external_id": sales_payout.c.external_id == bindparam("external_id"),
    "source": sales_payout.c.source == bindparam("source"),
    "date_from": sales_payout.c.date >= bindparam("date_from"),
    "date_to": sales_payout.c.date <= bindparam("date_to"),
}
LISTING = Listing(sales_payout, tuple(sales_payout.c), (sales_payout.c.id.desc(),), FILTERS)
ONE = select(sales_payout).where(
    sales_payout.c.business_id == bindparam("business_id"), sales_payout.c.id == bindparam("payout_id")
)
INSERT = insert(sales_payout).returning(sales_payout.c.id)
INSERT_ITEM = insert(sales_payout_item).returning(sales_payout_item.c.id)


class ExternalIdTaken(Exception):
    """Another payout of the business has this external id."""


def list_page(
    conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int
) -> tuple[int, list[Row]]:
    """Return how many payouts pass the clauses, and one page of them, the newest first."""
    count, rows = LISTING.page(conn, business_id, clauses, limit=limit, offset=offset)
    return count, [dict(row._mapping) for row in rows]


def get(conn: Connection, business_id: int, payout_id: int) -> Row | None:
    """Return a payout of the business, or None."""
    row = conn.execute(ONE, {"business_id": business_id, "payout_id": payout_id}).mappings().one_or_none()
    return None if row is None else dict(row)


@cache
def _items(length: int) -> Select[Any]:
    these = among(sales_payout_item.c.sales_payout_id, length)
    of_business = sales_payout_item.c.business_id == bindparam("business_id")
    return select(sales_payout_item).where(of_business, these).order_by(sales_payout_item.c.position)


def items(conn: Connection, business_id: int, payout_ids: Iterable[int]) -> dict[int, list[Row]]:
    """Return the items of payouts in the order they were given."""
    found: dict[int, list[Row]] = {}
    for length, values in portions(payout_ids):
        for row in conn.execute(_items(length), {"business_id": business_id, **values}).mappings():
            found.setdefault(row["sales_payout_id"], []).append(dict(row))
    return found


def create(conn: Connection, business_id: int, values: Mapping[str, Any]) -> int:
    """Insert a payout without its items and return its id; ExternalIdTaken leaves the transaction usable."""
    try:
        with conn.begin_nested():
            return int(conn.execute(INSERT, {"business_id": business_id, **values}).scalar_one())
    except IntegrityError as fault:
        raise ExternalIdTaken from fault


def add_items(conn: Connection, business_id: int, payout_id: int, rows: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Insert the items of a payout in their order and return them with their ids."""
    these = {"business_id": business_id, "sales_payout_id": payout_id}
    whole = [{**these, **row, "position": place} for place, row in enumerate(rows)]
    return [{**row, "id": int(conn.execute(INSERT_ITEM, row).scalar_one())} for row in whole]
