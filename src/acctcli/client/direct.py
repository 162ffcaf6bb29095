"""HTTP/1.1 to a host, without a proxy: httpx over the standard library's client instead of httpcore and h11.

A page of 600 KB costs a third of the time to receive, threads that fetch side by side hand the interpreter over less
often, and a command starts 25 ms sooner. Where a proxy is configured httpx uses what it brings.

All of the client takes httpx from here: without its own command line, which it would import too (click, rich and
pygments, 80 ms) where those are installed.
"""

from __future__ import annotations

import select
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead
from io import BufferedReader, BytesIO
from typing import TYPE_CHECKING, Any

sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]

import httpx as httpx  # noqa: E402, PLC0414 - the line above must come first; others take it from here

if TYPE_CHECKING:
    import ssl

_Origin = tuple[str, str, int]

# seconds after which an idle connection is not trusted any more: its server may be closing it just now
_IDLE = 5.0
# bytes to be read and written at a time
_PIECE = 128 * 1024
_CUT_OFF = "peer closed connection without sending complete message body"


class DirectTransport(httpx.BaseTransport):
    """Sends requests over connections that are kept for the next; safe to share between threads.

    https is spoken with `tls`; without it there is only plain http. Faults are those of httpx.
    """

    def __init__(self, tls: ssl.SSLContext | None) -> None:
        self._tls = tls
        self._idle: dict[_Origin, list[tuple[float, HTTPConnection]]] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request and return its response as soon as the headers are there."""
        limits = request.extensions["timeout"]
        origin = _origin(request.url)
        connection = self._kept(origin) or self._connected(origin, limits["connect"])
        try:
            _write(connection, request, limits["write"])
            response = _answer(connection, limits["read"])
        except BaseException:
            connection.close()
            raise
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in response.getheaders()]
        return httpx.Response(response.status, headers=headers, stream=_Body(self, origin, connection, response))

    def close(self) -> None:
        """Close the connections that are not in use."""
        for idle in self._idle.values():
            for _, connection in idle:
                connection.close()

    def keep(self, origin: _Origin, connection: HTTPConnection) -> None:
        """Take back a connection whose reply was read to its end."""
        self._idle.setdefault(origin, []).append((time.monotonic(), connection))

    def _kept(self, origin: _Origin) -> HTTPConnection | None:
        """Return the connection to an origin that was used last, unless it has had its time."""
        idle = self._idle.get(origin, [])
        with suppress(IndexError):  # there is none, or another thread took the last
            while True:
                since, connection = idle.pop()
                # what has something to say without being asked says that it is closed
                spoke = select.select([connection.sock], [], [], 0)[0]
                if not spoke and time.monotonic() - since < _IDLE:
                    return connection
                connection.close()
        return None

    def _connected(self, origin: _Origin, limit: float) -> HTTPConnection:
        scheme, host, port = origin
        tls = self._tls if scheme == "https" else None
        if (tls is None) != (scheme == "http"):
            raise httpx.UnsupportedProtocol(f"no {scheme} here")
        connection = HTTPConnection(host, port, blocksize=_PIECE)
        connection.response_class = _Response
        with _faults(httpx.ConnectTimeout, httpx.ConnectError):
            connection.sock = socket.create_connection((host, port), limit)
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if tls is not None:
                connection.sock = tls.wrap_socket(connection.sock, server_hostname=host)
        return connection


class _Lines(BufferedReader):
    """Reads lines that end; where a reply breaks off, http.client would take its head for whole."""

    def readline(self, size: int | None = -1) -> bytes:
        line = super().readline(size)
        if not line.endswith(b"\n"):
            raise IncompleteRead(line)
        return line


class _Response(HTTPResponse):
    def __init__(self, sock: socket.socket, *more: Any, **named: Any) -> None:
        super().__init__(sock, *more, **named)
        self.fp = _Lines(self.fp.detach())


class _Body(httpx.SyncByteStream):
    """The body of a response as it comes; the connection is kept when all of it was read."""

    def __init__(
        self, transport: DirectTransport, origin: _Origin, connection: HTTPConnection, response: HTTPResponse
    ) -> None:
        self._transport = transport
        self._origin = origin
        self._connection = connection
        self._response = response
        self._is_whole = False

    def __iter__(self) -> Iterator[bytes]:
        response, size = self._response, 0
        with _faults(httpx.ReadTimeout, httpx.ReadError, f"{_CUT_OFF} (incomplete chunked read)"):
            while response.length != 0 and (piece := response.read1(_PIECE)):
                size += len(piece)
                yield piece
        if response.length:
            raise httpx.RemoteProtocolError(f"{_CUT_OFF} (received {size} bytes, expected {size + response.length})")
        self._is_whole = True

    def close(self) -> None:
        self._response.close()
        if self._is_whole and not self._response.will_close:
            self._transport.keep(self._origin, self._connection)
        else:
            self._connection.close()


def _origin(url: httpx.URL) -> _Origin:
    return url.scheme, url.raw_host.decode("ascii"), url.port or (443 if url.scheme == "https" else 80)


def _write(connection: HTTPConnection, request: httpx.Request, limit: float) -> None:
    """Send a request; a server that answers and closes before it has read all of it is listened to."""
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in request.headers.raw}
    body = request.read()
    connection.sock.settimeout(limit)
    with _faults(httpx.WriteTimeout, httpx.WriteError), suppress(ConnectionError):
        # a body that is read in pieces is sent in pieces: the limit is one for each
        content = BytesIO(body) if body else None
        connection.request(request.method, request.url.raw_path.decode("ascii"), content, headers)


def _answer(connection: HTTPConnection, limit: float) -> HTTPResponse:
    connection.sock.settimeout(limit)
    with _faults(httpx.ReadTimeout, httpx.ReadError, "Server disconnected without sending a response."):
        response = connection.getresponse()
    if response.status < 200:
        raise httpx.RemoteProtocolError(f"the answer to come was announced by {response.status}, unasked")
    return response


@contextmanager
def _faults(late: type[httpx.TimeoutException], broken: type[httpx.NetworkError], cut_off: str = "") -> Iterator[None]:
    """Raise what goes wrong below as faults of httpx."""
    try:
        yield
    except TimeoutError as fault:
        raise late(str(fault)) from fault
    except IncompleteRead as fault:
        raise httpx.RemoteProtocolError(cut_off) from fault
    except HTTPException as fault:
        raise httpx.RemoteProtocolError(str(fault) or type(fault).__name__) from fault
    except OSError as fault:
        raise broken(str(fault)) from fault
    except ValueError as fault:
        raise httpx.LocalProtocolError(str(fault)) from fault
