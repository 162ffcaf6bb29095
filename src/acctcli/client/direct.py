"""HTTP/1.1 to a host: httpx over plain sockets instead of httpcore and h11.

A page of 600 KB costs a third of the time to receive, threads that fetch side by side hand the interpreter over less
often, and a command starts 25 ms sooner.

Whatever a server does, nothing waits beyond the deadline that a request carries: before each read and write the socket
gets what is left of it.

A reply that can be read in two ways is refused: its end may be another's beginning, and the rest would be lost.

All of the client takes httpx from here: without its own command line, which it would import too (click, rich and
pygments, 80 ms) where those are installed.
"""

from __future__ import annotations

import re
import socket
import ssl
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any

from acctcli.client import redact
from acctcli.client.dialing import Proxy, ProxyRefusedError, Wire, dial

sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]

import httpx as httpx  # noqa: E402, PLC0414 - the line above must come first; others take it from here

# seconds after which an idle connection is not trusted any more: its server may be closing it just now
_IDLE = 5.0
# bytes to be read and written at a time, of bodies and of the lines around them; a whole page of a body that is not
# packed: to unpack a piece may take long, and the clock is looked at between two
_PIECE = 128 * 1024
_PLAIN_PIECE = 1024 * 1024
_LINES = 8 * 1024
# the most bytes of a head
_LONGEST = 100 * 1024
# the most announcements of a reply
_MOST = 100
_VALUE = re.compile(rb"[^\0\r\n\v\f]*")
_STATUS = re.compile(rb"HTTP/(1\.[01]) ([1-9][0-9]{2})(?: %b)?\r?\n" % _VALUE.pattern)
_HEADER = re.compile(rb"([-!#$%%&'*+.^_`|~0-9A-Za-z]+):(%b)" % _VALUE.pattern)
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,20})[ \t]*(?:;.*)?\r\n")
_END = re.compile(rb"\r\n")
_LENGTH = re.compile("[0-9]{1,20}")
_GONE = "Server disconnected without sending a response."
_CUT_OFF = "peer closed connection without sending complete message body"


class Unreachable(httpx.ConnectError):
    """Another try will not get there either: no such host, a wrong certificate, a proxy that refuses."""


class DirectTransport(httpx.BaseTransport):
    """Sends requests over connections that are kept for the next; safe to share between threads.

    https is spoken with `tls`, through `proxy` if there is one; without it there is only plain http. Faults are those
    of httpx. A request's extension `deadline` is the Deadline of all of it.
    """

    def __init__(self, tls: ssl.SSLContext | None, proxy: Proxy | None = None) -> None:
        self._tls = tls
        self._proxy = proxy
        self._idle: dict[tuple[str, str, int | None], list[_Connection]] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request and return its response as soon as the headers are there."""
        limits = _Limits(request.extensions)
        url = request.url
        idle = self._idle.setdefault((url.scheme, url.host, url.port), [])
        connection = _kept(idle) or self._connected(url, limits)
        try:
            connection.send(request, limits)
            status, headers, pieces = connection.answer(request.method)
        except BaseException:
            connection.close()
            raise
        return httpx.Response(status, headers=headers, stream=_Body(pieces, connection, idle))

    def close(self) -> None:
        """Close the connections that are not in use."""
        for idle in self._idle.values():
            for connection in idle:
                connection.close()

    def _connected(self, url: httpx.URL, limits: _Limits) -> _Connection:
        tls = self._tls if url.scheme == "https" else None
        if (tls is None) != (url.scheme == "http"):
            raise httpx.UnsupportedProtocol(f"no {url.scheme} here")
        with _faults(httpx.ConnectTimeout, httpx.ConnectError):
            try:
                return _Connection(dial(url.raw_host.decode("ascii"), url.port, tls, self._proxy, limits.of("connect")))
            except (socket.gaierror, ssl.SSLCertVerificationError, ProxyRefusedError) as fault:
                raise Unreachable(str(fault)) from fault


class _Limits:
    """How long a request may wait for one thing, and for all of it."""

    def __init__(self, extensions: Mapping[str, Any]) -> None:
        self._each = extensions["timeout"]
        self._deadline = extensions.get("deadline")

    def of(self, what: str) -> float:
        """Return the seconds for the next `connect`, `read` or `write`; raise TimeoutError when there are none."""
        limit: float = self._each[what]
        return limit if self._deadline is None else min(limit, self._deadline.left())


def _kept(idle: list[_Connection]) -> _Connection | None:
    """Return the connection that was used last, unless it has had its time."""
    with suppress(IndexError):  # there is none, or another thread took the last
        while True:
            connection = idle.pop()
            if connection.may_be_used():
                return connection
            connection.close()
    return None


class _Connection:
    """One request after another and their replies.

    `stays` tells whether a further request may follow the reply, `used` when the last was read to its end.
    """

    _limits: _Limits

    def __init__(self, sock: Wire) -> None:
        self.close = sock.close
        self.stays = False
        self.used = 0.0
        self._sock = sock
        self._limit: float | None = None
        self._most = _PIECE
        self._unread = bytearray()

    def may_be_used(self) -> bool:
        """Whether nothing came unasked: that it is closed, or a reply that the next request must not get."""
        if self._unread or time.monotonic() - self.used >= _IDLE:
            return False
        self._wait_for(0)
        try:
            self._sock.recv(1)
        except OSError as fault:
            return isinstance(fault, (BlockingIOError, ssl.SSLWantReadError))
        return False

    def send(self, request: httpx.Request, limits: _Limits) -> None:
        """Send a request; a server that answers and closes before it has read all of it is listened to."""
        self._limits = limits
        first = f"{request.method} {request.url.raw_path.decode('ascii')} HTTP/1.1".encode()
        headers = request.headers.raw
        if not all(_VALUE.fullmatch(text) and text == text.strip() for text in (first, *chain(*headers))):
            raise httpx.LocalProtocolError("a header begins or ends with a blank, or holds a line break")
        head = b"\r\n".join([first, *(b"%b: %b" % header for header in headers), b"", b""])
        body = memoryview(request.read())
        try:
            for start in range(0, len(body) or 1, _PIECE):
                self._send(head + body[start : start + _PIECE])
                head = b""
        except TimeoutError as late:
            raise httpx.WriteTimeout(str(late)) from late
        except OSError:
            pass

    def _send(self, piece: bytes) -> None:
        left = memoryview(piece)
        while left:
            self._wait_for(self._limits.of("write"))
            left = left[self._sock.send(left) :]

    def _wait_for(self, seconds: float) -> None:
        """Limit what the socket waits, told only what is new to it: other threads get the interpreter meanwhile."""
        if seconds != self._limit:
            self._limit = seconds
            self._sock.settimeout(seconds)

    def _receive(self, most: int) -> bytes:
        self._wait_for(self._limits.of("read"))
        return self._sock.recv(most)

    def answer(self, method: str) -> tuple[int, httpx.Headers, Iterator[bytes]]:
        """Return status, headers and the pieces of the body that are still to be read."""
        with _faults(httpx.ReadTimeout, httpx.ReadError):
            for _ in range(_MOST):
                version, code = _matched(_STATUS, self._line(_GONE)).groups()
                lines = self._headers(_GONE)
                # a jar of cookies reads each as often as a reply comes, and sends what a server makes of them
                headers = httpx.Headers([line for line in lines if line[0].lower() != b"set-cookie"])
                status = int(code)
                if status >= 200:
                    break
                if status == 101:
                    raise httpx.RemoteProtocolError("the answer is to come in another protocol (101), unasked")
            else:
                raise httpx.RemoteProtocolError("the answer is announced, and does not come")
        self.stays = version == b"1.1" and "close" not in headers.get("connection", "").lower()
        self._most = _PIECE if "content-encoding" in headers else _PLAIN_PIECE
        return status, headers, self._body(method, status, headers, is_old=version == b"1.0")

    def _body(self, method: str, status: int, headers: httpx.Headers, *, is_old: bool) -> Iterator[bytes]:
        """Find out where the body ends, and return its pieces; HTTP/1.0 knows no chunks."""
        coding = headers.get("transfer-encoding", "chunked").lower()
        lengths = set(headers.get_list("content-length", split_commas=True))
        is_chunked = "transfer-encoding" in headers
        has_two_ends = is_chunked and (is_old or lengths)
        if coding != "chunked" or has_two_ends or len(lengths) > 1 or not all(map(_LENGTH.fullmatch, lengths)):
            raise httpx.RemoteProtocolError("where the reply ends is in doubt")
        if method == "HEAD" or status in {204, 304}:
            return iter(())
        if is_chunked:
            return self._chunks()
        if lengths:
            return self._exactly(int(lengths.pop()))
        self.stays = False
        return iter(lambda: self._some(self._most), b"")

    def _chunks(self) -> Iterator[bytes]:
        while size := int(_matched(_CHUNK, self._line(_CUT_OFF))[1], 16):
            yield from self._exactly(size)
            _matched(_END, self._line(_CUT_OFF))
        self._headers(_CUT_OFF)

    def _exactly(self, size: int) -> Iterator[bytes]:
        left = size
        while left:
            piece = self._some(min(left, self._most))
            if not piece:
                raise httpx.RemoteProtocolError(f"{_CUT_OFF} (received {size - left} bytes, expected {size})")
            left -= len(piece)
            yield piece

    def _some(self, most: int) -> bytes:
        """Return what has come of a body; nothing at the end of the connection."""
        if not self._unread:
            return self._receive(most)
        piece = bytes(self._unread[:most])
        del self._unread[:most]
        return piece

    def _headers(self, cut_off: str) -> list[tuple[bytes, bytes]]:
        """Read lines up to an empty one; one that begins with a blank belongs to the line before."""
        lines: list[bytearray] = []
        size = 0
        while line := self._line(cut_off).removesuffix(b"\n").removesuffix(b"\r"):
            size += len(line)
            if size > _LONGEST:
                raise httpx.RemoteProtocolError("the reply has too many headers")
            if lines and line[:1] in {b" ", b"\t"}:
                lines[-1] += b" " + line.lstrip(b" \t")
            else:
                lines.append(bytearray(line))
        found = [_matched(_HEADER, bytes(line)).groups() for line in lines]
        return [(name, value.strip(b" \t")) for name, value in found]

    def _line(self, cut_off: str) -> bytes:
        while not (end := self._unread.find(b"\n") + 1):
            if len(self._unread) > _LONGEST:
                raise httpx.RemoteProtocolError("a line of the reply is too long")
            if not (more := self._receive(_LINES)):
                raise httpx.RemoteProtocolError(cut_off)
            self._unread += more
        line = bytes(self._unread[:end])
        del self._unread[:end]
        return line


class _Body(httpx.SyncByteStream):
    """The body of a response as it comes; the connection is kept when all of it was read."""

    def __init__(self, pieces: Iterator[bytes], connection: _Connection, idle: list[_Connection]) -> None:
        self._pieces = pieces
        self._connection = connection
        self._idle = idle
        self._is_whole = False

    def __iter__(self) -> Iterator[bytes]:
        with _faults(httpx.ReadTimeout, httpx.ReadError):
            yield from self._pieces
        self._is_whole = True

    def close(self) -> None:
        if self._is_whole and self._connection.stays:
            self._connection.used = time.monotonic()
            self._idle.append(self._connection)
        else:
            self._connection.close()


def _matched(pattern: re.Pattern[bytes], line: bytes) -> re.Match[bytes]:
    if match := pattern.fullmatch(line):
        return match
    raise httpx.RemoteProtocolError(f"the reply is no HTTP: {redact.shortened(repr(line), 60)}")


@contextmanager
def _faults(late: type[httpx.TimeoutException], broken: type[httpx.NetworkError]) -> Iterator[None]:
    """Raise what goes wrong below as faults of httpx."""
    try:
        yield
    except TimeoutError as fault:
        raise late(str(fault)) from fault
    except OSError as fault:
        raise broken(str(fault)) from fault
    except ValueError as fault:
        raise httpx.LocalProtocolError(str(fault)) from fault
