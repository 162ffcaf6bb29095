"""The address on this machine that the browser comes back to: it is called once, and answers with a page of a line."""

from __future__ import annotations

import os
import socket
import threading
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer, ThreadingMixIn
from typing import Any
from urllib.parse import parse_qs, urlsplit

from acctcli.errors import NotAuthenticated, UsageError
from acctcli.settings.urls import is_loopback

SECONDS = 300.0
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>acctcli</title><main><h1>{title}</h1><p>{text}</p></main>
"""
_DONE = _PAGE.format(
    title="Go on in the terminal", text="acctcli has the answer of the login host. This page may be closed."
)
_NOT_HERE = _PAGE.format(title="Nothing is here", text="acctcli waits for the sign-in at another address.")
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Connection": "close",
}
# how often it is looked whether to stop, and what is waited for a caller who does not go on, in seconds
_LOOK = 0.05
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
        try:
            self._server = _Server(host, parts.port, parts.path or "/", parts.netloc.lower())
        except OSError as error:
            raise UsageError(
                f"cannot listen at {redirect_url}: {error.strerror or error}",
                hint="end the program that uses the port, or sign in with --no-browser",
            ) from error
        # a browser in this terminal is answered while it runs
        threading.Thread(target=self._server.serve_forever, args=(_LOOK,), daemon=True).start()

    def wait(self, seconds: float = SECONDS) -> str:
        """Return the address with which the browser came back; raise NotAuthenticated when it does not in time."""
        if not self._server.came.wait(seconds):
            raise NotAuthenticated(f"the browser did not come back within {seconds:g} s", hint="sign in again")
        return f"?{self._server.query}"

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingMixIn, TCPServer):
    daemon_threads = True
    block_on_close = True
    # a port in its last minute is not busy; on Windows it would let others listen beside us
    allow_reuse_address = os.name != "nt"
    query: str | None = None

    def __init__(self, host: str, port: int, path: str, netloc: str) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.path = path
        self.netloc = netloc
        self.came = threading.Event()
        super().__init__((host, port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of callers that break off."""


class _Handler(BaseHTTPRequestHandler):
    timeout = _PATIENCE
    server: _Server

    def do_GET(self) -> None:
        """Take the first answer that comes to the address; everything else is not here."""
        parts = urlsplit(self.path)
        is_it = self._is_meant() and parts.path == self.server.path and _is_answer(parts.query)
        if is_it:
            self.server.query = parts.query
        body = (_DONE if is_it else _NOT_HERE).encode()
        self.send_response(200 if is_it else 404)
        for name, value in {**_HEADERS, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        if is_it:
            self.server.came.set()

    def _is_meant(self) -> bool:
        """Tell whether a browser opens a page here: other sites have pictures, scripts and names that lead here."""
        is_ours = self.headers.get("Host", "").lower() == self.server.netloc
        is_page = self.headers.get("Sec-Fetch-Dest", "document") == "document"
        return is_ours and is_page and self.server.query is None

    def log_message(self, *args: Any) -> None:
        """Say nothing: the address holds the code."""


def _is_answer(query: str) -> bool:
    """Tell whether a query is one that login hosts send; whether it is to this sign-in, who waits will see."""
    try:
        names = parse_qs(query, keep_blank_values=True, max_num_fields=50).keys()
    except ValueError:
        return False
    return bool(names & {"code", "error"})
