"""A service that posts one document after another until it is stopped, in whatever way; a program of its own.

`python -m tests.service.store.drilling FOLDER URL FIRST COUNT` prints a line for each: `done NAME ID`, once the service
has answered 201; before it `no NAME STATUS` for each time that it was refused, and sent again under the same key.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from acctcli.service.http.embedded import EmbeddedService, open_embedded
from acctcli.service.store.engine.connection import Connection
from tests.databases import opened
from tests.service.store.shape_faults import shape_faults

SLUG = "drill"
DAY = "2026-03-02"
# seconds before a document that was refused is sent again
PAUSE = 0.01


class Clerk:
    """Posts documents at a service in this process."""

    def __init__(self, service: EmbeddedService, client: httpx.Client) -> None:
        self._headers = {"Authorization": f"Token {service.token}"}
        self._client = client

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        return self._client.request(method, path, json=body, headers=self._headers | headers)

    def begin(self) -> None:
        """Make the business unless it is there."""
        if self.ask("GET", f"/v1/business/{SLUG}/").status_code == 404:
            made = self.ask("POST", "/v1/business/", {"name": SLUG, "slug": SLUG, "form": "FI_OY"})
            assert made.status_code == 201, made.text

    def accounts(self) -> list[int]:
        rows = self.ask("GET", f"/v1/business/{SLUG}/account/?page_size=200").json()["results"]
        by_number = {row["number"]: row["id"] for row in rows}
        return [by_number["1910"], by_number["4000"]]

    def post(self, accounts: list[int], name: str) -> httpx.Response:
        """Post a document that is called so, under a key of the same name."""
        credit, debit = accounts
        row = {"account_id": debit, "amount": 12.55, "vat_code": 2, "vat_rate": 25.5, "description": None}
        blueprint = {"credit_account_id": credit, "debet_entries": [row], "credit_entries": [], "expense_entries": []}
        body = {"date": DAY, "description": name, "blueprint": {**blueprint, "debet_account_id": None}}
        return self.ask("POST", f"/v1/business/{SLUG}/document/", body, **{"Idempotency-Key": name})


def main(folder: str, url: str, first: str, count: str) -> None:
    with (
        open_embedded(Path(folder), url) as service,
        httpx.Client(transport=httpx.WSGITransport(service.app), base_url="http://x", trust_env=False) as client,
    ):
        clerk = Clerk(service, client)
        clerk.begin()
        accounts = clerk.accounts()
        os.write(1, b"ready\n")
        for number in range(int(first), int(first) + int(count)):
            name = f"d{number}"
            while (reply := clerk.post(accounts, name)).status_code != 201:
                os.write(1, f"no {name} {reply.status_code}\n".encode())
                time.sleep(PAUSE)
            os.write(1, f"done {name} {reply.json()['id']}\n".encode())


def acknowledged(output: bytes) -> dict[str, int]:
    """Return names and ids of what was acknowledged; a line that was cut off was not."""
    whole = output[: output.rfind(b"\n") + 1].decode().splitlines()
    return {words[1]: int(words[2]) for line in whole if (words := line.split())[0] == "done"}


SIDES = "sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END), sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END)"
SUMMED = f"SELECT account_id, {SIDES}, count(*) FROM entry GROUP BY 1 ORDER BY 1"
KEPT = "SELECT account_id, debit_cents, credit_cents, entry_count FROM account_total WHERE entry_count > 0 ORDER BY 1"


def check_books(url: str, known: dict[str, int]) -> int:
    """Return how many documents there are: what was acknowledged, once, and nothing half done."""
    with opened(url) as database, database.read() as conn:
        if database.dialect == "sqlite":
            assert rows(conn, "PRAGMA integrity_check") == [("ok",)]
            assert rows(conn, "PRAGMA foreign_key_check") == []
        found = rows(conn, "SELECT description, id, number FROM document ORDER BY id")
        ids = {name: number for name, number, _ in found}
        assert len(ids) == len(found)
        assert known.items() <= ids.items()
        assert rows(conn, f"SELECT document_id, {SIDES} FROM entry GROUP BY 1 ORDER BY 1") == [
            (number, 1255, 1255) for _, number, _ in found
        ]
        assert rows(conn, SUMMED) == rows(conn, KEPT)
        # numbers of the day, without a gap
        assert sorted(int(number.partition("-")[2]) for *_, number in found) == list(range(1, len(found) + 1))
        assert sum(count for (count,) in rows(conn, "SELECT count FROM tally WHERE kind = 'document'")) == len(found)
        assert shape_faults(conn, 1) == []
    return len(found)


def refused(output: bytes) -> list[str]:
    """Return the statuses of refusals."""
    whole = output[: output.rfind(b"\n") + 1].decode().splitlines()
    return [line.split()[2] for line in whole if line.startswith("no ")]


def rows(conn: Connection, text: str) -> list[tuple[Any, ...]]:
    return conn.fetch(text)[1]


if __name__ == "__main__":
    main(*sys.argv[1:])
