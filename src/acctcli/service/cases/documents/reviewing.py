"""What whoever audits says of a document: a comment, and that they have seen it as it is (docs/interface.md 5.11).

Neither changes a figure, so neither a lock nor a closed day is in the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from acctcli.service.cases.documents.guard import find
from acctcli.service.cases.documents.view import show_document
from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid
from acctcli.service.rules.addresses import address_key
from acctcli.service.store.books import documents
from acctcli.service.store.people import memberships
from acctcli.service.store.rows import Record

if TYPE_CHECKING:
    from acctcli.models.document import CommentRequest, Document, DocumentComment

COMMENTED = "document.commented"
# @ and an address, after nothing or a space or an opening bracket, so that an address alone mentions nobody
MENTION = re.compile(r"(?<![^\s(\[])@([^\s@]+@[^\s@]+)")
# what ends a sentence, not an address
AFTER = ".,;:!?)]"


class _Said(msgspec.Struct):
    comment: str
    mentions: list[str]


_read = msgspec.json.Decoder(_Said).decode


def comment_document(work: Work, document_id: int, body: CommentRequest) -> Document:
    """Comment on a document; whoever is mentioned as @address has to be a member of the business.

    What others say after a document was seen has not been seen.
    """
    row = find(work, document_id, for_update=True)
    mentioned = _mentioned(work, body.text)
    values: dict[str, Any] = {"comment_at": work.stamp, "is_seen": row.is_seen and row.seen_by == work.user.id}
    if mentioned:
        values["mention_at"] = work.stamp
    documents.note(work.conn, work.business.id, row.id, values)
    documents.mention(work.conn, work.business.id, row.id, mentioned)
    payload = show_document(work, row._replace(**values))
    work.emit(COMMENTED, {**payload, "comment": body.text, "mentions": sorted(mentioned.values())})
    return payload


def mark_document_seen(work: Work, document_id: int) -> Document:
    """Say that a document was looked at as it is now; the record holds all of it."""
    row = find(work, document_id, for_update=True)
    values: dict[str, Any] = {"seen_at": work.stamp, "seen_by": work.user.id, "is_seen": True}
    documents.note(work.conn, work.business.id, row.id, values)
    payload = show_document(work, row._replace(**values))
    work.emit("document.seen", payload)
    return payload


def _mentioned(work: Work, text: str) -> dict[int, str]:
    """Return who is mentioned in a text, address by id; Invalid names those who are no members."""
    names = {address_key(name.rstrip(AFTER)) for name in MENTION.findall(text)}
    members = memberships.addresses(work.conn, work.business.id) if names else {}
    found = {user_id: address for user_id, address in members.items() if address_key(address) in names}
    if strangers := names - {address_key(address) for address in found.values()}:
        told = ", ".join(sorted(strangers))
        raise Invalid.field("text", f"Nobody of this business has the address {told}.")
    return found


def show_comments(rows: Iterable[Record]) -> list[DocumentComment]:
    """Return records of the trail as comments are shown."""
    return [_shown(row, _read(row["data"])) for row in rows]


def _shown(row: dict[str, Any], said: _Said) -> DocumentComment:
    return {
        "id": row["number"],
        "created_at": row["created_at"],
        "user_id": row["user_id"],
        "author": row["author"],
        "text": said.comment,
        "mentions": said.mentions,
    }
