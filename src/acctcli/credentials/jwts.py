"""JWTs of single businesses, kept until shortly before they end: beside the token they were made with, or in memory.

They are thrown away once that token is another one, or goes to another host.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256

import msgspec

from acctcli.credentials.place import Place, PlaceUnusable
from acctcli.settings.expiry import Expiry

ENTRY = "jwt"
# of the latest; the smallest keyring has room for so many
_MOST = 3


class _Kept(msgspec.Struct, frozen=True):
    jwt: str
    expiry: Expiry


class _Entry(msgspec.Struct, frozen=True):
    made_with: str
    jwts: dict[str, _Kept]


class JwtCache:
    """JWTs made with one token for one host; a `place` that cannot keep them is no fault."""

    def __init__(self, token: str, base_url: str, place: Place | None = None) -> None:
        self._made_with = sha256(f"{base_url} {token}".encode()).hexdigest()
        self._place = place
        self._known: dict[str, _Kept] | None = None

    def get(self, slug: str) -> str | None:
        """Return the JWT of a business that is in force for a minute at least."""
        found = self._all().get(slug)
        return None if found is None or found.expiry.is_over() else found.jwt

    def put(self, slug: str, jwt: str, seconds: float) -> None:
        """Keep a JWT that lasts so many seconds from now on."""
        others = {name: kept for name, kept in self._all().items() if name != slug and not kept.expiry.is_over()}
        latest = dict(list(others.items())[-(_MOST - 1) :])
        self._known = {**latest, slug: _Kept(jwt, Expiry.after(seconds))}
        if self._place is not None:
            entry = _Entry(self._made_with, self._known)
            with suppress(PlaceUnusable):
                self._place.put(ENTRY, msgspec.json.encode(entry).decode())

    def _all(self) -> dict[str, _Kept]:
        if self._known is None:
            self._known = self._read() if self._place is not None else {}
        return self._known

    def _read(self) -> dict[str, _Kept]:
        assert self._place is not None
        try:
            found = msgspec.json.decode(self._place.get(ENTRY) or "", type=_Entry)
        except (msgspec.DecodeError, RecursionError, PlaceUnusable):
            return {}
        return found.jwts if found.made_with == self._made_with else {}
