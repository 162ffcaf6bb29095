"""Operations that only the embedded service has."""

from __future__ import annotations

from acctcli.cli.session.state import State
from acctcli.errors import UsageError

LOCAL = "local"


def require_local(here: State) -> None:
    """Raise UsageError, before anything is sent, where the service's interface has no such operation."""
    if here.environment.name != LOCAL:
        raise UsageError(
            f"the service's interface has no such operation; only the environment {LOCAL} has",
            hint=f"do it in the web application of {here.environment.name}, or rehearse it with --env {LOCAL}",
        )
