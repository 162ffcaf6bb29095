"""What is known of the writes of a command: whether the last one was done, or may have been.

Whatever ends the command, a refusal, a cut, a full disk or a signal, this is what a person has to know.
"""

from __future__ import annotations

from dataclasses import dataclass

from acctcli.client.messages import Request

# a reply that tells nothing of whether the first request under the key is done
_IN_FLIGHT = 409
# "see there", usual after a write, and what somebody between says who did not wait for its end
_UNSURE = frozenset({302, 303, 408, 499})
# statuses of success that the interface has; others say that it is queued, partly done, or cut out of a whole
STATED = frozenset({200, 201, 204})


@dataclass(frozen=True)
class Write:
    """A write that was done, or may have been; `key` repeats it, `told` says it in better words than its address."""

    is_done: bool
    method: str
    path: str
    key: str | None
    told: str = ""


class Writes:
    """Follows the tries of one write after another; `last` is the last that was done or may have been."""

    def __init__(self) -> None:
        self.last: Write | None = None
        self._before: Write | None = None
        self._request: Request | None = None
        self._is_open = False
        self._may_be_done = False

    @property
    def any_done(self) -> bool:
        """Whether the service did something that changes its data."""
        return any(write is not None and write.is_done for write in (self.last, self._before))

    @property
    def may_be_repeated(self) -> bool:
        """Whether a try before the last one of the same write may have done it."""
        return self._may_be_done

    def leaves(self, request: Request) -> None:
        """Note that a try is about to be sent: from now on it may be done."""
        if not request.writes:
            return
        if self._request is not request:
            self._request, self._before = request, self.last
            self._is_open = self._may_be_done = False
        self._may_be_done = self._may_be_done or self._is_open
        self._is_open = True
        if not self._is_done:
            self.last = Write(False, request.method, request.path, request.key)

    def is_answered(self, request: Request, status: int, *, is_void: bool = False) -> None:
        """Note what a reply says of it, as soon as its status is known; `is_void` if it says that nothing was changed.

        No other 5xx is taken for that: a gateway may say it of a request that goes on behind it.
        """
        if not request.writes:
            return
        if status in STATED:
            self.last = Write(True, request.method, request.path, request.key)
            return
        is_in_flight = status == _IN_FLIGHT and request.key is not None
        if is_void or (300 <= status < 500 and status not in _UNSURE and not is_in_flight):
            self.never_arrived(request)

    def never_arrived(self, request: Request) -> None:
        """Note that the try has surely done nothing; an earlier one may have."""
        if not request.writes or self._request is not request:
            return
        self._is_open = False
        if not (self._may_be_done or self._is_done):
            self.last = self._before

    @property
    def _is_done(self) -> bool:
        """Whether the request that is followed was done."""
        return self.last is not self._before and self.last is not None and self.last.is_done
