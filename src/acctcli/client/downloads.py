"""Fetch files from where the service says they are, by clients of their own that have no credential to give away.

An address comes from data: it may be wrong, or a trap. Only https is followed; plain http only on this machine, and
only when the service itself is here. What comes is limited, counted, and compared with what was announced.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import urlsplit

from acctcli import __version__
from acctcli.client import redact, retry
from acctcli.client.deadline import Deadline
from acctcli.client.direct import Unreachable, httpx
from acctcli.client.faults import error_of
from acctcli.client.http import Http
from acctcli.client.messages import Reply
from acctcli.client.transport import IN_PROCESS, MAX_REDIRECTS, REDIRECTS, announced_size, network_client
from acctcli.errors import AcctcliError, Incomplete, NetworkError, ServerFault
from acctcli.settings.urls import is_loopback

_ATTEMPTS = 4
_LAST_PORT = 65535
# where a file says what it is, in bytes
_START = 1024
_LONGER = "give it longer with --timeout"
_HEADERS = {"accept": "*/*", "accept-encoding": "identity", "user-agent": f"acctcli/{__version__}"}


class ContentKind(NamedTuple):
    """What is expected at an address: what stands at its beginning, and whether it may be a page for people."""

    start: re.Pattern[bytes]
    is_page: bool = False


PDF = ContentKind(re.compile(rb"%PDF-"))
XML = ContentKind(re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<(?!!doctype html|html)", re.IGNORECASE))


def kind_of(name: str) -> ContentKind:
    """Return what a file that somebody uploaded may be: anything, but no page unless it is called one."""
    return ContentKind(re.compile(b""), name.lower().endswith((".htm", ".html", ".xhtml")))


class AddressRefused(ServerFault):
    """The file's host does not know its address, or not any more."""


class Budget:
    """How many bytes may still come, for all files together; `option` is what sets it, if one does."""

    def __init__(self, most: int, option: str | None = None) -> None:
        self._most, self._option = most, option
        self._left = most
        self._guard = threading.Lock()

    def spend(self, size: int) -> None:
        """Take some; raises Incomplete when there are not enough."""
        with self._guard:
            if size > self._left:
                limit = f", the limit of {self._option}" if self._option else ""
                raise Incomplete(f"the files have more than {self._most // 2**20} MiB together{limit}")
            self._left -= size

    def give_back(self, size: int) -> None:
        """Undo a spending."""
        with self._guard:
            self._left += size


@dataclass
class Fetcher:
    """Fetches files for one environment; safe to share between threads. `deadline` is in seconds for one file.

    One that `stays` asks the service itself alone, whoever redirects it.
    """

    http: Http
    budget: Budget
    ca_file: Path | None = None
    deadline: float = 120.0
    stays: bool = False
    _clients: dict[str, httpx.Client] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def fetch(self, address: str, into: BinaryIO, kind: ContentKind) -> int:
        """Write what is at an address to an empty file and return its size in bytes.

        Raises AddressRefused, ServerFault, NetworkError or Incomplete.
        """
        try:
            return self._persist(address, into, kind, Deadline(self.deadline, self.http.timing.now))
        except AcctcliError as problem:
            redact.error(problem)
            raise

    def close(self) -> None:
        """Close the connections to files' hosts."""
        for client in self._clients.values():
            client.close()

    def _persist(self, address: str, into: BinaryIO, kind: ContentKind, until: Deadline) -> int:
        """Begin again when a connection breaks, as often as there is time for."""
        attempt = 1
        while True:
            into.seek(0)
            into.truncate()
            try:
                return self._follow(address, into, kind, until)
            except NetworkError as fault:
                wait = retry.backoff(attempt, self.http.policy, self.http.timing)
                if attempt == _ATTEMPTS or not until.allows(wait) or isinstance(fault.__cause__, Unreachable):
                    raise
            self.http.timing.sleep(wait)
            attempt += 1

    def _follow(self, address: str, into: BinaryIO, kind: ContentKind, until: Deadline) -> int:
        url = self._checked(address, None)
        for _ in range(MAX_REDIRECTS + 1):
            with self._opened(url, until) as response:
                if response.status_code not in REDIRECTS:
                    return self._save(response, into, kind, until)
                url = self._checked(response.headers.get("location", ""), url)
        raise ServerFault(f"{url.host} redirects in circles", code="redirect")

    @contextmanager
    def _opened(self, url: httpx.URL, until: Deadline) -> Iterator[httpx.Response]:
        client = self._client(url)
        try:
            timeout = httpx.Timeout(self.http.policy.timeouts(until.left()))
            # a request of its own: not even cookies are carried from one address to the next
            limits = {"timeout": timeout.as_dict(), "deadline": until}
            request = httpx.Request("GET", url, headers=_HEADERS, extensions=limits)
            with closing(client.send(request, stream=True, follow_redirects=False, auth=None)) as response:
                yield response
        except (httpx.InvalidURL, UnicodeError) as fault:
            raise ServerFault(f"{url.host} redirects to no address", code="redirect") from fault
        except (TimeoutError, httpx.TimeoutException) as late:
            raise NetworkError(f"{url.host}: no answer in time ({late})", hint=_LONGER) from late
        except httpx.HTTPError as fault:
            raise NetworkError(f"{url.host}: {str(fault) or type(fault).__name__}") from fault

    def _save(self, response: httpx.Response, into: BinaryIO, kind: ContentKind, until: Deadline) -> int:
        announced = _checked_size(response)
        if not kind.is_page and "html" in response.headers.get("content-type", "").lower():
            raise _another_kind(response)
        start = b""
        size = spent = 0
        try:
            # what is announced is taken at once: of files side by side, one that fits is not refused for another
            for chunk in chain([b""], response.iter_raw()):
                start += chunk[: _START - len(start)]
                size += len(chunk)
                more = max(size, announced or 0) - spent
                self.budget.spend(more)
                spent += more
                into.write(chunk)
                until.left()
            if announced is not None and size != announced:
                raise NetworkError(f"{size} of {announced} bytes came")
            if not size and announced is None and "transfer-encoding" not in response.headers:
                raise NetworkError(f"{response.url.host} closed the connection without a file")
            if not kind.start.search(start):
                raise _another_kind(response)
        except BaseException:
            self.budget.give_back(spent)
            raise
        return size

    def _checked(self, address: str, before: httpx.URL | None) -> httpx.URL:
        """Return an address that may be fetched, `before` being the one that redirected to it."""
        try:
            url = httpx.URL(address) if before is None else before.join(address)
            is_whole = bool(url.host) and (url.port or 0) <= _LAST_PORT and not url.userinfo
        except (httpx.InvalidURL, UnicodeError) as fault:  # a host may be no name only when it is read
            raise ServerFault("the file's address is none", code="unsafe_address") from fault
        if self.stays and not str(url).startswith(f"{self.http.base_url}/"):
            raise ServerFault("the file's address is not the service's own", code="unsafe_address")
        is_far = url.scheme == "https" and not is_loopback(url.host)
        if not (is_whole and (is_far or self._is_here(url, before))):
            raise ServerFault(
                f"the file's address {url.scheme}://{url.host} is not fetched: only https is", code="unsafe_address"
            )
        return url

    def _is_here(self, url: httpx.URL, before: httpx.URL | None) -> bool:
        """Whether an address is on this machine, and the service, and whoever redirected, are so too."""
        own = urlsplit(self.http.base_url).hostname or ""
        if self.http.base_url == IN_PROCESS and str(url).startswith(f"{IN_PROCESS}/"):
            return True
        is_local = is_loopback(url.host) and (is_loopback(own) or self.http.base_url == IN_PROCESS)
        return is_local and (before is None or is_loopback(before.host)) and url.scheme in {"http", "https"}

    def _client(self, url: httpx.URL) -> httpx.Client:
        """Return the client of an address: the service's own only where it is in this process."""
        if url.host == urlsplit(IN_PROCESS).hostname:
            return self.http.client
        # each host of its own: https must not meet what was made for http, nor one host the proxy of another
        host = f"{url.scheme}://{url.host}"
        with self._guard:
            if host not in self._clients:
                self._clients[host] = network_client(host, self.ca_file)
            return self._clients[host]


def _another_kind(response: httpx.Response) -> ServerFault:
    return ServerFault(f"{response.url.host} sent something else instead of the file", code="unreadable_reply")


def _why(response: httpx.Response) -> str:
    """Return what the service says of it, where it is in this process; of a host of files that proves nothing."""
    if response.url.host != urlsplit(IN_PROCESS).hostname:
        return ""
    return f": {error_of(Reply(response.status_code, response.headers, response.read())).message}"


def _checked_size(response: httpx.Response) -> int | None:
    """Return the size that a good reply announces; raise what a bad one means."""
    status = response.status_code
    if status in {403, 404, 410}:
        raise AddressRefused(f"{response.url.host} does not give the file out ({status})", status=status)
    if status in retry.TRANSIENT:
        raise NetworkError(f"{response.url.host} answered {status}")
    if status != 200:
        raise ServerFault(f"{response.url.host} answered {status} instead of the file{_why(response)}", status=status)
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise ServerFault(f"{response.url.host} sent the file in an encoding that was not asked for")
    return announced_size(response)
