"""One renewal for many processes: who finds the access token over asks for a new one, the others take that.

A refresh token works once. Before it leaves, the entry says so; until the answer is kept, nobody knows whether it was
used up, and it is not sent again: a login host takes that for theft and signs everybody out.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec.structs import replace

from acctcli.credentials.kept import Kept, Renewal
from acctcli.credentials.sign_in.host import NeverSent
from acctcli.credentials.sign_in.provider import GrantRefused, NewTokens
from acctcli.credentials.store import TokenStore
from acctcli.errors import AcctcliError, NotAuthenticated, UsageError
from acctcli.settings import Environment
from acctcli.settings.expiry import Expiry

# sends a refresh token, and returns what came of it
Ask = Callable[[Renewal], NewTokens]


@dataclass
class Renewer:
    """Has the access token of a sign-in; `get_ready` finds all that is needed to ask for another one."""

    environment: Environment
    store: TokenStore
    kept: Kept
    get_ready: Callable[[], Ask]
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def current(self, refused: str | None) -> str:
        """Return an access token in force, and another one than the service `refused`.

        Raises NotAuthenticated when only a person can sign in again, NetworkError when the login host is not reached.
        """
        with self._guard:
            if refused is None and not _is_over(self.kept):
                return self.kept.token
            if refused is not None and refused != self.kept.token:
                return self.kept.token
            before = self.kept.token
            with self.store.alone():
                self.kept = self._renewed(before, was_refused=refused is not None)
            return self.kept.token

    def _renewed(self, before: str, *, was_refused: bool) -> Kept:
        kept = self._read()
        if kept.token != before and not _is_over(kept):
            return kept
        renewal = kept.renewal
        if renewal is None or renewal.refresh_token is None:
            raise self._over("it cannot be renewed")
        if renewal.is_in_doubt:
            if not was_refused and not _is_over(kept, 0.0):
                return kept
            raise self._over("the reply to its renewal was lost, which may have used it up")
        ask = self.get_ready()
        # between this and the answer nothing may go wrong but the request
        self.store.replace(replace(kept, renewal=replace(renewal, is_in_doubt=True)))
        try:
            made = ask(renewal)
        except (NeverSent, UsageError):
            self.store.replace(kept)
            raise
        except GrantRefused as no:
            return self._after(no, kept, renewal)
        renewed = replace(
            renewal,
            refresh_token=made.refresh_token or renewal.refresh_token,
            expiry=Expiry.after(made.expires_in),
            is_in_doubt=False,
        )
        found = replace(kept, token=made.access_token, renewal=renewed)
        self.store.replace(found)
        return found

    def _after(self, no: GrantRefused, kept: Kept, renewal: Renewal) -> Kept:
        """Look whether somebody without our lock has renewed it; else it is over."""
        found = self._read()
        if found.token != kept.token:
            return found
        # it is of no use any more, unless it was not it that was refused
        left = None if no.error == "invalid_grant" else renewal.refresh_token
        self.store.replace(replace(kept, renewal=replace(renewal, refresh_token=left)))
        raise self._over(f"the login host does not renew it ({no.error})")

    def _read(self) -> Kept:
        kept = self.store.load_of(self.kept.user)
        if kept is None or kept.user != self.kept.user:
            raise self._over("another command signed out meanwhile")
        return kept

    def _over(self, why: str) -> AcctcliError:
        name = self.environment.name
        return NotAuthenticated(f"The sign-in to {name} is over: {why}", hint=f"acctcli auth login --web --env {name}")


def _is_over(kept: Kept, margin: float = 60.0) -> bool:
    return kept.renewal is not None and kept.renewal.expiry.is_over(margin)
