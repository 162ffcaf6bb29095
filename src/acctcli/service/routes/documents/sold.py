"""Documents that sales invoices are booked by: the actions of the invoice write and delete them (wire facts 5.5).

Elsewhere only what people add to a document may change: what it posts, when and to whom has to stay what the invoice
says, or the books would no longer tie to the invoices.
"""

from __future__ import annotations

from acctcli.service.problems import Precondition
from acctcli.service.routes.documents.content import Content, content_of
from acctcli.service.routes.documents.guard import name
from acctcli.service.store.books.document_links import NOTHING
from acctcli.service.store.books.documents import DocumentRow

TIED = ("date", "is_draft", "contact_id", "type", "blueprint")


def refuse_untying(row: DocumentRow, content: Content) -> None:
    """Refuse a change that would part the document from its invoice."""
    if row.invoice_id is None:
        return
    before = content_of(row, NOTHING)
    if any(getattr(before, field) != getattr(content, field) for field in TIED):
        raise tied(row)


def tied(row: DocumentRow) -> Precondition:
    """Return the refusal to part a document from its invoice."""
    return Precondition(f"A sales invoice is booked by document {name(row)}: the actions of the invoice change it.")
