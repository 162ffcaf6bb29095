"""Files of a business: named when their content is on the disk, changed, deleted, shown (docs/interface.md 6.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from acctcli.models.enums import AnalysisStatus
from acctcli.service.cases.work import Work, found
from acctcli.service.identity.signatures import content_address
from acctcli.service.problems import Invalid, Precondition, TooLarge
from acctcli.service.store import attachments
from acctcli.service.store.attachments import AttachmentRow

if TYPE_CHECKING:
    from acctcli.models.file import Attachment, AttachmentListItem, FileRequest, UploadRequest
    from acctcli.service.store.contents import Content

SECRET_BYTES = 32
# Nothing is analysed here. A client that waits for an analysis waits while it is pending: it is over, with no results
NEVER_ANALYSED = AnalysisStatus.COMPLETED.value


def upload_file(work: Work, body: UploadRequest) -> Attachment:
    """Name a file whose content is on the disk already."""
    content: Content = body.file
    _refuse_folder(body.folder_id)
    named = new_file(work, body.name, content.type, content.name)
    values = {**named, "size": content.size, "sha256": content.sha256}
    file_id = attachments.create(work.conn, work.business.id, values)
    _check_room(work, content.size)
    kept = {name: value for name, value in values.items() if name in AttachmentRow._fields}
    payload = show_file(work, AttachmentRow(id=file_id, **kept), is_used=False)
    work.emit("file.created", {**payload, "sha256": content.sha256})
    return payload


def _check_room(work: Work, size: int) -> None:
    """Refuse a file, which is counted already, that makes the files of the business larger than they may be."""
    most, used = work.limits.stored_bytes, attachments.stored_bytes(work.conn, work.business.id)
    if most is not None and used > most:
        raise TooLarge(
            f"The files of a business may have {mebibytes(most)} here; those of this one have "
            f"{mebibytes(used - size)}, and this file {mebibytes(size)}. "
            "Delete files, or ask whoever runs the service for more."
        )


def mebibytes(size: int) -> str:
    """Return a number of bytes as people read it."""
    return f"{Decimal(size) / 2**20:,.2f} MiB"


def new_file(work: Work, name: str, media_type: str, content_name: str) -> dict[str, Any]:
    """Return the columns of a file that is new, but for what its content tells."""
    return {
        **work.born,
        **_named(name),
        "type": media_type,
        "content_name": content_name,
        "content_secret": work.random(SECRET_BYTES).hex(),
        "analysis_status": NEVER_ANALYSED,
        "notes": "",
    }


def get_file(work: Work, file_id: int) -> Attachment:
    """Show a file, with an address of its content that is good for an hour."""
    row, is_used = _find(work, file_id)
    return show_file(work, row, is_used=is_used)


def change_file(work: Work, file_id: int, body: FileRequest, names: Collection[str]) -> Attachment:
    """Write the fields of these names."""
    row, is_used = _find(work, file_id)
    if "folder_id" in names:
        _refuse_folder(body.folder_id)
    wanted: dict[str, Any] = {name: str(getattr(body, name)) for name in ("name", "analysis_status") if name in names}
    if wanted.items() <= row._asdict().items():
        return show_file(work, row, is_used=is_used)
    stamped = wanted | {"updated_at": work.stamp}
    searched = _named(wanted["name"]) if "name" in wanted else {}
    attachments.change(work.conn, work.business.id, row.id, stamped | searched)
    payload = show_file(work, row._replace(**stamped), is_used=is_used)
    work.emit("file.updated", payload)
    return payload


def delete_file(work: Work, file_id: int) -> None:
    """Delete a file and its content; one that is used, also as a logo, stays (412)."""
    row, is_used = _find(work, file_id)
    if is_used:
        raise Precondition("A document, an invoice or a payout uses this file, or it is a logo.")
    attachments.remove(work.conn, work.business.id, row.id)
    work.discarded.append(row.content_name)
    work.emit("file.deleted", {"id": row.id})


def _find(work: Work, file_id: int) -> tuple[AttachmentRow, bool]:
    return found(attachments.get(work.conn, work.business.id, file_id), "file")


def _refuse_folder(folder_id: int | None) -> None:
    if folder_id is not None:
        raise Invalid.field("folder_id", "There are no folders here.")


def _named(name: str) -> dict[str, str]:
    return {"name": name, "search_name": name.casefold()}


def show_in_list(work: Work, rows: Iterable[AttachmentRow]) -> list[AttachmentListItem]:
    """Return files as lists show them."""
    return [_item(work, row) for row in rows]


def _item(work: Work, row: AttachmentRow) -> AttachmentListItem:
    """Return a file as lists show it; previews and analyses are made by others."""
    return {
        "id": row.id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "file": content_address(work.origin, row.content_name, row.content_secret, work.now),
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


def show_file(work: Work, row: AttachmentRow, *, is_used: bool) -> Attachment:
    """Return a file as it is shown alone."""
    return {**_item(work, row), "is_deletable": not is_used, "analysis_results": []}
