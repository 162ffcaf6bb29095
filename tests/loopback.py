"""A small threaded HTTP/1.1 server on 127.0.0.1 for tests: keep-alive, and gone without a trace at the end."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import socketserver
import struct
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

Header = tuple[str, str]


class LoopbackServer(socketserver.ThreadingTCPServer):
    """Knows its open connections, so that closing it ends every handler; `failures` holds what handlers raised."""

    allow_reuse_address = True
    request_queue_size = 128
    timeout = 0  # whoever knocked may have left

    def __init__(self, handler: type[LoopbackHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.failures: list[BaseException] = []
        self.closing = threading.Event()
        self._open: set[socket.socket] = set()
        self._guard = threading.Lock()
        self._end, self._ended = socket.socketpair()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def serve(self) -> None:
        """Take connections until `end`, at once and without looking up now and then."""
        waiting = select.poll()
        for one in (self.socket, self._ended):
            waiting.register(one, select.POLLIN)
        while self._ended.fileno() not in dict(waiting.poll()):
            self.handle_request()

    def end(self) -> None:
        """Take no more connections."""
        self._end.close()

    def server_close(self) -> None:
        """Wait for the handlers, and close what is left."""
        super().server_close()
        self._end.close()
        self._ended.close()

    def process_request(self, request: object, client_address: object) -> None:
        assert isinstance(request, socket.socket)
        with self._guard:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: object) -> None:
        assert isinstance(request, socket.socket)
        self.forget(request)
        super().shutdown_request(request)

    def forget(self, connection: socket.socket) -> None:
        with self._guard:
            self._open.discard(connection)

    def handle_error(self, request: object, client_address: object) -> None:
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, ConnectionError):  # clients may hang up
            self.failures.append(error)

    def close_connections(self) -> None:
        self.closing.set()
        with self._guard:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)


class LoopbackHandler(BaseHTTPRequestHandler):
    """One connection; a subclass answers in `answer`, whatever the method."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: LoopbackServer
    connection: socket.socket

    def answer(self) -> None:
        raise AssertionError("a subclass answers")

    def do_GET(self) -> None:
        self.answer()

    do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the class it replaces
        """Say nothing: a test reads the server's own records."""

    def read_body(self) -> bytes:
        """Read the request's body, of known length or in chunks."""
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            return b"".join(self._chunks())
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def reply(self, status: int, headers: list[Header], body: bytes = b"") -> bytes:
        """Return a whole reply as bytes; its length is that of `body` unless `headers` claim another."""
        names = {name.lower() for name, _ in headers}
        if not names & {"content-length", "transfer-encoding"} and status not in {204, 304}:
            headers = [*headers, ("Content-Length", str(len(body)))]
        lines = [f"HTTP/1.1 {status} {self.responses.get(status, ('',))[0]}"]
        lines += [f"{name}: {value}" for name, value in headers]
        head = "\r\n".join([*lines, "", ""]).encode("latin-1")
        return head if self.command == "HEAD" else head + body

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)

    def hang_up(self) -> None:
        """Close in good order after this request."""
        self.close_connection = True

    def reset(self) -> None:
        """Drop the connection with a reset, as a crashed peer does."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.server.forget(self.connection)
        os.close(self.connection.detach())

    def wait_for_client_to_leave(self, seconds: float = 30) -> None:
        """Wait until the client hangs up, the server closes, or `seconds` are over."""
        select.select([self.connection], [], [], seconds)
        self.close_connection = True

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline().split(b";")[0], 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass


@contextlib.contextmanager
def running(server: LoopbackServer) -> Iterator[None]:
    """Serve in a thread; at the end close every connection and raise the first failure of a handler."""
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield
    finally:
        server.end()
        thread.join()
        server.close_connections()
        server.server_close()  # waits for the handlers
    if server.failures:
        raise server.failures[0]
