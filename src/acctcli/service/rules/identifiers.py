"""Which numbers of a record are wrong, and which of them a write is to blame for (docs/interface.md 3.2, 6.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Record = Mapping[str, Any]
# by field, what raises ValueError when its text is wrong in this record
Check = Callable[[str, Record], object]
Checks = Mapping[str, Check]


def alone(check: Callable[[str], object]) -> Check:
    """Make a check that needs no other field than its own into one of a record."""
    return lambda text, record: check(text)


def written(record: Record, field: str) -> str:
    """Return what stands in a field, without the blanks around it."""
    return str(record[field] or "").strip()


def faults_of(checks: Checks, record: Record) -> dict[str, str]:
    """Return what is wrong with a record, by field; where nothing stands, nothing is wrong."""
    faults = {}
    for field, check in checks.items():
        if text := written(record, field):
            try:
                check(text, record)
            except ValueError as error:
                faults[field] = str(error)
    return faults


def new_faults(checks: Checks, after: Record, before: Record | None = None) -> dict[str, str]:
    """Return what a write makes wrong, by field.

    A number that was wrong before and stays as it was is not the fault of this write: what was let in once does not
    keep a record from being changed.
    """
    faults = faults_of(checks, after)
    if not faults or before is None:
        return faults
    old = faults_of(checks, before)
    return {field: text for field, text in faults.items() if field not in old or after[field] != before[field]}
