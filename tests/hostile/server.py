"""A server on a raw socket that answers the request it is asked about as a play says, and every other one honestly."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

# seconds that a connection is held at most, longer than any deadline of a drill
HELD = 12.0


@dataclass(frozen=True)
class Forever:
    """Bytes that are sent again and again, with a pause in seconds between."""

    text: bytes
    pause: float = 0.0


CLOSE, RESET, HOLD = "close", "reset", "hold"
Step = bytes | float | str | Forever
Play = Sequence[Step]


def head(*lines: str, status: str = "200 OK", kind: str = "application/json", length: int | None = None) -> bytes:
    """Return the head of a reply, with a length if there is one."""
    sized = [] if length is None else [f"Content-Length: {length}"]
    return "\r\n".join([f"HTTP/1.1 {status}", f"Content-Type: {kind}", *sized, *lines, "", ""]).encode("latin-1")


def reply(body: bytes, *lines: str, status: str = "200 OK", kind: str = "application/json") -> bytes:
    """Return a whole and honest reply."""
    return head(*lines, status=status, kind=kind, length=len(body)) + body


def chunks(*parts: bytes) -> bytes:
    """Return a body in chunks."""
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (*parts, b""))


class HostileServer:
    """`answer` returns the play for the path of a request; `first_asked` is when the first one came."""

    def __init__(self, answer: Callable[[str, int], Play]) -> None:
        self._answer = answer
        self.first_asked: float | None = None
        self.over = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError, StopIteration), connection:
            connection.settimeout(HELD)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while path := _request(connection):
                self.first_asked = self.first_asked or time.monotonic()
                for step in self._answer(path, self.port):
                    self._do(step, connection)

    def _do(self, step: Step, connection: socket.socket) -> None:
        if isinstance(step, bytes):
            connection.sendall(step)
        elif isinstance(step, float):
            time.sleep(step)
        elif isinstance(step, Forever):
            until = time.monotonic() + HELD
            while time.monotonic() < until and not self.over.is_set():
                connection.sendall(step.text)
                if step.pause:
                    self.over.wait(step.pause)
        elif step == HOLD:
            self.over.wait(HELD)
        else:
            if step == RESET:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
            raise StopIteration

    def close(self) -> None:
        """Let everybody go."""
        self.over.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def _request(connection: socket.socket) -> str:
    """Read a request and return its path, nothing at the end."""
    text = b""
    while b"\r\n\r\n" not in text:
        if not (more := connection.recv(65536)):
            return ""
        text += more
    start, _, body = text.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in start.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
    while len(body) < length:
        if not (more := connection.recv(65536)):
            return ""
        body += more
    return start.split(b" ", 2)[1].decode()


@contextmanager
def hostile(answer: Callable[[str, int], Play]) -> Iterator[HostileServer]:
    """Run a server as long as the block does."""
    server = HostileServer(answer)
    try:
        yield server
    finally:
        server.close()
