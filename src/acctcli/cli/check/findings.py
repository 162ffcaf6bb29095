"""What a check finds: one row each, and how a service's own contradictions become one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from acctcli.errors import Incomplete


class Finding(NamedTuple):
    """What is wrong with a record, and the command that mends it or shows more.

    `is_fault`: a figure differs from what was kept, or from what it is by another way; else somebody should look at it.
    """

    part: str
    record: str
    problem: str
    remedy: str
    is_fault: bool = False


@contextmanager
def caught(found: list[Finding], part: str, record: str, remedy: str) -> Iterator[None]:
    """Turn a contradiction in what the service says into a finding, and go on."""
    try:
        yield
    except Incomplete as problem:
        found.append(Finding(part, record, str(problem), remedy, is_fault=True))
