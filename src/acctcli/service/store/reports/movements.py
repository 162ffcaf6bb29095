"""What accounts moved in a range of days. SQL only.

Whole months are summed up beside the entries already; only the days at the edges of a range are added up from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date

from sqlalchemy import Connection, bindparam, case, func, select
from sqlalchemy.sql import ColumnElement

from acctcli.service.rules.periods import Span
from acctcli.service.rules.reports.spans import cut
from acctcli.service.rules.reports.statement import Cents
from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.reports.ground import BUSINESS, tagged
from acctcli.service.store.schema.books import entry
from acctcli.service.store.schema.chart import account, account_month

IN_BUSINESS = entry.c.business_id == BUSINESS
IN_RANGE = entry.c.date.between(bindparam("first"), bindparam("last"))
NET = func.sum(case((entry.c.is_debit, entry.c.amount_cents), else_=-entry.c.amount_cents))
# That the account is one of the business says nothing new, but makes SQLite walk the range account by account in the
# covering index, instead of all entries of the business
OF_ACCOUNTS: ColumnElement[bool] = entry.c.account_id.in_(select(account.c.id).where(account.c.business_id == BUSINESS))

MONTHS = Prepared(
    select(account_month.c.account_id, func.sum(account_month.c.debit_cents - account_month.c.credit_cents))
    .where(
        account_month.c.business_id == BUSINESS,
        account_month.c.month.between(bindparam("first"), bindparam("last")),
    )
    .group_by(account_month.c.account_id)
)
DAYS = Prepared(select(entry.c.account_id, NET).where(IN_BUSINESS, OF_ACCOUNTS, IN_RANGE).group_by(entry.c.account_id))


def movements(
    conn: Connection, business_id: int, first: date | None, last: date | None, tag_ids: Sequence[int] = ()
) -> Cents:
    """Return debit less credit of the accounts that moved from `first` to `last`, both included.

    Without `first` from before any day, without `last` (before any day) nothing. With `tag_ids` only documents that
    carry at least one of the tags count.
    """
    if last is None:
        return {}
    if tag_ids:
        return _tagged(conn, business_id, Span(first or date.min, last), tag_ids)
    pieces = cut(first, last)
    found: Counter[int] = Counter()
    for span in pieces.days:
        _add(found, DAYS.all(conn, business_id=business_id, first=span.start, last=span.end))
    if pieces.months is not None:
        _add(found, MONTHS.all(conn, business_id=business_id, first=pieces.months[0], last=pieces.months[1]))
    return found


def _tagged(conn: Connection, business_id: int, span: Span, tag_ids: Sequence[int]) -> Cents:
    statement = select(entry.c.account_id, NET).where(IN_BUSINESS, tagged(entry.c.document_id, tag_ids), IN_RANGE)
    found: Counter[int] = Counter()
    rows = Prepared(statement.group_by(entry.c.account_id))
    _add(found, rows.all(conn, business_id=business_id, first=span.start, last=span.end))
    return found


def _add(found: Counter[int], rows: Sequence[Sequence[int]]) -> None:
    for account_id, net in rows:
        found[account_id] += int(net)  # sums of PostgreSQL are Decimal
