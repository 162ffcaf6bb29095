"""The entries of a range of days, document by document. SQL only."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, Integer, Select, String, and_, bindparam, cast, select, type_coerce

from acctcli.service.rules.periods import Span
from acctcli.service.rules.reports.journal import JournalRow, JournalRows
from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.reports.ground import BUSINESS, tagged
from acctcli.service.store.schema.books import document, entry

OF_DOCUMENT = and_(entry.c.business_id == document.c.business_id, entry.c.document_id == document.c.id)
# In index order, so that nothing is sorted; dates as text and flags as they come, so that no value is converted
STATEMENT: Select[JournalRow] = (
    select(
        document.c.id,
        document.c.number,
        cast(document.c.date, String),
        entry.c.account_id,
        type_coerce(entry.c.is_debit, Integer),
        entry.c.amount_cents,
        entry.c.description,
    )
    .outerjoin(entry, OF_DOCUMENT)
    .where(
        document.c.business_id == BUSINESS,
        document.c.is_draft.is_(False),
        document.c.date.between(bindparam("first"), bindparam("last")),
    )
    .order_by(document.c.date, document.c.id, entry.c.position)
)
JOURNAL = Prepared(STATEMENT)


def posted(conn: Connection, business_id: int, span: Span, tag_ids: Sequence[int] = ()) -> JournalRows:
    """Yield the entries of the posted documents of a range, by date, document id and position.

    With `tag_ids` only documents that carry at least one of the tags.
    """
    statement = Prepared(STATEMENT.where(tagged(document.c.id, tag_ids))) if tag_ids else JOURNAL
    return statement.stream(conn, business_id=business_id, first=span.start, last=span.end)
