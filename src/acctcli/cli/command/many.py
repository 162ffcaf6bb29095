"""Many writes by one command: each under a key made from one base key, so that a failure half way does no harm.

The message of a failure names the base key; running the command again with it goes on without doing anything twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from acctcli.cli.output.columns import Rows
from acctcli.cli.output.show import show_plans, show_stream
from acctcli.cli.session.state import State
from acctcli.client.messages import Planned, Reply
from acctcli.errors import AcctcliError, Interrupted

Through = Callable[[Iterator[Rows]], Iterator[Rows]]


class Write(NamedTuple):
    """One of them: what sends it, and where it stands, such as `line 2 of 9`."""

    send: Callable[[], Reply]
    place: str


def send_all(
    here: State, writes: Iterable[Write], base: str, columns: Sequence[str], done: str, through: Through = iter
) -> None:
    """Send them in order and show what came of each; a rehearsal shows their requests.

    `done` says after a failure what was done with those before, such as `lines are posted`; the replies pass `through`.
    """
    if here.options.dry_run:
        show_plans(here, _plans(writes))
        return
    sending = through(_replies(writes, base, done))
    try:
        show_stream(here, sending, columns)
    except KeyboardInterrupt as stop:
        raise Interrupted("interrupted", hint=f"go on safely with --idempotency-key {base}") from stop
    except (AcctcliError, OSError):
        # a failure to show, or a reader who left, stops nothing; a failure to send has ended it already
        deque(sending, 0)
        raise


def _replies(writes: Iterable[Write], base: str, done: str) -> Iterator[Rows]:
    for count, write in enumerate(writes):
        try:
            reply = write.send()
        except AcctcliError as error:
            error.message = f"{write.place}: {error.message}"
            error.hint = f"{count} {done}; mend it and go on with --idempotency-key {base}"
            raise
        yield [msgspec.Raw(reply.body)]


def _plans(writes: Iterable[Write]) -> Iterator[Rows]:
    for write in writes:
        try:
            write.send()
        except Planned as planned:
            yield [msgspec.Raw(planned.as_json())]
