"""Official identifiers of a business, at most one of each type."""

from __future__ import annotations

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query
from acctcli.service.store.listing import Pages
from acctcli.service.store.rows import Record, Rows

ROWS = Rows[Record](dict, "identifier")
find, remove = ROWS.get, ROWS.remove
BY_TYPE = Query[Record](dict, "SELECT * FROM identifier WHERE business_id = :business_id AND type = :kind")
list_page = Pages[Record](dict, "*", "identifier", "id").page


def find_type(conn: Connection, business_id: int, kind: str) -> Record | None:
    """Return the identifier of a type."""
    return BY_TYPE.one(conn, business_id=business_id, kind=kind)


def create(conn: Connection, business_id: int, kind: str, value: str, stamp: str) -> int:
    """Insert an identifier and return its id."""
    return ROWS.create(conn, business_id, {"type": kind, "value": value, "created_at": stamp, "updated_at": stamp})


def change(conn: Connection, business_id: int, identifier_id: int, kind: str, value: str, stamp: str) -> None:
    """Set type and value of an identifier."""
    ROWS.change(conn, business_id, identifier_id, {"type": kind, "value": value, "updated_at": stamp})
