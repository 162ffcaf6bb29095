"""A test event for who listens: whether what the service delivers arrives here (docs/interface.md 11.6).

Who waits for events cannot tell one that has not happened from one that nobody delivers, or that goes elsewhere.
"""

from __future__ import annotations

import time
from threading import Event

import msgspec

from acctcli.cli.output.stderr import tell
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import AcctcliError
from acctcli.models.events import PING

# whoever delivers looks twice a second, and takes what is due at once
_PATIENCE = 3.0
_WAITING, _DELIVERED = "waiting", "delivered"


class _Delivery(msgspec.Struct):
    status: str
    attempts: int
    created_at: str
    next_attempt_at: str | None = None
    last_status: int | None = None
    last_error: str | None = None


class Trial:
    """One test event, which is neither shown nor handed on; `look` says what has become of it, each thing once."""

    def __init__(self, here: State, subscription: int, target: str) -> None:
        self._here, self._subscription, self._target = here, subscription, target
        self._arrived = Event()
        self._is_told = False
        # an interface without such operations has services that deliver by themselves, as far as anybody knows
        self._is_over = here.environment.is_hosted
        self._begun = time.monotonic()

    def begin(self) -> None:
        """Ask the service for the event; one that has no such operation is not tried."""
        if self._is_over:
            return
        try:
            self._here.api.ping(self._subscription)
        except AcctcliError:
            self._is_over = True

    def takes(self, kind: str) -> bool:
        """Whether an event of this type is the one that was asked for; the first of its type is."""
        if kind != PING or self._is_over or self._arrived.is_set():
            return False
        self._arrived.set()
        return True

    def look(self) -> None:
        """Say that it has arrived, or what keeps it from that."""
        if self._is_over:
            return
        problem = None if self._is_told or self._arrived.is_set() else self._find_problem()
        if self._arrived.is_set():
            self._is_over = True
            self._here.say("a test event has arrived")
        elif problem:
            self._is_told = True
            tell(f"note: a test event {problem}")

    def _find_problem(self) -> str | None:
        told = self._here.api.subscription_deliveries(self._subscription)
        try:
            rows = next(iter(told.list({"type": PING}, Extent(limit=1))), [])
            found = [msgspec.json.decode(row, type=_Delivery) for row in rows]
        except (AcctcliError, msgspec.DecodeError):
            return None  # it is asked again soon
        return self._problem_of(found[0]) if found else None

    def _problem_of(self, delivery: _Delivery) -> str | None:
        if delivery.status == _DELIVERED:
            return f"was delivered, and did not arrive here: {self._target} leads elsewhere"
        if delivery.last_error == "target_forbidden":
            return f"must not go to {self._target}: the service allows it when it is told --allow-private-targets"
        if delivery.last_error or delivery.last_status:
            how = delivery.last_error or f"it was answered with {delivery.last_status}"
            return f"could not be delivered to {self._target}: {how}"
        if delivery.status != _WAITING:
            return "is not delivered any more: somebody has ended the subscription"
        # whoever attempts a delivery first moves the moment that it is due at
        is_untouched = delivery.attempts == 0 and delivery.next_attempt_at == delivery.created_at
        if is_untouched and time.monotonic() - self._begun >= _PATIENCE:
            return (
                "waits, and nothing delivers it: the service must be served with --deliver, "
                "and to reach this machine with --allow-private-targets"
            )
        return None
