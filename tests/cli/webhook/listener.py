"""A command that listens, in a process of its own, and a service that delivers to it."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import httpx

from acctcli.models.signature import sign
from tests.cli.processes import environ
from tests.cli.recorder import Answer, Recorder, Sent, said
from tests.forks import Fork, act

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
    return httpx.post(target, content=body, headers=headers, trust_env=False, verify=False, timeout=20).status_code


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

    def __init__(self, process: Fork, streams: tuple[IO[str], IO[str]], target: str, said: str) -> None:
        self.process, self.target, self.said = process, target, said
        self.out, self._err = streams

    def note(self) -> str:
        """The next line that is said."""
        return self._err.readline()

    def line(self) -> str:
        return self.out.readline()

    def stop(self, number: signal.Signals = signal.SIGINT) -> tuple[int, str, str]:
        self.process.end(number)
        return self.end()

    def end(self) -> tuple[int, str, str]:
        code = self.process.wait(30)
        return code, self.out.read(), self.said + self._err.read()


@contextmanager
def listening(server: Recorder, home: Path, *options: str, **more: str) -> Iterator[Listening]:
    with ExitStack() as stack:
        out, its_out, err, its_err = (
            stack.enter_context(os.fdopen(number, mode, encoding="utf-8"))
            for number, mode in zip((*os.pipe(), *os.pipe()), "rwrw", strict=True)
        )
        nothing = stack.enter_context(Path(os.devnull).open(encoding="utf-8"))
        variables = environ(home, server.base_url, **more)
        process = Fork(act, "webhook", "listen", *options, variables=variables, streams=(nothing, its_out, its_err))
        its_out.close()
        its_err.close()
        try:
            said = ""
            while "subscribed (" not in said:
                line = err.readline()
                assert line, said
                said += line
            yield Listening(process, (out, err), json.loads(asked(server, "POST")[0].body)["target_url"], said)
        finally:
            process.end(signal.SIGKILL)
            process.wait()


def own(server: Recorder) -> dict[str, str]:
    """A service of one's own, under a name of its own."""
    return {"ACCTCLI_ENV": "own", "ACCTCLI_OWN_BASE_URL": server.base_url}


def wait_until(is_so: Callable[[], object]) -> None:
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)
