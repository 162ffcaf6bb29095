"""Files: what is known of them; every statement but one names the business. Their content lies outside the database."""

from __future__ import annotations

from typing import Any, NamedTuple

from acctcli.service.store.businesses import GONE
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, columns
from acctcli.service.store.listing import tally
from acctcli.service.store.rows import Rows


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
    """What it takes to send content: media type, the name to save it under; prints have no hash."""

    secret: str
    name: str
    type: str
    sha256: str | None


def _named_by(table: str, column: str = "attachment_id") -> str:
    return f"""EXISTS (SELECT 1 FROM {table}
        WHERE {table}.business_id = attachment.business_id AND {table}.{column} = attachment.id)"""


OF_DOCUMENTS = _named_by("document_attachment")
# by whatever names files
USED = " OR ".join(
    (
        OF_DOCUMENTS,
        _named_by("purchase_invoice_attachment"),
        _named_by("purchase_invoice", "original_attachment_id"),
        _named_by("sales_invoice_attachment"),
        _named_by("sales_invoice_print", "pdf_id"),
        _named_by("sales_invoice_print", "xml_id"),
        _named_by("sales_payout_attachment"),
        _named_by("business_logo"),
        _named_by("sales_invoice_logo"),
    )
)
TAGGED = """EXISTS (
    SELECT 1 FROM document_attachment AS carried JOIN document_tag AS tagged
    ON tagged.business_id = carried.business_id AND tagged.document_id = carried.document_id AND tagged.tag_id = :tag
    WHERE carried.business_id = attachment.business_id AND carried.attachment_id = attachment.id)"""

ROWS = Rows(
    AttachmentRow,
    "attachment",
    "id DESC",
    # each takes the parameter named in it, if any
    {
        "is_used": f"({USED})",
        "is_unused": f"NOT ({USED})",
        "tag": TAGGED,
        "nothing": "false",
    },
    searched="search_name",
)
list_page, several, create, change, remove = ROWS.list_page, ROWS.several, ROWS.create, ROWS.change, ROWS.remove

ONE = Query[tuple[Any, ...]](
    tuple,
    f"""SELECT {columns(AttachmentRow)}, ({USED}) AS "is_used [boolean]" FROM attachment
    WHERE business_id = :business_id AND id = :file_id""",
)


def get(conn: Connection, business_id: int, file_id: int) -> tuple[AttachmentRow, bool] | None:
    """Return a file of the business and whether anything uses it, or None."""
    row = ONE.one(conn, business_id=business_id, file_id=file_id)
    return None if row is None else (AttachmentRow._make(row[:-1]), row[-1])


# the name is opaque, unique, and all that an address holds
CONTENT = Query(
    ContentRow,
    f"""SELECT content_secret, attachment.name, attachment.type, attachment.sha256 FROM attachment
    JOIN business ON business.id = attachment.business_id WHERE content_name = :content_name AND NOT {GONE}""",
)
CONTENT_NAMES = Statement("SELECT content_name FROM attachment")
NEWEST_CONTENT = Statement("SELECT content_name FROM attachment ORDER BY id DESC LIMIT 1")


def content(conn: Connection, content_name: str) -> ContentRow | None:
    """Return what it takes to check an address and to send what it names, or None."""
    return CONTENT.one(conn, content_name=content_name)


def stored_bytes(conn: Connection, business_id: int) -> int:
    """Return how large the files of a business are together, which triggers keep."""
    return tally(conn, business_id, "attachment.size")[0]


def newest_content(conn: Connection) -> str | None:
    """Return the name of the content that was uploaded last, if any was."""
    found: str | None = NEWEST_CONTENT.value(conn)
    return found


def content_names(conn: Connection) -> list[str]:
    """Return the names of all content."""
    return CONTENT_NAMES.values(conn)
