"""A process that has a sign-in: for each line `ROUND` it asks for another token than the last, and prints it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from acctcli.cli.session.connect import renewer
from acctcli.cli.session.options import Options
from acctcli.credentials.lookup import require
from acctcli.credentials.sign_in import provider, renewing
from acctcli.credentials.store import TokenStore
from acctcli.errors import AcctcliError
from acctcli.settings import Settings
from tests.credentials.sign_in.file_keyring import checkpoint


def around(place: Any, name: str, before: str, after: str) -> None:
    """Let the process end before or after a call."""
    real: Callable[..., Any] = getattr(place, name)

    def call(*given: Any, **more: Any) -> Any:
        checkpoint(before)
        result = real(*given, **more)
        checkpoint(after)
        return result

    setattr(place, name, call)


def main() -> None:
    around(TokenStore, "replace", "before keeping", "kept")
    around(TokenStore, "load_of", "before reading", "read")
    around(renewing.Renewer, "_renewed", "locked", "renewed")
    environment = Settings.load().environment()
    found = require(environment, os.environ)
    assert found is not None
    assert found.kept is not None
    assert found.store is not None
    around(provider, "exchange", "before asking", "answered")
    mine = renewer(environment, Options(), found.kept, found.store)
    print("ready", flush=True)
    for _ in sys.stdin:
        try:
            print(mine.current(mine.kept.token), flush=True)
        except AcctcliError as problem:
            print(f"{problem.exit_code} {problem.message}", flush=True)


if __name__ == "__main__":
    main()
