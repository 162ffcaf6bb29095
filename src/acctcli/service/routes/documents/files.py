"""The files of a document: attached, detached, set, and those that may belong to it (wire facts 1.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from acctcli.service.routes.call import Call
from acctcli.service.routes.documents.content import require_attachments
from acctcli.service.routes.documents.guard import find, find_open
from acctcli.service.routes.documents.view import show_document
from acctcli.service.routes.file import list_item
from acctcli.service.routes.filters import holding
from acctcli.service.rules.money import from_cents
from acctcli.service.store.books import document_links, documents
from acctcli.service.store.books.documents import DocumentRow

MOST_SUGGESTIONS = 20


def attach_files(call: Call) -> dict[str, Any]:
    """Attach files, after those the document has."""
    return _change(call, lambda held: (*held, *call.body.attachment_ids))


def detach_files(call: Call) -> dict[str, Any]:
    """Take files off a document; they stay files of the business."""
    return _change(call, lambda held: (one for one in held if one not in call.body.attachment_ids))


def set_files(call: Call) -> dict[str, Any]:
    """Make these files, in this order, all that the document has."""
    return _change(call, lambda _: call.body.attachment_ids)


def _change(call: Call, change: Callable[[tuple[int, ...]], Iterable[int]]) -> dict[str, Any]:
    """Write the files that become of those the document has; nothing happens when they stay the same."""
    row = find_open(call)
    require_attachments(call, call.body.attachment_ids)
    before = document_links.of_document(call.conn, call.business.id, row.id)
    links = before._replace(attachment_ids=tuple(dict.fromkeys(change(before.attachment_ids))))
    if links == before:
        return show_document(call, row)
    document_links.write(call.conn, call.business.id, row.id, links, before)
    documents.touch(call.conn, call.business.id, row.id, call.stamp)
    payload = show_document(call, row._replace(updated_at=call.stamp))
    call.emit("document.updated", payload)
    return payload


def suggest_attachments(call: Call) -> list[dict[str, Any]]:
    """Suggest files that no document uses and whose name holds the number, an amount or the contact of this one."""
    row = find(call)
    patterns = [holding(text) for text in _hints(call, row)]
    files = document_links.unused_files(call.conn, call.business.id, patterns, limit=MOST_SUGGESTIONS)
    return [list_item(call, file) for file in files]


def _hints(call: Call, row: DocumentRow) -> list[str]:
    """Return the texts to look for in names; amounts with either decimal separator."""
    amounts = {str(from_cents(abs(cents))) for cents in (row.balance_cents, row.total_cents) if cents}
    texts = {row.number, *amounts, *(amount.replace(".", ",") for amount in amounts), _contact_name(call, row)}
    return sorted(text for text in texts if text)


def _contact_name(call: Call, row: DocumentRow) -> str | None:
    if row.contact_id is None:
        return None
    contacts = document_links.contact_facts(call.conn, call.business.id, [row.contact_id])
    return contacts[row.contact_id].name
