"""Numbers people read: of documents and of accounts."""

from __future__ import annotations

from datetime import date


def numbering_day(day: date) -> date:
    """Return the day whose serials a document takes: numbers show two digits of the year.

    Without it the first documents of 1926-04-02 and 2026-04-02 would both be 260402-1. A leap day finds its like:
    of the years ending in 00 only one in four has one, and 2000 is such a year.
    """
    return day.replace(year=2000 + day.year % 100)


def serial_order(number: str) -> tuple[str, int]:
    """Return the sort key of a document number: 260402-2 stands before 260402-10."""
    day, _, serial = number.partition("-")
    return day, int(serial)


def document_number(day: date, serial: int) -> str:
    """Return `YYMMDD-N`, the N-th document that got its number for that day (docs/interface.md 5.1)."""
    # by hand: strftime takes ten times as long, and every document has one
    return f"{day.year % 100:02}{day.month:02}{day.day:02}-{serial}"


def padded_number(number: str) -> int:
    """Return an account number filled with zeros on the right to 7 digits: 999 is 9990000 (docs/interface.md 4.1).

    Accounts in this order stand as their numbers do in a printed chart.
    """
    return int(number.ljust(7, "0"))
