"""Proxies of the environment, against real ones: led through, slow, refusing, and variables that make no sense."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from acctcli.client.access import FixedToken
from acctcli.client.direct import Unreachable
from acctcli.client.http import Http
from acctcli.client.retry import Policy
from acctcli.client.transport import network_client
from acctcli.errors import NetworkError, UsageError
from tests.client.test_direct import OK, encrypted
from tests.client.wire import TOKEN, Ear, read_head
from tests.mail_server import certificate, server_side

HOST = "books.example"
URL = f"https://{HOST}/"
VARIABLES = ("https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY")
ESTABLISHED = b"HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n"


class Proxy:
    """Answers CONNECT with `answer`, then carries bytes to `target` whatever host was named; `heads` were asked."""

    def __init__(self, target: int, answer: bytes, tls: ssl.SSLContext | None) -> None:
        self.heads: list[bytes] = []
        self._target = target
        self._answer = answer
        self._tls = tls
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                threading.Thread(target=self._lead, args=(connection,), daemon=True).start()

    def _lead(self, connection: socket.socket) -> None:
        with suppress(OSError):
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
            with connection:
                if not (head := read_head(connection)):
                    return
                self.heads.append(head)
                for place in range(len(self._answer)):
                    connection.sendall(self._answer[place : place + 1])
                if self._answer == ESTABLISHED:
                    with socket.create_connection(("127.0.0.1", self._target)) as target:
                        back = threading.Thread(target=_carry, args=(target, connection), daemon=True)
                        back.start()
                        _carry(connection, target)
                        back.join(5)

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def _carry(source: socket.socket, to: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65536):
            to.sendall(piece)
        to.shutdown(socket.SHUT_WR)


@contextmanager
def proxy(target: int = 0, answer: bytes = ESTABLISHED, tls: ssl.SSLContext | None = None) -> Iterator[Proxy]:
    with closing(Proxy(target, answer, tls)) as server:
        yield server


@pytest.fixture(autouse=True)
def _no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def answering(times: int, pause: float = 0.0) -> Callable[[socket.socket], None]:
    def serve(connection: socket.socket) -> None:
        connection.settimeout(5)
        with connection:
            for _ in range(times):
                if not read_head(connection):
                    return
                for place in range(len(OK) if pause else 1):
                    connection.sendall(OK[place : place + 1] if pause else OK)
                    time.sleep(pause)

    return serve


@pytest.mark.parametrize("variable", ["https_proxy", "HTTPS_PROXY", "ALL_PROXY"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_https_goes_through_the_proxy_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, scheme: str
) -> None:
    authority = certificate(tmp_path, "127.0.0.1", HOST)
    url, _ = encrypted(authority, answering(2))
    with proxy(int(httpx.URL(url).port or 0), tls=server_side(authority) if scheme == "https" else None) as server:
        monkeypatch.setenv(variable, f"{scheme}://user:p%40ss@127.0.0.1:{server.port}")
        with network_client(URL, authority) as c:
            assert [c.get(URL).text, c.get(URL).text] == ["ok", "ok"]
    assert len(server.heads) == 1
    assert server.heads[0].startswith(b"CONNECT books.example:443 HTTP/1.1\r\nHost: books.example:443\r\n")
    assert b"\r\nProxy-Authorization: Basic " + b64encode(b"user:p@ss") + b"\r\n" in server.heads[0]


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_deadline_holds_behind_a_proxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    authority = certificate(tmp_path, "127.0.0.1", HOST)
    url, _ = encrypted(authority, answering(1, pause=0.2))
    with proxy(int(httpx.URL(url).port or 0), tls=server_side(authority) if scheme == "https" else None) as server:
        monkeypatch.setenv("HTTPS_PROXY", f"{scheme}://127.0.0.1:{server.port}")
        with network_client(URL, authority) as c:
            http = Http(c, URL.rstrip("/"), FixedToken(TOKEN), Ear(), policy=Policy(deadline=1))
            began = time.monotonic()
            with pytest.raises(NetworkError, match="no answer in time"):
                http.send("GET", "/")
    assert time.monotonic() - began < 1.5


@pytest.mark.parametrize(
    ("answer", "refused"),
    [
        (b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", True),
        (b"HTTP/1.1 403 Forbidden\r\n\r\n", True),
        (b"HTTP/1.1 503 Service Unavailable\r\n\r\n", False),
        (b"nonsense\r\n\r\n", False),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 5000, False),
        (b"", False),
    ],
)
def test_a_proxy_that_does_not_lead_there(monkeypatch: pytest.MonkeyPatch, answer: bytes, refused: bool) -> None:
    with proxy(answer=answer) as server:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{server.port}")
        with network_client(URL) as c, pytest.raises(httpx.ConnectError, match="the proxy") as caught:
            c.get(URL)
    assert isinstance(caught.value, Unreachable) == refused


@pytest.mark.parametrize("exceptions", ["books.example", ".example", "a.example, books.example", "*"])
def test_excepted_hosts_go_without(monkeypatch: pytest.MonkeyPatch, exceptions: str) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "socks5://127.0.0.1:1")
    monkeypatch.setenv("NO_PROXY", exceptions)
    network_client(URL).close()


@pytest.mark.parametrize(
    ("variable", "value", "text"),
    [
        ("HTTPS_PROXY", "socks5://u:secret@127.0.0.1:1", "HTTPS_PROXY names a proxy of the kind socks5://"),
        ("https_proxy", "ftp://127.0.0.1", "https_proxy names a proxy of the kind ftp://"),
        ("HTTPS_PROXY", "http://h:abc", "HTTPS_PROXY is not the address of a proxy"),
        ("HTTPS_PROXY", "http://u:secret@h:99999", "HTTPS_PROXY is not the address of a proxy"),
        ("ALL_PROXY", "http://[::1", "ALL_PROXY is not the address of a proxy"),
        ("ALL_PROXY", "http://", "ALL_PROXY names no host"),
        ("NO_PROXY", "[::1", "NO_PROXY names something that is no host"),
    ],
)
def test_variables_that_cannot_be_followed_are_named(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, text: str
) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv(variable, value)
    with pytest.raises(UsageError) as caught:
        network_client(URL)
    assert caught.value.message.startswith(text)
    assert "secret" not in f"{caught.value.message}{caught.value.hint}"


def test_a_certificate_that_is_not_trusted_is_met_once(tmp_path: Path) -> None:
    met: list[socket.socket] = []
    url, _ = encrypted(certificate(tmp_path), met.append)
    with network_client(url) as c:
        http = Http(c, url.rstrip("/"), FixedToken(TOKEN), Ear(), policy=Policy(deadline=5))
        with pytest.raises(NetworkError, match=r"(?i)certificate.*\)$"):
            http.send("GET", "/v1/user/")
    assert met == []


def test_a_host_that_is_unknown_is_asked_for_once() -> None:
    ear = Ear()
    with network_client("https://nowhere.invalid") as c:
        http = Http(c, "https://nowhere.invalid", FixedToken(TOKEN), ear, policy=Policy(deadline=5))
        with pytest.raises(NetworkError, match="cannot connect"):
            http.send("GET", "/v1/user/")
    assert ear.heard == ["sent GET /v1/user/ 1"]


def test_no_proxy_leads_to_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    authority = certificate(tmp_path)
    url, _ = encrypted(authority, answering(1))
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    with network_client(url, authority) as c:
        assert c.get(url).text == "ok"
