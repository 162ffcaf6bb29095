"""A server on this machine, for so many connections at once, for as long as a command runs."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore
from typing import Any


class LocalServer(ThreadingHTTPServer):
    """Answers at a port of this machine, 0 for any that is free; who comes when all places are taken comes again."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, port: int, handler: type[BaseHTTPRequestHandler], places: int) -> None:
        """Raise OSError where the port is taken."""
        self._places = BoundedSemaphore(places)
        super().__init__(("127.0.0.1", port), handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a caller in a thread, or let it come again where there are too many."""
        if not self._places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._places.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Make room for another one when it is served."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of callers that break off."""
