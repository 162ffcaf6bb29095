"""What accepted invoices are printed from, and the files that stand for the prints. SQL only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from acctcli.service.store.attachments import AttachmentRow
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, columns, insert_many, update


class Source(NamedTuple):
    """What a print is made of: JSON, whether it is the XRechnung of it, and the content of its logo with its hash."""

    json: str
    is_xml: bool
    logo: str | None
    logo_sha256: str | None


OF_PRINT = """FROM sales_invoice_print AS print JOIN attachment
    ON attachment.business_id = print.business_id AND attachment.id IN (print.pdf_id, print.xml_id)"""
SOURCE = Query(
    Source,
    f"""SELECT print.source, coalesce(attachment.id = print.xml_id, false) AS "is_xml [boolean]",
    logo.content_name, logo.sha256 {OF_PRINT}
    LEFT JOIN sales_invoice_logo AS kept ON kept.business_id = print.business_id AND kept.invoice_id = print.invoice_id
    LEFT JOIN attachment AS logo ON logo.business_id = kept.business_id AND logo.id = kept.attachment_id
    WHERE attachment.content_name = :content_name""",
)
SAID = Statement("SELECT source FROM sales_invoice_print WHERE business_id = :business_id AND invoice_id = :invoice_id")
FILES = Query[tuple[Any, ...]](
    tuple,
    f"""SELECT print.invoice_id, coalesce(attachment.id = print.xml_id, false) AS "is_xml [boolean]",
    {columns(AttachmentRow, "attachment")} {OF_PRINT}
    WHERE print.business_id = :business_id AND print.invoice_id IN (:ids...)""",
)


def files(conn: Connection, business_id: int, ids: Iterable[int]) -> dict[int, dict[bool, AttachmentRow]]:
    """Return the files of invoices' prints, by invoice and by whether it is the XRechnung."""
    found: dict[int, dict[bool, AttachmentRow]] = {}
    for invoice_id, is_xml, *parts in FILES.all(conn, business_id=business_id, ids=ids):
        found.setdefault(invoice_id, {})[is_xml] = AttachmentRow._make(parts)
    return found


def keep(conn: Connection, business_id: int, invoice_id: int, source: str, pdf_id: int, xml_id: int | None) -> None:
    """Keep what an invoice is printed from, and the files of its prints."""
    values = {"invoice_id": invoice_id, "source": source, "pdf_id": pdf_id, "xml_id": xml_id}
    insert_many(conn, "sales_invoice_print", [{"business_id": business_id, **values}])


def said(conn: Connection, business_id: int, invoice_id: int) -> str | None:
    """Return what an invoice is printed from, None for one that was not accepted."""
    found: str | None = SAID.value(conn, business_id=business_id, invoice_id=invoice_id)
    return found


def add(conn: Connection, business_id: int, invoice_id: int, source: str) -> None:
    """Keep more of what an invoice says."""
    update(conn, "sales_invoice_print", {"source": source}, business_id=business_id, invoice_id=invoice_id)


def source(conn: Connection, content_name: str) -> Source | None:
    """Return what the content of a file is printed from; None for what was uploaded."""
    return SOURCE.one(conn, content_name=content_name)
