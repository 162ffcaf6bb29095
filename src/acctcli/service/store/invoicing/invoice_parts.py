"""What belongs to sales invoices, looked up for many of them at once: rows, tags, files, messages, kin. SQL only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from acctcli.service.store.books.document_links import NOTHING, Links
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, columns, delete, insert, insert_many
from acctcli.service.store.links import LinkTable


class InvoiceLine(NamedTuple):
    """A row of an invoice as it is stored: price and count in ten-thousandths, sums in cents."""

    id: int
    code: str | None
    name: str
    unit: str
    amount_e4: int
    vat_rate: int
    vat_code: int
    product_id: int | None
    count_e4: int
    description: str | None
    total_vat_cents: int
    total_cents: int
    account_id: int | None

    @property
    def net_cents(self) -> int:
        """What it comes to without VAT."""
        return self.total_cents - self.total_vat_cents


class Message(NamedTuple):
    """What another system has said about an invoice."""

    id: int
    message: str


class FileRow(NamedTuple):
    """A file of an invoice, and where its content is; prints have neither size nor hash."""

    id: int
    name: str
    type: str
    content_name: str
    size: int | None
    sha256: str | None


TAGS = LinkTable("sales_invoice_tag", "invoice_id", "tag_id")
FILES = LinkTable("sales_invoice_attachment", "invoice_id", "attachment_id")

WITH_CONTENT = Query(
    FileRow,
    f"""SELECT {columns(FileRow, "attachment")} FROM sales_invoice_attachment AS linked JOIN attachment
    ON attachment.business_id = linked.business_id AND attachment.id = linked.attachment_id
    WHERE linked.business_id = :business_id AND linked.invoice_id = :invoice_id ORDER BY linked.position""",
)

# what hangs on invoices, the invoice first, in the order of an invoice's own list
Parts = Query[tuple[Any, ...]]
OF_THESE = "business_id = :business_id AND invoice_id IN (:ids...)"
LINES = Parts(
    tuple, f"SELECT invoice_id, {columns(InvoiceLine)} FROM sales_invoice_row WHERE {OF_THESE} ORDER BY position"
)
COUNTS = Query[tuple[int, int]](
    tuple, f"SELECT invoice_id, count(*) FROM sales_invoice_row WHERE {OF_THESE} GROUP BY invoice_id"
)
MESSAGES = Parts(tuple, f"SELECT invoice_id, id, message FROM sales_invoice_message WHERE {OF_THESE} ORDER BY id")
CREDIT_NOTES = Parts(
    tuple,
    """SELECT is_credit_note_for, id FROM sales_invoice
    WHERE business_id = :business_id AND is_credit_note_for IN (:ids...) ORDER BY id""",
)
CHILDREN = Parts(
    tuple,
    """SELECT recurrence_parent_id, id FROM sales_invoice
    WHERE business_id = :business_id AND recurrence_parent_id IN (:ids...) ORDER BY id""",
)


def _grouped(query: Parts, conn: Connection, business_id: int, ids: Iterable[int]) -> dict[int, list[tuple[Any, ...]]]:
    """Return what a query finds for invoices, by invoice; one without anything is left out."""
    found: dict[int, list[tuple[Any, ...]]] = {}
    for invoice_id, *parts in query.all(conn, business_id=business_id, ids=ids):
        found.setdefault(invoice_id, []).append(tuple(parts))
    return found


def lines(conn: Connection, business_id: int, ids: Iterable[int]) -> dict[int, list[InvoiceLine]]:
    """Return the rows of invoices in their order."""
    found = _grouped(LINES, conn, business_id, ids)
    return {invoice_id: [InvoiceLine._make(row) for row in rows] for invoice_id, rows in found.items()}


def line_counts(conn: Connection, business_id: int, ids: Iterable[int]) -> dict[int, int]:
    """Return how many rows invoices have; those without are left out."""
    return dict(COUNTS.all(conn, business_id=business_id, ids=ids))


def messages(conn: Connection, business_id: int, ids: Iterable[int]) -> dict[int, list[Message]]:
    """Return what other systems have said about invoices, the oldest first."""
    found = _grouped(MESSAGES, conn, business_id, ids)
    return {invoice_id: [Message._make(row) for row in rows] for invoice_id, rows in found.items()}


def links(conn: Connection, business_id: int, ids: Sequence[int]) -> dict[int, Links]:
    """Return tags and files of invoices."""
    tags, files = (linked.of(conn, business_id, ids) for linked in (TAGS, FILES))
    return {one: Links(tuple(tags[one]), tuple(files[one])) for one in ids}


def files(conn: Connection, business_id: int, invoice_id: int) -> list[FileRow]:
    """Return the files of an invoice in their order, with where their content is."""
    return WITH_CONTENT.all(conn, business_id=business_id, invoice_id=invoice_id)


def credit_notes(conn: Connection, business_id: int, ids: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """Return the ids of the credit notes of invoices, drafts among them."""
    return _ids(_grouped(CREDIT_NOTES, conn, business_id, ids))


def children(conn: Connection, business_id: int, ids: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """Return the ids of what was made of templates."""
    return _ids(_grouped(CHILDREN, conn, business_id, ids))


def _ids(found: Mapping[int, list[tuple[Any, ...]]]) -> dict[int, tuple[int, ...]]:
    return {invoice_id: tuple(one for (one,) in rows) for invoice_id, rows in found.items()}


# --- writing ---


def write_lines(conn: Connection, business_id: int, invoice_id: int, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write the rows of an invoice in place of those it has; each holds the columns but for its place."""
    this = {"business_id": business_id, "invoice_id": invoice_id}
    delete(conn, "sales_invoice_row", **this)
    insert_many(conn, "sales_invoice_row", [{**this, **row, "position": place} for place, row in enumerate(rows)])


def write_links(conn: Connection, business_id: int, invoice_id: int, links: Links, before: Links = NOTHING) -> None:
    """Write tags and files of an invoice as far as they differ from before."""
    TAGS.write(conn, business_id, invoice_id, links.tag_ids, before.tag_ids)
    FILES.write(conn, business_id, invoice_id, links.attachment_ids, before.attachment_ids)


def add_message(conn: Connection, business_id: int, invoice_id: int, message: str) -> int:
    """Insert what another system says about an invoice, and return its id."""
    row = {"business_id": business_id, "invoice_id": invoice_id, "message": message}
    return insert(conn, "sales_invoice_message", row)


def remove_message(conn: Connection, business_id: int, invoice_id: int, message_id: int) -> bool:
    """Delete a message of an invoice; False when there is none of this id."""
    this = {"business_id": business_id, "invoice_id": invoice_id, "id": message_id}
    return delete(conn, "sales_invoice_message", **this) > 0
