"""The service as a WSGI application: Falcon around it, with addresses, headers, and problems as error bodies."""

from __future__ import annotations

import mimetypes
import re
import secrets
from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import lru_cache, partial
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import falcon

from acctcli.errors import UsageError
from acctcli.service.cases.work import OWN_BOOKS, Limits
from acctcli.service.http.answers import Answer, encode, refusal
from acctcli.service.http.bodies import Body, open_body
from acctcli.service.http.downloads import Downloads
from acctcli.service.http.patience import LATER, Awaited
from acctcli.service.http.router import Router
from acctcli.service.http.service import Clock, Entropy, Service
from acctcli.service.http.spool import Spooled
from acctcli.service.http.task import HttpRequest
from acctcli.service.identity.signatures import CONTENT_PATH
from acctcli.service.problems import Invalid, MediaUnknown, MethodUnknown, Missing, Problem, Unavailable
from acctcli.service.routes.addresses import module_of, operations_of
from acctcli.service.routes.query import QueryString

if TYPE_CHECKING:
    from acctcli.service.delivery.outbox import Outbox
    from acctcli.service.http.patience import Later
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.routes.operation import Operation
    from acctcli.service.store.contents import Contents
    from acctcli.service.store.engine.database import Database

MAX_PARAMETERS = 200
HEALTH = "/health"
READY = "/ready"


def utc_now() -> datetime:
    """Return the moment, aware."""
    return datetime.now(UTC)


def create_app(
    database: Database,
    contents: Contents,
    outbox: Outbox,
    installation: InstallationKey,
    *,
    clock: Clock = utc_now,
    entropy: Entropy = secrets.token_bytes,
    allowed_hosts: Collection[str] | None = None,
    limits: Limits = OWN_BOOKS,
) -> Application:
    """Return the service as a WSGI application over an open, migrated database, the folders of its files, and its key.

    It answers every operation, content, and `/openapi.json`, which generators look for at `/openapi/`. `clock` returns
    aware UTC moments; `allowed_hosts` are the host names the service answers to, None answers to all.
    `limits` are what its businesses may have.
    """
    # else Falcon reads the tables of file types of this machine, for files it does not serve: longer than a request
    mimetypes.inited = True
    # a server says by what names it is called; who calls in process does so by any
    via = "process" if allowed_hosts is None else "http"
    service = Service(database, contents, outbox, installation, clock, entropy, limits, via)
    router = Router(Endpoints(service).join)
    app = Application(middleware=[Edge(allowed_hosts, entropy, clock)], router=router)
    app.add_route(f"{CONTENT_PATH}{{name:content}}/", Downloads(database, contents, clock))
    description = Description()
    for path in ("/openapi.json", "/openapi/"):
        app.add_route(path, description)
    app.add_route(HEALTH, Health())
    app.add_route(READY, Readiness(database))
    app.add_error_handler(Exception, _refuse)
    app.add_error_handler(falcon.HTTPError, _refuse_http)
    app.add_error_handler(falcon.HTTPNotFound, MissingSlash(router))
    return app


class Endpoints:
    """The operations, which join a router module by module, when an address of theirs is first asked for."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._joined: set[str] = set()
        self._lock = Lock()

    def join(self, path: str, router: Router) -> None:
        """Let a router answer the addresses of the module that answers this one."""
        module = module_of(path)
        with self._lock:
            if module is None or module in self._joined:
                return
            for place, methods in by_path(operations_of(module)).items():
                router.add_route(_template(place), Endpoint(self._service, methods))
            self._joined.add(module)


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


class Application(falcon.App[falcon.Request, falcon.Response]):
    """Falcon's application, also for callers in process that do not write paths as WSGI servers do."""

    def __call__(self, env: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer a WSGI call; a path beyond Latin-1 is written as UTF-8 bytes first (PEP 3333)."""
        path = env["PATH_INFO"]
        if not path.isascii() and any(ord(letter) > 0xFF for letter in path):
            env = {**env, "PATH_INFO": path.encode("utf-8", "replace").decode("latin-1")}
        return super().__call__(env, start_response)


class Edge:
    """What every request and reply has: a host that is ours, a request id, the moment."""

    def __init__(self, allowed_hosts: Collection[str] | None, entropy: Entropy, clock: Clock) -> None:
        self._hosts = None if allowed_hosts is None else frozenset(host.lower() for host in allowed_hosts)
        self._entropy = entropy
        self._clock = clock

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Name the request; refuse a host that is not ours: pages of other sites resolve their names to this one."""
        req.context.id = self._entropy(16).hex()
        resp.set_header("X-Request-Id", req.context.id)
        # also in process, and by the clock that records are made by
        resp.set_header("Date", _http_date(self._clock().replace(microsecond=0)))
        if self._hosts is not None and req.path not in (HEALTH, READY) and _host(req) not in self._hosts:
            raise Invalid.whole("This host name is not served here.")


@lru_cache(maxsize=1)  # many requests come in one second
def _http_date(second: datetime) -> str:
    return falcon.dt_to_http(second)


def _host(req: falcon.Request) -> str | None:
    """Return the name that the service was called by, None for what is no host and port."""
    try:
        return req.host.lower()
    except ValueError:
        return None


class Endpoint:
    """The operations of one path."""

    def __init__(self, service: Service, operations: Mapping[str, Operation]) -> None:
        self._service = service
        for method, operation in operations.items():
            setattr(self, f"on_{method.lower()}", partial(self._serve, operation))
        if "GET" in operations:
            self.on_head = partial(self._serve, operations["GET"])

    def _serve(self, operation: Operation, req: falcon.Request, resp: falcon.Response, **fields: Any) -> None:
        later: Later | None = None if operation.safe else req.env.get(LATER)
        if later is not None:
            later.headers = resp.headers
        answer = self._service.answer(operation, _request(req, operation, fields), later)
        if answer is None:
            raise Awaited
        _send(resp, answer)


class Description:
    """The OpenAPI document; it needs no token."""

    def __init__(self) -> None:
        self._document: bytes | None = None

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Send the document, made on first use."""
        del req
        if self._document is None:
            from acctcli.service.http.openapi import describe
            from acctcli.service.routes.table import TABLE

            self._document = encode(describe(by_path(TABLE)))
        resp.data = self._document

    on_head = on_get


class Health:
    """Whether this process answers; whoever watches it needs no token, and may call it by any name."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Say so."""
        del req
        resp.data = encode({"status": "ok"})

    on_head = on_get


class Readiness:
    """Whether requests can be answered: the database is there, and of the revision that this program knows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Say so, or 503."""
        from acctcli.service.store.migrations import HEAD, current_revision

        del req
        try:
            with self._database.read() as conn:
                found = current_revision(conn)
        except UsageError as error:
            raise Unavailable("The database is of another revision than this program.") from error
        if found != HEAD:
            raise Unavailable("The database is of another revision than this program.")
        resp.data = encode({"status": "ready"})

    on_head = on_get


def _send(resp: falcon.Response, answer: Answer) -> None:
    resp.status = answer.status
    if isinstance(answer.body, Spooled):
        resp.set_stream(answer.body, answer.body.length)
    elif answer.body:
        resp.data = answer.body
    if answer.headers:
        resp.set_headers(answer.headers)


def _request(req: falcon.Request, operation: Operation, fields: dict[str, Any]) -> HttpRequest:
    return HttpRequest(
        id=req.context.id,
        method=req.method,
        origin=_origin(req),
        path=req.path,
        query_string=req.query_string,
        query=_query(req.query_string),
        content_type=req.content_type,
        authorization=req.auth,
        idempotency_key=req.get_header("Idempotency-Key"),
        client=req.user_agent,
        slug=fields.pop("business_slug", None),
        ids=fields,
        open_body=partial(_open_body, req, operation.max_body),
    )


def _origin(req: falcon.Request) -> str:
    """Return scheme and host of the request; a proxy that ends TLS says so, and the caller's host was checked."""
    scheme = "https" if req.forwarded_scheme == "https" else req.scheme
    return f"{scheme}://{req.netloc}"


def _query(text: str) -> QueryString:
    if not text:
        return QueryString({})
    try:
        return QueryString(parse_qs(text, keep_blank_values=True, max_num_fields=MAX_PARAMETERS))
    except ValueError as error:
        raise Invalid.whole("There are too many query parameters.") from error


def _open_body(req: falcon.Request, limit: int) -> AbstractContextManager[Body]:
    """Open the body as it arrives; one announced as too long is refused unread."""
    if (req.get_header("Content-Encoding") or "identity").lower() != "identity":
        raise MediaUnknown("A body must not be compressed.")
    if req.get_header("Transfer-Encoding") is None:
        return open_body(req.bounded_stream, req.content_length or 0, limit)
    return open_body(req.stream, None, limit)


class MissingSlash:
    """Addresses end in a slash: a read without it is sent on, anything else finds nothing (docs/interface.md 1.1)."""

    def __init__(self, router: Router) -> None:
        self._router = router

    def __call__(self, req: falcon.Request, resp: falcon.Response, error: falcon.HTTPError, params: Any) -> None:
        """Answer 301 or 404."""
        del params
        path = f"{req.path}/"
        if req.method not in ("GET", "HEAD") or self._router.find(path) is None:
            _refuse(req, resp, Missing("There is no such address."), None)
            return
        resp.status = 301
        resp.set_header("Location", f"{path}?{req.query_string}" if req.query_string else path)


def _refuse(req: falcon.Request, resp: falcon.Response, problem: Exception, params: Any) -> None:
    del params
    _send(resp, refusal(problem, req.context.id))


def _refuse_http(req: falcon.Request, resp: falcon.Response, error: falcon.HTTPError, params: Any) -> None:
    """Answer what Falcon refuses by itself."""
    problem: Problem = MethodUnknown() if error.status_code == 405 else Invalid.whole(error.description or error.title)
    _refuse(req, resp, problem, params)
    resp.set_headers(dict(error.headers or {}))
