"""Processes that serve begin and end as they should, whoever is killed and when."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from acctcli.service.http.embedded import open_embedded
from acctcli.service.http.workers import Workers
from tests.mail_server import Mailbox, serving_mail
from tests.serving import free_port, wait_for
from tests.sizes import is_full
from tests.years import year_before

PATIENCE = 20.0


class Served:
    """A service in a process of its own, with two workers, in a folder of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.environ = {**os.environ, "ACCTCLI_DATA_DIR": str(folder), "ACCTCLI_CONFIG_DIR": str(folder)}
        self.main = self.start(*options)

    def start(self, *options: str) -> subprocess.Popen[str]:
        """Start a process that serves here, whatever becomes of it."""
        arguments = ("local", "serve", "--port", str(self.port), "--workers", "2", *options)
        return subprocess.Popen(
            [sys.executable, "-m", "acctcli", *arguments], env=self.environ, stderr=subprocess.PIPE, text=True
        )

    @property
    def workers(self) -> list[int]:
        """The processes of the workers."""
        found = Path(f"/proc/{self.main.pid}/task/{self.main.pid}/children").read_text()
        return [int(one) for one in found.split()]

    def kill(self, workers: list[int]) -> None:
        """Leave nothing behind: a main process that is there knows its workers, others are named."""
        left = workers if self.main.poll() is not None else [*workers, *self.workers]
        self.main.kill()
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.main.communicate()

    def is_answering(self) -> bool:
        """Whether a new connection is answered; without a token it is 401."""
        with suppress(httpx.HTTPError):
            return httpx.get(f"http://127.0.0.1:{self.port}/v1/user/", trust_env=False, verify=False).status_code == 401
        return False

    def is_free(self) -> bool:
        """Whether nobody listens any more."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) != 0


def soon(holds: Callable[[], bool]) -> bool:
    """Whether something is so within the time that a test has."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def is_gone(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@contextmanager
def service(folder: Path, *options: str) -> Iterator[Served]:
    """Serve; whatever is left at the end is killed."""
    served = Served(folder, *options)
    workers: list[int] = []
    try:
        wait_for(served.port, served.main)
        assert soon(lambda: len(served.workers) == 2)
        assert soon(served.is_answering)
        workers = served.workers
        yield served
    finally:
        served.kill(workers)


def test_a_port_is_one_service_s(tmp_path: Path) -> None:
    with service(tmp_path) as served:
        second = served.start()
        said = second.communicate(timeout=PATIENCE)[1]
        assert second.returncode == 2, said
        assert f"port {served.port} of 127.0.0.1 is in use" in said
        assert "--port" in said
        assert served.is_answering()


def test_workers_end_with_their_main_process(tmp_path: Path) -> None:
    with service(tmp_path) as served:
        workers = served.workers
        served.main.kill()
        assert soon(lambda: all(map(is_gone, workers)))
        assert served.is_free()


def test_workers_that_are_killed_are_replaced(tmp_path: Path) -> None:
    with service(tmp_path) as served:
        rounds = 3 if is_full() else 2
        for _ in range(rounds):
            before = served.workers
            for process in before:
                os.kill(process, signal.SIGKILL)
            assert soon(lambda: len(served.workers) == 2 and not set(served.workers) & set(before))  # noqa: B023
            assert soon(served.is_answering)
        served.main.terminate()
        said = served.main.communicate(timeout=PATIENCE)[1]
        assert (served.main.returncode, said.count("another begins")) == (0, 2 * rounds)


def test_a_worker_that_dies_again_and_again_is_waited_with_longer_each_time(tmp_path: Path) -> None:
    with service(tmp_path) as served:
        end = time.monotonic() + 3.4
        while time.monotonic() < end:
            for process in served.workers:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.02)
        served.main.terminate()
        said = served.main.communicate(timeout=PATIENCE)[1]
    # at once, after half a second, after one more; the next after two more
    assert all(2 <= said.count(f"worker {place} (") <= 3 for place in (1, 2)), said


def test_workers_without_descriptors_look_at_their_connections_and_their_main_process(tmp_path: Path) -> None:
    with service(tmp_path) as served, ExitStack() as stack:
        workers = served.workers
        for process in workers:
            resource.prlimit(process, resource.RLIMIT_NOFILE, (80, 80))

        def connect() -> socket.socket:
            return stack.enter_context(socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE))

        begun = connect()
        begun.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n")
        for _ in range(200):
            connect()
        # half of them, sooner than granian ends who is idle
        assert soon(lambda: all(len([*Path(f"/proc/{process}/fd").iterdir()]) <= 40 for process in workers))
        assert soon(served.is_answering)
        begun.sendall(b"\r\n")
        assert begun.recv(12) == b"HTTP/1.1 200"
        served.main.kill()
        assert soon(lambda: all(map(is_gone, workers)))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_all(tmp_path: Path, number: signal.Signals) -> None:
    with service(tmp_path) as served:
        workers = served.workers
        served.main.send_signal(number)
        assert served.main.wait(PATIENCE) == 0
        assert all(map(is_gone, workers))
        assert served.is_free()


def test_it_ends_also_while_it_begins(tmp_path: Path) -> None:
    """The moments follow the start of the first worker, before it hears signals, and that of the second."""
    with open_embedded(tmp_path / "local"):
        pass
    for moment in range(0, 12, 1 if is_full() else 3):
        served = Served(tmp_path)
        try:
            wait_for(served.port, served.main)
            assert soon(lambda: bool(served.workers))  # noqa: B023
            time.sleep(moment * 0.05)
            served.main.terminate()
            assert served.main.wait(PATIENCE) == 0, moment
            assert served.is_free()
        finally:
            served.kill([])


def test_a_signal_takes_no_lock() -> None:
    """The thread it interrupts may hold the lock of the event that it waits for: the service never ended then."""

    class Held(threading.Event):
        def set(self) -> None:
            raise AssertionError("a signal would wait for itself")

    workers = Workers.__new__(Workers)
    workers.interrupt_signal, workers.main_loop_interrupt = False, Held()
    workers.signal_handler_interrupt(signal.SIGTERM, None)
    assert workers.interrupt_signal


def test_a_request_under_way_is_answered_before_the_end(tmp_path: Path) -> None:
    body = b'{"name": "At the end"}'
    with service(tmp_path) as served:
        with open_embedded(tmp_path / "local") as opened:
            token = opened.token
        with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as connection:
            head = f"POST /v1/business/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token {token}\r\n"
            connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body[:5])
            time.sleep(0.5)
            for process in served.workers * 5:
                with suppress(ProcessLookupError):  # the other one has nothing to wait for
                    os.kill(process, signal.SIGINT)
            served.main.terminate()
            time.sleep(0.5)
            connection.sendall(body[5:])
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
        assert answer.startswith(b"HTTP/1.1 201 ")
        assert served.main.wait(PATIENCE) == 0


def head(token: str, request: str, *more: str) -> bytes:
    lines = [f"{request} HTTP/1.1", "Host: localhost", f"Authorization: Token {token}", *more]
    return "\r\n".join([*lines, "", ""]).encode()


WAYS = ("half a head", "half a body", "a body in drips", "no reading", "reading in drips")


@pytest.mark.parametrize("ways", [(way,) for way in WAYS] if is_full() else [WAYS], ids=", ".join)
def test_clients_that_stand_still_or_drip_do_not_hold_the_end_up(tmp_path: Path, ways: tuple[str, ...]) -> None:
    with service(tmp_path) as served, ExitStack() as stack:
        with open_embedded(tmp_path / "local") as opened:
            token = opened.token
        books = {"name": "Books Oy", "slug": "books"}
        address, headers = f"http://127.0.0.1:{served.port}/v1/business/", {"Authorization": f"Token {token}"}
        assert httpx.post(address, json=books, headers=headers, trust_env=False, verify=False).status_code == 201
        # of answers that both ends have no room for
        lists = 500 * head(token, "GET /v1/business/books/account/?page_size=200")
        sent = {
            "half a head": head(token, "GET /v1/user/")[:-2],
            "half a body": head(token, "POST /v1/business/", "Content-Length: 100") + b"{",
            "a body in drips": head(token, "POST /v1/business/", "Content-Length: 1000000") + b"{",
            "no reading": lists,
            "reading in drips": lists,
        }
        connections = [(way, stack.enter_context(socket.socket())) for way in ways for _ in range(5)]
        for way, connection in connections:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", served.port))
            connection.setblocking(False)
            connection.send(sent[way])
        time.sleep(2)
        served.main.terminate()
        until = time.monotonic() + 10
        while served.main.poll() is None and time.monotonic() < until:
            for way, connection in connections:
                with suppress(OSError):
                    if way == "reading in drips":
                        connection.recv(2000)
                    elif way == "a body in drips":
                        connection.send(2000 * b" ")
            time.sleep(0.5)
        assert served.main.poll() == 0


ADDRESS = {"street": "Koivukatu 1", "city": "Turku", "postal_code": "20100", "country": "FI"}
BIRCH = {"name": "Birch Oy", "is_invoicing_enabled": True, "invoicing_email": "birch@example.com"}
RULE = {"is_active_recurrence_template": True, "recurrence_rule": {"frequency": "MONTHLY", "interval": 1}}
SEND = {"delivery_method": "EMAIL", "data": {"email_subject": "Your invoice", "email_content": "It is attached."}}
INVOICE = {
    "receiver": 1,
    "payment_condition_days": 14,
    "rows": [{"name": "Hosting", "unit": "kk", "amount": 10, "vat_rate": 25.5, "vat_code": 1, "product_count": 1}],
}


def sell(folder: Path, invoice: dict[str, object]) -> str:
    """Make books with an accepted invoice, and return the token of the local user."""
    with (
        open_embedded(folder) as opened,
        httpx.Client(transport=httpx.WSGITransport(opened.app), base_url="http://localhost", trust_env=False) as client,
    ):
        client.headers["Authorization"] = f"Token {opened.token}"
        for path, body in {
            "business/": {"name": "Books Oy", "slug": "books", "business_id": "0112038-9"}
            | {"invoicing_email": "books@example.com"}
            | {f"invoicing_{name}": text for name, text in ADDRESS.items() if name != "country"},
            "business/books/period/": year_before(datetime.now(UTC).date()),
            "business/books/contacts/": BIRCH | {f"invoicing_{name}": text for name, text in ADDRESS.items()},
            "invoicing/books/invoice/": INVOICE | invoice,
            "invoicing/books/invoice/1/actions/accept/": {},
        }.items():
            assert client.post(f"/v1/{path}", json=body).is_success, path
        return opened.token


@contextmanager
def mailing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Served, Mailbox]]:
    """Serve with a mail server that holds what it is handed."""
    with serving_mail() as mailbox:
        mailbox.holds = True
        monkeypatch.setenv("ACCTCLI_SMTP_URL", f"smtp://127.0.0.1:{mailbox.port}")
        try:
            with service(folder) as served:
                yield served, mailbox
        finally:
            mailbox.free.set()


def mails(folder: Path) -> list[str]:
    """Return how the names of mails end that have left, or are about to."""
    return [path.suffix for path in (folder / "local" / "outbox" / "books" / "sent").iterdir()]


def test_mail_that_leaves_is_waited_for_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token = sell(tmp_path / "local", {"invoicing_date": f"{datetime.now(UTC).date()}"})
    with mailing(tmp_path, monkeypatch) as (served, mailbox), ThreadPoolExecutor(1) as pool:
        address = f"http://127.0.0.1:{served.port}/v1/invoicing/books/invoice/1/send/"
        headers = {"Authorization": f"Token {token}"}
        sent = pool.submit(httpx.post, address, json=SEND, headers=headers, trust_env=False, verify=False, timeout=100)
        assert mailbox.arrived.wait(PATIENCE)
        served.main.terminate()
        # with `--full` longer than a mail server has for any answer but this one
        threading.Timer(65 if is_full() else 4, mailbox.free.set).start()
        assert sent.result().status_code == 200
        assert served.main.wait(PATIENCE) == 0
    assert (mails(tmp_path), len(mailbox.received)) == ([".eml"], 1)


def test_mail_of_templates_that_leaves_is_waited_for_and_no_other_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = f"{datetime.now(UTC).date() - timedelta(days=100)}"
    by_mail = {"delivery_method": "EMAIL", "recurrence_email_subject": "Your invoice"}
    sell(tmp_path / "local", {"invoicing_date": begun, **RULE, **by_mail})
    with mailing(tmp_path, monkeypatch) as (served, mailbox):
        assert mailbox.arrived.wait(PATIENCE)
        served.main.terminate()
        threading.Timer(1, mailbox.free.set).start()
        assert served.main.wait(PATIENCE) == 0
    assert (mails(tmp_path), len(mailbox.received)) == ([".eml"], 1)
