"""The caller."""

from __future__ import annotations

from acctcli.service.routes.route import MODELS, ROUTES, Route


def _user(method: str, handler: str, summary: str, *, partial: bool = False) -> Route:
    return Route(
        method,
        "/v1/user/",
        f"{ROUTES}.user:{handler}",
        summary,
        request=None if method == "GET" else f"{MODELS}.user:UserRequest",
        partial=partial,
        response=f"{MODELS}.user:CurrentUser",
    )


USER = (
    _user("GET", "get_user", "Show the caller."),
    _user("PUT", "replace_user", "Replace the caller's own data."),
    _user("PATCH", "update_user", "Change the caller's own data.", partial=True),
)
