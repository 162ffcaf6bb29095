"""From a host's name to a socket that reaches it, straight or through a proxy, in one time for all of it.

Looking the name up, every address of it, the proxy's answer and all TLS share that time, however slowly they come.
"""

from __future__ import annotations

import re
import socket
import ssl
import time
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import Any, Protocol, TypeVar
from urllib.parse import SplitResult, unquote

from acctcli.client.deadline import Deadline

_PORTS = {"http": 80, "https": 443}
_LONGEST_ANSWER = 16 * 1024
_RECORD = 32 * 1024
_ANSWER = re.compile(rb"HTTP/1\.[01] ([1-5])([0-9]{2})[ \r]")

T = TypeVar("T")


class Wire(Protocol):
    """What this module returns: a socket, or what does as one."""

    def recv(self, most: int, /) -> bytes:
        """Return what has come, nothing at the end."""

    def send(self, data: memoryview, /) -> int:
        """Send some of the data and return how much."""

    def settimeout(self, seconds: float, /) -> None:
        """Limit what one of the other calls takes; 0 is not to wait at all."""

    def close(self) -> None:
        """Let go."""


class ProxyRefusedError(OSError):
    """The proxy does not lead there, and will not when it is asked again."""


@dataclass(frozen=True)
class Proxy:
    """A proxy spoken to by http, or by https when `tls` is given; `sign_in` is what it is told of the user."""

    host: str
    port: int
    sign_in: str | None = field(repr=False)
    tls: ssl.SSLContext | None

    @classmethod
    def at(cls, parts: SplitResult, tls: ssl.SSLContext | None) -> Proxy:
        """Return the proxy at an address; raise ValueError when its port is none."""
        sign_in = None
        if parts.username is not None:
            user = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            sign_in = b64encode(user.encode()).decode()
        return cls(parts.hostname or "", parts.port or _PORTS[parts.scheme], sign_in, tls)


def dial(host: str, port: int | None, tls: ssl.SSLContext | None, proxy: Proxy | None, seconds: float) -> Wire:
    """Return a connection to a host that is ready to be written to. Raises OSError or TimeoutError."""
    until = Deadline(seconds)
    port = port or _PORTS["http" if tls is None else "https"]
    if proxy is None:
        return _secured(_connected(host, port, until), host, tls, until)
    line = _secured(_connected(proxy.host, proxy.port, until), proxy.host, proxy.tls, until)
    try:
        _lead(line, f"[{host}]:{port}" if ":" in host else f"{host}:{port}", proxy.sign_in, until)
        if tls is not None and proxy.tls is not None:
            return InnerTls(line, tls, host, until)
    except BaseException:
        line.close()
        raise
    return _secured(line, host, tls, until)


def _connected(host: str, port: int, until: Deadline) -> socket.socket:
    """Try one address after the other; one that swallows everything leaves time for the rest."""
    addresses = _addresses(host, port, until)
    problem: OSError | None = None
    for place, (family, kind, protocol, _, address) in enumerate(addresses):
        try:
            # the system may not have the family at all
            sock = socket.socket(family, kind, protocol)
            try:
                sock.settimeout(until.left() / (len(addresses) - place))
                sock.connect(address)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except BaseException:
                sock.close()
                raise
        except OSError as fault:
            problem = fault
        else:
            return sock
    raise problem or OSError("the host has no address")


def _addresses(host: str, port: int, until: Deadline) -> list[Any]:
    """Look a name up in a thread: nothing else limits how long the system takes."""
    with suppress(socket.gaierror):
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    found: Future[list[Any]] = Future()

    def look_up() -> None:
        try:
            found.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as fault:
            found.set_exception(fault)

    Thread(target=look_up, daemon=True).start()
    return found.result(until.left())


def _secured(line: socket.socket, host: str, tls: ssl.SSLContext | None, until: Deadline) -> socket.socket:
    if tls is None:
        return line
    try:
        line.settimeout(until.left())  # of the whole handshake
        # an end that the other side did not tell is a cut, by whoever is on the way
        return tls.wrap_socket(line, server_hostname=host, suppress_ragged_eofs=False)
    except BaseException:
        line.close()
        raise


def _lead(line: Wire, target: str, sign_in: str | None, until: Deadline) -> None:
    """Have a proxy connect to the target."""
    lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
    if sign_in is not None:
        lines.append(f"Proxy-Authorization: Basic {sign_in}")
    question = memoryview("".join(f"{text}\r\n" for text in [*lines, ""]).encode())
    line.settimeout(until.left())
    while question:
        question = question[line.send(question) :]
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        line.settimeout(until.left())
        # no more than the answer: what comes behind it is the target's
        if len(answer) > _LONGEST_ANSWER or not (more := line.recv(1)):
            raise ConnectionError("the proxy gave no answer")
        answer += more
    match = _ANSWER.match(answer)
    if match is None:
        raise ConnectionError("the proxy's answer is no HTTP")
    if match[1] != b"2":
        fault = ConnectionError if match[1] == b"5" else ProxyRefusedError
        raise fault(f"the proxy answered {int(match[1] + match[2])}")


class InnerTls:
    """TLS inside the TLS of a proxy, which the sockets of the standard library cannot do."""

    def __init__(self, outer: Wire, tls: ssl.SSLContext, host: str, until: Deadline) -> None:
        self.close = outer.close
        self._outer = outer
        self._until = 0.0
        self._coming, self._going = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._inner = tls.wrap_bio(self._coming, self._going, server_hostname=host)
        self.settimeout(until.left())
        self._do(self._inner.do_handshake)

    def settimeout(self, seconds: float) -> None:
        """Limit each of the calls that follow, however much goes to and fro in it; 0 is not to wait at all."""
        self._outer.settimeout(seconds)
        self._until = time.monotonic() + seconds if seconds else 0.0

    def recv(self, most: int) -> bytes:
        """Return what has come; nothing at the end that the other side told of."""
        try:
            return self._do(lambda: self._inner.read(most))
        except ssl.SSLZeroReturnError:
            return b""

    def send(self, data: memoryview) -> int:
        """Send some of the data and return how much."""
        return self._do(lambda: self._inner.write(data))

    def _do(self, step: Callable[[], T]) -> T:
        while True:
            try:
                result = step()
            except ssl.SSLWantReadError:
                self._flush()
                self._keep_time()
                if more := self._outer.recv(_RECORD):
                    self._coming.write(more)
                else:
                    self._coming.write_eof()
            else:
                self._flush()
                return result

    def _flush(self) -> None:
        going = memoryview(self._going.read())
        while going:
            self._keep_time()
            going = going[self._outer.send(going) :]

    def _keep_time(self) -> None:
        if self._until:
            left = self._until - time.monotonic()
            if left <= 0:
                raise TimeoutError("timed out")
            self._outer.settimeout(left)
