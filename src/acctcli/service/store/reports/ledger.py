"""The entries of one account in a range of days. SQL only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from sqlalchemy import Connection, Integer, Select, String, and_, bindparam, cast, select, type_coerce

from acctcli.service.rules.periods import Span
from acctcli.service.rules.reports.ledger import LedgerRow, LedgerRows
from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.reports.ground import BUSINESS, tagged
from acctcli.service.store.reports.movements import OF_ACCOUNTS
from acctcli.service.store.schema.books import document, entry

# Of so many entries at most a range is read at once: every account that is asked for alone costs several
# round trips to PostgreSQL, which small books would spend most of their ledger on
FEW = 2000

OF_DOCUMENT = and_(document.c.business_id == entry.c.business_id, document.c.id == entry.c.document_id)
# dates as text and flags as they come, so that no value is converted
STATEMENT: Select[LedgerRow] = (
    select(
        cast(entry.c.date, String),
        document.c.number,
        entry.c.position,
        type_coerce(entry.c.is_debit, Integer),
        entry.c.amount_cents,
        entry.c.description,
    )
    .join(document, OF_DOCUMENT)
    .where(entry.c.business_id == BUSINESS, entry.c.date.between(bindparam("first"), bindparam("last")))
)


def _of_account(statement: Select[LedgerRow]) -> Prepared:
    """Ask for one account, in index order."""
    return Prepared(statement.where(entry.c.account_id == bindparam("account_id")).order_by(entry.c.date))


def _of_all(statement: Select[LedgerRow]) -> Prepared:
    """Ask for every account at once, unless that is too much."""
    return Prepared(statement.add_columns(entry.c.account_id).where(OF_ACCOUNTS).limit(bindparam("most")))


ONE, ALL = _of_account(STATEMENT), _of_all(STATEMENT)

_account = itemgetter(-1)


class AccountEntries:
    """The entries of a range, account by account; with `tag_ids` only those of documents that carry one of the tags."""

    def __init__(self, conn: Connection, business_id: int, span: Span, tag_ids: Sequence[int] = ()) -> None:
        self._conn = conn
        self._values = {"business_id": business_id, "first": span.start, "last": span.end}
        of_tags = STATEMENT.where(tagged(entry.c.document_id, tag_ids)) if tag_ids else None
        self._one = ONE if of_tags is None else _of_account(of_tags)
        self._few = self._read_few(ALL if of_tags is None else _of_all(of_tags))

    def _read_few(self, statement: Prepared) -> Mapping[int, list[LedgerRow]] | None:
        """Return all entries by account, each account's by date; None when there are too many to hold."""
        rows = statement.all(self._conn, **self._values, most=FEW + 1)
        if len(rows) > FEW:
            return None
        rows.sort(key=itemgetter(-1, 0))
        return {account_id: [row[:-1] for row in of_account] for account_id, of_account in groupby(rows, key=_account)}

    def __call__(self, account_id: int) -> LedgerRows:
        """Yield the entries of an account by date."""
        if self._few is None:
            return self._one.stream(self._conn, **self._values, account_id=account_id)
        return (row for row in self._few.get(account_id, ()))
