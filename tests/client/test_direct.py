"""Connections without a proxy, against a server that says what a test has written down."""

from __future__ import annotations

import os
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from acctcli.client import direct, known
from acctcli.client.direct import DirectTransport
from acctcli.client.transport import network_client
from tests.client.wire import read_head
from tests.mail_server import certificate, server_side

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
# what is said to each request, and pauses in seconds; the connection ends where a script does
Script = Sequence[bytes | float]
Wrap = Callable[[socket.socket], socket.socket]


class Host:
    """Follows a script on each connection; `heads` are the requests of each."""

    def __init__(self, scripts: Sequence[Script], wrap: Wrap) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.heads: list[list[bytes]] = []
        self._wrap = wrap
        self._thread = threading.Thread(target=self._serve, args=(scripts,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def _serve(self, scripts: Sequence[Script]) -> None:
        for script in scripts:
            with suppress(OSError):  # the client went away, or the test is over
                raw, _ = self.listener.accept()
                self.heads.append([])
                with closing(raw), closing(self._wrap(raw)) as connection:
                    connection.settimeout(5)
                    self._follow(script, connection)

    def _follow(self, script: Script, connection: socket.socket) -> None:
        for part in script:
            if isinstance(part, float):
                time.sleep(part)
            elif head := read_head(connection):
                self.heads[-1].append(head)
                connection.sendall(part)

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self._thread.join(5)


@contextmanager
def host(*scripts: Script, wrap: Wrap = lambda plain: plain) -> Iterator[Host]:
    with closing(Host(scripts, wrap)) as server:
        yield server


def client() -> httpx.Client:
    return httpx.Client(transport=DirectTransport(None), timeout=httpx.Timeout(5, read=0.5))


def reply(head: bytes, body: bytes = b"") -> bytes:
    return b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n" + body


def test_a_connection_is_used_again() -> None:
    with host([OK, OK, 0.2]) as server, client() as c:
        assert [c.get(f"{server.url}a/?page=1").text, c.get(f"{server.url}b/").text] == ["ok", "ok"]
    lines = [[head.split(b"\r\n")[0] for head in heads] for heads in server.heads]
    assert lines == [[b"GET /a/?page=1 HTTP/1.1", b"GET /b/ HTTP/1.1"]]


def test_headers_are_sent_once_and_as_they_are() -> None:
    with host([OK]) as server, client() as c:
        c.post(server.url, headers=[(b"x-name", "P\u00e4iv\u00f6".encode()), (b"accept-encoding", b"gzip")])
    lines = server.heads[0][0].decode().lower().split("\r\n")
    names = ["accept", "accept-encoding", "connection", "content-length", "host", "user-agent", "x-name"]
    assert sorted(line.split(":")[0] for line in lines[1:-2]) == names
    assert "x-name: p\u00e4iv\u00f6" in lines


def test_a_body_goes_whole() -> None:
    body = b"0123456789" * 50_000
    got = bytearray()

    def wrap(plain: socket.socket) -> socket.socket:
        while not got.endswith(b"!") and (more := plain.recv(65536)):
            got.extend(more)
        plain.sendall(OK)
        return plain

    with host([], wrap=wrap) as server, client() as c:
        assert c.put(server.url, content=body + b"!").text == "ok"
    assert got.endswith(b"Content-Length: 500001\r\n\r\n" + body + b"!")


def test_an_answer_is_heard_although_the_body_was_not_wanted() -> None:
    with host([b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n"]) as server, client() as c:
        assert c.post(server.url, content=b"x" * 20_000_000).status_code == 413


@pytest.mark.parametrize("answer", [OK, OK.replace(b"OK\r\n", b"OK\r\nConnection: close\r\n")])
def test_what_the_server_has_closed_is_not_used_again(answer: bytes) -> None:
    with host([answer], [OK]) as server, client() as c:
        assert c.get(server.url).text == "ok"
        time.sleep(0.1)
        assert c.request("PATCH", server.url).text == "ok"
    assert len(server.heads) == 2


def test_what_was_idle_for_long_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct, "_IDLE", 0.0)
    with host([OK, OK], [OK]) as server, client() as c:
        assert [c.get(server.url).text, c.get(server.url).text] == ["ok", "ok"]
    assert len(server.heads) == 2


def test_a_body_left_unread_is_never_taken_for_the_next_reply() -> None:
    # the rest would come with the next request
    with host([reply(b"Content-Length: 4", b"ab"), b"cd" + OK], [OK]) as server, client() as c:
        with c.stream("GET", server.url) as response:
            assert next(response.iter_raw()) == b"ab"
        assert c.get(server.url).text == "ok"


@pytest.mark.parametrize(
    ("head", "sent", "body"),
    [
        (b"Content-Length: 0", b"", b""),
        (b"Transfer-Encoding: chunked", b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", b"abcde"),
        (b"Connection: close", b"to the end", b"to the end"),
        # what servers do send, and what is no doubt
        (b"Transfer-Encoding: Chunked \t", b"3 ;a=b\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n", b"abc"),
        (b"Transfer-Encoding:\r\n chunked", b"3\r\nabc\r\n0\r\n\r\n", b"abc"),
        (b"Content-Length: 3, 3\r\nContent-Length: 3", b"abc", b"abc"),
        (b"\r\n".join(b"X-%d: %d" % (n, n) for n in range(1000)) + b"\r\nContent-Length: 3", b"abc", b"abc"),
        (b"X-Long: " + b"x" * 70_000 + b"\r\nContent-Length: 3", b"abc", b"abc"),
    ],
)
def test_bodies_end_where_they_say(head: bytes, sent: bytes, body: bytes) -> None:
    with host([reply(head, sent)]) as server, client() as c:
        assert c.get(server.url).content == body


GONE, CUT_OFF = "disconnected without sending a response", "without sending complete message body"
IN_DOUBT = "where the reply ends is in doubt"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (b"", GONE),
        (b"HTTP/1.1 200", GONE),
        (b"HTTP/1.1 204 No Content\r\n", GONE),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Le", GONE),
        (b"nonsense\r\n\r\n", "nonsense"),
        (b"HTTP/1.1 101 Switching Protocols\r\n\r\n", "101"),
        (b"HTTP/1.1 103 Early Hints\r\n\r\n", GONE),
        (b"HTTP/1.1  200 OK\r\n\r\n", "no HTTP"),
        (b"HTTP/1.1 200 O\rK\r\n\r\n", "no HTTP"),
        (reply(b"X: a\rContent-Length: 1", b"ok"), "no HTTP"),
        (reply(b"nonsense\r\nContent-Length: 2", b"ok"), "no HTTP"),
        (reply(b"Content-Length : 2", b"ok"), "no HTTP"),
        (reply(b"X: 1\x000", b"ok"), "no HTTP"),
        (reply(b"X: y\r\n" * 40_000), "too many headers"),
        (reply(b"X: " + b"y" * 200_000), "too long"),
        *(
            (reply(b"Content-Length: " + bad, b"ok"), IN_DOUBT)
            for bad in (b"", b"-2", b"+2", b"0x2", b"2\r\nContent-Length: 1")
        ),
        (reply(b"Content-Length: " + b"9" * 5000, b"ok"), IN_DOUBT),
        *((reply(b"Transfer-Encoding: " + bad, b"ok"), IN_DOUBT) for bad in (b"", b"identity", b"gzip, chunked")),
        (reply(b"Transfer-Encoding: chunked\r\nContent-Length: 12", b"2\r\nok\r\n0\r\n\r\n"), IN_DOUBT),
        (b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", IN_DOUBT),
        *((OK.replace(b"1.1", version), "no HTTP") for version in (b"0.9", b"1.2", b"2.0", b"3.0")),
        (reply(b"Content-Length: 9", b"half"), "received 4 bytes, expected 9"),
        (reply(b"Transfer-Encoding: chunked", b"9\r\nhalf"), CUT_OFF),
        (reply(b"Transfer-Encoding: chunked", b"4\r\nhalf\r\n"), CUT_OFF),
        (reply(b"Transfer-Encoding: chunked", b"nine\r\n"), "nine"),
        (reply(b"Transfer-Encoding: chunked", b"-5\r\nhello\r\n"), "-5"),
        (reply(b"Transfer-Encoding: chunked", b"0x2\r\nok\r\n0\r\n\r\n"), "0x2"),
        (reply(b"Transfer-Encoding: chunked", b"2\r\nokXX0\r\n\r\n"), "XX0"),
        (reply(b"Transfer-Encoding: chunked", b"0\r\n" + b"X: y\r\n" * 40_000), "too many headers"),
        (reply(b"Transfer-Encoding: chunked", b"0\r\nX: y\r\n"), CUT_OFF),
    ],
)
def test_replies_that_are_none(said: bytes, text: str) -> None:
    with host([said]) as server, client() as c, pytest.raises(httpx.RemoteProtocolError, match=text):
        c.get(server.url)


def test_a_secret_in_what_is_no_reply_is_masked_before_the_cut() -> None:
    known.know("shibboleth-47Qx")
    scripts = [[b"." * before + b"shibboleth-47Qx\r\n\r\n"] for before in range(40, 60)]
    with host(*scripts) as server:
        for _ in scripts:
            with client() as c, pytest.raises(httpx.RemoteProtocolError) as told:
                c.get(server.url)
            assert "shi" not in str(told.value)


def test_announcements_of_a_reply_are_passed_over() -> None:
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    with host([b"HTTP/1.1 100 Continue\r\n\r\n" + hints + hints + OK, OK]) as server, client() as c:
        assert [c.get(server.url).text, c.get(server.url).text] == ["ok", "ok"]
    assert len(server.heads) == 1


@pytest.mark.parametrize("first", [OK, OK.replace(b"200 OK", b"204 No Content"), OK.replace(b"ok", b"ok" + OK)])
def test_what_nobody_asked_for_is_never_taken_for_the_next_reply(first: bytes) -> None:
    # the connection stays open for a while: that it was closed is another reason not to use it
    with host([first + OK.replace(b"ok", b"no"), 0.2], [OK]) as server, client() as c:
        assert c.get(server.url).text == ("" if b"204" in first else "ok")
        assert c.get(server.url).text == "ok"
    assert len(server.heads) == 2


def test_many_open_files_do_not_stand_in_the_way() -> None:
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(2000, limits[1]), limits[1]))
    try:
        with ExitStack() as files, host([OK, OK]) as server, client() as c:
            for _ in range(1100):
                files.enter_context(Path(os.devnull).open())
            assert [c.get(server.url).text, c.get(server.url).text] == ["ok", "ok"]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.parametrize("script", [[0.8, OK], [reply(b"Content-Length: 4", b"ha"), 0.8]])
def test_a_server_that_stalls_is_late(script: Script) -> None:
    with host(script) as server, client() as c, pytest.raises(httpx.ReadTimeout):
        c.get(server.url)


def test_nobody_there() -> None:
    with host() as server:
        pass
    with client() as c, pytest.raises(httpx.ConnectError, match="refused"):
        c.get(server.url)


@pytest.mark.parametrize("key", ["a\r\nb: c", "a\nb", "a\0", " a", "a "])
def test_a_header_that_would_not_arrive_as_it_is_is_not_sent(key: str) -> None:
    with host([OK]) as server, client() as c, pytest.raises(httpx.LocalProtocolError):
        c.get(server.url, headers={"idempotency-key": key})
    assert server.heads in ([], [[]])


def test_a_client_for_plain_http_speaks_no_other() -> None:
    with host() as server, client() as c, pytest.raises(httpx.UnsupportedProtocol):
        c.get(server.url.replace("http:", "https:"))


def test_https_only_with_an_authority_that_is_trusted(tmp_path: Path) -> None:
    authority = certificate(tmp_path)
    context = server_side(authority)

    def wrap(plain: socket.socket) -> socket.socket:
        return context.wrap_socket(plain, server_side=True)

    with host([OK, OK, 0.1], [OK], wrap=wrap) as server:
        url = server.url.replace("http:", "https:")
        with network_client(url, authority) as c:
            assert [c.get(url).text, c.get(url).text] == ["ok", "ok"]
        with network_client(url) as stranger, pytest.raises(httpx.ConnectError, match=r"(?i)certificate"):
            stranger.get(url)
    assert server.heads[1] == []


def encrypted(authority: Path, serve: Callable[[socket.socket], None]) -> tuple[str, threading.Thread]:
    """Serve one connection with TLS."""
    listener = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        with (
            listener,
            suppress(OSError),
            server_side(authority).wrap_socket(listener.accept()[0], server_side=True) as tls,
        ):
            serve(tls)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return f"https://127.0.0.1:{listener.getsockname()[1]}/", thread


def test_what_nobody_asked_for_is_found_within_tls_too(tmp_path: Path) -> None:
    authority = certificate(tmp_path)
    # one record of 16 KiB: its end is in the memory of TLS when the socket has nothing more to say
    body = b"x" * 12_000

    def serve(connection: socket.socket) -> None:
        read_head(connection)
        connection.sendall(reply(b"Content-Length: 12000", body) + OK.replace(b"ok", b"no"))
        read_head(connection)

    url, thread = encrypted(authority, serve)
    with network_client(url, authority) as c:
        assert c.get(url).content == body
        with pytest.raises(httpx.ConnectError):
            c.get(url)
    thread.join(5)


def test_an_answer_within_tls_is_heard_although_the_body_was_not_wanted(tmp_path: Path) -> None:
    authority = certificate(tmp_path)

    def serve(connection: socket.socket) -> None:
        read_head(connection)
        connection.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
        time.sleep(0.2)

    url, thread = encrypted(authority, serve)
    with network_client(url, authority) as c:
        assert c.post(url, content=b"x" * 20_000_000).status_code == 413
    thread.join(5)


@pytest.mark.parametrize("is_told", [True, False])
def test_a_body_of_unstated_length_is_whole_only_where_tls_tells_its_end(tmp_path: Path, is_told: bool) -> None:
    authority = certificate(tmp_path)

    def serve(connection: socket.socket) -> None:
        read_head(connection)
        connection.sendall(reply(b"Connection: close", b"half"))
        assert isinstance(connection, ssl.SSLSocket)
        with connection, suppress(OSError):
            if is_told:
                connection.unwrap().close()

    url, thread = encrypted(authority, serve)
    with network_client(url, authority) as c:
        if is_told:
            assert c.get(url).content == b"half"
        else:
            with pytest.raises(httpx.ReadError, match="EOF"):
                c.get(url)
    thread.join(5)


def test_cookies_are_neither_kept_nor_sent() -> None:
    told = reply(b"set-Cookie: a=b\r\nX-Sum: 1\r\nContent-Length: 2", b"ok")
    with host([told, told]) as server, client() as c:
        replies = [c.get(server.url) for _ in range(2)]
    assert [(one.headers.get("x-sum"), len(one.cookies)) for one in replies] == [("1", 0)] * 2
    assert not any(b"cookie" in head.lower() for head in server.heads[0])
