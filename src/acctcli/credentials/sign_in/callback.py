"""The address on this machine that the browser comes back to: it is called once, and answers with a page of a line."""

from __future__ import annotations

import os
import socket
import time
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer
from typing import Any
from urllib.parse import urlsplit

from acctcli.errors import NotAuthenticated, UsageError
from acctcli.settings.urls import is_loopback

SECONDS = 300.0
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>acctcli</title><main><h1>{title}</h1><p>{text}</p></main>
"""
_DONE = _PAGE.format(title="acctcli has what it needs", text="Close this page, and see the terminal.")
_NOT_HERE = _PAGE.format(title="Nothing is here", text="acctcli waits for the sign-in at another address.")
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Connection": "close",
}
# what is read of a caller who does not go on, in seconds
_PATIENCE = 5.0


class Callback:
    """Listens at a redirect address exactly as it is registered, from when it is made until it is closed."""

    def __init__(self, redirect_url: str) -> None:
        """Raise UsageError for an address that is not on this machine, or whose port is taken."""
        parts = urlsplit(redirect_url)
        host = parts.hostname or ""
        if parts.scheme != "http" or not is_loopback(host) or parts.port is None:
            raise UsageError(
                f"{redirect_url} is no address of this machine with a port: the browser cannot come back to it here",
                hint="sign in with --no-browser, and paste the address that the browser ends at",
            )
        self._path = parts.path or "/"
        try:
            self._server = _Server(host, parts.port, self._path)
        except OSError as error:
            raise UsageError(
                f"cannot listen at {redirect_url}: {error.strerror or error}",
                hint="end the program that uses the port, or sign in with --no-browser",
            ) from error

    def wait(self, seconds: float = SECONDS) -> str:
        """Return the address with which the browser came back; raise NotAuthenticated when it does not in time."""
        until = time.monotonic() + seconds
        while self._server.query is None:
            left = until - time.monotonic()
            if left <= 0:
                raise NotAuthenticated(f"the browser did not come back within {seconds:g} s", hint="sign in again")
            self._server.timeout = left
            self._server.handle_request()
        return f"?{self._server.query}"

    def close(self) -> None:
        """Stop listening."""
        self._server.server_close()


class _Server(TCPServer):
    # a port in its last minute is not busy; on Windows it would let others listen beside us
    allow_reuse_address = os.name != "nt"
    query: str | None = None

    def __init__(self, host: str, port: int, path: str) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.path = path
        super().__init__((host, port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of callers that break off."""


class _Handler(BaseHTTPRequestHandler):
    timeout = _PATIENCE
    server: _Server

    def do_GET(self) -> None:
        """Take the query of the first call at the address; everything else is not here."""
        parts = urlsplit(self.path)
        is_it = parts.path == self.server.path and self.server.query is None and parts.query
        if is_it:
            self.server.query = parts.query
        body = (_DONE if is_it else _NOT_HERE).encode()
        self.send_response(200 if is_it else 404)
        for name, value in {**_HEADERS, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Say nothing: the address holds the code."""
