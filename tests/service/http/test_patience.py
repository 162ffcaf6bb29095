"""Clients that stand still, with real sockets: they are given up, and nobody waits for them."""

from __future__ import annotations

import io
import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from acctcli.service.http.embedded import open_embedded
from acctcli.service.http.patience import (
    PART_OF_ADDRESS,
    PART_OF_ALL_BODIES,
    PART_OF_ALL_READERS,
    PART_OF_BODIES,
    PART_OF_READERS,
    THREADS,
    Guard,
)
from acctcli.service.http.watch import CROWD_SECONDS, MOST_WHOLE
from acctcli.service.problems import Throttled
from tests.service.files import MULTIPART, multipart
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
        httpx.Client(base_url=url, headers=headers, trust_env=False, verify=False, timeout=20) as client,
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


def reading(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
    """Answer at length, when a byte of the body has come."""
    environ["wsgi.input"].read(1)
    return answering(environ, start_response)


def answering(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
    """Answer at length."""
    start_response("200 OK", [])
    return iter(())


@pytest.mark.parametrize(
    ("app", "most", "most_of_others"),
    [
        (reading, int(THREADS * PART_OF_BODIES), int(THREADS * (PART_OF_ALL_BODIES - PART_OF_BODIES))),
        (answering, int(THREADS * PART_OF_ADDRESS), int(THREADS * PART_OF_ADDRESS)),
    ],
)
def test_one_sender_and_one_address_hold_a_part_of_the_threads(app: Any, most: int, most_of_others: int) -> None:
    guard, told = Guard(app), list[str]()

    def ask(**more: str) -> Any:
        usual = {"REMOTE_ADDR": "192.0.2.1", "REQUEST_METHOD": "POST", "PATH_INFO": "/", "wsgi.input": io.BytesIO(b"x")}
        return guard(usual | more, lambda status, headers: told.append(status))

    replies = [ask() for _ in range(most)]
    if app is reading:
        with pytest.raises(Throttled):
            ask()
    else:
        assert json.loads(b"".join(ask()))["code"] == "rate_limited"
        assert [status[:3] for status in told if status != "200 OK"] == ["429"]
    replies += [ask(REMOTE_ADDR="192.0.2.2") for _ in range(most_of_others)]
    if app is reading:
        with pytest.raises(Throttled):
            ask(REMOTE_ADDR="192.0.2.3")
    replies.pop(0).close()
    replies.append(ask())
    for reply in replies:
        reply.close()
    assert (guard.visits, guard.held) == (set(), {})


def test_a_token_is_one_sender_from_wherever_it_comes_and_however_it_is_written() -> None:
    guard, most = Guard(reading), int(THREADS * PART_OF_BODIES)

    def ask(number: int, token: str) -> Any:
        ways = ("Token {}", "token {}", "Token   {}", "TOKEN {} ")
        environ = {"REMOTE_ADDR": f"192.0.2.{number % 3}", "HTTP_AUTHORIZATION": ways[number % 4].format(token)}
        asked = {"REQUEST_METHOD": "POST", "PATH_INFO": "/", "wsgi.input": io.BytesIO(b"x")}
        return guard(environ | asked, lambda *_: None)

    replies = [ask(number, "a") for number in range(most)]
    for number in range(12):
        with pytest.raises(Throttled):
            ask(number, "a")
    for reply in [*replies, ask(0, "b")]:
        reply.close()
    assert (guard.visits, guard.held) == (set(), {})


@pytest.mark.parametrize("path", ["/v1/business/a/report/", "/v1/content/a/"])
def test_readers_hold_a_part_of_the_threads_one_and_all(path: str) -> None:
    guard = Guard(answering)

    def ask(address: int, method: str = "GET", path: str = path) -> tuple[str, Any]:
        told = list[str]()
        environ = {"REMOTE_ADDR": f"192.0.2.{address}", "REQUEST_METHOD": method, "PATH_INFO": path}
        chunks = guard({**environ, "wsgi.input": io.BytesIO()}, lambda status, _: told.append(status))
        return told[0], chunks

    one, all_ = int(THREADS * PART_OF_READERS), int(THREADS * PART_OF_ALL_READERS)
    first = [ask(1) for _ in range(one)]
    assert {status for status, _ in first} == {"200 OK"}
    assert ask(1)[0][:3] == "429"
    rest = [ask(2) for _ in range(all_ - one)]
    assert {status for status, _ in rest} == {"200 OK"}
    assert [ask(2)[0][:3], ask(3)[0][:3]] == ["429", "429"]
    # what was done is told whoever reads
    done = ask(3, "POST", "/v1/business/a/report/")
    assert done[0] == "200 OK"
    first.pop()[1].close()
    again = ask(3)
    assert (again[0], guard.has_many_readers) == ("200 OK", True)
    for _, reply in (*first, *rest, done, again):
        reply.close()
    assert (guard.visits, guard.held, guard.has_many_readers) == (set(), {}, False)


def soon(holds: Callable[[], bool]) -> bool:
    """Whether something is so within the time that a test has."""
    deadline = time.monotonic() + 20
    while not (held := holds()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return held


def beginning(reader: socket.socket) -> bytes:
    """Look at how the answer begins that somebody does not read; it is empty before it has come."""
    try:
        return reader.recv(12, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return b""
    except ConnectionError:
        return b"ended"


def goes_on_reading(reader: socket.socket) -> bool:
    """Let somebody read a little; say whether the service has not ended the connection."""
    # it is told as an error only behind all that has arrived
    if reader.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
        return False
    with suppress(BlockingIOError):
        reader.recv(1024, socket.MSG_DONTWAIT)
    return True


def test_readers_of_one_address_from_everywhere_hold_nobody_up(place: tuple[httpx.Client, int]) -> None:
    """Whoever has the address of a file needs no token; more of them drip than there are threads."""
    client, port = place
    made = client.post("/v1/business/", json={"name": "Read", "form": "FI_TMI"}).json()
    content = os.urandom(4 * 2**20)
    file = multipart(("name", b"a.bin"), ("file", content))
    headers = {"Content-Type": MULTIPART, "Idempotency-Key": "read"}
    posted = client.post(f"/v1/business/{made['slug']}/file_upload/", content=file, headers=headers)
    assert posted.is_success, posted.text
    target = urlsplit(posted.json()["file"])
    asked = f"GET {target.path}?{target.query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with ExitStack() as stack:
        readers = []
        for number in range(THREADS + 20):
            one = stack.enter_context(socket.socket())
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.bind((f"127.0.0.{2 + number % 2}", 0))
            one.connect(("127.0.0.1", port))
            one.sendall(asked)
            readers.append(one)
        # were it for them, they would have all threads by now
        assert soon(lambda: sum(map(bool, map(beginning, readers))) >= THREADS)
        slow = [one for one in readers if beginning(one) == b"HTTP/1.1 200"]
        answered, until = 0, time.monotonic() + 6 * CROWD_SECONDS
        while True:
            assert client.get("/v1/business/").is_success
            assert client.post("/v1/business/", json={"name": "Beside"}).is_success
            # each of them reads, and none is left out
            if len([*filter(goes_on_reading, slow)]) < len(slow):
                break
            answered += 1
            assert time.monotonic() < until
            time.sleep(0.1)
        # others were, before any of these had made room
        assert answered
        # those who dripped have made room for who reads
        fetched = httpx.get(
            posted.json()["file"].replace("localhost", "127.0.0.1"), trust_env=False, verify=False, timeout=10
        )
        assert (fetched.status_code, fetched.content) == (200, content)
