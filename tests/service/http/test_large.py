"""What is large leaves a worker small, whoever asks for it and however many do at once."""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from acctcli.client.bounds import RECORD
from acctcli.service.http.embedded import open_embedded
from acctcli.service.http.large import AT_ONCE, WAITING, Turns
from acctcli.service.problems import Unavailable
from tests.serving import serve
from tests.sizes import is_full

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory of processes is read as Linux tells it")

ROWS, DOCUMENTS = 9990, 29 if is_full() else 6
AT_ONCE_HERE, MOST_MIB = 8, 300
# of what eight at once take so little that there might as well be four
FEW, LIGHT = 8 if is_full() else 4, {"a ledger", "escapes", "wrong rows", "null rows", "keys", "a text"}
LONG_ROW = {"name": [], "unit": [], "code": [], "product_count": "x", "amount": "x", "vat_rate": "x", "vat_code": "x"}
JSON, FORM = "application/json", "application/x-www-form-urlencoded"


class Served(NamedTuple):
    """A service with one worker, and the books of a business in it that have large documents."""

    url: str
    token: str
    path: str
    documents: list[int]

    def send(self, method: str, path: str, body: Any = None, kind: str = JSON) -> tuple[int, int]:
        """Return status and length of a reply, which is not kept."""
        headers = {"Authorization": f"Token {self.token}", "Content-Type": kind}
        with httpx.stream(
            method, self.url + path, content=body, headers=headers, timeout=120, trust_env=False, verify=False
        ) as reply:
            return reply.status_code, sum(map(len, reply.iter_raw()))

    def at_once(self, name: str, method: str, path: str, body: Any, kind: str = JSON) -> list[tuple[int, int]]:
        """Send the same request several times at once."""
        times = FEW if name in LIGHT else AT_ONCE_HERE
        with ThreadPoolExecutor(times) as pool:
            return list(pool.map(lambda _: self.send(method, path, body, kind), range(times)))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    data = tmp_path_factory.mktemp("large")
    with open_embedded(data / "local") as service:
        token = service.token
    environ = {**os.environ, "ACCTCLI_DATA_DIR": str(data), "ACCTCLI_CONFIG_DIR": str(data)}
    headers = {"Authorization": f"Token {token}"}
    with (
        serve(environ) as url,
        httpx.Client(base_url=url, headers=headers, timeout=60, trust_env=False, verify=False) as client,
    ):
        assert client.post("/v1/business/", json={"name": "Large Oy", "slug": "large"}).status_code == 201
        year = {"start_date": "2027-01-01", "end_date": "2027-12-31"}
        assert client.patch("/v1/business/large/period/1/", json=year).status_code == 200
        path = "/v1/business/large/"
        accounts = client.get(f"{path}account/", params={"page_size": 200}).json()["results"]
        ids = {account["number"]: account["id"] for account in accounts}
        row = {"account_id": ids["3000"], "amount": 1, "vat_code": 1, "vat_rate": 25.5, "description": "x" * 200}
        blueprint = {"debet_account_id": ids["1910"], "credit_entries": [row] * ROWS}
        body = json.dumps({"date": "2027-05-05", "blueprint": blueprint})
        made = [client.post(f"{path}document/", content=body).json()["id"] for _ in range(DOCUMENTS)]
        yield Served(url, token, path, made)


@pytest.fixture
def worker(served: Served) -> Path:
    """The folder that tells of the worker; its peak of memory begins here."""
    port = served.url.rpartition(":")[2]
    # a worker is a copy of the main process, and began after it
    folder = Path("/proc") / max((pid for pid in _processes() if f"--port\0{port}\0" in _command(pid)), key=int)
    (folder / "clear_refs").write_text("5")
    return folder


def _processes() -> list[str]:
    return [path.name for path in Path("/proc").iterdir() if path.name.isdigit()]


def _command(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def peak(worker: Path) -> int:
    """Return the most memory that a process has had, in MiB."""
    lines = (worker / "status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) // 1024


YEAR = json.dumps({"columns": [{"date_from": "2027-01-01", "date_to": "2027-12-31"}]})
READS: Mapping[str, tuple[str, str, str | None]] = {
    "a list": ("GET", "document/", None),
    "a journal": ("POST", "report/journal/", YEAR),
    "a ledger": ("POST", "report/ledger/", YEAR),
}


@pytest.mark.parametrize("read", READS)
def test_what_is_read_is_whole_and_flat(served: Served, worker: Path, read: str) -> None:
    method, path, body = READS[read]
    replies = served.at_once(read, method, served.path + path, body)
    lengths = {length for status, length in replies if status == 200}
    assert {status for status, _ in replies} <= {200, 503}
    assert len(lengths) == 1
    assert lengths.pop() > DOCUMENTS * ROWS * 200
    assert peak(worker) < MOST_MIB


def test_a_large_list_holds_what_each_of_its_documents_is(served: Served) -> None:
    headers = {"Authorization": f"Token {served.token}"}
    with httpx.Client(base_url=served.url, headers=headers, timeout=60, trust_env=False, verify=False) as client:
        page = client.get(f"{served.path}document/", params={"page_size": 2, "page": 2}).json()
        first = served.documents[::-1][2:4]
        alone = [client.get(f"{served.path}document/{one}/") for one in first]
        assert page["results"] == [reply.json() for reply in alone]
        assert all(RECORD.allows(reply.content) for reply in alone)  # commands read them
        assert (page["count"], page["next"], page["prev"], page["size"]) == (DOCUMENTS, 3, 1, 2)


INVOICE = {"receiver": 1, "invoicing_date": "2026-01-01", "payment_condition_days": 1}
# made when a test needs them: a hundred megabytes
BODIES: Mapping[str, tuple[str, str, Callable[[], bytes], str, int]] = {
    "escapes": ("PATCH", "business", lambda: b"name=" + b"%41" * 3_000_000, FORM, 413),
    "wrong rows": ("POST", "invoicing", lambda: json.dumps({**INVOICE, "rows": [LONG_ROW] * ROWS}).encode(), JSON, 400),
    "null rows": ("POST", "invoicing", lambda: json.dumps({**INVOICE, "rows": [None] * ROWS}).encode(), JSON, 400),
    "keys": (
        "POST",
        "document",
        lambda: json.dumps({"date": "2027-05-05", **{f"k{key}": 1 for key in range(400_000)}}).encode(),
        JSON,
        201,
    ),
    "a text": ("POST", "document", lambda: b'{"description":"' + b"x" * 10_000_000 + b'"}', JSON, 400),
    "a file": ("POST", "file", lambda: b'{"file":"' + base64.b64encode(b"%PDF" + b"x" * 25_000_000) + b'"}', JSON, 400),
}
PLACES = {
    "business": "/v1/business/large/",
    "invoicing": "/v1/invoicing/large/invoice/",
    "document": "/v1/business/large/document/",
    "file": "/v1/business/large/file_upload/",
}


@pytest.mark.parametrize("name", BODIES)
def test_bodies_of_every_kind_are_bounded(served: Served, worker: Path, name: str) -> None:
    method, place, body, kind, status = BODIES[name]
    assert {status for status, _ in served.at_once(name, method, PLACES[place], body(), kind)} == {status}
    assert peak(worker) < MOST_MIB


def test_bodies_without_a_length_are_taken_one_at_a_time(served: Served, worker: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield from [b"x" * 2**20] * 30

    with ThreadPoolExecutor(AT_ONCE_HERE) as pool:
        sent = [pool.submit(served.send, "POST", PLACES["document"], pieces()) for _ in range(AT_ONCE_HERE)]
        assert {one.result()[0] for one in sent} == {413}
    assert peak(worker) < MOST_MIB


def test_the_first_mistakes_are_named_and_that_there_are_more(served: Served) -> None:
    headers = {"Authorization": f"Token {served.token}"}
    body = {**INVOICE, "rows": [{"name": "Kahvi"}] * 2000}
    reply = httpx.post(
        f"{served.url}{PLACES['invoicing']}", json=body, headers=headers, timeout=60, trust_env=False, verify=False
    )
    told = reply.json()
    assert reply.status_code == 400
    assert told["non_field_errors"] == ["There are more mistakes: these are the first 100."]
    assert told["rows"][0]["unit"] == ["This field is required."]
    assert len(told["rows"]) < 101


def test_turns_are_few_and_so_are_those_who_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acctcli.service.http.large.WAIT_SECONDS", 0.1)
    turns = Turns()
    held = [turns.held() for _ in range(AT_ONCE)]
    for one in held:
        one.__enter__()
    with ThreadPoolExecutor(2 * WAITING) as pool:
        waiting = [pool.submit(turns.held().__enter__) for _ in range(2 * WAITING)]
        assert all(isinstance(one.exception(), Unavailable) for one in waiting)
    for one in held:
        one.__exit__(None, None, None)
    with turns.held():
        pass


def test_a_workflow_is_no_store_of_its_own(served: Served) -> None:
    path = f"{served.path}workflows/"
    for letters, status in ((60_000, 201), (66_000, 400)):
        graph = {"nodes": [], "edges": [], "note": "x" * letters}
        assert served.send("POST", path, json.dumps({"name": "x", "react_flow_data": graph}))[0] == status
