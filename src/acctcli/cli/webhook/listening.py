"""`webhook listen`: a subscription for as long as the command runs, and a receiver for it on this machine.

What the service is told last is that the subscription is over, however the command ends; if it cannot be told, the
command says what ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from socket import gethostname
from threading import Event
from typing import BinaryIO
from urllib.parse import urlsplit

import msgspec

from acctcli.cli.command.body import check
from acctcli.cli.command.event_types import check_event_types
from acctcli.cli.output import sink
from acctcli.cli.output.columns import parse_columns
from acctcli.cli.output.safe import visible
from acctcli.cli.output.show import ALL
from acctcli.cli.output.stderr import tell
from acctcli.cli.output.writers import rows_writer
from acctcli.cli.session.state import State
from acctcli.cli.webhook.receiver import Delivery, Receiver, forwarding
from acctcli.cli.webhook.trial import Trial
from acctcli.cli.webhook.watching import Watch, tell_of_leftovers
from acctcli.client import known
from acctcli.client.faults import unreadable
from acctcli.client.messages import Reply
from acctcli.client.transport import deliver_here
from acctcli.errors import NotFound, ServerFault, UsageError
from acctcli.models.graph import A_PLAIN_HOST, has_odd_host, has_user, is_web_address
from acctcli.models.signature import read_secret
from acctcli.models.webhook import WebhookRequest
from acctcli.settings.urls import is_loopback

_LOOK_SECONDS = 0.5


@dataclass(frozen=True)
class Asked:
    """What to listen for: types of events, all unless some are named; `count` of them end it."""

    target: str | None
    port: int
    forward_to: str | None
    events: Set[str]
    count: int | None


class _Made(msgspec.Struct):
    id: int
    signing_secret: str | None = None


class _Event(msgspec.Struct):
    id: int | str | None = None
    type: str = "?"
    timestamp: str = ""


def listen(here: State, asked: Asked) -> None:
    """Subscribe, try whether a test event arrives, and show what is delivered until it is stopped.

    A service in process delivers nothing by itself: it is asked to, every half a second.
    """
    if here.format == "json":
        # what never ends is no array
        here.options = replace(here.options, output="jsonl", json=False)
    ended = Event()
    with sink.opened(here.options.output_file) as stream:
        teller = _Teller(here, stream, asked, ended.set)
        receiver = Receiver(asked.port, teller.take, ended)
        try:
            tell_of_leftovers(here, _name())
            target = asked.target or receiver.address
            with _subscribed(here, target, receiver) as subscription:
                teller.trial = trial = Trial(here, subscription, target)
                trial.begin()
                watch = Watch(here, subscription)
                while not ended.wait(_LOOK_SECONDS):
                    deliver_here(here.api.http.client, subscription)
                    trial.look()
                    watch.look()
        except KeyboardInterrupt:
            if not receiver.is_ready:
                raise  # whether there is a subscription is not known
            # that is how it ends
            here.say("stopped")
        finally:
            receiver.close()
        if receiver.failure is not None:
            raise receiver.failure


def check_asked(here: State, asked: Asked) -> None:
    """Raise UsageError for what cannot be listened for."""
    check_event_types("--events", asked.events)
    for option, address in (("--target-url", asked.target), ("--forward-to", asked.forward_to)):
        if address is not None and not is_web_address(address):
            raise UsageError(f"{option} {address}: it must be a whole http or https address")
        if address is not None and has_user(address):
            raise UsageError(f"{option} must hold no user and no password: others can read it in the list of processes")
        if address is not None and has_odd_host(address):
            raise UsageError(f"{option} {address}: it must have {A_PLAIN_HOST}")
    environment = here.environment
    host = urlsplit(environment.base_url or "").hostname or ""
    if asked.target is None and not environment.in_process and not is_loopback(host):
        raise UsageError(
            f"the service of environment {environment.name} cannot reach this machine by itself",
            hint="give --target-url with an address that leads to --port here, such as that of a tunnel",
        )


@contextmanager
def _subscribed(here: State, target: str, receiver: Receiver) -> Iterator[int]:
    body = check(WebhookRequest, {"name": _name(), "target_url": target})
    made = _made(here.api.webhooks.create(body, None))
    try:
        receiver.know(_key(made))
        here.say(f"subscribed ({made.id}): events go to {target}; stop it with Ctrl-C")
        if made.signing_secret is None:
            tell("note: the service told no secret: nothing that arrives is verified")
        yield made.id
    finally:
        try:
            receiver.finish()
        finally:
            _unsubscribe(here, made.id)


def _name() -> str:
    return f"acctcli listen on {gethostname()}"[:128]


def _unsubscribe(here: State, number: int) -> None:
    try:
        here.api.webhooks.delete(number)
    except NotFound:
        here.say(f"the subscription {number} was gone already: somebody has deleted it")
        return
    except BaseException:
        tell(f"the subscription {number} may still be there: acctcli webhook delete {number}")
        raise
    here.say(f"unsubscribed ({number})")


def _made(reply: Reply) -> _Made:
    try:
        return msgspec.json.decode(reply.body, type=_Made)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise unreadable(reply, "something else than a subscription") from problem


def _key(made: _Made) -> bytes | None:
    if made.signing_secret is None:
        return None
    known.know(made.signing_secret)
    try:
        return read_secret(made.signing_secret)
    except ValueError:
        raise ServerFault("the secret of the subscription is none", code="unreadable_reply") from None


def _read(body: bytes) -> _Event | None:
    """Return what a line says of an event; None for what is no object. What services of others send is not known."""
    try:
        return msgspec.json.decode(body, type=_Event)
    except (msgspec.DecodeError, RecursionError):
        with suppress(msgspec.DecodeError, RecursionError):
            msgspec.json.decode(body, type=dict[str, msgspec.Raw])
            return _Event()
    return None


class _Teller:
    """Shows each event that is wanted, and hands it on; `enough` is called after the last one."""

    def __init__(self, here: State, stream: BinaryIO, asked: Asked, enough: Callable[[], None]) -> None:
        self._stream = stream
        self._writer = (
            None if here.format == "table" else rows_writer(here, stream, parse_columns(here.options.columns, ALL))
        )
        self._events, self._left, self._enough = asked.events, asked.count, enough
        self._forward = forwarding(asked.forward_to) if asked.forward_to else None
        self._counted = set[str]()
        self.trial: Trial | None = None

    def take(self, delivery: Delivery) -> int:
        """Return what to answer: what was answered where it was handed on to, else that it is here."""
        event = _read(delivery.body)
        if event is None:
            tell(f"refused {delivery.id}: it is no event")
            return 400
        if self.trial is not None and self.trial.takes(event.type):
            return 204
        if self._events and event.type not in self._events:
            return 204
        status = self._forward(delivery) if self._forward else 204
        self._show(delivery, event, status)
        # what was not taken comes again, and what was comes at least once
        if self._left is not None and 200 <= status < 300 and delivery.id not in self._counted:
            self._counted.add(delivery.id)
            if len(self._counted) >= self._left:
                self._enough()
        return status

    def _show(self, delivery: Delivery, event: _Event, status: int) -> None:
        if self._writer is not None:
            self._writer.write([msgspec.Raw(delivery.body)])
        else:
            handed = f"  {status}" if self._forward else ""
            line = visible(f"{event.timestamp or '-'}  {event.type}  {delivery.id}{handed}")
            self._stream.write(line.encode("utf-8", "replace") + b"\n")
        self._stream.flush()
