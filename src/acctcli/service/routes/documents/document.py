"""Documents of a business: `/v1/business/{business_slug}/document/` (wire facts 1.2, 2.7, 2.8, 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from acctcli.service.problems import Invalid, Precondition
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.documents.content import Content, check_links, columns, content_of, sent_content
from acctcli.service.routes.documents.guard import (
    find,
    find_open,
    find_unlocked,
    name,
    refuse_closed,
    refuse_closed_day,
)
from acctcli.service.routes.documents.posting import enter, entry_sums, next_number
from acctcli.service.routes.documents.sold import refuse_untying, tied
from acctcli.service.routes.documents.view import Setting, render_document, render_entry, show_document, show_documents
from acctcli.service.routes.filters import document_clauses
from acctcli.service.rules.blueprint import BlueprintError
from acctcli.service.rules.posting import EntryLine, NoVatAccountError, post
from acctcli.service.store.books import document_links, documents, journal, postings, relations
from acctcli.service.store.books.document_links import ContactFacts, Links
from acctcli.service.store.books.documents import DocumentRow
from acctcli.service.store.books.postings import AccountFacts


class Posting(NamedTuple):
    """What a document is about to do to the books, and what it is shown with."""

    lines: list[EntryLine]
    accounts: Mapping[int, AccountFacts]
    contact: ContactFacts | None


# --- reading ---


def list_documents(call: Call) -> Page:
    """List documents by date, then id, the newest first, narrowed by the filters of wire facts 1.2 and 7.3."""
    page, clauses = call.page, document_clauses(call.query)
    count, rows = documents.list_page(call.conn, call.business.id, clauses, limit=page.size, offset=page.offset)
    return Page(count, show_documents(call, rows))


def get_document(call: Call) -> dict[str, Any]:
    """Show a document."""
    return show_document(call, find(call))


def list_entries(call: Call) -> Page:
    """List the entries of a document in the order they were posted; a draft has none."""
    document = find(call)
    page = call.page
    count, rows = journal.entries_page(call.conn, call.business.id, document.id, limit=page.size, offset=page.offset)
    return Page(count, [render_entry(row) for row in rows])


def list_accounting_suggestions(call: Call) -> Page:
    """List the documents the service would make of imports; there are no imports here, so there are none."""
    call.query.integer("document")
    return Page(0, [])


# --- writing ---


def create_document(call: Call) -> dict[str, Any]:
    """Create a document; unless it is a draft it is numbered and posted at once (wire facts 2.7, 3.2)."""
    return _create(call, sent_content(call.body, Content(call.today)))


def copy_document(call: Call) -> dict[str, Any]:
    """Copy a document under a new number, unlocked, unflagged, unrelated; what is sent replaces what is copied.

    Contact and tags are those of the original. Its files are not copied: a receipt proves one document.
    """
    row = find(call)
    links = _links(call, row)._replace(attachment_ids=(), books_purchase=False)
    return _create(call, sent_content(call.body, content_of(row, links)._replace(is_flagged=False)))


def replace_document(call: Call) -> dict[str, Any]:
    """Replace a document: what is not sent returns to its default, but for the date, which stays.

    A date of today is right for a new document; it would move an old one.
    """
    row = find_unlocked(call)
    return _change(call, row, _links(call, row), sent_content(call.body, Content(row.date)))


def update_document(call: Call) -> dict[str, Any]:
    """Change what is sent; entries are made anew from the blueprint either way."""
    row = find_unlocked(call)
    links = _links(call, row)
    return _change(call, row, links, sent_content(call.body, content_of(row, links)))


def delete_document(call: Call) -> None:
    """Delete a document; its entries leave the books and its number is not given again.

    One in a relation stays, and one that books an invoice.
    """
    row = find_open(call)
    if row.invoice_id is not None:
        raise tied(row)
    if related := relations.of_document(call.conn, call.business.id, row.id):
        others = ", ".join(other.number or str(other.related_id) for other in related)
        raise Precondition(f"Document {name(row)} is related to {others}.")
    if _links(call, row).books_purchase:
        raise Precondition(f"Document {name(row)} books a purchase invoice.")
    documents.remove(call.conn, call.business.id, row.id)
    call.emit("document.deleted", {"id": row.id})


def _links(call: Call, row: DocumentRow) -> Links:
    return document_links.of_document(call.conn, call.business.id, row.id)


def _posting(call: Call, content: Content) -> Posting:
    """Work out the entries of a document; nothing is written yet."""
    contact = check_links(call, content)
    ids = content.blueprint.account_ids
    ground = postings.ground(call.conn, call.business.id, content.date, ids)
    refuse_closed(ground.is_closed, content.date)
    try:
        lines = post(content.blueprint, ground.accounts, ground.vat_accounts, is_draft=content.is_draft)
    except BlueprintError as fault:
        raise Invalid.field("blueprint", str(fault)) from None
    except NoVatAccountError as fault:
        raise Precondition(f"The business has no account set as {fault.args[0]}.") from None
    return Posting(lines, ground.accounts, contact)


def _create(call: Call, content: Content) -> dict[str, Any]:
    posting = _posting(call, content)
    number = None if content.is_draft else next_number(call, content.date)
    values = _columns(call, content, posting, number)
    born = {"business_id": call.business.id, "created_at": call.stamp, "is_locked": False, **documents.FREE}
    document_id = documents.create(call.conn, values | born)
    document_links.write(call.conn, call.business.id, document_id, content.links)
    if not content.is_draft:
        enter(call, document_id, content.date, posting.lines)
    row = _row(values | born | {"id": document_id, "is_draft": content.is_draft})
    setting = Setting(posting.accounts, posting.contact, content.links)
    payload = render_document(row, content.blueprint, setting)
    call.emit("document.created", payload)
    return payload


def _change(call: Call, row: DocumentRow, links: Links, content: Content) -> dict[str, Any]:
    refuse_untying(row, content)
    if row.date != content.date:
        refuse_closed_day(call, row.date)
    posting = _posting(call, content)
    number = row.number
    if number is None and not content.is_draft:
        number = next_number(call, content.date)
    values = _columns(call, content, posting, number)
    documents.unseal(call.conn, call.business.id, row.id, values)
    document_links.write(call.conn, call.business.id, row.id, content.links, links)
    if not row.is_draft:
        postings.drop_entries(call.conn, call.business.id, row.id)
    if not content.is_draft:
        enter(call, row.id, content.date, posting.lines)
    changed = _row(row._asdict() | values | {"is_draft": content.is_draft})
    related = relations.of_document(call.conn, call.business.id, row.id)
    shown = content.links._replace(books_purchase=links.books_purchase)
    setting = Setting(posting.accounts, posting.contact, shown, related)
    payload = render_document(changed, content.blueprint, setting)
    call.emit("document.updated", payload)
    return payload


def _columns(call: Call, content: Content, posting: Posting, number: str | None) -> dict[str, Any]:
    return columns(content, number) | entry_sums(posting.lines, posting.accounts) | {"updated_at": call.stamp}


def _row(values: Mapping[str, Any]) -> DocumentRow:
    return DocumentRow(**{field: values[field] for field in DocumentRow._fields})
