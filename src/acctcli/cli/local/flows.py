"""Workflows of the books on this machine, where nothing is served (docs/interface.md 11.3)."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from acctcli.cli.session.state import State
from acctcli.errors import Conflict, ServerFault, ServiceError

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from acctcli.service.http.embedded import EmbeddedService


class Run(NamedTuple):
    """A run of a workflow that is over, or is due; without a number it would begin."""

    business: str
    workflow: int
    run: int | None
    action: str
    problem: str | None = None


@contextmanager
def explained() -> Iterator[None]:
    """Raise what the service refuses as an error of the tree: ServerFault where the database is in the way."""
    from acctcli.service.problems import Problem, Unavailable
    from acctcli.service.store.engine.connection import DatabaseFault, explain

    try:
        yield
    except (Problem, DatabaseFault) as refusal:
        problem = explain(refusal)
        if problem is None:
            raise
        kind: type[ServiceError] = ServerFault if isinstance(problem, Unavailable) else Conflict
        raise kind(problem.detail) from refusal


def advance_workflows(here: State, service: EmbeddedService, *, allows_private: bool, seconds: float) -> Iterator[Run]:
    """Begin the runs that events trigger, advance those that are due, and yield each that is over, for so many seconds.

    What waits because a workflow began too many is named.
    """
    for ran in service.advance_workflows(allows_private=allows_private, seconds=seconds):
        yield Run(ran.business, ran.workflow_id, ran.run_id, ran.status, ran.error)
    for held in service.held_workflows():
        what = f"workflow {held.workflow_id} in {held.slug}"
        here.say(f"{what} began too many runs: what else it is to do waits until {held.until}")


def preview_workflows(service: EmbeddedService) -> Iterator[Run]:
    """Yield the runs that are due, and those that would begin."""
    for business, workflow, run in service.preview_workflows():
        yield Run(business, workflow, run, "due")


class Stepper:
    """Advances one run, a step at a time, for whoever has only so much time to wait for it; the service is its own.

    A step that is under way when this is closed ends with the process, as if killed: it is repeated later. The service
    is closed behind it: a connection that is closed while another thread is in it takes the process down.
    """

    def __init__(self, service: EmbeddedService, slug: str, workflow: int, run: int, *, allows_private: bool) -> None:
        self._service = service
        self._run = slug, workflow, run
        self._allows_private = allows_private
        self._pool = ThreadPoolExecutor(1)
        self._step: Future[bool] | None = None
        self.refusal: ServerFault | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=False)
        if self._step is None:
            self._service.close()
        else:
            self._step.add_done_callback(lambda step: self._service.close())

    def advance(self, seconds: float) -> bool:
        """Do a step, or wait for the one under way, so long at most; say whether one was done.

        A database that is in the way is the `refusal`, until it is not.
        """
        if self._step is None:
            advance = self._service.advance_run
            self._step = self._pool.submit(advance, *self._run, allows_private=self._allows_private)
        wait([self._step], timeout=seconds)
        if not self._step.done():
            return False
        step, self._step, self.refusal = self._step, None, None
        try:
            with explained():
                return step.result()
        except ServerFault as refusal:
            self.refusal = refusal
            return False
