"""Files: `/v1/business/{business_slug}/files/` and `.../file_upload/` (docs/interface.md 6.2)."""

from __future__ import annotations

from acctcli.service.cases import files
from acctcli.service.routes.operation import FILES_READ, FILES_UPLOAD, FILES_WRITE, ONE_BUSINESS, Area
from acctcli.service.routes.parameters import SEARCH, Asked, Clauses, Parameter, either, empties
from acctcli.service.store import attachments


def _root(call: Asked, name: str) -> Clauses:
    """Keep everything: there are no folders, so every file is in the root."""
    call.query.flag(name)
    return {}


def _tag(call: Asked, name: str) -> Clauses:
    tag = call.query.integer(name)
    return {} if tag is None else {"tag": {"tag": tag}}


AREA = Area(
    "file",
    f"{ONE_BUSINESS}files/",
    "file",
    read=FILES_READ,
    write=FILES_WRITE,
    request="file:FileRequest",
    response="file:Attachment",
    listed="file:AttachmentListItem",
)
AREA.list(
    attachments.list_page,
    files.show_in_list,
    SEARCH._replace(description="Name by contains."),
    Parameter("folder", "integer", "Id of a folder; there are none here.", narrow=empties),
    Parameter("root", "boolean", "Files in no folder.", narrow=_root),
    Parameter(
        "is_used",
        "boolean",
        "Files that a document, an invoice or a payout uses, and logos.",
        narrow=either("is_used", "is_unused"),
    ),
    Parameter("tags", "integer", "Id of a tag that a document with the file carries.", narrow=_tag),
)
AREA.get(files.get_file)
AREA.change(files.change_file)
AREA.delete(files.delete_file)

UPLOADS = Area("file", f"{ONE_BUSINESS}file_upload/", one="", write=FILES_UPLOAD, response=AREA.response)
UPLOADS.act("", files.upload_file, "Upload a file.", request="file:UploadRequest", uploads=True)
