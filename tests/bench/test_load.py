"""The load generator sends what was ordered and counts what came back."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.bench.contestants import send
from tests.bench.load import BadReply, Generator, Order, Report
from tests.bench.measure import BenchError
from tests.bench.page_server import Pages, serve

PLAIN = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
CLOSING = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"


@contextmanager
def pages(rows: int) -> Iterator[int]:
    """Serve pages from a thread and yield the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener, Pages(rows, 6000), 0.0))
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


@contextmanager
def canned(*replies: bytes) -> Iterator[int]:
    """Answer one connection after the other: each reply on a new one once a reply said it closes."""

    def answer() -> None:
        connection, _ = listener.accept()
        for reply in replies:
            connection.recv(65536)
            connection.sendall(reply)
            if reply is CLOSING or reply is replies[-1]:
                connection.close()
                if reply is not replies[-1]:
                    connection, _ = listener.accept()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer)
        thread.start()
        yield listener.getsockname()[1]
        thread.join()


def test_sends_exactly_what_was_ordered() -> None:
    with pages(30) as port:
        report = Generator(Order(port, "/any/?page_size=10", "token", requests=40)).run()
    assert report.statuses == {"200": 40}


def test_counts_only_after_the_warm_up() -> None:
    with pages(3) as port:
        report = Generator(Order(port, "/any/", "token", connections=2, seconds=0.05, warmup=0.05)).run()
    assert set(report.statuses) == {"200"}
    assert report.seconds >= 0.05


def test_runs_in_a_process_of_its_own() -> None:
    with pages(3) as port:
        assert send(Order(port, "/any/", "token", requests=20)).statuses == {"200": 20}


def test_a_refusal_is_no_figure() -> None:
    with pages(3) as port, pytest.raises(BenchError, match="404"):
        send(Order(port, "/any/?page=7", "token", requests=20))


def test_numbers_start_again_after_a_cycle() -> None:
    order = Order(80, "/account/?page={n}", "token", first_number=1, cycle=2)
    lines = [order.render(number).split(b"\r\n")[0] for number in range(3)]
    assert lines == [b"GET /account/?page=%d HTTP/1.1" % page for page in (1, 2, 1)]


def test_every_post_has_a_key_of_its_own() -> None:
    order = Order(80, "/document/", "secret", body='{"description": "Sale {n}"}')
    first, second = order.render(0).decode(), order.render(1).decode()
    keys = [re.findall(r"Idempotency-Key: (\S+)", request) for request in (first, second)]
    assert len(keys[0]) == len(keys[1]) == 1
    assert keys[0] != keys[1]
    head, body = second.split("\r\n\r\n")
    assert json.loads(body) == {"description": "Sale 1"}
    assert f"Content-Length: {len(body)}" in head
    assert "Authorization: Token secret" in head


def test_reads_chunked_replies_and_reconnects() -> None:
    with canned(CHUNKED, CLOSING, PLAIN) as port:
        report = Generator(Order(port, "/any/", "token", connections=1, requests=3)).run()
    assert report.statuses == {"200": 2, "201": 1}


def test_half_a_reply_is_an_error() -> None:
    with canned(PLAIN[:-1]) as port, pytest.raises(BadReply):
        Generator(Order(port, "/any/", "token", connections=1, requests=1)).run()


def test_requests_per_second() -> None:
    assert Report(2.0, {"200": 30, "201": 10}).per_second == 20
