"""E-invoices by the client of an operator: a program that is run for each of them (docs/interface.md 7.4).

It is named by its words, without a shell, and is given a file. What it wrote and how it ended is kept as a receipt, of
very much its beginning and its end, and how much is left out. Who ends with 0 has taken the e-invoice over, who ends
with another code has not; of who is ended, for taking or writing too much, nobody can tell.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple

from acctcli.errors import UsageError
from acctcli.service.delivery.mail import one_line
from acctcli.service.problems import MailUnsure, NotSent, Precondition
from acctcli.service.store.contents import created

COMMAND = "ACCTCLI_EINVOICE_COMMAND"
# where the path of the file goes; behind all words if it is none of them
FILE = "{file}"
RECEIPT = ".receipt.json"
# below what a command line waits for an answer
DEADLINE = 100.0
# what a receipt keeps whole; of more its beginning and its end, half of this each
_LONGEST_OUTPUT = 2**16
# who writes more is ended: it is kept on the disk while the client runs
_MOST_OUTPUT = 2**24
# between two looks at whether it has ended, and how much it wrote
_PACE = 0.05
_LONGEST_REASON = 300
# of sysexits: it may work later
_TEMPORARY = 75
# settings of ours, some of which are secrets
_OWN = "ACCTCLI_"


class OperatorClient(NamedTuple):
    """A program, by its words, and how many seconds it may take."""

    words: tuple[str, ...]
    deadline: float = DEADLINE

    @property
    def name(self) -> str:
        """What it is called."""
        return Path(self.words[0]).name


def operator_client(written: str | None) -> OperatorClient | None:
    """Return the program that a variable names, a JSON array of its words; None for none, UsageError for what is none.

    It is looked for in the search path, not in the folder one is in.
    """
    if not written:
        return None
    try:
        words = json.loads(written)
    except ValueError:
        words = None
    if not isinstance(words, list) or not words or not all(isinstance(one, str) and one for one in words):
        raise UsageError(
            f"{COMMAND}: {written!r} is no array of words",
            hint=f'write the program and its options as JSON: ["/usr/bin/operator-client", "send", "{FILE}"]',
        )
    return OperatorClient(tuple(words))


def hand_over(client: OperatorClient, path: Path, content: bytes, leaves: Callable[[], None]) -> None:
    """Run the client with a file of this content; `leaves` is called before it begins.

    Raises Precondition when it refuses, NotSent when it cannot be run or says that it may work later, MailUnsure
    when it was ended. The file is for the client only, and is removed; what it said stays beside it.
    """
    words = [one.replace(FILE, str(path)) for one in client.words]
    words += [] if words != list(client.words) else [str(path)]
    with created(path) as stream:
        stream.write(content)
    try:
        leaves()
        _run(client, words, path)
    finally:
        path.unlink(missing_ok=True)


def unheard(client: OperatorClient) -> MailUnsure:
    """Return what is said where the client was ended before it said anything."""
    return MailUnsure(f"{client.name} did not say whether it took the e-invoice over, which may have left.")


def _run(client: OperatorClient, words: list[str], path: Path) -> None:
    own = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
    began, code = time.monotonic(), None
    # a file, as a pipe would end what the client leaves behind; beside the others, as other places may be memory
    with TemporaryFile(dir=path.parent) as output:
        try:
            # a session of its own: what interrupts us does not end it half way
            process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=own, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise NotSent(f"{client.name} cannot be run: {error}. Nothing was sent.") from error
        try:
            code = _wait(process, output, began + client.deadline)
        finally:
            if process.poll() is None:
                _end(process)
            said, left_out = _said(output)
            took = round(time.monotonic() - began, 3)
            told = {"exit_code": code, "seconds": took, "output": said, "bytes_left_out": left_out}
            _keep(path, {"command": words, **told})
    if code is None or code < 0:
        raise unheard(client)
    if code:
        kind = NotSent if code == _TEMPORARY else Precondition
        reason = one_line(said.strip().rpartition("\n")[2])[:_LONGEST_REASON]
        raise kind(f"{client.name} did not take the e-invoice (exit code {code}){': ' if reason else ''}{reason}.")


def _wait(process: subprocess.Popen[bytes], output: IO[bytes], deadline: float) -> int | None:
    """Return the code that the client ended with; None for one that takes, or writes, too much."""
    while (left := deadline - time.monotonic()) > 0 and _length(output) <= _MOST_OUTPUT:
        with suppress(subprocess.TimeoutExpired):
            return process.wait(min(left, _PACE))
    return process.poll()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the client, where a system has sessions with all that it began."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _length(output: IO[bytes]) -> int:
    # the client writes at the place that this file is at: only its length may be asked for
    return os.fstat(output.fileno()).st_size


def _said(output: IO[bytes]) -> tuple[str, int]:
    """Return what the client wrote, of very much the beginning and the end, and how many bytes are left out."""
    length, half = _length(output), _LONGEST_OUTPUT // 2
    output.seek(0)
    if length <= _LONGEST_OUTPUT:
        return output.read(_LONGEST_OUTPUT).decode("utf-8", "replace"), 0
    left_out, first = length - 2 * half, output.read(half)
    output.seek(length - half)
    said = (one.decode("utf-8", "replace") for one in (first, output.read(half)))
    return f"\n[{left_out} bytes are left out]\n".join(said), left_out


def _keep(path: Path, receipt: dict[str, object]) -> None:
    with suppress(OSError):  # that the e-invoice has left is what matters
        place = path.with_name(path.stem + RECEIPT)
        place.unlink(missing_ok=True)
        with created(place) as stream:
            stream.write(json.dumps(receipt, ensure_ascii=False, indent=2).encode())
