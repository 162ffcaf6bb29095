"""What every report needs to know of a business: its accounts, its tags. SQL only."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from acctcli.law.calendar import last_day
from acctcli.law.closed_days import Span
from acctcli.service.rules.reports.statement import Account
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement

ACCOUNTS = Query(
    Account,
    """SELECT id, number, name, type, opening_cents FROM account
    WHERE business_id = :business_id ORDER BY padded_number, id""",
)
PREVIOUS_PROFIT = Statement(
    "SELECT account_id FROM system_account WHERE business_id = :business_id AND role = 'account_previous_profit'"
)
MONTHS = Query[tuple[str | None, str]](
    tuple, "SELECT min(month), max(month) FROM account_month WHERE business_id = :business_id"
)
TAGS = Statement("SELECT id FROM tag WHERE business_id = :business_id AND id IN (:ids...)")
# that a document carries at least one of the tags
TAGGED = "IN (SELECT document_id FROM document_tag WHERE business_id = :business_id AND tag_id IN (:tag_ids...))"


def accounts(conn: Connection, business_id: int) -> list[Account]:
    """Return every account in the order of a printed chart."""
    return ACCOUNTS.all(conn, business_id=business_id)


def previous_profit(conn: Connection, business_id: int) -> int | None:
    """Return the account that the settings name for what earlier periods earned."""
    found: int | None = PREVIOUS_PROFIT.value(conn, business_id=business_id)
    return found


def moved_days(conn: Connection, business_id: int) -> Span | None:
    """Return the months from the first to the last that has entries; None without any."""
    [(first, last)] = MONTHS.all(conn, business_id=business_id)
    if first is None:
        return None
    return Span(date.fromisoformat(f"{first}-01"), last_day(date.fromisoformat(f"{last}-01"), 1))


def known_tags(conn: Connection, business_id: int, tag_ids: Iterable[int]) -> set[int]:
    """Return those of the ids that are tags of the business."""
    return set(TAGS.values(conn, business_id=business_id, ids=tag_ids))
