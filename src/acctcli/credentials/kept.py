"""What is kept of a sign-in: the token, whose it is, which host it belongs to, and how it is renewed."""

from __future__ import annotations

import msgspec

from acctcli.credentials.tokens import check_token
from acctcli.errors import NotAuthenticated, UsageError
from acctcli.settings import Environment
from acctcli.settings.expiry import Expiry
from acctcli.settings.urls import origin


class Renewal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a new access token is asked for with; printing it never shows a secret.

    `is_in_doubt` from before the refresh token leaves until the answer is kept: it may have been used up.
    """

    refresh_token: str | None
    token_url: str
    revocation_url: str | None = None
    client_id: str
    expiry: Expiry
    is_in_doubt: bool = False

    def __repr__(self) -> str:
        return f"Renewal({self.token_url})"


class Kept(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sign-in of one person in one environment; `others` are signed in there too."""

    token: str
    base_url: str
    user: str | None = None
    renewal: Renewal | None = None
    others: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Kept({self.base_url}, {self.user})"

    @property
    def kind(self) -> str:
        """Whether it was made in the login application or by signing in."""
        return "personal access token" if self.renewal is None else "sign-in"

    def encode(self) -> str:
        """Return it as an entry keeps it."""
        return msgspec.json.encode(self).decode()


def decode(value: str, environment: Environment, place: str) -> Kept:
    """Read an entry; raise NotAuthenticated if it is not ours, or its host is not the environment's any more."""
    again = f"acctcli auth login --env {environment.name}"
    try:
        kept = msgspec.json.decode(value, type=Kept)
        check_token(kept.token, place)
        stored = origin(kept.base_url)
    except (msgspec.DecodeError, RecursionError, UsageError, ValueError):
        text = f"The {place}'s entry for environment '{environment.name}' is not a token of this tool"
        raise NotAuthenticated(text, hint=again) from None
    here = origin(environment.base_url or "")
    if stored != here:
        raise NotAuthenticated(
            f"The token stored for environment '{environment.name}' belongs to {stored}, "
            f"not to {here}: it is not sent there",
            hint=again,
        )
    return kept
