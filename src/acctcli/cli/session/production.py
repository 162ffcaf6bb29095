"""Writes to real books are meant: a person sees where they go, a script has said that it may."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from acctcli.cli.output.stderr import tell
from acctcli.cli.session.options import Options
from acctcli.errors import UsageError
from acctcli.settings import PRODUCTION, Environment

if TYPE_CHECKING:
    from acctcli.client.messages import Request

ALLOWED = "ACCTCLI_ALLOW_PRODUCTION_WRITES"


def watch_writes(environment: Environment, options: Options, environ: Mapping[str, str]) -> Callable[[Request], None]:
    """Return what hears of each write before it leaves: the first to production is told on a terminal.

    It raises UsageError where nobody would see that, unless --yes or the variable says that it is meant.
    """
    told = False

    def hear(request: Request) -> None:
        nonlocal told
        if told or environment.name != PRODUCTION:
            return
        books = f"the books of {request.business}" if request.business else "what is"
        seen = sys.stderr.isatty()
        if not (seen or options.yes or environ.get(ALLOWED) == "1"):
            raise UsageError(
                f"this would change {books} in {PRODUCTION}, and there is no terminal to say so on",
                hint=f"if it is meant, add --yes or set {ALLOWED}=1",
            )
        if seen and not options.quiet:
            tell(f"*** PRODUCTION: this changes {books} at {environment.base_url} ***")
        told = True

    return hear
