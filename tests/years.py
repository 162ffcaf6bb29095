"""The year whose days tests name, whatever year they run in: a business begins with the year of today."""

from __future__ import annotations

from datetime import date

FIRST_DAY, LAST_DAY = date(2026, 1, 1), date(2026, 12, 31)


def is_over() -> bool:
    """Whether today is in a later one."""
    return date.today() > LAST_DAY


def year_before(day: date) -> dict[str, str]:
    """Return the days of the year before that of a day, which a business does not begin with."""
    return {"start_date": f"{day.year - 1}-01-01", "end_date": f"{day.year - 1}-12-31"}


def commands_to_begin(period: int, slug: str) -> list[tuple[str, ...]]:
    """Return what lets new books, which have a period, begin with the year; nothing in the year itself."""
    if not is_over():
        return []
    days = ("--start", f"{FIRST_DAY}", "--end", f"{LAST_DAY}")
    return [("period", "update", str(period), *days, "--business", slug)]


def commands_to_go_on(slug: str) -> list[tuple[str, ...]]:
    """Return what adds the years until today's."""
    return [("period", "create", "--next", "--business", slug)] * (date.today().year - LAST_DAY.year)
