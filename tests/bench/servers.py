"""Servers in processes of their own, for as long as a benchmark needs them."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.bench.measure import BenchError, Command
from tests.bench.place import CHECKOUT

START_SECONDS = 30.0


@contextmanager
def page_server(rows: int, latency_ms: float = 0) -> Iterator[str]:
    """Serve `rows` documents of 6 KB, and yield the base URL."""
    arguments = ["-m", "tests.bench.page_server", "--rows", str(rows), "--latency-ms", str(latency_ms)]
    process = subprocess.Popen([sys.executable, *arguments], cwd=CHECKOUT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        _end(process)


@contextmanager
def running(command: Command, port: int) -> Iterator[None]:
    """Run a server until it listens on `port`, and end it afterwards."""
    with (command.folder / f"server-{port}.log").open("w+") as log:
        process = subprocess.Popen(
            [str(argument) for argument in command.arguments],
            env=dict(command.environ),
            cwd=command.folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _await_port(process, port, command)
            yield
        finally:
            _end(process)


def free_port() -> int:
    """Return a loopback port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def call(port: int, method: str, path: str, token: str, body: bytes | None = None) -> bytes:
    """Send one request with a token and return the reply's body; raise BenchError unless it is 2xx."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    try:
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        text = reply.read()
    finally:
        connection.close()
    if not 200 <= reply.status < 300:
        raise BenchError(f"{method} {path}: {reply.status} {text[:500]!r}")
    return text


def _await_port(process: subprocess.Popen[bytes], port: int, command: Command) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    log = (command.folder / f"server-{port}.log").read_text(errors="replace")
    raise BenchError(f"{command} does not listen on {port}: {log[-2000:]}")


def _end(process: subprocess.Popen[bytes] | subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
