"""What a place for secrets can do, and what is raised where there is none."""

from __future__ import annotations

from typing import Protocol

from acctcli.errors import NotAuthenticated
from acctcli.settings import Environment, variable

# seconds to wait for another command, which may be signing in or renewing a token
PATIENCE = 60.0


class Place(Protocol):
    """Keeps texts of one environment under names; may raise PlaceUnusable whatever it is asked.

    A file that does not open raises NotAuthenticated, one that cannot be written NotWritten.
    """

    name: str

    def prove(self) -> None:
        """Keep something that is no secret, read it back, and forget it."""

    def get(self, entry: str) -> str | None:
        """Return what is kept under a name."""

    def put(self, entry: str, value: str) -> None:
        """Keep a text under a name, in place of what was there, and read it back."""

    def remove(self, entry: str) -> bool:
        """Forget what is kept under a name; tell whether something was."""

    def clear(self) -> None:
        """Forget everything of the environment, where what there is can be listed."""


class PlaceUnusable(NotAuthenticated):
    """A place for tokens cannot be used; `why` completes "No token: no variable is set, and <why>"."""

    def __init__(self, why: str, environment: Environment, *, locked: bool = False) -> None:
        login = f"acctcli auth login --env {environment.name} --store file"
        hint = f"set {variable(environment.name, 'TOKEN')} to a token, or keep it in a file with a passphrase: {login}"
        if locked:
            hint = f"unlock the keyring and try again, or {hint}"
        super().__init__(f"Tokens cannot be kept here: {why}", hint=hint)
        self.why = why
