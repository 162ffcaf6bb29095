"""Finding a document, and what keeps it from being written: its own lock, and the lock of its period."""

from __future__ import annotations

from datetime import date

from acctcli.service.problems import Locked, Missing
from acctcli.service.routes.call import Call
from acctcli.service.store.books import documents, postings
from acctcli.service.store.books.documents import DocumentRow


def find(call: Call, *, for_update: bool = False) -> DocumentRow:
    """Return the document of the address."""
    row = documents.get(call.conn, call.business.id, call.ids["document_id"], for_update=for_update)
    if row is None:
        raise Missing("There is no such document.")
    return row


def find_unlocked(call: Call) -> DocumentRow:
    """Return the document of the address to write it; its period may still be locked."""
    row = find(call, for_update=True)
    if row.is_locked:
        raise Locked(f"Document {name(row)} is locked.")
    return row


def find_open(call: Call) -> DocumentRow:
    """Return the document of the address to write it; neither it nor its period is locked."""
    row = find_unlocked(call)
    refuse_closed_day(call, row.date)
    return row


def refuse_closed_day(call: Call, day: date) -> None:
    """Refuse a day of a locked accounting or VAT period."""
    refuse_closed(postings.is_closed(call.conn, call.business.id, day), day)


def refuse_closed(is_closed: bool, day: date) -> None:
    """Refuse a day that is known to be closed."""
    if is_closed:
        raise Locked(f"The period of {day} is locked.")


def name(row: DocumentRow) -> str:
    """Return what people call a document: its number, or its id while it has none."""
    return row.number or str(row.id)
