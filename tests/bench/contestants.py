"""The two services under load: acctcli's own, and the same on Django REST framework."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.load import Order, Report
from tests.bench.measure import BenchError, Command
from tests.bench.place import CHECKOUT, Place
from tests.bench.servers import call, free_port, running

if TYPE_CHECKING:
    from collections.abc import Iterator

DRF_TOKEN = "0123456789abcdef0123456789abcdef01234567"
SLUG, LARGE_SLUG = "bench", "bench-large"
# number, side and amount of E3's entries (docs/interface.md 5.5): a sale less the card company's fee
E3 = (("1910", True, "31.90"), ("8500", True, "2.90"), ("3000", False, "27.73"), ("2939", False, "7.07"))


@dataclass(frozen=True)
class Contestant:
    """A running service and what to ask of it."""

    name: str
    port: int
    token: str
    document: str
    slug: str = SLUG

    def list_order(self, target: str = "page=1", cycle: int | None = None) -> Order:
        """Ask for 25 accounts."""
        path = f"/v1/business/{self.slug}/account/?page_size=25&{target}"
        return Order(self.port, path, self.token, first_number=1, cycle=cycle)

    def create_order(self) -> Order:
        """Ask for a document of four entries."""
        return Order(self.port, f"/v1/business/{self.slug}/document/", self.token, self.document)


def measure(order: Order, seconds: float) -> float:
    """Return requests a second from a load generator in a process of its own."""
    return send(replace(order, seconds=seconds)).per_second


def send(order: Order) -> Report:
    """Fill an order; raise BenchError when a reply is not 2xx."""
    arguments = [sys.executable, "-m", "tests.bench.load"]
    done = subprocess.run(
        arguments, input=json.dumps(asdict(order)), cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BenchError(f"load on {order.target}: {done.stderr[-2000:]}")
    report = Report(**json.loads(done.stdout))
    if not report.statuses or any(not status.startswith("2") for status in report.statuses):
        raise BenchError(f"load on {order.target}: {report.statuses}")
    return report


# --- acctcli ---------------------------------------------------------------------------------------


@contextmanager
def own_service(place: Place, accounts: int, large: int = 0) -> Iterator[Contestant]:
    """Serve a business with `accounts` accounts, and another with `large` when asked.

    The businesses are made through the interface; the accounts are copies of one of them, made with SQL:
    100,000 requests would take longer than everything that is measured.
    """
    place.command("acctcli", "local", "init").run()
    token = (place.data_dir / "local" / "token").read_text().strip()
    port = free_port()
    serve = place.command("acctcli", "local", "serve", "--host", "127.0.0.1", "--port", str(port))
    with running(serve, port):
        for slug in (SLUG, LARGE_SLUG)[: 1 + bool(large)]:
            body = {"name": slug, "slug": slug, "form": "FI_OY", "vat_posting_method": "NET"}
            call(port, "POST", "/v1/business/", token, json.dumps(body).encode())
        document = own_document(port, token)
    database = place.data_dir / "local" / "books.sqlite3"
    copy_accounts(database, SLUG, accounts)
    if large:
        copy_accounts(database, LARGE_SLUG, large)
    with running(serve, port):
        yield Contestant("acctcli", port, token, document)


def own_document(port: int, token: str) -> str:
    """Return the body that creates E3; its description counts."""
    ids = {number: _account_id(port, token, number) for number in ("1910", "8500", "3000")}
    blueprint = {
        "debet_account_id": ids["1910"],
        "credit_entries": [{"account_id": ids["3000"], "vat_code": 1, "vat_rate": 25.5, "amount": 34.8}],
        "expense_entries": [{"account_id": ids["8500"], "vat_code": 3, "amount": 2.9}],
    }
    return json.dumps({"date": "2026-03-02", "description": "Web shop {n}", "blueprint": blueprint})


def _account_id(port: int, token: str, number: str) -> int:
    page = json.loads(call(port, "GET", f"/v1/business/{SLUG}/account/?number={number}", token))
    return int(page["results"][0]["id"])


def copy_accounts(database: Path, slug: str, wanted: int) -> None:
    """Copy an expense account of a business under other numbers until it has `wanted` accounts."""
    with closing(sqlite3.connect(database)) as connection, connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(account)") if row[1] != "id"]
        shown = ", ".join(names)
        copied = ", ".join("numbers.number" if name in ("number", "padded_number") else f"a.{name}" for name in names)
        connection.execute(
            f"WITH RECURSIVE numbers(number) AS (SELECT 1000000 UNION ALL SELECT number + 1 FROM numbers LIMIT "
            f"(SELECT max(0, :wanted - count(*)) FROM account JOIN business b ON b.id = business_id "
            f"WHERE b.slug = :slug)) INSERT INTO account ({shown}) SELECT {copied} FROM numbers, account a "
            f"JOIN business b ON b.id = a.business_id WHERE b.slug = :slug AND a.number = '4000'",
            {"wanted": wanted, "slug": slug},
        )


# --- Django REST framework -------------------------------------------------------------------------

# gunicorn's two kinds of worker; the faster one stands for it
DRF_WORKERS: tuple[tuple[str, ...], ...] = (
    ("--worker-class", "sync"),
    ("--worker-class", "gthread", "--threads", "1"),
    ("--worker-class", "gthread", "--threads", "8"),
)


def seed_drf(place: Place, accounts: int) -> str:
    """Fill the comparison's database; return the body of its create."""
    output = place.folder / "drf-seed"
    arguments = ["python", "-m", "drf_app.seed", DRF_TOKEN, SLUG, str(accounts)]
    _drf_command(place, *arguments).run(output)
    ids = dict(zip(("1910", "8500", "3000", "2939"), map(int, output.read_text().split()), strict=True))
    entries = [
        {"account": ids[number], "is_debet": is_debet, "amount": float(amount)} for number, is_debet, amount in E3
    ]
    return json.dumps({"date": "2026-03-02", "description": "Web shop {n}", "entries": entries})


@contextmanager
def drf_service(place: Place, document: str, worker: Sequence[str]) -> Iterator[Contestant]:
    """Serve the comparison under gunicorn with one worker."""
    port = free_port()
    bind = ("--workers", "1", "--bind", f"127.0.0.1:{port}", "--log-level", "warning")
    command = _drf_command(place, "gunicorn", *worker, *bind, "drf_app.wsgi:application")
    with running(command, port):
        yield Contestant(" ".join(worker[1:]), port, DRF_TOKEN, document)


def _drf_command(place: Place, *arguments: str) -> Command:
    environ = {
        "PYTHONPATH": str(CHECKOUT / "tests" / "bench"),
        "BENCH_DATABASE": str(place.folder / "drf.sqlite3"),
    }
    command = place.command(*arguments)
    return replace(command, environ={**command.environ, **environ})
