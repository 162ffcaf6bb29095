"""Requests to a WSGI application without an HTTP client between, which takes as long as the service itself."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import httpx

App = Callable[[dict[str, Any], Any], Iterable[bytes]]

# what an HTTP client sends as it is written: nothing to quote, to resolve or to cut off
PLAIN = re.compile(r"(?:/[\w-][\w.-]*)*/(?:\?[\w=&.,+*%-]*)?", re.ASCII)
_ENVIRON: dict[str, Any] = {
    "SCRIPT_NAME": "",
    "SERVER_NAME": "service",
    "SERVER_PORT": "80",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "HTTP_HOST": "service",
    "REMOTE_ADDR": "127.0.0.1",
    "wsgi.version": (1, 0),
    "wsgi.url_scheme": "http",
    "wsgi.errors": sys.stderr,
    "wsgi.multithread": True,
    "wsgi.multiprocess": False,
    "wsgi.run_once": False,
}


class Heard(NamedTuple):
    """What the application answered."""

    status_code: int
    headers: httpx.Headers
    content: bytes


def call(app: App, method: str, target: str, body: bytes, variables: Mapping[str, str]) -> tuple[str, Any, bytes]:
    """Send a request to a plain target, headers as CGI variables; return the status line, headers and body."""
    path, _, query = target.partition("?")
    environ = {
        **_ENVIRON,
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
        **variables,
    }
    replies: list[tuple[str, Any]] = []

    def start_response(status: str, headers: object, error: object = None) -> None:
        replies.append((status, headers))

    chunks = app(environ, start_response)
    try:
        text = b"".join(chunks)
    finally:
        if hasattr(chunks, "close"):
            chunks.close()
    return *replies[-1], text


class DirectClient(httpx.Client):
    """An HTTP client of an application in this process, and a short way to it: `ask`."""

    def __init__(self, app: App) -> None:
        super().__init__(transport=httpx.WSGITransport(app), base_url="http://service", trust_env=False)
        self._app = app

    def ask(self, method: str, target: str, body: bytes, headers: Mapping[str, str]) -> Heard | httpx.Response:
        """Send a request, the short way where its target is plain."""
        if not PLAIN.fullmatch(target):
            return self.request(method, target, content=body, headers=headers)
        status, answered, text = call(self._app, method, target, body, dict(map(_variable, headers.items())))
        return Heard(int(status.split(" ", 1)[0]), httpx.Headers(answered), text)


def _variable(header: tuple[str, str]) -> tuple[str, str]:
    name = header[0].upper().replace("-", "_")
    return (name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"), header[1]
