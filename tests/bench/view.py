"""Pages of `view` against the requests that they are made of, on a book of 20,000 entries and more."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

from tests.bench.books import SLUG, make_book
from tests.bench.measure import BenchError, Command, Result, median_ratio, medians, take_turns
from tests.bench.place import Place
from tests.bench.servers import free_port, running

TRANSACTIONS = 8_000
_LIST = f"/v1/business/{SLUG}/document/?is_draft=false&page=%d&page_size=25"


def bench_view(place: Place) -> list[Result]:
    """Compare the first byte of a page of the journal with the list that it is made of, over one service."""
    book = make_book(place, TRANSACTIONS)
    own = {"ACCTCLI_DATA_DIR": str(book.data_dir)}
    port = free_port()
    token = _told(_with(place.command("acctcli", "local", "token"), own)).strip()
    served = _with(place.command("acctcli", "local", "serve", "--port", str(port), "--quiet"), own)
    there = {"ACCTCLI_LOCAL_BASE_URL": f"http://127.0.0.1:{port}", "ACCTCLI_LOCAL_TOKEN": token}
    with running(served, port), _viewing(place, there) as (root, cookie):
        pages = urlsplit(root)
        results = []
        for name, number in (("first", 1), ("deep", TRANSACTIONS // 25)):
            page = partial(_timed, f"{pages.path}journal?page={number}", {"Cookie": cookie}, pages.port or 0)
            listed = partial(_timed, _LIST % number, {"Authorization": f"Token {token}"}, port)
            page(), listed()
            pairs = take_turns(10 * place.rounds, page, listed)
            firsts, wholes = ([(ours[one], theirs[one]) for ours, theirs in pairs] for one in (0, 1))
            results += [
                _result(f"{name} page of the journal, first byte", firsts, 3.0),
                _result(f"{name} page of the journal, whole", wholes, None),
            ]
    return results


def _result(name: str, pairs: Sequence[tuple[float, float]], limit: float | None) -> Result:
    mine, other = medians(pairs)
    return Result(name, median_ratio(pairs), limit, f"{mine * 1000:.1f} ms, the list {other * 1000:.1f} ms")


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
def _viewing(place: Place, environ: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Run `view`, and yield the address of its pages and the cookie that lets in."""
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
        reply = _reply(f"{parts.path}?{parts.query}", {}, parts.port or 0)
        cookie = next(line for line in reply.split("\r\n") if line.startswith("Set-Cookie: "))
        yield address.partition("?")[0], cookie.removeprefix("Set-Cookie: ").partition(";")[0]
    finally:
        process.terminate()
        process.wait()


def _reply(path: str, headers: dict[str, str], port: int) -> str:
    with closing(socket.create_connection(("127.0.0.1", port), 30)) as connection:
        connection.sendall(_request(path, headers, port))
        return connection.recv(65536).decode()


def _timed(path: str, headers: dict[str, str], port: int) -> tuple[float, float]:
    """Return the seconds from a connection to the first byte of a good reply, and to its end."""
    started = time.perf_counter()
    with closing(socket.create_connection(("127.0.0.1", port), 30)) as connection:
        connection.sendall(_request(path, headers, port))
        first = connection.recv(65536)
        seconds = time.perf_counter() - started
        while connection.recv(65536):
            pass
        whole = time.perf_counter() - started
    if not first.startswith(b"HTTP/1.1 200"):
        raise BenchError(f"{path}: {first[:200]!r}")
    return seconds, whole


def _request(path: str, headers: dict[str, str], port: int) -> bytes:
    given = {"Host": f"127.0.0.1:{port}", "Connection": "close", **headers}
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items()), "", ""]
    return "\r\n".join(lines).encode()
