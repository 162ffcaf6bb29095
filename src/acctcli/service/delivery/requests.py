"""What a workflow sends over HTTP: one request, one status (docs/interface.md 11.3).

Nothing is followed, nothing of the answer's body is read, and all of it ends with a deadline.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing, suppress
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from acctcli import __version__
from acctcli.service.delivery.targets import Targets
from acctcli.service.problems import Precondition

SECONDS = 15.0
PORTS = {"http": 80, "https": 443}


class Outgoing(NamedTuple):
    """A request that is to leave; `key` is the same whenever it is sent again, `body` is JSON, None for none."""

    method: str
    url: str
    body: bytes | None
    key: str


class Answer(NamedTuple):
    """How a request was answered, or why it was not."""

    status: int | None
    error: str | None = None


Send = Callable[[Outgoing], Answer]


def sender(targets: Targets, seconds: float = SECONDS) -> Send:
    """Return what sends a request to where it may go, and waits so long for an answer."""

    def send(outgoing: Outgoing) -> Answer:
        parts = urlsplit(outgoing.url)
        host = parts.hostname or ""
        try:
            address = targets.address_of(host, _port(parts))
            return Answer(_status(_Connection(parts, address, seconds), parts, outgoing, seconds))
        except Precondition as refusal:
            return Answer(None, refusal.detail)
        except TimeoutError:
            return Answer(None, f"{host} did not answer within {seconds:g} seconds.")
        except ssl.SSLError as error:
            return Answer(None, f"There is no secure connection to {host}: {error.reason or 'it was refused'}.")
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            return Answer(None, f"{host} did not answer: {reason}.")

    return send


class _Connection(http.client.HTTPConnection):
    """A connection to an address that was looked at, whatever the name leads to by now."""

    def __init__(self, parts: SplitResult, address: str, seconds: float) -> None:
        super().__init__(parts.hostname or "", _port(parts), timeout=seconds)
        # what stands in the header Host: the port only where it is another one
        self.default_port = PORTS[parts.scheme]
        self._address = address
        self._is_secure = parts.scheme == "https"

    def connect(self) -> None:
        """Connect, encrypted if need be; certificates are checked against the system's trust."""
        self.sock = socket.create_connection((self._address, self.port), self.timeout)
        if self._is_secure:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)

    def cut(self) -> None:
        """End it in the middle of whatever it does."""
        with suppress(OSError, AttributeError):
            self.sock.shutdown(socket.SHUT_RDWR)


def _status(connection: _Connection, parts: SplitResult, outgoing: Outgoing, seconds: float) -> int:
    is_late = threading.Event()

    def cut() -> None:
        is_late.set()
        connection.cut()

    watch = threading.Timer(seconds, cut)
    watch.daemon = True
    watch.start()
    try:
        with closing(connection):
            path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
            connection.request(outgoing.method, path, outgoing.body, _headers(parts, outgoing))
            return connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        # whoever sends a letter now and then never keeps the socket waiting for long
        raise (TimeoutError() if is_late.is_set() else error) from error
    finally:
        watch.cancel()


def _headers(parts: SplitResult, outgoing: Outgoing) -> dict[str, str]:
    headers = {"User-Agent": f"acctcli-local/{__version__}", "Idempotency-Key": outgoing.key, "Connection": "close"}
    if outgoing.body is not None:
        headers["Content-Type"] = "application/json"
    if parts.username is not None:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Authorization"] = f"Basic {b64encode(login.encode()).decode()}"
    return headers


def _port(parts: SplitResult) -> int:
    return parts.port or PORTS[parts.scheme]
