"""Requests to a login host: no token of the service goes there, no redirect is followed, and none is repeated.

A reply may be lost after the request did its work. What is used up by that must not be sent again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from acctcli import __version__
from acctcli.client.deadline import Deadline
from acctcli.client.direct import httpx
from acctcli.client.encoding import ACCEPTED, unpacked
from acctcli.client.retry import Policy
from acctcli.client.transport import network_client
from acctcli.errors import AcctcliError, NetworkError, ServerFault

_SECONDS = 30.0
_LONGEST = 256 * 1024
_NEVER_RECEIVED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_NOT_DONE = frozenset({429, 503})


class NeverSent(NetworkError):
    """The request did not reach the login host, or that said that it did nothing: it may be sent again."""


class ReplyLost(NetworkError):
    """The request left, and nobody knows what became of it."""


@dataclass(frozen=True)
class Answer:
    """What a login host answered: a status below 500, and a JSON object."""

    status: int
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class LoginHost:
    """Reaches login hosts; `ca_file` is trusted instead of the system's certificates, `seconds` are for a request."""

    ca_file: Path | None = None
    seconds: float = _SECONDS

    def get(self, url: str) -> Answer:
        """Return the JSON object at an address."""
        return self._ask("GET", url, None)

    def post(self, url: str, form: Mapping[str, str]) -> Answer:
        """Send a form and return the JSON object of the reply; an empty reply is an empty object."""
        return self._ask("POST", url, urlencode(form).encode())

    def _ask(self, method: str, url: str, body: bytes | None) -> Answer:
        host = httpx.URL(url).host
        deadline = Deadline(self.seconds)
        headers = {"accept": "application/json", "accept-encoding": ACCEPTED, "user-agent": f"acctcli/{__version__}"}
        if body is not None:
            headers["content-type"] = "application/x-www-form-urlencoded"
        timeout = httpx.Timeout(Policy().timeouts(self.seconds)).as_dict()
        request = httpx.Request(
            method, url, content=body, headers=headers, extensions={"timeout": timeout, "deadline": deadline}
        )
        try:
            with (
                closing(network_client(url, self.ca_file)) as client,
                closing(client.send(request, stream=True)) as got,
            ):
                return Answer(got.status_code, _object(got.status_code, host, _read(got, host, deadline)))
        except (httpx.InvalidURL, httpx.LocalProtocolError, UnicodeError) as fault:
            raise ServerFault(f"{host} is asked at an address that is none", code="unreadable_reply") from fault
        except _NEVER_RECEIVED as fault:
            raise NeverSent(f"{host}: cannot connect ({fault or type(fault).__name__})") from fault
        except (httpx.HTTPError, TimeoutError) as fault:
            raise ReplyLost(f"{host}: the reply did not come ({str(fault) or type(fault).__name__})") from fault


def _read(response: httpx.Response, host: str, deadline: Deadline) -> bytes:
    if response.status_code in _NOT_DONE:
        raise NeverSent(f"{host} is busy ({response.status_code}); try again later")
    body = b""
    for chunk in unpacked(response):
        deadline.left()
        body += chunk
        if len(body) > _LONGEST:
            raise ServerFault(f"{host} sent more than {_LONGEST // 1024} KiB", code="unreadable_reply")
    return body


def _object(status: int, host: str, body: bytes) -> Mapping[str, Any]:
    try:
        fields = json.loads(body) if body.strip() else {}
    except (ValueError, RecursionError):
        fields = None
    if status >= 500 or not isinstance(fields, dict):
        raise _odd(status, host)
    return fields


def _odd(status: int, host: str) -> AcctcliError:
    if status >= 500:
        return ReplyLost(f"{host} failed ({status})")
    return ServerFault(f"{host} answered {status}, and no JSON object", status=status, code="unreadable_reply")
