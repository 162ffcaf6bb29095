"""Tags and files that a body names: those of the business, and no others."""

from __future__ import annotations

from collections.abc import Collection

from acctcli.service.routes.call import Call
from acctcli.service.routes.documents.content import require_known
from acctcli.service.store.books import document_links


def require_files(call: Call, field: str, file_ids: Collection[int]) -> None:
    """Refuse a file of no such id in the business."""
    known = document_links.known(call.conn, call.business.id, file_ids)
    require_known(field, "attachment", file_ids, known.attachment_ids)


def require_tags(call: Call, field: str, tag_ids: Collection[int]) -> None:
    """Refuse a tag of no such id in the business."""
    known = document_links.known(call.conn, call.business.id, tag_ids)
    require_known(field, "tag", tag_ids, known.tag_ids)
