"""What stands still ends: sooner when there is too much of it, and when the service ends; with real sockets."""

from __future__ import annotations

import os
import resource
import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest

from acctcli.service.http.embedded import open_embedded
from acctcli.service.http.patience import ALL_READERS, THREADS, Guard, Visit
from acctcli.service.http.watch import (
    IDLE_SECONDS,
    MOST_CONNECTIONS,
    MOST_WHOLE,
    READ_SECONDS,
    READERS_PATIENCE,
    SLACK_SECONDS,
    Watch,
)
from acctcli.service.http.workers import HEAD_BYTES
from tests.serving import serve

# more than a service took at a time that took as many as its queue
RUSH = 1100
ASKED = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """The port of a service, and descriptors to rush at it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * RUSH)), hard))
    environ = {**os.environ, "ACCTCLI_DATA_DIR": str(tmp_path), "ACCTCLI_CONFIG_DIR": str(tmp_path)}
    with open_embedded(tmp_path / "local"):
        pass
    with serve(environ) as url:
        yield int(url.rpartition(":")[2])
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("sent", [b"", ASKED[:-2], ASKED], ids=["nothing", "half a head", "a request"])
def test_a_rush_of_connections_that_stand_still_keeps_nobody_out(port: int, sent: bytes) -> None:
    with ExitStack() as stack:
        crowd = []
        for _ in range(RUSH):
            crowd.append(stack.enter_context(socket.create_connection(("127.0.0.1", port), 20)))
            crowd[-1].sendall(sent)
            if sent == ASKED:
                assert crowd[-1].recv(1000).startswith(b"HTTP/1.1 200")
        open_, end = RUSH, time.monotonic() + 20
        while open_ > MOST_CONNECTIONS and time.monotonic() < end:
            assert (
                httpx.get(f"http://127.0.0.1:{port}/health", trust_env=False, verify=False, timeout=2).status_code
                == 200
            )
            open_ = RUSH - len(heard(crowd))
            time.sleep(0.1)
        assert MOST_CONNECTIONS - 10 <= open_ <= MOST_CONNECTIONS


def heard(connections: list[socket.socket]) -> list[int]:
    """Return which have something to read: nothing but their end."""
    poll = select.poll()
    for one in connections:
        poll.register(one, select.POLLIN)
    return [number for number, _ in poll.poll(0)]


def test_a_head_has_a_bound(port: int) -> None:
    with (
        socket.create_connection(("127.0.0.1", port), 10) as usual,
        socket.create_connection(("127.0.0.1", port), 10) as long,
    ):
        usual.sendall(ASKED[:-2] + b"X: " + b"x" * (HEAD_BYTES // 2) + b"\r\n\r\n")
        assert usual.recv(12) == b"HTTP/1.1 200"
        long.sendall(ASKED[:-2] + b"X: " + b"x" * HEAD_BYTES)
        assert long.recv(12) == b"HTTP/1.1 431"


@pytest.fixture
def pairs() -> Iterator[tuple[int, list[tuple[socket.socket, socket.socket]]]]:
    """The port of two connections, and both ends of each, the client's first."""
    with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as stack:
        made = []
        for _ in range(2):
            client = stack.enter_context(socket.create_connection(listener.getsockname(), timeout=5))
            made.append((client, stack.enter_context(listener.accept()[0])))
        yield listener.getsockname()[1], made


def test_who_waits_for_an_answer_is_not_given_up(
    pairs: tuple[int, list[tuple[socket.socket, socket.socket]]],
) -> None:
    """One request stands still while its body comes; another one of the same address is being worked on."""
    port, ((stalled, _), (patient, at_work)) = pairs
    guard = Guard(lambda environ, start_response: [])
    watch = Watch(guard, port, 0.5)
    stalled.sendall(b"POST")
    guard.visits.add(reading := Visit("127.0.0.1", "", time.monotonic()))
    reading.is_reading = True
    time.sleep(2 * SLACK_SECONDS)
    patient.sendall(b"POST")
    guard.visits.add(Visit("127.0.0.1", "", time.monotonic()))
    for _ in range(8):
        time.sleep(0.1)
        watch.look(time.monotonic())
    assert stalled.recv(1) == b""
    at_work.sendall(b"done")
    assert patient.recv(4) == b"done"


def test_who_is_answered_between_may_send_as_much_as_he_likes(
    pairs: tuple[int, list[tuple[socket.socket, socket.socket]]], caplog: pytest.LogCaptureFixture
) -> None:
    """Beside a body of unknown length of the same address."""
    port, ((client, server), _) = pairs
    guard = Guard(lambda environ, start_response: [])
    watch = Watch(guard, port, 1.0)
    guard.visits.add(reading := Visit("127.0.0.1", "", time.monotonic()))
    reading.is_reading = reading.is_whole = True
    for _ in range(3):
        for _ in range(MOST_WHOLE // 2**21):
            client.sendall(bytes(2**16))
            server.recv(2**16, socket.MSG_WAITALL)
        for _ in range(16):
            client.sendall(bytes(2**21))
            server.recv(2**21, socket.MSG_WAITALL)
            watch.look(time.monotonic())
        server.sendall(b"done")
        assert client.recv(4) == b"done"
    with suppress(ConnectionError):
        for _ in range(MOST_WHOLE // 2**21 + 2):
            client.sendall(bytes(2**21))
            server.recv(2**21, socket.MSG_WAITALL)
            watch.look(time.monotonic())
    assert [record.getMessage() for record in caplog.records] == [
        "a connection of 127.0.0.1 ended: its client sends too much"
    ]


def fill(connection: socket.socket) -> None:
    """Send until nothing more goes out."""
    connection.setblocking(False)
    with suppress(BlockingIOError):
        while True:
            connection.send(bytes(2**16))


def test_who_is_given_up_with_more_to_send_hears_of_it(
    pairs: tuple[int, list[tuple[socket.socket, socket.socket]]],
) -> None:
    """The server had no room for what came, takes it, finds the end and closes: the client is not left to wait."""
    port, ((_, _), (sender, receiver)) = pairs
    guard = Guard(lambda environ, start_response: [])
    watch = Watch(guard, port, 0.5)
    guard.visits.add(reading := Visit("127.0.0.1", "", time.monotonic()))
    reading.is_reading = True
    fill(sender)
    for _ in range(20):
        time.sleep(0.1)
        watch.look(time.monotonic())
    receiver.settimeout(5)
    while receiver.recv(2**20):
        pass
    receiver.close()
    sender.settimeout(5)
    with pytest.raises(ConnectionError):
        sender.sendall(bytes(2**24))


def test_who_reads_nothing_is_given_up_late(
    pairs: tuple[int, list[tuple[socket.socket, socket.socket]]],
) -> None:
    port, ((_, sender), (reader, busy)) = pairs
    watch = Watch(Guard(lambda environ, start_response: []), port, 0.1)
    fill(sender)
    began = time.monotonic()
    while not select.select([], [sender], [], 0)[1] and time.monotonic() < began + 5:
        fill(busy)
        watch.look(time.monotonic())
        assert reader.recv(2**18)
        time.sleep(0.05)
    assert 0.1 * READERS_PATIENCE <= time.monotonic() - began < 5
    with pytest.raises(BrokenPipeError):
        sender.send(b"more")


def test_who_reads_slowly_makes_room_while_readers_are_many(
    pairs: tuple[int, list[tuple[socket.socket, socket.socket]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("acctcli.service.http.watch.CROWD_SECONDS", 0.5)
    monkeypatch.setattr("acctcli.service.http.watch.CROWD_RATE", 2**20)
    port, ((_, sender), (reader, busy)) = pairs
    guard = Guard(lambda environ, start_response: [])
    watch = Watch(guard, port, 30)
    fill(sender)
    fill(busy)
    for is_crowded in (False, True):
        guard.held[ALL_READERS] = THREADS if is_crowded else 0
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            watch.look(time.monotonic())
            if is_crowded:  # before, it was a pager
                assert reader.recv(2**18)
                assert not heard([busy])
                fill(busy)
            time.sleep(0.05)
        assert bool(select.select([], [sender], [], 0)[1]) == is_crowded
    with pytest.raises(BrokenPipeError):
        sender.send(b"more")


def test_of_too_many_the_idlest_ends_of_the_address_that_has_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acctcli.service.http.watch.MOST_CONNECTIONS", 3)
    with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as stack:
        port, clients = listener.getsockname()[1], []
        for address in ("127.0.0.2", "127.0.0.1", "127.0.0.1", "127.0.0.1"):
            client = socket.create_connection(("127.0.0.1", port), 5, (address, 0))
            clients.append(stack.enter_context(client))
            stack.enter_context(listener.accept()[0])
            time.sleep(0.05)
        time.sleep(IDLE_SECONDS + 0.1)
        Watch(Guard(lambda environ, start_response: []), port, 30).look(time.monotonic())
        assert heard(clients) == [clients[1].fileno()]


def test_an_address_that_has_most_of_all_leaves_some_however_busy_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acctcli.service.http.watch.most_connections", lambda: 8)
    with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as stack:
        port, clients = listener.getsockname()[1], []
        for address in ("127.0.0.2", *6 * ("127.0.0.1",), "127.0.0.2"):
            clients.append(stack.enter_context(socket.create_connection(("127.0.0.1", port), 5, (address, 0))))
            server = stack.enter_context(listener.accept()[0])
            clients[-1].sendall(b"asked")
            server.recv(5)
            time.sleep(0.05)  # several ticks of the clock that tells what came first
            server.sendall(b"told!")
            assert clients[-1].recv(5) == b"told!"
        Watch(Guard(lambda environ, start_response: []), port, 30).look(time.monotonic())
        assert heard(clients) == [clients[1].fileno(), clients[2].fileno()]


def test_who_reads_nothing_is_one_of_too_many(
    pairs: tuple[int, list[tuple[socket.socket, socket.socket]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And who waits for an answer is not."""
    monkeypatch.setattr("acctcli.service.http.watch.MOST_CONNECTIONS", 0)
    port, ((_, sender), (patient, at_work)) = pairs
    guard = Guard(lambda environ, start_response: [])
    watch = Watch(guard, port, 30)
    fill(sender)
    patient.sendall(b"GET")
    guard.visits.add(Visit("127.0.0.1", "", time.monotonic()))
    end = time.monotonic() + READ_SECONDS + 2
    while time.monotonic() < end:
        time.sleep(0.1)
        watch.look(time.monotonic())
    with pytest.raises(BrokenPipeError):
        sender.send(b"more")
    at_work.sendall(b"done")
    assert patient.recv(4) == b"done"
