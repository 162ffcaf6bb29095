"""The e-invoice inside a PDF of ZUGFeRD, Factur-X or XRechnung (docs/purchases.md 3.4)."""

from __future__ import annotations

import logging
from io import BytesIO

from acctcli.einvoice.incoming.model import InvoiceFault

START = b"%PDF-"
# where it may begin in a file, as readers of PDFs allow
_WITHIN = 1024
_NAMES = frozenset({"factur-x.xml", "zugferd-invoice.xml", "xrechnung.xml"})
# what a PDF of nonsense makes a reader stumble over
STUMBLES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)


def is_pdf(content: bytes) -> bool:
    """Whether a file is a PDF."""
    return START in content[:_WITHIN]


def embedded_xml(content: bytes) -> bytes:
    """Return the XML in a PDF; raise InvoiceFault where there is none, ImportError without pypdf."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    # it tells of what it mends by itself
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        found = [(one.name, one.content) for one in PdfReader(BytesIO(content)).attachment_list]
    except (PyPdfError, *STUMBLES) as problem:
        raise InvoiceFault(f"the PDF cannot be read: {problem}") from problem
    known = [xml for name, xml in found if name.lower() in _NAMES]
    if len(known) != 1:
        names = ", ".join(sorted(_NAMES))
        told = f"{len(known)} of them are" if known else "none is"
        raise InvoiceFault(f"the PDF is no e-invoice: one holds one file called {names}, and {told} in this one")
    return known[0]
