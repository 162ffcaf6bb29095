"""Every operation of the service, once: routing, permissions and the OpenAPI document are read from this table.

Handlers and models are named, not imported: a process that answers one read loads one routes file and no model.
"""

from __future__ import annotations

from typing import NamedTuple

from acctcli.models.enums import AccountType
from acctcli.models.enums import PermissionKey as Key

ROUTES = "acctcli.service.routes"
MODELS = "acctcli.models"

MEMBER: frozenset[str] = frozenset()
ADMIN = frozenset({Key.ADMIN.value})


class Parameter(NamedTuple):
    """A query parameter, for the OpenAPI document; `kind` is a JSON schema type, `date`, or `page`."""

    name: str
    kind: str
    description: str
    choices: tuple[str, ...] = ()
    repeatable: bool = False


class Route(NamedTuple):
    """One operation.

    `needs`: any of these permission keys in the business of the path (`admin` always passes); empty: membership only.
    `partial`: PATCH, no field of `request` is required. `shape`: `one`, `page` or `none` of `response`.
    `forms`: form-urlencoded and multipart bodies are read, too. `reads`: a POST that changes nothing.
    `stored`: replies to a keyed POST are kept for replay; never for replies that carry a token.
    """

    method: str
    path: str
    handler: str
    summary: str
    needs: frozenset[str] = MEMBER
    request: str | None = None
    partial: bool = False
    response: str | None = None
    shape: str = "one"
    status: int = 200
    forms: bool = False
    reads: bool = False
    stored: bool = True
    query: tuple[Parameter, ...] = ()

    @property
    def scoped(self) -> bool:
        """Whether the path names a business."""
        return "{business_slug}" in self.path

    @property
    def safe(self) -> bool:
        """Whether a read transaction is enough."""
        return self.method == "GET" or self.reads


def area(*names: str) -> frozenset[str]:
    """Name keys of an area by their endings: `area("accounts", "read", "editor")`."""
    return frozenset(f"{names[0]}_{ending}" for ending in names[1:])


ACCOUNTS_READ = area("accounts", "read", "editor")
ACCOUNTS_WRITE = area("accounts", "editor")
BOOKS_READ = area("bookkeeping", "read", "editor", "admin")
BOOKS_WRITE = area("bookkeeping", "editor", "admin")
BOOKS_LOCK = area("bookkeeping", "admin")
REPORTS_READ = area("reporting", "read", "editor", "admin")

PAGING = (
    Parameter("page", "integer", "Page number, from 1; a page beyond the last one is 404."),
    Parameter("page_size", "integer", "Results per page, 1 to 200; 30 unless given."),
)
SEARCH = Parameter("search", "string", "Case-insensitive search.")

ACCOUNT_TYPES = tuple(AccountType)

ACCOUNT_FILTERS = (
    *PAGING,
    Parameter("is_shown", "boolean", "Accounts shown in the user interface."),
    Parameter("is_used", "boolean", "Accounts with at least one entry."),
    Parameter("number", "integer", "Exact account number."),
    Parameter("number_gte", "integer", "Lowest account number."),
    Parameter("number_lte", "integer", "Highest account number."),
    Parameter("search", "string", "Number by prefix, name by contains."),
    Parameter("tags", "integer", "Id of a tag that at least one document of the account carries."),
    Parameter("type", "string", "Account type.", ACCOUNT_TYPES, repeatable=True),
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


def _user(method: str, handler: str, summary: str, *, partial: bool = False) -> Route:
    return Route(
        method,
        "/v1/user/",
        f"{ROUTES}.user:{handler}",
        summary,
        request=None if method == "GET" else f"{MODELS}.user:UserRequest",
        partial=partial,
        response=f"{MODELS}.user:CurrentUser",
    )


USER = (
    _user("GET", "get_user", "Show the caller."),
    _user("PUT", "replace_user", "Replace the caller's own data."),
    _user("PATCH", "update_user", "Change the caller's own data.", partial=True),
)

BUSINESS_BODY = f"{MODELS}.business:BusinessRequest"
BUSINESS_REPLY = f"{MODELS}.business:Business"
ONE_BUSINESS = "/v1/business/{business_slug}/"

BUSINESS = (
    Route(
        "GET",
        "/v1/business/",
        f"{ROUTES}.business:list_businesses",
        "List the caller's businesses.",
        response=BUSINESS_REPLY,
        shape="page",
        query=(*PAGING, Parameter("search", "string", "Name, slug or identifier value.")),
    ),
    Route(
        "POST",
        "/v1/business/",
        f"{ROUTES}.business:create_business",
        "Create a business with the default chart of accounts.",
        status=201,
        forms=True,
        request=BUSINESS_BODY,
        response=BUSINESS_REPLY,
    ),
    Route(
        "GET",
        ONE_BUSINESS,
        f"{ROUTES}.business:get_business",
        "Show a business.",
        response=BUSINESS_REPLY,
    ),
    Route(
        "PUT",
        ONE_BUSINESS,
        f"{ROUTES}.business:replace_business",
        "Replace the settings of a business.",
        needs=ADMIN,
        forms=True,
        request=BUSINESS_BODY,
        response=BUSINESS_REPLY,
    ),
    Route(
        "PATCH",
        ONE_BUSINESS,
        f"{ROUTES}.business:update_business",
        "Change settings of a business.",
        needs=ADMIN,
        partial=True,
        forms=True,
        request=BUSINESS_BODY,
        response=BUSINESS_REPLY,
    ),
    Route(
        "DELETE",
        ONE_BUSINESS,
        f"{ROUTES}.business:delete_business",
        "Delete a business with all its data.",
        needs=ADMIN,
        shape="none",
        status=204,
    ),
    Route(
        "GET",
        f"{ONE_BUSINESS}me/permissions/",
        f"{ROUTES}.user:get_permissions",
        "Show what the caller may do in this business.",
        response=f"{MODELS}.user:BusinessPermissions",
    ),
)


def resource(
    module: str,
    noun: str,
    path: str,
    name: str,
    *,
    models: tuple[str, str],
    read: frozenset[str],
    write: frozenset[str],
    filters: tuple[Parameter, ...] = PAGING,
    listed: str | None = None,
    plural: str | None = None,
) -> tuple[Route, ...]:
    """Return the six operations of a resource: list, create, get, replace, update, delete.

    `models`: request and response; `listed`: another response model for lists and creation.
    """
    one = f"{path}{{{noun}_id}}/"
    request, response = (f"{MODELS}.{model}" for model in models)
    rows = f"{MODELS}.{listed}" if listed else response
    at = f"{ROUTES}.{module}"
    article = "an" if name[0] in "aeiou" else "a"
    return (
        Route(
            "GET", path, f"{at}:list_{plural or noun + 's'}", f"List {plural or name + 's'}.",
            needs=read, response=rows, shape="page", query=filters,
        ),
        Route(
            "POST", path, f"{at}:create_{noun}", f"Create {article} {name}.",
            needs=write, request=request, response=rows, status=201,
        ),
        Route("GET", one, f"{at}:get_{noun}", f"Show {article} {name}.", needs=read, response=response),
        Route(
            "PUT", one, f"{at}:replace_{noun}", f"Replace {article} {name}.",
            needs=write, request=request, response=response,
        ),
        Route(
            "PATCH", one, f"{at}:update_{noun}", f"Change {article} {name}.",
            needs=write, request=request, response=response, partial=True,
        ),
        Route(
            "DELETE", one, f"{at}:delete_{noun}", f"Delete {article} {name}.",
            needs=write, shape="none", status=204,
        ),
    )  # fmt: skip


IDENTIFIERS = resource(
    "identifiers",
    "identifier",
    f"{ONE_BUSINESS}identifiers/",
    "business identifier",
    models=("business:IdentifierRequest", "business:Identifier"),
    read=MEMBER,
    write=ADMIN,
)

ACCOUNT_PATH = f"{ONE_BUSINESS}account/"
ACCOUNTS = resource(
    "account",
    "account",
    ACCOUNT_PATH,
    "account",
    models=("account:AccountRequest", "account:Account"),
    listed="account:AccountListItem",
    read=ACCOUNTS_READ,
    write=ACCOUNTS_WRITE,
    filters=ACCOUNT_FILTERS,
) + tuple(
    Route(
        "POST",
        f"{ACCOUNT_PATH}{{account_id}}/{verb}/",
        f"{ROUTES}.account:{verb}_account",
        f"{verb.capitalize()} an account.",
        needs=ACCOUNTS_WRITE,
        response=f"{MODELS}.account:Account",
    )
    for verb in ("hide", "show")
)

DOCUMENT_PATH = f"{ONE_BUSINESS}document/"
ONE_DOCUMENT = f"{DOCUMENT_PATH}{{document_id}}/"


def _action(verb: str, needs: frozenset[str], summary: str) -> Route:
    return Route(
        "POST",
        f"{ONE_DOCUMENT}action/{verb}/",
        f"{ROUTES}.document:{verb}_document",
        summary,
        needs=needs,
        response=f"{MODELS}.document:Document",
    )


DOCUMENTS = (
    *resource(
        "document",
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
        f"{ROUTES}.document:copy_document",
        "Copy a document; fields of the body replace those of the original.",
        needs=BOOKS_WRITE,
        request=f"{MODELS}.document:DocumentRequest",
        partial=True,
        response=f"{MODELS}.document:Document",
    ),
    Route(
        "GET",
        f"{ONE_DOCUMENT}entry/",
        f"{ROUTES}.document:list_entries",
        "List the entries of a document.",
        needs=BOOKS_READ,
        response=f"{MODELS}.document:Entry",
        shape="page",
        query=PAGING,
    ),
)

REPORTS = (
    Route(
        "POST",
        f"{ONE_BUSINESS}report/journal/",
        f"{ROUTES}.report:journal",
        "Report every posted document of a range with its entries.",
        needs=REPORTS_READ,
        request=f"{MODELS}.report:RangeReportRequest",
        response=f"{MODELS}.report:JournalReport",
        reads=True,
    ),
)

TABLE: tuple[Route, ...] = (*USER, *BUSINESS, *IDENTIFIERS, *ACCOUNTS, *DOCUMENTS, *REPORTS)
