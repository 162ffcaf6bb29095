"""Post a delivery and learn how it was answered, in a time that holds for all of it (docs/interface.md 11.6).

Only the status is read: what else is answered is neither kept nor waited for. No proxy stands between, no redirect is
followed, and the connection is to an address that was looked at.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from mmap import ACCESS_READ, mmap
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from acctcli.service.delivery.targets import Refused, Target, find_addresses, read_target

if TYPE_CHECKING:
    import ssl

# what is sent: as it is, or lying in a file
Body = bytes | memoryview

SECONDS = 15.0
# of one answer, all its headers, with those of what says that one is to come
MOST_BYTES = 65_536
# of those of a name that are tried: whoever writes the name could write thousands, of others
MOST_ADDRESSES = 8
# what is sent at once: in TLS, each part has a time of its own
PART_BYTES = 16_384
STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})(?: [^\r\n]*)?\r?\n")
HEAD_END = re.compile(rb"\r?\n\r?\n")
LONGEST_END = len(b"\r\n\r\n")


def system_trust() -> ssl.SSLContext:
    """Return what checks certificates as the system does; a new one, as one lets its handshakes wait for each other."""
    import ssl

    import truststore

    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class Post:
    """Posts to addresses of others; to those of this machine and of private networks only where that is allowed."""

    def __init__(
        self,
        *,
        allows_private: bool,
        seconds: float = SECONDS,
        trust: Callable[[], ssl.SSLContext] = system_trust,
    ) -> None:
        self._allows_private = allows_private
        self._seconds = seconds
        self._trust = trust

    def __call__(self, url: str, headers: Mapping[str, str], body: Body, method: str = "POST") -> int:
        """Return the status of the answer; Refused when there is none in time."""
        until = time.monotonic() + self._seconds
        target = read_target(url)
        try:
            addresses = find_addresses(target, allows_private=self._allows_private, seconds=self._seconds)
            with closing(self._connect(target, addresses, until)) as sock:
                _send(sock, _head(method, target, headers, len(body)) + bytes(body[:PART_BYTES]), until)
                _send(sock, memoryview(body)[PART_BYTES:], until)
                return _read_status(sock, until)
        except TimeoutError:
            raise Refused("timeout") from None
        except OSError as error:
            raise Refused(_kind(error)) from None

    def _connect(self, target: Target, addresses: list[tuple[int, object]], until: float) -> socket.socket:
        """Connect to the first address that can be; one that says nothing leaves the others their share of the time."""
        problem: OSError = OSError()
        tried = addresses[:MOST_ADDRESSES]
        for place, (family, where) in enumerate(tried):
            share = time.monotonic() + _left(until) / (len(tried) - place)
            try:
                sock = socket.socket(family, socket.SOCK_STREAM)
            except OSError as error:  # the system may not have the family at all
                problem = error
                continue
            try:
                sock.settimeout(_left(share))
                sock.connect(where)  # type: ignore[arg-type]
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if not target.is_tls:
                    return sock
                sock.settimeout(_left(share))
                return self._trust().wrap_socket(sock, server_hostname=target.name)
            except OSError as error:
                sock.close()
                problem = error
        raise problem


def _head(method: str, target: Target, headers: Mapping[str, str], length: int) -> bytes:
    usual = {"Host": target.place, "Content-Length": str(length), "Connection": "close"}
    lines = [f"{method} {target.path} HTTP/1.1", *(f"{name}: {value}" for name, value in {**usual, **headers}.items())]
    # headers are bytes on the wire; a name of a user may hold any letter, but is in Base64 by now
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def laid_down(body: bytes) -> memoryview:
    """Return the same in a file that nobody else can open, which is gone when nobody needs it; Refused without room."""
    try:
        with TemporaryFile(prefix="acctcli-") as file:
            file.write(body)
            file.flush()
            return memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
    except OSError:
        raise Refused("unreachable") from None


def _send(sock: socket.socket, content: Body, until: float) -> None:
    view = memoryview(content)
    while view:
        sock.settimeout(_left(until))
        view = view[sock.send(view[:PART_BYTES]) :]


def _read_status(sock: socket.socket, until: float) -> int:
    """Read the head of the answer, after those that say that one is to come."""
    received, total, looked = bytearray(), 0, 0
    while True:
        # not from the beginning: who sends one byte at a time must not have all of them looked at each time
        while (end := HEAD_END.search(received, max(0, looked - LONGEST_END))) is None:
            if total > MOST_BYTES:
                raise Refused("answer_invalid")
            looked = len(received)
            sock.settimeout(_left(until))
            part = sock.recv(PART_BYTES)
            if not part:
                raise Refused("answer_invalid" if received else "connection_closed")
            received += part
            total += len(part)
        found = STATUS.match(received)
        if found is None:
            raise Refused("answer_invalid")
        status = int(found[1])
        if status >= 200 or status == 101:
            return status
        del received[: end.end()]
        looked = 0


def _kind(error: OSError) -> str:
    """Return one word for what was in the way; what an error says may quote what was received."""
    import ssl

    if isinstance(error, ssl.SSLCertVerificationError):
        return "certificate_invalid"
    if isinstance(error, ssl.SSLError):
        return "tls_failed"
    if isinstance(error, ConnectionRefusedError):
        return "connection_refused"
    return "connection_closed" if isinstance(error, ConnectionError) else "unreachable"


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
