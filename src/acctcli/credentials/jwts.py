"""JWTs of single businesses, kept until shortly before they end: beside the token they were made with, or in memory.

They are thrown away once that token is another one, or goes to another host.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256

import msgspec

from acctcli.credentials.store import JWTS, TokenStore
from acctcli.errors import AcctcliError
from acctcli.settings.expiry import Expiry

# of the latest; the smallest keyring has room for so many
_MOST = 3


class _Kept(msgspec.Struct, frozen=True):
    jwt: str
    expiry: Expiry


class _Entry(msgspec.Struct, frozen=True):
    made_with: str
    jwts: dict[str, _Kept]


class JwtCache:
    """JWTs made with one token for one host; a `store` that cannot keep them is no fault."""

    def __init__(self, token: str, base_url: str, store: TokenStore | None = None) -> None:
        self._made_with = sha256(f"{base_url} {token}".encode()).hexdigest()
        self._token = token
        self._store = store
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
        if self._store is not None:
            with suppress(AcctcliError), self._store.alone():
                self._keep(self._store)

    def _keep(self, store: TokenStore) -> None:
        """Keep them beside the token, unless somebody has signed out meanwhile."""
        first = store.load()
        if first is not None and first.token == self._token and self._known is not None:
            store.place.put(JWTS, msgspec.json.encode(_Entry(self._made_with, self._known)).decode())

    def _all(self) -> dict[str, _Kept]:
        if self._known is None:
            self._known = {} if self._store is None else self._read(self._store)
        return self._known

    def _read(self, store: TokenStore) -> dict[str, _Kept]:
        try:
            found = msgspec.json.decode(store.place.get(JWTS) or "", type=_Entry)
        except (msgspec.DecodeError, RecursionError, AcctcliError):
            return {}
        return found.jwts if found.made_with == self._made_with else {}
