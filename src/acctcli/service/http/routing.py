"""Falcon around the service: addresses, headers, and problems as error bodies."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import falcon
from msgspec.json import encode

from acctcli.service.http.downloads import Downloads
from acctcli.service.http.pipeline import Answer, Request, refusal
from acctcli.service.http.router import Router
from acctcli.service.http.spool import Spooled
from acctcli.service.identity.signatures import CONTENT_PATH
from acctcli.service.problems import Invalid, MethodUnknown, Missing, Problem, TooLarge
from acctcli.service.routes.call import Query

if TYPE_CHECKING:
    from acctcli.service.http.bodies import Stream
    from acctcli.service.http.pipeline import Service
    from acctcli.service.routes.route import Route

MAX_PARAMETERS = 200


def falcon_app(
    service: Service,
    table: Iterable[Route],
    *,
    downloads: Downloads,
    allowed_hosts: Collection[str] | None,
    entropy: Callable[[int], bytes],
) -> Application:
    """Return the application: every route of the table, content, `/openapi.json`, and errors of wire facts 7.1."""
    # else Falcon reads the tables of file types of this machine, for files it does not serve: longer than a request
    mimetypes.inited = True
    router = Router()
    app = Application(middleware=[Edge(allowed_hosts, entropy)], router=router)
    paths: dict[str, dict[str, Route]] = {}
    for route in table:
        paths.setdefault(route.path, {})[route.method] = route
    for path, routes in paths.items():
        app.add_route(_template(path), Endpoint(service, routes))
    app.add_route(f"{CONTENT_PATH}{{name:content}}/", downloads)
    app.add_route("/openapi.json", Description(paths))
    app.add_error_handler(Problem, _refuse)
    app.add_error_handler(falcon.HTTPError, _refuse_http)
    app.add_error_handler(falcon.HTTPNotFound, MissingSlash(router))
    return app


def _template(path: str) -> str:
    """Write a path of the table as Falcon's template: `{business_slug}` is a slug, every other field an id."""
    return re.sub(r"\{(\w+)\}", lambda field: f"{{{field[1]}:{_kind(field[1])}}}", path)


def _kind(field: str) -> str:
    return "slug" if field == "business_slug" else "id"


class Application(falcon.App[falcon.Request, falcon.Response]):
    """Falcon's application, also for callers in process that do not write paths as WSGI servers do."""

    def __call__(self, env: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer a WSGI call; a path beyond Latin-1 is written as UTF-8 bytes first (PEP 3333)."""
        path = env["PATH_INFO"]
        if not path.isascii() and any(ord(letter) > 0xFF for letter in path):
            env = {**env, "PATH_INFO": path.encode("utf-8", "replace").decode("latin-1")}
        return super().__call__(env, start_response)


class Edge:
    """What every request and reply has: a host that is ours, a request id."""

    def __init__(self, allowed_hosts: Collection[str] | None, entropy: Callable[[int], bytes]) -> None:
        self._hosts = None if allowed_hosts is None else frozenset(host.lower() for host in allowed_hosts)
        self._entropy = entropy

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Name the request; refuse a host that is not ours: pages of other sites resolve their names to this one."""
        req.context.id = self._entropy(16).hex()
        resp.set_header("X-Request-Id", req.context.id)
        if self._hosts is not None and req.host.lower() not in self._hosts:
            raise Invalid.whole("This host name is not served here.")


class Endpoint:
    """The operations of one path."""

    def __init__(self, service: Service, routes: Mapping[str, Route]) -> None:
        self._service = service
        for method, route in routes.items():
            setattr(self, f"on_{method.lower()}", partial(self._serve, route))
        if "GET" in routes:
            self.on_head = partial(self._serve, routes["GET"])

    def _serve(self, route: Route, req: falcon.Request, resp: falcon.Response, **fields: Any) -> None:
        _send(resp, self._service.answer(route, _request(req, route, fields)))


class Description:
    """The OpenAPI document; it needs no token."""

    def __init__(self, paths: Mapping[str, Mapping[str, Route]]) -> None:
        self._paths = paths
        self._document: bytes | None = None

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Send the document, made on first use."""
        del req
        if self._document is None:
            from acctcli.service.http.openapi import describe

            self._document = encode(describe(self._paths))
        resp.data = self._document


def _send(resp: falcon.Response, answer: Answer) -> None:
    resp.status = answer.status
    if isinstance(answer.body, Spooled):
        resp.set_stream(answer.body, answer.body.length)
    elif answer.body:
        resp.data = answer.body
    if answer.headers:
        resp.set_headers(answer.headers)


def _request(req: falcon.Request, route: Route, fields: dict[str, Any]) -> Request:
    return Request(
        id=req.context.id,
        method=req.method,
        origin=_origin(req),
        path=req.path,
        query_string=req.query_string,
        query=_query(req.query_string),
        content_type=req.content_type,
        authorization=req.auth,
        idempotency_key=req.get_header("Idempotency-Key"),
        slug=fields.pop("business_slug", None),
        ids=fields,
        open_body=partial(_open_body, req, route.max_body),
    )


def _origin(req: falcon.Request) -> str:
    """Return scheme and host of the request; a proxy that ends TLS says so, and the caller's host was checked."""
    scheme = "https" if req.forwarded_scheme == "https" else req.scheme
    return f"{scheme}://{req.netloc}"


def _query(text: str) -> Query:
    if not text:
        return Query({})
    try:
        return Query(parse_qs(text, keep_blank_values=True, max_num_fields=MAX_PARAMETERS))
    except ValueError as error:
        raise Invalid.whole("There are too many query parameters.") from error


def _open_body(req: falcon.Request, limit: int) -> Body:
    """Return the body as it arrives; one announced as too long is refused unread."""
    length = req.content_length
    if (length or 0) > limit:
        raise TooLarge
    if length is None and "chunked" not in (req.get_header("Transfer-Encoding") or "").lower():
        length = 0
    return Body(req.stream if length is None else req.bounded_stream, length, limit)


class Body:
    """The bytes of a request's body; `length` is None where the sender did not know it."""

    def __init__(self, stream: Stream, length: int | None, limit: int) -> None:
        self._stream = stream
        self._length = length
        self._left = limit
        self._seen = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the next bytes, all that is left for -1; one byte more than allowed is enough to refuse the body."""
        to_end = size is None or size < 0
        data = self._stream.read(self._left + 1 if to_end else size)
        self._left -= len(data)
        self._seen += len(data)
        if self._left < 0:
            raise TooLarge
        if (to_end or not data) and self._length is not None and self._seen < self._length:
            raise Invalid.whole("The body is shorter than its Content-Length.")
        return data


class MissingSlash:
    """Addresses end in a slash: a read without it is sent on, anything else finds nothing (Q14)."""

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


def _refuse(req: falcon.Request, resp: falcon.Response, problem: Problem, params: Any) -> None:
    del params
    _send(resp, refusal(problem, req.context.id))


def _refuse_http(req: falcon.Request, resp: falcon.Response, error: falcon.HTTPError, params: Any) -> None:
    """Answer what Falcon refuses by itself."""
    problem: Problem = MethodUnknown() if error.status_code == 405 else Invalid.whole(error.description or error.title)
    _refuse(req, resp, problem, params)
    resp.set_headers(dict(error.headers or {}))
