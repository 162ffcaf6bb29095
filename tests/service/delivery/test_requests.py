"""What workflows send: a real server, and addresses that nothing is sent to (docs/interface.md 11.3)."""

from __future__ import annotations

import ast
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from acctcli.service.delivery import posting, targets
from acctcli.service.delivery.posting import Post
from acctcli.service.delivery.requests import AGENT, REASONS, Answer, Outgoing, sender

OPEN = sender(Post(allows_private=True))


@contextmanager
def answering(answer: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """A server that takes one request and answers with these bytes; its address, and what it took."""
    taken: list[bytes] = []
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def serve() -> None:
            with closing(listener.accept()[0]) as connection:
                taken.append(connection.recv(65_536))
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", taken
        thread.join()


@pytest.mark.parametrize("status", [200, 204, 302, 404, 503])
def test_the_status_is_what_is_kept_and_nothing_is_followed(status: int) -> None:
    answer = f"HTTP/1.1 {status} Fine\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 9\r\n\r\n".encode()
    with answering(answer) as (url, taken):
        assert OPEN(Outgoing("PUT", f"{url}/a?b=1#c", b'{"d":1.50}', "key-1")) == Answer(status)
    head, _, body = taken[0].partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0] == "PUT /a?b=1 HTTP/1.1"
    assert set(lines[1:]) == {
        f"Host: {url.removeprefix('http://')}",
        "Content-Length: 10",
        "Connection: close",
        f"User-Agent: {AGENT}",
        "Idempotency-Key: key-1",
        "Content-Type: application/json",
    }
    assert body == b'{"d":1.50}'


def test_a_request_without_a_body_has_none() -> None:
    with answering(b"HTTP/1.1 200 Fine\r\n\r\n") as (url, taken):
        assert OPEN(Outgoing("GET", url, None, "key-1")) == Answer(200)
    assert taken[0].startswith(b"GET / HTTP/1.1\r\n")
    assert b"Content-Type" not in taken[0]


def test_what_does_not_answer_is_told() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        impatient = sender(Post(allows_private=True, seconds=0.2))
        assert impatient(Outgoing("GET", url, None, "k")) == Answer(None, REASONS["timeout"])
    assert OPEN(Outgoing("GET", url, None, "k")) == Answer(None, REASONS["connection_refused"])


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://10.0.0.1/", "http://169.254.169.254/latest"],
)
def test_this_machine_and_its_network_are_refused(url: str) -> None:
    send = sender(Post(allows_private=False))
    assert send(Outgoing("GET", url, None, "k")) == Answer(None, REASONS["target_forbidden"])


def test_every_refusal_has_a_sentence() -> None:
    words = set()
    for module in (posting, targets):
        for one in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
            match one:
                case ast.Call(func=ast.Name(id="Refused"), args=[first]):
                    words |= {leaf.value for leaf in ast.walk(first) if isinstance(leaf, ast.Constant)}
                case ast.FunctionDef(name="_kind"):
                    returned = [leaf for leaf in ast.walk(one) if isinstance(leaf, ast.Return) and leaf.value]
                    words |= {
                        leaf.value for found in returned for leaf in ast.walk(found) if isinstance(leaf, ast.Constant)
                    }
    assert words == set(REASONS)
