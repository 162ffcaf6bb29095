"""A worker that ends itself, as hard as can be, at one point of its work: run by test_kills.py.

Its arguments: a database, how many seconds its clock is ahead, the how-manieth thing it does is its last, and in which
phase of that it ends: `inside` a transaction, whose work is done, `after` it, or `before` and `behind` what it sends.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import TypeVar, cast

from acctcli.service.cases.workflows.running import Runs
from acctcli.service.delivery.posting import Post
from acctcli.service.delivery.requests import Answer, Outgoing, sender
from acctcli.service.store.engine.database import Connection, Database
from tests.databases import opened
from tests.service.actor import INSTALLATION, START

T = TypeVar("T")


class Point:
    """Where the worker ends."""

    def __init__(self, number: int, phase: str) -> None:
        self._left = number
        self._phase = phase

    def pass_by(self, *phases: str) -> bool:
        """Count something that is done if it has one of these phases; say whether it is the last."""
        if self._phase in phases:
            self._left -= 1
        return self._phase in phases and self._left == 0

    def end(self, phase: str) -> None:
        """End here, if it is the phase."""
        if phase == self._phase:
            os.kill(os.getpid(), signal.SIGKILL)


class Killing:
    """A database in whose transactions the worker ends."""

    def __init__(self, database: Database, point: Point) -> None:
        self._database = database
        self._point = point

    def read(self, claim: int | None = None) -> AbstractContextManager[Connection]:
        return self._database.read(claim)

    def write(self, work: Callable[[Connection], T], *, claim: int | None = None) -> T:
        is_last = self._point.pass_by("inside", "after")

        def ending(conn: Connection) -> T:
            done = work(conn)
            if is_last:
                self._point.end("inside")
            return done

        result = self._database.write(ending, claim=claim)
        if is_last:
            self._point.end("after")
        return result


def main(url: str, ahead: str, number: str, phase: str) -> None:
    """Trigger and advance until nothing is left to do, or the end."""
    point, post = Point(int(number), phase), sender(Post(allows_private=True))

    def send(outgoing: Outgoing) -> Answer:
        is_last = point.pass_by("before", "behind")
        if is_last:
            point.end("before")
        answer = post(outgoing)
        if is_last:
            point.end("behind")
        return answer

    with opened(url) as database:
        killing = cast("Database", Killing(database, point))
        runs = Runs(killing, lambda: START + timedelta(seconds=int(ahead)), os.urandom, INSTALLATION.trail_marker, send)
        while places := runs.waiting():
            for place in places:
                list(runs.drain(place))


if __name__ == "__main__":
    main(*sys.argv[1:])
