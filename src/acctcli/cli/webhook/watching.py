"""Whether what a listener waits for can still come: its subscription, the service, and what earlier ones left behind.

Only of services that have said what subscriptions are: of the others no more is asked than to begin and to end one.
"""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from urllib.parse import urlsplit

import msgspec

from acctcli.cli.output.stderr import tell
from acctcli.cli.session.outage import Outage
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import AcctcliError, NotFound
from acctcli.settings.urls import is_loopback

_EVERY_SECONDS = 5.0
_MOST_LEFT = 200


class _Subscription(msgspec.Struct):
    id: int | str = 0
    name: str = ""
    target_url: str = ""
    is_active: bool = True


class Watch:
    """Looks now and then whether the subscription of a listener is still there, and says what has become of it."""

    def __init__(self, here: State, subscription: int) -> None:
        self._here, self._subscription = here, subscription
        self._outage = Outage()
        self._is_active = True
        self._due = time.monotonic() + _EVERY_SECONDS

    def look(self) -> None:
        """Look if it is time to; NotFound where somebody has deleted it, and nothing can arrive any more."""
        if self._here.environment.is_hosted or time.monotonic() < self._due:
            return
        self._due = time.monotonic() + _EVERY_SECONDS
        try:
            reply = self._here.api.webhooks.get(self._subscription)
        except NotFound as problem:
            text = f"somebody has deleted the subscription {self._subscription}: no event arrives any more"
            raise NotFound(text, status=problem.status, hint="begin anew, which subscribes again") from problem
        except AcctcliError as problem:
            if not self._outage.covers(problem):
                raise
            return
        self._outage.end()
        self._say_whether_active(_read(reply.body))

    def _say_whether_active(self, found: _Subscription) -> None:
        if found.is_active != self._is_active:
            self._is_active = found.is_active
            how = "delivers again" if found.is_active else "is switched off, and events wait: acctcli webhook update"
            command = "" if found.is_active else f" {self._subscription} --active"
            tell(f"note: the subscription {self._subscription} {how}{command}")


def tell_of_leftovers(here: State, name: str) -> None:
    """Name the subscriptions of listeners of this machine that were ended before they could unsubscribe."""
    if here.environment.is_hosted or here.options.dry_run:
        return
    # who may not look may subscribe all the same, or is told of it then
    with suppress(AcctcliError):
        for rows in here.api.webhooks.list({}, Extent(limit=_MOST_LEFT)):
            for found in map(_read, rows):
                if found.name == name and _is_deserted(found.target_url):
                    command = f"acctcli webhook delete {found.id} --yes"
                    tell(f"note: an earlier listener left the subscription {found.id}: {command}")


def _is_deserted(target: str) -> bool:
    """Whether an address is a port of this machine at which nobody listens."""
    with suppress(OSError, ValueError):
        address = urlsplit(target)
        if is_loopback(address.hostname or "") and address.port is not None:
            try:
                socket.create_connection((address.hostname, address.port), timeout=1.0).close()
            except ConnectionRefusedError:
                return True
    return False


def _read(body: bytes) -> _Subscription:
    try:
        return msgspec.json.decode(body, type=_Subscription)
    except (msgspec.DecodeError, RecursionError):
        return _Subscription()
