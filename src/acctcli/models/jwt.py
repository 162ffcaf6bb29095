"""The one-hour JWT (docs/interface.md 2.2)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from acctcli.models.base import NO_NUL, Request

MOST_SELECTED = 100

Slug = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=NO_NUL)]
# the token travels in a header, which must not become too long for servers on its way
Selection = Annotated[list[Slug], Field(min_length=1, max_length=MOST_SELECTED)]


class JwtRequest(Request):
    """How far a JWT is to reach: one business, or some, or all of the caller's; one business wins over some."""

    business_slug: Slug | None = None
    selected_business_slugs: Selection | None = None


class Jwt(TypedDict):
    """A token to be sent as `Authorization: Token <token>` for one hour."""

    token: str
