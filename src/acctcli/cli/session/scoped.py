"""A JWT of one hour in place of the long token: for one business, when --scoped or a CI system asks for it.

--scoped lets everything be about the command's business. Where `CI` is true, each request has a JWT of the business
that it is about, and only what is about none, such as a list of businesses, goes with the token itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from acctcli.cli.session.options import Options
from acctcli.client.access import claims_of, is_jwt, moment_of
from acctcli.client.faults import text_of
from acctcli.client.http import Http
from acctcli.credentials import Credential
from acctcli.credentials.tokens import refusal
from acctcli.errors import AcctcliError, ServerFault, UsageError
from acctcli.settings import Environment

if TYPE_CHECKING:
    from acctcli.client.access import Access
    from acctcli.credentials.jwts import JwtCache

IN_CI, SWITCH = "CI", "ACCTCLI_SCOPED"
JWT_PATH = "/auth/jwt/"
# seconds that a JWT lasts which does not say so (docs/interface.md 2.2)
_USUAL = 3600.0


def is_wanted(environment: Environment, options: Options, environ: Mapping[str, str], found: Credential) -> bool:
    """Tell whether requests go with JWTs: asked for, or on a CI system that has a long token."""
    if options.scoped:
        # one that is for a business anyway reaches no further
        return not {"business_slug", "billing_entities"} & claims_of(found.token).keys()
    is_ci = environ.get(IN_CI, "").lower() in {"true", "1"} and environ.get(SWITCH) != "0"
    is_long = not is_jwt(found.token) and (found.kept is None or found.kept.renewal is None)
    return is_ci and is_long and not environment.in_process


def scoped_access(inner: Http, environment: Environment, options: Options, found: Credential) -> Access:
    """Return what trades the token of `inner` for JWTs."""
    from acctcli.client.access import ScopedToken

    only = options.business or environment.business if options.scoped else None
    if options.scoped and only is None:
        raise UsageError(
            "--scoped takes a token for one business, and none is named",
            hint="name it with --business, or choose one with: acctcli business use SLUG",
        )
    assert inner.access is not None
    cache = open_cache(environment, found)
    return ScopedToken(inner.access, _trade(inner), cache.get, keeping(cache), only)


def open_cache(environment: Environment, found: Credential) -> JwtCache:
    """Return where JWTs made with a token are kept: beside it, if it is kept."""
    from acctcli.credentials.jwts import JwtCache

    return JwtCache(found.token, environment.base_url or "", found.store)


def keeping(cache: JwtCache) -> Callable[[str, str], None]:
    """Return what keeps a JWT for as long as it says of itself that it lasts."""

    def keep(slug: str, jwt: str) -> None:
        begins, ends = moment_of(jwt, "iat"), moment_of(jwt, "exp")
        cache.put(slug, jwt, _USUAL if begins is None or ends is None else ends - begins)

    return keep


def jwt_of(body: bytes) -> str:
    """Take the token out of the reply of the JWT operation."""
    token = text_of(body, "token", "the service sent no token")
    if refusal(token):
        raise ServerFault("the service sent something that is no token", code="unreadable_reply")
    return token


def _trade(inner: Http) -> Callable[[str], str]:
    from acctcli.client.messages import encode_plain

    def trade(slug: str) -> str:
        try:
            return jwt_of(inner.send("POST", JWT_PATH, body=encode_plain({"business_slug": slug})).body)
        except AcctcliError as problem:
            problem.message = f"no token for the business {slug} alone: {problem.message}"
            if not inner.dry_run:
                problem.hint = problem.hint or f"{SWITCH}=0 sends the token itself, where --scoped is not given"
            raise

    return trade
