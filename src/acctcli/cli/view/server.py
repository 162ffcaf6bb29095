"""The server of the pages: at one port of this machine, for one browser, for as long as the command runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from email.message import Message
from http.server import BaseHTTPRequestHandler
from threading import Thread
from typing import Any
from urllib.parse import parse_qs

from acctcli.cli.output.stderr import tell
from acctcli.cli.session.serving import LocalServer
from acctcli.cli.session.state import State
from acctcli.cli.view.asked import Books
from acctcli.cli.view.gate import KEY, NOT_YOURS, USED, Gate
from acctcli.cli.view.page import ALWAYS, Reply
from acctcli.cli.view.site import Site
from acctcli.errors import UsageError

_METHODS = ("GET", "HEAD")
_PATIENCE = 15.0
_PLACES = 16
_ALWAYS = {"Connection": "close", **ALWAYS}


@contextmanager
def serving(here: State, books: Books, port: int) -> Iterator[str]:
    """Serve the pages for a block, which is told the address to open; raise UsageError where the port is taken."""
    try:
        server = _Server(port)
    except OSError as problem:
        raise UsageError(f"--port {port}: {problem.strerror or problem}") from problem
    gate = Gate(server.server_port)
    server.view = View(gate, Site(here, replace(books, root=gate.root)))
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield gate.address
    finally:
        server.shutdown()
        server.server_close()


class View:
    """Decides what a request is answered with; needs no socket."""

    def __init__(self, gate: Gate, site: Site) -> None:
        self._gate, self._site = gate, site

    def reply(self, method: str, target: str, headers: Message) -> Reply:
        """Answer a request: nothing is read of the books for whoever may not look at them."""
        gate = self._gate
        if (fault := gate.fault(headers)) is not None:
            return _refusal(403, fault)
        if method not in _METHODS:
            return _refusal(405, "pages are only read", {"Allow": ", ".join(_METHODS)})
        path, _, query = target.partition("?")
        is_inside = gate.is_inside(headers)
        if path == f"{gate.root}/" and method == "GET" and (key := _key(query)) is not None:
            if is_inside or gate.takes(key):
                cookie = {} if is_inside else {"Set-Cookie": gate.cookie}
                return Reply(303, (), headers={"Location": f"{gate.root}/", **cookie})
            return _refusal(403, USED)
        if not is_inside:
            return _refusal(403, NOT_YOURS)
        if not path.startswith(f"{gate.root}/"):
            return _refusal(404, "there is no such page")
        return self._site.reply(path.removeprefix(gate.root), query)


def _key(query: str) -> str | None:
    try:
        return parse_qs(query, max_num_fields=10).get(KEY, [None])[0]
    except ValueError:
        return None


def _refusal(status: int, why: str, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply(status, [f"{why}\n".encode()], "text/plain; charset=utf-8", "default-src 'none'", headers or {})


class _Server(LocalServer):
    # a port in its last minute is not busy; on Windows it would let others listen beside us
    allow_reuse_address = os.name != "nt"
    view: View

    def __init__(self, port: int) -> None:
        super().__init__(port, _Handler, _PLACES)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what is our own fault, and nothing of browsers that break off."""
        problem = sys.exception()
        if not isinstance(problem, OSError):
            tell(f"internal fault: {type(problem).__name__}: {problem}")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = _PATIENCE
    server: _Server

    def do_GET(self) -> None:
        """Answer a request."""
        # else it would be taken for one of the next
        self.close_connection = True
        self.server.heard(self.request)
        reply = self.server.view.reply(self.command, self.path, self.headers)
        self.send_response(reply.status)
        is_whole = reply.status == 303
        length = {"Content-Length": "0"} if is_whole else {"Transfer-Encoding": "chunked"}
        kind = {"Content-Type": reply.kind, "Content-Security-Policy": reply.policy}
        for name, value in {**_ALWAYS, **kind, **length, **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            if self.command != "HEAD" and not is_whole:
                self._send(reply)
        finally:
            reply.close()

    do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_GET  # noqa: N815 - names of the library

    def _send(self, reply: Reply) -> None:
        """Send the content piece by piece: what breaks off shows, as its end is missing."""
        for piece in reply.body:
            if piece:
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what is no request of a browser, in a line."""
        self.close_connection = True
        self.send_response(code)
        for name, value in {**_ALWAYS, "Content-Length": "0"}.items():
            self.send_header(name, value)
        self.end_headers()

    def version_string(self) -> str:
        """Tell no version."""
        return "acctcli"

    def log_message(self, *args: Any) -> None:
        """Say nothing: addresses name what was looked at."""
