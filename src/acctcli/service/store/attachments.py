"""Files: what is known of them; every statement but one names the business. Their content lies outside the database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, false, insert, or_, select, update
from sqlalchemy.sql import ColumnElement

from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.id_lists import among, portions
from acctcli.service.store.listing import Clauses, Listing
from acctcli.service.store.schema.attachments import attachment
from acctcli.service.store.schema.books import document_attachment, document_tag
from acctcli.service.store.schema.invoices import sales_invoice_attachment, sales_invoice_print
from acctcli.service.store.schema.payouts import sales_payout_attachment
from acctcli.service.store.schema.purchases import purchase_invoice, purchase_invoice_attachment


class AttachmentRow(NamedTuple):
    """A file as it is stored; `content_name` and `content_secret` are for making its address."""

    id: int
    created_at: str
    updated_at: str
    name: str
    type: str
    content_name: str
    content_secret: str
    analysis_status: str
    notes: str


class ContentRow(NamedTuple):
    """What it takes to send content: media type, the name to save it under."""

    secret: str
    name: str
    type: str


IN_BUSINESS = attachment.c.business_id == bindparam("business_id")
ROW = tuple(attachment.c[name] for name in AttachmentRow._fields)
OF_FILE = (
    document_attachment.c.business_id == attachment.c.business_id,
    document_attachment.c.attachment_id == attachment.c.id,
)
OF_DOCUMENTS = exists().where(*OF_FILE)
# where else files are named
NAMES = (
    purchase_invoice_attachment.c.attachment_id,
    purchase_invoice.c.original_attachment_id,
    sales_invoice_attachment.c.attachment_id,
    sales_invoice_print.c.pdf_id,
    sales_invoice_print.c.xml_id,
    sales_payout_attachment.c.attachment_id,
)
USED = or_(
    OF_DOCUMENTS,
    *(exists().where(name.table.c.business_id == attachment.c.business_id, name == attachment.c.id) for name in NAMES),
)
TAGGED = exists().where(
    *OF_FILE,
    document_tag.c.business_id == document_attachment.c.business_id,
    document_tag.c.document_id == document_attachment.c.document_id,
    document_tag.c.tag_id == bindparam("tag"),
)

# the clauses a list may be narrowed by; each takes the parameter named in it, if any
FILTERS: dict[str, ColumnElement[bool]] = {
    "search": attachment.c.search_name.like(bindparam("search"), escape="\\"),
    "is_used": USED,
    "is_unused": ~USED,
    "tag": TAGGED,
    "nothing": false(),
}
LISTING = Listing(attachment, ROW, (attachment.c.id.desc(),), FILTERS)


def list_page(
    conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int
) -> tuple[int, list[AttachmentRow]]:
    """Return how many files pass the clauses, and one page of them, the newest first."""
    count, rows = LISTING.page(conn, business_id, clauses, limit=limit, offset=offset)
    return count, [AttachmentRow._make(row) for row in rows]


ONE = select(*ROW, USED.label("is_used")).where(IN_BUSINESS, attachment.c.id == bindparam("file_id"))
INSERT = insert(attachment).returning(attachment.c.id)
UPDATE = update(attachment).where(
    attachment.c.business_id == bindparam("of_business"), attachment.c.id == bindparam("of_file")
)
DELETE = delete(attachment).where(IN_BUSINESS, attachment.c.id == bindparam("file_id"))


def get(conn: Connection, business_id: int, file_id: int) -> tuple[AttachmentRow, bool] | None:
    """Return a file of the business and whether a document, an invoice or a payout uses it, or None."""
    row = conn.execute(ONE, {"business_id": business_id, "file_id": file_id}).one_or_none()
    return None if row is None else (AttachmentRow._make(row[:-1]), row.is_used)


@cache
def _several(length: int) -> Prepared:
    return Prepared(select(*ROW).where(IN_BUSINESS, among(attachment.c.id, length)))


def several(conn: Connection, business_id: int, file_ids: Iterable[int]) -> list[AttachmentRow]:
    """Return the files of these ids."""
    lists = portions(file_ids)
    return [
        AttachmentRow._make(row)
        for length, values in lists
        for row in _several(length).all(conn, business_id=business_id, **values)
    ]


def create(conn: Connection, business_id: int, values: Mapping[str, Any]) -> int:
    """Insert a file whose content is on the disk, and return its id."""
    return int(conn.execute(INSERT, {"business_id": business_id, **values}).scalar_one())


def change(conn: Connection, business_id: int, file_id: int, values: Mapping[str, Any]) -> None:
    """Write some columns of a file."""
    conn.execute(UPDATE, {**values, "of_business": business_id, "of_file": file_id})


def remove(conn: Connection, business_id: int, file_id: int) -> None:
    """Delete a file that nothing uses; its content is removed after the commit."""
    conn.execute(DELETE, {"business_id": business_id, "file_id": file_id})


# the name is opaque, unique, and all that an address holds
CONTENT = select(attachment.c.content_secret, attachment.c.name, attachment.c.type).where(
    attachment.c.content_name == bindparam("content_name")
)
CONTENT_NAMES = select(attachment.c.content_name)
CONTENT_NAMES_OF = CONTENT_NAMES.where(IN_BUSINESS)


def content(conn: Connection, content_name: str) -> ContentRow | None:
    """Return what it takes to check an address and to send what it names, or None."""
    row = conn.execute(CONTENT, {"content_name": content_name}).one_or_none()
    return None if row is None else ContentRow._make(row)


def content_names(conn: Connection, business_id: int | None = None) -> list[str]:
    """Return the names of all content of a business, or of the whole database."""
    if business_id is None:
        return list(conn.execute(CONTENT_NAMES).scalars())
    return list(conn.execute(CONTENT_NAMES_OF, {"business_id": business_id}).scalars())
