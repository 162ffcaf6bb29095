"""Which format an e-invoice has, and what it says (docs/purchases.md 3)."""

from __future__ import annotations

from io import BytesIO

from acctcli.einvoice.incoming import cii, finvoice, ubl
from acctcli.einvoice.incoming.model import Incoming, InvoiceFault
from acctcli.markup import Node, Pieces

# more than any invoice of lines needs: files within it are most of a large one
LARGEST = 50 * 2**20
_LINES = finvoice.LINES | ubl.LINES | cii.LINES
_UBL = frozenset({"Invoice", "CreditNote"})
_ROOTS = _UBL | {"Finvoice", cii.ROOT}
# files within the file, which stay in it
_FILES = frozenset({"EmbeddedDocumentBinaryObject", "AttachmentBinaryObject", "BinaryObject"})
_MOST_LINES = 50_000


def read_einvoice(content: bytes) -> Incoming:
    """Return what an e-invoice in XML says; raise InvoiceFault for what is none, or not written as its format wants.

    Whether it is right says `proving.prove`.
    """
    if len(content) > LARGEST:
        raise InvoiceFault(f"the invoice is larger than {LARGEST // 2**20} MiB")
    root, namespace, rows = _pieces(finvoice.without_envelope(content))
    if root.name == "Finvoice":
        return finvoice.read_finvoice(root, rows)
    if root.name in _UBL:
        return ubl.read_ubl(root, namespace, rows)
    return cii.read_cii(root, namespace, rows)


def _pieces(content: bytes) -> tuple[Node, str, list[Node]]:
    """Return the root without its lines, its namespace, and the lines."""
    pieces = Pieces(BytesIO(content), _LINES | _ROOTS, frozenset(), InvoiceFault, _FILES)
    rows: list[Node] = []
    root = None
    for node, _ in pieces:
        if node.name not in _LINES:
            root = node
        elif len(rows) < _MOST_LINES:
            rows.append(node)
        else:
            raise InvoiceFault(f"the invoice has more than {_MOST_LINES:,} lines", node.line, node.name)
    if root is None or root is not pieces.root:
        raise InvoiceFault(
            "this is no e-invoice: Finvoice 3.0, UBL 2.1 and CII are read, and PDFs of ZUGFeRD and Factur-X",
            None if pieces.root is None else pieces.root.line,
            None if pieces.root is None else pieces.root.name,
        )
    return root, pieces.namespace, rows
