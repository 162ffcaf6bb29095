"""The entries of a range of days, document by document. SQL only."""

from __future__ import annotations

from collections.abc import Sequence

from acctcli.service.rules.periods import Span
from acctcli.service.rules.reports.journal import TAX, JournalRow, JournalRows
from acctcli.service.store.engine.connection import Connection, Look
from acctcli.service.store.engine.statements import Query
from acctcli.service.store.reports.ground import TAGGED


def _journal(more: str) -> Query[JournalRow]:
    """In index order, so that nothing is sorted; dates as text, so that no value is converted."""
    return Query(
        tuple,
        f"""SELECT document.id, document.number, CAST(document.date AS varchar),
        entry.account_id * 2 + CAST(entry.is_debit AS integer), entry.amount_cents,
        CASE WHEN entry.description = document.description THEN '' ELSE entry.description END,
        entry.vat_code * {TAX} + entry.vat_rate,
        document.description, contact.name
        FROM document
        LEFT JOIN contact ON contact.business_id = document.business_id AND contact.id = document.contact_id
        LEFT JOIN entry ON entry.business_id = document.business_id AND entry.document_id = document.id
        WHERE document.business_id = :business_id AND NOT document.is_draft
        AND document.date BETWEEN :first AND :last {more} ORDER BY document.date, document.id, entry.position""",
    )


JOURNAL, JOURNAL_OF_TAGS = _journal(""), _journal(f"AND document.id {TAGGED}")


def posted(
    conn: Connection, business_id: int, span: Span, tag_ids: Sequence[int] = (), look: Look | None = None
) -> JournalRows:
    """Yield the entries of the posted documents of a range, by date, document id and position.

    With `tag_ids` only documents that carry at least one of the tags; `look` sees the rows part by part.
    """
    values = {"business_id": business_id, "first": span.start, "last": span.end}
    if tag_ids:
        return JOURNAL_OF_TAGS.stream(conn, look, **values, tag_ids=tag_ids)
    return JOURNAL.stream(conn, look, **values)
