"""How many rows a business has of a kind, without counting them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.service.store.engine.statements import Statement

if TYPE_CHECKING:
    from acctcli.service.store.engine.connection import Connection

COUNT = Statement("SELECT count FROM tally WHERE business_id = :business_id AND kind = :kind")


def count(conn: Connection, business_id: int, kind: str) -> int:
    """Return the number of rows of a table that triggers count (store/schema) in a business."""
    return COUNT.value(conn, business_id=business_id, kind=kind) or 0
