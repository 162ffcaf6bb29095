"""What answers at each address: the operations, their description, and whether the service is well."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from acctcli.errors import UsageError
from acctcli.service.http.answers import Answer, encode
from acctcli.service.http.patience import LATER, Awaited
from acctcli.service.http.task import HttpRequest
from acctcli.service.problems import Unavailable
from acctcli.service.routes.addresses import module_of, operations_of

if TYPE_CHECKING:
    from acctcli.service.http.router import Handler, Router
    from acctcli.service.http.service import Service
    from acctcli.service.http.wsgi import Arrival
    from acctcli.service.identity.host import LoginService
    from acctcli.service.routes.operation import Operation
    from acctcli.service.store.engine.database import Database


LOGIN_PLACES = ("/identity/", "/.well-known/")


class Endpoints:
    """The operations, which join a router module by module, when an address of theirs is first asked for."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._joined: set[str] = set()
        self._lock = Lock()

    def join(self, path: str, router: Router) -> None:
        """Let a router answer the addresses of the module that answers this one."""
        module = module_of(path)
        if module is None or module in self._joined:
            return
        with self._lock:  # who waited joins it once more, which changes nothing
            for place, methods in by_path(operations_of(module)).items():
                router.add_route(_template(place), self._handlers(methods))
            self._joined.add(module)

    def _handlers(self, operations: Mapping[str, Operation]) -> dict[str, Handler]:
        return {method: partial(_serve, self._service, operation) for method, operation in operations.items()}


class SignIn:
    """The addresses of signing in, which join, and load what is behind them, when one of them is first asked for."""

    def __init__(self, host: LoginService) -> None:
        self._host = host
        self._lock = Lock()
        self._is_joined = False

    def join(self, path: str, router: Router) -> None:
        """Let a router answer them once this is one of them."""
        if path != "/" and not path.startswith(LOGIN_PLACES):
            return
        with self._lock:
            if self._is_joined:
                return
            from acctcli.service.http.apps import AppAddresses
            from acctcli.service.http.pages import PageAddresses

            apps = AppAddresses(self._host)
            for place, handlers in (apps.routes() | PageAddresses(self._host, apps.issuer).routes()).items():
                router.add_route(place, handlers)
            self._is_joined = True


def _template(path: str) -> str:
    """Write the path of an operation as the router's template: `{business_slug}` is a slug, every other field an id."""
    typed = path.replace("{business_slug}", "{business_slug:slug}")
    return re.sub(r"\{(\w+)\}", r"{\1:id}", typed)


def by_path(found: Iterable[Operation]) -> dict[str, dict[str, Operation]]:
    """Return operations by path and method."""
    paths: dict[str, dict[str, Operation]] = {}
    for operation in found:
        paths.setdefault(operation.path, {})[operation.method] = operation
    return paths


def _serve(service: Service, operation: Operation, arrival: Arrival, fields: dict[str, Any]) -> Answer:
    """Answer a call to an operation; raise Awaited when the answer comes later."""
    later = None if operation.safe else arrival.environ.get(LATER)
    if later is not None:
        later.headers = arrival.usual
    answer = service.answer(operation, _request(arrival, operation, fields), later)
    if answer is None:
        raise Awaited
    return answer


def _request(arrival: Arrival, operation: Operation, fields: dict[str, Any]) -> HttpRequest:
    return HttpRequest(
        id=arrival.id,
        method=arrival.method,
        origin=arrival.origin,
        path=arrival.path,
        query_string=arrival.query_string,
        query=arrival.query(),
        content_type=arrival.content_type,
        authorization=arrival.header("Authorization"),
        idempotency_key=arrival.header("Idempotency-Key"),
        seen=arrival.header("If-Match"),
        client=arrival.header("User-Agent"),
        slug=fields.pop("business_slug", None),
        ids=fields,
        open_body=partial(arrival.open_body, operation.max_body),
    )


class Description:
    """The OpenAPI document; it needs no token."""

    def __init__(self) -> None:
        self._document: bytes | None = None

    def get(self, arrival: Arrival, fields: dict[str, Any]) -> Answer:
        """Return the document, made on first use."""
        del arrival, fields
        if self._document is None:
            from acctcli.service.http.openapi import describe
            from acctcli.service.routes.table import TABLE

            self._document = encode(describe(by_path(TABLE)))
        return Answer(200, self._document)


def health(arrival: Arrival, fields: dict[str, Any]) -> Answer:
    """Say that this process answers; whoever watches it needs no token, and may call it by any name."""
    del arrival, fields
    return Answer(200, encode({"status": "ok"}))


def readiness(database: Database, arrival: Arrival, fields: dict[str, Any]) -> Answer:
    """Say whether requests can be answered: the database is there, and of the revision that this program knows."""
    from acctcli.service.store.migrations import HEAD, current_revision

    del arrival, fields
    try:
        with database.read() as conn:
            found = current_revision(conn)
    except UsageError as error:
        raise Unavailable("The database is of another revision than this program.") from error
    if found != HEAD:
        raise Unavailable("The database is of another revision than this program.")
    return Answer(200, encode({"status": "ready"}))
