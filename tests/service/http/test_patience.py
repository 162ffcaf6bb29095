"""Clients that stand still, with real sockets: they are given up, and nobody waits for them."""

from __future__ import annotations

import io
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any

import httpx
import pytest

from acctcli.service.http.embedded import open_embedded
from acctcli.service.http.patience import PART_OF_ADDRESS, PART_OF_BODIES, THREADS, Guard
from acctcli.service.http.watch import MOST_WHOLE
from acctcli.service.problems import Throttled
from tests.serving import serve

NAMED = b'{"name": "Slow"}'


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[httpx.Client, int]]:
    """A service that gives up senders after two seconds, and its port."""
    data = tmp_path_factory.mktemp("slow")
    with open_embedded(data / "local") as service:
        token = service.token
    environ = {**os.environ, "ACCTCLI_DATA_DIR": str(data), "ACCTCLI_CONFIG_DIR": str(data)}
    headers = {"Authorization": f"Token {token}"}
    with (
        serve(environ, "--patience", "2") as url,
        httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=20) as client,
    ):
        yield client, int(url.rpartition(":")[2])


def begin(client: httpx.Client, port: int, headers: str, body: bytes = b"{") -> socket.socket:
    """Begin a request whose body does not end."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    token = client.headers["Authorization"]
    head = f"POST /v1/business/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\n{headers}\r\n\r\n"
    connection.sendall(head.encode() + body)
    return connection


def seconds(client: httpx.Client, method: str, **more: Any) -> float:
    began = time.monotonic()
    reply = client.request(method, "/v1/business/", **more)
    assert reply.is_success, reply.text
    return time.monotonic() - began


def test_a_hundred_stalled_uploads_hold_nobody_up(place: tuple[httpx.Client, int]) -> None:
    client, port = place
    with ExitStack() as stack:
        stalled = [stack.enter_context(begin(client, port, "Content-Length: 1000")) for _ in range(100)]
        time.sleep(0.3)
        assert max(seconds(client, "GET") for _ in range(5)) < 1
        assert max(seconds(client, "POST", json={"name": f"Quick {number}"}) for number in range(5)) < 1
        began = time.monotonic()
        for one in stalled:
            assert one.recv(1) == b""
        assert time.monotonic() - began < 8
    assert client.get("/v1/business/", params={"search": "Slow"}).json()["count"] == 0


def test_who_is_told_to_go_on_and_does_not_is_given_up(place: tuple[httpx.Client, int]) -> None:
    client, port = place
    with begin(client, port, "Content-Length: 1000\r\nExpect: 100-continue", b"") as stalled:
        assert stalled.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        stalled.settimeout(8)
        assert stalled.recv(1) == b""


@pytest.mark.parametrize(
    ("headers", "begun"), [("Content-Length: 1000", b"{"), ("Transfer-Encoding: chunked", b"ff\r\n{")]
)
def test_a_drip_is_given_up_and_a_slow_sender_is_not(
    place: tuple[httpx.Client, int], headers: str, begun: bytes
) -> None:
    client, port = place
    with begin(client, port, headers, begun) as drip, begin(client, port, "Content-Length: 38401", b"{") as slow:
        for _ in range(16):
            time.sleep(0.25)
            slow.sendall(b" " * 2400)
            with suppress(OSError):
                drip.sendall(b" ")
        with suppress(ConnectionResetError):
            assert drip.recv(1) == b""
        assert slow.recv(12)[:9] == b"HTTP/1.1 "


@pytest.mark.parametrize(("pause", "most"), [(0, 2**30), (0.05, 2 * MOST_WHOLE)])
def test_chunks_without_end_are_given_up(place: tuple[httpx.Client, int], pause: float, most: int) -> None:
    """The slower ones are never as many as one body may have within the patience for one that stands still."""
    client, port = place
    piece = b"100000\r\n" + b" " * 2**20 + b"\r\n"
    sent = 0
    with begin(client, port, "Transfer-Encoding: chunked", b"") as connection, suppress(ConnectionError):
        while sent < most:
            connection.sendall(piece)
            sent += len(piece)
            time.sleep(pause)
    assert sent < most


@pytest.mark.parametrize(
    ("reads", "most"), [(True, int(THREADS * PART_OF_BODIES)), (False, int(THREADS * PART_OF_ADDRESS))]
)
def test_one_sender_and_one_address_hold_a_part_of_the_threads(reads: bool, most: int) -> None:
    def app(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        if reads:
            environ["wsgi.input"].read(1)
        return iter(())

    guard, told = Guard(app), list[str]()

    def ask(**more: str) -> Any:
        usual = {"REMOTE_ADDR": "192.0.2.1", "wsgi.input": io.BytesIO(b"x")}
        return guard(usual | more, lambda status, headers: told.append(status))

    replies = [ask() for _ in range(most)]
    if reads:
        with pytest.raises(Throttled):
            ask()
    else:
        assert json.loads(b"".join(ask()))["code"] == "rate_limited"
        assert [status[:3] for status in told] == ["429"]
    replies += [ask(REMOTE_ADDR="192.0.2.2") for _ in range(most)]
    replies.pop(0).close()
    replies.append(ask())
    for reply in replies:
        reply.close()
    assert (guard.visits, guard.held) == (set(), {})


def test_a_token_is_one_sender_from_wherever_it_comes_and_however_it_is_written() -> None:
    def app(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        environ["wsgi.input"].read(1)
        return iter(())

    guard, most = Guard(app), int(THREADS * PART_OF_BODIES)

    def ask(number: int, token: str) -> Any:
        ways = ("Token {}", "token {}", "Token   {}", "TOKEN {} ")
        environ = {"REMOTE_ADDR": f"192.0.2.{number % 3}", "HTTP_AUTHORIZATION": ways[number % 4].format(token)}
        return guard({**environ, "wsgi.input": io.BytesIO(b"x")}, None)

    replies = [ask(number, "a") for number in range(most)]
    for number in range(12):
        with pytest.raises(Throttled):
            ask(number, "a")
    for reply in [*replies, ask(0, "b")]:
        reply.close()
    assert (guard.visits, guard.held) == (set(), {})
