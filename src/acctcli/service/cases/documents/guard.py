"""Finding a document, and what keeps it from being written: locks, the invoice it books, ids that are not there."""

from __future__ import annotations

from datetime import date

from acctcli.law import closed_days
from acctcli.service.cases.bodies import require_known
from acctcli.service.cases.closed import refuse_closed_day
from acctcli.service.cases.documents.content import DocumentContent, content_of
from acctcli.service.cases.work import Work, found
from acctcli.service.problems import Locked, Precondition
from acctcli.service.store.books import document_links, documents, periods
from acctcli.service.store.books.document_links import NOTHING, ContactFacts
from acctcli.service.store.books.documents import DocumentRow

# Of a document that books a sales invoice only what people add may change: what it posts, when and to whom has to stay
# what the invoice says, or the books would no longer tie to the invoices
TIED = ("date", "is_draft", "contact_id", "type", "blueprint")


def find(work: Work, document_id: int, *, for_update: bool = False) -> DocumentRow:
    """Return a document."""
    return found(documents.get(work.conn, work.business.id, document_id, for_update=for_update), "document")


def find_unlocked(work: Work, document_id: int) -> DocumentRow:
    """Return a document to write it; its day may still be closed."""
    row = find(work, document_id, for_update=True)
    if row.is_locked:
        raise Locked(f"Document {name(row)} is locked.")
    return row


def find_open(work: Work, document_id: int) -> DocumentRow:
    """Return a document to write it; neither it is locked nor its day closed."""
    row = find_unlocked(work, document_id)
    refuse_closed_day(work, row.date)
    return row


def outside(work: Work, day: date) -> Precondition:
    """Return the refusal to post on a day that lies in no accounting period: it names the one before and after it."""
    text = f"{closed_days.outside(day, periods.spans(work.conn, work.business.id))}."
    return Precondition(text, fields={"date": [text]})


def refuse_locked_alone(row: DocumentRow) -> None:
    """Refuse a document that was locked by itself; the lock of its VAT period is no matter."""
    if row.is_locked and row.locked_by is None:
        raise Locked(f"Document {name(row)} is locked.")


def name(row: DocumentRow) -> str:
    """Return what people call a document: its number, or its id while it has none."""
    return row.number or str(row.id)


def refuse_untying(work: Work, row: DocumentRow, content: DocumentContent) -> None:
    """Refuse a change that would part the document from its invoice."""
    if row.invoice_id is None:
        return
    before = content_of(work, row, NOTHING)
    if any(getattr(before, field) != getattr(content, field) for field in TIED):
        raise tied(row)


def tied(row: DocumentRow) -> Precondition:
    """Return the refusal to part a document from its invoice."""
    return Precondition(f"A sales invoice is booked by document {name(row)}: the actions of the invoice change it.")


def check_links(work: Work, content: DocumentContent) -> ContactFacts | None:
    """Refuse a contact, tag or file of no such id in the business; return the contact as documents show it."""
    contact_ids = () if content.contact_id is None else (content.contact_id,)
    links = content.links
    ids = {*contact_ids, *links.tag_ids, *links.attachment_ids}
    if not ids:
        return None  # the usual document costs no question
    known = document_links.known(work.conn, work.business.id, ids)
    require_known("contact_id", "contact", contact_ids, known.contacts)
    require_known("tag_ids", "tag", links.tag_ids, known.tag_ids)
    require_known("attachment_ids", "attachment", links.attachment_ids, known.attachment_ids)
    return known.contacts.get(*contact_ids) if contact_ids else None
