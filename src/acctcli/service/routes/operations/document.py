"""Documents and their entries."""

from __future__ import annotations

from acctcli.service.routes.route import (
    ACCOUNT_TYPES,
    BOOKS_ATTACH,
    BOOKS_LOCK,
    BOOKS_READ,
    BOOKS_WRITE,
    MODELS,
    ONE_BUSINESS,
    PAGING,
    ROUTES,
    Parameter,
    Route,
    resource,
)

DOCUMENT_FILTERS = (
    *PAGING,
    Parameter("search", "string", "Number, description or contact name."),
    Parameter("account", "integer", "Id of an account with an entry."),
    Parameter("account_type", "string", "Type of an account with an entry.", ACCOUNT_TYPES, repeatable=True),
    Parameter("contact", "integer", "Id of the contact."),
    Parameter("date_from", "date", "First date, inclusive."),
    Parameter("date_to", "date", "Last date, inclusive."),
    Parameter("expense", "boolean", "Any entry on an expense account."),
    Parameter("income", "boolean", "Any entry on a revenue account."),
    Parameter("file", "integer", "Id of an attachment."),
    Parameter("has_attachments", "boolean", "Documents with attachments."),
    Parameter("has_rule", "boolean", "Documents made by a rule."),
    Parameter("rule", "integer", "Id of the rule."),
    Parameter("is_draft", "boolean", "Drafts."),
    Parameter("is_flagged", "boolean", "Flagged documents."),
    Parameter("is_locked", "boolean", "Locked documents."),
    Parameter("number", "string", "Exact document number."),
    Parameter("tagged", "integer", "Id of a user mentioned in comments."),
    Parameter("tags", "integer", "Id of a tag."),
    Parameter("vat_code", "integer", "VAT code of an entry."),
    Parameter("vat_rate", "string", "VAT rate of an entry, in percent."),
)


DOCUMENT_PATH = f"{ONE_BUSINESS}document/"
ONE_DOCUMENT = f"{DOCUMENT_PATH}{{document_id}}/"


def _action(verb: str, needs: frozenset[str], summary: str) -> Route:
    return Route(
        "POST",
        f"{ONE_DOCUMENT}action/{verb}/",
        f"{ROUTES}.documents.actions:{verb}_document",
        summary,
        needs=needs,
        response=f"{MODELS}.document:Document",
    )


def _file_action(verb: str, needs: frozenset[str], summary: str) -> Route:
    return Route(
        "POST",
        f"{ONE_DOCUMENT}action/{verb}_files/",
        f"{ROUTES}.documents.files:{verb}_files",
        summary,
        needs=needs,
        request=f"{MODELS}.document:AttachmentIdsRequest",
        response=f"{MODELS}.document:Document",
    )


DOCUMENTS = (
    *resource(
        "documents.document",
        "document",
        DOCUMENT_PATH,
        "document",
        models=("document:DocumentRequest", "document:Document"),
        read=BOOKS_READ,
        write=BOOKS_WRITE,
        filters=DOCUMENT_FILTERS,
    ),
    _action("lock", BOOKS_LOCK, "Lock a document."),
    _action("unlock", BOOKS_LOCK, "Unlock a document."),
    _action("flag", BOOKS_WRITE, "Flag a document."),
    _action("unflag", BOOKS_WRITE, "Take the flag off a document."),
    Route(
        "POST",
        f"{ONE_DOCUMENT}action/copy/",
        f"{ROUTES}.documents.document:copy_document",
        "Copy a document; fields of the body replace those of the original.",
        needs=BOOKS_WRITE,
        request=f"{MODELS}.document:DocumentRequest",
        partial=True,
        response=f"{MODELS}.document:Document",
    ),
    _file_action("attach", BOOKS_ATTACH, "Attach files to a document."),
    _file_action("detach", BOOKS_ATTACH, "Take files off a document."),
    _file_action("set", BOOKS_WRITE, "Set the files of a document."),
    Route(
        "GET",
        f"{ONE_DOCUMENT}suggest_attachments/",
        f"{ROUTES}.documents.files:suggest_attachments",
        "Suggest files that may belong to a document.",
        needs=BOOKS_READ,
        response=f"{MODELS}.document:AttachmentSuggestions",
    ),
    Route(
        "GET",
        f"{ONE_DOCUMENT}entry/",
        f"{ROUTES}.documents.document:list_entries",
        "List the entries of a document.",
        needs=BOOKS_READ,
        response=f"{MODELS}.document:Entry",
        shape="page",
        query=PAGING,
    ),
    Route(
        "GET",
        f"{ONE_BUSINESS}accounting_suggestions/",
        f"{ROUTES}.documents.document:list_accounting_suggestions",
        "List the documents proposed for imports.",
        needs=BOOKS_READ,
        response=f"{MODELS}.document:AccountingSuggestion",
        shape="page",
        query=(*PAGING, Parameter("document", "integer", "Id of the document they are proposed for.")),
    ),
)
