"""Files."""

from __future__ import annotations

from acctcli.service.routes.route import (
    FILES_READ,
    FILES_WRITE,
    MODELS,
    ONE_BUSINESS,
    PAGING,
    ROUTES,
    Parameter,
    Route,
    resource,
)

FILE_FILTERS = (
    *PAGING,
    Parameter("search", "string", "Name by contains."),
    Parameter("folder", "integer", "Id of a folder; there are none here."),
    Parameter("root", "boolean", "Files in no folder."),
    Parameter("is_used", "boolean", "Files that a document, an invoice or a payout uses."),
    Parameter("tags", "integer", "Id of a tag that a document with the file carries."),
)

FILES = (
    Route(
        "POST",
        f"{ONE_BUSINESS}file_upload/",
        f"{ROUTES}.file:upload_file",
        "Upload a file.",
        needs=FILES_WRITE,
        request=f"{MODELS}.file:UploadRequest",
        response=f"{MODELS}.file:Attachment",
        uploads=True,
    ),
    # files are created by uploading them
    *(
        route
        for route in resource(
            "file",
            "file",
            f"{ONE_BUSINESS}files/",
            "file",
            models=("file:FileRequest", "file:Attachment"),
            listed="file:AttachmentListItem",
            read=FILES_READ,
            write=FILES_WRITE,
            filters=FILE_FILTERS,
        )
        if route.method != "POST"
    ),
)
