"""What an operation is, and the words operations are written in."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.models.enums import AccountType
from acctcli.models.enums import PermissionKey as Key

ROUTES = "acctcli.service.routes"
MODELS = "acctcli.models"

ONE_BUSINESS = "/v1/business/{business_slug}/"
INVOICING = "/v1/invoicing/{business_slug}/"

MAX_BODY = 10 * 2**20
# room for 25 MiB as base64, and for what stands around it
MAX_UPLOAD = 36 * 2**20

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
    `uploads`: the body may carry a file, as a part of a multipart body or as base64.
    `stored`: replies to a keyed POST are kept for replay; never for replies that carry a token. `sealed`: they are
    encrypted, because they carry a secret. `arrays`: fields of a form that may come more than once.
    `sends`: names the function that says, before the transaction, what leaves the service with the request.
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
    uploads: bool = False
    stored: bool = True
    sealed: bool = False
    arrays: tuple[str, ...] = ()
    sends: str | None = None
    query: tuple[Parameter, ...] = ()

    @property
    def scoped(self) -> bool:
        """Whether the path names a business."""
        return "{business_slug}" in self.path

    @property
    def safe(self) -> bool:
        """Whether a read transaction is enough."""
        return self.method == "GET" or self.reads

    @property
    def max_body(self) -> int:
        """How long a body may be, in bytes."""
        return MAX_UPLOAD if self.uploads else MAX_BODY


def area(*names: str) -> frozenset[str]:
    """Name keys of an area by their endings: `area("accounts", "read", "editor")`."""
    return frozenset(f"{names[0]}_{ending}" for ending in names[1:])


ACCOUNTS_READ = area("accounts", "read", "editor")
ACCOUNTS_WRITE = area("accounts", "editor")
BOOKS_READ = area("bookkeeping", "read", "editor", "admin")
BOOKS_WRITE = area("bookkeeping", "editor", "admin")
BOOKS_LOCK = area("bookkeeping", "admin")
BOOKS_ATTACH = area("bookkeeping", "editor", "admin", "attachment")
FILES_READ = area("files", "read", "editor")
FILES_WRITE = area("files", "editor")
INVOICING_READ = area("invoicing", "read", "editor", "admin")
INVOICING_WRITE = area("invoicing", "editor", "admin")
REPORTS_READ = area("reporting", "read", "editor", "admin")
INTEGRATIONS = area("integration", "admin")

PAGING = (
    Parameter("page", "integer", "Page number, from 1; a page beyond the last one is 404."),
    Parameter("page_size", "integer", "Results per page, 1 to 200; 30 unless given."),
)
SEARCH = Parameter("search", "string", "Case-insensitive search.")

ACCOUNT_TYPES = tuple(AccountType)


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
