"""Pages of `view` against the requests that they are made of, on a book of a million entries and more."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.bench.books import SLUG, make_book
from tests.bench.measure import BenchError, Command, Result, median_ratio, medians, take_turns
from tests.bench.place import Place
from tests.bench.servers import free_port, running

TRANSACTIONS = 400_000
LIMIT = 3.0
_BUSINESS, _INVOICING = f"/v1/business/{SLUG}/", f"/v1/invoicing/{SLUG}/"
_YEAR, _MONTH = ("2026-01-01", "2026-12-31"), ("2026-03-01", "2026-03-31")
_MEMORY = 2.0
# what takes about a millisecond, as long as a page's own connection takes
_SHORT = ("a document", "the income statement", "the balance sheet", "the overview")
# when all is loaded that pages need
_SETTLED = "an account in a month"


class Asked(NamedTuple):
    """A request; with a body it is a POST."""

    path: str
    body: dict[str, Any] | None = None


def _between(days: tuple[str, str]) -> str:
    return f"from={days[0]}&to={days[1]}"


def _report(name: str, days: tuple[str, str], **options: bool) -> Asked:
    days_of = {"date_at": days[1]} if name == "balance-sheet" else {"date_from": days[0], "date_to": days[1]}
    return Asked(f"{_BUSINESS}report/{name}/", {"columns": [days_of], **options})


def _documents(page: int, more: str = "") -> Asked:
    return Asked(f"{_BUSINESS}document/?is_draft=false&page={page}&page_size=25{more}")


# pages, and the request that each is made of
PAGES = {
    "the journal": ("journal?page=1", _documents(1)),
    "the journal, its last page": (f"journal?page={TRANSACTIONS // 25}", _documents(TRANSACTIONS // 25)),
    "the journal of a month": (
        f"journal?{_between(_MONTH)}",
        _documents(1, f"&date_from={_MONTH[0]}&date_to={_MONTH[1]}"),
    ),
    "the journal with a text": ("journal?text=kahvi", _documents(1, "&search=kahvi")),
    "a document": ("document/200000", Asked(f"{_BUSINESS}document/200000/")),
    "an account in a month": (f"account/1910?{_between(_MONTH)}", _report("ledger", _MONTH)),
    "an account in a year": (f"account/1910?{_between(_YEAR)}", _report("ledger", _YEAR)),
    "an account that seldom moves": (f"account/2000?{_between(_YEAR)}", _report("ledger", _YEAR)),
    "the trial balance": (f"trial-balance?{_between(_YEAR)}", _report("ledger", _YEAR)),
    "the income statement": (
        f"income-statement?{_between(_YEAR)}",
        _report("income-statement", _YEAR, extend_accounts=True),
    ),
    "the balance sheet": (f"balance-sheet?{_between(_YEAR)}", _report("balance-sheet", _YEAR, extend_accounts=True)),
    "VAT": (f"vat?{_between(_YEAR)}", _report("vat-report", _YEAR)),
    "invoices": ("invoices", Asked(f"{_INVOICING}invoice/?page=1&page_size=50")),
    "a search": ("search?text=kahvi", Asked(f"{_BUSINESS}document/?search=kahvi&page=1&page_size=10")),
    "the overview": (f"?{_between(_YEAR)}", _report("income-statement-short", _YEAR)),
}


def bench_view(place: Place) -> list[Result]:
    """Compare the first byte of pages with the request that each is made of, over one service, and look at memory."""
    book = make_book(place, TRANSACTIONS)
    own = {"ACCTCLI_DATA_DIR": str(book.data_dir)}
    port = free_port()
    token = _told(_with(place.command("acctcli", "local", "token"), own)).strip()
    served = _with(place.command("acctcli", "local", "serve", "--port", str(port), "--quiet"), own)
    there = {"ACCTCLI_LOCAL_BASE_URL": f"http://127.0.0.1:{port}", "ACCTCLI_LOCAL_TOKEN": token}
    with running(served, port), _viewing(place, there) as (root, cookie, process):
        pages, results, before = urlsplit(root), list[Result](), 0
        for name, (path, asked) in PAGES.items():
            page = partial(_timed, pages.port or 0, Asked(f"{pages.path}{path}"), {"Cookie": cookie})
            listed = partial(_timed, port, asked, {"Authorization": f"Token {token}"})
            page(), listed()
            pairs = take_turns(3 * place.rounds, page, listed)
            firsts, wholes = ([(ours[one], theirs[one]) for ours, theirs in pairs] for one in (0, 1))
            limit = None if name in _SHORT else LIMIT
            results += [_result(f"{name}, first byte", firsts, limit), _result(f"{name}, whole", wholes, None)]
            if name == _SETTLED:
                before = _peak(process)
        after = _peak(process)
        figures = f"{after / 1024:.0f} MiB after all pages, {before / 1024:.0f} MiB after those of a month"
        results.append(Result("memory of the pages", after / before, _MEMORY, figures))
    return results


def _peak(process: int) -> int:
    """Return the most that a process has had in memory, in KiB; of Linux."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def _result(name: str, pairs: Sequence[tuple[float, float]], limit: float | None) -> Result:
    mine, other = medians(pairs)
    return Result(name, median_ratio(pairs), limit, f"{mine * 1000:.1f} ms, the request {other * 1000:.1f} ms")


def _with(command: Command, environ: dict[str, str]) -> Command:
    return replace(command, environ={**command.environ, **environ})


def _told(command: Command) -> str:
    return subprocess.run(
        [str(word) for word in command.arguments],
        env=dict(command.environ),
        cwd=command.folder,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


@contextmanager
def _viewing(place: Place, environ: dict[str, str]) -> Iterator[tuple[str, str, int]]:
    """Run `view`, and yield the address of its pages, the cookie that lets in, and its process."""
    command = _with(
        place.command(
            "acctcli", "view", "--no-browser", "--quiet", "--output", "jsonl", "--business", SLUG, "--env", "local"
        ),
        environ,
    )
    process = subprocess.Popen(
        [str(word) for word in command.arguments],
        env=dict(command.environ),
        cwd=command.folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"]
        parts = urlsplit(address)
        reply = _reply(parts.port or 0, Asked(f"{parts.path}?{parts.query}"), {})
        cookie = next(line for line in reply.split("\r\n") if line.startswith("Set-Cookie: "))
        yield address.partition("?")[0], cookie.removeprefix("Set-Cookie: ").partition(";")[0], process.pid
    finally:
        process.terminate()
        process.wait()


def _reply(port: int, asked: Asked, headers: dict[str, str]) -> str:
    with closing(socket.create_connection(("127.0.0.1", port), 30)) as connection:
        connection.sendall(_request(port, asked, headers))
        return connection.recv(65536).decode()


def _timed(port: int, asked: Asked, headers: dict[str, str]) -> tuple[float, float]:
    """Return the seconds from a connection to the first byte of a good reply, and to its end."""
    started = time.perf_counter()
    with closing(socket.create_connection(("127.0.0.1", port), 60)) as connection:
        connection.sendall(_request(port, asked, headers))
        first = connection.recv(65536)
        seconds = time.perf_counter() - started
        while connection.recv(2**20):
            pass
        whole = time.perf_counter() - started
    if not first.startswith(b"HTTP/1.1 200"):
        raise BenchError(f"{asked.path}: {first[:200]!r}")
    return seconds, whole


def _request(port: int, asked: Asked, headers: dict[str, str]) -> bytes:
    body = b"" if asked.body is None else json.dumps(asked.body).encode()
    told = {"Content-Type": "application/json", "Content-Length": str(len(body))} if body else {}
    given = {"Host": f"127.0.0.1:{port}", "Connection": "close", **told, **headers}
    line = f"{'POST' if body else 'GET'} {asked.path} HTTP/1.1"
    return "\r\n".join([line, *(f"{name}: {value}" for name, value in given.items()), "", ""]).encode() + body
