"""A command that listens, in a process of its own, and a service that delivers to it."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from acctcli.models.signature import sign
from tests.cli.processes import ACCTCLI, environ
from tests.cli.recorder import Answer, Recorder, Sent, said

SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
KEY = b"0123456789abcdef01234567"
SUBSCRIPTIONS = "/v1/business/demo/webhook_subscriptions/"


def event(number: int, kind: str = "tag.created", **more: object) -> bytes:
    about = {
        "id": number,
        "type": kind,
        "timestamp": "2026-01-01T00:00:00Z",
        "business_slug": "demo",
        "data": {"id": 1},
    }
    return json.dumps(about | more).encode()


def deliver(target: str, number: int, body: bytes, at: float | None = None, key: bytes = KEY) -> int:
    moment = int(time.time() if at is None else at)
    headers = {
        "content-type": "application/json",
        "webhook-id": f"evt_{number}",
        "webhook-timestamp": str(moment),
        "webhook-signature": sign(key, f"evt_{number}", moment, body),
    }
    return httpx.post(target, content=body, headers=headers, trust_env=False, timeout=20).status_code


PING = f"{SUBSCRIPTIONS}7/action/ping/"


def service(sent: Sent) -> Answer:
    if sent.method == "POST":
        return said({"id": 7, "signing_secret": SECRET}, 201)
    if sent.method == "DELETE":
        return Answer(204, b"")
    return said({"id": 7} if sent.path == f"{SUBSCRIPTIONS}7/" else {"id": 1, "slug": "demo"})


def asked(server: Recorder, method: str) -> list[Sent]:
    return [sent for sent in server.sent if sent.method == method]


class Listening:
    """A command that listens, in a process of its own; `said` is what it has said until it had subscribed."""

    def __init__(self, process: subprocess.Popen[bytes], target: str, said: str) -> None:
        self.process, self.target, self.said = process, target, said

    def note(self) -> str:
        """The next line that is said."""
        assert self.process.stderr is not None
        return self.process.stderr.readline().decode()

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode()

    def stop(self, number: signal.Signals = signal.SIGINT) -> tuple[int, str, str]:
        self.process.send_signal(number)
        return self.end()

    def end(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out.decode(), self.said + err.decode()


@contextmanager
def listening(server: Recorder, home: Path, *options: str, **more: str) -> Iterator[Listening]:
    argv = [*ACCTCLI, "webhook", "listen", *options]
    variables = environ(home, server.base_url, **more)
    process = subprocess.Popen(argv, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        said = ""
        assert process.stderr is not None
        while "subscribed (" not in said:
            line = process.stderr.readline().decode()
            assert line, said
            said += line
        yield Listening(process, json.loads(asked(server, "POST")[0].body)["target_url"], said)
    finally:
        process.kill()
        process.communicate()


def own(server: Recorder) -> dict[str, str]:
    """A service of one's own, under a name of its own."""
    return {"ACCTCLI_ENV": "own", "ACCTCLI_OWN_BASE_URL": server.base_url}


def wait_until(is_so: Callable[[], object]) -> None:
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)
