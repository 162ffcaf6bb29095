"""What is asked of a service, and what it answers; a dry run ends with the question.

Every command's module needs something of this: what takes time to import is imported where it is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from acctcli.client import redact
from acctcli.client.bounds import RECORD, Limit

if TYPE_CHECKING:
    import httpx
    import msgspec

    from acctcli.models.base import Request as Model

LARGEST_PAGE = 200
IN_FLIGHT = 8
# reports of a business: to report a VAT period is a write, and a business may be called report; what might be paired;
# and a token
_READING = re.compile(r"/v1/business/[^/]+/(?:report/|document/relation/suggestions/preview/$)|/auth/jwt/$")
_OF_A_BUSINESS = re.compile(r"/v1/(?:business|invoicing)/([^/]+)/")


def encode(body: Model) -> bytes:
    """Encode a model; fields that were not set are left out, null and unset stay different."""
    return encode_plain(body.model_dump(exclude_unset=True))


def encode_plain(body: Any) -> bytes:
    """Encode plain JSON values; Decimal becomes a number with the same digits."""
    return _plain_encoder().encode(body)


@cache
def _plain_encoder() -> msgspec.json.Encoder:
    import msgspec

    return msgspec.json.Encoder(decimal_format="number")


@dataclass(frozen=True)
class Extent:
    """How much of a list is wanted: `limit` rows, or all of them when it is None."""

    limit: int | None = 50
    page_size: int = LARGEST_PAGE
    in_flight: int = IN_FLIGHT

    @property
    def size(self) -> int:
        """The page size to ask for: no larger than what is wanted."""
        return self.page_size if self.limit is None else max(1, min(self.page_size, self.limit))


@dataclass(frozen=True)
class Request:
    """One intent: what to do, where, and under which idempotency key it may be repeated.

    The body of the reply to a `streamed` one is left to the caller to read; that to any other is within the `limit`.
    `token` is what lets it in, once that is known. `seen` is the state of the record that it is about, where another
    state is a reason not to do it (docs/interface.md 7.4).
    """

    method: str
    path: str
    query: str = ""
    body: bytes | None = None
    key: str | None = None
    streamed: bool = False
    limit: Limit = RECORD
    content_type: str = "application/json"
    seen: str | None = None
    token: str = field(default="", repr=False)

    @property
    def writes(self) -> bool:
        """Whether the request may change something; some things are asked for by POST and change nothing."""
        return self.method not in {"GET", "HEAD"} and _READING.match(self.path) is None

    @property
    def business(self) -> str | None:
        """The slug of the business that it is about; None when its path names none."""
        found = _OF_A_BUSINESS.match(self.path)
        return None if found is None else found[1]


class Planned(Exception):
    """Raised instead of sending when the caller asked for a dry run.

    `shown` is JSON that stands for a body that is none, such as a file.
    """

    def __init__(self, request: Request, base_url: str) -> None:
        super().__init__(f"{request.method} {base_url}{request.path}")
        self.request = request
        self.base_url = base_url
        self.shown: bytes | None = None

    def as_json(self) -> bytes:
        """The whole request but its secrets, as a JSON object; the body with the digits that would be sent."""
        request = self.request
        path = f"{request.path}?{request.query}" if request.query else request.path
        parts = {"method": request.method, "host": self.base_url, "path": path, "idempotency_key": request.key}
        head = json.dumps(parts)
        body = self.shown or redact.fields(request.body or b"null")
        return head[:-1].encode() + b', "body": ' + body + b"}"


@dataclass(frozen=True)
class Reply:
    """A complete reply; `headers` have lower-case names, `body` is decompressed and below the cap."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def ok(self) -> bool:
        """Whether the service did what it was asked."""
        return 200 <= self.status < 300

    @property
    def replayed(self) -> bool:
        """Whether this is the stored reply of an earlier request with the same idempotency key."""
        return self.headers.get("idempotent-replayed", "").lower() == "true"

    @property
    def request_id(self) -> str | None:
        """The service's own name for the request, for support."""
        return self.headers.get("x-request-id")

    def text(self) -> str:
        """The body as text; undecodable bytes are shown, never fatal."""
        return self.body.decode("utf-8", errors="replace")


def is_void(headers: Mapping[str, str]) -> bool:
    """Tell whether the service says of a fault of its own that nothing was changed (docs/interface.md 1.5)."""
    return headers.get("nothing-changed") == "true"


@dataclass(frozen=True, kw_only=True)
class OpenReply(Reply):
    """A 2xx reply whose body is still to be read from `response`; close it."""

    response: httpx.Response

    def close(self) -> None:
        """Give the connection back."""
        self.response.close()
