"""A served service keeps time: what is due of templates is made when it starts, by one of its workers."""

from __future__ import annotations

import os
import threading
import time
from base64 import b64encode
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from acctcli.service.cases.invoices.recurrence import Done
from acctcli.service.cases.work import Limits
from acctcli.service.http import serving
from acctcli.service.http.embedded import open_embedded
from acctcli.service.problems import InFlight
from tests.databases import Factory
from tests.service.actor import Actor
from tests.service.cases.invoices.test_recurrence import MAILED, listed, template
from tests.service.routes.books import Books, open_books
from tests.serving import serve
from tests.years import year_before

YESTERDAY = datetime.now(UTC).date() - timedelta(days=1)
DAYS = frozenset({YESTERDAY})
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


class Recurring:
    """A service of which only the recurrence is asked; it answers with what it is given."""

    def __init__(self, answer: list[Done] | InFlight) -> None:
        self.answer = answer
        self.days: list[date | None] = []
        self.limits = Limits(mail_days=7)

    def take_away(self, mail_days: int | None) -> None:
        """Nothing is old here."""

    def make_recurring(self, until: date | None) -> list[Done]:
        self.days.append(until)
        if isinstance(self.answer, InFlight):
            raise self.answer
        return self.answer


def test_what_cannot_be_done_is_in_the_log_and_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    refused = Done("birches", YESTERDAY, 7, "not mailed", 8, "Canary Oy cannot be reached.", "Precondition")
    service: Any = Recurring([refused, refused._replace(problem=None)])
    kept: set[frozenset[date]] = set()
    serving._make_recurring(service, DAYS, kept)
    assert [record.getMessage() for record in caplog.records] == [
        f"template 7 of birches: not mailed for {YESTERDAY}: Precondition"
    ]
    assert kept == set()
    service.answer = [refused._replace(problem=None)]
    serving._make_recurring(service, DAYS, kept)
    assert kept == {DAYS}


def test_another_worker_may_do_it(caplog: pytest.LogCaptureFixture) -> None:
    service: Any = Recurring(InFlight())
    kept: set[frozenset[date]] = set()
    serving._make_recurring(service, DAYS, kept)
    assert (service.days, caplog.records, kept) == ([None], [], set())


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_day_is_kept_once(monkeypatch: pytest.MonkeyPatch, is_kept: bool) -> None:
    """The next look is arranged for either way."""
    started: list[tuple[object, ...]] = []

    class Started:
        def __init__(self, *arguments: object, **named: object) -> None:
            self.told = (*arguments, *named.values())

        def start(self) -> None:
            started.append(self.told)

    monkeypatch.setattr(threading, "Timer", Started)
    monkeypatch.setattr(threading, "Thread", Started)
    # at that hour of the night it is two days at once
    monkeypatch.setattr(serving, "days_of", lambda moment: DAYS)
    service, today = Recurring([]), DAYS
    kept = {today} if is_kept else set()
    serving._keep_time(service, kept)  # type: ignore[arg-type]
    look = (serving.HOUR_SECONDS, serving._keep_time, [service, kept])
    run = (serving._make_recurring, [service, today, kept], False)
    take_away = (service.take_away, [7], True)
    assert started == ([look, take_away] if is_kept else [look, take_away, run])


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
