"""Printing accepted invoices, when their files are first asked for.

The source was kept when the invoice was accepted, and the same source makes the same bytes: it does not matter who asks
first, nor whether two do at once.
"""

from __future__ import annotations

import os
from decimal import Decimal
from threading import get_ident
from typing import TYPE_CHECKING

import msgspec

from acctcli.service.store.contents import DRAFT
from acctcli.service.store.invoicing import invoice_prints

if TYPE_CHECKING:
    from acctcli.service.store.contents import Contents
    from acctcli.service.store.engine.database import Database
    from acctcli.service.store.invoicing.invoice_prints import Source

DECODE = msgspec.json.Decoder(float_hook=Decimal).decode


def write_print(database: Database, contents: Contents, name: str) -> None:
    """Write the content of a print; raises FileNotFoundError when the name is not that of one."""
    with database.read() as conn:
        source = invoice_prints.source(conn, name)
    if source is None:
        raise FileNotFoundError(name)
    contents.keep(name, [printed(source)], f".{os.getpid()}-{get_ident()}{DRAFT}")


def printed(source: Source) -> bytes:
    """Return an invoice on paper, or as XRechnung."""
    facts = DECODE(source.json)
    invoice, business, original = facts["invoice"], facts["business"], facts["original"]
    if source.is_xml:
        from acctcli.einvoice.ubl import xrechnung

        return xrechnung(invoice, business, original)
    from acctcli.einvoice.terms import language_of
    from acctcli.service.papers.invoice import invoice_pdf

    return invoice_pdf(invoice, business, language_of(invoice, business), original)
