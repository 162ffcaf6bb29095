"""A request ends at its deadline, whatever a server drips, and whoever does not read what it is sent."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from acctcli.client import dialing
from acctcli.client.access import FixedToken
from acctcli.client.deadline import Deadline
from acctcli.client.http import Http
from acctcli.client.retry import Policy
from acctcli.client.transport import network_client
from acctcli.errors import AcctcliError, NetworkError
from tests.client.wire import TOKEN, Ear
from tests.mail_server import certificate, server_side

# the first number that stands for no family
NO_FAMILY = 0
SECONDS = 0.5
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
GZIP_COMMENT = b"\x1f\x8b\x08\x10\x00\x00\x00\x00\x00\x03"


class Play(NamedTuple):
    """What is said at once, what is said for ever, and the seconds between."""

    first: bytes
    then: bytes
    pause: float = 0.1


DRIPS = {
    "a status line": Play(b"HTTP/1.1 ", b"2"),
    "headers": Play(b"HTTP/1.1 200 OK\r\n", b"x"),
    "announcements": Play(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a flood of announcements": Play(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100, 0.0),
    "a body": Play(HEAD + b"Content-Length: 99999\r\n\r\n{", b" "),
    "a body without a length": Play(HEAD + b"\r\n{", b" "),
    "the length of a chunk": Play(HEAD + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x"),
    "chunks": Play(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "trailers": Play(HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: ", b"x"),
    "a comment of gzip": Play(HEAD + b"Content-Encoding: gzip\r\n\r\n" + GZIP_COMMENT, b"x"),
    "a flood of a comment of gzip": Play(HEAD + b"Content-Encoding: gzip\r\n\r\n" + GZIP_COMMENT, b"x" * 65536, 0.0),
}


@contextmanager
def host(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """Serve every connection in a thread; yield the port."""
    listener = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def run() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=one, args=(connection,), daemon=True).start()

    def one(connection: socket.socket) -> None:
        with suppress(OSError), closing(connection):
            serve(connection)
            over.wait(10)

    threading.Thread(target=run, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        over.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def played(play: Play, until: float) -> Callable[[socket.socket], None]:
    def serve(connection: socket.socket) -> None:
        connection.settimeout(5)
        connection.recv(65536)
        connection.sendall(play.first)
        while time.monotonic() < until:
            connection.sendall(play.then)
            time.sleep(play.pause)

    return serve


@contextmanager
def connected(port: int, authority: Path | None = None) -> Iterator[Http]:
    url = f"http{'s' if authority else ''}://127.0.0.1:{port}"
    with network_client(url, authority) as client:
        yield Http(client, url, FixedToken(TOKEN), Ear(), policy=Policy(deadline=SECONDS))


def lasting(work: Callable[[], object]) -> tuple[float, AcctcliError]:
    began = time.monotonic()
    with pytest.raises(AcctcliError) as caught:
        work()
    return time.monotonic() - began, caught.value


@pytest.mark.parametrize("drip", DRIPS)
def test_a_drip_ends_at_the_deadline(drip: str) -> None:
    with host(played(DRIPS[drip], time.monotonic() + 5)) as port, connected(port) as http:
        took, error = lasting(lambda: http.send("GET", "/v1/user/"))
    assert isinstance(error, NetworkError), error
    assert took < SECONDS + 0.7


@pytest.mark.parametrize("drip", DRIPS)
def test_a_streamed_drip_ends_at_the_deadline(drip: str) -> None:
    def read(port: int) -> None:
        with connected(port) as http, http.stream("/v1/report/", b"{}") as chunks:
            for _ in chunks:
                pass

    with host(played(DRIPS[drip], time.monotonic() + 5)) as port:
        took, error = lasting(lambda: read(port))
    assert isinstance(error, NetworkError), error
    assert took < 2 * SECONDS + 0.7


def test_a_long_stream_may_take_longer_than_a_request_as_long_as_it_goes_on() -> None:
    play = Play(HEAD + b"\r\n", b" " * 40_000, 0.1)

    def read(port: int) -> float:
        began = time.monotonic()
        with connected(port) as http, http.stream("/v1/report/", b"{}") as chunks:
            for _ in chunks:
                if time.monotonic() - began > 2 * SECONDS:
                    break
        return time.monotonic() - began

    with host(played(play, time.monotonic() + 5)) as port:
        assert read(port) > 2 * SECONDS


def test_time_in_which_nobody_reads_a_stream_is_not_counted() -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(HEAD + b"Content-Length: 4\r\n\r\n{ ")
        time.sleep(0.3)
        connection.sendall(b" }")

    with host(serve) as port, connected(port) as http, http.stream("/v1/report/", b"{}") as chunks:
        first = next(chunks)
        time.sleep(1.5 * SECONDS)
        assert first + b"".join(chunks) == b"{  }"


def test_a_flood_that_says_nothing_takes_no_longer_than_the_deadline() -> None:
    play = Play(HEAD + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b"") * 5000, 0.0)

    def read(port: int) -> None:
        with connected(port) as http, http.stream("/v1/report/", b"{}") as chunks:
            for _ in chunks:
                time.sleep(0.0001)  # whoever reads is not quick

    with host(played(play, time.monotonic() + 5)) as port:
        took, error = lasting(lambda: read(port))
    assert isinstance(error, NetworkError), error
    assert took < SECONDS + 0.7


def test_what_a_server_said_counts_more_than_its_silence_afterwards() -> None:
    asked = []

    def serve(connection: socket.socket) -> None:
        asked.append(connection.recv(65536))
        if len(asked) == 1:
            connection.sendall(b"HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")

    with host(serve) as port, connected(port) as http:
        http.policy = Policy(deadline=SECONDS, base=0.0)
        took, error = lasting(lambda: http.send("GET", "/v1/user/"))
    assert (len(asked), error.exit_code, took > SECONDS) == (2, 9, True)
    assert "(504)" in error.message


def test_a_server_that_does_not_read_is_given_up_at_the_deadline() -> None:
    until = time.monotonic() + 5

    def serve(connection: socket.socket) -> None:
        while time.monotonic() < until and connection.recv(100):
            time.sleep(0.05)

    with host(serve) as port, connected(port) as http:
        took, error = lasting(lambda: http.send("POST", "/v1/x/", body=b"x" * 50_000_000))
    assert isinstance(error, NetworkError)
    assert took < SECONDS + 0.7


def test_a_slow_handshake_ends_at_the_deadline(tmp_path: Path) -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(65536)
        for byte in b"\x16\x03\x03\x40\x00" + b"\x02" * 200:
            connection.sendall(bytes([byte]))
            time.sleep(0.1)

    with host(serve) as port, connected(port, certificate(tmp_path)) as http:
        took, error = lasting(lambda: http.send("GET", "/v1/user/"))
    assert isinstance(error, NetworkError)
    assert took < SECONDS + 0.7


def test_a_drip_within_tls_ends_at_the_deadline(tmp_path: Path) -> None:
    authority = certificate(tmp_path)
    play = played(DRIPS["headers"], time.monotonic() + 5)

    def serve(connection: socket.socket) -> None:
        with server_side(authority).wrap_socket(connection, server_side=True) as secured:
            play(secured)

    with host(serve) as port, connected(port, authority) as http:
        took, error = lasting(lambda: http.send("GET", "/v1/user/"))
    assert isinstance(error, NetworkError)
    assert took < SECONDS + 0.7


def test_a_name_that_takes_long_to_look_up_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.Event()

    def slow(host: str, port: int, type: int, flags: int = 0) -> list[object]:  # noqa: A002 - as the system's
        if flags:
            raise socket.gaierror
        free.wait(10)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        dialing.dial("books.example", 443, None, None, 0.3)
    free.set()
    assert time.monotonic() - began < 1


def test_an_address_that_swallows_everything_leaves_time_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as full, host(lambda connection: None) as port:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        with socket.create_connection(full.getsockname()):
            found = [
                (socket.AF_INET, socket.SOCK_STREAM, 0, "", at) for at in (full.getsockname(), ("127.0.0.1", port))
            ]
            monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
            line = dialing.dial("books.example", 1, None, None, 1.0)
            assert isinstance(line, socket.socket)
            assert line.getpeername()[1] == port
            line.close()


def test_an_address_of_a_family_that_the_system_has_not_leaves_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    with host(lambda connection: None) as port:
        found = [(family, socket.SOCK_STREAM, 0, "", ("127.0.0.1", port)) for family in (NO_FAMILY, socket.AF_INET)]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
        line = dialing.dial("books.example", 1, None, None, 5.0)
        assert isinstance(line, socket.socket)
        assert line.getpeername()[1] == port
        line.close()


def test_time_goes_by() -> None:
    clock = [10.0]
    deadline = Deadline(2.0, lambda: clock[0])
    assert (deadline.left(), deadline.allows(1.9), deadline.allows(2.0)) == (2.0, True, False)
    clock[0] = 11.5
    deadline.extend(1.0)
    assert deadline.left() == 1.5
    deadline.begin_again()
    assert deadline.left() == 2.0
    clock[0] = 13.5
    with pytest.raises(TimeoutError):
        deadline.left()
