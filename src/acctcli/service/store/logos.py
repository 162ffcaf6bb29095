"""Which file is the logo of a business, and which one an accepted invoice has. SQL only."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, delete, insert_many


class LogoRow(NamedTuple):
    """A file that is a logo."""

    id: int
    content_name: str
    content_secret: str
    sha256: str


def _logo_of(table: str) -> str:
    return f"""SELECT attachment.id, content_name, content_secret, sha256 FROM {table} JOIN attachment
    ON attachment.business_id = {table}.business_id AND attachment.id = {table}.attachment_id
    WHERE {table}.business_id = :business_id"""


NOW = Query(LogoRow, _logo_of("business_logo"))
KEPT = Query(LogoRow, f"{_logo_of('sales_invoice_logo')} AND invoice_id = :invoice_id")
KEEP = Statement(
    """INSERT INTO sales_invoice_logo (business_id, invoice_id, attachment_id)
    SELECT business_id, :invoice_id, attachment_id FROM business_logo WHERE business_id = :business_id"""
)


def now(conn: Connection, business_id: int) -> LogoRow | None:
    """Return the logo of a business, if it has one."""
    return NOW.one(conn, business_id=business_id)


def kept(conn: Connection, business_id: int, invoice_id: int) -> LogoRow | None:
    """Return the logo that an invoice was accepted with, if there was one."""
    return KEPT.one(conn, business_id=business_id, invoice_id=invoice_id)


def keep(conn: Connection, business_id: int, invoice_id: int) -> None:
    """Let an invoice have the logo of now for good."""
    KEEP.run(conn, business_id=business_id, invoice_id=invoice_id)


def put(conn: Connection, business_id: int, file_id: int | None) -> None:
    """Let a file be the logo of a business, or none."""
    delete(conn, "business_logo", business_id=business_id)
    if file_id is not None:
        insert_many(conn, "business_logo", [{"business_id": business_id, "attachment_id": file_id}])
