"""Requests to a WSGI application without an HTTP client between: walks send tens of thousands of them."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable
from typing import Any

App = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Caller:
    """Somebody with a token; calling it sends a request and returns status and body."""

    def __init__(self, app: App, token: str) -> None:
        self._app = app
        self._environ: dict[str, Any] = {
            "SCRIPT_NAME": "",
            "SERVER_NAME": "service",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "service",
            "HTTP_AUTHORIZATION": f"Token {token}",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }

    def __call__(self, method: str, target: str, body: bytes) -> tuple[int, bytes]:
        """Send a request; a body goes as JSON, a target is path and query in ASCII."""
        path, _, query = target.partition("?")
        environ = {
            **self._environ,
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
        }
        if body:
            environ["CONTENT_TYPE"] = "application/json"
        statuses: list[str] = []

        def start_response(status: str, headers: object, error: object = None) -> None:
            statuses.append(status)

        chunks = self._app(environ, start_response)
        try:
            text = b"".join(chunks)
        finally:
            if hasattr(chunks, "close"):
                chunks.close()
        return int(statuses[-1].split(" ", 1)[0]), text
