"""What listens for deliveries on this machine: what it takes, and what it hands on."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from threading import Event
from urllib.parse import urlsplit

import pytest

from acctcli.cli.webhook import receiver as receivers
from acctcli.cli.webhook.receiver import MOST_CONNECTIONS, Delivery, Receiver, forwarding
from tests.cli.recorder import Answer, recorder


def post(address: str, **headers: str) -> int:
    """Post without a signature, with headers as they are; return the status of the answer."""
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=30)
    with closing(connection):
        connection.request("POST", "/", b"{}", {"webhook-id": "evt_1", **headers})
        return connection.getresponse().status


def test_nothing_is_taken_before_it_is_known_what_it_is_signed_with() -> None:
    taken: list[Delivery] = []

    def take(delivery: Delivery) -> int:
        taken.append(delivery)
        return 204

    receiver = Receiver(0, take, Event())
    try:
        assert (post(receiver.address), taken) == (503, [])
        receiver.know(b"key")
        assert (post(receiver.address), taken) == (400, [])
    finally:
        receiver.close()


def test_a_header_of_any_letters_is_handed_on_as_it_came() -> None:
    receiver_of_shop = Answer(204)
    with recorder(receiver_of_shop) as shop:
        receiver = Receiver(0, forwarding(shop.base_url), Event())
        receiver.know(None)
        try:
            assert post(receiver.address, **{"X-City": "Z\xc3\xbcrich"}) == 204
        finally:
            receiver.close()
    (sent,) = shop.sent
    assert sent.headers["x-city"] == "Z\xc3\xbcrich"


@contextmanager
def unchecked(take: Callable[[Delivery], int], ended: Event | None = None) -> Iterator[Receiver]:
    receiver = Receiver(0, take, ended or Event())
    receiver.know(None)
    try:
        yield receiver
    finally:
        receiver.close()


class Program:
    """Takes deliveries, and answers when it may; `has_begun` is set once it has one."""

    def __init__(self) -> None:
        self.taken = 0
        self.has_begun, self.may_answer = Event(), Event()

    def __call__(self, _: Delivery) -> int:
        self.taken += 1
        self.has_begun.set()
        assert self.may_answer.wait(30)
        return 204


def test_what_would_be_answered_too_late_is_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who delivers has given up by then, and comes again: the program would have it twice."""
    monkeypatch.setattr(receivers, "_IN_TURN", 0.05)
    program = Program()
    with unchecked(program) as receiver, ThreadPoolExecutor(1) as pool:
        first = pool.submit(post, receiver.address)
        assert program.has_begun.wait(30)
        assert post(receiver.address) == 503
        program.may_answer.set()
        assert (first.result(30), program.taken) == (204, 1)
        assert (post(receiver.address), program.taken) == (204, 2)


def test_what_is_being_handed_on_is_waited_for_at_the_end() -> None:
    program, ended = Program(), Event()
    with unchecked(program, ended) as receiver, ThreadPoolExecutor(2) as pool:
        first = pool.submit(post, receiver.address)
        assert program.has_begun.wait(30)
        finished = pool.submit(receiver.finish)
        assert ended.wait(30)
        assert not finished.done()
        program.may_answer.set()
        finished.result(30)
        assert first.result(30) == 204
        assert (post(receiver.address), program.taken) == (503, 1)


def test_more_connections_than_there_is_room_for_are_turned_away() -> None:
    with unchecked(lambda _: 204) as receiver, ExitStack() as stack:
        place = urlsplit(receiver.address)
        for _ in range(MOST_CONNECTIONS):
            idle = stack.enter_context(socket.create_connection((place.hostname, place.port), 30))
            # it is being served when it is asked for the body
            idle.sendall(b"POST / HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            assert idle.recv(100).startswith(b"HTTP/1.1 100 ")
        with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
            post(receiver.address)
        stack.close()
        answered: list[int] = []
        while answered[-1:] != [204]:
            try:
                answered.append(post(receiver.address))
            except (http.client.RemoteDisconnected, ConnectionError):
                assert len(answered) < 1000
                answered.append(0)
