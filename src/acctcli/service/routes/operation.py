"""What an operation is, and how a module declares the operations of its addresses, each beside its handler."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from acctcli.models.enums import PermissionKey as Key
from acctcli.service.routes.parameters import PAGING, Parameter

if TYPE_CHECKING:
    from acctcli.service.delivery.outbox import Parcel
    from acctcli.service.routes.call import Call

    Handler = Callable[[Call], Any]

H = TypeVar("H", bound="Handler")

MODELS = "acctcli.models."
ONE_BUSINESS = "/v1/business/{business_slug}/"
INVOICING = "/v1/invoicing/{business_slug}/"

MAX_BODY = 10 * 2**20
# room for 25 MiB as base64, and for what stands around it
MAX_UPLOAD = 36 * 2**20

MEMBER: frozenset[str] = frozenset()
ADMIN = frozenset({Key.ADMIN.value})


class Operation(NamedTuple):
    """One operation; `name` and `tag` are its own and its group's in the OpenAPI document.

    `needs`: any of these permission keys in the business of the path (`admin` always passes); empty: membership only.
    `request` and `response` name models, `module:Model`, which only those load who need them.
    `partial`: PATCH, no field of `request` is required. `shape`: `one`, `page` or `none` of `response`.
    `forms`: form-urlencoded and multipart bodies are read, too. `reads`: a POST that changes nothing.
    `uploads`: the body may carry a file, as a part of a multipart body or as base64.
    `stored`: replies to a keyed POST are kept for replay; never for replies that carry a token. `sealed`: they are
    encrypted, because they carry a secret. `arrays`: fields of a form that may come more than once.
    `sends`: returns, before the transaction, what leaves the service with the request; its text stands for the request.
    """

    method: str
    path: str
    handler: Handler
    name: str
    tag: str
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
    sends: Callable[[Call, str], Parcel] | None = None
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


def keys(area: str, *endings: str) -> frozenset[str]:
    """Name permission keys of an area by their endings: `keys("accounts", "read", "editor")`."""
    return frozenset(f"{area}_{ending}" for ending in endings)


ACCOUNTS_READ = keys("accounts", "read", "editor")
ACCOUNTS_WRITE = keys("accounts", "editor")
BOOKS_READ = keys("bookkeeping", "read", "editor", "admin")
BOOKS_WRITE = keys("bookkeeping", "editor", "admin")
INVOICING_READ = keys("invoicing", "read", "editor", "admin")
INVOICING_WRITE = keys("invoicing", "editor", "admin")
INTEGRATIONS = keys("integration", "admin")
# reading a period needs a key that may write one, too (wire facts 2.2)
PERIODS = keys("reporting", "editor", "admin")
CLOSING = keys("reporting", "admin")


class Area:
    """The operations of one group of addresses, declared by decorators; a docstring's first line is the summary.

    Unless an operation says otherwise it needs `read` or `write`, takes `request` and replies `response`, lists and
    creation `listed`. `one` is the address of a single record below `path`.
    """

    def __init__(
        self,
        tag: str,
        path: str,
        *,
        read: frozenset[str] = MEMBER,
        write: frozenset[str] = MEMBER,
        request: str | None = None,
        response: str | None = None,
        listed: str | None = None,
        one: str = "",
    ) -> None:
        self.tag = tag
        self.path = path
        self.read = read
        self.write = write
        self.request = request
        self.response = response
        self.listed = listed or response
        self.one = one
        self.operations: list[Operation] = []

    def page(self, *query: Parameter, below: str = "", **more: Any) -> Callable[[H], H]:
        """Declare the list, page by page, and what it may be narrowed by."""
        usual = {"needs": self.read, "response": self.listed, "shape": "page"}
        return self.operation("GET", below, **{**usual, "query": (*PAGING, *query), **more})

    def create(self, **more: Any) -> Callable[[H], H]:
        """Declare what makes a record."""
        usual = {"needs": self.write, "request": self.request, "response": self.listed, "status": 201}
        return self.operation("POST", "", **{**usual, **more})

    def get(self, below: str = "", **more: Any) -> Callable[[H], H]:
        """Declare what shows one record, or what is read below it."""
        return self.operation("GET", self.one + below, **{"needs": self.read, "response": self.response, **more})

    def replace(self, **more: Any) -> Callable[[H], H]:
        """Declare what replaces a record."""
        usual = {"needs": self.write, "request": self.request, "response": self.response}
        return self.operation("PUT", self.one, **{**usual, **more})

    def update(self, **more: Any) -> Callable[[H], H]:
        """Declare what changes the fields of a record that are sent."""
        usual = {"needs": self.write, "request": self.request, "response": self.response, "partial": True}
        return self.operation("PATCH", self.one, **{**usual, **more})

    def delete(self, below: str = "", **more: Any) -> Callable[[H], H]:
        """Declare what deletes a record."""
        return self.operation(
            "DELETE", self.one + below, **{"needs": self.write, "shape": "none", "status": 204, **more}
        )

    def post(self, below: str, **more: Any) -> Callable[[H], H]:
        """Declare what is done to one record."""
        return self.operation("POST", self.one + below, **{"needs": self.write, "response": self.response, **more})

    def operation(self, method: str, below: str, **more: Any) -> Callable[[H], H]:
        """Declare any operation at an address below the area's."""

        def declare(handler: H) -> H:
            summary = (handler.__doc__ or "").partition("\n")[0]
            named = {role: MODELS + more.pop(role) for role in ("request", "response") if more.get(role)}
            made = Operation(method, self.path + below, handler, handler.__name__, self.tag, summary, **more, **named)
            self.operations.append(made)
            return handler

        return declare


@cache
def load(name: str) -> Any:
    """Import `module:attribute`, once."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)
