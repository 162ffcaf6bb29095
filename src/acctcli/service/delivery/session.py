"""A session with a mail server that ends in time, however the server drips its answers or reads what it is sent."""

from __future__ import annotations

import time
from io import BufferedReader, RawIOBase
from smtplib import SMTP
from socket import SOCK_STREAM, getaddrinfo, socket
from ssl import SSLContext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

# of one answer, all its lines
MOST_BYTES = 65_536
# what is sent at once: in TLS, each record has a time of its own
PART_BYTES = 16_384


class Session(SMTP):
    """SMTP, with TLS from the first byte if there is a `context`, done by the moment `until`.

    Connecting, each answer and each part of what is sent have `patience` seconds, all together what is left until then.
    Raises OSError and SMTPException.
    """

    def __init__(self, host: str, port: int, *, context: SSLContext | None, seconds: float, patience: float) -> None:
        self.patience = patience
        self._until = time.monotonic() + seconds
        self._context = context
        super().__init__(host, port)

    def getreply(self) -> tuple[int, bytes]:
        """Read one answer whole."""
        if self.file is None and self.sock is not None:
            self.file = BufferedReader(_Answers(self))
        if isinstance(self.file, BufferedReader) and isinstance(self.file.raw, _Answers):
            self.file.raw.begin(self._end())
        return super().getreply()

    def send(self, s: ReadableBuffer | str) -> None:
        """Send a command, or text of a mail, in parts."""
        data = memoryview(s.encode("ascii") if isinstance(s, str) else s)
        for start in range(0, len(data), PART_BYTES):
            self._hurry(self._end())
            super().send(data[start : start + PART_BYTES])

    def _end(self) -> float:
        return min(time.monotonic() + self.patience, self._until)

    def _hurry(self, end: float) -> None:
        if self.sock is not None:
            self.sock.settimeout(_left(end))

    def _get_socket(self, host: str, port: int, _: object) -> socket:
        """Connect to the first of the addresses of a host that answers."""
        problem: OSError = OSError("it has no address")
        for family, kind, protocol, _, address in getaddrinfo(host, port, type=SOCK_STREAM):
            try:
                # the system may not have the family at all
                sock = socket(family, kind, protocol)
                try:
                    sock.settimeout(_left(self._end()))
                    sock.connect(address)
                    return sock if self._context is None else self._context.wrap_socket(sock, server_hostname=host)
                except BaseException:
                    sock.close()
                    raise
            except OSError as error:
                problem = error
        raise problem


class _Answers(RawIOBase):
    """What a server says: an answer has a time, and may not be too long."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._end = 0.0
        self._room = 0

    def begin(self, end: float) -> None:
        """Begin to read an answer, which ends by a moment."""
        self._end, self._room = end, MOST_BYTES

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read what has come, or wait for it."""
        sock = self._session.sock
        if sock is None or self._room <= 0:
            raise OSError("its answer has no end")
        sock.settimeout(_left(self._end))
        count = sock.recv_into(buffer)
        self._room -= count
        return count


def _left(end: float) -> float:
    """Return the seconds until a moment; TimeoutError when it has passed."""
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError("it takes too long")
    return left
