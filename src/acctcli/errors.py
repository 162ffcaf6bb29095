"""One error tree; each class knows its exit code.

AcctcliError (1)
+-- NotWritten (1)         what a command leaves cannot be written: a full disk, a closed stream
+-- UsageError (2)             the input is wrong; nothing was sent
+-- NetworkError (3)           unreachable, timeout, TLS, reset
+-- ServiceError               the service answered, and the answer is no
|   +-- NotAuthenticated (4)   401, or there is no token to send
|   +-- Forbidden (5)          403
|   +-- NotFound (6)           404, 405
|   +-- Rejected (7)           400, 415, 422 and every other 4xx
|   +-- Conflict (8)           409, 412, 423
|   +-- ServerFault (9)        5xx, 429 beyond retries, an unreadable reply
+-- Incomplete (10)            a result that is not whole
+-- Interrupted (128 + n)      Ctrl-C (130), SIGTERM (143), SIGHUP (129)

The tree knows neither HTTP nor the terminal: `client` maps statuses to it, `cli` prints it.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence

# what is wrong with a disk or a stream, whatever is written there
UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}


class AcctcliError(Exception):
    """A failure with a message for people, an optional hint, and an exit code."""

    exit_code = 1
    code = "internal_fault"

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class NotWritten(AcctcliError):
    """What a command leaves behind, its output or what it remembers, cannot be written here."""

    code = "not_written"


class UsageError(AcctcliError):
    """The command or its input is wrong; `fields` names what and why."""

    exit_code = 2
    code = "usage"

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        fields: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.fields = dict(fields or {})


def unwritten(message: str, problem: OSError, hint: str | None = None) -> AcctcliError:
    """Return what it means that something cannot be written: NotWritten, or UsageError where another place would do."""
    kind = NotWritten if problem.errno in UNWRITABLE else UsageError
    return kind(f"{message}: {problem.strerror or problem}", hint=hint if kind is UsageError else None)


class NetworkError(AcctcliError):
    """The service could not be reached, or the connection broke."""

    exit_code = 3
    code = "network"


class ServiceError(AcctcliError):
    """The service refused; `fields` maps dotted field names to its texts.

    `own_code` is the word for programs that the reply had itself, None where it had none.
    """

    exit_code = 9
    code = "service_error"

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        fields: Mapping[str, Sequence[str]] | None = None,
        request_id: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.status = status
        self.own_code = code
        self.code = code or type(self).code
        self.fields = dict(fields or {})
        self.request_id = request_id


class NotAuthenticated(ServiceError):
    """401, or no token at all."""

    exit_code = 4
    code = "not_authenticated"


class Forbidden(ServiceError):
    """403: signed in, but not allowed."""

    exit_code = 5
    code = "permission_denied"


class NotFound(ServiceError):
    """404: no such record here."""

    exit_code = 6
    code = "not_found"


class Rejected(ServiceError):
    """400 or 422: the service found the request invalid."""

    exit_code = 7
    code = "validation_error"


class Conflict(ServiceError):
    """409, 412 or 423: the record's state, a dependency or a lock forbids it."""

    exit_code = 8
    code = "conflict"


class ServerFault(ServiceError):
    """The service failed, throttled beyond patience, or sent something unreadable."""

    exit_code = 9
    code = "server_error"


class TooDeep(ServerFault):
    """Lists and objects lie in one another deeper than they can be followed."""

    def __init__(self) -> None:
        super().__init__("the reply is nested deeper than this program follows", code="unreadable_reply")


class Incomplete(AcctcliError):
    """A result is not whole or contradicts itself: a list, a report, a download."""

    exit_code = 10
    code = "incomplete"


class Interrupted(AcctcliError):
    """The user pressed Ctrl-C, or a signal ended the command: 128 and its number."""

    exit_code = 130
    code = "interrupted"

    def __init__(self, signal: int = 2) -> None:
        super().__init__("interrupted" if signal == 2 else f"ended by signal {signal}")
        self.exit_code = 128 + signal


class Stopped(KeyboardInterrupt):
    """A signal came that ends a command wherever it is; `last` also where what it came in made another fault of it."""

    last: Stopped | None = None

    def __init__(self, signal: int) -> None:
        super().__init__()
        self.signal = signal
        Stopped.last = self
