"""Documents: `/v1/business/{business_slug}/document/`, and what is proposed for imports (wire facts 1.2, 2.7, 2.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.models.enums import AccountType
from acctcli.service.cases.documents import actions, writing
from acctcli.service.cases.documents.guard import find
from acctcli.service.cases.documents.view import render_entry, show_document, show_documents
from acctcli.service.problems import Invalid
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.operation import BOOKS_READ, BOOKS_WRITE, ONE_BUSINESS, Area, keys
from acctcli.service.routes.parameters import PAGING, SEARCH, Clauses, Parameter, among, clause, either, empties
from acctcli.service.store.books import documents, journal

if TYPE_CHECKING:
    from acctcli.models.document import Document
    from acctcli.models.file import AttachmentListItem

TYPES = tuple(AccountType)
LOCK = keys("bookkeeping", "admin")
ATTACH = keys("bookkeeping", "editor", "admin", "attachment")

AREA = Area(
    "document",
    f"{ONE_BUSINESS}document/",
    read=BOOKS_READ,
    write=BOOKS_WRITE,
    request="document:DocumentRequest",
    response="document:Document",
    one="{document_id}/",
)
ACTIONS = Area("actions", f"{AREA.path}{AREA.one}action/", write=BOOKS_WRITE, response=AREA.response)
FILES = Area("files", f"{AREA.path}{AREA.one}", read=BOOKS_READ, response=AREA.response)
IMPORTS = Area("document", f"{ONE_BUSINESS}accounting_suggestions/", read=BOOKS_READ)


def _rule(call: Call, name: str) -> Clauses:
    """Find nothing that a rule made: there are no rules here."""
    return {"nothing": {}} if call.query.flag(name) else {}


def _rate(call: Call, name: str) -> Clauses:
    """Narrow by a rate in percent, which is kept as hundredths."""
    text = call.query.text(name)
    if text is None:
        return {}
    whole, _, part = text.partition(".")
    digits = whole + part
    if digits.isascii() and digits.isdigit() and 0 < len(whole) <= 3 and len(part) <= 2:
        return clause(name, int(whole) * 100 + int(part.ljust(2, "0")))
    raise Invalid.field(name, "Must be a percentage with at most 2 decimals.")


@AREA.page(
    SEARCH._replace(description="Number, description or contact name."),
    Parameter("account", "integer", "Id of an account with an entry."),
    Parameter(
        "account_type", "string", "Type of an account with an entry.", TYPES, True, among(TYPES, "account_types")
    ),
    Parameter("contact", "integer", "Id of the contact."),
    Parameter("date_from", "date", "First date, inclusive."),
    Parameter("date_to", "date", "Last date, inclusive."),
    Parameter("expense", "boolean", "Any entry on an expense account.", narrow=either("expense", "no_expense")),
    Parameter("income", "boolean", "Any entry on a revenue account.", narrow=either("income", "no_income")),
    Parameter("file", "integer", "Id of an attachment."),
    Parameter(
        "has_attachments", "boolean", "Documents with attachments.", narrow=either("has_attachments", "no_attachments")
    ),
    Parameter("has_rule", "boolean", "Documents made by a rule.", narrow=_rule),
    Parameter("rule", "integer", "Id of the rule.", narrow=empties),
    Parameter("is_draft", "boolean", "Drafts."),
    Parameter("is_flagged", "boolean", "Flagged documents."),
    Parameter("is_locked", "boolean", "Locked documents."),
    Parameter("number", "string", "Exact document number."),
    Parameter("tagged", "integer", "Id of a user mentioned in comments.", narrow=empties),
    Parameter("tags", "integer", "Id of a tag."),
    Parameter("vat_code", "integer", "VAT code of an entry."),
    Parameter("vat_rate", "string", "VAT rate of an entry, in percent.", narrow=_rate),
)
def list_documents(call: Call) -> Page:
    """List documents."""
    return call.listed(documents.list_page, call.clauses, show=lambda rows: show_documents(call, rows))


@AREA.create()
def create_document(call: Call) -> Document:
    """Create a document."""
    return writing.create_document(call, call.body)


@AREA.get()
def get_document(call: Call) -> Document:
    """Show a document."""
    return show_document(call, find(call, call.ids["document_id"]))


@AREA.replace()
def replace_document(call: Call) -> Document:
    """Replace a document."""
    return writing.replace_document(call, call.ids["document_id"], call.body)


@AREA.update()
def update_document(call: Call) -> Document:
    """Change a document."""
    return writing.update_document(call, call.ids["document_id"], call.body)


@AREA.delete()
def delete_document(call: Call) -> None:
    """Delete a document."""
    writing.delete_document(call, call.ids["document_id"])


@AREA.post("action/copy/", request=AREA.request, partial=True)
def copy_document(call: Call) -> Document:
    """Copy a document; fields of the body replace those of the original."""
    return writing.copy_document(call, call.ids["document_id"], call.body)


@AREA.get("entry/", response="document:Entry", shape="page", query=PAGING)
def list_entries(call: Call) -> Page:
    """List the entries of a document."""
    document, page = find(call, call.ids["document_id"]), call.page
    count, rows = journal.entries_page(call.conn, call.business.id, document.id, limit=page.size, offset=page.offset)
    return Page(count, [render_entry(row) for row in rows])


@ACTIONS.post("lock/", needs=LOCK)
def lock_document(call: Call) -> Document:
    """Lock a document."""
    return actions.set_lock(call, call.ids["document_id"], True)


@ACTIONS.post("unlock/", needs=LOCK)
def unlock_document(call: Call) -> Document:
    """Unlock a document."""
    return actions.set_lock(call, call.ids["document_id"], False)


@ACTIONS.post("flag/")
def flag_document(call: Call) -> Document:
    """Flag a document."""
    return actions.set_flag(call, call.ids["document_id"], True)


@ACTIONS.post("unflag/")
def unflag_document(call: Call) -> Document:
    """Take the flag off a document."""
    return actions.set_flag(call, call.ids["document_id"], False)


@FILES.post("action/attach_files/", needs=ATTACH, request="document:AttachmentIdsRequest")
def attach_files(call: Call) -> Document:
    """Attach files to a document."""
    return actions.attach_files(call, call.ids["document_id"], call.body.attachment_ids)


@FILES.post("action/detach_files/", needs=ATTACH, request="document:AttachmentIdsRequest")
def detach_files(call: Call) -> Document:
    """Take files off a document."""
    return actions.detach_files(call, call.ids["document_id"], call.body.attachment_ids)


@FILES.post("action/set_files/", needs=BOOKS_WRITE, request="document:AttachmentIdsRequest")
def set_files(call: Call) -> Document:
    """Set the files of a document."""
    return actions.set_files(call, call.ids["document_id"], call.body.attachment_ids)


@FILES.get("suggest_attachments/", response="document:AttachmentSuggestions")
def suggest_attachments(call: Call) -> list[AttachmentListItem]:
    """Suggest files that may belong to a document."""
    return actions.suggest_attachments(call, call.ids["document_id"])


@IMPORTS.page(
    Parameter("document", "integer", "Id of the document they are proposed for."),
    response="document:AccountingSuggestion",
)
def list_accounting_suggestions(call: Call) -> Page:
    """List the documents proposed for imports.

    There are no imports here, so there are none.
    """
    call.query.integer("document")
    return Page(0, [])
