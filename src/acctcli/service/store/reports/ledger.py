"""The entries of one account in a range of days. SQL only."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, Integer, Select, String, and_, bindparam, cast, select, type_coerce

from acctcli.service.rules.periods import Span
from acctcli.service.rules.reports.ledger import LedgerRow, LedgerRows
from acctcli.service.store.prepared import Prepared
from acctcli.service.store.reports.ground import BUSINESS, tagged
from acctcli.service.store.schema import document, entry

OF_DOCUMENT = and_(document.c.business_id == entry.c.business_id, document.c.id == entry.c.document_id)
# in index order; dates as text and flags as they come, so that no value is converted
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
    .where(
        entry.c.business_id == BUSINESS,
        entry.c.account_id == bindparam("account_id"),
        entry.c.date.between(bindparam("first"), bindparam("last")),
    )
    .order_by(entry.c.date)
)
ENTRIES = Prepared(STATEMENT)


class AccountEntries:
    """The entries of a range, account by account; with `tag_ids` only those of documents that carry one of the tags."""

    def __init__(self, conn: Connection, business_id: int, span: Span, tag_ids: Sequence[int] = ()) -> None:
        self._conn = conn
        self._values = {"business_id": business_id, "first": span.start, "last": span.end}
        of_tags = STATEMENT.where(tagged(entry.c.document_id, tag_ids))
        self._statement = Prepared(of_tags) if tag_ids else ENTRIES

    def __call__(self, account_id: int) -> LedgerRows:
        """Yield the entries of an account by date."""
        return self._statement.stream(self._conn, **self._values, account_id=account_id)
