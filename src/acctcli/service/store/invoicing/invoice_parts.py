"""What belongs to sales invoices, looked up for many of them at once: rows, tags, files, messages, kin. SQL only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, Select, Table, and_, bindparam, delete, insert, select
from sqlalchemy.sql import ColumnElement

from acctcli.service.store.books.document_links import NOTHING, Links
from acctcli.service.store.engine.prepared import Prepared, Row
from acctcli.service.store.id_lists import among, portions
from acctcli.service.store.links import LinkTable
from acctcli.service.store.schema.invoices import (
    sales_invoice,
    sales_invoice_attachment,
    sales_invoice_message,
    sales_invoice_row,
    sales_invoice_tag,
)


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


class Message(NamedTuple):
    """What another system has said about an invoice."""

    id: int
    message: str


BUSINESS: BindParameter[int] = bindparam("business_id")
INVOICE: BindParameter[int] = bindparam("invoice_id")
LINE = tuple(sales_invoice_row.c[name] for name in InvoiceLine._fields)
TAGS = LinkTable(sales_invoice_tag, "invoice_id", "tag_id")
FILES = LinkTable(sales_invoice_attachment, "invoice_id", "attachment_id")


def _of_these(of: Table, column: ColumnElement[Any], length: int) -> ColumnElement[bool]:
    return and_(of.c.business_id == BUSINESS, among(column, length))


def _hanging(of: Table, length: int, *columns: ColumnElement[Any], order: ColumnElement[Any]) -> Select[Any]:
    """Select what hangs on invoices, the invoice first, in the order of an invoice's own list."""
    return select(of.c.invoice_id, *columns).where(_of_these(of, of.c.invoice_id, length)).order_by(order)


@cache
def _lines(length: int) -> Prepared:
    return Prepared(_hanging(sales_invoice_row, length, *LINE, order=sales_invoice_row.c.position))


@cache
def _messages(length: int) -> Prepared:
    said = sales_invoice_message
    return Prepared(_hanging(said, length, said.c.id, said.c.message, order=said.c.id))


def _kin(parent: ColumnElement[Any], length: int) -> Prepared:
    found = select(parent, sales_invoice.c.id).where(_of_these(sales_invoice, parent, length))
    return Prepared(found.order_by(sales_invoice.c.id))


@cache
def _credit_notes(length: int) -> Prepared:
    return _kin(sales_invoice.c.is_credit_note_for, length)


@cache
def _children(length: int) -> Prepared:
    return _kin(sales_invoice.c.recurrence_parent_id, length)


def _grouped(
    statement: Callable[[int], Prepared], conn: Connection, business_id: int, ids: Iterable[int]
) -> dict[int, list[Row]]:
    """Return what a statement finds for invoices, by invoice; one without anything is left out."""
    found: dict[int, list[Row]] = {}
    for length, values in portions(ids):
        for invoice_id, *parts in statement(length).all(conn, business_id=business_id, **values):
            found.setdefault(invoice_id, []).append(tuple(parts))
    return found


def lines(conn: Connection, business_id: int, ids: Iterable[int]) -> dict[int, list[InvoiceLine]]:
    """Return the rows of invoices in their order."""
    found = _grouped(_lines, conn, business_id, ids)
    return {invoice_id: [InvoiceLine._make(row) for row in rows] for invoice_id, rows in found.items()}


def messages(conn: Connection, business_id: int, ids: Iterable[int]) -> dict[int, list[Message]]:
    """Return what other systems have said about invoices, the oldest first."""
    found = _grouped(_messages, conn, business_id, ids)
    return {invoice_id: [Message._make(row) for row in rows] for invoice_id, rows in found.items()}


def links(conn: Connection, business_id: int, ids: Sequence[int]) -> dict[int, Links]:
    """Return tags and files of invoices."""
    tags, files = (linked.of(conn, business_id, ids) for linked in (TAGS, FILES))
    return {one: Links(tuple(tags[one]), tuple(files[one])) for one in ids}


def credit_notes(conn: Connection, business_id: int, ids: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """Return the ids of the credit notes of invoices, drafts among them."""
    return _ids(_grouped(_credit_notes, conn, business_id, ids))


def children(conn: Connection, business_id: int, ids: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """Return the ids of what was made of templates."""
    return _ids(_grouped(_children, conn, business_id, ids))


def _ids(found: Mapping[int, list[Row]]) -> dict[int, tuple[int, ...]]:
    return {invoice_id: tuple(one for (one,) in rows) for invoice_id, rows in found.items()}


# --- writing ---


DELETE_LINES = Prepared(
    delete(sales_invoice_row).where(
        sales_invoice_row.c.business_id == BUSINESS, sales_invoice_row.c.invoice_id == INVOICE
    )
)
INSERT_LINES = Prepared(
    insert(sales_invoice_row), *(column.name for column in sales_invoice_row.columns if column.name != "id")
)


def write_lines(conn: Connection, business_id: int, invoice_id: int, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write the rows of an invoice in place of those it has; each holds the columns but for its place."""
    this = {"business_id": business_id, "invoice_id": invoice_id}
    DELETE_LINES.run(conn, **this)
    if rows:
        INSERT_LINES.many(conn, [{**this, **row, "position": place} for place, row in enumerate(rows)])


def write_links(conn: Connection, business_id: int, invoice_id: int, links: Links, before: Links = NOTHING) -> None:
    """Write tags and files of an invoice as far as they differ from before."""
    if links.tag_ids != before.tag_ids:
        TAGS.write(conn, business_id, invoice_id, links.tag_ids)
    if links.attachment_ids != before.attachment_ids:
        FILES.write(conn, business_id, invoice_id, links.attachment_ids)


INSERT_MESSAGE = insert(sales_invoice_message).returning(sales_invoice_message.c.id)
DELETE_MESSAGE = delete(sales_invoice_message).where(
    sales_invoice_message.c.business_id == BUSINESS,
    sales_invoice_message.c.invoice_id == INVOICE,
    sales_invoice_message.c.id == bindparam("message_id"),
)


def add_message(conn: Connection, business_id: int, invoice_id: int, message: str) -> int:
    """Insert what another system says about an invoice, and return its id."""
    values = {"business_id": business_id, "invoice_id": invoice_id, "message": message}
    return int(conn.execute(INSERT_MESSAGE, values).scalar_one())


def remove_message(conn: Connection, business_id: int, invoice_id: int, message_id: int) -> bool:
    """Delete a message of an invoice; False when there is none of this id."""
    key = {"business_id": business_id, "invoice_id": invoice_id, "message_id": message_id}
    return conn.execute(DELETE_MESSAGE, key).rowcount > 0
