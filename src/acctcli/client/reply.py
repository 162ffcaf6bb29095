"""What one request brought back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True)
class Reply:
    """A complete reply; `headers` have lower-case names, `body` is decompressed and below the cap."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    attempts: int = 1

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


@dataclass(frozen=True, kw_only=True)
class OpenReply(Reply):
    """A 2xx reply whose body is still to be read from `response`; close it."""

    response: httpx.Response

    def close(self) -> None:
        """Give the connection back."""
        self.response.close()
