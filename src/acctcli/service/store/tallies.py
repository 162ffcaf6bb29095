"""How many rows a business has of a kind, without counting them."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, func, select

from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.schema.business import business
from acctcli.service.store.schema.log import tally

COUNT = Prepared(
    select(tally.c.count).where(tally.c.business_id == bindparam("business_id"), tally.c.kind == bindparam("kind"))
)

BUSINESSES = select(func.count()).select_from(business)
SUMS = select(tally.c.kind, func.sum(tally.c.count)).group_by(tally.c.kind)


def count(conn: Connection, business_id: int, kind: str) -> int:
    """Return the number of rows of a table (`schema.COUNTED`) in a business."""
    row = COUNT.one(conn, business_id=business_id, kind=kind)
    return row[0] if row else 0


def totals(conn: Connection) -> dict[str, int]:
    """Return the numbers of businesses, accounts and documents in the whole database."""
    sums = {kind: int(total) for kind, total in conn.execute(SUMS)}
    return {
        "businesses": conn.execute(BUSINESSES).scalar_one(),
        "accounts": sums.get("account", 0),
        "documents": sums.get("document", 0),
    }
