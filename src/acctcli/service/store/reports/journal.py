"""The documents of a range of days, and their entries. SQL only."""

from __future__ import annotations

from collections.abc import Sequence

from acctcli.law.closed_days import Span
from acctcli.service.rules.reports.journal import KIND, TAX, DocumentRow, EntryRow, Posted
from acctcli.service.store.engine.connection import Connection, Look
from acctcli.service.store.engine.statements import Query
from acctcli.service.store.reports.ground import TAGGED


def _documents(more: str) -> Query[DocumentRow]:
    """In index order, so that nothing is sorted; dates as text, so that no value is converted."""
    return Query(
        tuple,
        f"""SELECT document.id, document.number, CAST(document.date AS varchar), document.description, contact.name
        FROM document
        LEFT JOIN contact ON contact.business_id = document.business_id AND contact.id = document.contact_id
        WHERE {_POSTED} {more} ORDER BY document.date, document.id""",
    )


def _entries(more: str) -> Query[EntryRow]:
    """Those of the same documents, in the same order."""
    return Query(
        tuple,
        f"""SELECT document.id,
        (entry.account_id * 2 + CAST(entry.is_debit AS integer)) * {KIND} + entry.vat_code * {TAX} + entry.vat_rate,
        entry.amount_cents, NULLIF(entry.description, document.description)
        FROM document
        JOIN entry ON entry.business_id = document.business_id AND entry.document_id = document.id
        WHERE {_POSTED} {more} ORDER BY document.date, document.id, entry.position""",
    )


_POSTED = "document.business_id = :business_id AND NOT document.is_draft AND document.date BETWEEN :first AND :last"
_OF_TAGS = f"AND document.id {TAGGED}"
DOCUMENTS, DOCUMENTS_OF_TAGS = _documents(""), _documents(_OF_TAGS)
ENTRIES, ENTRIES_OF_TAGS = _entries(""), _entries(_OF_TAGS)


def posted(
    conn: Connection, business_id: int, span: Span, tag_ids: Sequence[int] = (), look: Look | None = None
) -> Posted:
    """Return the posted documents of a range by date and id, and their entries.

    With `tag_ids` only documents that carry at least one of the tags; `look` sees the entries part by part.
    """
    values = {"business_id": business_id, "first": span.start, "last": span.end}
    if tag_ids:
        values["tag_ids"] = tag_ids
        return Posted(DOCUMENTS_OF_TAGS.stream(conn, **values), ENTRIES_OF_TAGS.stream(conn, look, **values))
    return Posted(DOCUMENTS.stream(conn, **values), ENTRIES.stream(conn, look, **values))
