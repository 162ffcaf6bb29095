"""What a workflow sends over HTTP: one request, of which the status is kept (docs/interface.md 11.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from acctcli import __version__
from acctcli.service.delivery.targets import Refused

AGENT = f"acctcli-local/{__version__}"
# what each word of a refusal says of a host
REASONS = {
    "target_invalid": "The address is not one that a request can be sent to.",
    "target_forbidden": "The address leads to this machine, a private network or a special address: nothing is sent.",
    "name_unknown": "There is no host of this name.",
    "timeout": "There was no answer in time.",
    "connection_refused": "The host takes no connection.",
    "connection_closed": "The host ended the connection without an answer.",
    "certificate_invalid": "The certificate of the host is not valid here.",
    "tls_failed": "There is no secure connection to the host.",
    "answer_invalid": "The answer was not one of HTTP.",
    "unreachable": "The host cannot be reached.",
}
# an address, headers, a body and a method; returns the status of the answer, or raises Refused
Poster = Callable[[str, Mapping[str, str], bytes, str], int]


class Outgoing(NamedTuple):
    """A request that is to leave; `key` is the same whenever it is sent again, `body` is JSON, None for none."""

    method: str
    url: str
    body: bytes | None
    key: str


class Answer(NamedTuple):
    """How a request was answered, or why it was not, in a sentence."""

    status: int | None
    error: str | None = None


Send = Callable[[Outgoing], Answer]


def sender(post: Poster) -> Send:
    """Return what sends a request, by what posts."""

    def send(outgoing: Outgoing) -> Answer:
        headers = {"User-Agent": AGENT, "Idempotency-Key": outgoing.key}
        if outgoing.body is not None:
            headers["Content-Type"] = "application/json"
        try:
            return Answer(post(outgoing.url, headers, outgoing.body or b"", outgoing.method))
        except Refused as refusal:
            return Answer(None, REASONS[refusal.kind])

    return send
