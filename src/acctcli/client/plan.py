"""What a request is before it is sent; a dry run ends here."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from acctcli.client import redact

# reports of a business: to report a VAT period is a write, and a business may be called report; and a token
_READING = re.compile(r"/v1/business/[^/]+/report/|/auth/jwt/$")


@dataclass(frozen=True)
class Request:
    """One intent: what to do, where, and under which idempotency key it may be repeated.

    The body of the reply to a `streamed` one is left to the caller to read.
    """

    method: str
    path: str
    query: str = ""
    body: bytes | None = None
    key: str | None = None
    streamed: bool = False
    content_type: str = "application/json"

    @property
    def writes(self) -> bool:
        """Whether the request may change something; reports and JWTs are asked for by POST, but change nothing."""
        return self.method not in {"GET", "HEAD"} and _READING.match(self.path) is None


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
