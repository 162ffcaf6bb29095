"""A delivery is posted in a time that holds for all of it, whatever a receiver does."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from acctcli.service.delivery.posting import MOST_BYTES, Post
from acctcli.service.delivery.targets import Refused
from tests.mail_server import certificate, server_side
from tests.receiver import Answer, Handler, Received, always, receiving

BODY = b'{"id":1}'
SECONDS = 1.0


def send(address: str, seconds: float = 30.0) -> int:
    return Post(allows_private=True, seconds=seconds)(address, {"User-Agent": "x"}, BODY)


@pytest.mark.parametrize("status", [200, 204, 301, 302, 307, 400, 410, 500, 503])
def test_an_answer_is_its_status_and_no_redirect_is_followed(status: int) -> None:
    def answer(handler: Handler, _: Received) -> None:
        handler.send(handler.reply(status, [("Location", handler.server.base_url + "/elsewhere")], b""))

    with receiving(answer) as receiver:
        assert send(f"{receiver.base_url}/hook?x=1#y") == status
    (received,) = receiver.received
    assert (received.path, received.body) == ("/hook?x=1", BODY)
    place = receiver.base_url.removeprefix("http://")
    assert received.headers == {
        "host": place,
        "content-length": str(len(BODY)),
        "connection": "close",
        "user-agent": "x",
    }


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "location",
    ["http://169.254.169.254/latest/", "http://10.0.0.1/", "http://[::1]:25/", "//localhost/", "https://shop.example/"],
)
def test_a_redirect_opens_no_other_connection(status: int, location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connected: list[Any] = []

    class Noting(socket.socket):
        def connect(self, address: Any, /) -> None:
            connected.append(address)
            super().connect(address)

    def answer(handler: Handler, _: Received) -> None:
        handler.send(handler.reply(status, [("Location", location)], b""))

    monkeypatch.setattr(socket, "socket", Noting)
    with receiving(answer) as receiver:
        assert send(receiver.base_url) == status
        assert [f"http://{host}:{port}" for host, port in connected] == [receiver.base_url]


def test_variables_name_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving(always(204)) as receiver, receiving(always(200)) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, proxy.base_url)
        assert send(receiver.base_url) == 204
    assert proxy.received == []


def stall(handler: Handler, _: Received) -> None:
    handler.wait_for_client_to_leave()


def drip_status(handler: Handler, _: Received) -> None:
    for letter in b"HTTP/1.1 200 OK\r\n" * 100:
        handler.send(bytes([letter]))
        time.sleep(0.02)


def drip_headers(handler: Handler, _: Received) -> None:
    handler.send(b"HTTP/1.1 200 OK\r\n")
    while True:
        handler.send(b"X: y\r\n")
        time.sleep(0.02)


def go_on_for_ever(handler: Handler, _: Received) -> None:
    while True:
        handler.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        time.sleep(0.02)


@pytest.mark.parametrize("answer", [stall, drip_status, drip_headers, go_on_for_ever])
def test_a_receiver_that_takes_its_time_has_no_more_than_all(answer: Answer) -> None:
    with receiving(answer) as receiver:
        begun = time.monotonic()
        with pytest.raises(Refused, match="timeout"):
            send(receiver.base_url, SECONDS)
        assert time.monotonic() - begun >= SECONDS
        receiver.close_connections()


def test_a_body_that_drips_is_not_waited_for() -> None:
    def answer(handler: Handler, _: Received) -> None:
        handler.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nx")
        handler.wait_for_client_to_leave()

    with receiving(answer) as receiver:
        assert send(receiver.base_url) == 200


def test_what_is_to_come_is_passed_over() -> None:
    def answer(handler: Handler, _: Received) -> None:
        handler.send(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.0 202\r\n\r\n")

    with receiving(answer) as receiver:
        assert send(receiver.base_url) == 202


def reset(handler: Handler, _: Received) -> None:
    handler.reset()


def hang_up(handler: Handler, _: Received) -> None:
    handler.hang_up()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"SSH-2.0-x\r\n\r\n", "answer_invalid"),
        (b"HTTP/1.1 2000 OK\r\n\r\n", "answer_invalid"),
        (b"HTTP/1.1 999 X\r\n\r\n", "answer_invalid"),
        (b"HTTP/1.1 200 OK\r\nX", "answer_invalid"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * MOST_BYTES * 2, "answer_invalid"),
    ],
)
def test_what_is_no_answer(content: bytes, kind: str) -> None:
    def answer(handler: Handler, _: Received) -> None:
        handler.send(content)

    with receiving(answer) as receiver, pytest.raises(Refused, match=kind):
        send(receiver.base_url)


def test_what_is_to_come_for_ever_is_no_answer() -> None:
    def answer(handler: Handler, _: Received) -> None:
        for _number in range(4 * MOST_BYTES // 1000):
            handler.send(b"HTTP/1.1 100 Continue\r\n\r\n" * 40)
        handler.wait_for_client_to_leave()

    with receiving(answer) as receiver, pytest.raises(Refused, match="answer_invalid"):
        send(receiver.base_url)


class Dripping:
    """A connection on which letters come one by one, and never the end of a head."""

    def settimeout(self, _seconds: float) -> None: ...

    def close(self) -> None: ...

    def send(self, content: memoryview) -> int:
        return len(content)

    def recv(self, _size: int) -> bytes:
        return b"\r"


def test_letters_that_come_one_by_one_cost_little(monkeypatch: pytest.MonkeyPatch) -> None:
    # looking at all that came for each took seconds of this machine, the same for many receivers at once
    monkeypatch.setattr(Post, "_connect", lambda *_: Dripping())
    begun = time.thread_time()
    with pytest.raises(Refused, match="answer_invalid"):
        send("http://127.0.0.1/")
    assert time.thread_time() - begun < 1.0


@pytest.mark.parametrize("answer", [reset, hang_up])
def test_a_connection_that_breaks(answer: Answer) -> None:
    with receiving(answer) as receiver, pytest.raises(Refused, match="connection_closed"):
        send(receiver.base_url)


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with pytest.raises(Refused, match="connection_refused"):
        send(f"http://127.0.0.1:{port}/")


NAME = "shop.example"


@contextmanager
def silent() -> Iterator[int]:
    """An address at which connections are neither taken nor refused; yields its port."""
    with ExitStack() as stack:
        full = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(3):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        yield int(full.getsockname()[1])


def lead(monkeypatch: pytest.MonkeyPatch, *ports: int) -> None:
    """Let every name lead to these ports of this machine, in this order."""
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port)) for port in ports]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)


def test_an_address_that_says_nothing_leaves_the_others_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    soon = 0.4
    with silent() as dead, receiving(always(204)) as receiver:
        lead(monkeypatch, dead, int(receiver.base_url.rpartition(":")[2]))
        assert send(f"http://{NAME}/", soon) == 204
        lead(monkeypatch, dead, dead)
        begun = time.monotonic()
        with pytest.raises(Refused, match="timeout"):
            send(f"http://{NAME}/", soon)
        assert soon <= time.monotonic() - begun < 4 * soon


def test_of_many_addresses_a_few_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        nobody = probe.getsockname()[1]
    with receiving(always(204)) as receiver:
        lead(monkeypatch, *[nobody] * 8, int(receiver.base_url.rpartition(":")[2]))
        with pytest.raises(Refused, match="connection_refused"):
            send(f"http://{NAME}/")
        lead(monkeypatch, *[nobody] * 7, int(receiver.base_url.rpartition(":")[2]))
        assert send(f"http://{NAME}/") == 204


@contextmanager
def encrypted(own: Path, asked: list[str | None], *, is_silent: bool = False) -> Iterator[int]:
    """A server that takes one connection, notes the name it is asked for, and answers 204; yields its port."""
    context = server_side(own)
    context.sni_callback = lambda _, name, __: asked.append(name)
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        sock, _ = listener.accept()
        with sock:
            if is_silent:
                sock.recv(1)
                asked.append(None)
                over.wait(30)
                return
            try:
                with context.wrap_socket(sock, server_side=True) as secure:
                    secure.recv(65536)
                    secure.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
            except (ssl.SSLError, ConnectionError):
                pass  # the other side did not like the certificate

    over, thread = threading.Event(), threading.Thread(target=serve)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        over.set()
        thread.join()
        listener.close()


def trusting(own: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(own))


@pytest.fixture
def leads_here(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Lets every name lead to this machine; tells which ones were asked for."""
    asked: list[Any] = []

    def getaddrinfo(host: object, port: object, **_: object) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


def test_the_certificate_is_that_of_the_name_though_an_address_is_connected_to(
    tmp_path: Path, leads_here: list[Any]
) -> None:
    own, names = certificate(tmp_path, "127.0.0.1", NAME), list[str | None]()
    with encrypted(own, names) as port:
        post = Post(allows_private=True, trust=lambda: trusting(own))
        assert post(f"https://{NAME}:{port}/", {}, BODY) == 204
    assert (names, leads_here) == ([NAME], [NAME])


def test_a_name_whose_servers_do_not_answer_takes_no_longer_than_all(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()

    def getaddrinfo(*_: object, **__: object) -> list[Any]:
        over.wait(60)
        raise socket.gaierror(socket.EAI_AGAIN, "no answer")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    begun = time.monotonic()
    with pytest.raises(Refused, match="timeout"):
        send(f"http://{NAME}/", SECONDS)
    assert SECONDS <= time.monotonic() - begun < 30
    over.set()


@pytest.mark.parametrize("problem", ["another name", "nobody trusts it"])
def test_a_certificate_that_is_not_right(tmp_path: Path, leads_here: list[Any], problem: str) -> None:
    del leads_here
    is_named = problem != "another name"
    own = certificate(tmp_path, "127.0.0.1", NAME if is_named else "other.example")
    trust = ssl.create_default_context if is_named else lambda: trusting(own)
    with encrypted(own, []) as port, pytest.raises(Refused, match="certificate_invalid"):
        Post(allows_private=True, trust=trust)(f"https://{NAME}:{port}/", {}, BODY)


def test_a_handshake_that_stands_still_ends(tmp_path: Path) -> None:
    with encrypted(certificate(tmp_path), [], is_silent=True) as port, pytest.raises(Refused, match="timeout"):
        Post(allows_private=True, seconds=SECONDS)(f"https://127.0.0.1:{port}/", {}, BODY)


def test_handshakes_that_stand_still_hold_up_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, asked = certificate(tmp_path), list[str | None]()
    monkeypatch.setenv("SSL_CERT_FILE", str(own))

    def wait(port: int) -> None:
        with pytest.raises(Refused):
            send(f"https://127.0.0.1:{port}/")

    with encrypted(own, asked, is_silent=True) as silent, encrypted(own, []) as port:
        waiting = threading.Thread(target=wait, args=[silent])
        waiting.start()
        while not asked:
            time.sleep(0.01)
        assert send(f"https://127.0.0.1:{port}/") == 204
        assert waiting.is_alive()
    waiting.join()


def test_a_server_without_tls() -> None:
    with receiving(always(200)) as receiver, pytest.raises(Refused, match=r"tls_failed|connection_closed"):
        Post(allows_private=True)(receiver.base_url.replace("http://", "https://"), {}, BODY)
