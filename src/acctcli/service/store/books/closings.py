"""What is closed: the locked accounting periods, and the locked or reported VAT periods. SQL only."""

from __future__ import annotations

from datetime import date

from acctcli.law.closed_days import Closing, by_end
from acctcli.service.store.books.postings import CLOSING
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement

Found = Query[tuple[date, date, bool]]
PERIODS = Found(tuple, f"SELECT start_date, end_date, is_locked FROM period WHERE {CLOSING}")
VAT_PERIODS = Found(tuple, f"SELECT start_date, end_date, is_reported FROM vat_period WHERE {CLOSING}")
MOVED = Statement(
    """SELECT 1 FROM entry WHERE business_id = :business_id AND account_id = :account_id AND date <= :date LIMIT 1"""
)


def closings(conn: Connection, business_id: int, day: date = date.min) -> list[Closing]:
    """Return the periods that close a day, or all that close any, by their last days; the narrower one first."""
    asked = {"business_id": business_id, "date": day}
    found = [Closing(start, end, False, False) for start, end, _ in PERIODS.all(conn, **asked)]
    found += [Closing(start, end, True, reported) for start, end, reported in VAT_PERIODS.all(conn, **asked)]
    return by_end(found)


def has_moved(conn: Connection, business_id: int, account_id: int, last: date) -> bool:
    """Say whether anything was posted to an account up to a day."""
    return MOVED.value(conn, business_id=business_id, account_id=account_id, date=last) is not None
