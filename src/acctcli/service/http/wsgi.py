"""A WSGI call (PEP 3333) as the service reads it, and an answer as WSGI sends it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from acctcli.service.http.bodies import open_body
from acctcli.service.problems import Invalid, MediaUnknown
from acctcli.service.routes.query import QueryString

if TYPE_CHECKING:
    from acctcli.service.http.answers import Answer
    from acctcli.service.http.bodies import Body

MAX_PARAMETERS = 200
# a name, or an address of numbers in brackets, and a port
HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]]*))(?::[0-9]+)?")
BARE_ADDRESS = re.compile(r"[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*")
StartResponse = Callable[[str, list[tuple[str, str]]], object]


class Arrival:
    """A call under its own id; `usual` are the headers that every answer to it has."""

    __slots__ = ("environ", "id", "method", "path", "usual")

    def __init__(self, environ: Mapping[str, Any], name: str, date: str) -> None:
        self.environ = environ
        self.id = name
        self.method: str = environ["REQUEST_METHOD"]
        self.path = _text(environ["PATH_INFO"]) or "/"
        self.usual = {"X-Request-Id": name, "Date": date}

    def header(self, name: str) -> str | None:
        """Return a header, None where there is none."""
        return self.environ.get(_variable(name))

    @property
    def content_type(self) -> str | None:
        """What the body is said to be; None where nothing is said."""
        return self.environ.get("CONTENT_TYPE") or None

    @property
    def query_string(self) -> str:
        """What follows the question mark, as it was sent."""
        text: str = self.environ.get("QUERY_STRING", "")
        return text

    @property
    def host(self) -> str | None:
        """The name that the service was called by, in small letters; None for what is no host and port."""
        called = self.header("Host")
        if called is None:
            called = self.environ["SERVER_NAME"]
        if BARE_ADDRESS.fullmatch(called):
            return called.lower()
        found = HOST.fullmatch(called)
        return None if found is None else (found[1] or found[2] or "").lower()

    @property
    def origin(self) -> str:
        """Scheme and host of the request; a proxy that ends TLS says so, and the caller's host was checked."""
        scheme = "https" if _forwarded(self) == "https" else self.environ["wsgi.url_scheme"]
        return f"{scheme}://{self.header('Host') or _server(self.environ, scheme)}"

    def query(self) -> QueryString:
        """Return the parameters; Invalid when there are too many."""
        if not self.query_string:
            return QueryString({})
        try:
            return QueryString(parse_qs(self.query_string, keep_blank_values=True, max_num_fields=MAX_PARAMETERS))
        except ValueError as error:
            raise Invalid.whole("There are too many query parameters.") from error

    def open_body(self, limit: int) -> AbstractContextManager[Body]:
        """Open the body as it arrives; one announced as too long is refused unread."""
        if (self.header("Content-Encoding") or "identity").lower() != "identity":
            raise MediaUnknown("A body must not be compressed.")
        length = self._length() if self.header("Transfer-Encoding") is None else None
        return open_body(self.environ["wsgi.input"], length, limit)

    def _length(self) -> int:
        length = self.environ.get("CONTENT_LENGTH") or "0"
        if not (length.isascii() and length.isdigit()):
            raise Invalid.whole("The header Content-Length must be a number of bytes.")
        return int(length)


def send(arrival: Arrival, answer: Answer, start_response: StartResponse) -> Iterable[bytes]:
    """Begin the response to a call, and return its body: a list when it is all there, else what is to be closed."""
    status, body = answer.status, answer.body
    start_response(f"{status} {HTTPStatus(status).phrase}", answer.all_headers(arrival.usual))
    if isinstance(body, bytes):
        return [body] if body and arrival.method != "HEAD" else []
    if arrival.method != "HEAD":
        return body
    body.close()
    return []


@cache
def _variable(name: str) -> str:
    """Return where WSGI has a header; none is asked for by a name that a request brought."""
    return f"HTTP_{name.upper().replace('-', '_')}"


def _text(path: str) -> str:
    """Return a path that servers give byte by byte as Latin-1; who calls in process may give it as it is."""
    if path.isascii():
        return path
    try:
        return path.encode("latin-1").decode("utf-8", "replace")
    except UnicodeEncodeError:
        return path


def _forwarded(arrival: Arrival) -> str | None:
    """Return the scheme that the first proxy was asked by, if one says so (RFC 7239, or the older header)."""
    forwarded = arrival.header("Forwarded")
    if forwarded is None:
        return (arrival.header("X-Forwarded-Proto") or "").lower()
    for pair in forwarded.partition(",")[0].split(";"):
        name, _, value = pair.partition("=")
        if name.strip().lower() == "proto":
            return value.strip().strip('"').lower()
    return None


def _server(environ: Mapping[str, Any], scheme: str) -> str:
    """Return name and port of the server for who named no host."""
    usual = {"http": "80", "https": "443"}[scheme]
    port = environ["SERVER_PORT"]
    return environ["SERVER_NAME"] if port == usual else f"{environ['SERVER_NAME']}:{port}"
