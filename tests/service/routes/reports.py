"""Asking for reports and reading them, as tests do."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tests.service.actor import Reply
from tests.service.routes.books import Books

Report = dict[str, Any]


def span(first: str, last: str, name: str | None = None) -> dict[str, str]:
    """Return a column on a range."""
    return {"date_from": first, "date_to": last, **({"name": name} if name else {})}


def ask(books: Books, report: str, *columns: dict[str, str], **options: object) -> Reply:
    """Ask for a report."""
    return books.send("POST", f"report/{report}/", {"columns": list(columns), **options})


def read(books: Books, report: str, *columns: dict[str, str], **options: object) -> Report:
    """Return a report that must be made."""
    reply = ask(books, report, *columns, **options)
    assert reply.status == 200, reply
    found: Report = reply.body
    return found


def at(day: str) -> dict[str, str]:
    """Return a column on the end of a day."""
    return {"date_at": day}


def values(report: Report, column: int = 0) -> dict[str, Decimal]:
    """Return the values of a column by row, but for zeros."""
    return {row["name"]: row["values"][column] for row in report["rows"] if row["values"][column]}


def names(report: Report) -> list[str]:
    """Return the names of the rows, indented by level, sums with a star."""
    return [f"{'  ' * row['level']}{row['name']}{'*' * row['is_sum_row']}" for row in report["rows"]]
