"""acctcli, ended for good at one of its requests."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Collection
from typing import Any

from acctcli.client.http import Http
from tests.forks import act, run_work
from tests.journeys.places import Place


def cut_off(
    place: Place, number: int, *argv: str, when: str = "after", of: str = "requests", ends: Collection[int] = (0,)
) -> int:
    """Run a command that is killed before or after so many of its requests, or `writes`; return how it ended.

    It may end by itself with one of `ends`.
    """
    with contextlib.chdir(place.folder):
        done = run_work(_cut_off, str(number), when, of, *argv, variables=place.environ)
    assert done.returncode in {*ends, -signal.SIGKILL}, done.stderr.decode()
    return done.returncode


def _cut_off(number: str, when: str, of: str, *argv: str) -> None:
    left, exchange = int(number), Http._exchange

    def counting(self: Http, request: Any, *said: Any) -> Any:
        nonlocal left
        left -= of == "requests" or request.method != "GET"
        if not left and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        reply = exchange(self, request, *said)
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return reply

    Http._exchange = counting  # type: ignore[assignment,method-assign]
    act(*argv)
