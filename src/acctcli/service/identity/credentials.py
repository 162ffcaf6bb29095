"""What a caller shows to be let in: a personal access token, or a JWT made with one (docs/interface.md 2.2).

The pages of the books show the session of a browser, in process alone: no socket takes it (docs/view.md 3).

A JWT names its personal access token by hash. So one statement admits the callers of both kinds, and a JWT ends with
its token: revoked, expired, or gone with its user. It also ends with the key that signed it, which its head names by
`kid`: keys are derived from that of the installation by their names, for each environment another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from acctcli.service.identity.keys import InstallationKey
from acctcli.service.identity.tokens import LOCAL, token_hash
from acctcli.service.problems import NotAllowed, TokenRefused

if TYPE_CHECKING:
    from jwt.types import Options

LIFETIME_SECONDS = 3600
ALGORITHM = "HS256"
REQUIRED = ["sub", "iat", "exp", "env", "token_hash"]
# what a head says, and no more: of `jwk`, `crit` and others nothing is believed
HEAD = {"alg", "typ", "kid"}
KID = re.compile(r"[0-9a-f]{16}")
KID_BYTES = 8


class Credential(NamedTuple):
    """The hash of a personal access token, and how far a JWT made with it reaches.

    `slug`: the one business a JWT is for; `selection`: the businesses it is restricted to. None: no limit. `kid`
    names the key that signed it, empty for the token itself. `environment` is the name of the service that asks: the
    token must be one of it. `session` is what the browser of somebody shows, empty for every other caller.
    """

    hash: str
    is_jwt: bool = False
    slug: str | None = None
    selection: frozenset[str] | None = None
    kid: str = ""
    environment: str = LOCAL
    session: str = ""

    @property
    def businesses(self) -> frozenset[str] | None:
        """The slugs of the businesses that a JWT is limited to; None: no limit."""
        return self.selection if self.slug is None else frozenset({self.slug})

    def check_reach(self, slug: str | None, *, safe: bool, narrowed: bool = False) -> None:
        """Refuse a path that a JWT does not reach (docs/interface.md 2.2); `slug` is the business of the path.

        Where the path names none, a selection may read: what it then sees is narrowed to its businesses. A JWT of one
        business may do so of what is `narrowed` to that one.
        """
        may_look = slug is None and safe and narrowed
        if self.slug is not None and slug != self.slug and not may_look:
            raise NotAllowed(f"This token is for the business {self.slug} only.")
        if self.selection is not None:
            self._check_selection(self.selection, slug, safe=safe)

    def _check_selection(self, selection: frozenset[str], slug: str | None, *, safe: bool) -> None:
        if slug is None and not safe:
            raise NotAllowed("This token is restricted to some businesses, and this is about none of them.")
        if slug is not None and slug not in selection:
            raise NotAllowed(f"This token is for the businesses {', '.join(sorted(selection))} only.")


def read_credential(token: str, key: InstallationKey, now: datetime) -> Credential:
    """Return what a token says of itself; whether the personal access token is in force, the database knows.

    Raises TokenRefused for a JWT that is over, or was not signed here.
    """
    if token.count(".") != 2:
        return Credential(token_hash(token))
    kid, claims = _verified(token, key)
    if not isinstance(claims["exp"], int | float) or not isinstance(claims["token_hash"], str):
        raise TokenRefused
    if claims["env"] != key.environment:
        raise TokenRefused
    if claims["exp"] <= now.timestamp():
        raise TokenRefused("The token is over: a JWT lasts one hour.")
    entities = claims.get("billing_entities")
    selection = None if entities is None else frozenset(entities)
    return Credential(claims["token_hash"], True, claims.get("business_slug"), selection, kid)


def read_session(secret: str, key: InstallationKey, now: datetime) -> Credential:
    """Return what the session of a browser lets in; whether it is in force, and whose it is, the database knows."""
    from acctcli.service.identity.opaque import digest

    del now
    return Credential(digest(secret, key), session=secret)


def _verified(token: str, key: InstallationKey) -> tuple[str, dict[str, Any]]:
    """Return the name of the key that signed a JWT, and its claims; whether it is in force the database knows."""
    import jwt

    # the moments are compared with the service's own clock
    checks: Options = {"require": REQUIRED, "verify_exp": False, "verify_iat": False}
    try:
        kid = _named(jwt.get_unverified_header(token))
        claims: dict[str, Any] = jwt.decode(token, signing_key(key, kid), algorithms=[ALGORITHM], options=checks)
    except jwt.InvalidTokenError as fault:
        raise TokenRefused from fault
    return kid, claims


def _named(head: dict[str, Any]) -> str:
    """Return the key that a head names; TokenRefused for a head that is not one of ours."""
    kid = head.get("kid")
    if head.keys() != HEAD or not isinstance(kid, str) or not KID.fullmatch(kid):
        raise TokenRefused
    return kid


def signing_key(key: InstallationKey, kid: str) -> bytes:
    """Return the key of a name, in the environment of the installation."""
    return key.derive(f"jwt {key.environment} {kid}")


def issue_jwt(
    hashed: str, user_id: int, key: InstallationKey, kid: str, now: datetime, limits: Mapping[str, Any]
) -> str:
    """Make a JWT of one hour with a personal access token, by the hash of that.

    `kid` names the key in force; `limits` are the claims of `scoped` or `selected`.
    """
    import jwt

    begin = int(now.timestamp())
    lasts = {"iat": begin, "exp": begin + LIFETIME_SECONDS}
    claims = {"sub": str(user_id), **lasts, "env": key.environment, "token_hash": hashed, **limits}
    return jwt.encode(claims, signing_key(key, kid), ALGORITHM, headers={"kid": kid})


def scoped(slug: str) -> dict[str, Any]:
    """Return the claim that limits a JWT to one business."""
    return {"business_slug": slug}


def selected(slugs: Iterable[str], credit_cap: int) -> dict[str, Any]:
    """Return the claim that restricts a JWT to some businesses, with the cap of each (docs/interface.md 2.2)."""
    return {"billing_entities": {slug: {"credit_cap": credit_cap} for slug in slugs}}
