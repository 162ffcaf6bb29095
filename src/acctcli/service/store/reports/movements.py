"""What accounts moved in a range of days. SQL only.

Whole months are summed up beside the entries already; only the days at the edges of a range are added up from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date

from acctcli.service.rules.reports.spans import cut
from acctcli.service.rules.reports.statement import Cents
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query
from acctcli.service.store.reports.ground import TAGGED

# That the account is one of the business says nothing new, but makes SQLite walk the range account by account in the
# covering index, instead of all entries of the business
OF_ACCOUNTS = "account_id IN (SELECT id FROM account WHERE business_id = :business_id)"

Sums = Query[tuple[int, int]]
MONTHS = Sums(
    tuple,
    """SELECT account_id, sum(debit_cents - credit_cents) FROM account_month
    WHERE business_id = :business_id AND month BETWEEN :first AND :last GROUP BY account_id""",
)


def _days(more: str) -> Sums:
    return Query(
        tuple,
        f"""SELECT account_id, sum(CASE WHEN is_debit THEN amount_cents ELSE -amount_cents END) FROM entry
        WHERE business_id = :business_id AND {more} AND date BETWEEN :first AND :last GROUP BY account_id""",
    )


DAYS, DAYS_OF_TAGS = _days(OF_ACCOUNTS), _days(f"document_id {TAGGED}")


def movements(
    conn: Connection, business_id: int, first: date | None, last: date | None, tag_ids: Sequence[int] = ()
) -> Cents:
    """Return debit less credit of the accounts that moved from `first` to `last`, both included.

    Without `first` from before any day, without `last` (before any day) nothing. With `tag_ids` only documents that
    carry at least one of the tags count.
    """
    if last is None:
        return {}
    found: Counter[int] = Counter()
    if tag_ids:
        days = {"first": first or date.min, "last": last}
        _add(found, DAYS_OF_TAGS.all(conn, business_id=business_id, **days, tag_ids=tag_ids))
        return found
    pieces = cut(first, last)
    for span in pieces.days:
        _add(found, DAYS.all(conn, business_id=business_id, first=span.start, last=span.end))
    if pieces.months is not None:
        _add(found, MONTHS.all(conn, business_id=business_id, first=pieces.months[0], last=pieces.months[1]))
    return found


def _add(found: Counter[int], rows: Sequence[Sequence[int]]) -> None:
    for account_id, net in rows:
        found[account_id] += int(net)  # sums of PostgreSQL are Decimal
