"""What accepted invoices are printed from, and the files that stand for the prints. SQL only."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, insert, or_, select

from acctcli.service.store.attachments import ROW, AttachmentRow
from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.id_lists import among, portions
from acctcli.service.store.schema.attachments import attachment
from acctcli.service.store.schema.invoices import sales_invoice_print


class Source(NamedTuple):
    """What a print is made of: JSON, and whether it is the XRechnung of it."""

    json: str
    is_xml: bool


PRINT = sales_invoice_print.c
OF_PRINT = and_(
    attachment.c.business_id == PRINT.business_id, or_(attachment.c.id == PRINT.pdf_id, attachment.c.id == PRINT.xml_id)
)
INSERT = insert(sales_invoice_print)
SOURCE = select(PRINT.source, attachment.c.id == PRINT.xml_id).where(
    OF_PRINT, attachment.c.content_name == bindparam("content_name")
)


@cache
def _files(length: int) -> Prepared:
    these = (PRINT.business_id == bindparam("business_id"), among(PRINT.invoice_id, length))
    return Prepared(select(PRINT.invoice_id, attachment.c.id == PRINT.xml_id, *ROW).where(*these, OF_PRINT))


def files(conn: Connection, business_id: int, ids: Iterable[int]) -> dict[int, dict[bool, AttachmentRow]]:
    """Return the files of invoices' prints, by invoice and by whether it is the XRechnung."""
    found: dict[int, dict[bool, AttachmentRow]] = {}
    for length, values in portions(ids):
        for invoice_id, is_xml, *parts in _files(length).all(conn, business_id=business_id, **values):
            found.setdefault(invoice_id, {})[bool(is_xml)] = AttachmentRow._make(parts)
    return found


def keep(conn: Connection, business_id: int, invoice_id: int, source: str, pdf_id: int, xml_id: int | None) -> None:
    """Keep what an invoice is printed from, and the files of its prints."""
    values = {"invoice_id": invoice_id, "source": source, "pdf_id": pdf_id, "xml_id": xml_id}
    conn.execute(INSERT, {"business_id": business_id, **values})


def source(conn: Connection, content_name: str) -> Source | None:
    """Return what the content of a file is printed from; None for what was uploaded."""
    row = conn.execute(SOURCE, {"content_name": content_name}).one_or_none()
    return None if row is None else Source(row[0], bool(row[1]))
