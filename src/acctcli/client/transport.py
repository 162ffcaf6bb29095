"""From an environment to the httpx client that reaches it: over the network, or into the embedded service."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from acctcli.client.direct import DirectTransport, httpx
from acctcli.client.proxies import proxy_to
from acctcli.errors import UsageError
from acctcli.settings.urls import is_loopback

if TYPE_CHECKING:
    import ssl

    from acctcli.service.http.embedded import EmbeddedService

IN_PROCESS = "http://in-process"
MAX_REDIRECTS = 5
REDIRECTS = frozenset({301, 302, 303, 307, 308})


def network_client(base_url: str, ca_file: Path | None = None) -> httpx.Client:
    """Return a client for a service on the network.

    https trusts the system's store, or `ca_file` alone; proxies come from the environment, but never for loopback,
    where the connection is plain and the token would pass through the proxy. Raises UsageError for a bad `ca_file`,
    or variables of proxies that cannot be followed.
    """
    parts = urlsplit(base_url)
    if parts.scheme != "https":
        return _Client(DirectTransport(None))
    tls = _trust(ca_file)
    proxy = None if is_loopback(parts.hostname or "") else proxy_to(parts.hostname or "", tls)
    return _Client(DirectTransport(tls, proxy))


def in_process_client(
    folder: Path,
    database_url: str | None,
    files: Path,
    outbox: Path,
    smtp_url: str | None,
    smtp_password: Callable[[], str | None],
    login_address: str | None,
) -> tuple[httpx.Client, str]:
    """Open the embedded service under `folder` and return a client that calls it, and the local user's token.

    `files` is where the content of files lies, `outbox` what is sent and goes to no mail server at `smtp_url`.
    Mail says that people sign in at `login_address`. The service is created on first use. Raises UsageError when the
    extra `local` is not installed.
    """
    try:
        from acctcli.service.http.embedded import open_embedded
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("acctcli"):
            raise
        raise UsageError(
            f"the embedded service is not installed ({missing.name} is missing)",
            hint="install it with: pip install 'acctcli[local]'",
        ) from missing
    service = open_embedded(
        folder,
        database_url,
        files=files,
        outbox=outbox,
        smtp_url=smtp_url,
        smtp_password=smtp_password,
        login_address=login_address,
    )
    return _Client(_InProcess(service)), service.token


def client_of(app: Callable[..., Any]) -> httpx.Client:
    """Return a client of a service in this process that others opened and close."""
    return _Client(httpx.WSGITransport(app))


def deliver_here(client: httpx.Client, subscription: int) -> None:
    """Deliver what a webhook subscription is to be told now, also to this machine, where the service is in process.

    A service elsewhere delivers by itself.
    """
    if isinstance(client, _Client) and isinstance(client.direct, _InProcess):
        client.direct.deliver(subscription)


class _Client(httpx.Client):
    """Hands each request to its transport as it is; cookies, sign-in and redirects would cost every page."""

    def __init__(self, transport: httpx.BaseTransport) -> None:
        super().__init__(transport=transport, trust_env=False)
        self.direct = transport

    def send(self, request: httpx.Request, *, stream: bool = False, **how: Any) -> httpx.Response:
        """Return the response, its body to be read if it is to `stream`; there is no other choice `how` to send."""
        response = self.direct.handle_request(request)
        response.request = request
        if not stream:
            with closing(response):
                response.read()
        return response


class _InProcess(httpx.WSGITransport):
    """Calls the embedded service; closing the client closes its database."""

    def __init__(self, service: EmbeddedService) -> None:
        super().__init__(service.app)
        self._service = service

    def deliver(self, subscription: int) -> None:
        from acctcli.service.problems import Problem

        with suppress(Problem):  # it is tried again soon
            self._service.deliver(allows_private=True, only=subscription)

    def close(self) -> None:
        self._service.database.close()


def announced_size(response: httpx.Response) -> int | None:
    """Return the size in bytes that a reply says its body has, None when it does not."""
    length = response.headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() else None


def _trust(ca_file: Path | None) -> ssl.SSLContext:
    import ssl

    try:
        made = _system_trust() if ca_file is None else ssl.create_default_context(cafile=str(ca_file))
    except OSError as problem:
        raise UsageError(f"--ca-file {ca_file}: {problem.strerror or problem}") from problem
    # before 3.11.4 Python takes a connection that is cut for one that has ended
    made.options &= ~ssl.OP_IGNORE_UNEXPECTED_EOF
    return made


def _system_trust() -> ssl.SSLContext:
    import ssl

    import truststore

    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
