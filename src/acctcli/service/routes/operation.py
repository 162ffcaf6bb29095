"""What an operation is, and how a module declares the operations of its addresses."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from acctcli.models.enums import PermissionKey as Key
from acctcli.service.routes.parameters import PAGING, Parameter

if TYPE_CHECKING:
    from acctcli.service.cases.records import Records
    from acctcli.service.cases.work import Work
    from acctcli.service.delivery.outbox import Parcel
    from acctcli.service.routes.call import Call, ListPage, Show, Weigh

    Handler = Callable[[Call], Any]
    Case = Callable[..., Any]

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
    `partial`: no field of `request` is required, as in a PATCH. `shape`: `one`, `page` or `none` of `response`.
    `forms`: form-urlencoded and multipart bodies are read, too. `reads`: a POST that changes nothing.
    `uploads`: the body may carry a file, as a part of a multipart body or as base64.
    `remakes`: makes what is kept of the content of such a file, before the transaction; Invalid where it is none.
    `stored`: replies to a keyed POST are kept for replay; never for replies that carry a token. `sealed`: they are
    encrypted, because they carry a secret. `arrays`: fields of a form that may come more than once.
    `sends`: returns, before the transaction, what leaves the service with the request; its text stands for the request.
    `local`: other services with this interface have no such operation, and its commands ask them for none.
    `narrowed`: it names no business, and shows a JWT of one business what belongs to that one, and nothing else.
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
    remakes: Callable[[bytes], bytes] | None = None
    stored: bool = True
    sealed: bool = False
    arrays: tuple[str, ...] = ()
    sends: Callable[[Call, str], Parcel] | None = None
    query: tuple[Parameter, ...] = ()
    local: bool = False
    narrowed: bool = False

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


BOOKS_READ = keys("bookkeeping", "read", "editor", "admin")
BOOKS_WRITE = keys("bookkeeping", "editor", "admin")
INVOICING_READ = keys("invoicing", "read", "editor", "admin")
INVOICING_WRITE = keys("invoicing", "editor", "admin")
REPORTING_READ = keys("reporting", "read", "editor", "admin")
# whoever attaches files finds the documents that they are attached to
ATTACHING = BOOKS_WRITE | keys("bookkeeping", "attachment")
DOCUMENTS_READ = BOOKS_READ | ATTACHING
# documents, invoices and reports name accounts; documents and invoices name contacts and have files: whoever works with
# the ones sees the others, and brings what is missing (docs/interface.md 2.3)
ACCOUNTS_READ = keys("accounts", "read", "editor") | BOOKS_READ | INVOICING_READ | REPORTING_READ
ACCOUNTS_WRITE = keys("accounts", "editor")
CONTACTS_READ = keys("contact", "read", "editor") | BOOKS_READ | INVOICING_READ
CONTACTS_WRITE = keys("contact", "editor") | INVOICING_WRITE
FILES_READ = keys("files", "read", "editor") | DOCUMENTS_READ | INVOICING_READ
FILES_UPLOAD = keys("files", "editor") | ATTACHING | INVOICING_WRITE
FILES_WRITE = keys("files", "editor")
# what was bought and paid out is entered by whoever keeps the books, too
BILLS_READ = INVOICING_READ | BOOKS_READ
BILLS_WRITE = INVOICING_WRITE | BOOKS_WRITE
INTEGRATIONS = keys("integration", "admin")
# reading a period needs a key that may write one, too (docs/interface.md 2.3)
PERIODS = keys("reporting", "editor", "admin")
CLOSING = keys("reporting", "admin")


class Area:
    """The operations of one group of addresses, in a table: each has a case, or a handler of the whole call.

    A case is called with the work, the ids of the address in their order, and the body if there is one. `noun` is the
    word for a record in paths and names of operations, `name` that for people, `one` its address below the area's.
    Unless an operation says otherwise it needs `read` or `write`, takes `request` and replies `response`; the list and
    creation reply `listed`.
    """

    def __init__(
        self,
        tag: str,
        path: str,
        noun: str = "",
        *,
        name: str = "",
        one: str | None = None,
        read: frozenset[str] = MEMBER,
        write: frozenset[str] = MEMBER,
        request: str | None = None,
        response: str | None = None,
        listed: str | None = None,
    ) -> None:
        self.tag = tag
        self.path = path
        self.noun = noun
        self.name = name or noun.replace("_", " ")
        self.one = f"{{{noun}_id}}/" if one is None else one
        self.read = read
        self.write = write
        self.request = request
        self.response = response
        self.listed = listed or response
        self.operations: list[Operation] = []

    def list(self, list_page: ListPage, show: Show, *query: Parameter, weigh: Weigh | None = None) -> None:
        """Declare the list of all records, page by page, and what it may be narrowed by; `weigh` where some are heavy.

        What is heavy is shown in portions.
        """

        def handler(call: Call) -> Any:
            return call.listed(list_page, show, narrowed=bool(query), weigh=weigh)

        self.page("", handler, f"List {self.name}s.", *query, name=f"list_{self.noun}s")

    def page(self, below: str, handler: Handler, summary: str, *query: Parameter, name: str = "", **more: Any) -> None:
        """Declare any list that comes in pages; the operation has the name of its handler unless told."""
        usual = {"needs": self.read, "response": self.listed, "shape": "page", "query": (*PAGING, *query)}
        self.handle("GET", below, handler, name or handler.__name__, summary, **{**usual, **more})

    def create(self, case: Case, **more: Any) -> None:
        """Declare what makes a record."""
        usual = {"needs": self.write, "request": self.request, "response": self.listed, "status": 201}
        self._usual("POST", "", "create", "Create", case, {**usual, **more})

    def get(self, case: Case, **more: Any) -> None:
        """Declare what shows a record."""
        self._usual("GET", self.one, "get", "Show", case, {"needs": self.read, "response": self.response, **more})

    def replace(self, case: Case, **more: Any) -> None:
        """Declare what replaces a record."""
        usual = {"needs": self.write, "request": self.request, "response": self.response}
        self._usual("PUT", self.one, "replace", "Replace", case, {**usual, **more})

    def update(self, case: Case, **more: Any) -> None:
        """Declare what changes the fields of a record that are sent."""
        usual = {"needs": self.write, "request": self.request, "response": self.response, "partial": True}
        self._usual("PATCH", self.one, "update", "Change", case, {**usual, **more})

    def change(self, case: Case, replaces: str | None = None, changes: str | None = None, **more: Any) -> None:
        """Declare both, by a case that is also told the names of the fields to write; those two are summaries."""

        def replace(work: Work, *given: Any) -> Any:
            return case(work, *given, type(given[-1]).model_fields.keys())

        def update(work: Work, *given: Any) -> Any:
            return case(work, *given, given[-1].model_fields_set)

        self.replace(replace, summary=replaces, **more)
        self.update(update, summary=changes, **more)

    def delete(self, case: Case, below: str = "", **more: Any) -> None:
        """Declare what deletes a record."""
        usual = {"needs": self.write, "shape": "none", "status": 204}
        self._usual("DELETE", self.one + below, "delete", "Delete", case, {**usual, **more})

    def look(self, below: str, case: Case, summary: str, **more: Any) -> None:
        """Declare what is read below a record; the operation has the name of its case unless told."""
        usual = {"needs": self.read, "response": self.response}
        self.operation("GET", self.one + below, case, summary, **{**usual, **more})

    def act(self, below: str, case: Case, summary: str, **more: Any) -> None:
        """Declare what is done to a record; the operation has the name of its case unless told."""
        usual = {"needs": self.write, "response": self.response}
        self.operation("POST", self.one + below, case, summary, **{**usual, **more})

    def plain(
        self, records: Records[Call, Any], *query: Parameter, creates: bool = True, change: Case | None = None
    ) -> None:
        """Declare the six operations of plain records, or five if they are created in a way of their own.

        `change`: the case that changes one, unless it is that of all records.
        """
        self.list(records.rows.list_page, lambda call, rows: list(map(records.show, rows)), *query)
        if creates:
            self.create(records.create)
        self.get(records.get)
        self.change(change or records.change)
        self.delete(records.delete)

    def _usual(self, method: str, below: str, verb: str, word: str, case: Case, more: dict[str, Any]) -> None:
        article = "an" if self.name.startswith(("a", "e", "i", "o", "u")) else "a"
        summary = more.pop("summary", None) or f"{word} {article} {self.name}."
        self.operation(method, below, case, summary, **{"name": f"{verb}_{self.noun}", **more})

    def operation(self, method: str, below: str, case: Case, summary: str, *, name: str = "", **more: Any) -> None:
        """Declare an operation by its case, whose name it has unless told."""

        def handler(call: Call) -> Any:
            return case(call, *call.ids.values())

        def handler_of_body(call: Call) -> Any:
            return case(call, *call.ids.values(), call.body)

        made = handler_of_body if more.get("request") else handler
        self.handle(method, below, made, name or case.__name__, summary, **more)

    def handle(self, method: str, below: str, handler: Handler, name: str, summary: str, **more: Any) -> None:
        """Declare an operation by its handler, at an address below the area's."""
        named = {role: MODELS + more.pop(role) for role in ("request", "response") if more.get(role)}
        self.operations.append(Operation(method, self.path + below, handler, name, self.tag, summary, **more, **named))


@cache
def load(name: str) -> Any:
    """Import `module:attribute`, once."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)
