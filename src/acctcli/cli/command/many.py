"""Many requests by one command: writes under keys made from one base key, so that a failure half way does no harm.

What a failure leaves names the base key; running the command again with it goes on without doing anything twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from typing import NamedTuple

import msgspec

from acctcli.cli.output.columns import Rows, check_object
from acctcli.cli.output.replies import decoded
from acctcli.cli.output.show import show_plans, show_stream
from acctcli.cli.session.state import State
from acctcli.client.messages import Planned, Reply
from acctcli.errors import AcctcliError, Conflict, Forbidden, NotFound, Rejected, UsageError

Through = Callable[[Iterator[Rows]], Iterator[Rows]]


class _Made(msgspec.Struct):
    id: int


class Step(NamedTuple):
    """One of them: what sends it, and where it stands, such as `line 2 of 9`."""

    send: Callable[[], Reply]
    place: str


# of one record, each under another key
_MOST_TRIES = 20
# what is refused to one, and may be granted to the next
_REFUSALS = (Forbidden, NotFound, Rejected, Conflict)


def key_of_one(base: str, name: str) -> str:
    """Return the key of one of many, which the service would take for a repetition under the key of another."""
    from uuid import NAMESPACE_OID, uuid5

    return str(uuid5(uuid5(NAMESPACE_OID, base), name))


@contextmanager
def remedied(remedy: str, name: int | str) -> Iterator[None]:
    """Say what helps where a record is refused for what its fields hold, unless that says it; braces take its name."""
    try:
        yield
    except Conflict as error:
        if remedy and error.fields and error.hint is None:
            error.hint = remedy.format(name)
        raise


@contextmanager
def begun_with(here: State, base: str) -> Iterator[None]:
    """Send what is sent inside under keys made from `base`; what a failure leaves names that one."""
    try:
        yield
    finally:
        known = here.http.writes
        if known.last is not None:
            known.last = replace(known.last, key=base)


def create_once(
    here: State,
    base: str,
    name: str,
    create: Callable[[str], Reply],
    get: Callable[[int], Reply],
    refuse_other: Callable[[], None] = lambda: None,
) -> Reply:
    """Create a record under a key that follows from what it is; one that is gone is followed by another one.

    For what is looked for beforehand by what it is, so that no record on this machine has to know of it. Where the key
    is of another body, `refuse_other` raises as long as that is there.
    """
    for generation in range(_MOST_TRIES):
        try:
            with begun_with(here, base):
                reply = create(key_of_one(base, f"{name} {generation}" if generation else name))
        except Rejected as refused:
            # the key is of another body
            if refused.status != HTTPStatus.UNPROCESSABLE_ENTITY or generation == _MOST_TRIES - 1:
                raise
            refuse_other()
            continue
        if not reply.replayed or _is_there(get, decoded(reply, _Made).id):
            return reply
    raise UsageError(f"the service remembers {_MOST_TRIES} that are gone", hint="give another --idempotency-key")


def _is_there(get: Callable[[int], Reply], record: int) -> bool:
    try:
        get(record)
    except NotFound:
        return False
    return True


def send_all(
    here: State,
    writes: Iterable[Step],
    base: str | None,
    columns: Sequence[str],
    done: Callable[[int], str],
    through: Through = iter,
    *,
    goes_on: bool = False,
) -> None:
    """Send them in order and show what came of each, without columns nothing; a rehearsal shows their requests.

    `done` says after a failure what was done with so many before, such as `2 lines are there`; the replies pass
    `through`.
    The first failure ends it, but `goes_on` leaves those that are refused behind and names them at the end.
    """
    if here.options.dry_run:
        show_plans(here, _plans(writes))
        return
    replies = _Replies(here, writes, is_shown=bool(columns), goes_on=goes_on)
    sending = through(iter(replies))
    try:
        if columns:
            show_stream(here, sending, columns)
        deque(sending, 0)
    except (AcctcliError, OSError):
        # a failure to show, or a reader who left, stops nothing; a failure to send has ended it already
        deque(sending, 0)
        raise
    finally:
        known = here.http.writes
        if known.last is not None:
            known.last = replace(known.last, key=base, told=f"{done(replies.count)}{replies.in_doubt()}")
    if replies.refused:
        raise replies.refusal()


class _Replies:
    """What came of each, a record where it `is_shown`; `count` have been done."""

    def __init__(self, here: State, writes: Iterable[Step], *, is_shown: bool, goes_on: bool) -> None:
        self._known = here.http.writes
        self._writes = writes
        self._is_shown = is_shown
        self._goes_on = goes_on
        self._sending: tuple[str, object] | None = None
        self.count = 0
        self.refused: list[AcctcliError] = []

    def __iter__(self) -> Iterator[Rows]:
        for write in self._writes:
            self._sending = write.place, self._known.last
            try:
                reply = write.send()
                row = check_object(reply.body) if self._is_shown else msgspec.Raw(reply.body)
            except AcctcliError as error:
                error.message = f"{write.place}: {error.message}"
                if not (self._goes_on and isinstance(error, _REFUSALS)):
                    raise
                self.refused.append(error)
                continue
            self._sending = None
            self.count += 1
            yield [row]

    def refusal(self) -> AcctcliError:
        """Return the first refusal, with what all of them say."""
        first, total = self.refused[0], self.count + len(self.refused)
        texts = "; ".join(error.message for error in self.refused)
        first.message = f"{len(self.refused)} of {total} failed: {texts}"
        return first

    def in_doubt(self) -> str:
        """Name the one that may have been done."""
        if self._sending is None or self._known.last is self._sending[1]:
            return ""
        return f", and {self._sending[0]} may be"


def _plans(writes: Iterable[Step]) -> Iterator[Rows]:
    for write in writes:
        try:
            write.send()
        except Planned as planned:
            yield [msgspec.Raw(planned.as_json())]
