"""Days and ranges as people type them: 2026-03-14, today, yesterday, 2026-03, 2026-Q1, 2026."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from acctcli.cli.command.local_forms import in_our_form
from acctcli.errors import UsageError

# today is asked for only where it is named: it may take a request
Today = Callable[[], date]

_RANGE = re.compile(r"(\d{4})(?:-(?:Q([1-4])|(\d{2})))?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_SPAN_FORMS = "a day, today, yesterday, a month 2026-03, a quarter 2026-Q1 or a year 2026"


def parse_day(text: str, name: str, today: Today) -> date:
    """Return the day named; raise UsageError naming the option when there is no such day."""
    span = _named(text, today) or _calendar_day(text)
    if span is None:
        raise UsageError(f"{name} {text!r}: not a day{in_our_form(text) or '; write 2026-03-14, today or yesterday'}")
    return span


def parse_range(text: str, name: str, today: Today) -> tuple[date, date]:
    """Return the first and the last day of a range, both inclusive; one day is a range too."""
    day = _named(text, today) or _calendar_day(text)
    span = (day, day) if day is not None else calendar_range(text)
    if span is None:
        raise UsageError(f"{name} {text!r}: not a range{in_our_form(text) or f'; write {_SPAN_FORMS}'}")
    return span


def calendar_range(text: str) -> tuple[date, date] | None:
    """Return the first and the last day of a year, quarter or month; None where the text is none."""
    match = _RANGE.fullmatch(text)
    if match is None or int(match[1]) < 1 or not 1 <= int(match[3] or 1) <= 12:
        return None
    year, quarter, month = int(match[1]), match[2], match[3]
    if quarter:
        first, months = date(year, int(quarter) * 3 - 2, 1), 3
    elif month:
        first, months = date(year, int(month), 1), 1
    else:
        first, months = date(year, 1, 1), 12
    return first, _end(first, months)


def choose_range(
    period: str | None, first: str | None, last: str | None, today: Today
) -> tuple[date | None, date | None]:
    """Join --period, --from and --to; the start of a --from range and the end of a --to range count."""
    if period is not None and (first is not None or last is not None):
        raise UsageError("--period does not go with --from or --to")
    if period is not None:
        return parse_range(period, "--period", today)
    start = parse_range(first, "--from", today)[0] if first is not None else None
    end = parse_range(last, "--to", today)[1] if last is not None else None
    if start and end and start > end:
        raise UsageError(f"--from {start} is after --to {end}")
    return start, end


def _named(text: str, today: Today) -> date | None:
    back = {"today": 0, "yesterday": 1}.get(text.lower())
    return None if back is None else today() - timedelta(days=back)


def _calendar_day(text: str) -> date | None:
    if not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _end(first: date, months: int) -> date:
    years, month = divmod(first.month - 1 + months, 12)
    if first.year + years > date.max.year:
        return date.max
    return date(first.year + years, month + 1, 1) - timedelta(days=1)
