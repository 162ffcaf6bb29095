import json
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import httpx
import pytest

from tests.fault_proxy import FAULTS, QUICK, Delivery, Fault, Request, fault_proxy, seeded
from tests.loopback import LoopbackHandler, LoopbackServer, running

PROCESSED_AND_ANSWERED = {Fault.NONE: 1, Fault.DUPLICATED: 2, Fault.TIMED_OUT: 1}
STATUS = {Fault.NONE: 201, Fault.DUPLICATED: 201, Fault.TIMED_OUT: 504, Fault.THROTTLED: 429, Fault.UNAVAILABLE: 503}
BROKEN: dict[Fault, tuple[type[Exception] | tuple[type[Exception], ...], int]] = {
    # the write of the body may meet the reset first; httpx passes over that and then reads the end
    Fault.REFUSED: ((httpx.ReadError, httpx.RemoteProtocolError), 0),
    Fault.RESET_BEFORE: (httpx.ReadError, 0),
    Fault.RESET_AFTER: (httpx.ReadError, 1),
    Fault.STALL: (httpx.ReadTimeout, 1),
    Fault.STALL_BEFORE: (httpx.ReadTimeout, 0),
    Fault.HALF_BODY: (httpx.RemoteProtocolError, 1),
}


class Echo(LoopbackServer):
    """Answers with a number that goes up with every request, and what it was sent."""

    def __init__(self) -> None:
        super().__init__(EchoHandler)
        self.number = 0
        self.lock = threading.Lock()
        self.reached = threading.Event()


class EchoHandler(LoopbackHandler):
    server: Echo

    def answer(self) -> None:
        body = self.read_body().decode()
        with self.server.lock:
            self.server.number += 1
            number = self.server.number
        self.server.reached.set()
        if self.command == "DELETE":
            self.send(self.reply(204, []))
            return
        answer = {"number": number, "method": self.command, "path": self.path, "body": body}
        answer["host"] = self.headers["Host"]
        self.send(self.reply(201, [("X-Request-Id", str(number))], json.dumps(answer).encode()))


@pytest.fixture
def echo() -> Iterator[Echo]:
    server = Echo()
    with running(server):
        yield server


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(timeout=10, trust_env=False, verify=False) as client:
        yield client


def test_without_faults_it_is_transparent_on_one_connection(echo: Echo, client: httpx.Client) -> None:
    with fault_proxy(f"{echo.base_url}/api") as proxy:
        first = client.post(f"{proxy.base_url}/a/?b=c", content="körper".encode(), headers={"Idempotency-Key": "k"})
        chunked = client.put(f"{proxy.base_url}/a/", content=iter([b"one", b"two"]))
        head = client.head(f"{proxy.base_url}/a/")
        gone = client.delete(f"{proxy.base_url}/a/")
        streams = {id(reply.extensions["network_stream"]) for reply in (first, chunked, head, gone)}
    assert first.json() == {
        "number": 1,
        "method": "POST",
        "path": "/api/a/?b=c",
        "body": "körper",
        "host": echo.base_url.removeprefix("http://"),
    }
    assert (first.status_code, first.headers["X-Request-Id"]) == (201, "1")
    assert chunked.json()["body"] == "onetwo"
    assert (head.content, gone.status_code, gone.content) == (b"", 204, b"")
    assert len(streams) == 1
    assert proxy.requests[0] == Request(Fault.NONE, "POST", "/a/?b=c", "k")
    assert proxy.deliveries[0] == Delivery("POST", "/a/?b=c", "k", 201)


@pytest.mark.parametrize("fault", STATUS)
def test_faults_with_an_answer(echo: Echo, client: httpx.Client, fault: Fault) -> None:
    with fault_proxy(echo.base_url, [fault], retry_after="7") as proxy:
        reply = client.post(proxy.base_url, content=b"x")
        assert reply.status_code == STATUS[fault]
        assert reply.headers.get("Retry-After") == ("7" if fault is Fault.THROTTLED else None)
        assert echo.number == PROCESSED_AND_ANSWERED.get(fault, 0)
        if fault is Fault.DUPLICATED:
            assert reply.json()["number"] == 2
        assert client.get(proxy.base_url).status_code == 201  # the schedule is over


@pytest.mark.parametrize("fault", BROKEN)
def test_faults_without_an_answer(echo: Echo, client: httpx.Client, fault: Fault) -> None:
    error, processed = BROKEN[fault]
    with fault_proxy(echo.base_url, [Fault.NONE, fault]) as proxy:
        client.get(proxy.base_url)  # the fault meets a connection that was already open
        with pytest.raises(error):
            client.post(proxy.base_url, content=b"x" * 1000, timeout=0.2 if "STALL" in fault.name else 10)
        assert client.get(proxy.base_url).status_code == 201
    assert echo.number == 2 + processed  # once the proxy has ended, so has every delivery


def test_half_of_an_empty_reply_is_a_broken_head(echo: Echo, client: httpx.Client) -> None:
    with fault_proxy(echo.base_url, [Fault.HALF_BODY]) as proxy:
        with pytest.raises(httpx.RemoteProtocolError):
            client.delete(proxy.base_url)
        assert proxy.deliveries == [Delivery("DELETE", "/", None, 204)]


def test_closing_ends_a_stalled_connection(echo: Echo, client: httpx.Client) -> None:
    with ThreadPoolExecutor(1) as pool:
        with fault_proxy(echo.base_url, [Fault.STALL]) as proxy:
            stalled = pool.submit(client.get, proxy.base_url)
            assert echo.reached.wait(10)
        with pytest.raises(httpx.TransportError):
            stalled.result()


def test_every_fault_is_covered_here() -> None:
    assert {*STATUS, *BROKEN} == set(Fault)


def test_a_seeded_schedule_repeats_and_keeps_its_promises() -> None:
    faults = list(islice(seeded(7, rate=0.5, faults=FAULTS, in_a_row=2), 3000))
    assert faults == list(islice(seeded(7, rate=0.5, faults=FAULTS, in_a_row=2), 3000))
    assert faults != list(islice(seeded(8, rate=0.5, faults=FAULTS, in_a_row=2), 3000))
    assert set(faults) == set(Fault)
    assert all(Fault.NONE in faults[start : start + 3] for start in range(len(faults) - 2))
    assert set(islice(seeded(1, rate=1, in_a_row=10**9), 500)) == set(QUICK)


def test_many_clients_at_once_lose_no_bookkeeping(echo: Echo) -> None:
    def post(number: int) -> int | None:
        with httpx.Client(timeout=10, trust_env=False, verify=False) as own:
            try:
                return own.post(proxy.base_url, headers={"Idempotency-Key": str(number)}).status_code
            except httpx.TransportError:
                return None

    with fault_proxy(echo.base_url, seeded(3, rate=0.5)) as proxy, ThreadPoolExecutor(8) as pool:
        statuses = Counter(pool.map(post, range(80)))
    met = Counter(request.fault for request in proxy.requests)
    assert sum(met.values()) == 80
    assert met == Counter(islice(seeded(3, rate=0.5), 80))
    assert statuses[201] == met[Fault.NONE] + met[Fault.DUPLICATED]
    assert len(proxy.deliveries) == echo.number
