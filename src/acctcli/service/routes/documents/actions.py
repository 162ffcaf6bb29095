"""What is done to a document without rewriting it: locks and flags (wire facts 1.2, 6.3)."""

from __future__ import annotations

from typing import Any

from acctcli.service.routes.call import Call
from acctcli.service.routes.documents.guard import find
from acctcli.service.routes.documents.view import show_document
from acctcli.service.store.books import documents


def lock_document(call: Call) -> dict[str, Any]:
    """Lock a document: content and entries stay as they are until it is unlocked."""
    return _set_lock(call, True)


def unlock_document(call: Call) -> dict[str, Any]:
    """Unlock a document."""
    return _set_lock(call, False)


def flag_document(call: Call) -> dict[str, Any]:
    """Flag a document, locked or not."""
    return _set_flag(call, True)


def unflag_document(call: Call) -> dict[str, Any]:
    """Take the flag off a document, locked or not."""
    return _set_flag(call, False)


def _set_lock(call: Call, is_locked: bool) -> dict[str, Any]:
    row = find(call, for_update=True)
    if row.is_locked == is_locked and row.locked_by is None:  # else the lock is taken over from a VAT period
        return show_document(call, row)
    documents.set_lock(call.conn, call.business.id, row.id, is_locked, call.stamp)
    payload = show_document(call, row._replace(is_locked=is_locked, locked_by=None, updated_at=call.stamp))
    call.emit("document.locked" if is_locked else "document.unlocked", payload)
    return payload


def _set_flag(call: Call, is_flagged: bool) -> dict[str, Any]:
    row = find(call, for_update=True)
    if row.is_flagged == is_flagged:
        return show_document(call, row)
    documents.set_flag(call.conn, call.business.id, row.id, is_flagged, call.stamp)
    payload = show_document(call, row._replace(is_flagged=is_flagged, updated_at=call.stamp))
    call.emit("document.flagged" if is_flagged else "document.unflagged", payload)
    return payload
