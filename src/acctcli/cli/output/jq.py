"""What --jq makes of records and rows."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from acctcli.cli.output.columns import Rows, decode_text
from acctcli.cli.output.safe import visible
from acctcli.client import redact
from acctcli.errors import ServerFault, TooDeep, UsageError

if TYPE_CHECKING:
    from acctcli.client.writes import Writes

_LONGEST_REASON = 200
# what the program takes of a list at once, in bytes: it needs four times as much memory
_LARGEST_WHOLE = 32 * 2**20


class JqWriter:
    """Runs the expression over each row (jsonl) or over the whole array (json)."""

    def __init__(self, stream: BinaryIO, program: Filter, *, each: bool) -> None:
        self._stream = stream
        self._program = program
        self._each = each
        self._rows: list[bytes] = []
        self._size = 0

    def write(self, rows: Rows) -> None:
        """Filter the rows, or keep them for the whole."""
        if self._each:
            for row in rows:
                self._program.write(self._stream, bytes(row))
            return
        self._size += sum(map(len, rows))
        if self._size > _LARGEST_WHOLE:
            raise UsageError(
                f"--jq takes {_LARGEST_WHOLE // 2**20} MiB of a whole list at most, and there is more",
                hint="filter row by row with --output jsonl, or ask for fewer rows",
            )
        self._rows.extend(_checked(bytes(row)) for row in rows)

    def close(self) -> None:
        """Filter the whole array."""
        if not self._each:
            self._program.run(self._stream, b"[" + b",".join(self._rows) + b"]")


# words of the program: not a field, a variable or a key in quotes
_REFUSED = re.compile(r"(?<![.\w$\"])(?:(halt(?:_error)?)|env|debug|stderr|input_filename)\b|\$ENV\b")


# how deep lists and objects may lie in one another: the program follows them down its stack
_DEEPEST = 500
# a text without its end goes on to the end
_NESTING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|([\[{])|([\]}])', re.DOTALL)
_OPENS = 1
# the program needs the square of the digits of a number to read it; no amount has so many
_LONG_NUMBER = re.compile(rb"[0-9]{1000}")
# numbers that a program can compute and JSON cannot say, and the texts that may say so
_ODD = re.compile("NaN|-?Infinity")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')


class Filter:
    """A jq expression; numbers it only passes on keep their digits, numbers it computes are binary floats.

    What is known of the `writes` of the command is told when a signal ends it while the expression runs.
    """

    def __init__(self, expression: str, writes: Writes | None = None) -> None:
        import jaq

        self._jaq = jaq
        self._writes = writes
        if refused := _REFUSED.search(expression):
            raise _refusal(expression, refused)
        try:
            self._program = jaq.compile(expression)
        except jaq.JaqError as problem:
            raise UsageError(f"--jq {expression!r}: {_reason(problem)}") from problem

    def write(self, stream: BinaryIO, document: bytes) -> None:
        """Write what the expression makes of a document, one result a line; strings without quotes."""
        self.run(stream, _checked(document))

    def run(self, stream: BinaryIO, document: bytes) -> None:
        """The same for a document whose parts were checked."""
        try:
            results = self._results(document)
        except self._jaq.JaqError as problem:
            raise UsageError(f"--jq: {_reason(problem)}") from problem
        for line in results.split("\n") if results else ():
            if _ODD.search(line) and (odd := _ODD.search(_TEXT.sub("", line))):
                raise UsageError(f"--jq: the result holds {odd[0]}, which is no number that JSON has")
            text = decode_text(line.encode()) if line.startswith('"') else line
            if sys.stdout.isatty():
                text = visible(text)
            stream.write(text.encode("utf-8", "replace") + b"\n")

    def _results(self, document: bytes) -> str:
        """Run the program where signals end it, and where a write is to be told then, in a process of its own."""
        if threading.current_thread() is not threading.main_thread():
            return self._program.text(document, text=True)
        if self._writes is None or self._writes.last is None or sys.platform == "win32":
            with _interruptible():
                return self._program.text(document, text=True)
        is_made, said = _apart(partial(self._made, document))
        if not is_made:
            raise UsageError(f"--jq: {said}")
        return said

    def _made(self, document: bytes) -> tuple[bool, str]:
        with _interruptible():
            try:
                return True, self._program.text(document, text=True)
            except self._jaq.JaqError as problem:
                return False, _reason(problem)


def _apart(make: Callable[[], tuple[bool, str]]) -> tuple[bool, str]:
    """Return what a process of its own makes, which ends with this one's waiting for it, and with this one."""
    import fcntl

    ours, its = os.pipe()
    process = os.fork()
    if not process:
        try:
            os.close(ours)
            # when nobody reads any more, a signal comes that ends it wherever it is
            flags = fcntl.fcntl(its, fcntl.F_GETFL)
            fcntl.fcntl(its, fcntl.F_SETOWN, os.getpid())
            fcntl.fcntl(its, fcntl.F_SETFL, flags | os.O_ASYNC)
            is_made, said = make()
            fcntl.fcntl(its, fcntl.F_SETFL, flags)
            with os.fdopen(its, "wb") as stream:
                stream.write((b"+" if is_made else b"-") + said.encode("utf-8", "surrogatepass"))
        finally:
            os._exit(0)
    try:
        os.close(its)
        with os.fdopen(ours, "rb") as stream:
            told = stream.read()
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    if not told:
        return False, "something ended it"
    return told[:1] == b"+", told[1:].decode("utf-8", "surrogatepass")


def _checked(document: bytes) -> bytes:
    """Return a document; raise ServerFault for one that is nested too deep, or has a number that is too long."""
    if _LONG_NUMBER.search(document) and _LONG_NUMBER.search(_NESTING.sub(_without_text, document)):
        raise ServerFault("the reply has a number of 1,000 digits and more, too long for --jq", code="unreadable_reply")
    if document.count(b"[") + document.count(b"{") > _DEEPEST:
        depth = 0
        for found in _NESTING.finditer(document):
            if found.lastindex is not None:
                depth += 1 if found.lastindex == _OPENS else -1
            if depth > _DEEPEST:
                raise TooDeep()
    return document


def _without_text(found: re.Match[bytes]) -> bytes:
    return b" " if found.lastindex is None else found[0]


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Let signals end the process as it is: no handler runs while the program does, and it may run for ever."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ending = (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))
    handlers = {number: signal.getsignal(number) for number in ending}
    try:
        for number, handler in handlers.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _refusal(expression: str, refused: re.Match[str]) -> UsageError:
    if refused[1]:
        return UsageError(f"--jq {expression!r}: halt and halt_error would end acctcli itself; use empty or error")
    return UsageError(
        f"--jq {expression!r}: {refused[0]} would show what is not in the reply, such as variables that hold tokens",
        hint=f'a field of that name is .{refused[0]}, a key is written "{refused[0]}"',
    )


def _reason(problem: Exception) -> str:
    """The first line of what jaq says; below it there is only a drawing of the place."""
    first = str(problem).strip().split("\n")[0].removeprefix("Error: ")
    return redact.shortened(first, _LONGEST_REASON)
