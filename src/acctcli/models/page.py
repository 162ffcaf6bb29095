"""The envelope of every list (interface: Pagination envelope); for documentation and tests only."""

from __future__ import annotations

from typing import Generic, TypeVar

from acctcli.models.base import Response

Row = TypeVar("Row")


class Page(Response, Generic[Row]):
    """One page; `next` and `prev` are page numbers, `size` is the page size used (wire facts 7.2, Q1)."""

    count: int
    next: int | None
    prev: int | None
    size: int
    results: list[Row]
