"""Files: `/v1/business/{business_slug}/files/` and `.../file_upload/` (wire facts 1.2, 2.14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.service.cases import files
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.operation import ONE_BUSINESS, Area, keys
from acctcli.service.routes.parameters import SEARCH, Clauses, Parameter, either, empties
from acctcli.service.store import attachments

if TYPE_CHECKING:
    from acctcli.models.file import Attachment

AREA = Area(
    "file",
    ONE_BUSINESS,
    read=keys("files", "read", "editor"),
    write=keys("files", "editor"),
    request="file:FileRequest",
    response="file:Attachment",
    listed="file:AttachmentListItem",
    one="files/{file_id}/",
)


USED = either("is_used", "is_unused")


def _root(call: Call, name: str) -> Clauses:
    """Keep everything: there are no folders, so every file is in the root."""
    call.query.flag(name)
    return {}


def _tag(call: Call, name: str) -> Clauses:
    tag = call.query.integer(name)
    return {} if tag is None else {"tag": {"tag": tag}}


@AREA.operation(
    "POST", "file_upload/", needs=AREA.write, request="file:UploadRequest", response="file:Attachment", uploads=True
)
def upload_file(call: Call) -> Attachment:
    """Upload a file."""
    return files.create_file(call, call.body)


@AREA.page(
    SEARCH._replace(description="Name by contains."),
    Parameter("folder", "integer", "Id of a folder; there are none here.", narrow=empties),
    Parameter("root", "boolean", "Files in no folder.", narrow=_root),
    Parameter("is_used", "boolean", "Files that a document, an invoice or a payout uses.", narrow=USED),
    Parameter("tags", "integer", "Id of a tag that a document with the file carries.", narrow=_tag),
    below="files/",
)
def list_files(call: Call) -> Page:
    """List files."""
    return call.listed(
        attachments.list_page, call.clauses, show=lambda rows: [files.list_item(call, row) for row in rows]
    )


@AREA.get()
def get_file(call: Call) -> Attachment:
    """Show a file."""
    return files.get_file(call, call.ids["file_id"])


@AREA.replace()
def replace_file(call: Call) -> Attachment:
    """Replace a file."""
    return files.change_file(call, call.ids["file_id"], call.body, call.all_fields)


@AREA.update()
def update_file(call: Call) -> Attachment:
    """Change a file."""
    return files.change_file(call, call.ids["file_id"], call.body, call.body.model_fields_set)


@AREA.delete()
def delete_file(call: Call) -> None:
    """Delete a file."""
    files.delete_file(call, call.ids["file_id"])
