"""Files of a business: `/v1/business/{business_slug}/files/` and `.../file_upload/` (wire facts 1.2, 2.14)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from acctcli.models.enums import AnalysisStatus
from acctcli.service.identity.signatures import content_address
from acctcli.service.problems import Invalid, Missing, Precondition
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.filters import file_clauses
from acctcli.service.store import attachments
from acctcli.service.store.attachments import AttachmentRow

if TYPE_CHECKING:
    from acctcli.models.file import FileRequest, UploadRequest
    from acctcli.service.store.contents import Content

SECRET_BYTES = 32
# Nothing is analysed here. A client that waits for an analysis waits while it is pending: it is over, with no results
NEVER_ANALYSED = AnalysisStatus.COMPLETED.value


def list_files(call: Call) -> Page:
    """List files, the newest first, narrowed by the filters of wire facts 1.2."""
    page, clauses = call.page, file_clauses(call.query)
    count, rows = attachments.list_page(call.conn, call.business.id, clauses, limit=page.size, offset=page.offset)
    return Page(count, [list_item(call, row) for row in rows])


def upload_file(call: Call) -> dict[str, Any]:
    """Name a file whose content is on the disk already."""
    body: UploadRequest = call.body
    content: Content = body.file
    _refuse_folder(body.folder_id)
    named = new_file(call, body.name, content.type, content.name)
    values = {**named, "size": content.size, "sha256": content.sha256}
    file_id = attachments.create(call.conn, call.business.id, values)
    kept = {name: value for name, value in values.items() if name in AttachmentRow._fields}
    payload = show_file(call, AttachmentRow(id=file_id, **kept), is_used=False)
    call.emit("file.created", payload)
    return payload


def new_file(call: Call, name: str, media_type: str, content_name: str) -> dict[str, Any]:
    """Return the columns of a file that is new, but for what its content tells."""
    return {
        "created_at": call.stamp,
        "updated_at": call.stamp,
        **_named(name),
        "type": media_type,
        "content_name": content_name,
        "content_secret": call.random(SECRET_BYTES).hex(),
        "analysis_status": NEVER_ANALYSED,
        "notes": "",
    }


def get_file(call: Call) -> dict[str, Any]:
    """Show a file, with an address of its content that is good for an hour."""
    row, is_used = _find(call)
    return show_file(call, row, is_used=is_used)


def replace_file(call: Call) -> dict[str, Any]:
    """Replace what is written of a file: fields that are not sent return to their defaults."""
    return _change(call, set(type(call.body).model_fields))


def update_file(call: Call) -> dict[str, Any]:
    """Change the fields that are sent."""
    return _change(call, call.body.model_fields_set)


def _change(call: Call, sent: set[str]) -> dict[str, Any]:
    row, is_used = _find(call)
    body: FileRequest = call.body
    if "folder_id" in sent:
        _refuse_folder(body.folder_id)
    wanted: dict[str, Any] = {name: str(getattr(body, name)) for name in ("name", "analysis_status") if name in sent}
    if wanted.items() <= row._asdict().items():
        return show_file(call, row, is_used=is_used)
    stamped = wanted | {"updated_at": call.stamp}
    searched = _named(wanted["name"]) if "name" in wanted else {}
    attachments.change(call.conn, call.business.id, row.id, stamped | searched)
    payload = show_file(call, row._replace(**stamped), is_used=is_used)
    call.emit("file.updated", payload)
    return payload


def delete_file(call: Call) -> None:
    """Delete a file and its content; one that a document, an invoice or a payout uses stays (412)."""
    row, is_used = _find(call)
    if is_used:
        raise Precondition("A document, an invoice or a payout uses this file.")
    attachments.remove(call.conn, call.business.id, row.id)
    call.discarded.append(row.content_name)
    call.emit("file.deleted", {"id": row.id})


def _find(call: Call) -> tuple[AttachmentRow, bool]:
    found = attachments.get(call.conn, call.business.id, call.ids["file_id"])
    if found is None:
        raise Missing("There is no such file.")
    return found


def _refuse_folder(folder_id: int | None) -> None:
    if folder_id is not None:
        raise Invalid.field("folder_id", "There are no folders here.")


def _named(name: str) -> dict[str, str]:
    return {"name": name, "search_name": name.casefold()}


def list_item(call: Call, row: AttachmentRow) -> dict[str, Any]:
    """Return a file as lists show it; previews and analyses are made by others."""
    return {
        "id": row.id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "file": content_address(call.origin, row.content_name, row.content_secret, call.now),
        "name": row.name,
        "type": row.type,
        "preview": None,
        "folder_id": None,
        "blurhash": None,
        "blurhash_w": None,
        "blurhash_h": None,
        "analysis_badges": [],
        "analysis_status": row.analysis_status,
        "notes": row.notes,
    }


def show_file(call: Call, row: AttachmentRow, *, is_used: bool) -> dict[str, Any]:
    """Return a file as it is shown alone."""
    return list_item(call, row) | {"is_deletable": not is_used, "analysis_results": []}
