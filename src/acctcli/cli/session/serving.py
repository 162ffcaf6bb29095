"""A server on this machine, for so many connections at once, for as long as a command runs."""

from __future__ import annotations

import socket
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore, Lock
from typing import Any

# how long it takes at most until the place of a connection that was given up is free
_ROOM_SECONDS = 1.0


class LocalServer(ThreadingHTTPServer):
    """Answers at a port of this machine, 0 for any that is free.

    Where all places are taken, who came first and has not asked for anything yet makes room: else any program of this
    machine keeps the others out by saying nothing. Handlers call `heard` when they have read the head of a request.
    """

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, port: int, handler: type[BaseHTTPRequestHandler], places: int) -> None:
        """Raise OSError where the port is taken."""
        self._places = BoundedSemaphore(places)
        self._unheard: dict[socket.socket, None] = {}
        self._lock = Lock()
        super().__init__(("127.0.0.1", port), handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a caller in a thread, or let it come again where all places are taken by others that are served."""
        if not self._has_place():
            self.shutdown_request(request)
            return
        with self._lock:
            self._unheard[request] = None
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._leave(request)
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Make room for another one when it is served."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._leave(request)

    def heard(self, request: socket.socket) -> None:
        """Note that a caller has asked for something: it keeps its place until it is answered."""
        with self._lock:
            self._unheard.pop(request, None)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of callers that break off."""

    def _has_place(self) -> bool:
        if self._places.acquire(blocking=False):
            return True
        with self._lock:
            # under the lock, as a socket that is closed has no number, or that of another one
            if (oldest := next(iter(self._unheard), None)) is None:
                return False
            del self._unheard[oldest]
            with suppress(OSError):
                oldest.shutdown(socket.SHUT_RDWR)
        return self._places.acquire(timeout=_ROOM_SECONDS)

    def _leave(self, request: socket.socket) -> None:
        self.heard(request)
        self._places.release()
