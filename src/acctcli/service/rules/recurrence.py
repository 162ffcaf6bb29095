"""Recurrence: on which days the children of a template are due (docs/interface.md 7.6).

A rule is `{"frequency": "DAILY|WEEKLY|MONTHLY|YEARLY", "interval": n}`, the interval 1 where it says none. Each day is
counted from the first one, not from the day before it, so a series of month ends stays one: 31 January, 28 February, 31
March.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import count as numbers
from itertools import islice, takewhile
from typing import Any, NamedTuple


class Step(NamedTuple):
    """What a frequency moves a day by: a unit of relativedelta, and how many days it has at most."""

    unit: str
    days: int


STEPS = {
    "DAILY": Step("days", 1),
    "WEEKLY": Step("weeks", 7),
    "MONTHLY": Step("months", 31),
    "YEARLY": Step("years", 366),
}


def next_dates(rule: Mapping[str, Any], start: date, *, after: date, until: date | None, count: int) -> list[date]:
    """Return the first `count` days of a series later than `after` and not later than `until`.

    The series begins on `start`, which is the template's own day and not one of its children's.
    """
    due = takewhile(lambda day: until is None or day <= until, _days_after(rule, start, after))
    return list(islice(due, count))


def _days_after(rule: Mapping[str, Any], start: date, after: date) -> Iterator[date]:
    from dateutil.relativedelta import relativedelta

    step, interval = STEPS[rule["frequency"]], rule.get("interval", 1)
    # no step is longer than its days: this many of them cannot lead past `after`
    first = max(1, (after - start).days // (step.days * interval))
    for number in numbers(first):
        try:
            day = start + relativedelta(**{step.unit: number * interval})
        except (OverflowError, ValueError):  # the calendar ends with the year 9999
            return
        if day > after:
            yield day
