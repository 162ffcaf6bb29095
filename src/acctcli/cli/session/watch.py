"""What --verbose and --debug say about the wire; secrets never pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.cli.output.stderr import tell
from acctcli.cli.session.options import Options
from acctcli.client import redact

if TYPE_CHECKING:
    import httpx

    from acctcli.client.messages import Reply

_LONGEST_BODY = 10_000
_LONG = 3.0  # seconds after which one wonders


class Narrator:
    """Tells stderr about requests: nothing by default, lines with --verbose, everything with --debug."""

    def __init__(self, options: Options) -> None:
        self._verbose = options.verbose or options.debug
        self._debug = options.debug
        self._quiet = options.quiet

    def sent(self, request: httpx.Request, attempt: int) -> None:
        """Show the headers and body of a try."""
        if self._debug:
            again = f" (try {attempt})" if attempt > 1 else ""
            tell(f"> {request.method} {request.url}{again}")
            self._show(">", dict(request.headers), request.content)

    def received(self, request: httpx.Request, reply: Reply, seconds: float) -> None:
        """Show method, URL, status, time and request id of a reply."""
        if self._verbose:
            name = f" request id {reply.request_id}" if reply.request_id else ""
            tell(f"{request.method} {request.url} {reply.status} {seconds * 1000:.0f} ms{name}")
        if self._debug:
            self._show("<", dict(reply.headers), reply.body)

    def waiting(self, reason: str, seconds: float) -> None:
        """Show why a request is repeated; a long wait is said in any case."""
        if self._verbose or (seconds >= _LONG and not self._quiet):
            tell(f"{reason}: trying again in {seconds:.1f} s")

    def replayed(self, key: str) -> None:
        """Say that nothing new was done."""
        if not self._quiet:
            tell(f"note: idempotency key {key} was used before; this is the stored reply, nothing was done again")

    def _show(self, mark: str, headers: dict[str, str], body: bytes) -> None:
        for name, value in redact.headers(headers).items():
            tell(f"{mark} {name}: {value}")
        if body:
            tell(f"{mark} {redact.shortened(body.decode('utf-8', 'replace'), _LONGEST_BODY)}")
