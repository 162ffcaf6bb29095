"""Headers of the chart: made and read, never changed."""

from __future__ import annotations

from acctcli.service.routes.route import ACCOUNTS_READ, ACCOUNTS_WRITE, ONE_BUSINESS, PAGING, SEARCH, resource

HEADERS = tuple(
    route
    for route in resource(
        "header",
        "header",
        f"{ONE_BUSINESS}header/",
        "header",
        models=("header:HeaderRequest", "header:Header"),
        read=ACCOUNTS_READ,
        write=ACCOUNTS_WRITE,
        filters=(*PAGING, SEARCH),
    )
    if route.method in ("GET", "POST")
)
