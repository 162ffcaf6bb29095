"""Documents shown, made, copied, changed and deleted (docs/interface.md 5.1, 5.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.service.cases.closed import refuse_closed_day
from acctcli.service.cases.documents.content import DocumentContent, columns, content_of, sent_content
from acctcli.service.cases.documents.guard import (
    check_links,
    find,
    find_open,
    find_unlocked,
    name,
    refuse_untying,
    tied,
)
from acctcli.service.cases.documents.posting import enter, insert, next_number, open_ground, row_of, work_out
from acctcli.service.cases.documents.view import DocumentContext, render_document, show_document
from acctcli.service.cases.invoices.settlement import follow
from acctcli.service.cases.work import Work
from acctcli.service.problems import Precondition
from acctcli.service.store.books import document_links, documents, postings, relations
from acctcli.service.store.books.document_links import Links
from acctcli.service.store.books.documents import DocumentRow

if TYPE_CHECKING:
    from acctcli.models.document import Document, DocumentRequest


def get_document(work: Work, document_id: int) -> Document:
    """Show a document."""
    return show_document(work, find(work, document_id))


def create_document(work: Work, body: DocumentRequest) -> Document:
    """Create a document; unless it is a draft it is numbered and posted at once."""
    day = body.date if "date" in body.model_fields_set else work.today
    return _create(work, sent_content(body, DocumentContent(day)))


def copy_document(work: Work, document_id: int, body: DocumentRequest) -> Document:
    """Copy a document under a new number, unlocked, unflagged, unrelated; what is sent replaces what is copied.

    Contact and tags are those of the original. Its files are not copied: a receipt proves one document.
    """
    row = find(work, document_id)
    links = _links(work, row)._replace(attachment_ids=(), books_purchase=False)
    return _create(work, sent_content(body, content_of(work, row, links)._replace(is_flagged=False)))


def replace_document(work: Work, document_id: int, body: DocumentRequest) -> Document:
    """Replace a document: what is not sent returns to its default, but for the date, which stays.

    A date of today is right for a new document; it would move an old one.
    """
    row = find_unlocked(work, document_id)
    return _change(work, row, _links(work, row), sent_content(body, DocumentContent(row.date)))


def update_document(work: Work, document_id: int, body: DocumentRequest) -> Document:
    """Change what is sent; entries are made anew from the blueprint either way."""
    row = find_unlocked(work, document_id)
    links = _links(work, row)
    return _change(work, row, links, sent_content(body, content_of(work, row, links)))


def delete_document(work: Work, document_id: int) -> None:
    """Delete a document; its entries leave the books and its number is not given again.

    One in a relation stays, and one that books an invoice.
    """
    row = find_open(work, document_id)
    if row.invoice_id is not None:
        raise tied(row)
    if related := relations.of_document(work.conn, work.business.id, row.id):
        others = ", ".join(other.number or str(other.related_id) for other in related)
        raise Precondition(f"Document {name(row)} is related to {others}.")
    if _links(work, row).books_purchase:
        raise Precondition(f"Document {name(row)} books a purchase invoice.")
    documents.remove(work.conn, work.business.id, row.id)
    work.emit("document.deleted", {"id": row.id, "number": row.number})


def _links(work: Work, row: DocumentRow) -> Links:
    return document_links.of_document(work.conn, work.business.id, row.id)


def _create(work: Work, content: DocumentContent) -> Document:
    contact = check_links(work, content)
    posting = work_out(content, open_ground(work, content))
    row = insert(work, content, posting)
    payload = render_document(row, content.blueprint, DocumentContext(posting.accounts, contact, content.links))
    work.emit("document.created", payload)
    return payload


def _change(work: Work, row: DocumentRow, links: Links, content: DocumentContent) -> Document:
    refuse_untying(work, row, content)
    if row.date != content.date:
        refuse_closed_day(work, row.date)
    contact = check_links(work, content)
    posting = work_out(content, open_ground(work, content))
    number = row.number
    if number is None and not content.is_draft:
        number = next_number(work, content.date)
    values = {**columns(content, number), **posting.sums, "updated_at": work.stamp}
    documents.unseal(work.conn, work.business.id, row.id, values, None if content.is_draft else posting.lines)
    document_links.write(work.conn, work.business.id, row.id, content.links, links)
    if not row.is_draft:
        postings.drop_entries(work.conn, work.business.id, row.id)
    if not content.is_draft:
        enter(work, row.id, content.date, posting.lines)
    changed = row_of(row._asdict() | values | documents.UNSEEN | {"is_draft": content.is_draft})
    related = relations.of_document(work.conn, work.business.id, row.id)
    shown = content.links._replace(books_purchase=links.books_purchase)
    payload = render_document(changed, content.blueprint, DocumentContext(posting.accounts, contact, shown, related))
    work.emit("document.updated", payload)
    if related:  # only then may it settle an invoice
        follow(work, [row.id])
    return payload
