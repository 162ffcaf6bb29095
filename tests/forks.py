"""Processes that begin as copies of one that has imported what they need: that takes longer than what they do.

They are for tests of what several processes do to each other, not of how a program begins.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.reduction import DupFd
from pathlib import Path
from subprocess import CompletedProcess
from typing import IO, Any, Final

# what is copied, once a test of this process has asked for it
_IMPORTED: Final = [
    "tests.service.cases.workflows.worker",
    "tests.deliverer",
    "tests.credentials.sign_in.worker",
    "tests.journeys.cutting",
    # of these, what commands import when they need it
    "acctcli.cli.bank.commands",
    "acctcli.cli.webhook.commands",
    "acctcli.client.api",
    "acctcli.service.http.embedded",
    "acctcli.service.routes.business.document",
    "acctcli.service.routes.business.relation",
    "acctcli.service.routes.invoicing.invoice",
    "acctcli.service.routes.invoicing.purchase_invoice",
]
_CONTEXT: Final = get_context("forkserver")
_CONTEXT.set_forkserver_preload(_IMPORTED)
_SECONDS: Final = 120.0


class Fork:
    """A process that does work, a function of a module; `streams` are what it has for stdin, stdout and stderr.

    It has these variables, or those of the first test that asked for a process, and the current folder.
    """

    def __init__(
        self,
        work: Callable[..., object],
        *arguments: str,
        variables: Mapping[str, str] | None = None,
        streams: Sequence[IO[Any]] = (),
    ) -> None:
        given = None if variables is None else dict(variables)
        handed = [_Handed(one.fileno()) for one in streams]
        self._process = _CONTEXT.Process(target=_begin, args=(work, arguments, given, Path.cwd(), handed))
        self._process.start()

    def end(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        assert self._process.pid is not None
        if self._process.is_alive():
            os.kill(self._process.pid, number)

    def wait(self, seconds: float = _SECONDS) -> int:
        """Wait for its end; return its exit code, below zero for a signal."""
        self._process.join(seconds)
        if (code := self._process.exitcode) is None:
            self._process.kill()
        assert code is not None, f"{self._process.name} does not end"
        return code


def run(work: Callable[..., object], *arguments: str) -> int:
    """Do work in a process of its own; return its exit code."""
    return Fork(work, *arguments).wait()


def run_work(work: Callable[..., object], *arguments: str, variables: Mapping[str, str]) -> CompletedProcess[bytes]:
    """Do work to its end in a process of its own, without stdin; keep what it says."""
    with Path(os.devnull).open("rb") as nothing, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        code = Fork(work, *arguments, variables=variables, streams=(nothing, out, err)).wait()
        out.seek(0)
        err.seek(0)
        return CompletedProcess([*arguments], code, out.read(), err.read())


def run_command(argv: Sequence[str], variables: Mapping[str, str]) -> CompletedProcess[bytes]:
    """Run one command line of acctcli to its end, in a process of its own."""
    return run_work(act, *argv, variables=variables)


def act(*argv: str) -> None:
    """Be acctcli, in a process that ends with it."""
    from acctcli.__main__ import main

    sys.argv[1:] = argv
    main()


def act_measured(figure: str, folder: str, *argv: str) -> None:
    """Be acctcli in a folder; leave in a file the most memory that the process had, in bytes."""
    os.chdir(folder)
    if not (number := os.fork()):
        act(*argv)
    _, status, usage = os.wait4(number, 0)
    Path(figure).write_text(str(usage.ru_maxrss * 1024))
    sys.exit(os.waitstatus_to_exitcode(status))


class _Handed:
    """A file that another process has as well."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __reduce__(self) -> tuple[Callable[[Any], int], tuple[Any]]:
        return _taken, (DupFd(self._number),)


def _taken(handed: Any) -> int:
    number: int = handed.detach()
    return number


def _begin(
    work: Callable[..., object],
    arguments: tuple[str, ...],
    variables: dict[str, str] | None,
    folder: Path,
    streams: list[int],
) -> None:
    os.chdir(folder)
    if variables is not None:
        os.environ.clear()
        os.environ.update(variables)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    if streams:
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(one, mode, encoding="utf-8") for one, mode in enumerate("rww"))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    work(*arguments)
