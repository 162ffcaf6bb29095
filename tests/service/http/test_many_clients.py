"""Many clients at once, reading and writing what they like: every answer is right, and so are the books after it."""

from __future__ import annotations

import os
import random
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from acctcli.service.http.embedded import open_embedded
from acctcli.service.store.engine.statements import Statement
from tests.databases import Factory, opened
from tests.service.actor import Actor
from tests.service.routes.books import Books, open_books
from tests.serving import serve
from tests.sizes import is_full

CLIENTS, SECONDS = (64, 60) if is_full() else (16, 1)
DEBIT = "sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END)"
CREDIT = "sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END)"
# documents whose sides differ, and accounts whose kept totals are not those of their entries
WRONG = (
    Statement(
        f"SELECT count(*) FROM (SELECT 1 FROM entry GROUP BY business_id, document_id HAVING {DEBIT} <> {CREDIT}) AS x"
    ),
    Statement(
        f"""SELECT count(*) FROM account_total AS kept JOIN (SELECT business_id, account_id, {DEBIT} AS debit,
        {CREDIT} AS credit FROM entry GROUP BY business_id, account_id) AS made
        ON made.business_id = kept.business_id AND made.account_id = kept.account_id
        WHERE made.debit <> kept.debit_cents OR made.credit <> kept.credit_cents"""
    ),
)
DEBITED = Statement("SELECT sum(debit_cents) FROM account_total")


class Done(NamedTuple):
    """A request that was answered: its status, and how long it took."""

    writes: bool
    status: int
    seconds: float
    text: str


class Client:
    """Somebody who posts, changes, reads and reports as chance will have it, until the time is up."""

    def __init__(self, client: httpx.Client, token: str, books: Books, number: int) -> None:
        self.client = client
        self.headers = {"Authorization": f"Token {token}"}
        self.books = books
        self.random = random.Random(number)
        self.number = number
        self.posted: list[int] = []
        self.cents = 0

    def run(self, until: float) -> list[Done]:
        """Work; return what was done."""
        done: list[Done] = []
        while time.monotonic() < until:
            done.append(self.once(len(done)))
        return done

    def once(self, turn: int) -> Done:
        path = self.books.path
        chance = self.random.random()
        if chance < 0.4 or not self.posted:
            cents = self.random.randint(1, 99_999)
            day = f"2026-{self.random.randint(1, 12):02}-{self.random.randint(1, 28):02}"
            row = {"account_id": self.books.ids["3000"], "amount": f"{cents // 100}.{cents % 100:02}"}
            blueprint = {"debet_account_id": self.books.ids["1910"], "credit_entries": [row]}
            body = {"date": day, "blueprint": blueprint, "description": f"client {self.number}"}
            self.cents += cents
            return self.send("POST", f"{path}document/", body, {"Idempotency-Key": f"{self.number} {turn}"})
        one = self.random.choice(self.posted)
        if chance < 0.55:
            return self.send("PATCH", f"{path}document/{one}/", {"description": f"turn {turn}"})
        if chance < 0.75:
            return self.send("GET", f"{path}document/?page_size=50")
        if chance < 0.9:
            return self.send("GET", f"{path}document/{one}/")
        if chance < 0.97:
            return self.send("GET", f"{path}account/?page_size=200")
        return self.send("POST", f"{path}report/balance-sheet/", {"columns": [{"date_at": "2026-12-31"}]})

    def send(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Done:
        began = time.monotonic()
        reply = self.client.request(method, path, json=body, headers={**self.headers, **(headers or {})})
        took = time.monotonic() - began
        if reply.status_code == 201:
            self.posted.append(reply.json()["id"])
        writes = method == "PATCH" or path.endswith("document/")
        return Done(writes, reply.status_code, took, "" if reply.is_success else reply.text[:300])


@pytest.fixture
def office(factory: Factory, tmp_path: Path) -> Iterator[tuple[str, httpx.Client, str]]:
    """A served service with two workers: its database, a client of it, and a token."""
    database = factory.fresh()
    with open_embedded(tmp_path / "local", database) as service:
        token = service.token
    environ = {**os.environ, "ACCTCLI_DATA_DIR": str(tmp_path), "ACCTCLI_CONFIG_DIR": str(tmp_path)}
    limits = httpx.Limits(max_connections=CLIENTS, max_keepalive_connections=CLIENTS)
    with (
        serve({**environ, "ACCTCLI_DATABASE_URL": database}, "--workers", "2") as url,
        httpx.Client(base_url=url, trust_env=False, timeout=60, limits=limits) as client,
    ):
        yield database, client, token


@pytest.mark.everywhere
def test_many_clients_at_once(office: tuple[str, httpx.Client, str], capsys: pytest.CaptureFixture[str]) -> None:
    database, client, token = office
    actor = Actor(client, 1, "", token)
    offices = [open_books(actor, slug=f"office-{number}") for number in range(4)]
    clients = [Client(client, token, offices[number % 4], number) for number in range(CLIENTS)]
    until = time.monotonic() + SECONDS
    with ThreadPoolExecutor(CLIENTS) as pool:
        done = [one for found in pool.map(lambda one: one.run(until), clients) for one in found]
    assert [one for one in done if one.status not in (200, 201)] == []
    took = sorted(one.seconds for one in done if one.writes)
    late = took[len(took) * 99 // 100]
    with capsys.disabled():
        print(f"\n{len(done)} requests of {CLIENTS} clients; p99 of {len(took)} writes {late:.3f} s")
    for number, books in enumerate(offices):
        posted = sorted(one for each in clients[number::4] for one in each.posted)
        check(books, posted)
    with opened(database) as store, store.read() as conn:
        assert [one.value(conn) for one in WRONG] == [0, 0]
        assert DEBITED.value(conn) == sum(one.cents for one in clients)


def check(books: Books, posted: list[int]) -> None:
    """What was answered is there, each once, and the numbers of a day have no gaps."""
    found: list[Any] = []
    while len(found) < len(posted):
        found += books.get("document/", page_size="200", page=str(len(found) // 200 + 1)).body["results"]
    assert sorted(one["id"] for one in found) == posted
    days = defaultdict(list)
    for one in found:
        day, _, number = one["number"].partition("-")
        days[day].append(int(number))
    assert all(sorted(numbers) == list(range(1, len(numbers) + 1)) for numbers in days.values())
