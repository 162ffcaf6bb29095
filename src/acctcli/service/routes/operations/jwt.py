"""The one-hour JWT."""

from __future__ import annotations

from acctcli.service.routes.route import MODELS, ROUTES, Route

JWT = (
    Route(
        "POST",
        "/auth/jwt/",
        f"{ROUTES}.jwt:create_jwt",
        "Make a JWT of one hour with a personal access token.",
        request=f"{MODELS}.jwt:JwtRequest",
        response=f"{MODELS}.jwt:Jwt",
        reads=True,
        forms=True,
        arrays=("selected_business_slugs",),
        stored=False,
    ),
)
