"""Which token lets a request in: always the same, one that is renewed, or one of an hour for one business.

A token that says of itself how far it reaches is not sent beyond: what it would be refused for is refused here.
"""

from __future__ import annotations

import threading
from base64 import urlsafe_b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from acctcli.client import known
from acctcli.client.messages import Request
from acctcli.errors import ServerFault, UsageError

_PARTS_OF_A_JWT = 3
# of the year 9999
_LAST_MOMENT = 253_402_300_800


class Access(Protocol):
    """Has the token for each request; safe to share between threads."""

    def token(self, request: Request) -> str:
        """Return the token to send; raise UsageError when none reaches as far, NotAuthenticated when none is left."""

    def renewed(self, request: Request, refused: str) -> str | None:
        """Return another token than the one that was refused with 401; None when there is none."""


@dataclass(frozen=True)
class FixedToken:
    """A token that stays what it is."""

    value: str = field(repr=False)

    def __post_init__(self) -> None:
        known.know(self.value)

    def token(self, request: Request) -> str:
        """Return the token, for a business that it reaches."""
        check_reach(self.value, request)
        return self.value

    def renewed(self, request: Request, refused: str) -> str | None:
        """Return None: there is no other."""
        return None


@dataclass
class RenewedToken:
    """The access token of a sign-in: `current` returns one in force, other than the one that is given, if any."""

    current: Callable[[str | None], str]

    def token(self, request: Request) -> str:
        """Return an access token that is in force for a while."""
        found = self.current(None)
        known.know(found)
        return found

    def renewed(self, request: Request, refused: str) -> str | None:
        """Return an access token that was made after the one that was refused."""
        found = self.current(refused)
        known.know(found)
        return found


@dataclass
class ScopedToken:
    """A JWT of one hour for each business, in place of the token that it is made with.

    `find` returns one that is in force for a while, `trade` makes one, `keep` remembers it by the business. `only` is
    the business that everything has to be about; None lets every request have a JWT of its own business, and requests
    about none the token itself.
    """

    inner: Access
    trade: Callable[[str], str]
    find: Callable[[str], str | None]
    keep: Callable[[str, str], None]
    only: str | None = None
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def token(self, request: Request) -> str:
        """Return the JWT for the business of the request."""
        slug = request.business or self.only
        if self.only is not None and slug != self.only:
            raise _beyond(self.only, slug)
        if slug is None:
            return self.inner.token(request)
        with self._guard:
            return self._kept(slug) or self._new(slug)

    def renewed(self, request: Request, refused: str) -> str | None:
        """Return a new JWT for the one that was refused."""
        slug = request.business or self.only
        if slug is None:
            return self.inner.renewed(request, refused)
        with self._guard:
            found = self._kept(slug)
            return self._new(slug) if found in (None, refused) else found

    def _kept(self, slug: str) -> str | None:
        found = self.find(slug)
        known.know(found)
        return found

    def _new(self, slug: str) -> str:
        made = self.trade(slug)
        known.know(made)
        if is_jwt(made) and claims_of(made).get("business_slug") != slug:
            raise ServerFault(f"the service made a token that is not for {slug} alone", code="unreadable_reply")
        self.keep(slug, made)
        return made


def is_jwt(token: str) -> bool:
    """Tell whether a token has the form of a JWT."""
    return token.count(".") == _PARTS_OF_A_JWT - 1


def moment_of(token: str, claim: str) -> float | None:
    """Return a moment that a JWT states, in seconds since 1970; None where it states none that can be."""
    value = claims_of(token).get(claim)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < _LAST_MOMENT else None


def claims_of(token: str) -> Mapping[str, Any]:
    """Return what a JWT says of itself, unchecked; nothing for a token that is none."""
    import json

    if not is_jwt(token):
        return {}
    body = token.split(".")[1]
    try:
        claims = json.loads(urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    except (ValueError, RecursionError):
        return {}
    return claims if isinstance(claims, dict) else {}


def check_reach(token: str, request: Request) -> None:
    """Raise UsageError when a JWT says that it is for other businesses than that of the request."""
    if request.business is None or not is_jwt(token):
        return
    claims = claims_of(token)
    slug, selection = claims.get("business_slug"), claims.get("billing_entities")
    if isinstance(slug, str) and slug != request.business:
        raise _beyond(slug, request.business)
    if slug is None and isinstance(selection, dict) and request.business not in selection:
        raise _beyond(", ".join(map(str, selection)), request.business)


def _beyond(reach: str, slug: str | None) -> UsageError:
    return UsageError(
        f"the token is for the business {reach} only, and this is about {slug or 'none'}: it was not sent",
        hint="name the business with --business, or use a token that reaches further",
    )
