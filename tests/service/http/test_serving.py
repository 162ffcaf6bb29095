"""A served service keeps time: what is due of templates is made when it starts, by one of its workers."""

from __future__ import annotations

import os
import socket
import time
from base64 import b64encode
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from acctcli.service.http.advancing import PARTING_SECONDS
from acctcli.service.http.embedded import open_embedded
from tests.databases import Factory
from tests.graphs import MANUAL, uuid
from tests.service.actor import Actor
from tests.service.cases.invoices.test_recurrence import MAILED, listed, template
from tests.service.cases.workflows.flows import enabled, flow, send
from tests.service.cases.workflows.flows import listed as listed_runs
from tests.service.routes.books import Books, open_books
from tests.serving import START_SECONDS, serve
from tests.years import year_before

pytestmark = pytest.mark.everywhere

YESTERDAY = datetime.now(UTC).date() - timedelta(days=1)
DAILY = {"recurrence_rule": {"frequency": "DAILY", "interval": 1}, "recurrence_end": str(YESTERDAY + timedelta(days=1))}


def in_process(client: httpx.Client, token: str) -> Books:
    books = open_books(Actor(client, 1, "", token), slug="birches", invoicing_email="books@example.com")
    books.create("period/", year_before(datetime.now(UTC).date()))  # of yesterday, on the first of January
    return books


def is_mailed(invoices: list[Any]) -> bool:
    return len(invoices) == 2 and invoices[1]["last_delivery_at"] is not None


def test_what_is_due_is_made_and_mailed_once(factory: Factory, tmp_path: Path) -> None:
    url = factory.fresh()
    with open_embedded(tmp_path / "local", url) as service:
        transport = httpx.WSGITransport(service.app)
        with httpx.Client(transport=transport, base_url="http://x", trust_env=False) as client:
            books = in_process(client, service.token)
            template(books, str(YESTERDAY), **{**MAILED, **DAILY})
            environ = {**os.environ, "ACCTCLI_DATA_DIR": str(tmp_path), "ACCTCLI_CONFIG_DIR": str(tmp_path)}
            with serve({**environ, "ACCTCLI_DATABASE_URL": url}, "--workers", "2"):
                deadline = time.monotonic() + 30
                while not is_mailed(found := listed(books)):
                    assert time.monotonic() < deadline, found
            assert [invoice["invoice_number"] for invoice in listed(books)] == [1, 2]
    assert len(list((tmp_path / "local" / "outbox" / "birches").iterdir())) == 1


def test_a_service_that_is_stopped_does_not_wait_for_receivers_of_workflows(factory: Factory, tmp_path: Path) -> None:
    """The receiver takes the request and says nothing; the step is repeated later, under the same key."""
    url = factory.fresh()
    with open_embedded(tmp_path / "local", url) as service, socket.create_server(("127.0.0.1", 0)) as receiver:
        transport = httpx.WSGITransport(service.app)
        with httpx.Client(transport=transport, base_url="http://x", trust_env=False) as client:
            books = open_books(Actor(client, 1, "", service.token), slug="birches")
            hook = f"http://127.0.0.1:{receiver.getsockname()[1]}/"
            workflow = enabled(books, flow([MANUAL, send(hook)]))
            books.create(f"workflows/{workflow}/runs/")
            environ = {**os.environ, "ACCTCLI_DATA_DIR": str(tmp_path), "ACCTCLI_CONFIG_DIR": str(tmp_path)}
            receiver.settimeout(START_SECONDS)
            with ExitStack() as held:
                with serve({**environ, "ACCTCLI_DATABASE_URL": url}, "--allow-private-targets"):
                    held.enter_context(receiver.accept()[0])
                    stopped = time.monotonic()
                assert time.monotonic() - stopped < PARTING_SECONDS + 4
            (run,) = listed_runs(books, workflow)
    sent = run["node_runs"][uuid(2)]
    assert (run["status"], sent["status"], sent["output"]["attempts"]) == ("running", "running", 1)


def test_limits_hold_in_every_worker(factory: Factory, tmp_path: Path) -> None:
    url = factory.fresh()
    environ = {**os.environ, "ACCTCLI_DATA_DIR": str(tmp_path), "ACCTCLI_CONFIG_DIR": str(tmp_path)}
    given = ("--workers", "2", "--max-stored", "1", "--max-items", "100", "--keep-mail", "30")
    with open_embedded(tmp_path / "local", url) as service:
        token = service.token
        sent = tmp_path / "local" / "outbox" / "birches" / "sent"
        sent.mkdir(parents=True)
        for days in (60, 31, 29, 0):
            (sent / f"{days}.eml").touch()
            os.utime(sent / f"{days}.eml", times=(time.time() - days * 86_400,) * 2)
        with (
            serve({**environ, "ACCTCLI_DATABASE_URL": url}, *given) as address,
            httpx.Client(base_url=address, trust_env=False, verify=False) as client,
        ):
            books = open_books(Actor(client, 1, "", token), slug="birches")
            file = b64encode(b"x" * 600 * 1024).decode()

            def upload(name: str) -> int:
                headers = {"Connection": "close"}
                body = {"name": name, "file": file}
                return books.actor.send("POST", f"{books.path}file_upload/", body, headers=headers).status

            assert sorted(map(upload, "abcd")) == [200, 413, 413, 413]
            assert books.send("POST", "tags/", {"name": "x", "more": [0] * 101}).status == 413
            deadline = time.monotonic() + 30
            while (kept := sorted(path.stem for path in sent.iterdir())) != ["0", "29"]:
                assert time.monotonic() < deadline, kept
                time.sleep(0.1)
