"""What a check finds: one row each, and how a service's own contradictions become one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from acctcli.errors import Incomplete, ServerFault

# the status of a service that failed where it read, or showed what nobody can read: a record of the books may be so
FAILED, UNREADABLE = 500, "unreadable_reply"


class Finding(NamedTuple):
    """What is wrong with a record, and the command that mends it or shows more.

    `is_fault`: a figure differs from what was kept, or from what it is by another way; else somebody should look at it.
    """

    part: str
    record: str
    problem: str
    remedy: str
    is_fault: bool = False


class Checked(NamedTuple):
    """What came of a check: the parts that were looked at, those left out and why, what was found, what ended it."""

    parts: list[str]
    left_out: list[str]
    why: str
    findings: list[Finding]
    ended: Incomplete | None = None


@contextmanager
def caught(found: list[Finding], part: str, record: str, remedy: str) -> Iterator[None]:
    """Turn a contradiction in what the service says, or its failure to say it, into a finding, and go on."""
    try:
        yield
    except Incomplete as problem:
        found.append(Finding(part, record, str(problem), remedy, is_fault=True))
    except ServerFault as problem:
        found.append(unread(problem, part, record, remedy))


def unread(problem: ServerFault, part: str, record: str, remedy: str) -> Finding:
    """Return what is said of what the service failed to show; raise any other fault."""
    if problem.status != FAILED and problem.code != UNREADABLE:
        raise problem
    return Finding(part, record, f"it cannot be read: {problem.message}", remedy, is_fault=True)
