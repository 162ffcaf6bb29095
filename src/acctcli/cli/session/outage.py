"""A service that does not answer for a while, where a command goes on until it is stopped."""

from __future__ import annotations

from acctcli.cli.output.stderr import tell
from acctcli.errors import AcctcliError, NetworkError, ServerFault

_LONGEST = 30.0
_TOO_MANY, _NOT_WELL = 429, 500


class Outage:
    """Says once that the service is away, and once that it is back; `pause` is how many seconds to wait meanwhile."""

    def __init__(self) -> None:
        self.pause = 0.0

    def covers(self, problem: AcctcliError) -> bool:
        """Whether a problem passes by itself: no answer, too many requests, or a service that is not well."""
        status = problem.status if isinstance(problem, ServerFault) else None
        if not isinstance(problem, NetworkError) and status != _TOO_MANY and (status or 0) < _NOT_WELL:
            return False
        if not self.pause:
            tell(f"note: no answer, it is asked again until there is one: {problem.message}")
        self.pause = min(2 * self.pause, _LONGEST) or 1.0
        return True

    def end(self) -> None:
        """Say that the service answers again, where it did not."""
        if self.pause:
            tell("note: there are answers again")
        self.pause = 0.0
