"""What is done to a document without rewriting it: its lock, its flag, its files (docs/interface.md 5.6, 5.9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from acctcli.service.cases.bodies import require_files
from acctcli.service.cases.documents.guard import find, find_open
from acctcli.service.cases.documents.view import show_document
from acctcli.service.cases.files import show_in_list
from acctcli.service.cases.work import Work
from acctcli.service.rules.money import from_cents
from acctcli.service.store.books import document_links, documents
from acctcli.service.store.books.documents import DocumentRow
from acctcli.service.store.patterns import holding

if TYPE_CHECKING:
    from acctcli.models.document import AttachmentIdsRequest, Document, SetFilesRequest
    from acctcli.models.file import AttachmentListItem

MOST_SUGGESTIONS = 20


def set_lock(work: Work, document_id: int, *, is_locked: bool) -> Document:
    """Lock a document: content and entries stay as they are until it is unlocked; or unlock it."""
    row = find(work, document_id, for_update=True)
    if row.is_locked == is_locked and row.locked_by is None:  # else the lock is taken over from a VAT period
        return show_document(work, row)
    documents.set_lock(work.conn, work.business.id, row.id, is_locked, work.stamp)
    payload = show_document(work, _touched(work, row, is_locked=is_locked, locked_by=None))
    work.emit("document.locked" if is_locked else "document.unlocked", payload)
    return payload


def set_flag(work: Work, document_id: int, *, is_flagged: bool) -> Document:
    """Flag a document, locked or not, or take the flag off."""
    row = find(work, document_id, for_update=True)
    if row.is_flagged == is_flagged:
        return show_document(work, row)
    documents.set_flag(work.conn, work.business.id, row.id, is_flagged, work.stamp)
    payload = show_document(work, _touched(work, row, is_flagged=is_flagged))
    work.emit("document.flagged" if is_flagged else "document.unflagged", payload)
    return payload


def _touched(work: Work, row: DocumentRow, **values: Any) -> DocumentRow:
    return row._replace(updated_at=work.stamp, is_seen=False, **values)


# --- files ---


def attach_files(work: Work, document_id: int, body: AttachmentIdsRequest) -> Document:
    """Attach files, after those the document has."""
    return _change_files(work, document_id, body.attachment_ids, lambda held: (*held, *body.attachment_ids))


def detach_files(work: Work, document_id: int, body: AttachmentIdsRequest) -> Document:
    """Take files off a document; they stay files of the business."""
    taken = body.attachment_ids
    return _change_files(work, document_id, taken, lambda held: (one for one in held if one not in taken))


def set_files(work: Work, document_id: int, body: SetFilesRequest) -> Document:
    """Make these files, in this order, all that the document has; without a word of files they stay."""
    named = body.attachment_ids
    return _change_files(work, document_id, named or (), lambda held: held if named is None else named)


def _change_files(
    work: Work, document_id: int, named: Sequence[int], change: Callable[[tuple[int, ...]], Iterable[int]]
) -> Document:
    """Write the files that become of those the document has; nothing happens when they stay the same."""
    row = find_open(work, document_id)
    require_files(work, "attachment_ids", named)
    before = document_links.of_document(work.conn, work.business.id, row.id)
    links = before._replace(attachment_ids=tuple(dict.fromkeys(change(before.attachment_ids))))
    if links == before:
        return show_document(work, row)
    document_links.write(work.conn, work.business.id, row.id, links, before)
    documents.touch(work.conn, work.business.id, row.id, work.stamp)
    payload = show_document(work, _touched(work, row))
    work.emit("document.updated", payload)
    return payload


def suggest_attachments(work: Work, document_id: int) -> list[AttachmentListItem]:
    """Suggest files that no document uses and whose name holds the number, an amount or the contact of this one."""
    patterns = [holding(text) for text in _hints(work, find(work, document_id))]
    files = document_links.unused_files(work.conn, work.business.id, patterns, limit=MOST_SUGGESTIONS)
    return show_in_list(work, files)


def _hints(work: Work, row: DocumentRow) -> list[str]:
    """Return the texts to look for in names; amounts with either decimal separator."""
    amounts = {str(from_cents(abs(cents))) for cents in (row.balance_cents, row.total_cents) if cents}
    texts = {row.number, *amounts, *(amount.replace(".", ",") for amount in amounts), _contact_name(work, row)}
    return sorted(text for text in texts if text)


def _contact_name(work: Work, row: DocumentRow) -> str | None:
    if row.contact_id is None:
        return None
    contacts = document_links.contact_facts(work.conn, work.business.id, [row.contact_id])
    return contacts[row.contact_id].name
