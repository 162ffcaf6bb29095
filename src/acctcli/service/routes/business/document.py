"""Documents: `/v1/business/{business_slug}/document/`, and what is proposed for imports (docs/interface.md 5.1)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from acctcli.models.enums import AccountType
from acctcli.service.cases.documents import actions, reviewing, writing
from acctcli.service.cases.documents.guard import find
from acctcli.service.cases.documents.view import render_entry, show_documents, weigh_documents
from acctcli.service.problems import Invalid
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import (
    ATTACHING,
    BOOKS_READ,
    BOOKS_WRITE,
    DOCUMENTS_READ,
    ONE_BUSINESS,
    Area,
    keys,
)
from acctcli.service.routes.parameters import SEARCH, Asked, Clauses, Parameter, among, clause, either, empties
from acctcli.service.routes.query import Page
from acctcli.service.store import trail
from acctcli.service.store.books import documents, journal

if TYPE_CHECKING:
    from acctcli.models.document import AccountingSuggestion, DocumentComment, Entry

TYPES = tuple(AccountType)
LOCK = keys("bookkeeping", "admin")


def _rule(call: Asked, name: str) -> Clauses:
    """Find nothing that a rule made: there are no rules here."""
    return {"nothing": {}} if call.query.flag(name) else {}


def _rate(call: Asked, name: str) -> Clauses:
    """Narrow by a rate in percent, which is kept as hundredths."""
    text = call.query.text(name)
    if text is None:
        return {}
    whole, _, part = text.partition(".")
    digits = whole + part
    if digits.isascii() and digits.isdigit() and 0 < len(whole) <= 3 and len(part) <= 2:
        return clause(name, int(whole) * 100 + int(part.ljust(2, "0")))
    raise Invalid.field(name, "Must be a percentage with at most 2 decimals.")


def list_entries(call: Call) -> Page[Entry]:
    """List the entries of a document in the order they were posted; a draft has none."""
    document, page = find(call, call.ids["document_id"]), call.page
    total, rows = journal.entries_page(call.conn, call.business.id, document.id, limit=page.size, offset=page.offset)
    return Page(total, [render_entry(row) for row in rows])


def list_comments(call: Call) -> Page[DocumentComment]:
    """List the comments on a document, the newest first."""
    document, page = find(call, call.ids["document_id"]), call.page
    clauses = clause("type", reviewing.COMMENTED) | clause("record_id", document.id)
    total, rows = trail.page(call.conn, call.business.id, clauses, limit=page.size, offset=page.offset)
    return Page(total, reviewing.show_comments(rows))


def list_accounting_suggestions(call: Call) -> Page[AccountingSuggestion]:
    """List nothing: there are no imports here."""
    call.query.integer("document")
    return Page(0, [])


PATH, REPLY = f"{ONE_BUSINESS}document/", "document:Document"
AREA = Area(
    "document",
    PATH,
    "document",
    read=DOCUMENTS_READ,
    write=BOOKS_WRITE,
    request="document:DocumentRequest",
    response=REPLY,
)
AREA.list(
    documents.list_page,
    show_documents,
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
    Parameter("is_draft", "boolean", "Drafts.", narrow=either("draft", "posted")),
    Parameter("is_flagged", "boolean", "Flagged documents.", narrow=either("flagged", "not_flagged")),
    Parameter("is_locked", "boolean", "Locked documents.", narrow=either("locked", "not_locked")),
    Parameter("number", "string", "Exact document number."),
    Parameter("tagged", "integer", "Id of a user mentioned in comments."),
    Parameter("tags", "integer", "Id of a tag."),
    Parameter("vat_code", "integer", "VAT code of an entry."),
    Parameter("vat_rate", "string", "VAT rate of an entry, in percent.", narrow=_rate),
    weigh=weigh_documents,
)
AREA.create(writing.create_document)
AREA.get(writing.get_document)
AREA.replace(writing.replace_document)
AREA.update(writing.update_document)
AREA.delete(writing.delete_document)
AREA.act(
    "action/copy/",
    writing.copy_document,
    "Copy a document; fields of the body replace those of the original.",
    request=AREA.request,
    partial=True,
)
AREA.page(
    f"{AREA.one}entry/", list_entries, "List the entries of a document.", needs=BOOKS_READ, response="document:Entry"
)

ACTIONS = Area("actions", PATH, "document", response=REPLY)
for verb, act, act_needs, told in (
    ("lock", partial(actions.set_lock, is_locked=True), LOCK, "Lock a document."),
    ("unlock", partial(actions.set_lock, is_locked=False), LOCK, "Unlock a document."),
    ("flag", partial(actions.set_flag, is_flagged=True), BOOKS_WRITE, "Flag a document."),
    ("unflag", partial(actions.set_flag, is_flagged=False), BOOKS_WRITE, "Take the flag off a document."),
):
    ACTIONS.act(f"action/{verb}/", act, told, name=f"{verb}_document", needs=act_needs)

ACTIONS.act(
    "action/comment/",
    reviewing.comment_document,
    "Comment on a document.",
    needs=BOOKS_READ,
    request="document:CommentRequest",
    local=True,
)
ACTIONS.act(
    "action/mark_seen/",
    reviewing.mark_document_seen,
    "Say that a document was looked at as it is.",
    needs=BOOKS_READ,
    local=True,
)
ACTIONS.page(
    f"{ACTIONS.one}comments/",
    list_comments,
    "List the comments on a document, the newest first.",
    needs=BOOKS_READ,
    response="document:DocumentComment",
    local=True,
)

WITH_FILES = Area("files", PATH, "document", read=DOCUMENTS_READ, response=REPLY)
for case, needs, request, summary in (
    (actions.attach_files, ATTACHING, "AttachmentIdsRequest", "Attach files to a document."),
    (actions.detach_files, ATTACHING, "AttachmentIdsRequest", "Take files off a document."),
    (actions.set_files, BOOKS_WRITE, "SetFilesRequest", "Set the files of a document."),
):
    below = f"action/{case.__name__}/"
    WITH_FILES.act(below, case, summary, needs=needs, request=f"document:{request}")
WITH_FILES.look(
    "suggest_attachments/",
    actions.suggest_attachments,
    "Suggest files that may belong to a document.",
    response="document:AttachmentSuggestions",
)

IMPORTS = Area("document", f"{ONE_BUSINESS}accounting_suggestions/", read=BOOKS_READ)
IMPORTS.page(
    "",
    list_accounting_suggestions,
    "List the documents proposed for imports.",
    Parameter("document", "integer", "Id of the document they are proposed for."),
    response="document:AccountingSuggestion",
)
