"""The one-hour JWT: `/auth/jwt/` (docs/interface.md 2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from acctcli.service.cases.businesses import ABSENT
from acctcli.service.identity.credentials import issue_jwt, scoped, selected
from acctcli.service.problems import NotAllowed
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import Area
from acctcli.service.store.people import jwt_keys, memberships

if TYPE_CHECKING:
    from acctcli.models.jwt import Jwt, JwtRequest


def create_jwt(call: Call, body: JwtRequest) -> Jwt:
    """Make a JWT with a personal access token; with another JWT an hour could be made to last for ever."""
    if call.credential.is_jwt:
        raise NotAllowed("A JWT is made with a personal access token, not with another JWT.")
    kid, limits = jwt_keys.current(call.conn), _limits(call, body)
    return {"token": issue_jwt(call.credential.hash, call.user.id, call.installation, kid, call.now, limits)}


def _limits(call: Call, body: JwtRequest) -> dict[str, Any]:
    """Return the claims that limit the token: one business wins over a selection of them (docs/interface.md 2.2)."""
    if body.business_slug is not None:
        return scoped(_accessible(call, [body.business_slug])[0])
    if body.selected_business_slugs is not None:
        return selected(_accessible(call, body.selected_business_slugs), ABSENT["credit_cap"])
    return {}


def _accessible(call: Call, slugs: Sequence[str]) -> list[str]:
    """Return those of the slugs that are the caller's; whether others exist is not told (docs/interface.md 2.2)."""
    found = memberships.accessible(call.conn, call.user.id, slugs)
    if not found:
        raise NotAllowed(f"None of your businesses has this slug: {', '.join(slugs)}.")
    return found


AREA = Area("jwt", "/auth/jwt/", one="", request="jwt:JwtRequest", response="jwt:Jwt")
AREA.act(
    "",
    create_jwt,
    "Make a JWT of one hour with a personal access token.",
    request=AREA.request,
    reads=True,
    forms=True,
    arrays=("selected_business_slugs",),
    stored=False,
)
