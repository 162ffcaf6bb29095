"""The service as a process of its own, on a free port of this machine."""

from __future__ import annotations

import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

START_SECONDS = 30.0
PORTS = range(10_000, 32_000)


@contextmanager
def serve(environ: Mapping[str, str], *options: str, folder: Path | None = None) -> Iterator[str]:
    """Run `acctcli local serve` until the end of the block; yield the address it answers at."""
    port = free_port()
    command = [sys.executable, "-m", "acctcli", "local", "serve", "--port", str(port), "--quiet", *options]
    with subprocess.Popen(command, env=environ, cwd=folder) as server:
        try:
            wait_for(port, server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(START_SECONDS)


def free_port() -> int:
    """Return a port that nobody listens at, below those that systems give to whoever asks for any."""
    while True:
        with suppress(OSError), socket.create_server(("127.0.0.1", secrets.choice(PORTS))) as probe:
            return int(probe.getsockname()[1])


def wait_for(port: int, server: subprocess.Popen[Any]) -> None:
    """Wait until somebody listens."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert server.poll() is None, f"the server ended with {server.returncode}"
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.02)
        else:
            return
