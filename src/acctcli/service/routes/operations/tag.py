"""Tags: every member sees them, who keeps the books makes them."""

from __future__ import annotations

from acctcli.service.routes.route import BOOKS_WRITE, MEMBER, ONE_BUSINESS, PAGING, SEARCH, resource

TAGS = resource(
    "tag",
    "tag",
    f"{ONE_BUSINESS}tags/",
    "tag",
    models=("tag:TagRequest", "tag:Tag"),
    read=MEMBER,
    write=BOOKS_WRITE,
    filters=(*PAGING, SEARCH),
)
